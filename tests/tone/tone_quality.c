/*
 * How far greys are off on simulated paper, without a curve and with the curve of the class's
 * preset: |dL*| of greys of 2 to 98 %, whose target is area = ink.
 *
 *	tone_quality [--table]
 *
 * Without --table it checks the bars and prints what it found.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/engine_cpu.h"
#include "halftone/mask_screen.h"
#include "tests/tone/simulated_paper.h"
#include "tone/curve_for.h"
#include "tone/preset.h"
#include "tone/tables/field_dots.h"

#define SIDE   96 /* of the fields: whole cells of both clustered screens */
#define GREYS  25 /* 2, 6 ... 98 % */
#define ERRORS (SIMULATED_PRINTERS * GREYS)
#define SEED   20261122

static struct rip_engine *engine;

/* ---- screens ---- */

static const char *const screen_names[] = {
	"floyd-steinberg", "blue-noise", "blue-noise-mask", "clustered-141", "clustered-106",
};
#define SCREENS 5

static const struct rip_screen *screen_of(int i)
{
	static struct rip_mask_screen masks[SCREENS];
	const struct rip_mask_use use = {
		.x_dpi = 600, .y_dpi = 600, .planes = 1, .inks = { RIP_INK_BLACK },
	};
	char why[128];
	const int id = rip_screen_find(screen_names[i]);

	if (id >= 0)
		return &rip_screens[id];
	if (!masks[i].base.name &&
	    rip_mask_screen_init(&masks[i], screen_names[i], &use, why, sizeof why) < 0) {
		fprintf(stderr, "%s\n", why);
		exit(99);
	}
	return &masks[i].base;
}

/* ---- what paper shows ---- */

static double lightness(double light)
{
	return light > 216.0 / 24389 ? 116 * cbrt(light) - 16 : light * 24389 / 27;
}

static double print_tone(const struct simulated_printer *printer, const struct rip_screen *screen,
			 uint32_t x)
{
	static uint8_t dots[SIDE * SIDE];

	field_dots(engine, screen, 2, x, SIDE, SIDE, dots);
	return simulated_print(printer, dots, SIDE, 2, SEED + x);
}

/* The errors of all greys through a curve; NULL: none.  Ends at `errors + GREYS`.  Returns the most
 * by which the area falls from a grey to the next darker one. */
static double judge(const struct simulated_printer *printer, const struct rip_screen *screen,
		    const uint16_t *curve, double *errors)
{
	const double solid = print_tone(printer, screen, 65535);
	double before = 0, fall = 0;

	for (int i = 0; i < GREYS; i++) {
		const double ink = 0.02 + 0.04 * i;
		const uint32_t x = curve ? curve[lrint(65535 * ink)] : (uint32_t)lrint(65535 * ink);

		const double light = print_tone(printer, screen, x);
		const double area = (1 - light) / (1 - solid);

		errors[i] = fabs(lightness(light) - lightness(1 - ink * (1 - solid)));
		fall = fmax(fall, before - area);
		before = area;
	}
	return fall;
}

static void curve_of(const struct simulated_printer *printer, const struct rip_screen *screen,
		     uint16_t *curve)
{
	struct rip_wish wish = RIP_WISH_NOTHING;
	struct rip_response response;
	struct rip_printer preset;

	if (!rip_printer_preset(&preset, printer->class, printer->dpi))
		exit(99);
	rip_response_of(&response, &preset, rip_pattern_of(screen, 0), 2);
	wish.target = RIP_TARGET_LINEAR;
	wish.response = &response;
	rip_curve_for(&wish, false, 65536, curve);
}

/* ---- bars ---- */

struct summary {
	double mean, part_95, most;
};

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static struct summary summary_of(double *errors, int count)
{
	struct summary summary = { 0, 0, 0 };

	qsort(errors, (size_t)count, sizeof *errors, ascending);
	for (int i = 0; i < count; i++)
		summary.mean += errors[i] / count;
	summary.part_95 = errors[(int)(0.95 * (count - 1))];
	summary.most = errors[count - 1];
	return summary;
}

/* What a screen's greys may be off with the preset, L*: mean and 95 % of them. */
static const double bars[SCREENS][2] = {
	{ 6, 18 }, { 6, 18 }, { 6, 17 }, { 3, 6 }, { 3, 6 },
};
#define FALL 1 /* points of area by which a darker grey may print lighter */

int main(int argc, char *argv[])
{
	const bool table = argc == 2 && !strcmp(argv[1], "--table");
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .threads = 1 };
	static uint16_t curve[65536];
	static double without[ERRORS], with[ERRORS];
	int failed = 0;

	if (rip_engine_cpu_new(&config, &engine) < 0)
		return 99;
	printf("|dL*| of greys, mean / 95 %% / most, seed %d\n%-18s %-20s %-20s %s\n", SEED, "",
	       "no curve", "preset of the class", "falls");
	for (int s = 0; s < SCREENS; s++) {
		struct summary a, b;
		double fall = 0;

		for (int p = 0; p < SIMULATED_PRINTERS; p++) {
			judge(&simulated_printers[p], screen_of(s), NULL, without + (ptrdiff_t)p * GREYS);
			curve_of(&simulated_printers[p], screen_of(s), curve);
			fall = fmax(fall, 100 * judge(&simulated_printers[p], screen_of(s), curve,
						      with + (ptrdiff_t)p * GREYS));
			if (table) {
				double copy[GREYS];

				memcpy(copy, with + (ptrdiff_t)p * GREYS, sizeof copy);
				b = summary_of(copy, GREYS);
				printf("  %-22s %4.1f %4.1f %4.1f\n", simulated_printers[p].name, b.mean,
				       b.part_95, b.most);
			}
		}
		a = summary_of(without, ERRORS);
		b = summary_of(with, ERRORS);
		printf("%-18s %4.1f /%5.1f /%5.1f  %4.1f /%5.1f /%5.1f  %4.1f\n", screen_names[s], a.mean,
		       a.part_95, a.most, b.mean, b.part_95, b.most, fall);
		if (b.mean > bars[s][0] || b.part_95 > bars[s][1] || b.mean > a.mean / 2 ||
		    fall > FALL) {
			printf("%s: over the bar of %.1f / %.1f, or half of no curve, or falls by more than %d\n",
			       screen_names[s], bars[s][0], bars[s][1], FALL);
			failed = 1;
		}
	}
	engine->ops->free(engine);
	return failed;
}
