/* The cells of a clustered screen. */
#include "mask_cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int32_t floor_div(int32_t n, int32_t d)
{
	return n >= 0 ? n / d : -((-n + d - 1) / d);
}

/* The remainder, 0 to d - 1. */
static uint32_t wrap(int32_t n, int32_t d)
{
	return (uint32_t)(n - d * floor_div(n, d));
}

/* Gives each used cell its rank: 0, 1, 2 and so on in the order of `used`. */
static void number(uint16_t *used, size_t count)
{
	uint16_t next = 0;

	for (size_t i = 0; i < count; i++)
		if (used[i])
			used[i] = next++;
}

int rip_cell_places(int32_t a, int32_t b, uint32_t side, struct rip_cell_place *places)
{
	const int32_t k = a * a + b * b, s = (int32_t)side, box = a + b;
	const size_t pixels = (size_t)side * side;
	/* By the corner of the cell in the supercell, and by the pixel in the box of a cell. */
	uint16_t *cells = calloc(pixels, sizeof *cells);
	uint16_t *inside = calloc((size_t)box * (size_t)box, sizeof *inside);
	const int r = cells && inside ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < 2 * pixels; i++) {
		const int32_t x = (int32_t)(i % pixels % side), y = (int32_t)(i % pixels / side);
		const int32_t u = floor_div(a * (2 * x + 1) + b * (2 * y + 1), 2 * k);
		const int32_t v = floor_div(-b * (2 * x + 1) + a * (2 * y + 1), 2 * k);
		const int32_t left = u * a - v * b, top = u * b + v * a;
		uint16_t *cell = &cells[wrap(top, s) * side + wrap(left, s)];
		uint16_t *pixel = &inside[(y - top) * box + (x - left) + b];

		if (i < pixels) { /* first see which there are */
			*cell = *pixel = 1;
			continue;
		}
		if (i == pixels) {
			number(cells, pixels);
			number(inside, (size_t)box * (size_t)box);
		}
		places[i - pixels] = (struct rip_cell_place){ x - left, y - top, *cell, *pixel };
	}
	free(cells);
	free(inside);
	return r;
}
