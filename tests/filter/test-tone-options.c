/* Options about tones, and the curves of a vendor's PPD. */
#include "tests/tools/testing.h"

#include <pthread.h>
#include <stdatomic.h>

#include "filter/ink/colour_library.h"
#include "filter/report.h"
#include "filter/page/page_plan.h"
#include "tests/filter/job_options.h"
#include "tests/tools/raster.h"
#include "tests/tools/comma_locale.h"

/* ---- tones ---- */

/* The job's options, two of the page's strings, lines of the PPD; each may be NULL. */
static void tone_is(const char *job, const char *page0, const char *page7, const char *ppd,
		    struct rip_tone_choice tone, unsigned warned)
{
	const struct set_up s = { job, page0, page7, ppd };
	struct rip_choice choice;
	char text[4096];
	unsigned n = choose(&s, &choice, text);

	if (choice.tone.preset != tone.preset || choice.tone.gain != tone.gain ||
	    choice.tone.target != tone.target || choice.tone.density != tone.density ||
	    choice.tone.gamma != tone.gamma || choice.tone.ink_limit != tone.ink_limit ||
	    choice.tone.toner_save != tone.toner_save || choice.tone.edges != tone.edges ||
	    strcmp(choice.tone.calibration, tone.calibration) || n != warned)
		fail_msg("job \"%s\", page \"%s\", \"%s\": %s %d target %d density %u gamma %u "
			 "limit %u, toner save %u, %u warnings\n%s", job, page0 ? page0 : "",
			 page7 ? page7 : "", rip_printer_names[choice.tone.preset],
			 choice.tone.gain, choice.tone.target, choice.tone.density,
			 choice.tone.gamma, choice.tone.ink_limit, choice.tone.toner_save, n, text);
}

static struct rip_tone_choice tone(const char *preset, int gain)
{
	struct rip_tone_choice choice = rip_tone_choice_nothing();

	choice.preset = rip_tone_parse_gain(preset);
	choice.gain = gain;
	return choice;
}

TEST(gains)
{
	static const char thermal[] = "*riptidePrinter: \"thermal\"\n";
	AUTO_FREE char *inkjet = strdup(option_lines("riptideDotGain", "inkjet"));
	AUTO_FREE char *points = strdup(option_lines("halftone-dot-gain", "25"));
	AUTO_FREE char *wrong = strdup(option_lines("riptideDotGain", "offset"));

	tone_is("", NULL, NULL, NULL, rip_tone_choice_nothing(), 0);
	tone_is("halftone-dot-gain=LASER-600", NULL, NULL, NULL, tone("laser-600", -1), 0);
	tone_is("halftone-dot-gain=18", NULL, NULL, NULL, tone("laser", 18), 0);
	tone_is("halftone-dot-gain=18%", NULL, NULL, NULL, tone("laser", 18), 0);
	/* points go with the preset of a later place */
	tone_is("halftone-dot-gain=18", NULL, NULL, inkjet, tone("inkjet", 18), 0);
	tone_is("", "riptide:halftone-dot-gain=0", NULL, inkjet, tone("inkjet", 0), 0);
	tone_is("halftone-dot-gain=none", NULL, NULL, inkjet, tone("none", -1), 0);
	tone_is("", NULL, NULL, inkjet, tone("inkjet", -1), 0);
	tone_is("", NULL, NULL, points, tone("laser", 25), 0);
	tone_is("halftone-dot-gain=thermal", NULL, NULL, points, tone("thermal", -1), 0);
	/* or with the driver's printer, which alone corrects nothing */
	tone_is("halftone-dot-gain=18", NULL, NULL, thermal, tone("thermal", 18), 0);
	tone_is("", NULL, NULL, thermal, tone("none", -1), 0);
	tone_is("halftone-dot-gain=9", NULL, NULL, "*riptidePrinter: \"20\"\n",
		tone("laser", 9), 0);
	/* what is not valid falls to the next place */
	tone_is("halftone-dot-gain=41", NULL, NULL, inkjet, tone("inkjet", -1), 1);
	tone_is("riptideDotGain=-1", NULL, NULL, wrong, tone("none", -1), 2);
}

