/* The area that a printer covers with a pattern of dots. */
#include "tone/area.h"

#include <errno.h>
#include <math.h>

#define JITTERS 7 /* radii that stand for the normal distribution */

/* ---- look-up in the tables ---- */

/* The value at a position in a table of bytes, between its points by the cubic polynomial through
 * the four around it (Lagrange); 255 is 1. */
static double interpolate(const uint8_t *table, size_t step, int count, double position)
{
	int first = (int)position - 1;
	double t, v[4];

	first = first < 0 ? 0 : first > count - 4 ? count - 4 : first;
	t = position - first;
	for (int i = 0; i < 4; i++)
		v[i] = table[(size_t)(first + i) * step] / 255.0;
	return -v[0] * (t - 1) * (t - 2) * (t - 3) / 6 + v[1] * t * (t - 2) * (t - 3) / 2 -
	       v[2] * t * (t - 1) * (t - 3) / 2 + v[3] * t * (t - 1) * (t - 2) / 6;
}

/* The share of places nearer to a dot than a radius. */
static double near(const uint8_t table[RIP_RADII], double radius)
{
	const double position = (radius - RIP_RADIUS_FIRST) / RIP_RADIUS_STEP;

	if (radius <= 0)
		return 0;
	if (position < 0) /* alone in its pixel */
		return table[0] / 255.0 * (radius * radius) / (RIP_RADIUS_FIRST * RIP_RADIUS_FIRST);
	if (position >= RIP_RADII - 1)
		return table[RIP_RADII - 1] / 255.0;
	return fmin(fmax(interpolate(table, 1, RIP_RADII, position), 0), 1);
}

/* The parts of the area whose exposure is in each sixteenth. */
static void exposures_of(const struct rip_coverage *coverage, double spot,
			 double parts[RIP_EXPOSURES + 1])
{
	const double position = (spot - RIP_SPOT_FIRST) / RIP_SPOT_STEP;
	double more = 1;

	for (int bin = 0; bin <= RIP_EXPOSURES; bin++) {
		const double next = bin == RIP_EXPOSURES ? 0 :
			interpolate(&coverage->exposed[0][bin], RIP_EXPOSURES, RIP_SPOTS, position);

		parts[bin] = more - next;
		more = next;
	}
}

/* The share of places that a normally distributed threshold finds exposed enough.
 *
 * Within a sixteenth, exposures are taken as evenly spread: three of them.  But far from dots the
 * exposure is 0, and inside of solid areas 1; so in the first sixteenth of light tones, and in
 * the last one of dark tones, they are spread around their mean, which is known, because the mean
 * of all exposures is the tone.  tone: 0 to 1. */
static double above(const struct rip_coverage *coverage, double tone, double spot, double threshold,
		    double softness)
{
	const int end = tone < 0.5 ? 0 : RIP_EXPOSURES;
	double parts[RIP_EXPOSURES + 1], area = 0, rest = tone;

	exposures_of(coverage, spot, parts);
	for (int bin = 0; bin <= RIP_EXPOSURES; bin++)
		if (bin != end)
			rest -= parts[bin] * (bin + 0.5) / (RIP_EXPOSURES + 1);
	for (int bin = 0; bin <= RIP_EXPOSURES; bin++) {
		double middle = 0.5, spread = 1.0 / 3; /* of a sixteenth */

		if (bin == end && parts[bin] > 0.1) {
			middle = fmin(fmax(rest / parts[bin] * (RIP_EXPOSURES + 1) - bin, 0), 1);
			spread = fmin(middle, 1 - middle) * 2 / 3;
		}
		for (int part = -1; part <= 1; part++) {
			const double exposure = (bin + middle + part * spread) /
						(RIP_EXPOSURES + 1);

			area += parts[bin] / 3 *
				0.5 * erfc((threshold - exposure) / (softness * M_SQRT2));
		}
	}
	return fmin(fmax(area, 0), 1);
}

/* ---- the covered area ---- */

