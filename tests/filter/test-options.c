/*
 * Options and their precedence, and the filter's place in the chain: argv[5],
 * then the page, then the PPD.  Warnings are read back from stderr.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filter/options.h"
#include "filter/queue.h"
#include "filter/tone_curves.h"
#include "tests/tools/testing.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- a queue with a PPD of these lines ---- */

static void open_queue(struct rip_queue *queue, const char *lines)
{
	static const char head[] =
		"*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
		"*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n*PCFileName: \"T.PPD\"\n"
		"*Manufacturer: \"T\"\n*Product: \"(T)\"\n*ModelName: \"T\"\n*NickName: \"T\"\n"
		"*ShortNickName: \"T\"\n*PSVersion: \"(3010.000) 0\"\n*LanguageLevel: \"3\"\n";
	char path[64];
	int fd = memfd_create("ppd", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, head, sizeof head - 1), sizeof head - 1);
	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	rip_queue_open(queue, path);
	close(fd);
	assert_non_null(queue->ppd);
}

static char *option_lines(const char *keyword, const char *standard)
{
	static char text[512];

	snprintf(text, sizeof text, "*OpenUI *%s/T: PickOne\n*Default%s: %s\n*%s %s/T: \"\"\n"
		 "*%s other/T: \"\"\n*CloseUI: *%s\n", keyword, keyword, standard, keyword, standard,
		 keyword, keyword);
	return text;
}

/* ---- what is said on stderr meanwhile ---- */

static int saved_stderr, caught;

static void catch_stderr(void)
{
	fflush(stderr);
	saved_stderr = dup(2);
	caught = memfd_create("stderr", MFD_CLOEXEC);
	dup2(caught, 2);
}

/* What was said, and the number of lines that begin with WARNING. */
static unsigned warnings(char text[4096])
{
	unsigned count = 0;
	ssize_t n;

	dup2(saved_stderr, 2);
	close(saved_stderr);
	lseek(caught, 0, SEEK_SET);
	n = read(caught, text, 4095);
	text[n > 0 ? n : 0] = '\0';
	close(caught);
	for (char *at = text; (at = strstr(at, "WARNING: ")); at++)
		count++;
	return count;
}

/* ---- a job: its options, two pages' cupsStrings, a PPD ---- */

struct set_up {
	const char *job, *page0, *page7, *ppd;
};

static unsigned choose(const struct set_up *s, struct rip_choice *choice, char text[4096])
{
	struct rip_queue queue = { NULL };
	struct rip_options options;
	cups_page_header2_t header;

	memset(&header, 0, sizeof header);
	if (s->page0)
		memcpy(header.cupsString[0], s->page0, strnlen(s->page0, 64));
	if (s->page7)
		memcpy(header.cupsString[7], s->page7, strnlen(s->page7, 64));
	catch_stderr();
	if (s->ppd)
		open_queue(&queue, s->ppd);
	rip_options_init(&options, s->job, &queue);
	rip_queue_close(&queue);
	for (int page = 0; page < 3; page++) /* every page, but one warning */
		rip_options_page(&options, &header, choice);
	rip_options_finish(&options);
	return warnings(text);
}

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

static void test_precedence(void **state)
{
	char *bwed = strdup(option_lines("halftone", "bwed"));
	char *wrong = strdup(option_lines("halftone", "dither"));

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
	free(bwed);
	free(wrong);
}

