/*
 * PPDs of all kinds: verdicts, edits, and that release undoes them byte for byte, also with
 * line ends, orders and defaults that change.  With RIPTIDE_PPDS=LIST, a file with the names of
 * real PPDs, the random ones are made from those.
 */
#include "tests/tools/testing.h"

#include "adopt/edit.h"
#include "ppd_kinds.h"

/* A PPD, and what adopting makes of it. */
struct adopted {
	struct rip_ppd_text ppd;
	struct rip_adoption  verdict;
	struct rip_growing_text text;
	char why[400];
	int  r;
};

/* How it is adopted. */
enum how { PREFILTER = 0, CHAIN = 1, RIP = 2 };

static void adopt(struct adopted *a, const char *text, size_t size, unsigned how,
		  const char *screen)
{
	const bool chain = how & CHAIN, rip = how & RIP;
	struct rip_edit_plan plan = { &a->verdict, chain, rip, { .screen = screen, .rip = rip } };

	memset(a, 0, sizeof *a);
	a->r = rip_ppd_text_parse(&a->ppd, text, size, a->why, sizeof a->why);
	if (a->r == 0) {
		assert_int_equal(rip_adoption_judge(&a->verdict, &a->ppd, chain), 0);
		plan.group.printer = a->verdict.printer;
		a->r = rip_edit_write(&a->text, &a->ppd, &plan, a->why, sizeof a->why);
	}
}

static void finish(struct adopted *a)
{
	rip_text_free(&a->text);
	rip_adoption_finish(&a->verdict);
	rip_ppd_text_finish(&a->ppd);
}

static struct rip_growing_text release(const char *text, size_t size)
{
	struct rip_growing_text out = { .size = 0 };
	char why[400] = "";

