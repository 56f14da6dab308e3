/*
 * How far greys are off on simulated paper: without a curve, with the curve of the class's
 * preset, and with the calibrations that riptide calibrate makes of a chart read by eye and of
 * a measured wedge.  |dL*| of greys of 2 to 98 %, whose target is area = ink.
 *
 * The eye takes the nearest of tints in steps of 2 %, on two screens; its calibration serves all
 * five.  With --noisy-eye it is also off by 1 L* (standard deviation), and has no bar.  The wedge
 * has 33 steps of each screen, measured with 0.3 L* of noise.
 *
 *	tone_quality [--table] [--noisy-eye] [--seed N]
 *
 * Without --table it checks the bars and prints what it found.
 */
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/measure/calibrate.h"
#include "command/measure/target.h"
#include "halftone/engine_cpu.h"
#include "halftone/screen/mask_screen.h"
#include "tests/tone/simulated_paper.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"
#include "tone/tables/field_dots.h"

#define SIDE   96 /* of the fields: whole cells of both clustered screens */
#define GREYS  25 /* 2, 6 ... 98 % */
#define ERRORS (SIMULATED_PRINTERS * GREYS)

static uint64_t seed = 20261122;

static struct rip_engine *engine;

/* ---- screens ---- */

static const char *const screen_names[] = {
	"floyd-steinberg", "blue-noise", "blue-noise-mask", "clustered-141", "clustered-106",
};
#define SCREENS 5

/* In short tests (tests/local.mk), one screen that diffuses errors and one with clusters. */
static bool is_judged(int screen)
{
	return !getenv("RIPTIDE_TEST_SHORT") || !strcmp(screen_names[screen], "blue-noise") ||
	       !strcmp(screen_names[screen], "clustered-141");
}

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
	return simulated_print(printer, dots, SIDE, 2, seed + x);
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

/* The curve that makes area = ink of a response. */
static void curve_of(const struct rip_response *response, uint16_t *curve)
{
	struct rip_wish wish = RIP_WISH_NOTHING;

	wish.target = RIP_TARGET_LINEAR;
	wish.response = response;
	rip_curve_for(&wish, false, 65536, curve);
}

static void preset_of(const struct simulated_printer *printer, const struct rip_screen *screen,
		      struct rip_response *response)
{
	struct rip_printer preset;

	if (!rip_printer_preset(&preset, printer->class, printer->dpi))
		exit(99);
	rip_response_of(response, &preset, rip_pattern_of(screen, 0), 2);
}

/* ---- calibrations ---- */

static double eye_deviation; /* L* */

static uint64_t noise_state;

/* A normally distributed number, by the sum of twelve even ones. */
static double noise(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		uint64_t z = (noise_state += 0x9e3779b97f4a7c15u);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		sum += (double)((z ^ (z >> 31)) >> 11) / (1ull << 53);
	}
	return sum;
}

/* How light lines of so many of 16 pixels look: half of them upright, half flat. */
static double print_lines(const struct simulated_printer *printer, unsigned ink)
{
	static uint8_t dots[SIDE * SIDE];
	double sum = 0;

	for (int upright = 0; upright < 2; upright++) {
		for (unsigned y = 0; y < SIDE; y++)
			for (unsigned x = 0; x < SIDE; x++)
				dots[y * SIDE + x] = (upright ? x : y) % RIP_TARGET_PERIOD < ink;
		sum += simulated_print(printer, dots, SIDE, 2,
				       seed + ink + 100 * (unsigned)upright);
	}
	return sum / 2;
}

static struct rip_calibration begin_calibration(const struct simulated_printer *printer)
{
	/* The screens of this program are those of 600 dpi; the model counts in pixels. */
	return (struct rip_calibration){
		.preset = printer->class, .screen = "clustered-106", .dpi = 600, .levels = 2,
	};
}

static void end_calibration(struct rip_calibration *calibration, struct rip_cal *cal)
{
	if (rip_calibration_fit(calibration, cal) != 0)
		exit(99);
	rip_calibration_finish(calibration);
}

