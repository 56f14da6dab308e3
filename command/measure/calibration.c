#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/refuse.h"
#include "target.h"
#include "command/terminal.h"
#include "tone/cgats.h"
#include "tone/plane_curve.h"
#include "tone/fit.h"
#include "tone/ink_name.h"
#include "tone/preset.h"

/* How far readings are off, in L* (standard deviation). */
#define BY_EYE        1.2
#define BY_INSTRUMENT 0.3

struct rip_calibration_ink *rip_calibration_ink(struct rip_calibration *calibration,
						const char *name)
{
	struct rip_calibration_ink *ink;

	for (unsigned i = 0; i < calibration->inks; i++)
		if (!strcmp(calibration->ink[i]->name, name))
			return calibration->ink[i];
	if (calibration->inks == RIP_CALIBRATION_INKS) {
		rip_complain(0, "there are more than %u inks", RIP_CALIBRATION_INKS);
		return NULL;
	}
	ink = calloc(1, sizeof *ink);
	if (!ink) {
		rip_complain(0, "out of memory");
		return NULL;
	}
	snprintf(ink->name, sizeof ink->name, "%s", name);
	calibration->ink[calibration->inks++] = ink;
	return ink;
}

struct rip_steps *rip_calibration_add_steps(struct rip_calibration *calibration,
					    struct rip_calibration_ink *ink, const char *screen)
{
	struct rip_measured *measured;

	for (unsigned i = 0; i < ink->screens; i++)
		if (rip_same_name(ink->measured[i].screen, screen))
			return &ink->measured[i].steps;
	if (ink->screens == RIP_CALIBRATED_SCREENS) {
		rip_complain(0, "more than %u screens were measured", RIP_CALIBRATED_SCREENS);
		return NULL;
	}
	measured = &ink->measured[ink->screens++];
	snprintf(measured->screen, sizeof measured->screen, "%s", screen);
	return &measured->steps;
}

/* The tints of the chart's row with lines of so many percent.  NULL: there is no such row. */
static const struct rip_target_tints *tints_of(double percent)
{
	for (unsigned i = 0; i < RIP_TARGET_LINES; i++)
		if (percent * 10 == rip_target_lines[i])
			return &rip_target_tints[i];
	return NULL;
}

#define wrong(why, size, ...) rip_refuse_as(RIP_CALIBRATION_WRONG, why, size, __VA_ARGS__)

int rip_calibration_add_reading(struct rip_calibration *calibration, const char *name,
				const char *screen, const char *lines_text, const char *tint_text,
				char *why, size_t size)
{
	const struct rip_target_tints *tints;
	struct rip_calibration_ink *ink;
	double lines, tint;

	if (rip_screen_find(screen) < 0 && !rip_mask_screen_known(screen))
		return wrong(why, size, "riptide halftone --screen help lists the screens");
	if (!rip_cgats_decimal(lines_text, &lines) || !(tints = tints_of(lines)))
		return wrong(why, size, "the chart has lines of 12.5, 25, 50, 75 and 87.5 percent");
	if (!rip_cgats_decimal(tint_text, &tint) || tint <= 0 || tint >= 100)
		return wrong(why, size, "a tint is a number between 0 and 100");
	if (tint < tints->first || tint > tints->last)
		return wrong(why, size, "the row of %s %% has tints from %u to %u",
			     lines_text, tints->first, tints->last);
	ink = rip_calibration_ink(calibration, name);
	if (!ink)
		return -ENOMEM;
	if (ink->matches == RIP_CALIBRATION_MATCHES)
		return wrong(why, size, "there are too many");
	snprintf(ink->match[ink->matches].screen, sizeof ink->match[0].screen, "%s", screen);
	ink->match[ink->matches].lines = (unsigned)(lines * 16 / 100);
	ink->match[ink->matches++].tone = tint / 100;
	return 0;
}

/* Takes the word before the next colon off a text.  false: there is none. */
static bool cut_word(char **text, char **word)
{
	char *colon = strchr(*text, ':');

	if (!colon)
		return false;
	*colon = '\0';
	*word = *text;
	*text = colon + 1;
	return true;
}