static void test_page_strings(void **state)
{
	/* others' strings pass; all 16 are looked at; the first that says it counts */
	method_is((struct set_up){ "", "bwec", NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", "Riptide:bwec", NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "", "hpcups:riptide:ec", "riptide:BWEC", NULL }, RIP_METHOD_BWEC, 0);
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
	method_is((struct set_up){ "", "riptide:halftone-levels=4,halftone-error-filter=burkes,halftone=ec",
				   NULL, NULL }, RIP_METHOD_AUTO, 1);
}

static void test_names(void **state)
{
	char *both = malloc(1024);
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
	method_is((struct set_up){ "halftone-type=bi-level", NULL, NULL, NULL }, RIP_METHOD_AUTO, 0);
	method_is((struct set_up){ "halftone-type=ed halftone=ec", NULL, NULL, NULL },
		  RIP_METHOD_EC, 0);
	method_is((struct set_up){ "", NULL, NULL, alias }, RIP_METHOD_BWED, 0);
	free(alias);
	alias = strdup(option_lines("cupsHalftoneType", "stochastic"));
	method_is((struct set_up){ "", NULL, NULL, alias }, RIP_METHOD_AUTO, 0);
	free(alias);
	free(both);
}

/* What the driver behind us cannot take is as good as not known. */
static void test_driver_levels(void **state)
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

	(void)state;
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
}

/* The name of the screen in force. */
static const char *in_force(const struct rip_choice *choice)
{
	if (choice->wish_count == 0)
		return "floyd-steinberg";
	return choice->wishes[0].id < 0 ? choice->wishes[0].mask
					: rip_screens[choice->wishes[0].id].name;
}

static void test_filter_and_levels(void **state)
{
	static const struct {
		const char *job, *page;
		enum rip_screen_id screen;
		unsigned levels, warned;
	} cases[] = {
		{ "", NULL, RIP_FLOYD_STEINBERG, 2, 0 },
		{ "halftone-levels=16", NULL, RIP_FLOYD_STEINBERG, 16, 0 },
		{ "Halftone-Levels=3 halftone-error-filter=STUCKI", NULL, RIP_STUCKI, 3, 0 },
		{ "riptideLevels=5 riptideErrorFilter=sierra", NULL, RIP_SIERRA, 5, 0 },
		{ "halftone-levels=17", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=1", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=0x4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=+4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=-4", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=4294967298", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=99999999999999999999", NULL, RIP_FLOYD_STEINBERG, 2, 1 },
		{ "halftone-levels=4.0", "riptide:halftone-levels=8", RIP_FLOYD_STEINBERG, 8, 1 },
		{ "", "riptide:halftone-error-filter=burkes,halftone-levels=4", RIP_BURKES, 4, 0 },
		{ "halftone-levels=2", "riptide:halftone-error-filter=burkes,halftone-levels=4",
		  RIP_BURKES, 2, 0 },
		{ "halftone-error-filter=none", "riptide:HALFTONE-ERROR-FILTER=Atkinson",
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
static void test_screens_and_methods(void **state)
{
	static const struct {
		const char *name;
		bool mask;
	} screens[] = {
		{ NULL, false }, { "floyd-steinberg", false }, { "atkinson", false },
		{ "stucki", false }, { "blue-noise", false }, { "clustered", true }, { "clustered-106", true },
		{ "blue-noise-mask", true }, { "bayer", true }, { "bi-level", true },
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
						snprintf(job + strlen(job), 64, " halftone-screen=%s",
							 screens[s].name);
					if (screens[s].name && at == RIP_PLACE_PAGE)
						snprintf(page0, sizeof page0,
							 "riptide:halftone-screen=%s", screens[s].name);
					if (screens[s].name && at == RIP_PLACE_PPD)
						strcat(ppd, option_lines("halftone-screen",
									 screens[s].name));
					if (methods[m] && by == RIP_PLACE_JOB)
						snprintf(job + strlen(job), 32, " halftone=%s",
							 methods[m]);
					if (methods[m] && by == RIP_PLACE_PAGE)
						snprintf(page7, sizeof page7, "riptide:%s", methods[m]);
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

/* The places in turn, both names of the option, and values that are not known. */
static void test_places_of_screens(void **state)
{
	static const char both[] =
		"WARNING: halftone-screen=clustered and halftone-error-filter=stucki are both set "
		"in the job's options; halftone-screen counts\n";
	static const struct {
		const char *job, *page0, *page7, *keyword, *ppd, *expected;
		unsigned warned;
	} cases[] = {
		{ "halftone-screen=BAYER", "riptide:halftone-screen=stucki", NULL, "halftone-screen",
		  "clustered", "BAYER", 0 },
		{ "riptideScreen=bayer", NULL, NULL, "halftone-screen", "clustered", "bayer", 0 },
		{ "", "riptide:halftone-screen=stucki", NULL, "halftone-screen", "clustered", "stucki",
		  0 },
		{ "", NULL, NULL, "riptideScreen", "clustered-106", "clustered-106", 0 },
		/* the older name: at an earlier place it counts before the newer name */
		{ "halftone-error-filter=burkes", "riptide:halftone-screen=bayer", NULL,
		  "halftone-screen", "clustered", "burkes", 0 },
		{ "riptideErrorFilter=burkes", NULL, NULL, "halftone-screen", "clustered", "burkes", 0 },
		{ "", "riptide:halftone-error-filter=sierra", NULL, "halftone-screen", "clustered",
		  "sierra", 0 },
		{ "", NULL, NULL, "halftone-error-filter", "sierra", "sierra", 0 },
		{ "", NULL, NULL, "riptideErrorFilter", "sierra", "sierra", 0 },
		/* both at one place */
		{ "halftone-screen=clustered halftone-error-filter=stucki", NULL, NULL, NULL, NULL,
		  "clustered", 1 },
		{ "halftone-error-filter=stucki riptideScreen=sierra", NULL, NULL, NULL, NULL,
		  "sierra", 1 },
		{ "halftone-screen=stucki halftone-error-filter=stucki", NULL, NULL, NULL, NULL,
		  "stucki", 0 },
		{ "", "riptide:halftone-error-filter=stucki", "riptide:halftone-screen=bayer", NULL,
		  NULL, "bayer", 1 },
		/* a wrong name falls to the other name, then to the next place */
		{ "halftone-screen=dots halftone-error-filter=stucki", NULL, NULL, NULL, NULL, "stucki",
		  1 },
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
		/* a mask has no error filter */
		{ "halftone-error-filter=clustered", NULL, NULL, "halftone-screen", "bayer", "bayer",
		  1 },
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
				 cases[i].job, in_force(&choice), n, cases[i].expected, cases[i].warned,
				 text);
		if (i == 9)
			assert_string_equal(text, both);
	}
}

/* A mask that a page cannot have is warned of once, and the next place counts. */
static void test_refused_masks(void **state)
{
	struct rip_queue queue = { NULL };
	struct rip_options options;
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
	rip_options_finish(&options);
}

/* One line, printable, with the known values. */
static void test_warning_text(void **state)
{
	struct set_up s = { "halftone=\"a\nERROR: b\"", NULL, NULL, NULL };
	struct rip_choice choice;
	char text[4096], filters[256] = "", known[512];

	choose(&s, &choice, text);
	assert_null(strstr(text, "\nERROR"));
	assert_non_null(strstr(text, "valid values are auto, ed, ec, pwed, pwec, bwed, bwec, simd\n"));
	s.job = "halftone-levels=x halftone-error-filter=y halftone-screen=z";
	assert_int_equal(choose(&s, &choice, text), 3);
	assert_non_null(strstr(text, "valid values are 2 to 16\n"));
	for (int i = 0; i < RIP_SCREENS; i++)
		snprintf(filters + strlen(filters), sizeof filters - strlen(filters), "%s%s",
			 i ? ", " : "", rip_screens[i].name);
	snprintf(known, sizeof known, "halftone-error-filter=y in the job's options is not valid; "
		 "valid values are %s\n", filters);
	assert_non_null(strstr(text, known));
	snprintf(known, sizeof known, "halftone-screen=z in the job's options is not valid; valid "
		 "values are %s, clustered, clustered-LPI, blue-noise-mask, bayer, bi-level\n", filters);
	assert_non_null(strstr(text, known));
}

/* ---- the place in the chain ---- */

#define FILTER2(text) "*cupsFilter2: \"" text "\"\n"
#define FILTER(text)  "*cupsFilter: \"" text "\"\n"
#define RASTER        "application/vnd.cups-raster"
#define PWG           "image/pwg-raster"
#define PDF           "application/vnd.cups-pdf"

struct place_case {
	const char *lines, *final;
	bool        last, pwg;
};

static void check_place(enum rip_filter filter, const struct place_case *expected, const char *next)
{
	struct rip_queue queue = { NULL };
	struct rip_place_in_chain place;
	char text[4096];

	catch_stderr();
	if (expected->lines)
		open_queue(&queue, expected->lines);
	rip_queue_place(&queue, filter, expected->final, &place);
	warnings(text);
	if (place.last != expected->last || place.pwg != expected->pwg)
		fail_msg("%s with %s: last %d, PWG %d", expected->lines, expected->final, place.last,
			 place.pwg);
	if ((place.next || next) && (!place.next || !next || strcmp(place.next, next)))
		fail_msg("%s with %s: next filter %s", expected->lines, expected->final, place.next);
	rip_queue_close(&queue);
}

static void test_place(void **state)
{
	static const struct place_case cases[] = {
		/* no PPD (NULL), or one that names nobody */
		{ NULL, NULL, false, false },
		{ NULL, PWG, false, true },
		{ NULL, RASTER, false, false },
		{ "", RASTER, false, false },
		/* way A: a vendor's driver behind us */
		{ FILTER(RASTER " 0 rastertohp") "*cupsPreFilter: \"" RASTER " 0 rastertoriptide\"\n",
		  RASTER, false, false },
		{ FILTER(RASTER " 0 rastertohp"), "prefilter/q", false, false },
		/* way B: a type of ours in between */
		{ FILTER("application/vnd.riptide-raster 0 rastertohp"),
		  "application/vnd.riptide-raster", false, false },
		{ FILTER("application/vnd.riptide-raster 0 rastertohp"), "printer/q", false, false },
		/* we are the driver */
		{ FILTER(RASTER " 0 rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER " 0 rastertoriptide"), "printer/q", true, false },
		{ FILTER(RASTER " 0 rastertoriptide"), NULL, true, false },
		{ FILTER(RASTER " 50 /opt/x/rastertoriptide"), RASTER, true, false },
		{ FILTER("APPLICATION/vnd.CUPS-raster 0 rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER " 0 maxsize(1000) rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER "\t0\trastertoriptide "), RASTER, true, false },
		{ FILTER("application/* 0 rastertoriptide"), "printer/q", true, false },
		{ FILTER(PWG " 0 rastertoriptide"), PWG, true, true },
		{ FILTER(RASTER " 0 rastertoriptide2"), RASTER, false, false },
		{ FILTER(RASTER " 0 -"), RASTER, false, false },
		{ FILTER(RASTER " rastertoriptide"), RASTER, false, false },
		/* two drivers: the one for this job's type */
		{ FILTER(RASTER " 0 rastertoriptide") FILTER("application/vnd.cups-postscript 0 hpps"),
		  "application/vnd.cups-postscript", false, false },
		{ FILTER("application/vnd.cups-postscript 0 hpps") FILTER(RASTER " 0 rastertoriptide"),
		  RASTER, true, false },
		{ FILTER(RASTER " 100 rastertoriptide") FILTER(PWG " 0 rastertopclm"), RASTER, true,
		  false },
		{ FILTER(RASTER " 100 rastertoriptide") FILTER(RASTER " 10 rastertohp"), RASTER, false,
		  false },
		{ FILTER(RASTER " 10 rastertoriptide") FILTER(RASTER " 100 rastertohp"), "printer/q",
		  true, false },
		/* cupsFilter2 */
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), "printer/q", true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), NULL, true, true },
		{ FILTER2(RASTER " application/vnd.riptide-raster 0 rastertoriptide"),
		  "application/vnd.riptide-raster", true, false },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg"), PWG, false, true },
		{ FILTER2(RASTER " " PWG " 0 maxsize(9) rastertoriptide"), PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg") FILTER2(RASTER " image/urf 0 rastertoriptide"),
		  "image/urf", true, false },
		/* one cupsFilter2 line hides all cupsFilter lines */
		{ FILTER2("application/pdf application/pdf 0 -") FILTER(RASTER " 0 rastertoriptide"),
		  "application/pdf", false, false },
		{ FILTER2("application/pdf application/pdf 0 -") FILTER(RASTER " 0 rastertoriptide"),
		  RASTER, false, false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide") FILTER(RASTER " 0 rastertohp"), PWG, true,
		  true },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		check_place(RIP_RASTER_FILTER, &cases[i], NULL);
}

/* riptideNextFilter counts where the line names the filter; it then gets what the line's source is. */
static void test_next_filter(void **state)
{
#define NEXT "*riptideNextFilter: \"brlaser\"\n"
	static const struct place_case chained[] = {
		{ FILTER(RASTER " 0 rastertoriptide") NEXT, RASTER, false, false },
		{ FILTER(RASTER " 0 rastertoriptide") NEXT, "printer/q", false, false },
		{ FILTER2(RASTER " application/x 0 rastertoriptide") NEXT, "application/x", false, false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide") NEXT, PWG, false, false },
		{ FILTER(PWG " 0 rastertoriptide") NEXT, PWG, false, true },
	};
	static const struct place_case others[] = {
		{ FILTER(RASTER " 0 rastertohp") NEXT, RASTER, false, false },
		{ NEXT, RASTER, false, false },
		{ FILTER(PDF " 0 pdftoriptide") FILTER(RASTER " 10 rastertohp") NEXT, RASTER, false, false },
	};
	static const struct place_case pdf = {
		FILTER(PDF " 0 pdftoriptide") FILTER(RASTER " 0 rastertoriptide") NEXT, PDF, false, false };

	for (size_t i = 0; i < COUNT(chained); i++)
		check_place(RIP_RASTER_FILTER, &chained[i], "brlaser");
	for (size_t i = 0; i < COUNT(others); i++)
		check_place(RIP_RASTER_FILTER, &others[i], NULL);
	check_place(RIP_PDF_FILTER, &pdf, "brlaser");
}

/* Two ways to one type: each filter is the last one of its own. */
static void test_place_of_two(void **state)
{
	static const struct place_case raster = {
		FILTER2(PDF " " PWG " 0 pdftoriptide") FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG,
		true, true };
	static const struct place_case pdf[] = {
		{ FILTER2(PDF " " PWG " 0 pdftoriptide") FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG,
		  true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide") FILTER2(PDF " " PWG " 0 pdftoriptide"), PWG,
		  true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg") FILTER2(PDF " " PWG " 0 pdftoriptide"), NULL,
		  true, true },
		{ FILTER(RASTER " 0 rastertohp") FILTER("application/vnd.riptide-pages 0 rastertohp"),
		  "application/vnd.riptide-pages", false, false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG, false, true },
	};

	check_place(RIP_RASTER_FILTER, &raster, NULL);
	for (size_t i = 0; i < COUNT(pdf); i++)
		check_place(RIP_PDF_FILTER, &pdf[i], NULL);
}

static void test_no_ppd(void **state)
{
	static const struct {
		const char *path;
		unsigned    warned;
	} cases[] = { { NULL, 0 }, { "", 0 }, { "/nonexistent/q.ppd", 0 }, { "/dev/null", 1 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct rip_queue queue;
		char text[4096];

		catch_stderr();
		rip_queue_open(&queue, cases[i].path);
		assert_int_equal(warnings(text), cases[i].warned);
		assert_null(queue.ppd);
		assert_null(rip_queue_default(&queue, "halftone"));
		rip_queue_close(&queue);
	}
}

/* ---- tones ---- */

static void tone_is(const struct set_up s, struct rip_tone_choice tone, unsigned warned)
{
	struct rip_choice choice;
	char text[4096];
	unsigned n = choose(&s, &choice, text);

	if (choice.tone.preset != tone.preset || choice.tone.gain != tone.gain ||
	    choice.tone.target != tone.target || choice.tone.density != tone.density ||
	    choice.tone.gamma != tone.gamma || choice.tone.ink_limit != tone.ink_limit ||
	    strcmp(choice.tone.calibration, tone.calibration) || n != warned)
		fail_msg("job \"%s\", page \"%s\", \"%s\": %s %d target %d density %u gamma %u limit %u, "
			 "%u warnings\n%s", s.job, s.page0 ? s.page0 : "", s.page7 ? s.page7 : "",
			 rip_printer_names[choice.tone.preset], choice.tone.gain, choice.tone.target,
			 choice.tone.density, choice.tone.gamma, choice.tone.ink_limit, n, text);
}

static struct rip_tone_choice tone(const char *preset, int gain)
{
	struct rip_tone_choice choice = rip_tone_choice_nothing();

	choice.preset = rip_tone_parse_gain(preset);
	choice.gain = gain;
	return choice;
}

static void test_tones(void **state)
{
	char *inkjet = strdup(option_lines("riptideDotGain", "inkjet"));
	char *points = strdup(option_lines("halftone-dot-gain", "25"));
	char *wrong = strdup(option_lines("riptideDotGain", "offset"));
	struct rip_tone_choice all = tone("thermal-203", -1);

	tone_is((struct set_up){ .job = "" }, rip_tone_choice_nothing(), 0);
	tone_is((struct set_up){ .job = "halftone-dot-gain=LASER-600" }, tone("laser-600", -1), 0);
	tone_is((struct set_up){ .job = "halftone-dot-gain=18" }, tone("laser", 18), 0);
	tone_is((struct set_up){ .job = "halftone-dot-gain=18%" }, tone("laser", 18), 0);
	/* points go with the preset of a later place */
	tone_is((struct set_up){ "halftone-dot-gain=18", NULL, NULL, inkjet }, tone("inkjet", 18), 0);
	tone_is((struct set_up){ "", "riptide:halftone-dot-gain=0", NULL, inkjet }, tone("inkjet", 0), 0);
	tone_is((struct set_up){ "halftone-dot-gain=none", NULL, NULL, inkjet }, tone("none", -1), 0);
	tone_is((struct set_up){ "", NULL, NULL, inkjet }, tone("inkjet", -1), 0);
	tone_is((struct set_up){ "", NULL, NULL, points }, tone("laser", 25), 0);
	tone_is((struct set_up){ "halftone-dot-gain=thermal", NULL, NULL, points }, tone("thermal", -1), 0);
	/* or with the driver's printer, which alone corrects nothing */
	tone_is((struct set_up){ "halftone-dot-gain=18", NULL, NULL, "*riptidePrinter: \"thermal\"\n" },
		tone("thermal", 18), 0);
	tone_is((struct set_up){ "", NULL, NULL, "*riptidePrinter: \"thermal\"\n" }, tone("none", -1), 0);
	tone_is((struct set_up){ "halftone-dot-gain=9", NULL, NULL, "*riptidePrinter: \"20\"\n" },
		tone("laser", 9), 0);
	/* what is not valid falls to the next place */
	tone_is((struct set_up){ "halftone-dot-gain=41", NULL, NULL, inkjet }, tone("inkjet", -1), 1);
	tone_is((struct set_up){ "riptideDotGain=-1", NULL, NULL, wrong }, tone("none", -1), 2);
	all.target = RIP_TARGET_LINEAR;
	all.density = 130;
	all.gamma = 1800;
	all.ink_limit = 260;
	tone_is((struct set_up){ .job = "halftone-dot-gain=thermal-203 halftone-target=Linear "
				 "halftone-density=130 halftone-gamma=1.8 halftone-ink-limit=260" }, all, 0);
	tone_is((struct set_up){ "", "riptide:halftone-dot-gain=thermal-203,halftone-density=130",
				 "riptide:halftone-target=linear,halftone-gamma=1.80", NULL },
		(struct rip_tone_choice){ all.preset, -1, all.target, 130, 1800, 0, "", false }, 0);
	all = (struct rip_tone_choice){ all.preset, -1, RIP_TARGET_PRINT, 100, 1000, 0, "Office-2", false };
	tone_is((struct set_up){ .job = "halftone-dot-gain=thermal-203 halftone-calibration=Office-2" }, all, 0);
	tone_is((struct set_up){ "halftone-dot-gain=thermal-203", "riptide:halftone-calibration=Office-2",
				 NULL, NULL }, all, 0);
	tone_is((struct set_up){ "halftone-calibration=NONE halftone-dot-gain=none",
				 "riptide:halftone-calibration=Office-2", NULL, NULL },
		rip_tone_choice_nothing(), 0);
	tone_is((struct set_up){ .job = "halftone-calibration=../x" }, rip_tone_choice_nothing(), 1);
	tone_is((struct set_up){ .job = "halftone-target=paper halftone-density=49 halftone-gamma=0 "
				 "halftone-ink-limit=99" }, rip_tone_choice_nothing(), 4);
	free(inkjet);
	free(points);
	free(wrong);
}

static void test_tone_values(void **state)
{
	static const char *const no_number[] = { "", " 1", "1 ", "+1", "-1", "1x", "1%%", "0x10", "12345",
						 "1e2", "." };

	for (size_t i = 0; i < COUNT(no_number); i++) {
		assert_int_equal(rip_tone_parse_gain(no_number[i]), -1);
		assert_int_equal(rip_tone_parse_density(no_number[i]), -1);
		assert_int_equal(rip_tone_parse_gamma(no_number[i]), -1);
		assert_int_equal(rip_tone_parse_ink_limit(no_number[i]), -1);
		assert_int_equal(rip_tone_parse_target(no_number[i]), -1);
	}
	assert_int_equal(rip_tone_parse_gain("40"), RIP_GAIN_POINTS + 40);
	assert_int_equal(rip_tone_parse_density("50"), 50);
	assert_int_equal(rip_tone_parse_density("200%"), 200);
	assert_int_equal(rip_tone_parse_density("201"), -1);
	assert_int_equal(rip_tone_parse_gamma("2"), 2000);
	assert_int_equal(rip_tone_parse_gamma(".2"), 200);
	assert_int_equal(rip_tone_parse_gamma("0.199"), -1);
	assert_int_equal(rip_tone_parse_gamma("2.125"), 2125);
	assert_int_equal(rip_tone_parse_gamma("2.1255"), -1);
	assert_int_equal(rip_tone_parse_gamma("5.001"), -1);
	assert_int_equal(rip_tone_parse_gamma("1."), -1);
	assert_int_equal(rip_tone_parse_ink_limit("None"), 0);
	assert_int_equal(rip_tone_parse_ink_limit("1600"), 1600);
	assert_int_equal(rip_tone_parse_ink_limit("1601"), -1);
}

/* ---- a vendor's curves ---- */

static const char vendor_lines[] =
	"*cupsAllGamma: \"2 0.5\"\n"
	"*cupsCyanGamma Gray: \"9 1\"\n"
	"*cupsCyanGamma CMYK.Glossy: \"9 1\"\n"
	"*cupsCyanGamma 600dpi: \"1.5 1\"\n"
	"*cupsMagentaXY CMYK: \"0.25 0.5\"\n"
	"*cupsMagentaXY CMYK: \"0.8 1\"\n"
	"*cupsMagentaXY Plain: \"1 1\"\n"
	"*cupsMagentaXY CMYK.Plain.600x300dpi: \"1 1\"\n"
	"*cupsYellowXY: \"0.5 0.4\"\n"
	"*cupsYellowXY: \"0.4 0.6\"\n"
	"*cupsInkLimit RGB: \"1.5\"\n"
	"*cupsInkLimit: \"2.6\"\n";

static bool near(double a, double b)
{
	return a - b < 1e-4 && b - a < 1e-4;
}

static void test_vendor_curves(void **state)
{
	const struct rip_vendor_page page = { "CMYK", "", 600, 600 };
	struct rip_queue queue, none = { NULL };
	struct rip_vendor_curve curve;
	bool warned = false;
	char text[4096];

	open_queue(&queue, vendor_lines);
	catch_stderr();
	/* for all */
	assert_true(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_BLACK, &warned));
	assert_true(near(rip_vendor_curve_at(&curve, 0.5), 0.125));
	assert_true(near(rip_vendor_curve_at(&curve, 1), 0.5));
	/* for this resolution, and not for others' models and media */
	assert_true(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_CYAN, &warned));
	assert_true(near(rip_vendor_curve_at(&curve, 0.25), 0.125));
	/* the points of one option, from the origin; a model before a medium */
	assert_true(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_MAGENTA, &warned));
	assert_int_equal(curve.points, 2);
	assert_true(near(rip_vendor_curve_at(&curve, 0.25), 0.125));
	assert_true(near(rip_vendor_curve_at(&curve, 0.75), 0.525));
	assert_true(near(rip_vendor_curve_at(&curve, 1), 0.8));
	assert_false(warned);
	/* one that falls */
	assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_YELLOW, &warned));
	assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_YELLOW, &warned));
	assert_true(warned);
	assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_OTHER, &warned));
	assert_false(rip_vendor_curve_find(&curve, &none, &page, RIP_INK_BLACK, &warned));
	assert_true(near(rip_vendor_curve_at(&curve, 0.3), 0.3));
	assert_int_equal(rip_vendor_ink_limit(&queue, &page, &warned), 260);
	assert_int_equal(rip_vendor_ink_limit(&none, &page, &warned), 0);
	assert_int_equal(warnings(text), 1);
	assert_non_null(strstr(text, "cupsYellowXY"));
	rip_queue_close(&queue);
}

