/* The ink limit of a page with light inks. */
#include "filter/light_limit.h"

#include <stdbool.h>

#include "halftone/cpu.h"

#define BLOCK 256 /* pixels whose sums are compared at once; loops of this length become vectors */

/* The inks of one colour in a pixel. */
struct colour {
	uint32_t dark, light, alone;
};

static uint32_t sample_at(const struct rip_light_limit *limit, const void *row, uint32_t j)
{
	return limit->sample_bits == 8 ? ((const uint8_t *)row)[j] : ((const uint16_t *)row)[j];
}

static struct colour colour_at(const struct rip_light_limit *limit, const void *const samples[],
			       uint16_t *const x[], uint32_t p, uint32_t j)
{
	const int light = limit->light[p];
	struct colour colour = { .dark = x[p][j], .light = light < 0 ? 0 : x[light][j] };
	const uint32_t both = colour.dark + colour.light;

	colour.alone = limit->alone[p] && light >= 0 ?
		       limit->alone[p][sample_at(limit, samples[p], j)] : both;
	/* Fading would not save ink, or the dark ink would have to give way. */
	if (colour.alone >= both || colour.alone < colour.dark)
		colour.alone = both;
	return colour;
}

/* Exchanges light ink for dark.  fade: f in units of 2^-16, up to 1. */
static void exchange(struct colour *colour, uint32_t fade)
{
	if (colour->alone == colour->dark + colour->light)
		return;
	colour->dark += (uint32_t)((uint64_t)(colour->alone - colour->dark) * (65536 - fade) >> 16);
	colour->light = (uint32_t)((uint64_t)colour->light * fade >> 16);
}

static void limit_pixel(const struct rip_light_limit *limit, const void *const samples[],
			uint16_t *const x[], uint32_t j)
{
	struct colour colours[RIP_PLANES_MAX];
	uint32_t rest = limit->most, both = 0, alone = 0, fade = 0, factor = 65536;

	for (uint32_t p = 0; p < limit->colours; p++) {
		struct colour *c = &colours[p];

		*c = colour_at(limit, samples, x, p, j);
		if ((int)p == limit->black) {
			if (c->light > rest - c->dark)
				c->light = rest - c->dark;
			rest -= c->dark + c->light;
		} else {
			both += c->dark + c->light;
			alone += c->alone;
		}
	}
	if (both > rest && alone <= rest) /* so alone < both */
		fade = (uint32_t)(((uint64_t)(rest - alone) << 16) / (both - alone));
	else if (both > rest)
		factor = (uint32_t)(((uint64_t)rest << 16) / alone);
	else
		fade = 65536;
	for (uint32_t p = 0; p < limit->colours; p++) {
		struct colour *c = &colours[p];

		if ((int)p != limit->black) {
			exchange(c, fade);
			c->dark = (uint32_t)((uint64_t)c->dark * factor >> 16);
			c->light = (uint32_t)((uint64_t)c->light * factor >> 16);
		}
		x[p][j] = (uint16_t)c->dark;
		if (limit->light[p] >= 0)
			x[limit->light[p]][j] = (uint16_t)c->light;
	}
}

static uint32_t sum_at(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t j)
{
	uint32_t sum = 0;

	for (uint32_t p = 0; p < limit->planes; p++)
		sum += x[p][j];
	return sum;
}

#define INLINE static inline __attribute__((always_inline))

/* The largest x of all planes in a block, added up: never below its largest sum, and nearly that where
 * a picture is smooth. */
INLINE uint32_t largest(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t from)
{
	uint32_t sum = 0;

	for (uint32_t p = 0; p < limit->planes; p++) {
		const uint16_t *row = x[p] + from;
		uint16_t most = 0;

		for (int i = 0; i < BLOCK; i++)
			most = row[i] > most ? row[i] : most;
		sum += most;
	}
	return sum;
}

/* The largest sum in a block. */
INLINE uint32_t largest_sum(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t from)
{
	uint32_t sums[BLOCK] = { 0 }, most = 0;

	for (uint32_t p = 0; p < limit->planes; p++) {
		const uint16_t *row = x[p] + from;

		for (int i = 0; i < BLOCK; i++)
			sums[i] += row[i];
	}
	for (int i = 0; i < BLOCK; i++)
		most = sums[i] > most ? sums[i] : most;
	return most;
}

/* The first block from column j on with a pixel that exceeds the limit; width - width % BLOCK if there
 * is none. */
INLINE uint32_t find_block(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t width,
			   uint32_t j)
{
	while (j + BLOCK <= width && (largest(limit, x, j) <= limit->most ||
				      largest_sum(limit, x, j) <= limit->most))
		j += BLOCK;
	return j;
}

static uint32_t next_block(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t width,
			   uint32_t j)
{
	return find_block(limit, x, width, j);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static uint32_t
next_block_avx2(const struct rip_light_limit *limit, uint16_t *const x[], uint32_t width, uint32_t j)
{
	return find_block(limit, x, width, j);
}
#else
#define next_block_avx2 next_block
#endif

void rip_light_limit_apply(const struct rip_light_limit *limit, const void *const samples[],
			   uint16_t *const x[], uint32_t width)
{
	const bool avx2 = rip_cpu_features() & RIP_CPU_AVX2;

	for (uint32_t from = 0, to; from < width; from = to) {
		from = avx2 ? next_block_avx2(limit, x, width, from) : next_block(limit, x, width, from);
		to = width - from < BLOCK ? width : from + BLOCK;
		for (uint32_t j = from; j < to; j++)
			if (sum_at(limit, x, j) > limit->most)
				limit_pixel(limit, samples, x, j);
	}
}
