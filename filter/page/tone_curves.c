/* The tone curves of a page's planes. */
#include "tone_curves.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/tone.h"
#include "tone/plane_curve.h"

static bool has_vendor(const struct rip_tone_curves_key *key, uint32_t plane)
{
	return key->page.vendor[plane].used;
}

/* The x that the caller's curve and the vendor's make of a sample. */
static uint16_t x_before(const struct rip_tone_curves_key *key, uint32_t plane, uint32_t sample)
{
	const uint32_t x = key->page.first ? key->page.first[sample] :
			   key->page.sample_bits == 8 ? 257 * sample : sample;
	const double ink = (key->page.light ? 65535 - x : x) / 65535.0;
	uint32_t after;

	if (!has_vendor(key, plane))
		return (uint16_t)x;
	after = (uint32_t)lrint(65535 * rip_vendor_curve_at(&key->page.vendor[plane], ink));
	return (uint16_t)(key->page.light ? 65535 - after : after);
}

/* The light ink of a plane of dots: its number, or that of its colour's; -1: none. */
static int light_of(const struct rip_tone_page *page, uint32_t plane)
{
	if (plane >= page->planes)
		return (int)(plane - page->planes);
	for (uint32_t i = 0; i < page->lights; i++)
		if (page->sources[i] == plane)
			return (int)i;
	return -1;
}

/* The curve of a plane, or of a dark ink as if it were alone. */
static uint16_t *make_curve(const struct rip_tone_curves_key *key, const struct rip_printer *printer,
			    uint32_t plane, bool alone)
{
	const uint32_t count = 1u << key->page.sample_bits;
	const bool is_behind = key->page.first || has_vendor(key, plane);
	const int light = alone ? -1 : light_of(&key->page, plane);
	const bool shared = light >= 0 && key->page.light_inks[light].strength > 0;
	const struct rip_plane_wish wish = {
		.gamma = key->choice.gamma / 1000.0, .density = key->choice.density / 100.0,
		.target = key->choice.target, .printer = printer, .cal = key->page.cal,
		.ink = key->page.inks[plane], .pattern = key->patterns[plane],
		.levels = key->page.levels, .dpi = key->page.dpi, .light = key->page.light,
		.part = !shared ? RIP_PART_WHOLE : plane < key->page.planes ? RIP_PART_DARK :
			RIP_PART_LIGHT,
		.light_ink = shared ? key->page.light_inks[light] : (struct rip_light_ink){ 0 },
	};
	uint16_t *first = is_behind ? malloc(count * sizeof *first) : NULL, *curve;

	if (is_behind && !first)
		return NULL;
	for (uint32_t v = 0; is_behind && v < count; v++)
		first[v] = x_before(key, plane, v);
	curve = rip_plane_curve_new(&wish, first, count);
	free(first);
	if (curve && key->choice.toner_save)
		rip_toner_save_curve(curve, count, key->page.light, key->choice.toner_save);
	return curve;
}

static bool needs_curves(const struct rip_tone_curves_key *key, const struct rip_printer *printer)
{
	bool needs = key->page.first || key->choice.gamma != 1000 || key->choice.density != 100 ||
		     printer->kind != RIP_PRINTER_NONE || key->page.cal || key->choice.toner_save ||
		     key->page.lights > 0 || rip_drops_known(&printer->drops, key->page.levels);

	for (uint32_t p = 0; p < key->page.planes; p++)
		needs |= has_vendor(key, p);
	return needs;
}

void rip_tone_curves_finish(struct rip_tone_curves *curves)
{
	rip_ink_limit_finish(&curves->limit);
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	rip_plane_curves_free(curves->alone, RIP_PLANES_MAX);
	memset(curves, 0, sizeof *curves);
}

/* Whether two planes need the same curve. */
static bool have_one_curve(const struct rip_tone_curves_key *key, uint32_t q, uint32_t p)
{
	const struct rip_tone_page *page = &key->page;

	return light_of(page, q) < 0 && light_of(page, p) < 0 && key->patterns[q] == key->patterns[p] &&
	       (!page->cal || page->inks[q] == page->inks[p]) &&
	       !memcmp(&page->vendor[q], &page->vendor[p], sizeof page->vendor[p]);
}

/* 0 or -ENOMEM. */
static int make_curves(struct rip_tone_curves *curves)
{
	const struct rip_tone_curves_key *key = &curves->key;
	struct rip_printer printer;

	rip_tone_choice_printer(&key->choice, key->page.dpi, &printer);
	if (!needs_curves(key, &printer))
		return 0;
	for (uint32_t p = 0; p < key->page.planes + key->page.lights; p++) {
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (have_one_curve(key, q, p))
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(key, &printer, p, false);
		if (!curves->curves[p])
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < key->page.lights && key->choice.ink_limit; i++) {
		const uint32_t p = key->page.sources[i];

		if (key->page.light_inks[i].strength > 0)
			curves->alone[p] = make_curve(key, &printer, p, true);
		if (key->page.light_inks[i].strength > 0 && !curves->alone[p])
			return -ENOMEM;
	}
	return 0;
}