/* One match, which is cut into pieces. */
static int add_match(struct rip_calibration *calibration, char *match, char *why, size_t size)
{
	char *equals = strchr(match, '='), *word;
	const char *screen = calibration->screen, *ink = NULL;
	char letters[RIP_INK_LETTERS];
	bool colon;

	if (!equals)
		return wrong(why, size, "a match is [INK:][SCREEN:]LINES=TINT, such as 50=34");
	*equals = '\0';
	colon = cut_word(&match, &word);
	if (colon && rip_ink_list(word, letters) == 1 && strchr("CMYK", letters[0])) {
		ink = letters;
		colon = cut_word(&match, &word);
	} else if (colon && strlen(word) == 1) {
		return wrong(why, size, "an ink is C, M, Y or K, or its name");
	}
	if (colon)
		screen = word;
	return rip_calibration_add_reading(calibration, ink ? ink : "K", screen, match, equals + 1,
					   why, size);
}

int rip_calibration_add_matches(struct rip_calibration *calibration, const char *list)
{
	char *copy = strdup(list), *rest = copy;
	int r = copy ? 0 : rip_complain(-ENOMEM, "out of memory");
	char why[80];

	for (char *match; r == 0 && (match = strsep(&rest, ","));) {
		match += strspn(match, " \t");
		match[strcspn(match, " \t")] = '\0';
		r = add_match(calibration, match, why, sizeof why);
	}
	if (r == RIP_CALIBRATION_WRONG)
		rip_wrong_usage("calibrate", "--match %s: %s", list, why);
	free(copy);
	return r;
}

/* The pattern of an ink on a screen.  NULL, reported, if the printer has no such screen. */
static const struct rip_pattern *pattern_of(const struct rip_calibration *calibration,
					    const char *ink, const char *name)
{
	struct rip_mask_screen mask;
	const struct rip_screen *screen;
	const struct rip_pattern *pattern;
	char why[256];

	if (rip_target_screen(name, (uint32_t)calibration->dpi, ink[0], &mask, &screen, why,
			      sizeof why) < 0) {
		rip_complain(0, "%s", why);
		return NULL;
	}
	pattern = rip_pattern_of(screen, 0);
	if (!pattern)
		rip_complain(0, "the screen %s has no tones to calibrate", name);
	return pattern;
}

/* The readings of an ink, for the fit. */
struct readings {
	unsigned count;
	struct rip_reading
		reading[RIP_CALIBRATION_MATCHES + RIP_CALIBRATED_SCREENS * RIP_STEPS_MAX];
	struct rip_figure  figure[RIP_CALIBRATION_MATCHES];
};

static int add_readings(const struct rip_calibration *calibration,
			const struct rip_calibration_ink *ink, struct readings *readings)
{
	for (unsigned i = 0; i < ink->matches; i++) {
		const struct rip_match *match = &ink->match[i];
		const struct rip_pattern *pattern =
			pattern_of(calibration, ink->name, match->screen);

		if (!pattern)
			return -EINVAL;
		if (rip_figure_lines(&readings->figure[i], RIP_TARGET_PERIOD, match->lines) < 0)
			return rip_complain(-ENOMEM, "out of memory");
		readings->reading[readings->count++] = (struct rip_reading){
			.pattern = pattern, .levels = calibration->levels, .tone = match->tone,
			.figure = &readings->figure[i], .deviation = BY_EYE,
		};
	}
	for (unsigned i = 0; i < ink->screens; i++) {
		const struct rip_measured *measured = &ink->measured[i];
		const struct rip_pattern *pattern =
			pattern_of(calibration, ink->name, measured->screen);

		if (!pattern)
			return -EINVAL;
		for (unsigned j = 0; j < measured->steps.count; j++) {
			const double tone = measured->steps.step[j].tone;
			const double area = measured->steps.step[j].area;

			if (tone > 0 && tone < 1)
				readings->reading[readings->count++] = (struct rip_reading){
					.pattern = pattern, .levels = calibration->levels,
					.tone = tone, .area = fmin(fmax(area, 0), 1),
					.deviation = BY_INSTRUMENT,
				};
		}
	}
	return 0;
}

/* How far the readings of an ink may differ from the model, in L* (root mean square). */
#define WELL     2.5
#define DOUBTFUL 5.0
#define WRONG    15.0

const char *rip_calibration_agreement(const struct rip_calibration_ink *ink)
{
	if (ink->matches == 1 && ink->screens == 0)
		return "which nothing confirms";
	return ink->residual <= WELL ? "which agree well" : ink->residual <= DOUBTFUL ?
	       "which agree roughly" : "which do not agree";
}

