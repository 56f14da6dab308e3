/* The tone curves of a page from what riptide.h lets a program ask for. */
#include "preset_curves.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"
#include "tone/pattern.h"
#include "tone/tone_choice.h"

void rip_preset_curves_finish(struct rip_preset_curves *curves)
{
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	memset(curves, 0, sizeof *curves);
}

/* Finds the printer of the page, unless it is that of the page before: a gain takes many evaluations
 * of the model. */
static int load_printer(struct rip_preset_curves *curves, const char *preset, uint32_t dpi, char *why,
			size_t size)
{
	struct rip_tone_choice choice = rip_tone_choice_nothing();
	const int gain = rip_tone_parse_gain(preset);
	char gains[160];

	if (gain < 0) {
		rip_tone_list_gains(gains, sizeof gains);
		snprintf(why, size, "no preset is called \"%.40s\": choose one of %s", preset, gains);
		return -ENOENT;
	}
	if (curves->gain == gain && curves->dpi == dpi)
		return 0;
	rip_tone_choose_gain(&choice, gain);
	rip_tone_choice_printer(&choice, dpi, &curves->printer);
	curves->gain = gain;
	curves->dpi = dpi;
	curves->key.planes = 0;
	return 0;
}

static int load_cal(struct rip_preset_curves *curves, const char *name, char *why, size_t size)
{
	char path[PATH_MAX], reason[160] = "";
	int r = 0;

	if (curves->has_cal && !strcmp(curves->cal_name, name))
		return 0;
	curves->has_cal = false;
	curves->key.planes = 0;
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
	const int target = rip_tone_parse_target(page->target ? page->target : rip_target_names[0]);
	const bool has_cal = page->calibration && !rip_same_name(page->calibration, "none");
	int r = load_printer(curves, page->preset ? page->preset : "none", dpi, why, size);

	if (r == 0 && target < 0) {
		snprintf(why, size, "no target is called \"%.40s\": choose print or linear", page->target);
		r = -EINVAL;
	}
	if (r == 0 && has_cal)
		r = load_cal(curves, page->calibration, why, size);
	memset(key, 0, sizeof *key); /* with its padding */
	key->planes = spec->planes;
	key->sample_bits = spec->sample_bits;
	key->callers = page->curves != NULL;
	for (uint32_t p = 0; r == 0 && p < spec->planes; p++) {
		struct rip_plane_wish *wish = &key->wishes[p];

		wish->gamma = page->gamma / 1000.0;
		wish->density = page->density / 100.0;
		wish->target = (enum rip_target)target;
		wish->printer = &curves->printer;
		wish->cal = has_cal ? &curves->cal : NULL;
		wish->ink = use->inks[p];
		wish->pattern = rip_pattern_of(spec->screen, p);
		wish->levels = spec->levels;
		wish->dpi = dpi;
		wish->light = use->light;
	}
	return r;
}

static bool needs_preset(const struct rip_preset_key *key)
{
	const struct rip_plane_wish *wish = &key->wishes[0];

	return wish->printer->kind != RIP_PRINTER_NONE || wish->cal || wish->density != 1 || wish->gamma != 1;
}

/* A plane's curve, behind the caller's.  NULL: no memory. */
static uint16_t *make_curve(const struct rip_preset_key *key, uint32_t plane, const uint16_t *first)
{
	const uint32_t count = 1u << key->sample_bits;
	uint16_t *curve;

	if (!first || needs_preset(key))
		return rip_plane_curve_new(&key->wishes[plane], first, count);
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
		made = made && !needs_preset(key);
	for (uint32_t p = 0; made && callers && p < key->planes; p++)
		made = equal(curves->curves[p], callers[p], 1u << key->sample_bits);
	return made;
}

/* Whether the preset does the same for two planes. */
static bool is_shared(const struct rip_preset_key *key, uint32_t p, uint32_t q)
{
	const struct rip_plane_wish *a = &key->wishes[p], *b = &key->wishes[q];

	return !needs_preset(key) || (a->pattern == b->pattern && (!a->cal || a->ink == b->ink));
}

int rip_preset_curves_make(struct rip_preset_curves *curves, const struct riptide_page *page,
			   const struct rip_page_spec *spec, const struct rip_mask_use *use, char *why,
			   size_t size)
{
	struct rip_preset_key key;
	int r = make_key(curves, page, spec, use, &key, why, size);

	if (r < 0)
		return r;
	if (are_made(curves, &key, page->curves))
		return 0;
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	curves->key.planes = 0; /* nothing to keep, until all are made */
	curves->made++;
	for (uint32_t p = 0; p < spec->planes; p++) {
		const uint16_t *first = page->curves ? page->curves[p] : NULL;

		if (!first && !needs_preset(&key))
			continue;
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (equal(page->curves ? page->curves[q] : NULL, first, 1u << key.sample_bits) &&
			    is_shared(&key, p, q))
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(&key, p, first);
		if (!curves->curves[p]) {
			rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
			snprintf(why, size, "%s", strerror(ENOMEM));
			return -ENOMEM;
		}
	}
	memcpy(&curves->key, &key, sizeof key);
	return 0;
}
