#include "steps.h"

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
		double sum = 0;

		for (next = i; next < steps->count && steps->step[next].tone - steps->step[i].tone < 1e-6;
		     next++)
			sum += steps->step[next].area;
		steps->step[kept].tone = steps->step[i].tone;
		steps->step[kept++].area = sum / (next - i);
	}
	steps->count = kept;
	return kept >= 3 && steps->step[kept - 1].tone >= .5;
}

/* The points of a curve, ascending in x, and its slopes. */
struct curve {
	unsigned count;
	double   x[RIP_STEPS_MAX + 2], y[RIP_STEPS_MAX + 2], slope[RIP_STEPS_MAX + 2];
};

/* The steps with paper and solid at the ends; areas made ascending: the mean of the smallest
 * ascending function above and the largest below. */
static void begin_curve(struct curve *curve, const struct rip_steps *steps)
{
	double low[RIP_STEPS_MAX + 2], most = 0, least = 1;

	curve->count = 0;
	if (steps->step[0].tone > 1e-6)
		curve->x[curve->count] = 0, curve->y[curve->count++] = 0;
	for (unsigned i = 0; i < steps->count; i++) {
		curve->x[curve->count] = steps->step[i].tone;
		curve->y[curve->count++] = fmin(fmax(steps->step[i].area, 0), 1);
	}
	if (curve->x[curve->count - 1] < 1 - 1e-6)
		curve->x[curve->count] = 1, curve->y[curve->count++] = 1;
	curve->y[0] = 0;
	curve->y[curve->count - 1] = 1;
	for (unsigned i = curve->count; i-- > 0;)
		low[i] = least = fmin(least, curve->y[i]);
	for (unsigned i = 0; i < curve->count; i++) {
		most = fmax(most, curve->y[i]);
		curve->y[i] = (most + low[i]) / 2;
	}
}

static double secant(const struct curve *curve, unsigned i)
{
	return (curve->y[i + 1] - curve->y[i]) / (curve->x[i + 1] - curve->x[i]);
}

/* Slopes for which the cubic is monotone: the weighted harmonic mean of the secants on both
 * sides, at the ends the secant. */
static void set_slopes(struct curve *curve)
{
	const unsigned last = curve->count - 1;

	curve->slope[0] = secant(curve, 0);
	curve->slope[last] = secant(curve, last - 1);
	for (unsigned i = 1; i < last; i++) {
		const double before = curve->x[i] - curve->x[i - 1], after = curve->x[i + 1] - curve->x[i];
		const double a = secant(curve, i - 1), b = secant(curve, i);

		curve->slope[i] = a <= 0 || b <= 0 ? 0 :
			3 * (before + after) / ((2 * after + before) / a + (after + 2 * before) / b);
	}
}

static double value_at(const struct curve *curve, unsigned i, double x)
{
	const double width = curve->x[i + 1] - curve->x[i], t = (x - curve->x[i]) / width;

	return curve->y[i] * (1 + 2 * t) * (1 - t) * (1 - t) +
	       curve->slope[i] * width * t * (1 - t) * (1 - t) +
	       curve->y[i + 1] * t * t * (3 - 2 * t) +
	       curve->slope[i + 1] * width * t * t * (t - 1);
}

void rip_steps_response(const struct rip_steps *steps, struct rip_response *response)
{
	struct curve curve;
	unsigned i = 0;

	begin_curve(&curve, steps);
	set_slopes(&curve);
	for (unsigned j = 0; j < RIP_RESPONSE_POINTS; j++) {
		const double x = (double)j / (RIP_RESPONSE_POINTS - 1);

		while (i + 2 < curve.count && curve.x[i + 1] < x)
			i++;
		response->area[j] = value_at(&curve, i, x);
	}
	rip_response_straighten(response);
}
