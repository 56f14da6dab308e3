/* Inks from a cube of samples. */
#include "colour_cube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BITS 12 /* of a weight */
#define ONE  (1u << BITS)
#define HALF (1u << (2 * BITS - 1))

/* sRGB to linear light, both 0 to 1. */
static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

struct rip_colour_cube *rip_colour_cube_new(unsigned size)
{
	const unsigned points = size * size * size;
	struct rip_colour_cube *cube = calloc(1, sizeof *cube + points * sizeof *cube->samples);

	if (!cube)
		return NULL;
	cube->size = size;
	for (unsigned v = 0; v < 256; v++)
		cube->place[v] = (uint32_t)lrint(linear(v / 255.) * (size - 1) * ONE);
	return cube;
}

/* The inks of one pixel. */
static void do_pixel(const struct rip_colour_cube *cube, const uint8_t rgb[3],
		     uint8_t inks[RIP_CUBE_INKS])
{
	const uint32_t last = cube->size - 2; /* the cell of the last point is the one before it */
	uint32_t first = 0, weights[3][2], sums[RIP_CUBE_INKS] = { 0 };

	for (int axis = 0; axis < 3; axis++) {
		const uint32_t place = cube->place[rgb[axis]];
		const uint32_t cell = place >> BITS > last ? last : place >> BITS;

		weights[axis][1] = place - (cell << BITS);
		weights[axis][0] = ONE - weights[axis][1];
		first = first * cube->size + cell;
	}
	for (uint32_t corner = 0; corner < 8; corner++) {
		const uint32_t r = corner >> 2, g = corner >> 1 & 1, b = corner & 1;
		const uint32_t at = first + (r * cube->size + g) * cube->size + b;
		const uint8_t *sample = cube->samples[at];
		const uint64_t product = (uint64_t)(weights[0][r] * weights[1][g]) * weights[2][b];
		/* The eight of them add up to 2^24, less at most 7, which no ink can show. */
		const uint32_t weight = (uint32_t)(product >> BITS);

		for (int ink = 0; ink < RIP_CUBE_INKS; ink++)
			sums[ink] += weight * sample[ink];
	}
	for (int ink = 0; ink < RIP_CUBE_INKS; ink++)
		inks[ink] = (uint8_t)((sums[ink] + HALF) >> 2 * BITS);
}

void rip_colour_cube_do(const struct rip_colour_cube *cube, const uint8_t *rgb, uint8_t *inks,
			size_t pixels)
{
	for (size_t i = 0; i < pixels; i++) {
		uint8_t *to = inks + RIP_CUBE_INKS * i;

		if (i > 0 && !memcmp(rgb + 3 * i, rgb + 3 * (i - 1), 3))
			memcpy(to, to - RIP_CUBE_INKS, RIP_CUBE_INKS);
		else
			do_pixel(cube, rgb + 3 * i, to);
	}
}
