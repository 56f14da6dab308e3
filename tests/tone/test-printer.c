/* The tone model: tables against direct measurement, presets, gain, text, fit. */
#include "tests/tools/testing.h"

#include "tests/tools/comma_locale.h"

#include <math.h>

#include "halftone/engine_cpu.h"
#include "halftone/screen/mask_screen.h"
#include "halftone/screen/mask_table.h"
#include "tone/fit.h"
#include "tone/preset.h"
#include "tone/area.h"
#include "tone/tables/field_dots.h"

#define SIDE 128

static struct rip_engine *engine;

static int make_engine(void **state)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .threads = 1 };

	return rip_engine_cpu_new(&config, &engine);
}

static int free_engine(void **state)
{
	engine->ops->free(engine);
	return 0;
}

static double random_between(double low, double high)
{
	return low + (high - low) * rip_test_below(1000001) / 1e6;
}

static struct rip_printer preset(const char *name, double dpi)
{
	struct rip_printer printer;

	assert_true(rip_printer_preset(&printer, name, dpi));
	return printer;
}

/* ---- the area, counted place by place ---- */

static int dot(const uint8_t *dots, int i, int j)
{
	return dots[(i + SIDE) % SIDE * SIDE + (j + SIDE) % SIDE];
}

/* The share of the largest drop's area. */
static double share_of(const double *shares, unsigned levels, int level)
{
	return shares && level > 0 ? shares[level - 1] : level / (levels - 1.0);
}

/* What discs with the radius r sqrt(share) cover: 10 x 10 places a pixel. */
static double count_discs(const uint8_t *dots, unsigned levels, const double *shares, double r)
{
	long covered = 0;

	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			for (int k = 0; k < 100; k++) {
				const double y = k / 10 * 0.1 + 0.05 - 0.5,
					     x = k % 10 * 0.1 + 0.05 - 0.5;
				bool is_covered = false;

				for (int n = 0; n < 9 && !is_covered; n++) {
					const int level = dot(dots, i + n / 3 - 1, j + n % 3 - 1);
					const double dy = y - (n / 3 - 1), dx = x - (n % 3 - 1);

					is_covered = dy * dy + dx * dx <
						     r * r * share_of(shares, levels, level);
				}
				covered += is_covered;
			}
	return covered / (100.0 * SIDE * SIDE);
}

/* What toner covers: 5 x 5 places a pixel. */
static double count_spot(const uint8_t *dots, unsigned levels, const double *shares,
			 const struct rip_printer *p)
{
	double area = 0;

	for (int k = 0; k < 25; k++) {
		const double y = (k / 5 + 0.5) / 5 - 0.5, x = (k % 5 + 0.5) / 5 - 0.5;
		double down[7], right[7];

		for (int t = 0; t < 7; t++) {
			const double dy = t - 3 - y, dx = t - 3 - x, s = p->spot * M_SQRT2;

			down[t] = (erf((dy + 0.5) / s) - erf((dy - 0.5) / s)) / 2;
			right[t] = (erf((dx + 0.5) / s) - erf((dx - 0.5) / s)) / 2;
		}
		for (int i = 0; i < SIDE; i++)
			for (int j = 0; j < SIDE; j++) {
				double e = 0;

				for (int n = 0; n < 49; n++)
					e += down[n / 7] * right[n % 7] *
					     share_of(shares, levels,
						      dot(dots, i + n / 7 - 3, j + n % 7 - 3));
				area += erfc((p->threshold - e) / (p->softness * M_SQRT2)) / 2;
			}
	}
	return area / (25.0 * SIDE * SIDE);
}

/* The mechanical area of the model: without scattering, and for an ink that reflects nearly as much
 * as paper, it is what is measured. */
