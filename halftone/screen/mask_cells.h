/*
 * The cells of a clustered screen: which pixel of a supercell belongs to which cell, and
 * which pixel of that cell it is.  Integers only.
 *
 * A pixel with the centre (x + 1/2, y + 1/2) belongs to the cell (floor(u), floor(v)),
 *
 *	u = (a*(x + 1/2) + b*(y + 1/2)) / k    v = (-b*(x + 1/2) + a*(y + 1/2)) / k
 *
 * with k = a*a + b*b.  All cells have the same shape, since the cell (1, 0) is the cell (0, 0)
 * moved by a columns and b rows.  The pixels of a cell are numbered by rows and in each
 * row by columns; the cells of a supercell likewise, by the place of their corner in it.
 */
#ifndef RIP_MASK_CELLS_H
#define RIP_MASK_CELLS_H

#include <stdint.h>

/* Where a pixel is. */
struct rip_cell_place {
	int32_t  x, y; /* relative to the corner of its cell, in columns and rows */
	uint16_t cell;  /* number of the cell */
	uint16_t pixel; /* number in the cell */
};

/* Fills `side` rows of `side` places.  side is a multiple of k / gcd(a, b), and there are at
 * most 65535 cells.  0 or -ENOMEM. */
int rip_cell_places(int32_t a, int32_t b, uint32_t side, struct rip_cell_place *places);

#endif
