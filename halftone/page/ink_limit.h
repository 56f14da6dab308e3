/*
 * The ink limit of a page: the most that the inks of a pixel add up to.
 *
 * The inks of each pixel that exceed the limit are scaled: black stays, and the others are all
 * multiplied by the same factor, rounded down.  If black alone reaches the limit, no other ink is
 * left.  Used by any thread once it is initialised.
 *
 * Also what chunked pixels go through on their way to rows (struct rip_pixels): the limit, and on
 * pages of 16 bits the curves, of which there is one a plane.
 */
#ifndef RIP_INK_LIMIT_H
#define RIP_INK_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/engine.h"

struct rip_ink_limit {
	uint32_t most;        /* 65535 for each full ink, less than that of all; 0: no limit */
	uint32_t planes;
	uint32_t sample_bits; /* 8 or 16 */
	int      black;       /* the plane of black ink; -1: none */
	const uint16_t *curves[RIP_PLANES_MAX]; /* x by sample, of each plane; NULL: straight */
	/* Of 8-bit samples: the largest one whose curve is at most x, by x; 0 if there is none.
	 * Planes with one curve share it; NULL: straight. */
	uint8_t *samples[RIP_PLANES_MAX];
	/* 8-bit samples without curves, and one full ink does not exceed the limit. */
	bool straight;
	/* 8-bit samples of a pixel that add up to this do not exceed the limit. */
	uint32_t safe;
};

/* The curves, one of each plane or NULL, must never fall, and live as long as the limit.
 * 0 or -ENOMEM. */
int rip_ink_limit_init(struct rip_ink_limit *limit, uint32_t most, uint32_t planes,
		       uint32_t sample_bits, int black, uint16_t *const curves[]);

/* May be called twice, and of zeros. */
void rip_ink_limit_finish(struct rip_ink_limit *limit);

/* The bytes of the curves of all planes, of 8-bit samples; 0 if no plane has one, or without a
 * limit. */
size_t rip_ink_limit_curve_bytes(const struct rip_ink_limit *limit);

/* Writes these curves: a straight one for a plane without. */
void rip_ink_limit_put_curves(const struct rip_ink_limit *limit, uint16_t *curves);

/* Limits the inks of a row, whose limit is not 0.
 *
 * planes: rows of `width` samples, before the curves.  They become the largest ones whose curves
 * are not above the scaled inks. */
void rip_ink_limit_apply(const struct rip_ink_limit *limit, void *const planes[], uint32_t width);

#endif