bool rip_calibration_is_doubtful(const struct rip_calibration_ink *ink)
{
	return ink->residual > DOUBTFUL || (ink->matches == 1 && ink->screens == 0);
}

static int check_residual(const struct rip_calibration_ink *ink)
{
	if (ink->residual <= DOUBTFUL)
		return 0;
	return rip_complain(ink->residual > WRONG ? -EINVAL : 0,
			    "%s%s: the best model of the printer differs from the readings by %.1f"
			    " L*: check each reading, its unit (--unit), and the chart's screens,"
			    " levels and resolution",
			    ink->residual > WRONG ? "" : "WARNING: ", ink->name, ink->residual);
}

/* Fits the printer of an ink, and the responses that were measured. */
static int fit_ink(struct rip_calibration *calibration, struct rip_calibration_ink *ink,
		   struct readings *readings, struct rip_cal *cal)
{
	int r;

	if (!rip_printer_preset(&ink->printer, calibration->preset, calibration->dpi))
		return rip_complain(-EINVAL, "there is no preset \"%s\"", calibration->preset);
	ink->printer.drops = calibration->drops;
	if (ink->solid > 0)
		ink->printer.solid = fmin(fmax(ink->solid, 0.005), 0.5);
	for (unsigned i = 0; i < ink->screens; i++)
		if (!rip_steps_sort(&ink->measured[i].steps))
			return rip_complain(-EINVAL, "%s on %s: at least 3 steps must be measured,"
					    " up to half ink or more",
					    ink->name, ink->measured[i].screen);
	readings->count = 0;
	r = add_readings(calibration, ink, readings);
	if (r < 0)
		return r;
	rip_printer_fit(&ink->printer, readings->reading, readings->count, &ink->residual);
	r = check_residual(ink);
	if (r < 0)
		return r;
	r = rip_cal_set_printer(cal, ink->name, &ink->printer);
	for (unsigned i = 0; r == 0 && i < ink->screens; i++) {
		const struct rip_pattern *pattern =
			pattern_of(calibration, ink->name, ink->measured[i].screen);
		struct rip_even_steps even;

		rip_steps_even(&ink->measured[i].steps, &ink->printer, pattern,
			       calibration->levels, &even);
		r = rip_cal_set_steps(cal, ink->name, i, pattern->name, calibration->dpi,
				      calibration->levels, &even);
	}
	if (r < 0)
		return rip_complain(r, "%s: the calibration does not fit into a file", ink->name);
	return 0;
}

/* The column of an ink: the curve for area = ink on the calibration's screen. */
static int make_column(const struct rip_calibration *calibration, struct rip_calibration_ink *ink,
		       struct rip_cal *cal)
{
	const struct rip_pattern *pattern = pattern_of(calibration, ink->name, calibration->screen);
	struct rip_wish wish = RIP_WISH_NOTHING;
	struct rip_cal_ink *column = &cal->ink[cal->inks++];

	if (!pattern)
		return -EINVAL;
	if (!rip_cal_response(cal, ink->name, pattern, calibration->levels, calibration->dpi,
			      &calibration->drops, &ink->response))
		return rip_complain(-EINVAL, "%s: the readings fit no printer", ink->name);
	wish.target = RIP_TARGET_LINEAR;
	wish.response = &ink->response;
	wish.solid = ink->printer.solid;
	snprintf(column->name, sizeof column->name, "%s", ink->name);
	rip_curve_for(&wish, false, RIP_CAL_POINTS, column->curve);
	return 0;
}

int rip_calibration_fit(struct rip_calibration *calibration, struct rip_cal *cal)
{
	struct readings *readings = malloc(sizeof *readings);
	int r = readings ? 0 : rip_complain(-ENOMEM, "out of memory");

	*cal = (struct rip_cal){ 0 };
	for (unsigned i = 0; r == 0 && i < calibration->inks; i++)
		r = fit_ink(calibration, calibration->ink[i], readings, cal);
	for (unsigned i = 0; r == 0 && i < calibration->inks; i++)
		r = make_column(calibration, calibration->ink[i], cal);
	free(readings);
	return r;
}

void rip_calibration_finish(struct rip_calibration *calibration)
{
	for (unsigned i = 0; i < calibration->inks; i++)
		free(calibration->ink[i]);
	calibration->inks = 0;
}