/* A disc in every pixel: what they cover. */
static double lattice(double radius)
{
	const double square = radius * radius;

	if (radius <= 0)
		return 0;
	if (radius <= 0.5)
		return M_PI * square;
	if (radius >= M_SQRT1_2)
		return 1;
	return M_PI * square - 4 * (square * acos(0.5 / radius) - 0.5 * sqrt(square - 0.25));
}

/* Discs of radius `below` in all pixels, and of radius `radius` in the pattern. */
static double discs(const struct rip_coverage *coverage, double below, double radius)
{
	const double corners = 1 - M_PI / 4;
	const double free_corners = corners * (1 - near(coverage->near_corners, radius));
	const double free = 1 - near(coverage->near, radius);

	if (below >= 0.5) /* only corners are free of the discs below */
		return 1 - (1 - lattice(below)) / corners * free_corners;
	return 1 - free_corners -
	       fmax(free - free_corners, 0) * (1 - corners - lattice(below)) / (1 - corners);
}

static double covered_by_discs(const struct rip_printer *printer,
			       const struct rip_coverage *coverage, unsigned levels, unsigned level)
{
	const double below = sqrt(rip_drops_share(&printer->drops, levels, level));
	const double here = sqrt(rip_drops_share(&printer->drops, levels, level + 1));
	double area = 0, weights = 0;

	for (int i = 0; i < JITTERS; i++) {
		const double z = (i - JITTERS / 2) * 0.8, weight = exp(-z * z / 2);
		const double radius = fmax(printer->radius + printer->jitter * z, 0);

		area += weight * discs(coverage, below * radius, here * radius);
		weights += weight;
	}
	return area / weights;
}

/* tone: of the pattern, 0 to 1. */
static double covered(const struct rip_printer *printer, const struct rip_coverage *coverage,
		      double tone, unsigned levels, unsigned level)
{
	double below, step;

	if (printer->kind == RIP_PRINTER_DISCS)
		return covered_by_discs(printer, coverage, levels, level);
	if (!rip_drops_known(&printer->drops, levels))
		return above(coverage, tone, printer->spot,
			     printer->threshold * (levels - 1) - level,
			     printer->softness * (levels - 1));
	below = rip_drops_share(&printer->drops, levels, level);
	step = rip_drops_share(&printer->drops, levels, level + 1) - below;
	return above(coverage, tone, printer->spot, (printer->threshold - below) / step,
		     printer->softness / step);
}

/* The area of dots that are as large as their drops say. */
static double exact(const struct rip_printer *printer, unsigned levels, unsigned level, double tone)
{
	const double below = rip_drops_share(&printer->drops, levels, level);

	if (!rip_drops_known(&printer->drops, levels))
		return (level + tone) / (levels - 1);
	return below + (rip_drops_share(&printer->drops, levels, level + 1) - below) * tone;
}

/* ---- the light in the paper ---- */

/* Where a value is between the points of an ascending list: its index and a fraction. */
static double position_in(const double *points, int count, double value)
{
	int i = 0;

	if (value <= points[0])
		return 0;
	while (i < count - 2 && value > points[i + 1])
		i++;
	return fmin(i + (value - points[i]) / (points[i + 1] - points[i]), count - 1);
}

/* The part of the variance that is kept: 1 without scattering, less and less beyond the
 * tables. */
static double kept(const struct rip_printer *printer, const struct rip_scatter *scatter)
{
	const bool is_discs = printer->kind == RIP_PRINTER_DISCS;
	const uint8_t (*table)[RIP_SCATTERS] = is_discs ? scatter->discs : scatter->spot;
	const double size = is_discs ?
		position_in(rip_scatter_radius, RIP_SCATTER_SIZES, printer->radius) :
		position_in(rip_scatter_threshold, RIP_SCATTER_SIZES, printer->threshold);
	const double distance = printer->scatter * printer->dpi / 25400;
	const double least = rip_scatter_distance[0], most = rip_scatter_distance[RIP_SCATTERS - 1];
	const double d = position_in(rip_scatter_distance, RIP_SCATTERS, distance);
	const int i = size < 1 ? 0 : 1, j = d < RIP_SCATTERS - 1 ? (int)d : RIP_SCATTERS - 2;
	const double f = size - i, g = d - j;
	const double c = ((table[i][j] * (1 - f) + table[i + 1][j] * f) * (1 - g) +
			  (table[i][j + 1] * (1 - f) + table[i + 1][j + 1] * f) * g) / 255;

	if (distance < least)
		return 1 + (c - 1) * distance / least;
	return distance > most ? c * most / distance : c;
}

