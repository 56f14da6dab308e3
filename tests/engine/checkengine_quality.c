/*
 * checkengine --quality: is 16-bit arithmetic as good as exact arithmetic?
 *
 * Flat fields of all greys are halftoned with the engine's arithmetic and with
 * Floyd-Steinberg in double precision, each from the same four random starts.
 * Held against each other:
 *
 *	tone      the mean of the dots against the grey
 *	line      the largest line of the power spectrum: a crystal, seen as a pattern
 *	spectrum  the power in 32 rings of equal width around 0: the grain
 *
 * The bar for the last two is what double precision does to itself: the widest
 * gap between its own starts.
 */
#include "checkengine.h"

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tone/fft.h"
#include "tests/tools/memory.h"

#define SIZE   1024 /* of a field; a power of two */
#define RINGS  32
#define STARTS 4
#define TONE_BAR 4e-4

struct measure {
	double tone;        /* mean of the dots, 0..1 */
	double line;        /* log10 of the largest line */
	double ring[RINGS]; /* log10 of the mean power */
};

/* Two fields at once, as real and imaginary part: power[0] and power[1]. */
static void power_of(float complex *v, float *power[2])
{
	must(rip_fft_2d(v, SIZE, SIZE), "transform");
	for (size_t i = 0; i < SIZE; i++)
		for (size_t j = 0; j < SIZE; j++) {
			const float complex a = v[i * SIZE + j];
			const float complex b =
				conjf(v[(SIZE - i) % SIZE * SIZE + (SIZE - j) % SIZE]);
			const float complex re = (a + b) / 2, im = (a - b) / (2 * I);

			power[0][i * SIZE + j] =
				(crealf(re) * crealf(re) + cimagf(re) * cimagf(re));
			power[1][i * SIZE + j] =
				(crealf(im) * crealf(im) + cimagf(im) * cimagf(im));
		}
}

static void measure(const float *power, double tone, struct measure *m)
{
	double sum[RINGS] = { 0 }, largest = 0;
	unsigned count[RINGS] = { 0 };

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			const double y = i < SIZE / 2 ? i : i - SIZE,
				     x = j < SIZE / 2 ? j : j - SIZE;
			const int ring = (int)(sqrt(x * x + y * y) * RINGS / (SIZE / 2));

			if ((i == 0 && j == 0) || ring >= RINGS)
				continue;
			sum[ring] += power[i * SIZE + j];
			count[ring]++;
			largest = fmax(largest, power[i * SIZE + j]);
		}
	m->tone = tone;
	m->line = log10(largest + 1);
	for (int r = 0; r < RINGS; r++)
		m->ring[r] = log10(sum[r] / count[r] + 1);
}

/* Floyd-Steinberg in double precision; start in units of a full step. */
static void halftone_double(double grey, const double *start, uint8_t *dots)
{
	static double carry[SIZE + 2], next[SIZE + 2]; /* column j at j + 1 */

	for (int j = 0; j < SIZE; j++)
		carry[j + 1] = start[j];
	for (int i = 0; i < SIZE; i++, dots += SIZE) {
		double right = 0;

		for (int j = 0; j < SIZE + 2; j++)
			next[j] = 0;
		for (int j = 0; j < SIZE; j++) {
			const double s = grey + carry[j + 1] + right;
			const double e = s - (dots[j] = s >= 0.5);

			right = e * 7 / 16;
			next[j] += e * 3 / 16;
			next[j + 1] += e * 5 / 16;
			next[j + 2] += e * 1 / 16;
		}
		for (int j = 0; j < SIZE + 2; j++)
			carry[j] = next[j];
	}
}

static int halftone_engine(struct rip_engine *engine, int grey, const int16_t *start,
			   const uint8_t *row, uint8_t *dots)
{
	static uint8_t packed[SIZE * SIZE / 8];
	const struct rip_page_spec spec = {
		.width = SIZE, .planes = 1, .levels = 2, .sample_bits = 8,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG],
	};
	const struct rip_strip strip = { /* one row for all */
		.rows = SIZE, .in = row, .out = packed, .out_pitch = SIZE / 8,
	};
	struct rip_page *page;
	int r = engine->ops->open(engine, &spec, &page);

	if (r < 0)
		return r;
	r = engine->ops->import_carry(page, 0, start);
	if (r == 0)
		r = engine->ops->push(page, &strip, 1);
	if (r == 0)
		r = engine->ops->pull(page);
	engine->ops->close(page);
	for (size_t k = 0; k < SIZE * SIZE; k++)
		dots[k] = packed[k / 8] >> (7 - k % 8) & 1;
	return r;
}

