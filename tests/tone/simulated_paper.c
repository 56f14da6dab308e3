/* Printers that are not the model's. */
#include "tests/tone/simulated_paper.h"
#include "tests/tools/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINE 4 /* places in a pixel, each way */

const struct simulated_printer simulated_printers[SIMULATED_PRINTERS] = {
	{ .name = "ink with satellites", .class = "inkjet", .dpi = 360, .rx = 0.80, .ry = 0.80,
	  .place = 0.12, .size = 0.08, .satellite = 0.25, .scatter = 1.5, .solid = 0.06 },
	{ .name = "ink, large drops", .class = "inkjet", .dpi = 360, .rx = 0.95, .ry = 0.95,
	  .place = 0.20, .size = 0.10, .scatter = 1.0, .solid = 0.05 },
	{ .name = "ink that spreads", .class = "inkjet", .dpi = 360, .rx = 0.75, .ry = 0.75,
	  .place = 0.08, .size = 0.05, .spreads = 0.25, .scatter = 2.0, .solid = 0.07 },
	{ .name = "thermal, warm head", .class = "thermal", .dpi = 203, .rx = 0.72, .ry = 0.88,
	  .place = 0.02, .size = 0.03, .warm = 0.12, .scatter = 0.4, .solid = 0.06 },
	{ .name = "thermal, wide dots", .class = "thermal", .dpi = 203, .rx = 0.80, .ry = 0.70,
	  .place = 0.02, .size = 0.04, .warm = 0.06, .scatter = 0.4, .solid = 0.08 },
	{ .name = "laser", .class = "laser", .dpi = 600, .sx = 0.50, .sy = 0.42,
	  .threshold = 0.42, .grain = 0.04, .scatter = 1.5, .solid = 0.04 },
	{ .name = "laser, coarse toner", .class = "laser", .dpi = 600, .sx = 0.58, .sy = 0.50,
	  .threshold = 0.36, .grain = 0.08, .scatter = 1.5, .solid = 0.04 },
	{ .name = "laser, soft", .class = "laser", .dpi = 600, .sx = 0.48, .sy = 0.40,
	  .threshold = 0.40, .grain = 0.04, .softness = 0.05, .scatter = 2.0, .solid = 0.05 },
	{ .name = "laser, light", .class = "laser", .dpi = 600, .sx = 0.45, .sy = 0.40,
	  .threshold = 0.50, .grain = 0.05, .scatter = 1.5, .solid = 0.04 },
	{ .name = "laser, dark", .class = "laser", .dpi = 600, .sx = 0.45, .sy = 0.45,
	  .threshold = 0.30, .grain = 0.06, .softness = 0.03, .scatter = 1.0, .solid = 0.04 },
};

/* ---- random numbers ---- */

/* 0 to 1: splitmix64. */
static double uniform(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Mean 0, deviation 1: Box and Muller. */
static double normal(uint64_t *state)
{
	const double u = 1 - uniform(state);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * uniform(state));
}

/* ---- fields that repeat ---- */

/* Four values at once: -O2 alone makes no vectors of these loops. */
typedef float floats __attribute__((vector_size(16), aligned(4), may_alias));

/* The sum of rows of n values, a multiple of 16, each row with a weight. */
static void add_weighted(float *to, const float *const *rows, const float *weights, int count,
			 unsigned n)
{
	for (unsigned j = 0; j < n; j += 16) {
		floats sums[4] = { 0 };

		for (int k = 0; k < count; k++)
#pragma GCC unroll 4
			for (int i = 0; i < 4; i++)
				sums[i] += weights[k] * ((const floats *)(rows[k] + j))[i];
		memcpy(to + j, sums, sizeof sums);
	}
}

/* The weights of a Gaussian from -reach to reach; their sum is 1. */
static float *gaussian(double sigma, int *reach)
{
	const int most = *reach = (int)ceil(3.5 * sigma);
	float *weights = need(malloc((2 * (size_t)most + 1) * sizeof *weights));
	double total = 0;

	for (int k = -most; k <= most; k++)
		total += exp(-k * k / (2 * sigma * sigma));
	for (int k = -most; k <= most; k++)
		weights[k + most] = (float)(exp(-k * k / (2 * sigma * sigma)) / total);
	return weights;
}

/* Blurs a field of n x n values, n a multiple of 16: Gaussians of these sigmas, in values. */
static void blur(float *field, unsigned n, double sx, double sy)
{
	int reach_x, reach_y;
	AUTO_FREE float *weights_x = gaussian(sx, &reach_x), *weights_y = gaussian(sy, &reach_y);
	const int most = reach_x > reach_y ? reach_x : reach_y;
	const float **rows = need(malloc((2 * (size_t)most + 1) * sizeof *rows));
	AUTO_FREE float *line = need(malloc((n + 2 * (size_t)reach_x) * sizeof *line));
	AUTO_FREE float *flat =
		need(malloc((size_t)n * n * sizeof *flat)); /* blurred along its rows */

	for (int k = 0; k <= 2 * reach_x; k++)
		rows[k] = line + k;
	for (unsigned i = 0; i < n; i++) {
		for (int j = -reach_x; j < (int)n + reach_x; j++)
			line[j + reach_x] = field[(size_t)i * n + (unsigned)(j + (int)n * 8) % n];
		add_weighted(flat + (size_t)i * n, rows, weights_x, 2 * reach_x + 1, n);
	}
	for (unsigned i = 0; i < n; i++) {
		for (int k = -reach_y; k <= reach_y; k++)
			rows[k + reach_y] = flat +
					    (size_t)((unsigned)((int)i + k + (int)n * 8) % n) * n;
		add_weighted(field + (size_t)i * n, rows, weights_y, 2 * reach_y + 1, n);
	}
	free(rows);
}

