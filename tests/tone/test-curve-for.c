/* Tone curves: ends, order, each control, and that they undo the printer. */
#include "tests/tools/testing.h"

#include <math.h>

#include "tone/plane_curve.h"
#include "tone/preset.h"

static struct rip_response response_of(const char *preset, const char *pattern, unsigned levels)
{
	struct rip_printer printer;
	struct rip_response response;

	assert_true(rip_printer_preset(&printer, preset, 600));
	rip_response_of(&response, &printer, rip_pattern_find(pattern), levels);
	return response;
}

TEST(nothing_is_the_identity)
{
	const struct rip_wish nothing = RIP_WISH_NOTHING;
	static uint16_t curve[65536];

	for (int light = 0; light < 2; light++) {
		rip_curve_for(&nothing, light, 256, curve);
		for (uint32_t v = 0; v < 256; v++)
			assert_int_equal(curve[v], 257 * v);
		rip_curve_for(&nothing, light, 65536, curve);
		for (uint32_t v = 0; v < 65536; v++)
			assert_int_equal(curve[v], v);
	}
}

TEST(response_ascends_for_all)
{
	for (int p = 0; rip_printer_names[p]; p++)
		for (int i = 0; rip_patterns[i].name[0]; i++)
			for (unsigned levels = 2; levels <= 16; levels += levels == 2 ? 1 : 3) {
				const struct rip_response r = response_of(rip_printer_names[p],
									  rip_patterns[i].name,
									  levels);

				assert_true(r.area[0] == 0);
				assert_true(r.area[RIP_RESPONSE_POINTS - 1] == 1);
				for (int k = 1; k < RIP_RESPONSE_POINTS; k++)
					assert_true(r.area[k] > r.area[k - 1]);
			}
}

TEST(response_is_undone)
{
	const struct rip_response r = response_of("laser-600", "cells-4-black", 2);

	assert_true(rip_response_area(&r, 0) == 0 && rip_response_area(&r, 1) == 1);
	for (int round = 0; round < 100; round++) {
		const double wanted = rip_test_below(1000001) / 1e6;
		const double tone = rip_response_tone(&r, wanted) * (RIP_RESPONSE_POINTS - 1);
		const int i = tone < RIP_RESPONSE_POINTS - 1 ? (int)tone : RIP_RESPONSE_POINTS - 2;

		assert_true(tone >= 0 && tone <= RIP_RESPONSE_POINTS - 1);
		assert_true(fabs(r.area[i] + (r.area[i + 1] - r.area[i]) * (tone - i) - wanted) <
			    1e-6);
		assert_true(fabs(rip_response_area(&r, tone / (RIP_RESPONSE_POINTS - 1)) - wanted) <
			    1e-6);
	}
}

TEST(a_printer_without_gain_is_straight)
{
	const struct rip_response r = response_of("none", "blue-noise", 2);

	for (int i = 0; i < RIP_RESPONSE_POINTS; i++)
		assert_true(fabs(r.area[i] - i / 256.0) < 1e-4);
}

/* Also those of random controls. */
TEST(curves_ascend_and_keep_the_ends)
{
	static uint16_t ink[65536], light[65536];

	for (int round = 0; round < 60; round++) {
		const struct rip_response r = response_of(
			rip_printer_names[rip_test_below(9)],
			rip_patterns[rip_test_below(30)].name, 2 + rip_test_below(15));
		const uint32_t count = round % 4 ? 256 : 65536;
		struct rip_wish wish = RIP_WISH_NOTHING;

		wish.gamma = 0.2 + rip_test_below(48) / 10.0;
		wish.density = 1 + rip_test_below(100) / 100.0;
		wish.target = rip_test_below(RIP_TARGETS);
		wish.response = rip_test_below(2) ? &r : NULL;
		rip_curve_for(&wish, false, count, ink);
		rip_curve_for(&wish, true, count, light);
		assert_int_equal(ink[0], 0);
		assert_int_equal(ink[count - 1], 65535);
		for (uint32_t v = 0; v < count; v++) {
			assert_true(v == 0 || ink[v] >= ink[v - 1]);
			assert_int_equal(light[count - 1 - v], 65535 - ink[v]);
		}
	}
}

TEST(controls_have_their_direction)
{
	struct rip_wish wish = RIP_WISH_NOTHING;
	const struct rip_response r = response_of("laser-600", "cells-4-black", 2);
	uint16_t curve[256], corrected;

	wish.gamma = 2;
	rip_curve_for(&wish, false, 256, curve);
	/* ink 1/2 is light 1/2, whose square root is 0.707 */
	assert_true(abs(curve[128] - (int)(65535 * (1 - sqrt(127 / 255.0)))) < 3);
	wish.gamma = 1;
	wish.density = 2;
	rip_curve_for(&wish, false, 256, curve);
	/* the square of the reflectance */
	assert_true(abs(curve[128] - (int)(65535 * (1 - pow(1 - 128 / 255.0 * 0.95, 2)) / 0.95)) <
		    3);
	assert_int_equal(curve[255], 65535);
	wish.density = 0.5;
	rip_curve_for(&wish, false, 256, curve);
	assert_true(abs(curve[255] - (int)(65535 * (1 - sqrt(0.05)) / 0.95)) < 3);
	wish.density = 1;
	wish.response = &r;
	wish.target = RIP_TARGET_LINEAR;
	rip_curve_for(&wish, false, 256, curve);
	corrected = curve[128];
	assert_true(corrected < 45 * 655);
	wish.target = RIP_TARGET_PRINT;
	rip_curve_for(&wish, false, 256, curve);
	assert_true(curve[128] > corrected);
}

/* A laser's 106 lines have about the gain that the target wants, so the curve is nearly
 * straight. */
TEST(target_is_a_print)
{
	assert_true(fabs(rip_target_area(RIP_TARGET_PRINT, 0.5) - 0.7) < 1e-9);
	assert_true(fabs(rip_target_area(RIP_TARGET_LINEAR, 0.5) - 0.5) < 1e-9);
	for (int t = 0; t < RIP_TARGETS; t++) {
		assert_true(rip_target_area(t, 0) == 0);
		assert_true(fabs(rip_target_area(t, 1) - 1) < 1e-12);
	}
}
