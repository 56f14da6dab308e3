/*
 * The cells of a clustered screen: which pixel of a supercell belongs to which cell, and
 * which pixel of that cell it is.  Integers only.
 *
 * A pixel with the centre (x + 1/2, y + 1/2) belongs to the cell (floor(u), floor(v)),
 *
 *	u = (a*(x + 1/2) + b*(y + 1/2)) / n    v = (-b*(x + 1/2) + a*(y + 1/2)) / n
 *
 * So (a, b)/n is the frequency of the cells, and the cell (1, 0) is the cell (0, 0) moved by
 * n*a/k columns and n*b/k rows, k = a*a + b*b.  If these are whole numbers, all cells have the
 * same pixels.  Else cells begin at fractions of a pixel, in units of 1/d with n/k = e/d in lowest
 * terms, and only cells that begin at the same fraction have the same pixels.
 *
 * Pixels are numbered by their place relative to the corner of their cell, by rows and in
 * each row by columns; the cells of a supercell likewise, by the place of their corner in it.
 */
#ifndef RIP_MASK_CELLS_H
#define RIP_MASK_CELLS_H

#include <stdint.h>

/* Where a pixel is. */
struct rip_cell_place {
	int32_t  x, y; /* relative to the corner of its cell, in 1/d of columns and rows */
	int32_t  left, top; /* the corner, in e/d of columns and rows: 0 to side*d/e - 1 */
	uint16_t cell;  /* number of the cell */
	uint16_t pixel; /* number of the place relative to the corner */
};

int32_t rip_common_divisor(int32_t a, int32_t b);

/* Fills `side` rows of `side` places.  side is a multiple of n / gcd(a, b, n), and there are at
 * most 65535 cells.  0 or -ENOMEM. */
int rip_cell_places(int32_t a, int32_t b, int32_t n, uint32_t side, struct rip_cell_place *places);

#endif
