#include "calibrated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Measured steps, and the response that they make ---- */

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

#define MODEL "RIPTIDE_MODEL_"
#define STEPS "RIPTIDE_STEPS_"
#define FULL  10000 /* the area 1 */

const char *rip_dark_ink(const char *ink)
{
	return !strcmp(ink, "c") ? "C" : !strcmp(ink, "m") ? "M" : !strcmp(ink, "k") ? "K" : ink;
}

bool rip_cal_is_ours(const struct rip_cal *cal)
{
	for (unsigned i = 0; i < cal->notes; i++)
		if (!strncmp(cal->note[i].name, MODEL, strlen(MODEL)))
			return true;
	return false;
}

/* NULL: there is none. */
static const char *model_of(const struct rip_cal *cal, const char *ink)
{
	char name[32];

	snprintf(name, sizeof name, MODEL "%s", ink);
	return rip_cal_note(cal, name);
}

bool rip_cal_printer(const struct rip_cal *cal, const char *ink, double dpi,
		     struct rip_printer *printer)
{
	const char *text = model_of(cal, ink);

	if (!text)
		text = model_of(cal, rip_dark_ink(ink));
	if (!text)
		text = model_of(cal, "K");
	if (!text || !rip_printer_parse(printer, text))
		return false;
	if (dpi > 0)
		rip_printer_set_dpi(printer, dpi);
	return rip_printer_check(printer);
}

/* Takes a whole number of 0 to max and the space before it. */
static bool take_number(const char **text, unsigned max, unsigned *number)
{
	char *end;
	unsigned long value;

	if (**text != ' ' || (*text)[1] < '0' || (*text)[1] > '9')
		return false;
	value = strtoul(*text + 1, &end, 10);
	*text = end;
	*number = (unsigned)value;
	return value <= max;
}

/* Parses the steps of a note if they are for this pattern, resolution and levels. */
static bool parse_steps(const char *text, const char *pattern, double dpi, unsigned levels,
			struct rip_even_steps *even)
{
	const size_t length = strlen(pattern);
	unsigned number;

	if (strncmp(text, pattern, length))
		return false;
	text += length;
	if (!take_number(&text, 5000, &number) || fabs(number - dpi) > 1)
		return false;
	if (!take_number(&text, 16, &number) || number != levels)
		return false;
	for (unsigned i = 0; i < RIP_EVEN_STEPS; i++) {
		if (!take_number(&text, FULL, &number))
			return false;
		even->area[i] = (double)number / FULL;
	}
	return !*text;
}

bool rip_cal_measured(const struct rip_cal *cal, const char *ink, const struct rip_printer *printer,
		      const struct rip_pattern *pattern, unsigned levels, double dpi,
		      struct rip_response *response)
{
	struct rip_even_steps even;

	for (unsigned i = 0; i < RIP_CALIBRATED_SCREENS; i++) {
		char name[32];
		const char *text;

		snprintf(name, sizeof name, STEPS "%s_%u", ink, i);
		text = rip_cal_note(cal, name);
		if (text && parse_steps(text, pattern->name, dpi, levels, &even)) {
			rip_even_steps_response(&even, printer, pattern, levels, response);
			return true;
		}
	}
	return false;
}

bool rip_cal_response(const struct rip_cal *cal, const char *ink, const struct rip_pattern *pattern,
		      unsigned levels, double dpi, const struct rip_drops *drops,
		      struct rip_response *response)
{
	struct rip_printer printer;

	if (!rip_cal_printer(cal, ink, dpi, &printer))
		return false;
	if (drops)
		printer.drops = *drops;
	if (!rip_cal_measured(cal, ink, &printer, pattern, levels, dpi, response))
		rip_response_of(response, &printer, pattern, levels);
	return true;
}

int rip_cal_set_printer(struct rip_cal *cal, const char *ink, const struct rip_printer *printer)
{
	char name[32], text[RIP_CAL_NOTE_MAX];

	snprintf(name, sizeof name, MODEL "%s", ink);
	rip_printer_format(printer, text, sizeof text);
	return rip_cal_set_note(cal, name, text);
}

int rip_cal_set_steps(struct rip_cal *cal, const char *ink, unsigned number, const char *pattern,
		      double dpi, unsigned levels, const struct rip_even_steps *even)
{
	char name[32], text[RIP_CAL_NOTE_MAX];
	size_t at;

	snprintf(name, sizeof name, STEPS "%s_%u", ink, number);
	at = (size_t)snprintf(text, sizeof text, "%s %u %u", pattern,
			      (unsigned)(dpi + .5), levels);
	for (unsigned i = 0; i < RIP_EVEN_STEPS; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, " %u",
				       (unsigned)(even->area[i] * FULL + .5));
	return rip_cal_set_note(cal, name, text);
}
