/* A printer as the tone model sees it. */
#include "tone/printer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/ascii.h"
#include "tone/cgats.h"
#include "system/number.h"

/* ---- The sizes of a printer's drops ---- */

#define LEAST 0.001 /* of the largest */

bool rip_drops_parse(struct rip_drops *drops, const char *text)
{
	struct rip_drops parsed = { .count = 0 };
	bool percent = false, first = true;
	double largest;

	memset(drops, 0, sizeof *drops);
	if (rip_same_name(text, "none"))
		return true;
	for (;; text++) {
		double *value = &parsed.share[parsed.count];

		if (parsed.count == RIP_DROPS_MAX || !rip_cgats_digits(&text, value))
			return false;
		if (!first && (*value <= value[-1] || percent != (*text == '%')))
			return false;
		percent = *text == '%';
		first = false;
		text += percent;
		parsed.count++;
		if (!*text)
			break;
		if (*text != ',' && *text != '/')
			return false;
	}
	largest = parsed.share[parsed.count - 1];
	if (percent && largest != 100)
		return false;
	for (uint32_t i = 0; i < parsed.count; i++) {
		const double part = parsed.share[i] / largest;

		parsed.share[i] = percent ? part : cbrt(part * part);
	}
	if (!(parsed.share[0] >= LEAST)) /* not NaN */
		return false;
	*drops = parsed;
	return true;
}

bool rip_drops_known(const struct rip_drops *drops, unsigned levels)
{
	return levels > 2 && drops->count == levels - 1;
}

void rip_drops_needed(unsigned levels, char text[RIP_DROPS_NEEDED_MAX])
{
	if (levels < 3)
		snprintf(text, RIP_DROPS_NEEDED_MAX, "none");
	else
		snprintf(text, RIP_DROPS_NEEDED_MAX, "%u", levels - 1);
}

double rip_drops_share(const struct rip_drops *drops, unsigned levels, unsigned level)
{
	if (level == 0 || !rip_drops_known(drops, levels))
		return level / (levels - 1.0);
	return drops->share[level - 1];
}

/* Sigma, pixels: what the tables have (coverage.h). */
#define SPOT_LEAST 0.2
#define SPOT_MOST  0.6

static const struct field {
	const char *name;
	size_t      offset;
	double      least, most;
	bool        discs, spot; /* which kinds have it */
} fields[] = {
	{ "radius", offsetof(struct rip_printer, radius), 0.5, 1.35, true, false },
	{ "jitter", offsetof(struct rip_printer, jitter), 0, 0.25, true, false },
	{ "threshold", offsetof(struct rip_printer, threshold), 0.1, 0.62, false, true },
	{ "spot", offsetof(struct rip_printer, spot), SPOT_LEAST, SPOT_MOST, false, true },
	{ "softness", offsetof(struct rip_printer, softness), 0.01, 0.2, false, true },
	{ "scatter", offsetof(struct rip_printer, scatter), 0, 200, true, true },
	{ "solid", offsetof(struct rip_printer, solid), 0.005, 0.5, true, true },
	{ "dpi", offsetof(struct rip_printer, dpi), 50, 5000, true, true },
};

#define FIELDS (sizeof fields / sizeof *fields)

static const char *const kind_names[] = {
	[RIP_PRINTER_NONE] = "none", [RIP_PRINTER_DISCS] = "discs", [RIP_PRINTER_SPOT] = "laser",
};

static bool has(const struct rip_printer *printer, const struct field *field)
{
	return printer->kind == RIP_PRINTER_DISCS ? field->discs :
	       printer->kind == RIP_PRINTER_SPOT && field->spot;
}

static double *value_of(struct rip_printer *printer, const struct field *field)
{
	return (double *)(void *)((char *)printer + field->offset);
}

bool rip_printer_check(const struct rip_printer *printer)
{
	struct rip_printer copy = *printer;
	bool ok = printer->kind <= RIP_PRINTER_SPOT;

	for (size_t i = 0; i < FIELDS; i++) {
		const double value = *value_of(&copy, &fields[i]);

		if (has(printer, &fields[i]))
			ok &= value >= fields[i].least && value <= fields[i].most;
	}
	return ok;
}

void rip_printer_set_dpi(struct rip_printer *printer, double dpi)
{
	if (printer->kind == RIP_PRINTER_SPOT)
		printer->spot = fmin(fmax(printer->spot * dpi / printer->dpi, SPOT_LEAST),
				     SPOT_MOST);
	printer->dpi = dpi;
}

void rip_printer_format(const struct rip_printer *printer, char *text, size_t size)
{
	struct rip_printer copy = *printer;
	size_t used = (size_t)snprintf(text, size, "%s", kind_names[printer->kind]);

	for (size_t i = 0; i < FIELDS && used < size; i++)
		if (has(printer, &fields[i]))
			used += (size_t)rip_number_print(text + used, size - used,
							 " %s=%.4f", fields[i].name,
							 *value_of(&copy, &fields[i]));
}

/* Reads "kind" at the beginning of a text. */
static bool read_kind(const char **text, enum rip_printer_kind *kind)
{
	for (int i = 0; i <= RIP_PRINTER_SPOT; i++) {
		const size_t length = strlen(kind_names[i]);

		if (!strncmp(*text, kind_names[i], length) &&
		    ((*text)[length] == ' ' || !(*text)[length])) {
			*kind = (enum rip_printer_kind)i;
			*text += length;
			return true;
		}
	}
	return false;
}

bool rip_printer_parse(struct rip_printer *printer, const char *text)
{
	struct rip_printer parsed = { .kind = RIP_PRINTER_NONE, .solid = 0.05, .dpi = 600 };
	unsigned found = 0, wanted = 0;

	if (!read_kind(&text, &parsed.kind))
		return false;
	while (*text == ' ') {
		size_t i = 0;

		for (text++; i < FIELDS; i++) {
			const size_t length = strlen(fields[i].name);

			if (!strncmp(text, fields[i].name, length) && text[length] == '=')
				break;
		}
		if (i == FIELDS || found >> i & 1)
			return false;
		text += strlen(fields[i].name) + 1;
		if (!rip_cgats_digits(&text, value_of(&parsed, &fields[i])))
			return false;
		found |= 1u << i;
	}
	for (size_t i = 0; i < FIELDS; i++)
		wanted |= (unsigned)has(&parsed, &fields[i]) << i;
	if (*text || found != wanted || !rip_printer_check(&parsed))
		return false;
	*printer = parsed;
	return true;
}
