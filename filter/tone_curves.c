/* The tone curves of a page's planes. */
#include "filter/tone_curves.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/page_screen.h"
#include "filter/report.h"
#include "tone/plane_curve.h"

/* The printer that the curves are for. */
static struct rip_printer printer_of(const struct rip_tone_curves_key *key)
{
	struct rip_printer printer;

	rip_printer_preset(&printer, rip_printer_names[key->choice.preset],
			   key->page.dpi > 0 ? key->page.dpi : 600);
	if (key->choice.gain >= 0)
		rip_printer_set_gain(&printer, key->choice.gain);
	return printer;
}

static bool has_vendor(const struct rip_tone_curves_key *key, uint32_t plane)
{
	return key->page.vendor[plane].points > 0 || key->page.vendor[plane].gamma > 0;
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

static uint16_t *make_curve(const struct rip_tone_curves_key *key, const struct rip_printer *printer,
			    uint32_t plane)
{
	const uint32_t count = 1u << key->page.sample_bits;
	const bool before = key->page.first || has_vendor(key, plane);
	const uint32_t steps = before ? 65536 : count;
	uint16_t *curve = malloc(count * sizeof *curve), *by_x = curve;
	const struct rip_plane_wish wish = {
		.gamma = key->choice.gamma / 1000.0, .density = key->choice.density / 100.0,
		.target = key->choice.target, .printer = printer, .cal = key->page.cal,
		.ink = key->page.inks[plane], .pattern = key->patterns[plane],
		.levels = key->page.levels, .dpi = key->page.dpi, .light = key->page.light,
	};

	if (before)
		by_x = malloc(steps * sizeof *by_x);
	if (curve && by_x) {
		rip_plane_curve_make(&wish, steps, by_x);
		for (uint32_t v = 0; before && v < count; v++)
			curve[v] = by_x[x_before(key, plane, v)];
		if (key->choice.toner_save)
			rip_toner_save_curve(curve, count, key->page.light, key->choice.toner_save);
	} else {
		free(curve);
		curve = NULL;
	}
	if (before)
		free(by_x);
	return curve;
}

static bool needs_curves(const struct rip_tone_curves_key *key, const struct rip_printer *printer)
{
	bool needs = key->page.first || key->choice.gamma != 1000 || key->choice.density != 100 ||
		     printer->kind != RIP_PRINTER_NONE || key->page.cal || key->choice.toner_save;

	for (uint32_t p = 0; p < key->page.planes; p++)
		needs |= has_vendor(key, p);
	return needs;
}

void rip_tone_curves_finish(struct rip_tone_curves *curves)
{
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	rip_plane_curves_finish(&curves->use);
	memset(curves, 0, sizeof *curves);
}

/* 0 or -ENOMEM. */
static int make_curves(struct rip_tone_curves *curves)
{
	const struct rip_tone_curves_key *key = &curves->key;
	const struct rip_printer printer = printer_of(key);

	if (!needs_curves(key, &printer))
		return 0;
	for (uint32_t p = 0; p < key->page.planes; p++) {
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (key->patterns[q] == key->patterns[p] &&
			    (!key->page.cal || key->page.inks[q] == key->page.inks[p]) &&
			    !memcmp(&key->page.vendor[q], &key->page.vendor[p],
				    sizeof key->page.vendor[p]))
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(key, &printer, p);
		if (!curves->curves[p])
			return -ENOMEM;
	}
	return 0;
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

/* ---- how they are applied ---- */

const struct rip_screen *rip_tone_curves_screen(const struct rip_tone_curves *curves,
						const struct rip_screen *screen)
{
	struct rip_page_spec spec = { .screen = screen };

	rip_plane_curves_spec(&curves->use, &spec);
	return spec.screen;
}

const uint16_t *rip_tone_curves_curve(const struct rip_tone_curves *curves)
{
	struct rip_page_spec spec = { .curve = NULL };

	rip_plane_curves_spec(&curves->use, &spec);
	return spec.curve;
}

void rip_tone_curves_row(const struct rip_tone_curves *curves, uint32_t plane, uint32_t bits,
			 const void *samples, uint32_t width, uint16_t *x)
{
	rip_plane_curves_row(&curves->use, plane, bits, samples, width, x);
}

bool rip_tone_curves_differ(const struct rip_tone_curves *curves)
{
	return rip_plane_curves_differ(&curves->use);
}

/* ---- a page ---- */

/* The plane of black ink; -1: none. */
static int black_plane(unsigned space)
{
	return space == CUPS_CSPACE_CMYK ? 3 : space == CUPS_CSPACE_KCMY ? 0 : -1;
}

void rip_tone_page_of(struct rip_tone_page *page, const cups_page_header2_t *header,
		      const struct rip_geometry *geometry, const struct rip_screen *screen,
		      unsigned levels)
{
	const unsigned x_dpi = header->HWResolution[0], y_dpi = header->HWResolution[1];
	struct rip_mask_use use;

	*page = (struct rip_tone_page){
		.screen = screen, .planes = geometry->planes, .sample_bits = geometry->sample_bits,
		.levels = levels, .dpi = x_dpi < y_dpi ? x_dpi : y_dpi, .light = geometry->light,
		.black = black_plane(header->cupsColorSpace),
	};
	rip_page_mask_use(header, geometry, &use);
	memcpy(page->inks, use.inks, geometry->planes * sizeof *page->inks);
}

void rip_tone_page_vendor(struct rip_tone_page *page, struct rip_tone_choice *choice,
			  const struct rip_queue *queue, const char *model,
			  const cups_page_header2_t *header, bool *warned)
{
	char media[RIP_VENDOR_MEDIA];
	const struct rip_vendor_page vendor = rip_vendor_page_of(header, model, media);

	for (uint32_t p = 0; p < page->planes; p++)
		rip_vendor_curve_find(&page->vendor[p], queue, &vendor, page->inks[p], warned);
	if (!choice->ink_limit_set)
		choice->ink_limit = rip_vendor_ink_limit(queue, &vendor, warned);
}

int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page)
{
	const uint32_t most = choice->ink_limit * 65535u / 100;
	const struct rip_page_spec spec = {
		.planes = page->planes, .levels = page->levels, .sample_bits = page->sample_bits,
		.screen = page->screen,
	};
	struct rip_tone_curves_key key;

	memset(&key, 0, sizeof key); /* with its padding: it is compared as bytes */
	memcpy(&key.choice, choice, sizeof key.choice);
	memcpy(&key.page, page, sizeof key.page);
	key.page.screen = NULL; /* its patterns matter */
	if (page->screen->kind == RIP_SCREEN_BI_LEVEL)
		key.choice.toner_save = 0; /* less ink would be none */
	for (uint32_t p = 0; p < page->planes; p++) {
		key.patterns[p] = rip_pattern_of(page->screen, p);
		if (page->screen->kind == RIP_SCREEN_MASK)
			key.masks[p] = page->screen->masks[p];
	}
	if (!memcmp(&key, &curves->key, sizeof key))
		return 0;
	rip_plane_curves_free(curves->curves, RIP_PLANES_MAX);
	curves->key = key;
	if (make_curves(curves) < 0 ||
	    rip_plane_curves_set(&curves->use, &spec, (const uint16_t *const *)curves->curves) < 0) {
		rip_tone_curves_finish(curves);
		return -ENOMEM;
	}
	make_toner_rule(curves);
	rip_ink_limit_init(&curves->limit, !page->light && most < 65535u * page->planes ? most : 0,
			   page->planes, page->sample_bits, page->black, curves->curves);
	return 0;
}

void rip_tone_curves_check_order(const struct rip_tone_curves *curves,
				 const struct rip_geometry *geometry, unsigned page, bool *warned)
{
	if (curves->limit.most == 0 || geometry->order != CUPS_ORDER_PLANAR || geometry->planes == 1 ||
	    *warned)
		return;
	rip_warning("page %u: no ink limit, because the inks of a planar page come one after the "
		    "other; cupsColorOrder must be 0 or 1 (the queue's PPD sets it)", page);
	*warned = true;
}

void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size)
{
	const struct rip_tone_choice *choice = &curves->key.choice;
	const struct rip_printer printer = printer_of(&curves->key);
	int used;

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
}