TEST(tones)
{
	AUTO_FREE char *edges = strdup(option_lines("riptideEdges", "on"));
	const struct rip_tone_choice nothing = rip_tone_choice_nothing();
	struct rip_tone_choice all = tone("thermal-203", -1);

	all.target = RIP_TARGET_LINEAR;
	all.density = 130;
	all.gamma = 1800;
	tone_is("", "riptide:halftone-dot-gain=thermal-203,halftone-density=130",
		"riptide:halftone-target=linear,halftone-gamma=1.80", NULL, all, 0);
	all.ink_limit = 260;
	tone_is("halftone-dot-gain=thermal-203 halftone-target=Linear halftone-density=130 "
		"halftone-gamma=1.8 halftone-ink-limit=260", NULL, NULL, NULL, all, 0);
	all = tone("thermal-203", -1);
	strcpy(all.calibration, "Office-2");
	tone_is("halftone-dot-gain=thermal-203 halftone-calibration=Office-2", NULL, NULL, NULL,
		all, 0);
	tone_is("halftone-dot-gain=thermal-203", "riptide:halftone-calibration=Office-2", NULL,
		NULL, all, 0);
	tone_is("halftone-calibration=NONE halftone-dot-gain=none",
		"riptide:halftone-calibration=Office-2", NULL, NULL, nothing, 0);
	all = nothing;
	all.toner_save = 40;
	tone_is("toner-save=2", "riptide:toner-save=1", NULL, NULL, all, 0);
	tone_is("riptideTonerSave=40%", NULL, NULL, NULL, all, 0);
	tone_is("toner-save=4", "riptide:toner-save=40", NULL, NULL, all, 1);
	tone_is("toner-save=None", NULL, NULL, option_lines("riptideTonerSave", "2"), nothing, 0);
	all = nothing;
	all.edges = 1;
	tone_is("halftone-edges=On", "riptide:halftone-edges=off", NULL, NULL, all, 0);
	tone_is("halftone-edges=yes", NULL, NULL, edges, all, 1);
	tone_is("halftone-edges=off", NULL, NULL, edges, nothing, 0);
	tone_is("halftone-calibration=../x", NULL, NULL, NULL, nothing, 1);
	tone_is("halftone-target=paper halftone-density=49 halftone-gamma=0 halftone-ink-limit=99",
		NULL, NULL, NULL, nothing, 4);
}