/* 1 - R of a covered area. */
static double absorbed(const struct rip_printer *printer, double area, double c)
{
	const double q = 1 - sqrt(printer->solid);

	return 2 * area * q - q * q * (area * area + c * area * (1 - area));
}

/* The area of a full tone is 1, whether its dots cover all paper or not. */
static double measured(const struct rip_printer *printer, double area, double c)
{
	const double solid = printer->kind == RIP_PRINTER_DISCS ? lattice(printer->radius) : 1;

	return fmin(absorbed(printer, area, c) / absorbed(printer, solid, c), 1);
}

/* ---- tints and figures ---- */

/* The scattering at a tone of the tables, between the two nearest ones that have it. */
static double kept_at(const struct rip_printer *printer, const struct rip_pattern *pattern,
		      uint32_t index)
{
	uint32_t low = index, high = index;
	double a, b;

	if (index == 0 || index == RIP_PATTERN_TONES - 1)
		low = high = index == 0 ? 1 : index - 1;
	while (rip_scatter_index(low) < 0)
		low--;
	while (rip_scatter_index(high) < 0)
		high++;
	a = kept(printer, &pattern->scatter[rip_scatter_index(low)]);
	if (low == high)
		return a;
	b = kept(printer, &pattern->scatter[rip_scatter_index(high)]);
	return a + (b - a) * (index - low) / (high - low);
}

/* The area at a tone of the tables: level + rip_pattern_tone(index) / 65535 of levels - 1. */
static double area_at(const struct rip_printer *printer, const struct rip_pattern *pattern,
		      unsigned levels, unsigned level, uint32_t index)
{
	if (index == 0 && level == 0)
		return 0;
	if (index == RIP_PATTERN_TONES - 1 && level == levels - 2)
		return 1;
	if (printer->kind == RIP_PRINTER_NONE)
		return exact(printer, levels, level, rip_pattern_tone(index) / 65535.0);
	return measured(printer, covered(printer, &pattern->coverage[index],
					 rip_pattern_tone(index) / 65535.0, levels, level),
			kept_at(printer, pattern, index));
}

double rip_area_of_tint(const struct rip_printer *printer, const struct rip_pattern *pattern,
			unsigned levels, double tone)
{
	const double target = fmin(fmax(tone, 0), 1) * (levels - 1);
	const unsigned level = target < levels - 1 ? (unsigned)target : levels - 2;
	const double x = 65535 * (target - level);
	uint32_t index = (uint32_t)((target - level) * (RIP_PATTERN_TONES - 1));
	double low, high, a, b;

	/* The tones are rounded. */
	index = index < RIP_PATTERN_TONES - 1 ? index : RIP_PATTERN_TONES - 2;
	if (index > 0 && rip_pattern_tone(index) > x)
		index--;
	if (index < RIP_PATTERN_TONES - 2 && rip_pattern_tone(index + 1) < x)
		index++;
	low = rip_pattern_tone(index);
	high = rip_pattern_tone(index + 1);
	a = area_at(printer, pattern, levels, level, index);
	b = area_at(printer, pattern, levels, level, index + 1);
	return a + (b - a) * (x - low) / (high - low);
}

int rip_figure_measure(struct rip_figure *figure, const uint8_t *dots, uint32_t width,
		       uint32_t height)
{
	const int r = rip_coverage_measure(dots, width, height, &figure->coverage);

	figure->tone = 0;
	for (size_t i = 0; i < (size_t)width * height; i++)
		figure->tone += dots[i] / ((double)width * height);
	return r < 0 ? r : rip_scatter_measure(dots, width, height, &figure->scatter);
}

