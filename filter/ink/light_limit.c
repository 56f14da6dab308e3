/* The ink limit of a page with light inks. */
#include "light_limit.h"

#include <string.h>

#include "halftone/cpu.h"
#include "system/inline.h"

#define BLOCK 256 /* pixels whose sums are compared at once; loops of this length become vectors */

#define INLINE RIP_INLINE

/* The largest x of all planes in a block, added up: never below its largest sum, and nearly that
 * where a picture is smooth. */
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

/* The pixels of a block.  One that keeps the limit comes out as it went in. */
struct block {
	uint16_t *x[RIP_PLANES_MAX];            /* of the planes */
	int32_t   alone[RIP_PLANES_MAX][BLOCK]; /* of the colours: x if the dark ink were alone */
	int32_t   rest[BLOCK];                  /* what black leaves of the limit */
	int32_t   fade[BLOCK], factor[BLOCK];   /* f of light inks, and of all; units of 2^-16 */
};

static const uint16_t no_ink[BLOCK];

/* The columns of the pixels that exceed the limit. */
INLINE uint32_t find_excess(const struct rip_light_limit *limit, const struct block *block,
			    uint16_t columns[BLOCK])
{
	uint32_t sums[BLOCK] = { 0 }, count = 0;
	uint8_t exceeds[BLOCK];

	for (uint32_t p = 0; p < limit->planes; p++)
		for (int i = 0; i < BLOCK; i++)
			sums[i] += block->x[p][i];
	for (int i = 0; i < BLOCK; i++)
		exceeds[i] = sums[i] > limit->most;
	for (int i = 0; i < BLOCK; i += 8) {
		uint64_t eight;

		memcpy(&eight, exceeds + i, sizeof eight);
		for (int j = i; eight && j < i + 8; j++) {
			columns[count] = (uint16_t)j;
			count += exceeds[j];
		}
	}
	return count;
}

/* Looks up what the dark ink of a colour prints alone, for the pixels that exceed the limit. */
INLINE void find_alone(const struct rip_light_limit *limit, struct block *block, uint32_t p,
		       const void *samples, uint32_t from, const uint16_t *columns, uint32_t count)
{
	const uint16_t *dark = block->x[p];
	const uint16_t *light = limit->light[p] < 0 ? no_ink : block->x[limit->light[p]];
	int32_t *alone = block->alone[p];

	for (int i = 0; i < BLOCK; i++)
		alone[i] = dark[i] + light[i];
	for (uint32_t i = 0; limit->alone[p] && limit->light[p] >= 0 && i < count; i++) {
		const uint32_t j = columns[i];
		const uint32_t sample = limit->sample_bits == 8 ?
					((const uint8_t *)samples)[from + j] :
					((const uint16_t *)samples)[from + j];
		const int32_t x = limit->alone[p][sample];

		/* None fades if that would save no ink, or if the dark ink had to give way. */
		alone[j] = x < alone[j] && x >= dark[j] ? x : alone[j];
	}
}

/* What black leaves; where it exceeds the limit alone, its light ink is cut. */
INLINE void find_rest(const struct rip_light_limit *limit, struct block *block)
{
	const int32_t most = (int32_t)limit->most;
	const int light_black = limit->black < 0 ? -1 : limit->light[limit->black];
	const uint16_t *black = limit->black < 0 ? no_ink : block->x[limit->black];

	for (int i = 0; i < BLOCK; i++)
		block->rest[i] = most - black[i];
	if (light_black < 0)
		return;
	for (int i = 0; i < BLOCK; i++) {
		const int32_t light = block->x[light_black][i], rest = block->rest[i];
		const int32_t left = light < rest ? light : rest;

		block->x[light_black][i] = (uint16_t)left;
		block->rest[i] = rest - left;
	}
}

/* How far light inks fade, and all inks are scaled.  The quotients are exact: where one of integers
 * of 37 and 20 bits is not whole, it is at least 2^-20 below the next whole number, which is more
 * than a double is rounded by. */
