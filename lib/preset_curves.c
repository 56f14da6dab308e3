/* The tone curves of a page from what riptide.h lets a program ask for. */
#include "preset_curves.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"

void rip_preset_curves_finish(struct rip_preset_curves *curves)
{
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	memset(curves, 0, sizeof *curves);
}

/* The printer of a preset's name, or one with this gain. */
static int find_printer(const char *preset, double dpi, struct rip_printer *printer, char *why,
			size_t size)
{
	char *end = NULL;
	unsigned long points = 0;

	if (*preset >= '0' && *preset <= '9')
		points = strtoul(preset, &end, 10);
	if (end && !*end && end - preset < RIP_PRESET_SIZE && points <= RIP_GAIN_MAX) {
		rip_printer_preset(printer, "laser", dpi);
		rip_printer_set_gain(printer, (double)points);
		return 0;
	}
	if (rip_printer_preset(printer, preset, dpi))
		return 0;
	snprintf(why, size, "no preset is called \"%.40s\": choose 0 to %d points or one of", preset,
		 RIP_GAIN_MAX);
	for (int i = 0; rip_printer_names[i] && strlen(why) < size - 20; i++)
		snprintf(why + strlen(why), size - strlen(why), " %s", rip_printer_names[i]);
	return -ENOENT;
}

/* Finds the printer of the page, unless it is that of the page before: a gain takes many evaluations
 * of the model. */
static int load_printer(struct rip_preset_curves *curves, const char *preset, uint32_t dpi, char *why,
			size_t size)
{
	int r;

	if (*curves->printer_name && !strcmp(curves->printer_name, preset) && curves->printer_dpi == dpi)
		return 0;
	curves->printer_name[0] = '\0';
	r = find_printer(preset, dpi, &curves->printer, why, size);
	if (r < 0)
		return r;
	curves->printer_dpi = dpi;
	snprintf(curves->printer_name, sizeof curves->printer_name, "%s", preset);
	return 0;
}

static int find_target(const char *name, uint32_t *target, char *why, size_t size)
{
	for (*target = 0; *target < RIP_TARGETS; ++*target)
		if (!name || rip_same_name(name, rip_target_names[*target]))
			return 0;
	snprintf(why, size, "no target is called \"%.40s\": choose print or linear", name);
	return -EINVAL;
}

static int load_cal(struct rip_preset_curves *curves, const char *name, char *why, size_t size)
{
	char path[PATH_MAX], reason[160] = "";
	int r = 0;

	if (curves->has_cal && !strcmp(curves->cal_name, name))
		return 0;
	curves->has_cal = false;
	if (strlen(name) >= sizeof curves->cal_name)
		r = -ENAMETOOLONG;
	else if (strchr(name, '/'))
		snprintf(path, sizeof path, "%s", name);
	else
		r = rip_cal_path(rip_cal_folder(), name, path, sizeof path, reason, sizeof reason);
	if (r == 0)
		r = rip_cal_load(&curves->cal, path, reason, sizeof reason);
	if (r < 0) {
		snprintf(why, size, "calibration %.80s: %s", name, *reason ? reason : strerror(-r));
		return r;
	}
	snprintf(curves->cal_name, sizeof curves->cal_name, "%s", name);
	curves->has_cal = true;
	return 0;
}

/* What a page's curves depend on, besides the caller's.  0 or -errno and why. */
static int make_key(struct rip_preset_curves *curves, const struct riptide_page *page,
		    const struct rip_page_spec *spec, const struct rip_mask_use *use,
		    struct rip_preset_key *key, char *why, size_t size)
{
	const uint32_t dpi = use->x_dpi < use->y_dpi ? use->x_dpi : use->y_dpi;
	const char *preset = page->preset ? page->preset : "none";
	int r = load_printer(curves, preset, dpi, why, size);

