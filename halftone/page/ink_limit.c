/* The ink limit of a page. */
#include "ink_limit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "curve_search.h"
#include "halftone/cpu.h"
#include "halftone/simd/isa.h"
#include "halftone/simd/simd_unroll.h"
#include "system/inline.h"
#include "tone.h"

/* Pixels that are done at once.  The compiler makes vectors of loops of this length. */
#define BLOCK 128

/* Pixels of these that are done one by one. */
#define FEW 16

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

/* The samples by their x of a curve for 8 bits.  NULL: no memory. */
static uint8_t *new_samples(const uint16_t *curve)
{
	uint8_t *samples = malloc(65536);
	uint32_t x = 0;

	for (uint32_t v = 0; samples && v < 256; v++) {
		const uint32_t end = v < 255 ? curve[v + 1] : 65536;

		if (end > x)
			memset(samples + x, (int)v, end - x);
		x = end;
	}
	return samples;
}

int rip_ink_limit_init(struct rip_ink_limit *limit, uint32_t most, uint32_t planes,
		       uint32_t sample_bits, int black, uint16_t *const curves[])
{
	*limit = (struct rip_ink_limit){
		.most = most, .planes = planes, .sample_bits = sample_bits, .black = black,
	};
	memcpy(limit->curves, curves, planes * sizeof *curves);
	if (most >= 65535 * planes) /* no pixel exceeds it */
		limit->most = 0;
	limit->straight = sample_bits == 8 && limit->most >= 65535;
	for (uint32_t p = 0; p < planes; p++)
		limit->straight &= !curves[p];
	if (limit->most == 0 || sample_bits != 8)
		return 0;
	limit->safe = safe_sum(limit);
	for (uint32_t p = 0; p < planes; p++) {
		for (uint32_t q = 0; q < p && !limit->samples[p]; q++)
			if (curves[p] == curves[q])
				limit->samples[p] = limit->samples[q];
		if (curves[p] && !limit->samples[p])
			limit->samples[p] = new_samples(curves[p]);
		if (curves[p] && !limit->samples[p]) {
			rip_ink_limit_finish(limit);
			return -ENOMEM;
		}
	}
	return 0;
}

void rip_ink_limit_finish(struct rip_ink_limit *limit)
{
	for (uint32_t p = limit->planes; p-- > 0;) {
		bool shared = false;

		for (uint32_t q = 0; q < p; q++)
			shared |= limit->samples[q] == limit->samples[p];
		if (!shared)
			free(limit->samples[p]);
		limit->samples[p] = NULL;
	}
	limit->most = 0;
}

size_t rip_ink_limit_curve_bytes(const struct rip_ink_limit *limit)
{
	for (uint32_t p = 0; limit && p < limit->planes; p++)
		if (limit->curves[p])
			return limit->planes * 256 * sizeof(uint16_t);
	return 0;
}

void rip_ink_limit_put_curves(const struct rip_ink_limit *limit, uint16_t *curves)
{
	for (uint32_t p = 0; p < limit->planes; p++, curves += 256)
		for (uint32_t v = 0; v < 256; v++)
			curves[v] = limit->curves[p] ? limit->curves[p][v] : (uint16_t)(257 * v);
}

#define INLINE RIP_INLINE

/* The largest samples of all planes in a block, added up: never below its largest sum, and nearly
 * that where a picture is smooth. */
INLINE uint32_t largest(void *const planes[], uint32_t count, uint32_t from)
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
INLINE uint32_t largest_sum(void *const planes[], uint32_t count, uint32_t from)
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

/* Whether no pixel of a block of 8-bit samples can exceed the limit. */
INLINE bool is_safe(const struct rip_ink_limit *limit, void *const planes[], uint32_t from)
{
	return largest(planes, limit->planes, from) <= limit->safe ||
	       largest_sum(planes, limit->planes, from) <= limit->safe;
}

/* What the pixels of a block have. */
struct excess {
	int32_t  s[BLOCK], left[BLOCK]; /* of all inks but black: their sum, and the most of it */
	uint16_t keep[BLOCK];   /* bits of x that stay: 0 if the limit is exceeded, else 65535 */
	uint16_t factor[BLOCK]; /* for those inks, in units of 2^-16; 0: they stay */
};