int rip_figure_lines(struct rip_figure *figure, uint32_t period, uint32_t ink)
{
	uint8_t dots[128];

	if (period < 1 || period > 128 || ink > period)
		return -EINVAL;
	for (uint32_t j = 0; j < period; j++)
		dots[j] = j < ink;
	return rip_figure_measure(figure, dots, period, 1);
}

double rip_area_of_figure(const struct rip_printer *printer, const struct rip_figure *figure)
{
	/* Without dot gain, the darkest places of a fine spot are the dots themselves. */
	const struct rip_printer exact = {
		.kind = RIP_PRINTER_SPOT, .threshold = 0.5, .spot = 0.2, .softness = 0.01,
		.solid = printer->solid, .dpi = printer->dpi,
	};

	if (printer->kind == RIP_PRINTER_NONE)
		printer = &exact;
	return measured(printer, covered(printer, &figure->coverage, figure->tone, 2, 0),
			kept(printer, &figure->scatter));
}

/* ---- lightness ---- */

double rip_lightness(const struct rip_printer *printer, double area)
{
	const double light = 1 - fmin(fmax(area, 0), 1) * (1 - printer->solid);

	return light > 216.0 / 24389 ? 116 * cbrt(light) - 16 : light * 24389 / 27;
}

double rip_area_of_lightness(const struct rip_printer *printer, double lightness)
{
	const double t = (lightness + 16) / 116;
	const double light = lightness > 8 ? t * t * t : lightness * 27 / 24389;

	return fmin(fmax((1 - light) / (1 - printer->solid), 0), 1);
}

/* ---- The tone response of a printer on a screen ---- */

#define LAST (RIP_RESPONSE_POINTS - 1)

/* Flat parts rise so much from point to point, so that there is only one tone for an area. */
#define LEAST_STEP 1e-7

void rip_response_straighten(struct rip_response *response)
{
	double up[RIP_RESPONSE_POINTS], down = 1;
	double *area = response->area;

	area[0] = 0;
	area[LAST] = 1;
	up[0] = 0;
	for (int i = 1; i <= LAST; i++)
		up[i] = fmin(fmax(up[i - 1], area[i]), 1);
	for (int i = LAST; i >= 0; i--) {
		down = fmin(down, area[i]);
		area[i] = ((up[i] + fmax(down, 0)) / 2 + LEAST_STEP * i) / (1 + LEAST_STEP * LAST);
	}
}

void rip_response_of(struct rip_response *response, const struct rip_printer *printer,
		     const struct rip_pattern *pattern, unsigned levels)
{
	int i = 0;

	/* From tone to tone of the tables. */
	for (unsigned level = 0; level + 1 < levels; level++)
		for (uint32_t index = 0; index + 1 < RIP_PATTERN_TONES; index++) {
			const double from = level + rip_pattern_tone(index) / 65535.0;
			const double to = level + rip_pattern_tone(index + 1) / 65535.0;
			const double last = to * LAST / (levels - 1);
			double a, b;

			if (i > last + 1e-9)
				continue;
			a = area_at(printer, pattern, levels, level, index);
			b = area_at(printer, pattern, levels, level, index + 1);
			for (; i <= LAST && i <= last + 1e-9; i++) {
				const double tone = (double)i * (levels - 1) / LAST;

				response->area[i] = a + (b - a) * (tone - from) / (to - from);
			}
		}
	rip_response_straighten(response);
}

double rip_response_area(const struct rip_response *response, double tone)
{
	const double at = tone * LAST;
	const int i = at < LAST - 1 ? (int)at : LAST - 1;

	return response->area[i] + (response->area[i + 1] - response->area[i]) * (at - i);
}

double rip_response_tone(const struct rip_response *response, double wanted)
{
	const double *area = response->area;
	int low = 0, high = LAST;

	if (wanted <= 0 || wanted >= 1)
		return wanted <= 0 ? 0 : 1;
	while (high - low > 1) {
		const int middle = (low + high) / 2;

		if (area[middle] <= wanted)
			low = middle;
		else
			high = middle;
	}
	return (low + (wanted - area[low]) / (area[high] - area[low])) / LAST;
}
