/* Two inks of one colour, and drops of several sizes: what they print together. */
#include "tests/tools/testing.h"

#include <math.h>

#include "halftone/screen/mask_screen.h"
#include "tone/calibrated.h"
#include "tone/preset.h"
#include "tone/printer.h"
#include "tone/soft_proof.h"
#include "tone/plane_curve.h"

#define STEPS 2000

static const struct rip_light_ink inks[] = {
	{ 0.05, 1, 0 },  { 0.05, 0.1, 0 }, { 0.2, 0.5, 0 }, { 0.3, 1, 0 },    { 0.3, 0.8, 0 },
	{ 0.5, 1, 0 },   { 0.5, 0.6, 0 },  { 0.7, 1, 0 },   { 0.9, 0.95, 0 }, { 0.05, 0.1, 1 },
	{ 0.2, 0.5, 1 }, { 0.3, 1, 1 },    { 0.5, 0.6, 1 }, { 0.7, 1, 1 },
};

/* Both inks print the area, whatever it is; nothing jumps, and only the light ink ever gets
 * less. */
TEST(two_inks_print_the_area)
{
	static const double solids[] = { 0.005, 0.05, 0.3, 0.5 };

	for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
		for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
			const double s = inks[i].strength, q = 1 - solids[k];
			double dark_before = 0, light_before = 0;

			for (int step = 0; step <= STEPS; step++) {
				const double area = (double)step / STEPS;
				double dark, light;

				rip_light_split(&inks[i], solids[k], area, &dark, &light);
				assert_true(dark >= 0 && dark <= 1 && light >= 0 && light <= 1);
				if (inks[i].avoid) /* no light passes both */
					assert_true(fabs(s * light + dark - area) < 1e-12);
				else
					assert_true(fabs((1 - s * q * light) * (1 - q * dark) -
							 (1 - q * area)) < 1e-12);
				assert_true(dark >= dark_before);
				if (area > s)
					assert_true(light <= light_before + 1.0 / (s * STEPS));
				assert_true(fabs(light - light_before) <= 60. / STEPS);
				if (s <= 0.5 || inks[i].avoid)
					assert_true(dark + light <= 1 + 1e-12);
				if (area >= inks[i].end)
					assert_true(light == 0 && dark == area);
				dark_before = dark;
				light_before = light;
			}
		}
}

/* A light ink of up to half the strength has room beside the dark one; a stronger one covers all
 * paper until the dark one begins, and does not jump there. */
TEST(strong_light_inks_begin_to_fade_at_once)
{
	for (int percent = 20; percent <= 90; percent += 5) {
		const struct rip_light_ink ink = { percent / 100., 1, 0 };
		double dark, light;

		rip_light_split(&ink, 0.05, ink.strength + 1e-6, &dark, &light);
		if (fabs(light - 1) > 1e-3)
			fail_msg("strength %d %%: %.4f of the paper", percent, light);
	}
}

/* Where the dark ink reflects as little as black, a solid area of the light one absorbs its
 * strength's share of what the dark one absorbs; elsewhere less. */
TEST(light_inks_absorb_their_share)
{
	static const enum rip_ink inks_of[] = { RIP_INK_LIGHT_CYAN, RIP_INK_LIGHT_MAGENTA,
						RIP_INK_LIGHT_BLACK };
	static const unsigned channels[] = { 0, 1, 0 };
	const float area = 1, *const areas[] = { &area };

	for (int i = 0; i < 3; i++)
		for (double strength = 0.1; strength < 0.6; strength += 0.1) {
			float red, green, blue, *const absorbed[] = { &red, &green, &blue };

			rip_ink_absorb(&inks_of[i], 1, 0.05, &strength, false, areas, 1, absorbed);
			assert_true(fabs(*absorbed[channels[i]] - strength * 0.95) < 1e-4);
			if (i < 2)
				assert_true(blue < *absorbed[channels[i]] - 0.01);
		}
}