/* What RGB pages are separated into. */
TEST(inks)
{
	static const struct {
		const char   *job, *page;
		enum rip_inks inks;
		unsigned      warned;
	} cases[] = {
		{ "", NULL, RIP_INKS_NONE, 0 },
		{ "halftone-inks=CMYK", NULL, RIP_INKS_CMYK, 0 },
		{ "riptideInks=kcmy", "riptide:halftone-inks=cmyk", RIP_INKS_KCMY, 0 },
		{ "halftone-inks=None", "riptide:halftone-inks=cmyk", RIP_INKS_NONE, 0 },
		{ "halftone-inks=rgb", "riptide:halftone-inks=cmyk", RIP_INKS_CMYK, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct set_up s = { .job = cases[i].job, .page0 = cases[i].page };
		struct rip_choice choice;
		char text[4096];

		assert_int_equal(choose(&s, &choice, text), cases[i].warned);
		assert_int_equal(choice.inks, cases[i].inks);
	}
}

TEST(tone_values)
{
	static const char *const no_number[] = { "",    " 1",   "1 ",    "+1",  "-1", "1x",
						 "1%%", "0x10", "12345", "1e2", "." };

	static int (*const parsers[])(const char *value) = {
		rip_tone_parse_gain, rip_tone_parse_density, rip_tone_parse_gamma,
		rip_tone_parse_ink_limit, rip_tone_parse_toner_save, rip_tone_parse_target,
	};

	for (size_t i = 0; i < COUNT(no_number); i++)
		for (size_t p = 0; p < COUNT(parsers); p++)
			assert_int_equal(parsers[p](no_number[i]), -1);
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
	assert_int_equal(rip_tone_parse_toner_save("none"), 0);
	assert_int_equal(rip_tone_parse_toner_save("0"), 0);
	assert_int_equal(rip_tone_parse_toner_save("1"), 25);
	assert_int_equal(rip_tone_parse_toner_save("3"), 60);
	assert_int_equal(rip_tone_parse_toner_save("3%"), -1);
	assert_int_equal(rip_tone_parse_toner_save("9"), -1);
	assert_int_equal(rip_tone_parse_toner_save("10"), 10);
	assert_int_equal(rip_tone_parse_toner_save("80%"), 80);
	assert_int_equal(rip_tone_parse_toner_save("81"), -1);
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

/* Curves of PPDs cannot be checked without libcupsfilters, as where the Debian package is built. */
static void need_library(void)
{
	if (rip_colour_library())
		return;
	print_message("libcupsfilters cannot be loaded: the curves of PPDs are not checked\n");
	skip();
}

/* libcupsfilters rounds the ink of a point to 1/255, and what it becomes to 1/4095. */
static bool near(double a, double b)
{
	return a - b < 2.5e-3 && b - a < 2.5e-3;
}

TEST(vendor_curves)
{
	const struct rip_vendor_page page = { "CMYK", "", 600, 600 };
	struct rip_queue queue, none = { NULL };
	struct rip_vendor_curve curve;
	bool warned = false;
	char text[4096];

	need_library();
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
	assert_true(rip_vendor_curve_at(&curve, 0.3) == 0.3);
	assert_int_equal(rip_vendor_ink_limit(&queue, &page, &warned), 260);
	assert_int_equal(rip_vendor_ink_limit(&none, &page, &warned), 0);
	assert_int_equal(warnings(text), 1);
	assert_non_null(strstr(text, "cupsYellowXY"));
	rip_queue_close(&queue);
}

/* In a program with a locale. */
TEST(vendor_curves_of_any_locale)
{
	rip_test_comma_locale();
	test_vendor_curves(state);
	setlocale(LC_NUMERIC, "C");
}

static void ignore_message(void *context, enum riptide_log_level level, const char *text)
{
	atomic_fetch_add((atomic_uint *)context, 1);
}

/* Asks for many curves, in a program that is not a filter. */
static void *ask_for_curves(void *context)
{
	const float *gamma = context;
	short curve[256];
	bool made = true;

	for (int i = 0; i < 200; i++)
		made &= rip_colour_gamma(*gamma + (float)i / 128, 1, curve);
	return made ? NULL : context;
}

/* What libcupsfilters 1.28 writes for the log does not reach the stderr of a program that is not a
 * filter, and that stderr is not lost, also with threads. */
TEST(quiet_library)
{
	float gamma[] = { 1.03f, 3.01f };
	pthread_t threads[COUNT(gamma)];
	atomic_uint messages = 0;
	const struct rip_report_listener listener = { ignore_message, NULL, &messages };
	char text[4096];

	need_library();
	catch_stderr();
	rip_report_listen(&listener);
	for (size_t i = 0; i < COUNT(gamma); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_for_curves, &gamma[i]), 0);
	for (size_t i = 0; i < COUNT(gamma); i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	rip_report_listen(NULL);
	assert_int_equal(messages, 0);
	fputs("WARNING: still here\n", stderr);
	assert_int_equal(warnings(text), 1);
	assert_string_equal(text, "WARNING: still here\n");
}

/* In a filter, the log has a curve once, and not for every page. */
TEST(log_of_curves)
{
	short curve[256], again[256];
	char first[4096], text[4096];

	need_library();
	catch_stderr();
	assert_true(rip_colour_gamma(1.77f, 0.5f, curve));
	assert_int_equal(warnings(first), 0);
	catch_stderr();
	assert_true(rip_colour_gamma(1.77f, 0.5f, again));
	assert_int_equal(warnings(text), 0);
	assert_string_equal(text, "");
	assert_memory_equal(again, curve, sizeof curve);
	/* 2.x says nothing at all */
	assert_true(!*first || !strncmp(first, "DEBUG: ", 7));
}

TEST(bad_vendor_curves)
{
	static const char *const lines[] = {
		"*cupsAllGamma: \"2\"\n", "*cupsAllGamma: \"0 1\"\n", "*cupsAllGamma: \"nan 1\"\n",
		"*cupsAllGamma: \"1 1.1\"\n", "*cupsAllGamma: \"-1 1\"\n", "*cupsAllXY: \"1\"\n",
		"*cupsAllXY: \"x y\"\n", "*cupsAllXY: \"1.5 1\"\n", "*cupsAllXY: \"nan 0.5\"\n",
		"*cupsAllXY: \"0.5 0.5\"\n*cupsAllXY: \"0.6 0.4\"\n",
	};
	const struct rip_vendor_page page = { "", "Plain", 300, 300 };

	need_library();
	for (size_t i = 0; i < COUNT(lines); i++) {
		AUTO(rip_queue_close) struct rip_queue queue;
		struct rip_vendor_curve curve;
		bool warned = false;
		char text[4096];

		open_queue(&queue, lines[i]);
		catch_stderr();
		assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_CYAN, &warned));
		assert_int_equal(warnings(text), 1);
	}
}