TEST_WITH(make_engine, free_engine, area_is_what_dots_cover)
{
	static const char *const names[] = { "floyd-steinberg", "blue-noise", "blue-noise-mask",
					     "clustered-106", "clustered-141", "bayer", "stucki" };
	static uint8_t dots[SIDE * SIDE];
	double worst[2] = { 0, 0 }, sum = 0; /* of two and of more levels */

	for (int round = 0; round < 32; round++) {
		const struct rip_mask_use use = {
			.x_dpi = 600, .y_dpi = 600, .planes = 1, .inks = { RIP_INK_BLACK },
		};
		const char *name = names[rip_test_below(7)];
		const unsigned levels = round < 12 ? 2 :
					round < 24 ? 2 + rip_test_below(4) :
						     3 + rip_test_below(2);
		const uint32_t x = 1000 + rip_test_below(63000);
		const struct rip_screen *screen;
		struct rip_mask_screen mask;
		struct rip_printer p = { .solid = 0.5, .dpi = 600 };
		const double *shares = round < 24 ? NULL : p.drops.share;
		double expected, found;
		char why[128];
		int id = rip_screen_find(name);

		if (id < 0)
			assert_int_equal(rip_mask_screen_init(&mask, name, &use, why, sizeof why),
					 0);
		screen = id < 0 ? &mask.base : &rip_screens[id];
		field_dots(engine, screen, levels, x, SIDE, SIDE, dots);
		if (shares) {
			p.drops.count = levels - 1;
			p.drops.share[0] = random_between(0.1, 0.6);
			p.drops.share[1] = levels == 3 ? 1 : random_between(0.65, 0.9);
			p.drops.share[2] = 1;
		}
		if (rip_test_below(2)) {
			p.kind = RIP_PRINTER_DISCS;
			p.radius = random_between(0.72, 1.3);
			expected = count_discs(dots, levels, shares, p.radius);
		} else {
			p.kind = RIP_PRINTER_SPOT;
			p.spot = random_between(0.3, 0.6);
			p.threshold = random_between(0.2, 0.55);
			p.softness = random_between(0.04, 0.08);
			expected = count_spot(dots, levels, shares, &p);
		}
		/* c is 1, so R = 1 - A (1 - Rs). */
		found = rip_area_of_tint(&p, rip_pattern_of(screen, 0), levels, x / 65535.0);
		worst[levels > 2] = fmax(worst[levels > 2], fabs(found - expected));
		sum += fabs(found - expected);
		if (fabs(found - expected) > 0.02)
			print_message(
				"%s, %u levels, x %u, %s %.3f %.3f %.3f: %.4f, expected %.4f\n",
				name, levels, x, p.kind == RIP_PRINTER_DISCS ? "radius" : "spot",
				p.radius, p.spot, p.threshold, found, expected);
	}
	print_message("# differences of areas: mean %.4f, most %.4f, with more levels %.4f\n",
		      sum / 32, worst[0], worst[1]);
	/* Between the tones of the tables, error diffusion has regular patterns, and with more
	 * levels it makes a few dots of a third one. */
	assert_true(worst[0] <= 0.05);
	assert_true(worst[1] <= 0.10);
	assert_true(sum / 32 <= 0.012);
}

