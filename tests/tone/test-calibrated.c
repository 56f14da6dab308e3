/* Measured steps, and what a calibration's notes say about a screen. */
#include "tests/tools/testing.h"

#include <math.h>

#include "tone/calibrated.h"
#include "tone/preset.h"

static struct rip_steps steps;
static struct rip_response response, other;
static struct rip_cal cal;

static void assert_ascends(const struct rip_response *r)
{
	assert_true(r->area[0] == 0 && r->area[RIP_RESPONSE_POINTS - 1] == 1);
	for (unsigned i = 1; i < RIP_RESPONSE_POINTS; i++)
		assert_true(r->area[i] > r->area[i - 1]);
}

static const struct rip_pattern *pattern(const char *name)
{
	const struct rip_pattern *found = rip_pattern_find(name);

	assert_non_null(found);
	return found;
}

/* A printer, and the model of it, which is a bad one. */
static void init_printers(struct rip_printer *real, struct rip_printer *model)
{
	assert_true(rip_printer_preset(real, "laser", 600) &&
		    rip_printer_preset(model, "laser", 600));
	rip_printer_set_gain(real, 27);
	rip_printer_set_gain(model, 15);
}

/* Measures 33 even steps, each off by `noise` L* one way or the other, and the middle one by
 * `middle`. */
static void measure(const struct rip_printer *real, const struct rip_pattern *on, double noise,
		    double middle)
{
	steps.count = 0;
	for (unsigned i = 0; i < 33; i++) {
		const unsigned step = i * 14 % 33; /* in any order */
		const double off = step == 16 ? middle : noise * (rip_test_below(2) ? 1 : -1);
		const double area = rip_area_of_tint(real, on, 2, step / 32.);

		assert_true(rip_steps_add(&steps, step / 32., step % 32 ?
			rip_area_of_lightness(real, rip_lightness(real, area) + off) : area));
	}
	assert_true(rip_steps_sort(&steps));
	assert_int_equal(steps.count, 33);
}

/* How far the response of the steps is from that of the printer, in the mean, L*. */
static double off_by(const struct rip_printer *real, const struct rip_printer *model,
		     const struct rip_pattern *on)
{
	struct rip_even_steps even;
	double sum = 0;

	rip_steps_even(&steps, model, on, 2, &even);
	rip_even_steps_response(&even, model, on, 2, &response);
	assert_ascends(&response);
	rip_response_of(&other, real, on, 2);
	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		sum += fabs(rip_lightness(real, response.area[i]) -
			    rip_lightness(real, other.area[i]));
	return sum / RIP_RESPONSE_POINTS;
}

/* Steps give the response of their printer, although the model is of another, and take some of
 * the readings' noise away. */
TEST(response)
{
	static const char *const names[] = { "floyd-steinberg", "blue-noise-mask",
					     "cells-4-black" };
	struct rip_printer real, model;

	init_printers(&real, &model);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		steps.count = 0;
		rip_steps_add(&steps, 1, 1);
		assert_true(off_by(&real, &model, pattern(names[i])) > 2);
		measure(&real, pattern(names[i]), 0, 0);
		assert_true(off_by(&real, &model, pattern(names[i])) < .25);
		measure(&real, pattern(names[i]), .3, .3);
		assert_true(off_by(&real, &model, pattern(names[i])) < .3);
	}
}

/* The step at one half, where error diffusion makes a checkerboard, says little about the tones
 * beside it.  On a mask it is a step like any other. */
TEST(checkerboard)
{
	struct rip_printer real, model;

	init_printers(&real, &model);
	for (int way = -1; way <= 1; way += 2) {
		measure(&real, pattern("floyd-steinberg"), 0, 5 * way);
		assert_true(off_by(&real, &model, pattern("floyd-steinberg")) < .3);
		print_message("# one half: %.2f L* off\n",
			      rip_lightness(&real, response.area[128]) -
				      rip_lightness(&real, other.area[128]));
		assert_true(fabs(rip_lightness(&real, response.area[128]) -
				 rip_lightness(&real, other.area[128])) < 1);
		measure(&real, pattern("blue-noise-mask"), 0, 5 * way);
		assert_true(off_by(&real, &model, pattern("blue-noise-mask")) > .1);
		assert_true(fabs(rip_lightness(&real, response.area[128]) -
				 rip_lightness(&real, other.area[128])) > 1);
	}
}

/* Several readings of a step are averaged; whatever was measured, the response ascends from paper
 * to solid ink. */
TEST(noise)
{
	struct rip_printer real, model;

	init_printers(&real, &model);
	steps.count = 0;
	rip_steps_add(&steps, .5, .6);
	rip_steps_add(&steps, .25, .31);
	rip_steps_add(&steps, .5, .7);
	rip_steps_add(&steps, .75, 1.02);
	assert_true(rip_steps_sort(&steps));
	assert_int_equal(steps.count, 3);
	assert_true(fabs(steps.step[1].area - .65) < 1e-9);
	off_by(&real, &model, pattern("blue-noise-mask"));
	assert_true(fabs(response.area[128] - .65) < .01);
	for (unsigned run = 0; run < 100; run++) {
		steps.count = 0;
		for (unsigned i = 0; i < 40; i++)
			rip_steps_add(&steps, rip_test_below(101) / 100.,
				      rip_test_below(1400) / 1000. - .2);
		rip_steps_add(&steps, 1, 1);
		if (rip_steps_sort(&steps))
			off_by(&real, &model, pattern(run % 2 ? "blue-noise-mask" : "blue-noise"));
	}
}

TEST(too_few)
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

static double most_apart(void)
{
	double most = 0;

	for (unsigned i = 0; i < RIP_RESPONSE_POINTS; i++)
		most = fmax(most, fabs(response.area[i] - other.area[i]));
	return most;
}

/* The model serves every screen, and every ink that has none of its own; what was measured
 * serves its screen, resolution and levels only. */
TEST(notes)
{
	const struct rip_pattern *black = rip_pattern_reference(),
				 *mask = pattern("blue-noise-mask");
	struct rip_printer printer, read, darker;
	struct rip_even_steps even;

	memset(&cal, 0, sizeof cal);
	assert_false(rip_cal_is_ours(&cal));
	assert_false(rip_cal_printer(&cal, "K", 600, &read));
	assert_false(rip_cal_response(&cal, "K", black, 2, 600, NULL, &response));
	assert_true(rip_printer_preset(&printer, "laser", 600));
	rip_printer_set_gain(&printer, 19);
	darker = printer;
	rip_printer_set_gain(&darker, 24);
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

	rip_cal_printer(&cal, "K", 600, &read);
	rip_response_of(&response, &darker, black, 2);
	for (unsigned i = 0; i < RIP_EVEN_STEPS; i++)
		even.area[i] = rip_response_area(&response, i / 32.);
	assert_int_equal(rip_cal_set_steps(&cal, "K", 0, black->name, 600, 2, &even), 0);
	assert_true(rip_cal_response(&cal, "K", black, 2, 600, NULL, &other));
	assert_true(most_apart() < .003);
	assert_true(rip_cal_response(&cal, "K", black, 4, 600, NULL, &other));
	assert_true(most_apart() > .01);
	assert_true(rip_cal_response(&cal, "K", black, 2, 1200, NULL, &other));
	assert_true(most_apart() > .01);
	assert_true(rip_cal_response(&cal, "C", black, 2, 600, NULL, &other));
	assert_true(most_apart() > .01);
}

/* Notes that make no sense count as none. */
TEST(wrong_notes)
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
