/*
 * The picture that is halftoned by the benchmark: noise interpolated between the
 * points of three grids (256, 64 and 16 pixels apart) for shapes and texture, and
 * grain for every pixel.
 */
#include "bench.h"

#define GRIDS 3

static const uint32_t grid_step[GRIDS] = { 256, 64, 16 };
static const int32_t grid_weight[GRIDS] = { 144, 48, 24 }; /* grey levels, peak to peak */

#define GRAIN 15 /* grey levels, peak to peak; all together stay in 12..243 */

static uint32_t hash(uint32_t z)
{
	z ^= z >> 16;
	z *= 0x7feb352du;
	z ^= z >> 15;
	z *= 0x846ca68bu;
	return z ^ z >> 16;
}

/* A point of a grid: 0..255. */
static int32_t point(uint32_t seed, uint32_t x, uint32_t y)
{
	return (int32_t)(hash(seed + x * 0x9e3779b9u + y * 0x85ebca6bu) & 255);
}

/* The value of a grid at the left and right end of a cell, in row i, times 2^8. */
struct cell {
	int32_t left, right;
};

static struct cell cell_at(uint32_t seed, uint32_t step, uint32_t x, uint32_t i)
{
	const uint32_t y = i / step;
	const int32_t down = (int32_t)(i % step * 256 / step), up = 256 - down;

	return (struct cell){
		point(seed, x, y) * up + point(seed, x, y + 1) * down,
		point(seed, x + 1, y) * up + point(seed, x + 1, y + 1) * down,
	};
}

void rip_bench_picture(void *samples, uint32_t width, uint32_t height, size_t pitch,
		       uint32_t sample_bits, uint32_t plane)
{
	for (uint32_t i = 0; i < height; i++) {
		uint8_t *row = (uint8_t *)samples + i * pitch;
		struct cell cells[GRIDS] = { { 0 } };
		uint32_t grain = hash(i * 2 + 1 + plane * 0x51ed270bu);

		for (uint32_t j = 0; j < width; j++) {
			int32_t value = 0; /* grey levels times 2^16 */

			for (unsigned g = 0; g < GRIDS; g++) {
				const uint32_t step = grid_step[g];
				const int32_t right = (int32_t)(j % step * 256 / step);

				if (j % step == 0)
					cells[g] = cell_at(plane * GRIDS + g, step, j / step, i);
				value += (cells[g].left * (256 - right) + cells[g].right * right) /
					 256 * grid_weight[g];
			}
			grain = grain * 1664525u + 1013904223u;
			value += (12 << 16) + (int32_t)(grain >> 16) * GRAIN;
			if (sample_bits == 8)
				row[j] = (uint8_t)(value >> 16);
			else
				((uint16_t *)row)[j] = (uint16_t)(value >> 8);
		}
	}
}
