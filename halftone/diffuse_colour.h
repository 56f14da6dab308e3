/*
 * Blue noise for colour (screen/blue_noise_colour.h) in plain C: the definition of the results.
 *
 * The planes of a page are halftoned together, pixel by pixel; each has a diffuser that pushes, for
 * its carry.
 */
#ifndef RIP_DIFFUSE_COLOUR_H
#define RIP_DIFFUSE_COLOUR_H

#include "diffuse.h"
#include "halftone/screen/blue_noise_colour.h"

/* The planes of a page. */
struct rip_colour_planes {
	struct rip_coupling    coupling;
	uint32_t               planes;
	struct rip_colour_step steps[RIP_PLANES_MAX];
};

/* What a row keeps from call to call. */
struct rip_colour_cache {
	bool passes[RIP_PLANES_MAX]; /* by plane: the row is transparent in it */
	struct rip_diffuser_cache planes[RIP_PLANES_MAX];
};

void rip_colour_planes_init(struct rip_colour_planes *planes, const struct rip_page_spec *spec);

/* Columns from .. to-1 of row `row` of the strips, of each plane one; from and to are multiples of
 * RIP_DIFFUSE_SHIFT, or the width.  before: copies of the planes' diffusers before the first row.
 * All as in rip_diffuser_columns(). */
void rip_colour_columns(const struct rip_colour_planes *planes, const struct rip_diffuser before[],
			const struct rip_strip strips[], uint32_t row, uint32_t from, uint32_t to,
			struct rip_colour_cache *cache);

#endif