TEST(areas_out_of_range)
{
	double dark, light;

	rip_light_split(&inks[3], 0.05, -1, &dark, &light);
	assert_true(dark == 0 && light == 0);
	rip_light_split(&inks[3], 0.05, 1.5, &dark, &light);
	assert_true(dark == 1 && light == 0);
}

/* ---- curves ---- */

/* The area, relative to the dark ink's, that a page's two planes print together. */
static double printed(const struct rip_printer *printer, const struct rip_pattern *pattern,
		      unsigned levels, double strength, uint16_t dark, uint16_t light)
{
	struct rip_printer thin = *printer;
	const double q = 1 - printer->solid;
	double light_area, dark_area;

	thin.solid = 1 - strength * q;
	light_area = rip_area_of_tint(&thin, pattern, levels, light / 65535.);
	dark_area = rip_area_of_tint(printer, pattern, levels, dark / 65535.);
	return (1 - (1 - strength * q * light_area) * (1 - q * dark_area)) / q;
}

/* For each sample, two curves print what the target asks for; and tints never get lighter by more
 * than screens themselves do. */
TEST(curves_print_the_target)
{
	static const char *const presets[] = { "inkjet-360", "inkjet-720", "laser-600" };
	static const char *const patterns[] = { "blue-noise", "blue-noise-mask", "cells-4-cyan" };
	static uint16_t dark[256], light[256];
	double worst = 0;

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			for (unsigned levels = 2; levels <= 4; levels += 2) {
				const double strength = 0.2 + 0.1 * i;
				const struct rip_pattern *pattern = rip_pattern_find(patterns[k]);
				struct rip_printer printer;
				struct rip_plane_wish wish = {
					.gamma = 1,
					.density = 1,
					.target = RIP_TARGET_PRINT,
					.printer = &printer,
					.ink = RIP_INK_CYAN,
					.pattern = pattern,
					.levels = levels,
					.dpi = 600,
					.part = RIP_PART_DARK,
					.light_ink = { strength, 1, 0 },
				};
				double before = 0;

				assert_true(rip_printer_preset(&printer, presets[i], 600));
				if (levels == 4)
					assert_true(rip_drops_parse(&printer.drops, "3,7,14"));
				rip_plane_curve_make(&wish, 256, dark);
				wish.part = RIP_PART_LIGHT;
				wish.ink = RIP_INK_LIGHT_CYAN;
				rip_plane_curve_make(&wish, 256, light);
				assert_true(dark[0] == 0 && light[0] == 0 && dark[255] == 65535 &&
					    light[255] == 0);
				for (int v = 0; v < 256; v++) {
					const double area = printed(&printer, pattern, levels,
								    strength, dark[v], light[v]);
					const double wanted = rip_target_area(RIP_TARGET_PRINT,
									      v / 255.);

					worst = fmax(worst, fabs(area - wanted));
					assert_true(v == 0 || dark[v] >= dark[v - 1]);
					/* From level to level the tables have seams of a point and
					 * a half. */
					assert_true(area > before - (levels == 2 ? 0.012 : 0.02));
					before = area;
				}
			}
	print_message("# areas differ by %.4f at most\n", worst);
	assert_true(worst < 0.02);
}

/* The curves of a page's two planes for a wish of its cyan ink. */
static void make_both(struct rip_plane_wish wish, uint16_t dark[256], uint16_t light[256])
{
	wish.ink = RIP_INK_CYAN;
	wish.part = RIP_PART_DARK;
	rip_plane_curve_make(&wish, 256, dark);
	wish.ink = RIP_INK_LIGHT_CYAN;
	wish.part = RIP_PART_LIGHT;
	rip_plane_curve_make(&wish, 256, light);
}

/* Adds the finished curve of another program: it prints what the target asks for. */
static void add_column(struct rip_cal *cal, const char *name, struct rip_plane_wish wish,
		       enum rip_target target, const struct rip_printer *printer)
{
	struct rip_cal_ink *column = &cal->ink[cal->inks++];