INLINE void find_factors(const struct rip_light_limit *limit, struct block *block)
{
	int32_t both[BLOCK] = { 0 }, alone[BLOCK] = { 0 };

	for (uint32_t p = 0; p < limit->colours; p++) {
		const uint16_t *dark = block->x[p];
		const uint16_t *light = limit->light[p] < 0 ? no_ink : block->x[limit->light[p]];

		if ((int)p == limit->black)
			continue;
		for (int i = 0; i < BLOCK; i++)
			both[i] += dark[i] + light[i];
		for (int i = 0; i < BLOCK; i++)
			alone[i] += block->alone[p][i];
	}
	/* Masks instead of branches, which a vector cannot have. */
	for (int i = 0; i < BLOCK; i++) {
		const int32_t rest = block->rest[i];
		const int32_t kept = -(both[i] <= rest), fades = -(alone[i] <= rest);
		const int32_t part = rest - (alone[i] & fades);
		const int32_t of = alone[i] + ((both[i] - 2 * alone[i]) & fades);
		const int32_t divisor = (of & ~kept) | (0x40000000 & kept);
		const int32_t quotient = (int32_t)(part * 65536. / divisor);

		block->fade[i] = (65536 & kept) | (quotient & fades & ~kept);
		block->factor[i] = (65536 & (kept | fades)) | (quotient & ~(kept | fades));
	}
}

/* Exchanges light ink of a colour for dark ink, and scales both. */
INLINE void apply_factors(const struct rip_light_limit *limit, struct block *block, uint32_t p)
{
	const uint16_t *dark = block->x[p];
	const uint16_t *light = limit->light[p] < 0 ? no_ink : block->x[limit->light[p]];
	uint16_t new_dark[BLOCK], new_light[BLOCK];

	for (int i = 0; i < BLOCK; i++) {
		const uint32_t d = dark[i], l = light[i], more = (uint32_t)block->alone[p][i] - d;
		/* A colour that has nothing to exchange does not fade. */
		const uint32_t fade = more == l ? 65536 : (uint32_t)block->fade[i];
		const uint32_t factor = (uint32_t)block->factor[i];

		new_dark[i] = (uint16_t)((d + (more * (65536 - fade) >> 16)) * factor >> 16);
		new_light[i] = (uint16_t)((l * fade >> 16) * factor >> 16);
	}
	memcpy(block->x[p], new_dark, sizeof new_dark);
	if (limit->light[p] >= 0)
		memcpy(block->x[limit->light[p]], new_light, sizeof new_light);
}

/* Limits a block from a column on. */
INLINE void limit_block(const struct rip_light_limit *limit, const void *const samples[],
			uint32_t from, struct block *block)
{
	uint16_t columns[BLOCK];
	const uint32_t count = find_excess(limit, block, columns);

	if (count == 0)
		return;
	for (uint32_t p = 0; p < limit->colours; p++)
		if ((int)p != limit->black)
			find_alone(limit, block, p, samples[p], from, columns, count);
	find_rest(limit, block);
	find_factors(limit, block);
	for (uint32_t p = 0; p < limit->colours; p++)
		if ((int)p != limit->black)
			apply_factors(limit, block, p);
}

/* The last pixels of a row, fewer than a block. */
INLINE void limit_end(const struct rip_light_limit *limit, const void *const samples[],
		      uint16_t *const x[], uint32_t from, uint32_t n)
{
	uint16_t rows[RIP_PLANES_MAX][BLOCK];
	struct block block;

	for (uint32_t p = 0; p < limit->planes; p++) {
		memcpy(rows[p], x[p] + from, n * sizeof *rows[p]);
		memset(rows[p] + n, 0, (BLOCK - n) * sizeof *rows[p]);
		block.x[p] = rows[p];
	}
	limit_block(limit, samples, from, &block);
	for (uint32_t p = 0; p < limit->planes; p++)
		memcpy(x[p] + from, rows[p], n * sizeof *rows[p]);
}

INLINE void limit_row(const struct rip_light_limit *limit, const void *const samples[],
		      uint16_t *const x[], uint32_t width)
{
	struct block block;
	uint32_t j = 0;

	for (; j + BLOCK <= width; j += BLOCK) {
		if (largest(limit, x, j) <= limit->most || largest_sum(limit, x, j) <= limit->most)
			continue;
		for (uint32_t p = 0; p < limit->planes; p++)
			block.x[p] = x[p] + j;
		limit_block(limit, samples, j, &block);
	}
	if (j < width)
		limit_end(limit, samples, x, j, width - j);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static void
limit_row_avx2(const struct rip_light_limit *limit, const void *const samples[],
	       uint16_t *const x[], uint32_t width)
{
	limit_row(limit, samples, x, width);
}
#endif

void rip_light_limit_apply(const struct rip_light_limit *limit, const void *const samples[],
			   uint16_t *const x[], uint32_t width)
{
#if defined __x86_64__
	if (rip_cpu_features() & RIP_CPU_AVX2) {
		limit_row_avx2(limit, samples, x, width);
		return;
	}
#endif
	limit_row(limit, samples, x, width);
}
