/* The tone curves of a page's planes. */
#include "filter/tone_curves.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds the caller's curve in front of one of 16 bits. */
static void put_first(const uint16_t *first, uint32_t count, const uint16_t *by_x, uint16_t *curve)
{
	for (uint32_t v = 0; v < count; v++)
		curve[v] = by_x[first[v]];
}

static uint16_t *make_curve(const struct rip_tone_curves_key *key, const struct rip_printer *printer,
			    const struct rip_pattern *pattern)
{
	const uint32_t count = 1u << key->page.sample_bits;
	const uint32_t steps = key->page.first ? 65536 : count;
	uint16_t *curve = malloc(count * sizeof *curve), *by_x = curve;
	struct rip_wish wish = RIP_WISH_NOTHING;
	struct rip_response response;

	if (key->page.first)
		by_x = malloc(steps * sizeof *by_x);
	if (curve && by_x) {
		wish.gamma = key->choice.gamma / 1000.0;
		wish.density = key->choice.density / 100.0;
		wish.target = key->choice.target;
		if (pattern && printer->kind != RIP_PRINTER_NONE) {
			rip_response_of(&response, printer, pattern, key->page.levels);
			wish.response = &response;
			wish.solid = printer->solid;
		}
		rip_curve_for(&wish, key->page.light, steps, by_x);
		if (key->page.first)
			put_first(key->page.first, count, by_x, curve);
	} else {
		free(curve);
		curve = NULL;
	}
	if (key->page.first)
		free(by_x);
	return curve;
}

static bool needs_curves(const struct rip_tone_curves_key *key, const struct rip_printer *printer)
{
	return key->page.first || key->choice.gamma != 1000 || key->choice.density != 100 ||
	       printer->kind != RIP_PRINTER_NONE;
}

static void free_curves(struct rip_tone_curves *curves)
{
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++) {
		for (uint32_t q = p + 1; q < RIP_PLANES_MAX; q++)
			if (curves->curves[q] == curves->curves[p])
				curves->curves[q] = NULL;
		free(curves->curves[p]);
		curves->curves[p] = NULL;
	}
}

void rip_tone_curves_finish(struct rip_tone_curves *curves)
{
	free_curves(curves);
	memset(curves, 0, sizeof *curves);
}

/* 0 or -ENOMEM. */
static int make_curves(struct rip_tone_curves *curves)
{
	const struct rip_tone_curves_key *key = &curves->key;
	const struct rip_printer printer = printer_of(key);

	curves->one = true;
	if (!needs_curves(key, &printer))
		return 0;
	for (uint32_t p = 0; p < key->page.planes; p++) {
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (key->patterns[q] == key->patterns[p])
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(key, &printer, key->patterns[p]);
		if (!curves->curves[p])
			return -ENOMEM;
		curves->one &= curves->curves[p] == curves->curves[0];
	}
	return 0;
}

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

	*page = (struct rip_tone_page){
		.screen = screen, .planes = geometry->planes, .sample_bits = geometry->sample_bits,
		.levels = levels, .dpi = x_dpi < y_dpi ? x_dpi : y_dpi, .light = geometry->light,
		.black = black_plane(header->cupsColorSpace),
	};
}

int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page)
{
	const uint32_t most = choice->ink_limit * 65535u / 100;
	struct rip_tone_curves_key key;

	memset(&key, 0, sizeof key); /* with its padding: it is compared as bytes */
	memcpy(&key.choice, choice, sizeof key.choice);
	memcpy(&key.page, page, sizeof key.page);
	key.page.screen = NULL; /* its patterns matter */
	for (uint32_t p = 0; p < page->planes; p++)
		key.patterns[p] = rip_pattern_of(page->screen, p);
	if (!memcmp(&key, &curves->key, sizeof key))
		return 0;
	free_curves(curves);
	curves->key = key;
	curves->limit = !page->light && most < 65535u * page->planes ? most : 0;
	if (make_curves(curves) == 0)
		return 0;
	rip_tone_curves_finish(curves);
	return -ENOMEM;
}

bool rip_tone_curves_apply(const struct rip_tone_curves *curves)
{
	return !curves->one || curves->limit > 0;
}

void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size)
{
	const struct rip_tone_choice *choice = &curves->key.choice;
	const struct rip_printer printer = printer_of(&curves->key);

	snprintf(text, size, "dot gain %s (%.1f points), target %s, density %u %%, gamma %u.%03u, "
		 "ink limit %u %%", rip_printer_names[choice->preset],
		 printer.kind == RIP_PRINTER_NONE ? 0 : rip_printer_gain(&printer),
		 rip_target_names[choice->target], choice->density, choice->gamma / 1000,
		 choice->gamma % 1000, choice->ink_limit);
}

void rip_tone_limit(uint16_t *const planes[], uint32_t count, int black, uint32_t width,
		    uint32_t limit)
{
	for (uint32_t j = 0; j < width; j++) {
		const uint32_t k = black < 0 ? 0 : planes[black][j];
		const uint32_t rest = k < limit ? limit - k : 0;
		uint32_t sum = 0, factor;

		for (uint32_t p = 0; p < count; p++)
			sum += planes[p][j];
		sum -= k;
		if (sum <= rest)
			continue;
		/* Below 1 in units of 2^-16.  rest < sum < 2^20. */
		factor = (uint32_t)(((uint64_t)rest << 16) / sum);
		for (uint32_t p = 0; p < count; p++)
			if ((int)p != black)
				planes[p][j] = (uint16_t)(planes[p][j] * factor >> 16);
	}
}