/* The chart by eye, with the mask and the screen of 106 lines an inch. */
static void by_eye(const struct simulated_printer *printer, struct rip_cal *cal)
{
	static const int screens[] = { 2, 4 };
	struct rip_calibration calibration = begin_calibration(printer);

	for (int s = 0; s < 2; s++) {
		double tints[50];

		for (int t = 1; t < 50; t++)
			tints[t] = lightness(print_tone(printer, screen_of(screens[s]),
							(uint32_t)(65535 * 2 * t / 100)));
		for (int i = 0; i < RIP_TARGET_LINES; i++) {
			const unsigned ink = RIP_TARGET_PERIOD * rip_target_lines[i] / 1000;
			const double seen = lightness(print_lines(printer, ink)) +
					    eye_deviation * noise();
			char match[64];
			const struct rip_target_tints *row = &rip_target_tints[i];
			int nearest = (int)row->first / 2;

			for (int t = nearest; t <= (int)row->last / 2; t++)
				if (fabs(tints[t] - seen) < fabs(tints[nearest] - seen))
					nearest = t;
			snprintf(match, sizeof match, "%s:%g=%d", screen_names[screens[s]],
				 rip_target_lines[i] / 10.0, 2 * nearest);
			if (rip_calibration_add_matches(&calibration, match) != 0)
				exit(99);
		}
	}
	end_calibration(&calibration, cal);
}

/* The wedge of one screen. */
static void by_wedge(const struct simulated_printer *printer, int screen, struct rip_cal *cal)
{
	struct rip_calibration calibration = begin_calibration(printer);
	struct rip_calibration_ink *ink = rip_calibration_ink(&calibration, "K");
	struct rip_steps *steps = rip_calibration_add_steps(&calibration, ink,
							    screen_names[screen]);
	const double solid = print_tone(printer, screen_of(screen), 65535);

	for (int i = 0; i < 33; i++) {
		const uint32_t x = (uint32_t)lrint(65535 * i / 32.0);
		const double lightness_of =
			lightness(i ? print_tone(printer, screen_of(screen), x) : 1) +
			(i > 0 && i < 32 ? 0.3 * noise() : 0);
		const double f = (lightness_of + 16) / 116;
		const double light = lightness_of > 8 ? f * f * f : lightness_of * 27 / 24389;

		rip_steps_add(steps, i / 32.0, (1 - light) / (1 - solid));
	}
	ink->solid = solid;
	end_calibration(&calibration, cal);
}

