/*
 * The ink limit of a page with light inks.
 *
 * A light tone takes more ink from a light ink than from the dark one of its colour.  So where a
 * pixel has too much, its light inks fade first, and the dark inks take their place, which hardly
 * changes the tone: of two inks, l and d, and a alone, which is what the dark ink prints without
 * the light one,
 *
 *	d' = d + (1 - f) (a - d)        l' = f l        0 <= f <= 1,
 *
 * with the largest f, one for all colours, with which the pixel keeps the limit.  If it does not
 * with f = 0, all colours are also multiplied by a common factor, as in ink_limit.h.  Nothing
 * jumps on the way.  Black and light black stay; if they alone exceed the limit, no other ink is
 * left, and light black is cut.
 *
 * A colour without a light ink, or whose light ink takes no more than the dark one would, has
 * f = 1.  All products are rounded down, so the sum of a pixel never exceeds the limit.
 *
 * Used by any thread once it is initialised.
 */
#ifndef RIP_LIGHT_LIMIT_H
#define RIP_LIGHT_LIMIT_H

#include <stdint.h>

#include "halftone/page/band.h"

struct rip_light_limit {
	uint32_t most;        /* 65535 for each full ink, at least one; 0: no limit */
	uint32_t sample_bits; /* 8 or 16 */
	uint32_t colours;     /* planes of the samples; the dots have those of light inks behind */
	uint32_t planes;      /* of the dots */
	int      black;       /* -1: none */
	int      light[RIP_PLANES_MAX];        /* of a colour: its light ink's plane; -1: none */
	const uint16_t *alone[RIP_PLANES_MAX]; /* of a colour: x by sample without its light ink;
						  NULL: not known */
};

/* Limits the inks of a row.  samples: of the colours.  x: of all planes, `width` values each, which
 * the curves have made of the samples. */
void rip_light_limit_apply(const struct rip_light_limit *limit, const void *const samples[],
			   uint16_t *const x[], uint32_t width);

#endif