	memset(key, 0, sizeof *key); /* with its padding */
	if (r == 0)
		r = find_target(page->target, &key->target, why, size);
	if (r == 0 && page->calibration && !rip_same_name(page->calibration, "none")) {
		r = load_cal(curves, page->calibration, why, size);
		if (r == 0)
			snprintf(key->calibration, sizeof key->calibration, "%s", page->calibration);
	}
	if (r < 0)
		return r;
	snprintf(key->preset, sizeof key->preset, "%s", preset);
	key->dpi = dpi;
	key->density = page->density;
	key->gamma = page->gamma;
	key->planes = spec->planes;
	key->sample_bits = spec->sample_bits;
	key->levels = spec->levels;
	key->light = use->light;
	memcpy(key->inks, use->inks, spec->planes * sizeof *key->inks);
	for (uint32_t p = 0; p < spec->planes; p++)
		key->patterns[p] = rip_pattern_of(spec->screen, p);
	return 0;
}

static bool needs_preset(const struct rip_preset_curves *curves, const struct rip_preset_key *key)
{
	return curves->printer.kind != RIP_PRINTER_NONE || *key->calibration || key->density != 100 ||
	       key->gamma != 1000;
}

/* A plane's curve, behind the caller's.  NULL: no memory. */
static uint16_t *make_curve(const struct rip_preset_curves *curves, const struct rip_preset_key *key,
			    uint32_t plane, const uint16_t *first)
{
	const uint32_t count = 1u << key->sample_bits;
	const struct rip_plane_wish wish = {
		.gamma = key->gamma / 1000.0, .density = key->density / 100.0,
		.target = (enum rip_target)key->target, .printer = &curves->printer,
		.cal = *key->calibration ? &curves->cal : NULL, .ink = key->inks[plane],
		.pattern = key->patterns[plane], .levels = key->levels, .dpi = key->dpi,
		.light = key->light,
	};
	uint16_t *curve;

	if (!first || needs_preset(curves, key))
		return rip_plane_curve_new(&wish, first, count);
	curve = malloc(count * sizeof *curve);
	return curve ? memcpy(curve, first, count * sizeof *curve) : NULL;
}

static bool equal(const uint16_t *a, const uint16_t *b, uint32_t count)
{
	return a == b || (a && b && !memcmp(a, b, count * sizeof *a));
}

/* Whether the curves are those of a page with this key. */
static bool are_made(const struct rip_preset_curves *curves, const struct rip_preset_key *key,
		     const uint16_t *const *callers)
{
	bool made = !memcmp(key, &curves->key, sizeof *key);

	/* Behind a preset, the caller's are not known any more. */
	if (callers)
		made = made && !needs_preset(curves, key);
	for (uint32_t p = 0; made && callers && p < key->planes; p++)
		made = equal(curves->curves[p], callers[p], 1u << key->sample_bits);
	return made;
}

/* Whether the preset does the same for two planes. */
static bool is_shared(const struct rip_preset_curves *curves, const struct rip_preset_key *key,
		      uint32_t p, uint32_t q)
{
	return !needs_preset(curves, key) ||
	       (key->patterns[q] == key->patterns[p] && (!*key->calibration || key->inks[q] == key->inks[p]));
}

int rip_preset_curves_make(struct rip_preset_curves *curves, const struct riptide_page *page,
			   const struct rip_page_spec *spec, const struct rip_mask_use *use, char *why,
			   size_t size)
{
	struct rip_preset_key key;
	int r = make_key(curves, page, spec, use, &key, why, size);

	if (r < 0)
		return r;
	key.callers = page->curves != NULL;
	if (are_made(curves, &key, page->curves))
		return 0;
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	curves->key.planes = 0; /* nothing to keep, until all are made */
	curves->made++;
	for (uint32_t p = 0; p < spec->planes; p++) {
		const uint16_t *first = page->curves ? page->curves[p] : NULL;

		if (!first && !needs_preset(curves, &key))
			continue;
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (equal(page->curves ? page->curves[q] : NULL, first, 1u << key.sample_bits) &&
			    is_shared(curves, &key, p, q))
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(curves, &key, p, first);
		if (!curves->curves[p]) {
			rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
			snprintf(why, size, "%s", strerror(ENOMEM));
			return -ENOMEM;
		}
	}
	memcpy(&curves->key, &key, sizeof key);
	return 0;
}
