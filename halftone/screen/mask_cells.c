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
static int32_t wrap(int32_t n, int32_t d)
{
	return n - d * floor_div(n, d);
}

/* Gives each used cell its rank: 0, 1, 2 and so on in the order of `used`. */
static void number(uint16_t *used, size_t count)
{
	uint16_t next = 0;

	for (size_t i = 0; i < count; i++)
		if (used[i])
			used[i] = next++;
}

int32_t rip_common_divisor(int32_t a, int32_t b)
{
	return b ? rip_common_divisor(b, a % b) : a;
}

int rip_cell_places(int32_t a, int32_t b, int32_t n, uint32_t side, struct rip_cell_place *places)
{
	const int32_t k = a * a + b * b, common = rip_common_divisor(n, k);
	const int32_t d = k / common, e = n / common, box = (a + b) * e;
	const int32_t s = (int32_t)side * d / e;
	const size_t pixels = (size_t)side * side;
	/* By the corner of the cell in the supercell, and by the pixel in the box of a cell. */
	const size_t corners = (size_t)s * (size_t)s, insides = (size_t)box * (size_t)box;
	uint16_t *cells = calloc(corners, sizeof *cells);
	uint16_t *inside = calloc(insides, sizeof *inside);
	const int r = cells && inside ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < 2 * pixels; i++) {
		const int32_t x = (int32_t)(i % pixels % side), y = (int32_t)(i % pixels / side);
		const int32_t u = floor_div(a * (2 * x + 1) + b * (2 * y + 1), 2 * n);
		const int32_t v = floor_div(-b * (2 * x + 1) + a * (2 * y + 1), 2 * n);
		const int32_t left = u * a - v * b, top = u * b + v * a;
		const struct rip_cell_place place = {
			.x = d * x - e * left, .y = d * y - e * top,
			.left = wrap(left, s), .top = wrap(top, s),
		};
		uint16_t *cell = &cells[place.top * s + place.left];
		uint16_t *pixel = &inside[(place.y + d / 2) * box + place.x + d / 2 + e * b];

		if (i < pixels) { /* first see which there are */
			*cell = *pixel = 1;
			continue;
		}
		if (i == pixels) {
			number(cells, corners);
			number(inside, insides);
		}
		places[i - pixels] = place;
		places[i - pixels].cell = *cell;
		places[i - pixels].pixel = *pixel;
	}
	free(cells);
	free(inside);
	return r;
}