TEST(every_screen_has_a_pattern)
{
	static const enum rip_ink inks[] = { RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA,
					     RIP_INK_YELLOW };
	static const unsigned resolutions[] = { 180, 203, 300, 360, 600, 720, 1200, 2400, 5000 };
	char why[128];

	for (int i = 0; i < RIP_SCREENS_APART; i++)
		assert_string_equal(rip_pattern_of(&rip_screens[i], 0)->name, rip_screens[i].name);
	for (size_t d = 0; d < sizeof resolutions / sizeof *resolutions; d++) {
		struct rip_mask_use use = {
			.x_dpi = resolutions[d], .y_dpi = resolutions[d], .planes = 4,
		};
		unsigned lpi[RIP_CELL_FAMILIES + 1], count;

		memcpy(use.inks, inks, sizeof inks);
		count = rip_mask_screen_lpi(resolutions[d], resolutions[d], lpi, RIP_CELL_FAMILIES);
		for (unsigned i = 0; i < count; i++) {
			struct rip_mask_screen screen;
			char name[32];

			snprintf(name, sizeof name, "clustered-%u", lpi[i]);
			assert_int_equal(rip_mask_screen_init(&screen, name, &use, why, sizeof why),
					 0);
			for (uint32_t plane = 0; plane < 4; plane++)
				assert_non_null(rip_pattern_of(&screen.base, plane));
			assert_ptr_not_equal(rip_pattern_of(&screen.base, 0),
					     rip_pattern_of(&screen.base, 1));
			assert_ptr_equal(rip_pattern_of(&screen.base, 1),
					 rip_pattern_of(&screen.base, 2));
		}
		for (unsigned i = RIP_SCREENS; rip_screen_choice(i); i++) {
			const char *name = rip_screen_choice(i);
			struct rip_mask_screen screen;

			if (!rip_mask_screen_known(name))
				continue; /* clustered-LPI, above */
			assert_int_equal(rip_mask_screen_init(&screen, name, &use, why, sizeof why),
					 0);
			assert_int_equal(!rip_pattern_of(&screen.base, 3),
					 !strcmp(name, "bi-level"));
		}
	}
	assert_string_equal(rip_pattern_reference()->name, "cells-4-black");
}

/* ---- presets and gain ---- */

TEST(presets_have_their_gains)
{
	static const struct {
		const char *name;
		double dpi, gain;
	} known[] = { /* as printer.h says */
		{ "laser-600", 600, 16 }, { "laser-1200", 1200, 22 }, { "thermal-203", 203, 16 },
		{ "thermal-300", 300, 19 }, { "inkjet-360", 360, 21 }, { "inkjet-720", 720, 28 },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct rip_printer p = preset(known[i].name, known[i].dpi);
		const double gain = rip_printer_gain(&p);

		print_message("# %s: %.1f\n", known[i].name, gain);
		assert_true(fabs(gain - known[i].gain) < 0.6);
		assert_true(rip_printer_check(&p));
	}
}

TEST(classes_choose_by_resolution)
{
	struct rip_printer p;

	assert_true(preset("laser", 600).spot == preset("laser-600", 600).spot);
	assert_true(preset("LASER", 1200).spot == preset("laser-1200", 1200).spot);
	assert_true(preset("laser", 300).spot < preset("laser", 600).spot);
	assert_true(preset("thermal", 203).radius == preset("thermal-203", 203).radius);
	assert_true(preset("thermal", 300).radius == preset("thermal-300", 300).radius);
	assert_true(preset("inkjet", 180).radius == preset("inkjet-360", 360).radius);
	assert_true(preset("inkjet", 720).radius == preset("inkjet-720", 720).radius);
	assert_int_equal(preset("none", 600).kind, RIP_PRINTER_NONE);
	for (int i = 0; rip_printer_names[i]; i++)
		assert_true(rip_printer_preset(&p, rip_printer_names[i], 600));
	assert_false(rip_printer_preset(&p, "offset", 600));
	assert_false(rip_printer_preset(&p, "", 600));
}

TEST(gain_can_be_set)
{
	static const char *const classes[] = { "laser", "thermal", "inkjet" };

	for (int i = 0; i < 3; i++) {
		double last = -1;

		for (double points = 0; points <= RIP_GAIN_MAX; points += 2) {
			struct rip_printer p = preset(classes[i], 600);
			double gain;

			rip_printer_set_gain(&p, points);
			gain = rip_printer_gain(&p);
			assert_true(rip_printer_check(&p));
			assert_true(gain >= last - 0.01);
			last = gain;
			if (points >= 6 && points <= 24)
				assert_true(fabs(gain - points) < 0.1);
		}
	}
}

/* ---- text ---- */

TEST(text_comes_back)
{
	char text[128];

	for (int i = 0; rip_printer_names[i]; i++) {
		const struct rip_printer p = preset(rip_printer_names[i], 600);
		struct rip_printer back;

		rip_printer_format(&p, text, sizeof text);
		assert_true(strlen(text) < sizeof text - 1);
		assert_true(rip_printer_parse(&back, text));
		assert_int_equal(back.kind, p.kind);
		assert_true(fabs(back.radius - p.radius) < 1e-3);
		assert_true(fabs(back.spot - p.spot) < 1e-3);
		assert_true(fabs(back.threshold - p.threshold) < 1e-3);
		assert_true(fabs(back.scatter - p.scatter) < 0.1);
	}
}

