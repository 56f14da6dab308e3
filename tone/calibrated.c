#include "calibrated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
