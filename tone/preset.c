/* Typical printers, and printers with a certain dot gain. */
#include "tone/preset.h"

#include <math.h>
#include <stddef.h>

#include "system/ascii.h"
#include "tone/area.h"

const char *const rip_printer_names[] = {
	"laser", "laser-600", "laser-1200", "thermal", "thermal-203", "thermal-300",
	"inkjet", "inkjet-360", "inkjet-720", "none", NULL
};

/* In the order in which a class chooses: the last one up to whose resolution a page comes. */
static const struct preset {
	const char *class, *name;
	double      least_dpi;
	struct rip_printer printer;
} presets[] = {
	{ "laser", "laser-600", 0,
	  { .kind = RIP_PRINTER_SPOT, .threshold = 0.41, .spot = 0.47, .softness = 0.05,
	    .scatter = 60, .solid = 0.05, .dpi = 600 } },
	{ "laser", "laser-1200", 900,
	  { .kind = RIP_PRINTER_SPOT, .threshold = 0.40, .spot = 0.59, .softness = 0.08,
	    .scatter = 60, .solid = 0.05, .dpi = 1200 } },
	{ "thermal", "thermal-203", 0,
	  { .kind = RIP_PRINTER_DISCS, .radius = 0.78, .jitter = 0.05,
	    .scatter = 60, .solid = 0.05, .dpi = 203 } },
	{ "thermal", "thermal-300", 250,
	  { .kind = RIP_PRINTER_DISCS, .radius = 0.82, .jitter = 0.05,
	    .scatter = 60, .solid = 0.05, .dpi = 300 } },
	{ "inkjet", "inkjet-360", 0,
	  { .kind = RIP_PRINTER_DISCS, .radius = 0.85, .jitter = 0.08,
	    .scatter = 60, .solid = 0.05, .dpi = 360 } },
	{ "inkjet", "inkjet-720", 540,
	  { .kind = RIP_PRINTER_DISCS, .radius = 0.95, .jitter = 0.08,
	    .scatter = 60, .solid = 0.05, .dpi = 720 } },
};

#define PRESETS (sizeof presets / sizeof *presets)

static const struct rip_printer none = { .kind = RIP_PRINTER_NONE, .solid = 0.05, .dpi = 600 };

bool rip_printer_preset(struct rip_printer *printer, const char *name, double dpi)
{
	const struct preset *found = NULL;

	if (rip_same_name(name, "none")) {
		*printer = none;
		return true;
	}
	for (size_t i = 0; i < PRESETS; i++)
		if (rip_same_name(name, presets[i].name) ||
		    (rip_same_name(name, presets[i].class) && dpi >= presets[i].least_dpi))
			found = &presets[i];
	if (!found)
		return false;
	*printer = found->printer;
	rip_printer_set_dpi(printer, fmin(fmax(dpi, 50), 5000));
	return true;
}

/* ---- gain ---- */

double rip_printer_gain(const struct rip_printer *printer)
{
	return 100 * rip_area_of_tint(printer, rip_pattern_reference(), 2, 0.5) - 50;
}

/* Finds the value between two bounds that has the gain, which ascends from `low` to `high`. */
static void search(struct rip_printer *printer, double *value, double low, double high,
		   double points)
{
	for (int i = 0; i < 40; i++) {
		*value = (low + high) / 2;
		if (rip_printer_gain(printer) < points)
			low = *value;
		else
			high = *value;
	}
}

void rip_printer_set_gain(struct rip_printer *printer, double points)
{
	const bool discs = printer->kind == RIP_PRINTER_DISCS;
	double *size = discs ? &printer->radius : &printer->threshold;
	const double small = discs ? 0.5 : 0.62, large = discs ? 1.35 : 0.1;

	if (printer->kind == RIP_PRINTER_NONE)
		return;
	*size = small;
	if (rip_printer_gain(printer) > points)
		search(printer, &printer->scatter, 0, printer->scatter, points);
	else
		search(printer, size, small, large, points);
}