/* ---- printing ---- */

static uint8_t dot_at(const uint8_t *dots, unsigned side, unsigned i, unsigned j)
{
	return dots[(size_t)(i % side) * side + j % side];
}

static void draw_ellipse(float *field, unsigned n, double y, double x, double ry, double rx)
{
	const int reach_y = (int)ceil(ry) + 1, reach_x = (int)ceil(rx) + 1;

	for (int i = (int)floor(y) - reach_y; i <= (int)floor(y) + reach_y; i++)
		for (int j = (int)floor(x) - reach_x; j <= (int)floor(x) + reach_x; j++) {
			const double v = (i + 0.5 - y) / ry, u = (j + 0.5 - x) / rx;

			if (v * v + u * u <= 1)
				field[(size_t)((unsigned)(i + (int)n * 8) % n) * n +
				      (unsigned)(j + (int)n * 8) % n] = 1;
		}
}

static void print_discs(const struct simulated_printer *printer, const uint8_t *dots, unsigned side,
			unsigned levels, uint64_t *random, float *field)
{
	const unsigned n = side * FINE;

	memset(field, 0, (size_t)n * n * sizeof *field);
	for (unsigned i = 0; i < side; i++)
		for (unsigned j = 0; j < side; j++) {
			const unsigned level = dot_at(dots, side, i, j);
			const unsigned above = dot_at(dots, side, i + side - 1, j) > 0;
			const unsigned beside = above + (dot_at(dots, side, i + 1, j) > 0) +
						(dot_at(dots, side, i, j + side - 1) > 0) +
						(dot_at(dots, side, i, j + 1) > 0);
			double size, y, x;

			if (level == 0)
				continue;
			size = FINE * (1 + printer->size * normal(random)) *
			       (1 + printer->spreads * beside / 4 + printer->warm * above) *
			       sqrt(level / (levels - 1.0));
			y = (i + 0.5 + printer->place * normal(random)) * FINE;
			x = (j + 0.5 + printer->place * normal(random)) * FINE;
			draw_ellipse(field, n, y, x, printer->ry * size, printer->rx * size);
			if (printer->satellite > 0)
				draw_ellipse(field, n, y, x + 1.1 * FINE, printer->satellite * FINE,
					     printer->satellite * FINE);
		}
}

/* Grains of toner, n x n values: mean 0, deviation 1.  To make them takes longer than all else, so
 * there is one field. */
static const float *toner_grain(unsigned n)
{
	static float *grain;
	static unsigned side;
	const size_t count = (size_t)n * n;
	uint64_t random = n;
	double sum = 0;

	if (side == n)
		return grain;
	free(grain);
	grain = need(malloc(count * sizeof *grain));
	side = n;
	for (size_t i = 0; i < count; i++)
		grain[i] = (float)normal(&random);
	blur(grain, n, 0.6 * FINE, 0.6 * FINE);
	for (size_t i = 0; i < count; i++)
		sum += grain[i] * grain[i];
	sum = sqrt(sum / (double)count);
	for (size_t i = 0; i < count; i++)
		grain[i] = (float)(grain[i] / sum);
	return grain;
}

/* Each print has the field of grains elsewhere. */
static void print_toner(const struct simulated_printer *printer, const uint8_t *dots, unsigned side,
			unsigned levels, uint64_t *random, float *field)
{
	const unsigned n = side * FINE;
	const float *grain = toner_grain(n);
	const unsigned down = (unsigned)(n * uniform(random)),
		       right = (unsigned)(n * uniform(random));

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			field[(size_t)i * n + j] = (float)(dot_at(dots, side, i / FINE, j / FINE) /
							   (levels - 1.0));
	blur(field, n, printer->sx * FINE, printer->sy * FINE);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const double grains = grain[(size_t)((i + down) % n) * n + (j + right) % n];
			float *place = field + (size_t)i * n + j;
			const double over = *place + printer->grain * grains - printer->threshold;

			*place = printer->softness > 0 ?
					 (float)(1 / (1 + exp(-over / printer->softness))) :
					 over > 0;
		}
}

/* Light enters through the ink, spreads, and leaves through the ink.  The mean reflectance. */
static double see(float *field, unsigned n, double scatter, double solid)
{
	const size_t count = (size_t)n * n;
	AUTO_FREE float *near = need(malloc(count * sizeof *near)),
			*far = need(malloc(count * sizeof *far));
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		near[i] = far[i] = field[i] = (float)(1 - field[i] * (1 - sqrt(solid)));
	blur(near, n, 0.5 * scatter * FINE, 0.5 * scatter * FINE);
	blur(far, n, 1.2 * scatter * FINE, 1.2 * scatter * FINE);
	for (size_t i = 0; i < count; i++)
		sum += field[i] * (0.6 * near[i] + 0.4 * far[i]);
	return sum / (double)count;
}

double simulated_print(const struct simulated_printer *printer, const uint8_t *dots, unsigned side,
		       unsigned levels, uint64_t seed)
{
	const unsigned n = side * FINE;
	AUTO_FREE float *field = need(malloc((size_t)n * n * sizeof *field));
	double light;

	if (printer->rx > 0)
		print_discs(printer, dots, side, levels, &seed, field);
	else
		print_toner(printer, dots, side, levels, &seed, field);
	light = see(field, n, printer->scatter, printer->solid);
	return light;
}