/* A page of 8 bits for a printer of 600 dpi, on a queue. */
static struct rip_page_plan page_of(unsigned space, uint32_t planes, uint32_t lights)
{
	struct rip_page_plan plan = {
		.in = { .cupsColorSpace = space, .HWResolution = { 600, 600 } },
		.geometry = {
			.width = 1, .height = 1, .planes = planes, .sample_bits = 8,
			.lights = lights,
			.light_planes = { { 1, RIP_INK_LIGHT_CYAN }, { 2, RIP_INK_LIGHT_MAGENTA } },
		},
		.output.levels = 2, .screen = &rip_screens[RIP_BLUE_NOISE],
		.tone = rip_tone_choice_nothing(),
	};

	rip_page_mask_use(&plan.in, &plan.geometry, &plan.use);
	return plan;
}

/* In a page's curves: by plane, after the caller's and before the user's; light is turned round. */
TEST(vendor_curves_of_planes)
{
	static uint16_t half[256];
	struct rip_page_plan plan = page_of(CUPS_CSPACE_CMY, 3, 0);
	uint16_t *const *curves = plan.curves.page.curves;
	static struct rip_planner planner;
	struct rip_options options = { .count = 0 };
	struct rip_queue queue;

	need_library();
	open_queue(&queue, "*cupsCyanGamma: \"2 1\"\n*cupsYellowGamma: \"2 1\"\n");
	planner.queue = &queue;
	planner.options = &options;
	for (int v = 0; v < 256; v++)
		half[v] = (uint16_t)(257 * v / 2);
	plan.first = half;
	plan.tone.gamma = 2000;
	assert_int_equal(rip_page_plan_tones(&plan, &planner), 0);
	assert_true(rip_tone_curves_differ(&plan.curves));
	assert_ptr_equal(curves[0], curves[2]);
	/* full, halved, squared; then gamma 2 */
	assert_in_range(curves[0][255], (uint32_t)(65535 * (1 - 0.86603)) - 3,
			(uint32_t)(65535 * (1 - 0.86603)) + 3);
	assert_in_range(curves[1][255], (uint32_t)(65535 * (1 - 0.70711)) - 3,
			(uint32_t)(65535 * (1 - 0.70711)) + 3);
	rip_queue_close(&queue);
	open_queue(&queue, "*cupsAllGamma: \"2 1\"\n");
	plan.geometry.light = plan.use.light = true;
	plan.first = NULL;
	plan.tone.gamma = 1000;
	assert_int_equal(rip_page_plan_tones(&plan, &planner), 0);
	assert_false(rip_tone_curves_differ(&plan.curves));
	assert_int_equal(curves[0][0], 0);
	assert_int_equal(curves[0][255], 65535);
	assert_in_range(curves[0][51], (uint32_t)(65535 * (1 - 0.64)) - 3,
			(uint32_t)(65535 * (1 - 0.64)) + 3);
	rip_page_plan_finish(&plan);
	rip_queue_close(&queue);
}

/* ---- light inks and drops ---- */

