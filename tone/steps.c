/* Measured steps, and the response that they make. */
#include "tone/steps.h"

#include <math.h>
#include <stdlib.h>

bool rip_steps_add(struct rip_steps *steps, double tone, double area)
{
	if (steps->count == RIP_STEPS_MAX)
		return false;
	steps->step[steps->count].tone = tone;
	steps->step[steps->count++].area = area;
	return true;
}

static int by_tone(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

bool rip_steps_sort(struct rip_steps *steps)
{
	unsigned kept = 0;

	qsort(steps->step, steps->count, sizeof steps->step[0], by_tone);
	for (unsigned i = 0, next; i < steps->count; i = next) {
		const double tone = steps->step[i].tone;
		double sum = 0;

		for (next = i; next < steps->count && steps->step[next].tone - tone < 1e-6; next++)
			sum += steps->step[next].area;
		steps->step[kept].tone = tone;
		steps->step[kept++].area = sum / (next - i);
	}
	steps->count = kept;
	return kept >= 3 && steps->step[kept - 1].tone >= .5;
}

/* ---- the difference from the model ---- */

#define GRID 129 /* evenly spaced tones, at which the difference is sought */

#define DEVIATION           0.3  /* of a reading, L* */
#define CHECKERBOARD        3.0  /* of one at a checkerboard */
#define AT_THE_ENDS         0.01 /* paper and solid are what they are */
#define LEFT_OF_NOISE       0.7
#define CHECKERBOARD_TONES  (1.5 / 256) /* so near to half-way between two levels */

/* The differences of steps from the model, and their weights. */
struct offsets {
	unsigned count;
	double tone[RIP_STEPS_MAX + 2], difference[RIP_STEPS_MAX + 2], weight[RIP_STEPS_MAX + 2];
};

static void add(struct offsets *offsets, double tone, double difference, double deviation)
{
	const unsigned i = offsets->count++;

	offsets->tone[i] = tone;
	offsets->difference[i] = difference;
	offsets->weight[i] = 1 / (deviation * deviation);
}

/* Whether a screen makes a checkerboard of two levels at this tone. */
static bool is_checkerboard(const struct rip_pattern *pattern, unsigned levels, double tone)
{
	const int id = rip_screen_find(pattern->name);
	const double part = fmod(tone * (levels - 1), 1);

	return id >= 0 && rip_screens[id].reach > 0 && fabs(part - 0.5) < CHECKERBOARD_TONES;
}

/* The place of a tone in the grid: between *index and the next point. */
static double place(double tone, unsigned *index)
{
	const double at = tone * (GRID - 1);

	*index = at < GRID - 2 ? (unsigned)at : GRID - 2;
	return at - *index;
}

static double value_at(const double d[GRID], double tone)
{
	unsigned i;
	const double f = place(tone, &i);

	return d[i] + (d[i + 1] - d[i]) * f;
}

/* Solves the normal equations, whose matrix has five diagonals: without exchange of rows, because
 * it is positive definite. */
static void solve(const struct offsets *offsets, double stiffness, double d[GRID])
{
	double a[GRID][3] = { { 0 } }; /* the diagonal, and the two above it */

	for (int i = 0; i < GRID; i++)
		d[i] = 0;
	for (unsigned r = 0; r < offsets->count; r++) {
		const double w = offsets->weight[r], y = offsets->difference[r];
		unsigned i;
		const double f = place(offsets->tone[r], &i);

		a[i][0] += w * (1 - f) * (1 - f);
		a[i][1] += w * f * (1 - f);
		a[i + 1][0] += w * f * f;
		d[i] += w * (1 - f) * y;
		d[i + 1] += w * f * y;
	}
	for (int i = 1; i < GRID - 1; i++) { /* (d[i-1] - 2 d[i] + d[i+1])^2 */
		a[i - 1][0] += stiffness;
		a[i - 1][1] -= 2 * stiffness;
		a[i - 1][2] += stiffness;
		a[i][0] += 4 * stiffness;
		a[i][1] -= 2 * stiffness;
		a[i + 1][0] += stiffness;
	}
	for (int i = 0; i < GRID; i++)
		for (int k = 1; k <= 2 && i + k < GRID; k++) {
			const double factor = a[i][k] / a[i][0];

			for (int j = k; j <= 2; j++)
				a[i + k][j - k] -= factor * a[i][j];
			d[i + k] -= factor * d[i];
		}
	for (int i = GRID - 1; i >= 0; i--) {
		for (int k = 1; k <= 2 && i + k < GRID; k++)
			d[i] -= a[i][k] * d[i + k];
		d[i] /= a[i][0];
	}
}

/* The mean square of what is left of the offsets, in deviations. */
static double left_of(const struct offsets *offsets, const double d[GRID])
{
	double sum = 0;

	for (unsigned r = 0; r < offsets->count; r++) {
		const double rest = offsets->difference[r] - value_at(d, offsets->tone[r]);

		sum += offsets->weight[r] * rest * rest;
	}
	return sum / offsets->count;
}

static void smooth(const struct offsets *offsets, double d[GRID])
{
	double low = -6, high = 9; /* powers of ten */

	for (int i = 0; i < 40; i++) {
		const double middle = (low + high) / 2;

		solve(offsets, pow(10, middle), d);
		if (left_of(offsets, d) > LEFT_OF_NOISE)
			high = middle;
		else
			low = middle;
	}
	solve(offsets, pow(10, low), d);
}

/* ---- steps ---- */

/* By how much an area is lighter than the model's of a tone, L*. */
static double difference_of(const struct rip_printer *printer, const struct rip_response *model,
			    double tone, double area)
{
	const double expected = rip_response_area(model, tone);

	return rip_lightness(printer, area) - rip_lightness(printer, expected);
}

/* The area that is so much lighter than the model's. */
static double area_of(const struct rip_printer *printer, const struct rip_response *model,
		      double tone, double difference)
{
	const double lightness = rip_lightness(printer, rip_response_area(model, tone));

	return rip_area_of_lightness(printer, lightness + difference);
}

static double even_tone(unsigned i)
{
	return (double)i / (RIP_EVEN_STEPS - 1);
}

void rip_steps_even(const struct rip_steps *steps, const struct rip_printer *printer,
		    const struct rip_pattern *pattern, unsigned levels, struct rip_even_steps *even)
{
	struct rip_response model;
	struct offsets offsets = { 0 };
	double d[GRID];

	rip_response_of(&model, printer, pattern, levels);
	add(&offsets, 0, 0, AT_THE_ENDS);
	add(&offsets, 1, 0, AT_THE_ENDS);
	for (unsigned i = 0; i < steps->count; i++) {
		const double tone = steps->step[i].tone, area = steps->step[i].area;

		if (tone > 1e-6 && tone < 1 - 1e-6)
			add(&offsets, tone, difference_of(printer, &model, tone, area),
			    is_checkerboard(pattern, levels, tone) ? CHECKERBOARD : DEVIATION);
	}
	smooth(&offsets, d);
	for (unsigned i = 0; i < RIP_EVEN_STEPS; i++)
		even->area[i] = area_of(printer, &model, even_tone(i), value_at(d, even_tone(i)));
	even->area[0] = 0;
	even->area[RIP_EVEN_STEPS - 1] = 1;
}

void rip_even_steps_response(const struct rip_even_steps *even, const struct rip_printer *printer,
			     const struct rip_pattern *pattern, unsigned levels,
			     struct rip_response *response)
{
	const unsigned each = (RIP_RESPONSE_POINTS - 1) / (RIP_EVEN_STEPS - 1);
	struct rip_response model;

	rip_response_of(&model, printer, pattern, levels);
	for (unsigned i = 0; i + 1 < RIP_EVEN_STEPS; i++) {
		const double from = difference_of(printer, &model, even_tone(i), even->area[i]);
		const double to = difference_of(printer, &model, even_tone(i + 1),
						even->area[i + 1]);

		for (unsigned j = 0; j <= each; j++) {
			const unsigned point = i * each + j;
			const double tone = point / (RIP_RESPONSE_POINTS - 1.);

			response->area[point] = area_of(printer, &model, tone,
							from + (to - from) * j / each);
		}
	}
	rip_response_straighten(response);
}