TEST(text_of_any_locale)
{
	rip_test_comma_locale();
	test_text_comes_back(state);
	setlocale(LC_NUMERIC, "C");
}

/* A fit often ends at a bound, and near to 0. */
TEST(text_of_bounds)
{
	const struct rip_printer printers[] = {
		{ .kind = RIP_PRINTER_SPOT, .threshold = 0.62, .spot = 0.6, .softness = 0.01,
		  .scatter = 0, .solid = 0.005, .dpi = 50 },
		{ .kind = RIP_PRINTER_SPOT, .threshold = 0.1, .spot = 0.2, .softness = 0.2,
		  .scatter = 200, .solid = 0.5, .dpi = 5000 },
		{ .kind = RIP_PRINTER_DISCS, .radius = 0.5, .jitter = 0.25, .scatter = 3e-6,
		  .solid = 0.5, .dpi = 203 },
		{ .kind = RIP_PRINTER_DISCS, .radius = 1.35, .jitter = 3e-5, .scatter = 60,
		  .solid = 0.05, .dpi = 203 },
	};
	char text[128];

	for (size_t i = 0; i < sizeof printers / sizeof *printers; i++) {
		struct rip_printer back;

		assert_true(rip_printer_check(&printers[i]));
		rip_printer_format(&printers[i], text, sizeof text);
		if (!rip_printer_parse(&back, text))
			fail_msg("%s", text);
		assert_true(fabs(back.spot - printers[i].spot) < 1e-3);
		assert_true(fabs(back.jitter - printers[i].jitter) < 1e-3);
	}
}

TEST(bad_text_is_refused)
{
	static const char *const bad[] = {
		"", "las", "laser", "laserx", "discs radius=0.8", "none dpi=600", " none",
		"discs radius=9 jitter=0.05 scatter=60 solid=0.05 dpi=600",
		"discs radius=0.8 radius=0.8 jitter=0.05 scatter=60 solid=0.05 dpi=600",
		"discs radius=nan jitter=0.05 scatter=60 solid=0.05 dpi=600",
		"discs radius=0.8 jitter=-0.05 scatter=60 solid=0.05 dpi=600",
		"discs radius=0.8 jitter=0.05 scatter=60 solid=0.05 dpi=600 ",
		"discs radius=0.8 jitter=0.05 scatter=60 solid=0.05 dpi=600 spot=0.5",
		"discs radius=0.8  jitter=0.05 scatter=60 solid=0.05 dpi=600",
		"laser radius=0.8 jitter=0.05 scatter=60 solid=0.05 dpi=600",
		"discs radius=00000000000000000000000.8 jitter=0 scatter=60 solid=0.05 dpi=600",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct rip_printer p = preset("laser", 600);
		const struct rip_printer before = p;

		assert_false(rip_printer_parse(&p, bad[i]));
		assert_memory_equal(&p, &before, sizeof p);
	}
}

/* ---- lines and fit ---- */

TEST(lines_gain_less_when_coarse)
{
	const struct rip_printer p = preset("inkjet", 360), exact = preset("none", 600);
	double last = 1;

	for (uint32_t period = 4; period <= 128; period *= 2) {
		struct rip_figure lines;
		double area;

		assert_int_equal(rip_figure_lines(&lines, period, period / 2), 0);
		area = rip_area_of_figure(&p, &lines);
		assert_true(area > 0.5 && area < last);
		last = area;
		assert_true(fabs(rip_area_of_figure(&exact, &lines) - 0.5) < 0.02);
	}
	assert_true(last < 0.52);
}

TEST(figures_are_checked)
{
	struct rip_figure figure;

	assert_int_equal(rip_figure_lines(&figure, 0, 0), -EINVAL);
	assert_int_equal(rip_figure_lines(&figure, 129, 1), -EINVAL);
	assert_int_equal(rip_figure_lines(&figure, 16, 17), -EINVAL);
}