/* The plane of black ink, which an ink limit does not change; -1: none. */
static int black_plane(const struct rip_tone_page *page)
{
	for (uint32_t p = 0; p < page->planes; p++)
		if (page->inks[p] == RIP_INK_BLACK)
			return (int)p;
	return -1;
}

/* 0 or -ENOMEM. */
static int make_limits(struct rip_tone_curves *curves)
{
	const struct rip_tone_page *page = &curves->key.page;
	const uint32_t most = curves->key.choice.ink_limit * 65535u / 100;
	const bool limits = !page->light && most < 65535u * (page->planes + page->lights);
	const int black = black_plane(page);

	curves->light_limit = (struct rip_light_limit){
		.most = limits && page->lights > 0 ? most : 0, .sample_bits = page->sample_bits,
		.colours = page->planes, .planes = page->planes + page->lights, .black = black,
	};
	for (uint32_t p = 0; p < page->planes; p++) {
		const int light = light_of(page, p);

		curves->light_limit.light[p] = light < 0 ? -1 : light + (int)page->planes;
		curves->light_limit.alone[p] = curves->alone[p];
	}
	return rip_ink_limit_init(&curves->limit, limits && page->lights == 0 ? most : 0, page->planes,
				  page->sample_bits, black, curves->curves);
}

/* The planes of a page have the same full sample. */
static void make_toner_rule(struct rip_tone_curves *curves)
{
	const struct rip_tone_page *page = &curves->key.page;

	curves->toner = (struct rip_toner_rule){ .edge = 0 };
	if (curves->key.choice.toner_save) {
		curves->toner.edge = rip_toner_edge(page->dpi > 0 ? page->dpi : 600);
		curves->toner.full_is_0 = rip_toner_full_is_0(curves->curves[0], 1u << page->sample_bits,
							      page->light);
	}
}

/* ---- a page ---- */

int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page)
{
	const uint32_t planes = page->planes + page->lights;
	struct rip_tone_curves_key key;

	memset(&key, 0, sizeof key); /* with its padding: it is compared as bytes */
	memcpy(&key.choice, choice, sizeof key.choice);
	memcpy(&key.page, page, sizeof key.page);
	key.page.screen = NULL; /* its patterns matter */
	if (page->screen->kind == RIP_SCREEN_BI_LEVEL)
		key.choice.toner_save = 0; /* less ink would be none */
	for (uint32_t i = 0; i < page->lights && choice->light_strength; i++)
		if (page->light_inks[i].strength > 0)
			key.page.light_inks[i] = (struct rip_light_ink){ choice->light_strength / 100., 1 };
	for (uint32_t p = 0; p < planes; p++)
		key.patterns[p] = rip_pattern_of(page->screen, p);
	if (!memcmp(&key, &curves->key, sizeof key))
		return 0;
	rip_tone_curves_finish(curves);
	curves->key = key;
	if (make_curves(curves) < 0 || make_limits(curves) < 0) {
		rip_tone_curves_finish(curves);
		return -ENOMEM;
	}
	make_toner_rule(curves);
	return 0;
}

bool rip_tone_curves_differ(const struct rip_tone_curves *curves)
{
	bool differ = false;

	for (uint32_t p = 1; p < curves->key.page.planes; p++)
		differ |= curves->curves[p] != curves->curves[0];
	return differ;
}

void rip_tone_curves_row(const struct rip_tone_curves *curves, uint32_t plane, uint32_t bits,
			 const void *samples, uint32_t width, uint16_t *x)
{
	rip_tone_row(curves->curves[plane], bits, samples, width, x);
}

void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size)
{
	const struct rip_tone_choice *choice = &curves->key.choice;
	struct rip_printer printer;
	int used;

	rip_tone_choice_printer(choice, curves->key.page.dpi, &printer);
	if (curves->key.page.cal)
		used = snprintf(text, size, "calibration %s", choice->calibration);
	else
		used = snprintf(text, size, "dot gain %s (%.1f points)", rip_printer_names[choice->preset],
				printer.kind == RIP_PRINTER_NONE ? 0 : rip_printer_gain(&printer));
	if (used >= 0 && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, ", target %s, density %u %%, gamma %u.%03u, "
			 "ink limit %u %%, toner save %u %%", rip_target_names[choice->target],
			 choice->density, choice->gamma / 1000, choice->gamma % 1000, choice->ink_limit,
			 choice->toner_save);
	used = (int)strlen(text);
	if (curves->key.page.lights > 0)
		used += snprintf(text + used, size - (size_t)used, ", light inks: %u",
				 curves->key.page.lights);
	if (rip_drops_known(&choice->drops, curves->key.page.levels) && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, ", sizes of drops: %u", choice->drops.count);
}
