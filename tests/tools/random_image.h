/*
 * Random images: planes, a carry to begin with, and what becomes of them, twice, to be compared.
 */
#ifndef RIP_RANDOM_IMAGE_H
#define RIP_RANDOM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "halftone/engine.h"
#include "tests/tools/memory.h"

/* The random numbers of the program. */
uint64_t rip_test_random(void);

/* At random, both included. */
static inline uint32_t pick(uint32_t from, uint32_t to)
{
	return from + (uint32_t)(rip_test_random() % ((uint64_t)to - from + 1));
}

struct image {
	struct rip_page_spec spec;
	uint32_t  rows;
	uint32_t  thin; /* not 0: bands have so many rows, and come faster than they are copied */
	size_t    in_pitch, out_pitch;
	uint8_t  *in, *want, *got; /* planes one after the other */
	uint16_t *curve;
	int16_t  *start, *want_carry, *got_carry;
};

static inline uint32_t image_sample(uint32_t full, uint32_t flat, bool noisy)
{
	const uint32_t kind = noisy ? pick(0, 3) : 4;

	return kind == 0 ? 0 : kind == 1 ? full : kind < 4 ? pick(0, full) : flat;
}

/* Memory that shares no page with other, so that it can be page-locked. */
static inline void *image_memory(size_t size)
{
	return need(aligned_alloc(4096, (size + 4095) / 4096 * 4096));
}

/* A random curve. */
static inline void image_curve(struct image *im)
{
	const uint32_t full = im->spec.sample_bits == 8 ? 255 : 65535;

	im->curve = need(malloc((full + 1) * sizeof *im->curve));
	for (uint32_t v = 0; v <= full; v++)
		im->curve[v] = (uint16_t)image_sample(65535, 0, true);
	im->spec.curve = im->curve;
}

/* Makes the samples and the carry of an image with this spec and so many rows. */
static inline void image_fill(struct image *im)
{
	const uint32_t bytes = im->spec.sample_bits / 8, full = bytes == 1 ? 255 : 65535;
	const uint32_t width = im->spec.width, rows = im->rows, planes = im->spec.planes;
	const size_t values = planes * rip_carry_values(&im->spec);

	im->in_pitch = (size_t)width * bytes + pick(0, 3) * 16 + pick(0, 1) * bytes;
	if (pick(0, 1))
		im->in_pitch = (im->in_pitch + 15) / 16 * 16;
	im->out_pitch = rip_dot_bytes(width, im->spec.levels) + pick(0, 9);
	im->in = image_memory(im->in_pitch * rows * planes);
	im->want = need(malloc(im->out_pitch * rows * planes));
	im->got = image_memory(im->out_pitch * rows * planes);
	im->start = need(malloc(values * 2));
	im->want_carry = need(malloc(values * 2));
	im->got_carry = need(malloc(values * 2));
	memset(im->want, 0x5a, im->out_pitch * rows * planes);
	memset(im->got, 0x5a, im->out_pitch * rows * planes);
	for (size_t i = 0; i < (size_t)rows * planes; i++) {
		const uint32_t flat = pick(0, full);
		const bool noisy = pick(0, 1);
		/* Mostly, unless there is a curve: transparent in its plane. */
		const bool clear = rip_screen_couples(im->spec.screen) && pick(0, 2) == 0;

		for (uint32_t j = 0; j < width; j++) {
			const uint32_t v = clear ? pick(0, 1) * full :
						   image_sample(full, flat, noisy);

			if (bytes == 1)
				im->in[i * im->in_pitch + j] = (uint8_t)v;
			else
				memcpy(im->in + i * im->in_pitch + 2 * j, &v, 2);
		}
	}
	for (size_t j = 0; j < values; j++) {
		const int32_t bound =
			im->spec.screen->carry_bound[j / width % (size_t)im->spec.screen->reach];

		im->start[j] = (int16_t)((int32_t)pick(0, 2 * (uint32_t)bound) - bound);
	}
}

static inline void image_free(struct image *im)
{
	free(im->in);
	free(im->want);
	free(im->got);
	free(im->curve);
	free(im->start);
	free(im->want_carry);
	free(im->got_carry);
}

/* Rows of a plane, from row `at` of the image's memory on. */
static inline struct rip_strip image_strip(const struct image *im, uint32_t plane, uint32_t rows,
					   size_t at, uint8_t *out)
{
	return (struct rip_strip){
		.plane = plane, .rows = rows,
		.in = im->in + at * im->in_pitch, .in_pitch = (ptrdiff_t)im->in_pitch,
		.out = out + at * im->out_pitch, .out_pitch = (ptrdiff_t)im->out_pitch,
	};
}

/* A plane's part of carries. */
static inline int16_t *image_carry(const struct image *im, int16_t *carries, uint32_t plane)
{
	return carries + plane * rip_carry_values(&im->spec);
}

/* Whether got is as want; why: the first difference. */
static inline bool image_equal(const struct image *im, char *why, size_t size)
{
	const size_t bytes = im->out_pitch * im->rows * im->spec.planes;
	const size_t values = im->spec.planes * rip_carry_values(&im->spec);
	int n = snprintf(why, size,
			 "%s: %ux%u, %u planes, %u levels, %u bits%s: ", im->spec.screen->name,
			 im->spec.width, im->rows, im->spec.planes, im->spec.levels,
			 im->spec.sample_bits, im->spec.curve ? ", curve" : "");

	for (size_t i = 0; i < bytes; i++)
		if (im->got[i] != im->want[i]) {
			snprintf(why + n, size - (size_t)n,
				 "plane %zu row %zu byte %zu is %02x, not %02x",
				 i / im->out_pitch / im->rows, i / im->out_pitch % im->rows,
				 i % im->out_pitch, im->got[i], im->want[i]);
			return false;
		}
	for (size_t j = 0; j < values; j++)
		if (im->got_carry[j] != im->want_carry[j]) {
			snprintf(why + n, size - (size_t)n,
				 "value %zu of the carries is %d, not %d", j, im->got_carry[j],
				 im->want_carry[j]);
			return false;
		}
	return true;
}

#endif