/* Returns how many pixels exceed the limit. */
INLINE int find_excess(struct excess *of, const struct rip_ink_limit *limit, uint16_t (*x)[BLOCK])
{
	uint16_t count = 0;

	for (int i = 0; i < BLOCK; i++) {
		of->s[i] = x[0][i];
		of->left[i] = (int32_t)limit->most;
	}
	for (uint32_t p = 1; p < limit->planes; p++)
		for (int i = 0; i < BLOCK; i++)
			of->s[i] += x[p][i];
	for (int i = 0; limit->black >= 0 && i < BLOCK; i++) {
		of->s[i] -= x[limit->black][i];
		of->left[i] -= x[limit->black][i];
	}
	for (int i = 0; i < BLOCK; i++) {
		of->keep[i] = of->s[i] > of->left[i] ? 0 : 65535;
		count = (uint16_t)(count + (of->s[i] > of->left[i]));
	}
	return count;
}

/* Finds the factors.  Both numbers of a quotient have at most 20 bits and a float has 24, so it is
 * off by less than 1, and never below a whole number: the factor, or the factor + 1. */
INLINE void divide(struct excess *of)
{
	for (int i = 0; i < BLOCK; i++) {
		const int32_t all = of->s[i] > 1 ? of->s[i] : 1, left = of->left[i];
		const int32_t rest = left < 0 ? 0 : left < all ? left : all;
		const int32_t near = (int32_t)((float)rest * 65536 / (float)all);
		const uint32_t over = (uint32_t)near * (uint32_t)all - (uint32_t)rest * 65536;

		of->factor[i] = (uint16_t)((near - ((int32_t)over > 0)) & ~of->keep[i]);
	}
}

/* Limits a few pixels of 8-bit samples. */
static void limit_few(const struct excess *of, const struct rip_ink_limit *limit,
		      uint16_t (*x)[BLOCK], void *const planes[], uint32_t from)
{
	uint32_t column[BLOCK], factor[BLOCK], count = 0;

	for (uint32_t i = 0; i < BLOCK; i += 4) {
		uint64_t four;

		memcpy(&four, of->keep + i, sizeof four);
		for (uint32_t j = i; four != UINT64_MAX && j < i + 4; j++) {
			column[count] = j;
			count += !of->keep[j];
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		const int32_t left = of->left[column[i]], s = of->s[column[i]];

		factor[i] = left > 0 ? (uint32_t)(((uint64_t)left << 16) / (uint32_t)s) : 0;
	}
	for (uint32_t p = 0; p < limit->planes; p++) {
		uint8_t *row = (uint8_t *)planes[p] + from;

		for (uint32_t i = 0; (int)p != limit->black && i < count; i++) {
			const uint32_t j = column[i], scaled = x[p][j] * factor[i] >> 16;
			const uint8_t v = limit->samples[p] ? limit->samples[p][scaled] :
					  (uint8_t)(scaled / 257);

			row[j] = row[j] < v ? row[j] : v; /* as below */
		}
	}
}

/* Out of line, and byte by byte: what compilers make of vectors here is slower. */
__attribute__((noinline))
static void look_up(const uint8_t *samples, const uint16_t x[BLOCK], uint8_t found[BLOCK])
{
	UNROLL
	for (uint32_t i = 0; i < BLOCK; i++)
		found[i] = samples[x[i]];
}

/* Scales a plane's inks of n pixels, 8 bits each: x, the samples by x, and the samples. */
INLINE void scale8(const struct excess *of, const uint16_t x[BLOCK], const uint8_t *samples,
		   uint8_t *restrict row, uint32_t n)
{
	uint16_t scaled[BLOCK];
	uint8_t limited[BLOCK];

	for (uint32_t i = 0; i < BLOCK; i++)
		scaled[i] = (uint16_t)(((uint32_t)x[i] * of->factor[i] >> 16) |
				       (x[i] & of->keep[i]));
	if (samples)
		look_up(samples, scaled, limited);
	else
		for (uint32_t i = 0; i < BLOCK; i++)
			limited[i] = (uint8_t)(scaled[i] / 257);
	/* Less ink has a lower sample.  The same ink keeps its sample, whichever else makes it. */
	for (uint32_t i = 0; i < n; i++)
		row[i] = row[i] < limited[i] ? row[i] : limited[i];
}

/* The same of 16 bits; curve: x by sample. */
static void scale16(const struct excess *of, const uint16_t x[BLOCK], const uint16_t *curve,
		    uint16_t *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t scaled = (uint32_t)x[i] * of->factor[i] >> 16;

		if (!of->keep[i] && x[i] > 0)
			row[i] = (uint16_t)(!curve ? scaled : curve[0] > scaled ? 0 :
					    rip_curve_samples_up_to(curve, row[i], scaled) - 1);
	}
}

