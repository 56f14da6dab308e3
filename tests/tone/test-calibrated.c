/* Measured steps, and what a calibration's notes say about a screen. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/tools/testing.h"
#include "tone/calibrated.h"
#include "tone/preset.h"
#include "tone/steps.h"

static struct rip_steps steps;
static struct rip_response response, other;
static struct rip_cal cal;

/* A printer's response: steep in the lights. */
static double smooth(double tone)
{
	return 1 - pow(1 - tone, 1.7);
}

static void assert_ascends(const struct rip_response *r)
{
	assert_true(r->area[0] == 0 && r->area[RIP_RESPONSE_POINTS - 1] == 1);
	for (unsigned i = 1; i < RIP_RESPONSE_POINTS; i++)
		assert_true(r->area[i] > r->area[i - 1]);
}

/* Steps of a smooth response, in any order, give it back. */
static void test_smooth(void **state)
{
	steps.count = 0;
	for (unsigned i = 0; i < 33; i++) {
		const double tone = (i * 14 % 33) / 32.;

		assert_true(rip_steps_add(&steps, tone, smooth(tone)));
	}
	assert_true(rip_steps_sort(&steps));
	assert_int_equal(steps.count, 33);
	rip_steps_response(&steps, &response);
	assert_ascends(&response);
	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		assert_true(fabs(response.area[i] - smooth(i / 256.)) < .0015);
}

/* Several readings of a step are averaged; paper and solid are added; areas outside of 0 to 1
 * and falls are noise. */
static void test_noise(void **state)
{
	steps.count = 0;
	rip_steps_add(&steps, .5, .6);
	rip_steps_add(&steps, .25, .31);
	rip_steps_add(&steps, .5, .7);
	rip_steps_add(&steps, .75, 1.02);
	assert_true(rip_steps_sort(&steps));
	assert_int_equal(steps.count, 3);
	assert_true(fabs(steps.step[1].area - .65) < 1e-9);
	rip_steps_response(&steps, &response);
	assert_ascends(&response);
	assert_true(fabs(response.area[128] - .65) < .002);
	for (unsigned run = 0; run < 200; run++) {
		steps.count = 0;
		for (unsigned i = 0; i < 40; i++)
			rip_steps_add(&steps, rip_test_below(101) / 100., rip_test_below(1400) / 1000. - .2);
		rip_steps_add(&steps, 1, 1);
		if (!rip_steps_sort(&steps))
			continue;
		rip_steps_response(&steps, &response);
		assert_ascends(&response);
	}
}

static void test_too_few(void **state)
{
	steps.count = 0;
	rip_steps_add(&steps, 0, 0);
	rip_steps_add(&steps, 1, 1);
	assert_false(rip_steps_sort(&steps));
	steps.count = 0;
	for (unsigned i = 0; i < 5; i++)
		rip_steps_add(&steps, i / 10., i / 8.);
	assert_false(rip_steps_sort(&steps));
	steps.count = 0;
	for (unsigned i = 0; i < RIP_STEPS_MAX; i++)
		assert_true(rip_steps_add(&steps, i / 2000., 0));
	assert_false(rip_steps_add(&steps, 1, 1));
}

static const struct rip_pattern *pattern(const char *name)
{
	const struct rip_pattern *found = rip_pattern_find(name);

	assert_non_null(found);
	return found;
}

static double most_apart(void)
{
	double most = 0;

	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		most = fmax(most, fabs(response.area[i] - other.area[i]));
	return most;
}

/* The model serves every screen, and every ink that has none of its own; what was measured
 * serves its screen, resolution and levels only. */
static void test_notes(void **state)
{
	const struct rip_pattern *black = rip_pattern_reference(), *mask = pattern("blue-noise-mask");
	struct rip_printer printer, read;

	memset(&cal, 0, sizeof cal);
	assert_false(rip_cal_is_ours(&cal));
	assert_false(rip_cal_printer(&cal, "K", 600, &read));
	assert_false(rip_cal_response(&cal, "K", black, 2, 600, NULL, &response));
	assert_true(rip_printer_preset(&printer, "laser", 600));
	rip_printer_set_gain(&printer, 19);
	assert_int_equal(rip_cal_set_printer(&cal, "K", &printer), 0);
	assert_true(rip_cal_is_ours(&cal));
	assert_true(rip_cal_response(&cal, "K", mask, 2, 600, NULL, &response));
	rip_response_of(&other, &printer, mask, 2);
	assert_true(most_apart() < .002); /* rounded as text */
	assert_true(rip_cal_response(&cal, "C", mask, 2, 600, NULL, &other));
	assert_true(most_apart() == 0);
	/* The spot is as wide on paper at every resolution: half the pixels at half of it. */
	assert_true(rip_cal_printer(&cal, "K", 300, &read));
	assert_true(fabs(read.spot - printer.spot / 2) < .001 && read.dpi == 300);

	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		response.area[i] = smooth(i / 256.);
	assert_int_equal(rip_cal_set_steps(&cal, "K", 0, black->name, 600, 2, &response), 0);
	assert_true(rip_cal_response(&cal, "K", black, 2, 600, NULL, &other));
	assert_true(most_apart() < .0015);
	assert_true(rip_cal_response(&cal, "K", black, 4, 600, NULL, &other));
	assert_true(most_apart() > .01);
	assert_true(rip_cal_response(&cal, "K", black, 2, 1200, NULL, &other));
	assert_true(most_apart() > .01);
	assert_true(rip_cal_response(&cal, "C", black, 2, 600, NULL, &other));
	assert_true(most_apart() > .01);
}

/* Notes that make no sense count as none. */
static void test_wrong_notes(void **state)
{
	static const char *const steps_of[] = {
		"", " ", "cells-4-black", "cells-4-black 600 2", "cells-4-black 600 2 0 1 2",
		"cells-4-black x 2 0", "cells-4-black 600 99 0", "cells-4-black 600 2 -5",
		"cells-4-black 600 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
		" 0 0 0 0 0 0 0 0 0 0 0 0 10001",
		"cells-4-black 600 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
		" 0 0 0 0 0 0 0 0 0 0 0 0 1 1",
	};
	const struct rip_pattern *black = pattern("cells-4-black");
	struct rip_printer printer;

	memset(&cal, 0, sizeof cal);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_MODEL_K", "laser spot=99"), 0);
	assert_false(rip_cal_response(&cal, "K", black, 2, 600, NULL, &response));
	assert_true(rip_printer_preset(&printer, "inkjet", 600));
	assert_int_equal(rip_cal_set_printer(&cal, "K", &printer), 0);
	assert_true(rip_cal_response(&cal, "K", black, 2, 600, NULL, &response));
	for (size_t i = 0; i < sizeof steps_of / sizeof *steps_of; i++) {
		if (rip_cal_set_note(&cal, "RIPTIDE_STEPS_K_0", steps_of[i]) < 0)
			continue;
		assert_true(rip_cal_response(&cal, "K", black, 2, 600, NULL, &other));
		assert_true(most_apart() == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smooth),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_wrong_notes),
	};

	return rip_test_run(tests);
}
