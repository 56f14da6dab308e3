/* The ink limit of a page. */
#include "filter/ink_limit.h"

#include <stdbool.h>
#include <string.h>

#include "tone/curve_search.h"
#include "halftone/cpu.h"

/* x of a sample. */
static uint32_t x_of(const struct rip_ink_limit *limit, uint32_t plane, uint32_t sample)
{
	return limit->curves[plane] ? limit->curves[plane][sample] :
	       limit->sample_bits == 8 ? 257 * sample : sample;
}

/* Whether the point b is above the chord from a to c. */
static bool is_corner(const double *y, int a, int b, int c)
{
	return (y[b] - y[a]) * (c - a) > (y[c] - y[a]) * (b - a);
}

/* The largest sum of samples that cannot exceed the limit.  With s the sum of the samples of n
 * planes, and C a concave function that is nowhere below a curve, the curves add up to at most
 * n C(s / n) (Jensen's inequality). */
static uint32_t safe_sum(const struct rip_ink_limit *limit)
{
	const uint32_t planes = limit->planes;
	double most[256], concave[256];
	int corners[256], count = 0;
	uint32_t sum = 0;

	/* The upper hull of the highest curve. */
	for (int v = 0; v < 256; v++) {
		most[v] = 0;
		for (uint32_t p = 0; p < planes; p++)
			if (x_of(limit, p, (uint32_t)v) > most[v])
				most[v] = x_of(limit, p, (uint32_t)v);
		while (count > 1 && !is_corner(most, corners[count - 2], corners[count - 1], v))
			count--;
		corners[count++] = v;
	}
	for (int i = 0, v = 0; v < 256; v++) {
		const int a = corners[i], b = i + 1 < count ? corners[i + 1] : a;

		concave[v] = v == a ? most[a] : most[a] + (most[b] - most[a]) * (v - a) / (b - a);
		i += v + 1 == b;
	}
	/* Rounded up to whole samples, which is never too low. */
	while (sum < 255 * planes && planes * concave[(sum + planes) / planes] <= limit->most)
		sum++;
	return sum;
}

void rip_ink_limit_init(struct rip_ink_limit *limit, uint32_t most, uint32_t planes,
			uint32_t sample_bits, int black, uint16_t *const curves[])
{
	*limit = (struct rip_ink_limit){
		.most = most, .planes = planes, .sample_bits = sample_bits, .black = black,
	};
	memcpy(limit->curves, curves, planes * sizeof *curves);
	if (most > 0 && sample_bits == 8)
		limit->safe = safe_sum(limit);
}

/* Sets the inks of a pixel with these x. */
static void limit_pixel(const struct rip_ink_limit *limit, uint32_t x[RIP_PLANES_MAX])
{
	const int black = limit->black;
	const uint32_t planes = limit->planes;
	const uint32_t k = black < 0 ? 0 : x[black];
	const uint32_t rest = k < limit->most ? limit->most - k : 0;
	uint32_t sum = 0, factor;

	for (uint32_t p = 0; p < planes; p++)
		sum += x[p];
	sum -= k;
	if (sum <= rest)
		return;
	/* Below 1 in units of 2^-16. */
	factor = (uint32_t)(((uint64_t)rest << 16) / sum);
	for (uint32_t p = 0; p < planes; p++)
		if ((int)p != black)
			x[p] = x[p] * factor >> 16;
}

static uint32_t get(const struct rip_ink_limit *limit, const void *row, uint32_t j)
{
	return limit->sample_bits == 8 ? ((const uint8_t *)row)[j] : ((const uint16_t *)row)[j];
}

/* Limits the pixels from one column to another. */
static void limit_run(const struct rip_ink_limit *limit, void *const planes[], uint32_t from,
		      uint32_t to)
{
	const uint32_t bits = limit->sample_bits, unit = bits == 8 ? 257 : 1;
	const uint32_t count = limit->planes;

	for (uint32_t j = from; j < to; j++) {
		uint32_t x[RIP_PLANES_MAX];

		for (uint32_t p = 0; p < count; p++)
			x[p] = x_of(limit, p, get(limit, planes[p], j));
		limit_pixel(limit, x);
		for (uint32_t p = 0; p < count; p++) {
			const uint32_t sample = get(limit, planes[p], j);
			const uint16_t *curve = limit->curves[p];
			uint32_t scaled;

			if (x[p] == x_of(limit, p, sample))
				continue;
			scaled = !curve ? x[p] / unit :
				 curve[0] > x[p] ? 0 : rip_curve_samples_up_to(curve, sample, x[p]) - 1;
			if (bits == 8)
				((uint8_t *)planes[p])[j] = (uint8_t)scaled;
			else
				((uint16_t *)planes[p])[j] = (uint16_t)scaled;
		}
	}
}

/* Pixels whose sums are compared at once.  The compiler makes vectors of loops of this length. */
#define BLOCK 256

/* The largest samples of all planes in a block, added up: never below its largest sum, and nearly
 * that where a picture is smooth. */
static inline __attribute__((always_inline)) uint32_t largest(void *const planes[], uint32_t count,
							      uint32_t from)
{
	uint32_t sum = 0;

	for (uint32_t p = 0; p < count; p++) {
		const uint8_t *row = (const uint8_t *)planes[p] + from;
		uint8_t most = 0;

		for (int i = 0; i < BLOCK; i++)
			most = row[i] > most ? row[i] : most;
		sum += most;
	}
	return sum;
}

/* The largest sum in a block. */
static uint32_t largest_sum(void *const planes[], uint32_t count, uint32_t from)
{
	uint16_t sums[BLOCK] = { 0 }, most = 0;

	for (uint32_t p = 0; p < count; p++) {
		const uint8_t *row = (const uint8_t *)planes[p] + from;

		for (int i = 0; i < BLOCK; i++)
			sums[i] = (uint16_t)(sums[i] + row[i]);
	}
	for (int i = 0; i < BLOCK; i++)
		most = sums[i] > most ? sums[i] : most;
	return most;
}

/* The first block from column j on that may exceed the limit; width - width % BLOCK if there is
 * none. */
static uint32_t next_block(const struct rip_ink_limit *limit, void *const planes[], uint32_t width,
			   uint32_t j)
{
	while (j + BLOCK <= width && largest(planes, limit->planes, j) <= limit->safe)
		j += BLOCK;
	return j;
}

#if defined __x86_64__
__attribute__((target("avx2"))) static uint32_t
next_block_avx2(const struct rip_ink_limit *limit, void *const planes[], uint32_t width, uint32_t j)
{
	while (j + BLOCK <= width && largest(planes, limit->planes, j) <= limit->safe)
		j += BLOCK;
	return j;
}
#else
#define next_block_avx2 next_block
#endif

void rip_ink_limit_apply(const struct rip_ink_limit *limit, void *const planes[], uint32_t width)
{
	const bool avx2 = rip_cpu_features() & RIP_CPU_AVX2;
	const uint32_t count = limit->planes;
	uint32_t j = 0;

	while (limit->sample_bits == 8) {
		j = avx2 ? next_block_avx2(limit, planes, width, j) :
			   next_block(limit, planes, width, j);
		if (j + BLOCK > width)
			break;
		if (largest_sum(planes, count, j) > limit->safe)
			limit_run(limit, planes, j, j + BLOCK);
		j += BLOCK;
	}
	/* The rest is the end of a whole block, if the row is as long as one. */
	if (limit->sample_bits == 16 || width < BLOCK ||
	    largest(planes, count, width - BLOCK) > limit->safe)
		limit_run(limit, planes, j, width);
}