static void test_bad_vendor_curves(void **state)
{
	static const char *const lines[] = {
		"*cupsAllGamma: \"2\"\n", "*cupsAllGamma: \"0 1\"\n", "*cupsAllGamma: \"nan 1\"\n",
		"*cupsAllGamma: \"1 1.1\"\n", "*cupsAllGamma: \"-1 1\"\n", "*cupsAllXY: \"1\"\n",
		"*cupsAllXY: \"x y\"\n", "*cupsAllXY: \"1.5 1\"\n", "*cupsAllXY: \"nan 0.5\"\n",
		"*cupsAllXY: \"0.5 0.5\"\n*cupsAllXY: \"0.6 0.4\"\n",
	};
	const struct rip_vendor_page page = { "", "Plain", 300, 300 };

	for (size_t i = 0; i < COUNT(lines); i++) {
		struct rip_queue queue;
		struct rip_vendor_curve curve;
		bool warned = false;
		char text[4096];

		open_queue(&queue, lines[i]);
		catch_stderr();
		assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_CYAN, &warned));
		assert_int_equal(warnings(text), 1);
		rip_queue_close(&queue);
	}
}

/* In a page's curves: by plane, after the caller's and before the user's; light is turned round. */
static void test_vendor_curves_of_planes(void **state)
{
	static uint16_t half[256];
	struct rip_tone_choice choice = rip_tone_choice_nothing();
	struct rip_tone_page page = {
		.screen = &rip_screens[RIP_BLUE_NOISE], .planes = 3, .sample_bits = 8, .levels = 2,
		.dpi = 600, .black = -1, .first = half,
	};
	struct rip_tone_curves curves = { .one = true };

	for (int v = 0; v < 256; v++)
		half[v] = (uint16_t)(257 * v / 2);
	page.vendor[0] = (struct rip_vendor_curve){ .gamma = 2, .density = 1 };
	page.vendor[2] = (struct rip_vendor_curve){ .gamma = 2, .density = 1 };
	choice.gamma = 2000;
	assert_int_equal(rip_tone_curves_make(&curves, &choice, &page), 0);
	assert_true(rip_tone_curves_differ(&curves));
	assert_null(rip_tone_curves_curve(&curves));
	assert_ptr_equal(curves.curves[0], curves.curves[2]);
	/* full, halved, squared; then gamma 2 */
	assert_in_range(curves.curves[0][255], (uint32_t)(65535 * (1 - 0.86603)) - 3,
			(uint32_t)(65535 * (1 - 0.86603)) + 3);
	assert_in_range(curves.curves[1][255], (uint32_t)(65535 * (1 - 0.70711)) - 3,
			(uint32_t)(65535 * (1 - 0.70711)) + 3);
	page.vendor[1] = page.vendor[0];
	page.light = true;
	page.first = NULL;
	choice.gamma = 1000;
	assert_int_equal(rip_tone_curves_make(&curves, &choice, &page), 0);
	assert_false(rip_tone_curves_differ(&curves));
	assert_int_equal(curves.curves[0][0], 0);
	assert_int_equal(curves.curves[0][255], 65535);
	assert_in_range(curves.curves[0][51], (uint32_t)(65535 * (1 - 0.64)) - 3,
			(uint32_t)(65535 * (1 - 0.64)) + 3);
	rip_tone_curves_finish(&curves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precedence), cmocka_unit_test(test_page_strings),
		cmocka_unit_test(test_names), cmocka_unit_test(test_filter_and_levels),
		cmocka_unit_test(test_screens_and_methods), cmocka_unit_test(test_places_of_screens),
		cmocka_unit_test(test_refused_masks), cmocka_unit_test(test_tones),
		cmocka_unit_test(test_tone_values), cmocka_unit_test(test_vendor_curves),
		cmocka_unit_test(test_bad_vendor_curves),
		cmocka_unit_test(test_vendor_curves_of_planes),
		cmocka_unit_test(test_driver_levels),
		cmocka_unit_test(test_warning_text), cmocka_unit_test(test_place), cmocka_unit_test(test_next_filter),
		cmocka_unit_test(test_place_of_two),
		cmocka_unit_test(test_no_ppd),
	};

	return rip_test_run(tests);
}