	if (rip_record_restore(&out, text, size, why, sizeof why) < 0)
		fail_msg("%s", why);
	return out;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

/* Each kind gets its verdict, with a sentence, and only what may be adopted is. */
TEST(verdicts)
{
	for (unsigned i = 0; i < ppd_kind_count; i++) {
		const struct ppd_kind *kind = &ppd_kinds[i];
		char *text = ppd_kind_text(kind), line[64];
		AUTO(finish) struct adopted a;

		adopt(&a, text, strlen(text), PREFILTER, NULL);
		if (a.verdict.kind != kind->verdict || strcmp(a.verdict.driver, kind->driver))
			fail_msg("%s: %s: %s", kind->name, rip_adoption_name(a.verdict.kind),
				 a.verdict.reason);
		assert_true(strlen(a.verdict.reason) > 10);
		if (kind->verdict == RIP_ADOPTION_NO) {
			assert_int_equal(a.r, -EINVAL);
			assert_string_equal(a.why, a.verdict.reason);
		} else {
			if (a.r < 0)
				fail_msg("%s: %s", kind->name, a.why);
			assert_true(!kind->printer == !a.verdict.printer);
			if (kind->printer)
				assert_string_equal(kind->printer, a.verdict.printer);
			snprintf(line, sizeof line, "*riptideColorSpaces: \"%s\"\n", kind->pages);
			assert_int_equal(count(a.text.bytes, "*riptideColorSpaces"),
					 kind->pages != NULL);
			assert_true(!kind->pages || strstr(a.text.bytes, line));
		}
		free(text);
	}
}

/* What is in force of an edited PPD: all lines but the comments of the record. */
static char *in_force(const struct rip_growing_text *text)
{
	char *out = malloc(text->size + 1), *to = out;

	for (const char *line = text->bytes, *end; *line; line = end) {
		end = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
		if (!strncmp(line, "*%riptide", 9))
			continue;
		memcpy(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = '\0';
	return out;
}

static const struct ppd_kind *kind_of(const char *name)
{
	for (unsigned i = 0; i < ppd_kind_count; i++)
		if (!strcmp(ppd_kinds[i].name, name))
			return &ppd_kinds[i];
	fail_msg("no %s", name);
	return NULL;
}

/* Adopts a kind and returns what is in force, for free(). */
static char *edit_of(const char *name, unsigned how, const char *screen)
{
	char *text = ppd_kind_text(kind_of(name)), *out;
	AUTO(finish) struct adopted a;

	adopt(&a, text, strlen(text), how, screen);
	if (a.r < 0)
		fail_msg("%s: %s", name, a.why);
	out = in_force(&a.text);
	free(text);
	return out;
}

#define RASTER_LINE "*cupsFilter: \"application/vnd.cups-raster 0 rastertohp\"\n"

static void has(const char *text, const char *what)
{
	if (count(text, what) != 1)
		fail_msg("%u times: %s", count(text, what), what);
}

/* The edits themselves. */
TEST(edits)
{
	char *text = edit_of("laserjet", PREFILTER, NULL);

	has(text, "*cupsFilter: \"application/vnd.cups-raster 0 rastertohp\"\n");
	has(text, "*cupsPreFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n");
	assert_int_equal(count(text, "cupsBitsPerColor 8"), 2);
	assert_int_equal(count(text, "cupsBitsPerColor 1"), 0);
	has(text, "*Defaulthalftone-screen: clustered\n");
	has(text, "*DefaultriptideDotGain: laser\n");
	has(text, "*riptidePrinter: \"laser\"\n");
	has(text, "*DefaultriptideEdges: off\n");
	has(text, "*riptideEdges on/Yes: \"\"\n");
	assert_null(strstr(text, "riptideHalftone"));
	assert_null(strstr(text, "blue-noise-colour"));
	assert_null(strstr(text, "riptideRegistration"));
	free(text);

	text = edit_of("laserjet", CHAIN, "clustered-141");
	has(text, "*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n");
	has(text, "*riptideNextFilter: \"rastertohp\"\n");
	assert_null(strstr(text, "cupsPreFilter"));
	has(text, "*Defaulthalftone-screen: clustered-141\n");
	has(text, "*halftone-screen clustered-141/clustered-141: \"\"\n");
	free(text);

	text = edit_of("filter-2", CHAIN, NULL);
	has(text,
	    "*cupsFilter2: \"application/vnd.cups-raster application/x-q 0 rastertoriptide\"\n");
	free(text);

	text = edit_of("deskjet", PREFILTER, NULL);
	assert_int_equal(count(text, "cupsBitsPerColor 8"), 2);
	has(text, "*Defaulthalftone-screen: blue-noise\n");
	has(text, "*halftone-screen blue-noise-colour/Blue noise, the inks together (for colour "
		  "inkjets): \"\"\n");
	has(text, "*DefaultriptideRegistration: auto\n");
	has(text, "*riptideRegistration 30/30 micrometres: \"\"\n");
	assert_null(strstr(text, "riptideEdges"));
	free(text);

	text = edit_of("dymo", PREFILTER, NULL);
	assert_null(strstr(text, "riptideRegistration"));
	assert_null(strstr(text, "riptideEdges"));
	has(text, "*DefaultDymoHalftoning: Default\n");
	has(text, "/cupsBitsPerColor 8/cupsBitsPerPixel 8>>");
	assert_null(strstr(text, "NLL"));
	free(text);

	text = edit_of("hpcups-mixed", PREFILTER, NULL);
	has(text, "<</cupsColorSpace 17/cupsBitsPerColor 8>>");
	has(text, "<</cupsColorSpace 3/cupsBitsPerColor 8>>");
	has(text, "*DefaultColorModel: RGB\n");
	free(text);

	text = edit_of("foo2zjs", PREFILTER, NULL);
	has(text, "*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n");
	has(text, "*riptideNextFilter: \"rastertofoomatic\"\n");
	assert_null(strstr(text, "0 foomatic-rip"));
	has(text, "*Resolution 1200x600dpi/Fine: \"<</HWResolution[1200 600]>>setpagedevice\"\n");
	has(text, "*Resolution 600x600dpi/600: \"<</HWResolution[600 600]>>setpagedevice\"\n");
	has(text,
	    "*ColorMode Color/Color: \"<</cupsColorSpace 8/cupsColorOrder 1/cupsBitsPerColor 8>>");
	has(text,
	    "*ColorMode Monochrome/Black: \"<</cupsColorSpace 3/cupsColorOrder 0/cupsBitsPerColor "
	    "8>>");
	has(text, "*PageSize A4/A4: \"<</PageSize[595 842]/ImagingBBox null>>setpagedevice\"\n");
	has(text, "*CustomPageSize True: \"pop pop pop <</PageSize[5 -2 roll]/ImagingBBox null>>");
	has(text, "*FoomaticRIPOptionSetting ColorMode=Color: \"-c \"\n");
	free(text);

	text = edit_of("ptouch", CHAIN, NULL);
	has(text,
	    "*PageRegion Letter/US Letter: \"<</PageSize[612 792]/ImagingBBox "
	    "null/HWResolution[180 180]"
	    "/cupsColorSpace 3/cupsColorOrder 0/cupsBitsPerColor 8>>setpagedevice\"\n");
	free(text);

	text = edit_of("own-halftone", PREFILTER, NULL);
	has(text, "*DefaultriptideHalftone: auto\n");
	has(text, "*DefaultHalftone: Fine\n");
	has(text, "*DefaultriptideScreen: clustered\n");
	free(text);

	text = edit_of("two-languages", PREFILTER, NULL);
	has(text, "*de.halftone-screen bi-level/Schwarz oder wei\xc3\x9f, keine Punkte: \"\"\n");
	has(text, "*fr_CA.Translation riptideDensity/Densit\xc3\xa9: \"\"\n");
	has(text, "*ja.riptideDotGain none/No: \"\"\n");
	free(text);
}

/* Documents through pdftoriptide. */
TEST(rip)
{
	static const struct {
		const char *name;
		unsigned how;
		const char *has[5]; /* once each */
	} edits[] = {
		{ "laserjet",
		  RIP,
		  { "*cupsFilter: \"application/vnd.cups-raster 0 rastertohp\"\n",
		    "*cupsPreFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n",
		    "*cupsFilter: \"application/vnd.cups-pdf 50 pdftoriptide\"\n",
		    "*riptideNextFilter: \"rastertohp\"\n",
		    "*DefaultriptideRip: pdftoriptide\n" } },
		{ "brlaser",
		  RIP | CHAIN,
		  { "*cupsFilter: \"application/vnd.cups-raster 33 rastertoriptide\"\n",
		    "*cupsFilter: \"application/vnd.cups-pdf 83 pdftoriptide\"\n",
		    "*cupsFilter: \"image/urf 83 pdftoriptide\"\n",
		    "*cupsFilter: \"application/vnd.adobe-reader-postscript 83 "
		    "pdftoriptide\"\n",
		    "*riptideNextFilter: \"rastertobrlaser\"\n" } },
		{ "filter-2",
		  RIP,
		  { "*cupsFilter2: \"application/vnd.cups-raster application/x-q 0 "
		    "rastertoqpdl\"\n",
		    "*cupsFilter2: \"application/vnd.cups-pdf application/x-q 50 "
		    "pdftoriptide\"\n",
		    "*cupsFilter2: \"application/vnd.adobe-reader-postscript application/x-q 50 "
		    "pdftoriptide\"\n",
		    "*cupsFilter2: \"image/pwg-raster application/x-q 50 pdftoriptide\"\n" } },
		{ "both-filters",
		  RIP,
		  { "*cupsFilter2: \"application/vnd.cups-pdf application/x-q 57 "
		    "pdftoriptide\"\n" } },
		{ "other-filter-2",
		  RIP,
		  { "*cupsFilter2: \"application/vnd.cups-pdf application/x-ps 59 "
		    "pdftoriptide\"\n" } },
		{ "ptouch",
		  RIP,
		  { "*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n",
		    "*cupsFilter: \"application/vnd.cups-pdf 50 pdftoriptide\"\n",
		    "*riptideNextFilter: \"rastertofoomatic\"\n" } },
		{ "hpcups-mixed", RIP, { "*riptideColorSpaces: \"K\"\n" } },
		{ "two-languages",
		  RIP,
		  { "*de.Translation riptideRip/Dokumente gezeichnet von: \"\"\n",
		    "*fr_CA.riptideRip gstoraster/gstoraster: \"\"\n" } },
	};
	static const struct {
		const char *line, *why;
	} refused[] = {
		{ RASTER_LINE "*cupsFilter: \"application/vnd.cups-pdf 0 other\"\n",
		  "has a filter for PDF" },
		{ RASTER_LINE "*cupsFilter: \"application/pdf 0 -\"\n", "has a filter for PDF" },
		{ "*cupsFilter: \"image/pwg-raster 0 rastertohp\"\n", "takes PWG raster" },
		{ RASTER_LINE "*cupsFilter: \"image/urf 0 -\"\n", "takes Apple raster" },
	};

	for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
		AUTO_FREE char *text = edit_of(edits[i].name, edits[i].how, NULL);

		for (unsigned j = 0; j < 5 && edits[i].has[j]; j++)
			has(text, edits[i].has[j]);
		assert_int_equal(count(text, "*cupsPreFilter"),
				 !(edits[i].how & CHAIN) && strcmp(edits[i].name, "ptouch"));
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct ppd_kind kind = *kind_of("laserjet");
		struct adopted a;
		AUTO_FREE char *text;

		kind.head = refused[i].line;
		text = ppd_kind_text(&kind);
		adopt(&a, text, strlen(text), PREFILTER, NULL);
		assert_int_equal(a.r, 0);
		finish(&a);
		adopt(&a, text, strlen(text), RIP, NULL);
		assert_int_equal(a.r, -EINVAL);
		assert_non_null(strstr(a.why, refused[i].why));
		finish(&a);
	}
}

/* A German PPD in Latin 1 gets German words in Latin 1; where they cannot be written, English. */
TEST(language)
{
	static const char *const encodings[] = { "ISOLatin1", "UTF-8", "MacStandard" };
	static const char *const clusters[] = { "(f\xfcr Laserdrucker)",
						"(f\xc3\xbcr Laserdrucker)", "(for lasers)" };

	for (unsigned i = 0; i < 3; i++) {
		AUTO_FREE char *text = ppd_kind_text_in(kind_of("laserjet"), "German",
							encodings[i]);
		AUTO(finish) struct adopted a;

		adopt(&a, text, strlen(text), PREFILTER, NULL);
		assert_int_equal(a.r, 0);
		assert_non_null(strstr(a.text.bytes, "/50 % (am hellsten)"));
		assert_non_null(strstr(a.text.bytes, clusters[i]));
	}
}

/* ---- random PPDs ---- */

struct random_ppd {
	char  *text;
	size_t size;
};

static char **real_names;
static unsigned real_count;

static void load_list(void)
{
	const char *list = getenv("RIPTIDE_PPDS");
	FILE *file = list ? fopen(list, "r") : NULL;
	char line[4096];

	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		real_names = realloc(real_names, (real_count + 1) * sizeof *real_names);
		real_names[real_count++] = strdup(line);
	}
	if (file)
		fclose(file);
}

/* The text of a real PPD, or of one of the kinds. */
static char *random_text(void)
{
	char *text = NULL;
	FILE *file;

	if (real_count) {
		file = fopen(real_names[rip_test_below(real_count)], "r");
		text = calloc(1, RIP_PPD_BYTES_MAX);
		assert_non_null(file);
		assert_true(fread(text, 1, RIP_PPD_BYTES_MAX - 1, file) > 0);
		fclose(file);
		return text;
	}
	while (!text) {
		const struct ppd_kind *kind = &ppd_kinds[rip_test_below(ppd_kind_count)];

		if (kind->verdict != RIP_ADOPTION_NO)
			text = ppd_kind_text(kind);
	}
	return text;
}

/* Changes line ends (all the same way, or each another), adds lines that mean nothing, long ones,
 * letters of all encodings, and cuts the last line end. */
static struct random_ppd random_ppd(void)
{
	static const char *const ends[] = { "\n", "\r\n", "\r" };
	struct rip_growing_text out = { .size = 0 };
	const unsigned all = rip_test_below(3), mixed = rip_test_below(4) == 0;
	char *text = random_text(), letters[260];
	unsigned quotes = 0, length;