/* Limits n pixels from a column on. */
INLINE void limit_block(const struct rip_ink_limit *limit, void *const planes[], uint32_t from,
			uint32_t n)
{
	const uint32_t bits = limit->sample_bits;
	uint16_t x[RIP_PLANES_MAX][BLOCK];
	struct excess of;
	int count;

	for (uint32_t p = 0; p < limit->planes; p++) {
		rip_tone_row(limit->curves[p], bits, (const char *)planes[p] + from * (bits / 8),
			     n, x[p]);
		memset(x[p] + n, 0, (BLOCK - n) * sizeof *x[p]);
	}
	count = find_excess(&of, limit, x);
	if (count == 0)
		return;
	if (bits == 8 && count < FEW) {
		limit_few(&of, limit, x, planes, from);
		return;
	}
	divide(&of);
	for (uint32_t p = 0; p < limit->planes; p++) {
		if ((int)p == limit->black)
			continue;
		if (bits == 8)
			scale8(&of, x[p], limit->samples[p], (uint8_t *)planes[p] + from, n);
		else
			scale16(&of, x[p], limit->curves[p], (uint16_t *)planes[p] + from, n);
	}
}

INLINE void limit_row(const struct rip_ink_limit *limit, void *const planes[], uint32_t width)
{
	uint32_t j = 0;

	for (; j + BLOCK <= width; j += BLOCK)
		if (limit->sample_bits != 8 || !is_safe(limit, planes, j))
			limit_block(limit, planes, j, BLOCK);
	if (j < width)
		limit_block(limit, planes, j, width - j);
}

#ifdef __x86_64__
#define TARGET        __attribute__((target("avx2")))
#define INLINE_TARGET INLINE TARGET

/* The compiler makes vectors of 64 bytes. */
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
static void limit_row_avx512(const struct rip_ink_limit *limit, void *const planes[],
			     uint32_t width)
{
	limit_row(limit, planes, width);
}

/* ---- AVX2: 32 pixels whose samples, 8 bits each, have no curves ----
 *
 * Without curves x is 257 v, so everything can be in units of samples.  With the limit
 * 257 a + b, b < 257, black k, and the others' sum s, a pixel exceeds the limit if s > a - k, and
 *
 *	factor = floor(65536 (257 (a - k) + b) / (257 s)) = floor(t / s),
 *	t = 65536 (a - k) + part,    part = floor(65536 b / 257),
 *
 * since a floor inside another one, before a division by a whole number, changes nothing.  A sample
 * v becomes floor(floor(257 v factor / 65536) / 257) = floor(v factor / 65536).
 *
 * t / s is less than 65536.  As a quotient of floats it is less than 2^-7 away, and rounded it is
 * the factor or the factor + 1.  Then t - s times that is negative in the second case only, and
 * less than 2^12 on either side: its low 16 bits, in which t is `part`, show its sign. */

/* t / s of eight pixels, rounded, in the low 16 bits: a float from 2^23 on has no fraction. */
INLINE_TARGET __m256i round_quotients(__m256i t, __m256i s)
{
	const __m256 quotients = _mm256_div_ps(_mm256_cvtepi32_ps(t), _mm256_cvtepi32_ps(s));

	return _mm256_castps_si256(_mm256_add_ps(quotients, _mm256_set1_ps(0x800000)));
}

/* The factors of 16 pixels; any number where the pixel keeps the limit.  left: a - k. */
INLINE_TARGET __m256i find_factors(__m256i left, __m256i s, __m256i part)
{
	const __m256i even = round_quotients(
		_mm256_blend_epi16(_mm256_slli_epi32(left, 16), part, 0x55),
		_mm256_and_si256(s, _mm256_set1_epi32(65535)));
	const __m256i odd = round_quotients(_mm256_blend_epi16(left, part, 0x55),
					    _mm256_srli_epi32(s, 16));
	const __m256i near = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
	const __m256i rest = _mm256_sub_epi16(part, _mm256_mullo_epi16(near, s));

	return _mm256_add_epi16(near, _mm256_srai_epi16(rest, 15));
}