static double mean(const uint8_t *dots)
{
	uint32_t sum = 0;

	for (size_t k = 0; k < SIZE * SIZE; k++)
		sum += dots[k];
	return (double)sum / (SIZE * SIZE);
}

/* How far a value lies outside of the values of double precision, in units of
 * their own spread (at least `floor`): 0 inside. */
static double outside(double value, const double *those, double floor)
{
	double low = those[0], high = those[0];

	for (int k = 1; k < STARTS; k++) {
		low = fmin(low, those[k]);
		high = fmax(high, those[k]);
	}
	return fmax(0, fmax(low - value, value - high)) / fmax(high - low, floor);
}

static double median4(const double v[STARTS])
{
	double low = v[0], high = v[0], sum = 0;

	for (int k = 0; k < STARTS; k++) {
		low = fmin(low, v[k]);
		high = fmax(high, v[k]);
		sum += v[k];
	}
	return (sum - low - high) / 2;
}

struct work {
	uint8_t       dots[2][SIZE * SIZE];
	float complex field[SIZE * SIZE];
	float         power[2][SIZE * SIZE];
	uint8_t       row[SIZE];
	int16_t       start[SIZE];
	double        start_double[SIZE];
};

/* One grey from all starts: [0] the engine, [1] double precision. */
static int measure_grey(struct rip_engine *engine, int grey, struct work *w,
			struct measure m[2][STARTS])
{
	for (int j = 0; j < SIZE; j++)
		w->row[j] = (uint8_t)grey;
	for (int k = 0; k < STARTS; k++) {
		float *power[2] = { w->power[0], w->power[1] };
		int r;

		for (int j = 0; j < SIZE; j++) {
			w->start[j] = rip_start_noise((uint32_t)(j + k * 100000), 7);
			w->start_double[j] = w->start[j] / 65536.0;
		}
		r = halftone_engine(engine, grey, w->start, w->row, w->dots[0]);
		if (r < 0)
			return r;
		halftone_double(grey / 255.0, w->start_double, w->dots[1]);
		for (int e = 0; e < 2; e++)
			m[e][k].tone = mean(w->dots[e]);
		for (size_t i = 0; i < SIZE * SIZE; i++)
			w->field[i] = (float)(w->dots[0][i] - m[0][k].tone) +
				      I * (float)(w->dots[1][i] - m[1][k].tone);
		power_of(w->field, power);
		for (int e = 0; e < 2; e++)
			measure(power[e], m[e][k].tone, &m[e][k]);
	}
	return 0;
}

int checkengine_quality(struct candidate *candidate, int step)
{
	AUTO_FREE struct work *w = need(malloc(sizeof *w));
	double worst_tone = 0, line = 0, rings = 0;
	int worst_tone_grey = 0, line_grey = 0, rings_grey = 0, greys = 0;

	for (int grey = 1; grey < 255; grey += step, greys++) {
		struct measure m[2][STARTS];
		double ours[STARTS], theirs[STARTS], out;

		if (measure_grey(candidate->engine, grey, w, m) < 0) {
			fprintf(stderr, "checkengine: %s failed\n", candidate->name);
			return 1;
		}
		for (int k = 0; k < STARTS; k++) {
			const double error = fabs(m[0][k].tone - grey / 255.0);

			if (error > worst_tone) {
				worst_tone = error;
				worst_tone_grey = grey;
			}
			ours[k] = m[0][k].line;
			theirs[k] = m[1][k].line;
		}
		/* Only more than double precision has is bad: a smaller line is none. */
		out = fmax(0, outside(fmax(median4(ours), median4(theirs)), theirs, 0.2));
		if (out > line) {
			line = out;
			line_grey = grey;
		}
		for (int r = 0; r < RINGS; r++) {
			for (int k = 0; k < STARTS; k++) {
				ours[k] = m[0][k].ring[r];
				theirs[k] = m[1][k].ring[r];
			}
			out = outside(median4(ours), theirs, 0.1);
			if (out > rings) {
				rings = out;
				rings_grey = grey;
			}
		}
	}
	printf("%s: %d greys of %dx%d, %d starts each, against double precision\n",
	       candidate->name, greys, SIZE, SIZE, STARTS);
	printf("  tone: at most %.1e away (grey %d); bar %.0e\n", worst_tone, worst_tone_grey,
	       TONE_BAR);
	printf("  largest line: at most %.2f of double's own spread above it (grey %d)\n", line,
	       line_grey);
	printf("  rings of the spectrum: at most %.2f of double's own spread outside (grey %d)\n",
	       rings, rings_grey);
	return worst_tone > TONE_BAR || line > 1 || rings > 1;
}
