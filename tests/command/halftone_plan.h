/* How the tests of riptide halftone halftone a picture: the command line, and the levels by the
 * oracle. */
#ifndef RIP_HALFTONE_PLAN_H
#define RIP_HALFTONE_PLAN_H

#include "tests/tools/mask_dots.h"
#include "tests/tools/oracle.h"
#include "tests/tools/run.h"

/* How a picture is halftoned, and what else is on the command line. */
struct plan {
	unsigned    levels;
	const char *screen;
	unsigned    dpi[2]; /* 0: not on the command line */
	bool        zero;
	const uint16_t *curve; /* 256 tones, or NULL */
	const char *options[8]; /* that change no dot; ended by NULL */
};

/* What the plan's curve makes of a sample. */
static uint16_t plan_tone(const struct plan *plan, uint16_t x)
{
	const unsigned left = x / 257u, part = x % 257u;
	const double right = plan->curve && part ? plan->curve[left + 1] : 0;

	return plan->curve ?
		       (uint16_t)((plan->curve[left] * (257.0 - part) + right * part) / 257 + 0.5) :
		       x;
}

/* The levels of a plane.  dpi: where the plan has none. */
static void plan_levels(const struct plan *plan, const uint16_t *x, unsigned width, unsigned height,
			cups_cspace_t space, const unsigned dpi[2], unsigned plane, uint8_t *levels)
{
	assert_true(oracle_halftone(x, width, height, plan->levels, plan->screen, plane,
				    !plan->zero, levels) ||
		    mask_dots(x, width, height, plan->levels, plan->screen, space,
			      plan->dpi[0] ? plan->dpi : dpi, plane, levels));
}

/* Runs riptide halftone. */
static void plan_run(const struct plan *plan, struct rip_run *run, const void *in, size_t in_size)
{
	const char *arguments[32] = { rip_run_program("riptide"), "halftone" };
	char levels[16], resolution[40], curve_path[32];
	int curve_fd = -1;
	size_t n = 2;

	snprintf(levels, sizeof levels, "%u", plan->levels);
	if (plan->levels != 2) {
		arguments[n++] = "--levels";
		arguments[n++] = levels;
	}
	if (strcmp(plan->screen, "floyd-steinberg")) {
		arguments[n++] = "--screen";
		arguments[n++] = plan->screen;
	}
	if (plan->dpi[0]) {
		snprintf(resolution, sizeof resolution,
			 plan->dpi[0] == plan->dpi[1] ? "--resolution=%u" : "--resolution=%ux%u",
			 plan->dpi[0], plan->dpi[1]);
		arguments[n++] = resolution;
	}
	if (plan->zero || plan->levels != 2)
		arguments[n++] = plan->zero ? "--start=zero" : "--start=noise";
	if (plan->curve) {
		char text[256 * 6], *end = text;

		for (int i = 0; i < 256; i++)
			end += sprintf(end, i % 2 ? "%u " : "%u\n", plan->curve[i]);
		curve_fd = rip_run_file(text, (size_t)(end - text));
		snprintf(curve_path, sizeof curve_path, "/proc/%d/fd/%d", (int)getpid(), curve_fd);
		arguments[n++] = "--curve";
		arguments[n++] = curve_path;
	}
	for (int i = 0; plan->options[i]; i++)
		arguments[n++] = plan->options[i];
	rip_run(run, arguments, in, in_size);
	if (curve_fd >= 0)
		close(curve_fd);
}

#endif