	snprintf(column->name, sizeof column->name, "%s", name);
	wish.ink = RIP_INK_CYAN;
	wish.target = target;
	wish.printer = printer;
	wish.cal = NULL;
	rip_plane_curve_make(&wish, 256, column->curve);
}

/* A calibration by another program has columns for the dark ink, for the light one or for both:
 * tints never get lighter by more than screens themselves do. */
TEST(foreign_calibrations_split_one_area)
{
	static uint16_t dark[256], light[256];
	static struct rip_cal cal;

	for (unsigned columns = 1; columns <= 3; columns++)
		for (int target = 0; target < RIP_TARGETS; target++) {
			const double strength = 0.3;
			struct rip_printer printer, thin;
			const struct rip_plane_wish wish = {
				.gamma = 1,
				.density = 1,
				.target = RIP_TARGET_PRINT,
				.printer = &printer,
				.cal = &cal,
				.pattern = rip_pattern_find("blue-noise"),
				.levels = 2,
				.dpi = 360,
				.light_ink = { strength, 1, 0 },
			};
			double before = 0;

			assert_true(rip_printer_preset(&printer, "inkjet-360", 360));
			thin = printer;
			thin.solid = 1 - strength * (1 - printer.solid);
			cal.inks = 0;
			if (columns & 1)
				add_column(&cal, "C", wish, (enum rip_target)target, &printer);
			if (columns & 2)
				add_column(&cal, "c", wish, RIP_TARGET_LINEAR, &thin);
			make_both(wish, dark, light);
			for (int v = 0; v < 256; v++) {
				const double area = printed(&printer, wish.pattern, 2, strength,
							    dark[v], light[v]);

				if (area <= before - 0.012)
					fail_msg(
						"columns %u, target %s: sample %d prints %.4f, "
						"one before it %.4f",
						columns, rip_target_names[target], v, area, before);
				before = fmax(before, area);
			}
		}
}

/* In our own calibrations, a light ink without a model of its own has that of its dark ink, not
 * K's. */
TEST(light_ink_has_its_dark_inks_model)
{
	static uint16_t dark[256], light[256];
	static struct rip_cal cal;
	struct rip_printer none, cyan, black;
	const struct rip_plane_wish wish = {
		.gamma = 1,
		.density = 1,
		.target = RIP_TARGET_PRINT,
		.printer = &none,
		.cal = &cal,
		.pattern = rip_pattern_find("blue-noise"),
		.levels = 2,
		.dpi = 360,
		.light_ink = { 0.3, 1, 0 },
	};

	assert_true(rip_printer_preset(&none, "none", 360));
	assert_true(rip_printer_preset(&cyan, "inkjet-360", 360));
	black = cyan;
	cyan.solid = 0.1;
	black.solid = 0.01;
	rip_printer_set_gain(&black, 5);
	cal = (struct rip_cal){ 0 };
	assert_int_equal(rip_cal_set_printer(&cal, "C", &cyan), 0);
	assert_int_equal(rip_cal_set_printer(&cal, "K", &black), 0);
	make_both(wish, dark, light);
	for (int v = 0; v < 256; v++) {
		const double area = printed(&cyan, wish.pattern, 2, 0.3, dark[v], light[v]);
		const double wanted = rip_target_area(RIP_TARGET_PRINT, v / 255.);

		if (fabs(area - wanted) > 0.02)
			fail_msg("sample %d prints %.4f, not %.4f", v, area, wanted);
	}
}

/* ---- drops ---- */