/* Samples at even and odd places, 16 bits each. */
struct words {
	__m256i even, odd;
};

INLINE_TARGET __m256i load(const uint8_t *samples)
{
	return _mm256_loadu_si256((const void *)samples);
}

INLINE_TARGET struct words words_of(__m256i samples)
{
	return (struct words){ _mm256_and_si256(samples, _mm256_set1_epi16(255)),
			       _mm256_srli_epi16(samples, 8) };
}

/* The planes of a row: that of black, or NULL, and the others. */
struct straight_row {
	const uint8_t *black;
	uint8_t *others[RIP_PLANES_MAX];
};

/* Limits the pixels from a column on. */
INLINE_TARGET void limit32(__m256i a, __m256i part, const struct straight_row *row, uint32_t others,
			   uint32_t from)
{
	const __m256i none = _mm256_setzero_si256(), low = _mm256_set1_epi16(255);
	const struct words k = words_of(row->black ? load(row->black + from) : none);
	const struct words left = { _mm256_sub_epi16(a, k.even), _mm256_sub_epi16(a, k.odd) };
	struct words s = { none, none };
	__m256i exceeds;

	for (uint32_t p = 0; p < others; p++) {
		const struct words v = words_of(load(row->others[p] + from));

		s.even = _mm256_add_epi16(s.even, v.even);
		s.odd = _mm256_add_epi16(s.odd, v.odd);
	}
	exceeds = _mm256_blendv_epi8(_mm256_cmpgt_epi16(s.odd, left.odd),
				     _mm256_cmpgt_epi16(s.even, left.even), low);
	if (_mm256_testz_si256(exceeds, exceeds))
		return;
	s.even = find_factors(left.even, s.even, part);
	s.odd = find_factors(left.odd, s.odd, part);
	for (uint32_t p = 0; p < others; p++) {
		const __m256i now = load(row->others[p] + from);
		const struct words v = words_of(now);
		const __m256i even = _mm256_mulhi_epu16(v.even, s.even);
		const __m256i odd = _mm256_slli_epi16(_mm256_mulhi_epu16(v.odd, s.odd), 8);

		_mm256_storeu_si256((void *)(row->others[p] + from), _mm256_blendv_epi8(
			now, _mm256_or_si256(even, odd), exceeds));
	}
}

/* Limits a row of at least 32 pixels. */
INLINE_TARGET void limit_straight(const struct rip_ink_limit *limit, const struct straight_row *row,
				  uint32_t others, uint32_t width)
{
	const __m256i a = _mm256_set1_epi16((short)(limit->most / 257));
	const __m256i part = _mm256_set1_epi16((short)((limit->most % 257 << 16) / 257));

	for (uint32_t j = 0; j + 32 <= width; j += 32)
		limit32(a, part, row, others, j);
	/* Some of these for the second time: they keep the limit then, and stay. */
	if (width % 32)
		limit32(a, part, row, others, width - 32);
}

TARGET static void limit_row_avx2(const struct rip_ink_limit *limit, void *const planes[],
				  uint32_t width)
{
	struct straight_row row = { .black = NULL };
	uint32_t others = 0;

	if (!limit->straight || width < 32) {
		limit_row(limit, planes, width);
		return;
	}
	for (uint32_t p = 0; p < limit->planes; p++) {
		if ((int)p == limit->black)
			row.black = planes[p];
		else
			row.others[others++] = planes[p];
	}
	if (others == 3) /* of most pages: the compiler unrolls the loops */
		limit_straight(limit, &row, 3, width);
	else
		limit_straight(limit, &row, others, width);
}
#endif

void rip_ink_limit_apply(const struct rip_ink_limit *limit, void *const planes[], uint32_t width)
{
#ifdef __x86_64__
	const unsigned features = rip_isa_features();

	if (features & RIP_CPU_AVX512 && !limit->straight)
		limit_row_avx512(limit, planes, width);
	else if (features & RIP_CPU_AVX2)
		limit_row_avx2(limit, planes, width);
	else
#endif
	limit_row(limit, planes, width);
}
