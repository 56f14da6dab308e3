/* The tone curves of a page's planes. */
#include "tone_curves.h"

#include <errno.h>
#include <string.h>

void rip_tone_curves_finish(struct rip_tone_curves *curves)
{
	rip_ink_limit_finish(&curves->limit);
	rip_plane_curves_free(curves->alone, RIP_PLANES_MAX);
	rip_page_curves_finish(&curves->page);
	rip_page_curves_finish(&curves->fine);
	memset(curves, 0, sizeof *curves);
}

/* The plane of black ink, which an ink limit does not change; -1: none. */
static int black_plane(const struct rip_geometry *g, const struct rip_mask_use *use)
{
	for (uint32_t p = 0; p < g->planes; p++)
		if (use->inks[p] == RIP_INK_BLACK)
			return (int)p;
	return -1;
}

/* The limit of a page with light inks; most: 0 for none.  0 or -ENOMEM. */
static int limit_lights(struct rip_tone_curves *curves, const struct rip_geometry *g, int black,
			uint32_t most)
{
	struct rip_light_limit limit = {
		.most = most, .sample_bits = g->sample_bits,
		.colours = g->planes, .planes = g->planes + g->lights, .black = black,
	};

	for (uint32_t p = 0; p < g->planes; p++)
		limit.light[p] = -1;
	for (uint32_t i = 0; i < g->lights; i++) {
		const uint32_t p = g->light_planes[i].source;
		const bool shared = curves->page.wish.of[p].part == RIP_PART_DARK;

		limit.light[p] = (int)(g->planes + i);
		if (most > 0 && shared && !curves->alone[p])
			curves->alone[p] = rip_page_curves_alone(&curves->page, p);
		if (most > 0 && shared && !curves->alone[p])
			return -ENOMEM;
		limit.alone[p] = curves->alone[p];
	}
	curves->light_limit = limit;
	return 0;
}

/* The limits of a page whose curves are made.  0 or -ENOMEM. */
static int make_limits(struct rip_tone_curves *curves, const struct rip_geometry *g,
		       const struct rip_mask_use *use, unsigned ink_limit)
{
	const uint32_t asked = ink_limit * 65535u / 100;
	const uint32_t most = use->light || asked >= 65535u * use->planes ? 0 : asked;
	const uint32_t of_colours = g->lights == 0 ? most : 0;
	const int black = black_plane(g, use);

	if (curves->limit.most != of_colours || curves->limit.black != black) {
		rip_ink_limit_finish(&curves->limit);
		if (rip_ink_limit_init(&curves->limit, of_colours, g->planes, g->sample_bits, black,
				       curves->page.curves) < 0)
			return -ENOMEM;
	}
	return limit_lights(curves, g, black, g->lights > 0 ? most : 0);
}

/* The planes of a page have the same full sample. */
static void make_toner_rule(struct rip_tone_curves *curves)
{
	const struct rip_page_wish *wish = &curves->page.wish;
	const double dpi = wish->of[0].dpi;

	curves->around = (struct rip_around_rules){ .toner.edge = 0 };
	if (wish->toner_save) {
		curves->around.toner.edge = rip_toner_edge(dpi > 0 ? dpi : 600);
		curves->around.toner.full_is_0 = rip_toner_full_is_0(
			curves->page.curves[0], 1u << wish->sample_bits, wish->of[0].light);
	}
}

int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_page_wish *wish,
			 const uint16_t *const first[], const struct rip_geometry *geometry,
			 const struct rip_mask_use *use, unsigned ink_limit)
{
	const unsigned made = curves->page.made;
	int r = rip_page_curves_make(&curves->page, wish, first);

	if (curves->page.made != made) { /* the others are of curves that are gone */
		rip_ink_limit_finish(&curves->limit);
		rip_plane_curves_free(curves->alone, RIP_PLANES_MAX);
	}
	if (r == 0)
		r = make_limits(curves, geometry, use, ink_limit);
	if (r < 0)
		rip_tone_curves_finish(curves);
	else
		make_toner_rule(curves);
	return r;
}

int rip_tone_curves_edges(struct rip_tone_curves *curves, const struct rip_screen *finer,
			  uint32_t side)
{
	return curves->limit.most > 0 ? 0 :
	       rip_page_curves_edges(&curves->page, finer, side, &curves->fine,
				     &curves->around.edges);
}

bool rip_tone_curves_differ(const struct rip_tone_curves *curves)
{
	bool differ = false;

	for (uint32_t p = 1; p < curves->page.wish.planes; p++)
		differ |= curves->page.curves[p] != curves->page.curves[0];
	return differ;
}
