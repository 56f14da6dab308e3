/*
 * Options and their precedence: argv[5], then the page, then the PPD.  Warnings are read back from
 * stderr.
 */
#include "tests/tools/testing.h"

#include "tests/filter/job_options.h"

static void method_is(const struct set_up s, enum rip_method method, unsigned warned)
{
	struct rip_choice choice;
	char text[4096];
	unsigned n = choose(&s, &choice, text);

	if (choice.method != method || n != warned)
		fail_msg("job \"%s\", page \"%s\", \"%s\": %s with %u warnings, not %s with %u\n%s",
			 s.job, s.page0 ? s.page0 : "", s.page7 ? s.page7 : "",
			 rip_method_name(choice.method), n, rip_method_name(method), warned, text);
}

TEST(precedence)
{
	AUTO_FREE char *bwed = strdup(option_lines("halftone", "bwed"));
	AUTO_FREE char *wrong = strdup(option_lines("halftone", "dither"));

	method_is((struct set_up){ .job = "" }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ .job = NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", NULL, NULL, bwed }, RIP_METHOD_BWED, 0);
	method_is((struct set_up){ "", "riptide:ec", NULL, bwed }, RIP_METHOD_EC, 0);
	method_is((struct set_up){ "halftone=ed", "riptide:ec", NULL, bwed }, RIP_METHOD_ED, 0);
	method_is((struct set_up){ "media=A4 Halftone=BWEC fit-to-page sides=one-sided", NULL, NULL,
				   bwed }, RIP_METHOD_BWEC, 0);
	/* what is not known falls to the next place */
	method_is((struct set_up){ "halftone=x", "riptide:ec", NULL, bwed }, RIP_METHOD_EC, 1);
	method_is((struct set_up){ "halftone=x", "riptide:y", NULL, bwed }, RIP_METHOD_BWED, 2);
	method_is((struct set_up){ "halftone=x", "riptide:y", NULL, wrong }, RIP_METHOD_AUTO, 3);
	method_is((struct set_up){ "halftone=", NULL, NULL, NULL }, RIP_METHOD_AUTO, 1);
	method_is((struct set_up){ "nohalftone", NULL, NULL, NULL }, RIP_METHOD_AUTO, 1);
}

TEST(page_strings)
{
	/* others' strings pass; all 16 are looked at; the first that says it counts */
	method_is((struct set_up){ "", "bwec", NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", "Riptide:bwec", NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", "hpcups:riptide:ec", "riptide:BWEC", NULL }, RIP_METHOD_BWEC,
		  0);
	method_is((struct set_up){ "", "riptide:ed", "riptide:bwec", NULL }, RIP_METHOD_ED, 0);
	method_is((struct set_up){ "", "riptide:halftone=ed", NULL, NULL }, RIP_METHOD_ED, 0);
	method_is((struct set_up){ "", "riptide:halftone-levels=4", "riptide:ed", NULL },
		  RIP_METHOD_ED, 0);
	method_is((struct set_up){ "", "riptide:halftone-levels=4,halftone=pwec", NULL, NULL },
		  RIP_METHOD_PWEC, 0);
	method_is((struct set_up){ "", "riptide:", NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", "riptide:screen=7,ed", NULL, NULL }, RIP_METHOD_ED, 1);
	method_is((struct set_up){ "", "riptide:=", NULL, NULL }, RIP_METHOD_AUTO, 1);
	/* 64 bytes without a NUL */
	method_is(
		(struct set_up){
			"", "riptide:halftone-levels=4,halftone-screen=clustered-85,halftone=ec",
			NULL, NULL },
		RIP_METHOD_AUTO, 1);
}

TEST(names)
{
	AUTO_FREE char *both = malloc(1024);
	char *alias = strdup(option_lines("cupsHalftoneType", "bwed"));

	/* our own name in the PPD: `halftone` is its vendor's */
	snprintf(both, 1024, "%s", option_lines("Halftone", "photo"));
	strcat(both, option_lines("riptideHalftone", "pwed"));
	method_is((struct set_up){ "", NULL, NULL, both }, RIP_METHOD_PWED, 0);
	method_is((struct set_up){ "Halftone=Text", NULL, NULL, both }, RIP_METHOD_PWED, 0);
	method_is((struct set_up){ "halftone=ec", NULL, NULL, both }, RIP_METHOD_EC, 0);
	method_is((struct set_up){ "riptideHalftone=ed halftone=ec", NULL, NULL, both },
		  RIP_METHOD_ED, 0);
	method_is((struct set_up){ "riptideHalftone=x", NULL, NULL, both }, RIP_METHOD_PWED, 1);
	/* the alias: others' values are not ours to warn of */
	method_is((struct set_up){ "halftone-type=bwec", NULL, NULL, NULL }, RIP_METHOD_BWEC, 0);
	method_is((struct set_up){ "cupsHalftoneType=bwec", NULL, NULL, NULL }, RIP_METHOD_BWEC, 0);
	method_is((struct set_up){ "halftone-type=bi-level", NULL, NULL, NULL }, RIP_METHOD_AUTO,
		  0);
	method_is((struct set_up){ "halftone-type=ed halftone=ec", NULL, NULL, NULL },
		  RIP_METHOD_EC, 0);
	method_is((struct set_up){ "", NULL, NULL, alias }, RIP_METHOD_BWED, 0);
	free(alias);
	alias = strdup(option_lines("cupsHalftoneType", "stochastic"));
	method_is((struct set_up){ "", NULL, NULL, alias }, RIP_METHOD_AUTO, 0);
	free(alias);
}

/* Where the PPD starts only filters of others, its options may be called as ours. */
TEST(foreign)
{
	static const char *const lines[] = {
		"*cupsFilter: \"application/vnd.cups-raster 0 rastertovendor\"\n",
		("*cupsFilter2: \"application/vnd.cups-raster application/x-vendor 0 "
		 "rastertovendor\"\n"),
		"*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n",
		"*cupsPreFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n",
	};

	for (size_t i = 0; i < COUNT(lines); i++) {
		const unsigned ours = i >= 2;
		char ppd[2048];

		snprintf(ppd, sizeof ppd, "%s%s", lines[i], option_lines("halftone", "default"));
		strcat(ppd, option_lines("toner-save", "On"));
		method_is((struct set_up){ "", NULL, NULL, ppd }, RIP_METHOD_AUTO, 2 * ours);
		method_is((struct set_up){ "halftone=wts toner-save=Off", NULL, NULL, ppd },
			  RIP_METHOD_AUTO, 4 * ours);
		/* Ours are still known, and what can only be ours is checked. */
		method_is((struct set_up){ "halftone=ec", NULL, NULL, ppd }, RIP_METHOD_EC,
			  2 * ours);
		method_is((struct set_up){ "riptideHalftone=wts", NULL, NULL, ppd },
			  RIP_METHOD_AUTO, 2 * ours + 1);
		method_is((struct set_up){ "", "riptide:wts", NULL, ppd }, RIP_METHOD_AUTO,
			  2 * ours + 1);
	}
}

/* What the driver behind us cannot take is as good as not known. */
TEST(driver_levels)
{
	static const struct {
		const char *job, *page, *most;
		unsigned levels, warned;
	} cases[] = {
		{ "halftone-levels=4", NULL, "2", 2, 1 },
		{ "halftone-levels=4 riptideLevels=16", NULL, "2", 2, 1 },
		{ "halftone-levels=2", NULL, "2", 2, 0 },
		{ "halftone-levels=4", NULL, "4", 4, 0 },
		{ "halftone-levels=5", "riptide:halftone-levels=3", "4", 3, 1 },
		{ "halftone-levels=5", "riptide:halftone-levels=16", "4", 2, 2 },
		{ "halftone-levels=16", NULL, "1", 16, 0 }, /* a limit that is none */
		{ "halftone-levels=16", NULL, "17", 16, 0 },
		{ "halftone-levels=16", NULL, "many", 16, 0 },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rip_choice choice;
		char text[4096], line[64];

		snprintf(line, sizeof line, "*riptideMaxLevels: \"%s\"\n", cases[i].most);
		assert_int_equal(choose(&(struct set_up){ cases[i].job, cases[i].page, NULL, line },
					&choice, text), cases[i].warned);
		assert_int_equal(choice.levels, cases[i].levels);
		if (cases[i].warned)
			assert_non_null(strstr(text, "exceeds the driver's limit of "));
	}
	/* What is proposed is what the driver takes. */
	for (unsigned i = 0; i < 4; i++) {
		const char *const most[] = { "2", "2", "4", "16" };
		const char *const job[] = { "halftone-levels=x", "halftone-levels=17",
					    "halftone-levels=1", "halftone-levels=17" };
		const char *const known[] = { "valid values are 2 (the driver",
					      "valid values are 2 (the driver",
					      "valid values are 2 to 4 (the driver",
					      "valid values are 2 to 16\n" };
		struct rip_choice choice;
		char text[4096], line[64];

		snprintf(line, sizeof line, "*riptideMaxLevels: \"%s\"\n", most[i]);
		assert_int_equal(choose(&(struct set_up){ job[i], NULL, NULL, line }, &choice,
					text),
				 1);
		if (!strstr(text, known[i]))
			fail_msg("no \"%s\": %s", known[i], text);
	}
}

/* The name of the screen in force. */
static const char *in_force(const struct rip_choice *choice)
{
	if (choice->wish_count == 0)
		return "floyd-steinberg";
	return choice->wishes[0].id < 0 ? choice->wishes[0].mask
					: rip_screens[choice->wishes[0].id].name;
}

TEST(filter_and_levels)
{
	static const struct {
		const char *job, *page;
		enum rip_screen_id screen;
		unsigned levels, warned;
	} cases[] = {
		{ "", NULL, RIP_FLOYD_STEINBERG, 2, 0 },
		{ "halftone-levels=16", NULL, RIP_FLOYD_STEINBERG, 16, 0 },
		{ "Halftone-Levels=3 halftone-screen=STUCKI", NULL, RIP_STUCKI, 3, 0 },
		{ "riptideLevels=5 riptideScreen=sierra", NULL, RIP_SIERRA, 5, 0 },
		{ "halftone-levels=17", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=1", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=0x4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=+4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=-4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=4294967298", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=99999999999999999999", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=4.0", "riptide:halftone-levels=8", RIP_FLOYD_STEINBERG, 8, 1 },
		{ "", "riptide:halftone-screen=burkes,halftone-levels=4", RIP_BURKES, 4, 0 },
		{ "halftone-levels=2", "riptide:halftone-screen=burkes,halftone-levels=4",
		  RIP_BURKES, 2, 0 },
		{ "halftone-screen=none", "riptide:HALFTONE-SCREEN=Atkinson",
		  RIP_ATKINSON, 2, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct set_up s = { cases[i].job, cases[i].page, NULL, NULL };
		struct rip_choice choice;
		char text[4096];

		assert_int_equal(choose(&s, &choice, text), cases[i].warned);
		assert_string_equal(in_force(&choice), rip_screens[cases[i].screen].name);
		assert_int_equal(choice.levels, cases[i].levels);
	}
}

/* The truth table of options.h, every cell of it: each place sets the method, or none does;
 * each place sets each kind of screen, or none does. */
TEST(screens_and_methods)
{
	static const struct {
		const char *name;
		bool mask;
	} screens[] = {
		{ NULL, false },           { "floyd-steinberg", false }, { "atkinson", false },
		{ "stucki", false },       { "blue-noise", false },      { "clustered", true },
		{ "clustered-106", true }, { "blue-noise-mask", true },  { "bayer", true },
		{ "bi-level", true },
	};
	static const char *const methods[] = { NULL, "auto", "ed", "ec", "simd", "pwed", "pwec",
					       "bwed", "bwec" };

	for (size_t s = 0; s < COUNT(screens); s++)
		for (int at = 0; at < (screens[s].name ? RIP_PLACE_COUNT : 1); at++)
			for (size_t m = 0; m < COUNT(methods); m++)
				for (int by = 0; by < (methods[m] ? RIP_PLACE_COUNT : 1); by++) {
					const bool named = methods[m] && strcmp(methods[m], "auto");
					const bool ignored = named && screens[s].mask &&
							     at != RIP_PLACE_JOB;
					const char *expected = !screens[s].name || ignored ?
							       "floyd-steinberg" : screens[s].name;
					char job[128] = "media=A4", page0[64] = "", page7[64] = "",
					     ppd[1024] = "", text[4096];
					struct rip_choice choice;

					if (screens[s].name && at == RIP_PLACE_JOB)
						snprintf(job + strlen(job), 64,
							 " halftone-screen=%s", screens[s].name);
					if (screens[s].name && at == RIP_PLACE_PAGE)
						snprintf(page0, sizeof page0,
							 "riptide:halftone-screen=%s",
							 screens[s].name);
					if (screens[s].name && at == RIP_PLACE_PPD)
						strcat(ppd, option_lines("halftone-screen",
									 screens[s].name));
					if (methods[m] && by == RIP_PLACE_JOB)
						snprintf(job + strlen(job), 32, " halftone=%s",
							 methods[m]);
					if (methods[m] && by == RIP_PLACE_PAGE)
						snprintf(page7, sizeof page7, "riptide:%s",
							 methods[m]);
					if (methods[m] && by == RIP_PLACE_PPD)
						strcat(ppd, option_lines("halftone", methods[m]));
					assert_int_equal(choose(&(struct set_up){ job, page0, page7,
							 ppd[0] ? ppd : NULL }, &choice, text), 0);
					assert_string_equal(in_force(&choice), expected);
					assert_string_equal(choice.ignored.mask,
							    ignored ? screens[s].name : "");
					if (ignored)
						assert_int_equal(choice.ignored.place, at);
				}
}

/* The places in turn, and values that are not known. */
TEST(places_of_screens)
{
	static const struct {
		const char *job, *page0, *page7, *keyword, *ppd, *expected;
		unsigned warned;
	} cases[] = {
		{ "halftone-screen=BAYER", "riptide:halftone-screen=stucki", NULL,
		  "halftone-screen", "clustered", "BAYER", 0 },
		{ "riptideScreen=bayer", NULL, NULL, "halftone-screen", "clustered", "bayer", 0 },
		{ "", "riptide:halftone-screen=stucki", NULL, "halftone-screen", "clustered",
		  "stucki", 0 },
		{ "", NULL, NULL, "riptideScreen", "clustered-106", "clustered-106", 0 },
		/* a wrong name falls to the next place */
		{ "halftone-screen=dots", "riptide:halftone-screen=bayer", NULL, "halftone-screen",
		  "clustered", "bayer", 1 },
		{ "halftone-screen=dots", "riptide:halftone-screen=x", NULL, "halftone-screen",
		  "clustered", "clustered", 2 },
		{ "halftone-screen=dots", "riptide:halftone-screen=x", NULL, "halftone-screen", "y",
		  "floyd-steinberg", 3 },
		{ "halftone-screen=", NULL, NULL, NULL, NULL, "floyd-steinberg", 1 },
		{ "halftone-screen=clustered-", NULL, NULL, NULL, NULL, "floyd-steinberg", 1 },
		{ "halftone-screen=clustered-LPI", NULL, NULL, NULL, NULL, "floyd-steinberg", 1 },
		{ "halftone-screen=clustered-0", NULL, NULL, NULL, NULL, "floyd-steinberg", 1 },
		{ "halftone-screen=clustered-00000000000000000000000000000000000000106", NULL, NULL,
		  NULL, NULL, "floyd-steinberg", 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct set_up s = { cases[i].job, cases[i].page0, cases[i].page7,
				    cases[i].keyword ? option_lines(cases[i].keyword, cases[i].ppd)
						     : NULL };
		struct rip_choice choice;
		char text[4096];
		const unsigned n = choose(&s, &choice, text);

		if (n != cases[i].warned || strcmp(in_force(&choice), cases[i].expected))
			fail_msg("case %zu, \"%s\": %s with %u warnings, not %s with %u\n%s", i,
				 cases[i].job, in_force(&choice), n, cases[i].expected,
				 cases[i].warned, text);
	}
}

/* A mask that a page cannot have is warned of once, and the next place counts. */
TEST(refused_masks)
{
	struct rip_queue queue = { NULL };
	AUTO(rip_options_finish) struct rip_options options;
	struct rip_choice choice;
	cups_page_header2_t header;
	char text[4096];

	memset(&header, 0, sizeof header);
	strcpy(header.cupsString[3], "riptide:halftone-screen=bayer");
	rip_options_init(&options, "halftone-screen=clustered-9999", &queue);
	catch_stderr();
	for (int page = 0; page < 3; page++) {
		rip_options_page(&options, &header, &choice);
		assert_int_equal(choice.wish_count, 2);
		rip_options_refuse_mask(&options, &choice.wishes[0], "too fine");
	}
	assert_int_equal(warnings(text), 1);
	assert_string_equal(text, "WARNING: halftone-screen=clustered-9999 in the job's options is "
			    "not possible: too fine\n");
	assert_string_equal(choice.wishes[1].mask, "bayer");
	assert_int_equal(choice.wishes[1].place, RIP_PLACE_PAGE);
}

/* One line, printable, with the known values. */
TEST(warning_text)
{
	struct set_up s = { "halftone=\"a\nERROR: b\"", NULL, NULL, NULL };
	struct rip_choice choice;
	char text[4096], filters[256] = "", known[512];

	choose(&s, &choice, text);
	assert_null(strstr(text, "\nERROR"));
	assert_non_null(
		strstr(text, "valid values are auto, ed, ec, pwed, pwec, bwed, bwec, simd\n"));
	s.job = "halftone-levels=x halftone-screen=z";
	assert_int_equal(choose(&s, &choice, text), 2);
	assert_non_null(strstr(text, "valid values are 2 to 16\n"));
	for (int i = 0; i < RIP_SCREENS; i++)
		snprintf(filters + strlen(filters), sizeof filters - strlen(filters), "%s%s",
			 i ? ", " : "", rip_screens[i].name);
	snprintf(known, sizeof known,
		 "halftone-screen=z in the job's options is not valid; valid "
		 "values are %s, labels, clustered, clustered-LPI, blue-noise-mask, bayer, "
		 "bi-level\n",
		 filters);
	assert_non_null(strstr(text, known));
}