TEST(drops_are_parsed)
{
	static const char *const bad[] = {
		"",
		",",
		"3,",
		",3",
		"3,7,",
		"3,7,7",
		"7,3",
		"3 7",
		"3,,7",
		"0,1",
		"0.0001,14",
		"-1,2",
		"1e1,20",
		"0x3,7",
		"40%,70%",
		"40%,100",
		"40,100%",
		"40%%,100%",
		"60%,110%",
		"nan",
		"none,3",
		"1.2.3,4",
		"0",
		"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
		"99999999999,999999999999",
		".5,1",
	};
	struct rip_drops drops;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (rip_drops_parse(&drops, bad[i]) || drops.count != 0)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_true(rip_drops_parse(&drops, "None") && drops.count == 0);
	assert_true(rip_drops_parse(&drops, "2,16"));
	assert_int_equal(drops.count, 2);
	assert_true(fabs(drops.share[0] - 0.25) < 1e-12 && drops.share[1] == 1);
	assert_true(rip_drops_parse(&drops, "12.5%/50%/100%"));
	assert_int_equal(drops.count, 3);
	assert_true(drops.share[0] == 0.125 && drops.share[1] == 0.5 && drops.share[2] == 1);
	assert_true(rip_drops_known(&drops, 4) && !rip_drops_known(&drops, 3) &&
		    !rip_drops_known(&drops, 2));
	assert_true(rip_drops_share(&drops, 4, 0) == 0 && rip_drops_share(&drops, 4, 2) == 0.5);
	/* of another number of levels */
	assert_true(rip_drops_share(&drops, 5, 2) == 0.5 && rip_drops_share(&drops, 3, 1) == 0.5);
	assert_true(rip_drops_parse(&drops, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15") &&
		    drops.count == 15);
}

/* Drops whose areas are even are no drops at all: the same curve, to the bit but for the rounding
 * of the shares. */
TEST(even_drops_change_nothing)
{
	struct rip_printer printer, even;
	struct rip_response a, b;

	for (int i = 0; rip_printer_names[i]; i++)
		for (unsigned levels = 3; levels <= 5; levels += 2) {
			const struct rip_pattern *pattern = rip_pattern_find("blue-noise");

			assert_true(rip_printer_preset(&printer, rip_printer_names[i], 600));
			even = printer;
			assert_true(rip_drops_parse(&even.drops,
						    levels == 3 ? "50%,100%" : "25%,50%,75%,100%"));
			rip_response_of(&a, &printer, pattern, levels);
			rip_response_of(&b, &even, pattern, levels);
			for (int k = 0; k < RIP_RESPONSE_POINTS; k++)
				assert_true(fabs(a.area[k] - b.area[k]) < 1e-9);
		}
}

/* Without dot gain, a curve makes the drops print the area that was asked for; with it, the
 * target. */
TEST(drops_are_corrected)
{
	static const char *const presets[] = { "none", "inkjet-360", "inkjet-720", "thermal-300" };
	static uint16_t curve[256];

	for (int i = 0; i < 4; i++) {
		const struct rip_pattern *pattern = rip_pattern_find("blue-noise");
		struct rip_printer printer;
		const struct rip_plane_wish wish = {
			.gamma = 1, .density = 1, .target = RIP_TARGET_PRINT, .printer = &printer,
			.ink = RIP_INK_BLACK, .pattern = pattern, .levels = 4, .dpi = 600,
		};

		assert_true(rip_printer_preset(&printer, presets[i], 600));
		assert_true(rip_drops_parse(&printer.drops, "10%,35%,100%"));
		rip_plane_curve_make(&wish, 256, curve);
		assert_true(curve[0] == 0 && curve[255] == 65535);
		for (int v = 0; v < 256; v++) {
			const double area = rip_area_of_tint(&printer, pattern, 4,
							     curve[v] / 65535.);
			const double wanted = i == 0 ? v / 255. :
						       rip_target_area(RIP_TARGET_PRINT, v / 255.);

			assert_true(v == 0 || curve[v] >= curve[v - 1]);
			if (fabs(area - wanted) > 0.02)
				fail_msg("%s: sample %d prints %.4f, not %.4f", presets[i], v, area,
					 wanted);
		}
		/* Small drops need more of them. */
		if (i == 0)
			assert_true(curve[26] > 65535 / 3 - 400 && curve[26] < 65535 / 3 + 700);
	}
}