TEST(light_inks)
{
	static const struct {
		const char *job, *page;
		unsigned    inks, strength, warned;
	} cases[] = {
		{ "", NULL, 0, 0, 0 },
		{ "halftone-light-inks=CM", NULL, 3, 0, 0 },
		{ "riptideLightInks=cmk halftone-light-strength=25%",
		  "riptide:halftone-light-inks=cm", 7, 25, 0 },
		{ "", "riptide:halftone-light-inks=k,halftone-light-strength=50", 4, 50, 0 },
		{ "halftone-light-inks=None", "riptide:halftone-light-inks=cm", 0, 0, 0 },
		{ "halftone-light-inks=mc", "riptide:halftone-light-inks=cm", 3, 0, 1 },
		{ "halftone-light-strength=51 halftone-light-inks=y", NULL, 0, 0, 2 },
		{ "halftone-light-strength=4", "riptide:halftone-light-strength=0", 0, 0, 2 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct set_up s = { .job = cases[i].job, .page0 = cases[i].page };
		struct rip_choice choice;
		char text[4096];

		assert_int_equal(choose(&s, &choice, text), cases[i].warned);
		assert_int_equal(choice.light_inks, cases[i].inks);
		assert_int_equal(choice.tone.light_strength, cases[i].strength);
	}
}

TEST(registration)
{
	static const struct {
		struct set_up s;
		int           um;
		unsigned      warned;
	} cases[] = {
		{ { .job = "" }, RIP_REGISTRATION_AUTO, 0 },
		{ { .job = "halftone-registration=20" }, 20, 0 },
		{ { .job = "", .page0 = "riptide:halftone-registration=60" }, 60, 0 },
		{ { .job = "riptideRegistration=auto",
		    .page0 = "riptide:halftone-registration=60" },
		  RIP_REGISTRATION_AUTO,
		  0 },
		{ { .job = "", .ppd = "*riptideRegistration: \"12\"\n" }, 12, 0 },
		{ { .job = "halftone-registration=1001" }, RIP_REGISTRATION_AUTO, 1 },
		{ { .job = "halftone-registration=5%" }, RIP_REGISTRATION_AUTO, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct rip_choice choice;
		char text[4096];

		assert_int_equal(choose(&cases[i].s, &choice, text), cases[i].warned);
		assert_int_equal(choice.tone.registration, cases[i].um);
	}
}

/* Plans two pages of a job on a queue with these lines in its PPD.  Returns the number of warnings,
 * each of which is given once, and their text. */
static unsigned plan_pages(struct rip_page_plan *plan, const char *ppd, const char *job,
			   unsigned space, unsigned order, char text[4096])
{
	const cups_page_header2_t header = raster_page(space, (cups_order_t)order, 8, 40, 20);
	AUTO(rip_queue_close) struct rip_queue queue;
	AUTO(rip_options_finish) struct rip_options options;
	static struct rip_planner planner;
	char why[256];

	planner = (struct rip_planner){ .queue = &queue, .options = &options };
	open_queue(&queue, ppd);
	rip_options_init(&options, job, &queue);
	catch_stderr();
	for (unsigned number = 1; number <= 2; number++)
		assert_int_equal(rip_page_plan_make(plan, &planner, number, &header, why,
						    sizeof why), 0);
	return warnings(text);
}

/* What a queue's pages get, in dots and words, with the screen for inks together. */
TEST(inks_together)
{
	static const struct {
		const char *job, *ppd;
		unsigned    space, order, dpi;
		const char *screen;
		uint32_t    um;
		const char *said; /* NULL: nothing */
	} cases[] = {
		{ "halftone-screen=blue-noise-colour", "", CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED,
		  600, "blue-noise-colour", 30, NULL },
		{ "halftone-screen=blue-noise-colour halftone-registration=0", "", CUPS_CSPACE_KCMY,
		  CUPS_ORDER_BANDED, 600, "blue-noise-colour", 0, NULL },
		{ "halftone-screen=blue-noise-colour", "", CUPS_CSPACE_CMYK, CUPS_ORDER_PLANAR, 600,
		  "blue-noise", 30, "the inks of a planar page" },
		{ "halftone-screen=blue-noise-colour", "*cupsICCProfile .../p: \"p.icc\"\n",
		  CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 600, "blue-noise-colour", 30,
		  "ICC profile" },
		{ "halftone-screen=blue-noise-colour", "*cupsICCProfile .../p: \"p.icc\"\n",
		  CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 600, "blue-noise-colour", 30, NULL },
		{ "halftone-screen=blue-noise", "*cupsICCProfile .../p: \"p.icc\"\n",
		  CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 600, "blue-noise", 30, NULL },
		{ "",
		  "*OpenUI *halftone-screen/T: PickOne\n"
		  "*Defaulthalftone-screen: blue-noise-colour\n*halftone-screen "
		  "blue-noise-colour/T: \"\"\n"
		  "*CloseUI: *halftone-screen\n*cupsICCProfile .../p: \"p.icc\"\n",
		  CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 600, "blue-noise-colour", 30, NULL },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		static struct rip_page_plan plan;
		char inks[RIP_PLANES_MAX + 1], text[4096];
		struct riptide_page page;

		assert_int_equal(plan_pages(&plan, cases[i].ppd, cases[i].job, cases[i].space,
					    cases[i].order, text), cases[i].said != NULL);
		if (cases[i].said)
			assert_non_null(strstr(text, cases[i].said));
		rip_page_plan_put(&plan, inks, &page);
		assert_string_equal(page.screen, cases[i].screen);
		assert_int_equal(page.registration, cases[i].um);
		rip_page_plan_finish(&plan);
	}
}

/* Writes a calibration that was made with a screen; NULL: it does not say. */
static void write_cal(const char *path, const char *screen)
{
	static struct rip_cal cal;
	size_t bytes;
	char *text;
	FILE *f = fopen(path, "w");

	cal = (struct rip_cal){ .inks = 1, .ink = { { .name = "K" } } };
	for (unsigned i = 0; i < RIP_CAL_POINTS; i++)
		cal.ink[0].curve[i] = (uint16_t)(257 * i);
	if (screen)
		assert_int_equal(rip_cal_set_note(&cal, RIP_CAL_SCREEN, screen), 0);
	text = rip_cal_format(&cal, "Thu Nov 26 21:00:00 2026", &bytes);
	assert_true(f && text && fwrite(text, 1, bytes, f) == bytes &&
		    fchmod(fileno(f), 0644) == 0);
	fclose(f);
	free(text);
}

/* A calibration says the screen of the queue's profile, and how well inks meet with it. */
TEST(calibrated_with_a_screen)
{
	static const struct {
		const char *calibrated, *job;
		uint32_t    um;
		unsigned    warned;
	} cases[] = {
		{ "blue-noise-colour", "halftone-screen=blue-noise-colour", 15, 0 },
		{ "blue-noise-colour", "halftone-screen=blue-noise", 15, 1 },
		{ "blue-noise", "halftone-screen=blue-noise-colour", 30, 1 },
		{ "clustered-106", "halftone-screen=blue-noise", 30, 0 },
		{ NULL, "halftone-screen=blue-noise-colour", 30, 1 },
	};
	char folder[] = "/tmp/riptide-test-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/q.cal", folder);
	rip_cal_use_folder(folder);
	for (size_t i = 0; i < COUNT(cases); i++) {
		static struct rip_page_plan plan;
		char job[100], text[4096];

		write_cal(path, cases[i].calibrated);
		snprintf(job, sizeof job, "%s halftone-calibration=q", cases[i].job);
		assert_int_equal(plan_pages(&plan, "*cupsICCProfile .../p: \"p.icc\"\n", job,
					    CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, text),
				 cases[i].warned);
		assert_int_equal(plan.tone.registration, cases[i].um);
		rip_page_plan_finish(&plan);
	}
	rip_cal_use_folder(NULL);
	assert_int_equal(unlink(path) + rmdir(folder), 0);
}

/* Drops that are not one for each level do not count; only those that somebody asks for are
 * reported. */
TEST(drops)
{
	static const struct {
		struct set_up s;
		unsigned      count;
		const char   *said; /* the warning; NULL: none */
	} cases[] = {
		{ { .job = "halftone-levels=4 halftone-drops=3,7,14" }, 3, NULL },
		{ { .job = "halftone-levels=4", .page0 = "riptide:halftone-drops=40%/70%/100%" },
		  3, NULL },
		{ { .job = "halftone-levels=4", .ppd = "*riptideDrops: \"3,7,14\"\n" }, 3, NULL },
		{ { .job = "halftone-levels=4 halftone-drops=none",
		    .ppd = "*riptideDrops: \"3,7,14\"\n" }, 0, NULL },
		{ { .job = "", .ppd = "*riptideDrops: \"3,7,14\"\n" }, 0, NULL },
		{ { .job = "halftone-levels=4 halftone-drops=7,14" }, 0,
		  "has 2 drops, and halftone-levels=4 needs 3" },
		{ { .job = "halftone-drops=14" }, 0,
		  "has 1 drop, and halftone-levels=2 needs none" },
		{ { .job = "halftone-drops=7,14" }, 0,
		  "has 2 drops, and halftone-levels=2 needs none" },
		{ { .job = "halftone-levels=3 halftone-drops=14,7",
		    .page0 = "riptide:halftone-drops=7/14" }, 2, "halftone-drops=14,7" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct rip_choice choice;
		char text[4096];

		assert_int_equal(choose(&cases[i].s, &choice, text), cases[i].said != NULL);
		assert_int_equal(choice.tone.drops.count, cases[i].count);
		if (cases[i].said && !strstr(text, cases[i].said))
			fail_msg("no \"%s\": %s", cases[i].said, text);
	}
}

/* Light inks in a vendor's PPD: where they end, or curves of their own, which may fall. */
TEST(light_ink_lines)
{
	static const char *const bad[] = { "0.3",    "0.3 0.2", "0.3 0.3", "0 1",
					   "0.04 1", "0.3 1.1", "x 1",     "nan 1" };
	const struct rip_vendor_page page = { "CMYK", "", 600, 600 };
	struct rip_light_ink ink;
	struct rip_vendor_curve curve;
	struct rip_queue queue;
	bool warned = false;
	char text[4096];

	need_library();
	open_queue(
		&queue,
		"*cupsCyanLtDk 600dpi: \"0.25 0.75\"\n*cupsBlackLtDk: \"0.5 1\"\n"
		"*cupsAllXY: \"1 1\"\n*cupsLightMagentaXY: \"1 0.5\"\n*cupsLightMagentaXY: \"0 "
		"1\"\n");
	catch_stderr();
	assert_true(rip_vendor_light_ink(&queue, &page, RIP_INK_LIGHT_CYAN, &ink, &warned));
	assert_true(ink.strength == 0.25 && ink.end == 0.75);
	assert_true(rip_vendor_light_ink(&queue, &page, RIP_INK_LIGHT_BLACK, &ink, &warned));
	assert_true(ink.strength == 0.5 && ink.end == 1);
	assert_false(rip_vendor_light_ink(&queue, &page, RIP_INK_LIGHT_MAGENTA, &ink, &warned));
	assert_false(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_LIGHT_CYAN, &warned));
	assert_true(rip_vendor_curve_find(&curve, &queue, &page, RIP_INK_LIGHT_MAGENTA, &warned));
	assert_true(near(rip_vendor_curve_at(&curve, 0.25), 0.5) &&
		    near(rip_vendor_curve_at(&curve, 0.75), 0.5));
	assert_int_equal(warnings(text), 0);
	rip_queue_close(&queue);
	for (size_t i = 0; i < COUNT(bad); i++) {
		char line[64];

		snprintf(line, sizeof line, "*cupsCyanLtDk: \"%s\"\n", bad[i]);
		open_queue(&queue, line);
		catch_stderr();
		warned = false;
		assert_false(
			rip_vendor_light_ink(&queue, &page, RIP_INK_LIGHT_CYAN, &ink, &warned));
		assert_int_equal(warnings(text), 1);
		rip_queue_close(&queue);
	}
}

/* A page with two light inks: one as the PPD says, one by the PPD's two curves. */
TEST(light_inks_of_a_ppd)
{
	struct rip_page_plan plan = page_of(CUPS_CSPACE_KCMY, 4, 2);
	static struct rip_planner planner;
	uint16_t *const *curves = plan.curves.page.curves;
	struct rip_options options = { .count = 0 };
	AUTO(rip_queue_close) struct rip_queue queue;

	need_library();
	open_queue(
		&queue,
		"*cupsCyanLtDk: \"0.25 0.75\"\n*cupsMagentaXY: \"0 0.5\"\n*cupsMagentaXY: \"1 1\"\n"
		"*cupsLightMagentaXY: \"1 0.5\"\n*cupsLightMagentaXY: \"0.4 1\"\n");
	planner.queue = &queue;
	planner.options = &options;
	assert_int_equal(rip_page_plan_tones(&plan, &planner), 0);
	assert_true(rip_tone_curves_differ(&plan.curves));
	/* light cyan is full at a quarter, and has ended at three quarters */
	assert_in_range(curves[4][64], 65000, 65535);
	assert_int_equal(curves[1][63], 0);
	assert_in_range(curves[4][128], 1000, 40000);
	assert_int_equal(curves[4][192], 0);
	assert_int_equal(curves[1][192], 257 * 192);
	/* the PPD's curves */
	assert_int_equal(curves[2][127], 0);
	assert_int_equal(curves[2][255], 65535);
	assert_in_range(curves[5][127], 65000, 65535);
	assert_in_range(curves[5][255], 26213, 26215);
	/* what the user asks for counts before cupsCyanLtDk */
	plan.tone.light_strength = 50;
	assert_int_equal(rip_page_plan_tones(&plan, &planner), 0);
	assert_in_range(curves[4][64], 32000, 33500);
	assert_in_range(curves[5][127], 65000, 65535);
	assert_false(planner.warned_of_ppd);
	rip_page_plan_finish(&plan);
}