static void calibrated(const struct rip_cal *cal, int screen, struct rip_response *response)
{
	if (!rip_cal_response(cal, "K", rip_pattern_of(screen_of(screen), 0), 2, 600, NULL,
			      response))
		exit(99);
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

/* 95 % of the greys, with calibrations: by eye, after a wedge. */
static const double eye_bar = 3, wedge_bar = 1;

/* One way to make curves: how, and what came out. */
enum way { NONE, PRESET, EYE, WEDGE, WAYS };

/* Of all screens, ways, printers and greys; shared with the processes that fill it. */
static double (*errors_of)[WAYS][ERRORS];
static double (*falls)[SIMULATED_PRINTERS]; /* of screens and printers, with the preset: points */

static void judge_printer(int p, int screen, const struct rip_cal *eye)
{
	static uint16_t curve[65536];
	const struct simulated_printer *printer = &simulated_printers[p];
	const ptrdiff_t at = (ptrdiff_t)p * GREYS;
	double (*errors)[ERRORS] = errors_of[screen];
	struct rip_response response;
	struct rip_cal wedge;

	judge(printer, screen_of(screen), NULL, errors[NONE] + at);
	preset_of(printer, screen_of(screen), &response);
	curve_of(&response, curve);
	falls[screen][p] = 100 * judge(printer, screen_of(screen), curve, errors[PRESET] + at);
	calibrated(eye, screen, &response);
	curve_of(&response, curve);
	judge(printer, screen_of(screen), curve, errors[EYE] + at);
	by_wedge(printer, screen, &wedge);
	calibrated(&wedge, screen, &response);
	curve_of(&response, curve);
	judge(printer, screen_of(screen), curve, errors[WEDGE] + at);
}

static void print_table(double (*errors)[ERRORS])
{
	for (int p = 0; p < SIMULATED_PRINTERS; p++) {
		printf("  %-22s", simulated_printers[p].name);
		for (int w = 0; w < WAYS; w++) {
			double copy[GREYS];
			struct summary summary;

			memcpy(copy, errors[w] + (ptrdiff_t)p * GREYS, sizeof copy);
			summary = summary_of(copy, GREYS);
			printf("  %4.1f /%5.1f /%5.1f", summary.mean, summary.part_95,
			       summary.most);
		}
		putchar('\n');
	}
}

/* Judges each printer in a process of its own, as many at once as there are processors.  Returns
 * whether all could. */
static bool judge_all(void)
{
	const long most = sysconf(_SC_NPROCESSORS_ONLN);
	long running = 0;
	bool all = true;
	int status;

	for (int p = 0; p < SIMULATED_PRINTERS; p++) {
		if (running++ >= most)
			all &= wait(&status) > 0 && status == 0;
		if (fork() == 0) {
			struct rip_cal eye;

			noise_state = seed + 1000u * (unsigned)p;
			by_eye(&simulated_printers[p], &eye);
			for (int s = 0; s < SCREENS; s++)
				if (is_judged(s))
					judge_printer(p, s, &eye);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		all &= status == 0;
	return all;
}

int main(int argc, char *argv[])
{
	bool table = false;
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .threads = 1 };
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		table |= !strcmp(argv[i], "--table");
		eye_deviation = strcmp(argv[i], "--noisy-eye") ? eye_deviation : 1;
		if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	if (rip_engine_cpu_new(&config, &engine) < 0)
		return 99;
	mallopt(M_TRIM_THRESHOLD, 1 << 30); /* fields of half a megabyte come and go */
	printf("|dL*| of greys, mean / 95 %% / most, seed %llu\n%-18s %-20s %-20s %-20s %-20s\n",
	       (unsigned long long)seed, "", "no curve", "preset of the class", "by eye",
	       "wedge of 33 steps");
	fflush(stdout);
	errors_of = mmap(NULL, SCREENS * sizeof *errors_of, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	falls = mmap(NULL, SCREENS * sizeof *falls, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (errors_of == MAP_FAILED || falls == MAP_FAILED || !judge_all())
		return 99;
	for (int s = 0; s < SCREENS; s++) {
		struct summary all[WAYS];
		double fall = 0;

		if (!is_judged(s))
			continue;
		if (table)
			print_table(errors_of[s]);
		printf("%-18s", screen_names[s]);
		for (int w = 0; w < WAYS; w++) {
			all[w] = summary_of(errors_of[s][w], ERRORS);
			printf(" %4.1f /%5.1f /%5.1f ", all[w].mean, all[w].part_95, all[w].most);
		}
		for (int p = 0; p < SIMULATED_PRINTERS; p++)
			fall = fmax(fall, falls[s][p]);
		printf("falls %.1f\n", fall);
		if (fall > FALL) {
			printf("%s: falls by more than %d\n", screen_names[s], FALL);
			failed = 1;
		}
		if (all[PRESET].mean > bars[s][0] || all[PRESET].part_95 > bars[s][1] ||
		    all[PRESET].mean > all[NONE].mean / 2) {
			printf("%s: over the bar of %.1f / %.1f, or half of no curve\n",
			       screen_names[s], bars[s][0], bars[s][1]);
			failed = 1;
		}
		if ((all[EYE].part_95 > eye_bar && eye_deviation == 0) ||
		    all[WEDGE].part_95 > wedge_bar) {
			printf("%s: over the bar of %.1f by eye, or of %.1f after a wedge\n",
			       screen_names[s], eye_bar, wedge_bar);
			failed = 1;
		}
	}
	engine->ops->free(engine);
	return failed;
}