	for (const char *line = text, *end; *line; line = end) {
		const char *eol = ends[mixed ? rip_test_below(3) : all];

		end = line + strcspn(line, "\r\n");
		for (const char *c = memchr(line, ':', (size_t)(end - line)); c && c < end &&
		     strncmp(line, "*%", 2); c++)
			quotes += *c == '"';
		if (!memchr(line, ':', (size_t)(end - line)))
			for (const char *c = line; (quotes & 1) && c < end; c++)
				quotes += *c == '"';
		rip_text_add(&out, line, (size_t)(end - line));
		end += *end == '\r' && end[1] == '\n' ? 2 : *end != '\0';
		if (!*end && rip_test_below(2))
			break;
		rip_text_add(&out, eol, strlen(eol));
		if (quotes & 1 || rip_test_below(6))
			continue;
		length = rip_test_below(240);
		for (unsigned i = 0; i < length; i++)
			letters[i] = (char)(33 + rip_test_below(223));
		letters[length] = '\0';
		if (rip_test_below(3))
			rip_text_line(&out, eol, "*%% %s", letters);
		else
			rip_text_line(&out, eol, "%s", rip_test_below(2) ? "" : "  ");
	}
	free(text);
	return (struct random_ppd){ out.bytes, out.size };
}

/* Sets the defaults of some options, as an administrator does: of the vendor's in `both`
 * texts alike, of ours only in the edited one.  And rewrites all line ends, as lpadmin
 * does, if `ends` says so. */
static char *with_defaults(const char *text, size_t size, uint64_t seed, bool ends,
			   size_t *new_size)
{
	struct rip_growing_text out = { .size = 0 };

	for (const char *at = text, *end = text + size; at < end;) {
		const char *stop = at, *next;
		uint64_t hash = seed;

		while (stop < end && *stop != '\r' && *stop != '\n')
			stop++;
		next = stop + (stop < end) + (stop + 1 < end && stop[0] == '\r' && stop[1] == '\n');
		for (const char *c = at; c < stop; c++)
			hash = hash * 1099511628211u + (unsigned char)*c;
		if (!strncmp(at, "*Default", 8) && hash >> 60 < 8 &&
		    memchr(at, ':', (size_t)(stop - at)) && strncmp(at, "*DefaultDymo", 12)) {
			rip_text_add(&out, at,
				     (size_t)((char *)memchr(at, ':', (size_t)(stop - at)) - at));
			rip_text_add(&out, ": Changed", 9);
		} else {
			rip_text_add(&out, at, (size_t)(stop - at));
		}
		if (ends)
			rip_text_add(&out, "\n", 1);
		else
			rip_text_add(&out, stop, (size_t)(next - stop));
		at = next;
	}
	*new_size = out.size;
	return out.bytes;
}

/* Release restores what adopt found; and with defaults that were changed in between, what it would
 * be if they had been changed without adopt. */
TEST(random)
{
	unsigned adopted = 0;

	load_list();
	for (unsigned i = 0; i < 500; i++) {
		struct random_ppd ppd = random_ppd();
		struct rip_growing_text back;
		AUTO(finish) struct adopted a;

		adopt(&a, ppd.text, ppd.size, i % 4, i % 2 ? NULL : "stucki");
		if (a.r < 0)
			fail_msg("random PPD %u: %s", i, a.why);
		back = release(a.text.bytes, a.text.size);
		if (back.size != ppd.size || memcmp(back.bytes, ppd.text, ppd.size))
			fail_msg("random PPD %u is not restored", i);
		rip_text_free(&back);
		for (unsigned ends = 0; ends < 2; ends++) {
			const uint64_t seed = rip_test_random();
			size_t changed_size, expected_size;
			AUTO_FREE char *changed = with_defaults(a.text.bytes, a.text.size, seed,
								ends, &changed_size);
			AUTO_FREE char *expected = with_defaults(ppd.text, ppd.size, seed, ends,
								 &expected_size);

			back = release(changed, changed_size);
			if (back.size != expected_size ||
			    memcmp(back.bytes, expected, expected_size))
				fail_msg("random PPD %u: defaults are lost", i);
			rip_text_free(&back);
		}
		adopted++;
		free(ppd.text);
	}
	assert_int_equal(adopted, 500);
	while (real_count)
		free(real_names[--real_count]);
	free(real_names);
}

/* No line of an edited PPD is longer than CUPS takes, even if a removed one was as long. */
TEST(long_lines)
{
	struct ppd_kind kind = *kind_of("laserjet");
	char options[2048], zeros[220];
	AUTO(finish) struct adopted a;
	AUTO_FREE char *text;

	memset(zeros, '0', sizeof zeros - 1);
	zeros[sizeof zeros - 1] = '\0';
	snprintf(options, sizeof options,
		 "*OpenUI *R/R: PickOne\n*DefaultR: A\n"
		 "*R A/A: \"<</cupsBitsPerColor 1>>setpagedevice%%%s\"\n*CloseUI: *R\n",
		 zeros + 12);
	kind.options = options;
	text = ppd_kind_text(&kind);
	adopt(&a, text, strlen(text), PREFILTER, NULL);
	assert_int_equal(a.r, 0);
	for (const char *line = a.text.bytes; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 255);
}

/* A record that somebody has damaged is refused, not half restored. */
TEST(damaged_records)
{
	static const char *const damaged[] = {
		"*%riptide{\n*a: b\n", "*%riptide}\n", "*%riptide{\n*%riptide{\n*%riptide}\n",
		"*%riptide. rest\n", "*%riptide{\n*%riptide- x\n*%riptide}\n", "*%riptide?\n",
		"*%riptide- x\n*a\n*%riptide. rest\n",
	};
	struct rip_growing_text out = { .size = 0 };
	char why[200];

	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		assert_int_equal(rip_record_restore(&out, damaged[i], strlen(damaged[i]), why,
						    sizeof why),
				 -EBADMSG);
		assert_non_null(strstr(why, "damaged"));
		rip_text_free(&out);
	}
	assert_int_equal(rip_record_restore(&out, "*a: b\n", 6, why, sizeof why), -ENOENT);
	rip_text_free(&out);
}

/* What is no PPD, or was adopted, is refused. */
TEST(refused)
{
	static const char *const wrong[] = { "", "x", "*PPD-Adobe", "*PPD-Adobe: \"4.3",
					     "\x1f\x8b" };
	AUTO_FREE char *text = ppd_kind_text(kind_of("laserjet"));
	struct adopted a, b;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		adopt(&a, wrong[i], strlen(wrong[i]), PREFILTER, NULL);
		assert_int_equal(a.r, -EBADMSG);
		finish(&a);
	}
	adopt(&a, text, strlen(text), PREFILTER, NULL);
	adopt(&b, a.text.bytes, a.text.size, PREFILTER, NULL);
	assert_int_equal(b.r, -EINVAL);
	assert_int_equal(b.verdict.kind, RIP_ADOPTION_DONE);
	finish(&b);
	finish(&a);
}
