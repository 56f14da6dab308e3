/*
 * Threshold masks, computed from their tables (mask_table.h).
 *
 * A mask with N pixels and the ranks 0 to N-1 has the thresholds
 * floor((rank + 1/2) * 65536 / N), at most 65534.
 *
 * The masks are made when they are first asked for, and stay in memory as long as the
 * process.  Any thread may ask.
 */
#ifndef RIP_MASK_H
#define RIP_MASK_H

#include <stdbool.h>

#include "mask_table.h"
#include "screen.h"

enum rip_mask_kind { RIP_MASK_CELLS, RIP_MASK_BLUE_NOISE, RIP_MASK_BAYER };

/* Which mask.  Members that a kind does not have are 0. */
struct rip_mask_recipe {
	enum rip_mask_kind kind;
	const struct rip_cell_table *cells; /* of RIP_MASK_CELLS */
	uint32_t first;    /* cells: so many pixels of every cell turn to ink one after the
			      other, before the next cell begins; 1: one by one */
	bool     turned;   /* rows become columns */
	uint32_t down, right; /* the mask begins at this row and column of its table */
	uint32_t tall, wide;  /* every pixel becomes so many rows and columns; 1 or more */
	bool     mirrored; /* for light: thresholds 65534 - T */
};

/* The mask, or NULL if there is no memory. */
const struct rip_mask *rip_mask_get(const struct rip_mask_recipe *recipe);

/* The recipe of a mask that came from rip_mask_get(). */
const struct rip_mask_recipe *rip_mask_recipe_of(const struct rip_mask *mask);

#endif
