/* Inks from a cube of samples. */
#include "filter/colour_cube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BITS 12 /* of a weight */
#define ONE  (1u << BITS)

/* sRGB to linear light, both 0 to 1. */
static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

struct rip_colour_cube *rip_colour_cube_new(unsigned size)
{
	struct rip_colour_cube *cube = calloc(1, sizeof *cube + size * size * size * sizeof *cube->samples);

	if (!cube)
		return NULL;
	cube->size = size;
	for (unsigned v = 0; v < 256; v++)
		cube->place[v] = (uint32_t)lrint(linear(v / 255.) * (size - 1) * ONE);
	return cube;
}

/* The inks of one pixel. */
static void do_pixel(const struct rip_colour_cube *cube, const uint8_t rgb[3], uint8_t inks[RIP_CUBE_INKS])
{
	const uint32_t last = cube->size - 2; /* the cell of the last point is the one before it */
	uint32_t first = 0, weights[3][2];
	uint64_t sums[RIP_CUBE_INKS] = { 0 };

	for (int axis = 0; axis < 3; axis++) {
		const uint32_t place = cube->place[rgb[axis]];
		const uint32_t cell = place >> BITS > last ? last : place >> BITS;

		weights[axis][1] = place - (cell << BITS);
		weights[axis][0] = ONE - weights[axis][1];
		first = first * cube->size + cell;
	}
	for (uint32_t corner = 0; corner < 8; corner++) {
		const uint32_t r = corner >> 2, g = corner >> 1 & 1, b = corner & 1;
		const uint8_t *sample = cube->samples[first + (r * cube->size + g) * cube->size + b];
		const uint64_t weight = (uint64_t)weights[0][r] * weights[1][g] * weights[2][b];

		for (int ink = 0; ink < RIP_CUBE_INKS; ink++)
			sums[ink] += weight * sample[ink];
	}
	for (int ink = 0; ink < RIP_CUBE_INKS; ink++)
		inks[ink] = (uint8_t)((sums[ink] + (UINT64_C(1) << (3 * BITS - 1))) >> 3 * BITS);
}

void rip_colour_cube_do(const struct rip_colour_cube *cube, const uint8_t *rgb, uint8_t *inks, size_t pixels)
{
	for (size_t i = 0; i < pixels; i++) {
		if (i > 0 && !memcmp(rgb + 3 * i, rgb + 3 * (i - 1), 3))
			memcpy(inks + RIP_CUBE_INKS * i, inks + RIP_CUBE_INKS * (i - 1), RIP_CUBE_INKS);
		else
			do_pixel(cube, rgb + 3 * i, inks + RIP_CUBE_INKS * i);
	}
}