/* A printer like a preset, but with other sizes, is found from what its tints look like. */
static void fit_one(const char *class, double dpi)
{
	static const double inks[] = { 2, 4, 8, 12, 14 };
	const struct rip_pattern *patterns[] = { rip_pattern_find("blue-noise-mask"),
						 rip_pattern_reference() };
	struct rip_printer truth = preset(class, dpi), fitted = truth;
	struct rip_reading readings[10];
	struct rip_figure lines[5];
	struct rip_response a, b;
	double residual, worst = 0;

	if (truth.kind == RIP_PRINTER_DISCS)
		truth.radius += random_between(-0.15, 0.15);
	else
		truth.threshold += random_between(-0.1, 0.1);
	for (int i = 0; i < 10; i++) {
		double low = 0, high = 1, area;

		assert_int_equal(rip_figure_lines(&lines[i % 5], 16, (uint32_t)inks[i % 5]), 0);
		area = rip_area_of_figure(&truth, &lines[i % 5]);
		for (int step = 0; step < 40; step++) {
			const double tone = (low + high) / 2;

			if (rip_area_of_tint(&truth, patterns[i / 5], 2, tone) < area)
				low = tone;
			else
				high = tone;
		}
		readings[i] = (struct rip_reading){
			.pattern = patterns[i / 5], .levels = 2, .tone = round(50 * low) / 50,
			.figure = &lines[i % 5], .deviation = 1.2,
		};
	}
	rip_printer_fit(&fitted, readings, 10, &residual);
	assert_true(rip_printer_check(&fitted));
	assert_true(residual < 2.5);
	for (int i = 0; rip_patterns[i].name[0]; i++) {
		rip_response_of(&a, &truth, &rip_patterns[i], 2);
		rip_response_of(&b, &fitted, &rip_patterns[i], 2);
		for (int k = 0; k < RIP_RESPONSE_POINTS; k++)
			worst = fmax(worst, fabs(rip_lightness(&truth, a.area[k]) -
						 rip_lightness(&truth, b.area[k])));
	}
	print_message("# %s: residual %.2f, at most %.1f L* off\n", class, residual, worst);
	assert_true(worst < 7);
}

TEST(fit_finds_a_printer)
{
	fit_one("laser", 600);
	fit_one("inkjet", 360);
	fit_one("thermal", 203);
}

/* Exact measurements of a printer that is far from its class: the search goes on until it has found
 * it. */
TEST(fit_goes_to_the_end)
{
	const struct rip_pattern *patterns[] = { rip_pattern_find("blue-noise-mask"),
						 rip_pattern_reference() };
	struct rip_printer truth = preset("laser", 600), fitted = truth;
	struct rip_reading readings[32];
	double residual;

	truth.threshold = 0.2;
	truth.spot = 0.33;
	truth.softness = 0.15;
	truth.scatter = 20;
	for (int i = 0; i < 32; i++) {
		const double tone = (i / 2 + 1) / 17.;

		readings[i] = (struct rip_reading){
			.pattern = patterns[i % 2],
			.levels = 2,
			.tone = tone,
			.area = rip_area_of_tint(&truth, patterns[i % 2], 2, tone),
			.deviation = 0.01,
		};
	}
	rip_printer_fit(&fitted, readings, 32, &residual);
	print_message(
		"# residual %.5f L*; threshold %.4f, spot %.4f, softness %.4f, scatter %.2f\n",
		residual, fitted.threshold, fitted.spot, fitted.softness, fitted.scatter);
	assert_true(residual < 0.01);
}

TEST(fit_without_readings_changes_nothing)
{
	struct rip_printer p = preset("laser", 600);
	const struct rip_printer before = p;
	double residual = -1;

	rip_printer_fit(&p, NULL, 0, &residual);
	assert_memory_equal(&p, &before, sizeof p);
	assert_true(residual == 0);
}
