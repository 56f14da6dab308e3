/* Rows of samples with AVX2, also against thresholds: whole vectors here, what is left over in
 * plain C. */
#include "halftone/mask_rows.h"
#include "halftone/page/rows.h"
#include "halftone/simd/isa_code.h"
#include "system/inline.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx2,bmi2")))
#define INLINE_TARGET RIP_INLINE TARGET

/* The table of a shuffle, the same in both halves. */
#define BOTH(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

INLINE_TARGET __m256i load(const void *p)
{
	return _mm256_loadu_si256(p);
}

/* The highest bits of 32 bytes as 4 bytes of dots, the first one highest. */
INLINE_TARGET uint32_t dots_of(__m256i v)
{
	const __m256i turn = BOTH(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);

	return (uint32_t)_mm256_movemask_epi8(_mm256_shuffle_epi8(v, turn));
}

INLINE_TARGET void store(void *p, __m256i v)
{
	_mm256_storeu_si256(p, v);
}

INLINE_TARGET void put(uint8_t *dots, uint32_t bits)
{
	__builtin_memcpy(dots, &bits, sizeof bits);
}

/* Whether all bytes of both are 255. */
INLINE_TARGET bool all(__m256i a, __m256i b)
{
	return _mm256_movemask_epi8(_mm256_and_si256(a, b)) == -1;
}

TARGET static bool solid8_avx2(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi,
			       uint8_t *dots)
{
	const __m256i low = _mm256_set1_epi8((char)lo), high = _mm256_set1_epi8((char)hi);
	uint32_t j;

	for (j = 0; width - j >= 64; j += 64) {
		const __m256i a = load(row + j), b = load(row + j + 32);
		const __m256i a_high = _mm256_cmpeq_epi8(_mm256_max_epu8(a, high), a);
		const __m256i b_high = _mm256_cmpeq_epi8(_mm256_max_epu8(b, high), b);
		const __m256i a_low = _mm256_cmpeq_epi8(_mm256_min_epu8(a, low), a);
		const __m256i b_low = _mm256_cmpeq_epi8(_mm256_min_epu8(b, low), b);

		if (!all(_mm256_or_si256(a_high, a_low), _mm256_or_si256(b_high, b_low)))
			return false;
		put(dots + j / 8, dots_of(a_high));
		put(dots + j / 8 + 4, dots_of(b_high));
	}
	return rip_solid8_from(j, row, width, lo, hi, dots);
}

TARGET static bool solid16_avx2(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
				uint8_t *dots)
{
	const __m256i low = _mm256_set1_epi16((short)lo), high = _mm256_set1_epi16((short)hi);
	uint32_t j;

	for (j = 0; width - j >= 32; j += 32) {
		const __m256i a = load(row + j), b = load(row + j + 16);
		const __m256i a_high = _mm256_cmpeq_epi16(_mm256_max_epu16(a, high), a);
		const __m256i b_high = _mm256_cmpeq_epi16(_mm256_max_epu16(b, high), b);
		const __m256i a_low = _mm256_cmpeq_epi16(_mm256_min_epu16(a, low), a);
		const __m256i b_low = _mm256_cmpeq_epi16(_mm256_min_epu16(b, low), b);

		if (!all(_mm256_or_si256(a_high, a_low), _mm256_or_si256(b_high, b_low)))
			return false;
		/* The halves of a and b are packed in turn: 0, 2, 1, 3. */
		put(dots + j / 8, dots_of(_mm256_permute4x64_epi64(
					  _mm256_packs_epi16(a_high, b_high), 0xd8)));
	}
	return rip_solid16_from(j, row, width, lo, hi, dots);
}

/* ---- chunked pixels: 32 bytes of each plane at a time ---- */

/* Two pieces of 16 bytes, 48 bytes apart. */
INLINE_TARGET __m256i load_apart(const uint8_t *p)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)p)),
				       _mm_loadu_si128((const void *)(p + 48)), 1);
}

/* 96 bytes of pixels of 3 samples, 48 in each half of three vectors.  Of a plane,
 * each place in the 16 bytes of a half has a sample in one of the vectors only: of
 * plane 0 the second vector has those at the places `one`, the third those at `two`.
 * next[n]: the plane that has each of its samples n vectors further on. */
INLINE_TARGET void gather3(const uint8_t *in, __m256i one, __m256i two, __m256i next[3])
{
	const __m256i a = load_apart(in), b = load_apart(in + 16), c = load_apart(in + 32);

	next[0] = _mm256_blendv_epi8(_mm256_blendv_epi8(a, b, one), c, two);
	next[1] = _mm256_blendv_epi8(_mm256_blendv_epi8(b, c, one), a, two);
	next[2] = _mm256_blendv_epi8(_mm256_blendv_epi8(c, a, one), b, two);
}

TARGET static void split8x3_avx2(const uint8_t *chunked, uint32_t width, void *const planes[],
				 uint32_t count)
{
	const __m256i one = BOTH(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0);
	const __m256i two = BOTH(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0);
	const __m256i order[3] = {
		BOTH(0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13),
		BOTH(1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14),
		BOTH(2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15),
	};
	uint32_t j;

	for (j = 0; width - j >= 32; j += 32) {
		__m256i next[3];

		gather3(chunked + 3 * (size_t)j, one, two, next);
		for (uint32_t c = 0; c < 3 && c < count; c++)
			store((uint8_t *)planes[c] + j, _mm256_shuffle_epi8(next[c], order[c]));
	}
	rip_split8_from(j, chunked, width, 3, planes, count);
}

TARGET static void split16x3_avx2(const uint16_t *chunked, uint32_t width, void *const planes[],
				  uint32_t count)
{
	const __m256i one = BOTH(0, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, -1, -1);
	const __m256i two = BOTH(0, 0, 0, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0);
	const __m256i order[3] = {
		BOTH(0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15, 4, 5, 10, 11),
		BOTH(2, 3, 8, 9, 14, 15, 4, 5, 10, 11, 0, 1, 6, 7, 12, 13),
		BOTH(4, 5, 10, 11, 0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15),
	};
	uint32_t j;

	for (j = 0; width - j >= 16; j += 16) {
		__m256i next[3];

		gather3((const uint8_t *)chunked + 6 * (size_t)j, one, two, next);
		for (uint32_t c = 0; c < 3 && c < count; c++)
			store((uint16_t *)planes[c] + j,
			      _mm256_shuffle_epi8(next[2 * c % 3], order[c]));
	}
	rip_split16_from(j, chunked, width, 3, planes, count);
}

/* 128 bytes of pixels of 4 samples.  turn: of the pixels in 16 bytes, brings the
 * samples of each plane together, to 4 bytes. */
INLINE_TARGET void gather4(const uint8_t *in, __m256i turn, __m256i planes[4])
{
	/* Both halves of a vector have what is in turn in the row. */
	const __m256i halves = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	const __m256i a = _mm256_shuffle_epi8(load(in), turn);
	const __m256i b = _mm256_shuffle_epi8(load(in + 32), turn);
	const __m256i c = _mm256_shuffle_epi8(load(in + 64), turn);
	const __m256i d = _mm256_shuffle_epi8(load(in + 96), turn);
	const __m256i ab01 = _mm256_unpacklo_epi32(a, b), ab23 = _mm256_unpackhi_epi32(a, b);
	const __m256i cd01 = _mm256_unpacklo_epi32(c, d), cd23 = _mm256_unpackhi_epi32(c, d);

	planes[0] = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi64(ab01, cd01), halves);
	planes[1] = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi64(ab01, cd01), halves);
	planes[2] = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi64(ab23, cd23), halves);
	planes[3] = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi64(ab23, cd23), halves);
}

TARGET static void split8x4_avx2(const uint8_t *chunked, uint32_t width, void *const planes[],
				 uint32_t count)
{
	const __m256i turn = BOTH(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	uint32_t j;

	for (j = 0; width - j >= 32; j += 32) {
		__m256i v[4];

		gather4(chunked + 4 * (size_t)j, turn, v);
		for (uint32_t c = 0; c < 4 && c < count; c++)
			store((uint8_t *)planes[c] + j, v[c]);
	}
	rip_split8_from(j, chunked, width, 4, planes, count);
}

TARGET static void split16x4_avx2(const uint16_t *chunked, uint32_t width, void *const planes[],
				  uint32_t count)
{
	const __m256i turn = BOTH(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
	uint32_t j;

	for (j = 0; width - j >= 16; j += 16) {
		__m256i v[4];

		gather4((const uint8_t *)chunked + 8 * (size_t)j, turn, v);
		for (uint32_t c = 0; c < 4 && c < count; c++)
			store((uint16_t *)planes[c] + j, v[c]);
	}
	rip_split16_from(j, chunked, width, 4, planes, count);
}

/* -1 where samples are apart. */
INLINE_TARGET __m256i are_apart(__m256i a, __m256i b, __m256i step)
{
	const __m256i apart = _mm256_sub_epi8(_mm256_max_epu8(a, b), _mm256_min_epu8(a, b));

	return _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(apart, step), apart),
				_mm256_set1_epi8(-1));
}

/* Writes the sums of the negative counts of eight columns. */
INLINE_TARGET void put_sums(uint8_t *sums, __m256i counts)
{
	const __m256i zero = _mm256_setzero_si256();
	const __m256i v = _mm256_sad_epu8(_mm256_sub_epi8(zero, counts), zero);

	sums[0] = (uint8_t)_mm256_extract_epi8(v, 0);
	sums[1] = (uint8_t)_mm256_extract_epi8(v, 8);
	sums[2] = (uint8_t)_mm256_extract_epi8(v, 16);
	sums[3] = (uint8_t)_mm256_extract_epi8(v, 24);
}

TARGET static void edges8_avx2(const uint8_t *const rows[], uint32_t lines, uint32_t width,
			       uint8_t step, uint8_t *across, uint8_t *down)
{
	const __m256i steps = _mm256_set1_epi8((char)step);
	uint32_t j;

	for (j = 0; j + 32 < width; j += 32) {
		__m256i here = load(rows[0] + j), right = _mm256_setzero_si256(), below = right;
		__m256i differ = right;

		for (uint32_t k = 1; k <= lines; k++)
			differ = _mm256_or_si256(differ, _mm256_xor_si256(load(rows[k] + j), here));
		if (_mm256_testz_si256(differ, differ)) {
			right = are_apart(here, load(rows[0] + j + 1), steps);
			right = _mm256_and_si256(right, _mm256_set1_epi8((char)-lines));
		} else {
			for (uint32_t k = 0; k < lines; k++) {
				const __m256i next = load(rows[k + 1] + j);

				right = _mm256_add_epi8(right, are_apart(here,
							load(rows[k] + j + 1), steps));
				below = _mm256_add_epi8(below, are_apart(here, next, steps));
				here = next;
			}
		}
		put_sums(across + j / 8, right);
		put_sums(down + j / 8, below);
	}
	rip_edges8_from(j, rows, lines, width, step, across, down);
}

void rip_row_ops_avx2(struct rip_row_ops *ops)
{
	ops->solid8 = solid8_avx2;
	ops->solid16 = solid16_avx2;
	ops->split8x3 = split8x3_avx2;
	ops->split8x4 = split8x4_avx2;
	ops->split16x3 = split16x3_avx2;
	ops->split16x4 = split16x4_avx2;
	ops->edges8 = edges8_avx2;
}

/* ---- against thresholds ---- */

/* 255 where v <= m, which is no dot. */
INLINE_TARGET __m256i none8(__m256i v, __m256i m)
{
	return _mm256_cmpeq_epi8(_mm256_min_epu8(v, m), v);
}

INLINE_TARGET __m256i none16(__m256i v, __m256i m)
{
	return _mm256_cmpeq_epi16(_mm256_min_epu16(v, m), v);
}

TARGET static void bytes_avx2(const struct rip_mask_row *row)
{
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 64; j += 64) {
		const uint8_t *m = mask + phase;
		const uint64_t low = ~dots_of(none8(load(in + j), load(m)));
		const uint64_t high = ~dots_of(none8(load(in + j + 32), load(m + 32)));
		const uint64_t bits = (low & 0xffffffff) | high << 32;

		__builtin_memcpy(row->out + j / 8, &bits, sizeof bits);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_from(row, j);
}

TARGET static void words_avx2(const struct rip_mask_row *row)
{
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const uint16_t *m = mask + phase;
		const __m256i a = none16(load(in + j), load(m));
		const __m256i b = none16(load(in + j + 16), load(m + 16));
		/* The halves of a and b are packed in turn: 0, 2, 1, 3. */
		const uint32_t bits =
			~dots_of(_mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8));

		__builtin_memcpy(row->out + j / 8, &bits, sizeof bits);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_from(row, j);
}

/* ---- against thresholds, more levels: 32 at a time ---- */

/* Stores 32 levels of one byte each as 16 bytes of 4 bits, or 8 bytes of 2. */
INLINE_TARGET void put_levels(uint8_t *out, __m256i levels, int size)
{
	/* Of each pair, the first one is the higher part. */
	const __m256i weights = _mm256_set1_epi16(size == 4 ? 0x0110 : 0x0104);
	const __m256i fours = _mm256_maddubs_epi16(levels, weights);

	if (size == 4) {
		const __m256i packed = _mm256_packus_epi16(fours, fours);

		_mm_storeu_si128((void *)out,
				 _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
	} else {
		const __m256i twos = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x00010010));
		const __m256i words = _mm256_packs_epi32(twos, twos);
		const __m256i packed =
			_mm256_packus_epi16(_mm256_permute4x64_epi64(words, 0x08), words);

		_mm_storel_epi64((void *)out, _mm256_castsi256_si128(packed));
	}
}

/* v * steps = 255 * h + r, for 16 values of 16 bits.  Returns h + 256 * r. */
INLINE_TARGET __m256i divide255(__m256i v, __m256i steps)
{
	const __m256i p = _mm256_mullo_epi16(v, steps);
	const __m256i sum = _mm256_add_epi16(p, _mm256_srli_epi16(p, 8));
	const __m256i h = _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(1)), 8);

	/* r = p - 255 * h, whose lowest 8 bits are those of p + h. */
	return _mm256_or_si256(h, _mm256_slli_epi16(_mm256_add_epi16(p, h), 8));
}

INLINE_TARGET void bytes_levels(const struct rip_mask_row *row, int size)
{
	const __m256i steps = _mm256_set1_epi16((short)(row->levels - 1));
	const __m256i zero = _mm256_setzero_si256(), low = _mm256_set1_epi16(255);
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const __m256i v = load(in + j);
		const __m256i a = divide255(_mm256_unpacklo_epi8(v, zero), steps);
		const __m256i b = divide255(_mm256_unpackhi_epi8(v, zero), steps);
		const __m256i h = _mm256_packus_epi16(_mm256_and_si256(a, low),
						      _mm256_and_si256(b, low));
		const __m256i r = _mm256_packus_epi16(_mm256_srli_epi16(a, 8),
						      _mm256_srli_epi16(b, 8));

		/* h + 1, less 1 where there is no dot. */
		put_levels(row->out + j * (uint32_t)size / 8,
			   _mm256_add_epi8(_mm256_add_epi8(h, _mm256_set1_epi8(1)),
					   none8(r, load(mask + phase))), size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_levels_from(row, j);
}

TARGET static void bytes_levels_avx2(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		bytes_levels(row, 2);
	else
		bytes_levels(row, 4);
}

/* The levels of 16 values x.  x * steps = 65536 * high + low = 65535 * high + (high + low): if
 * the last sum reaches 65535, there is one more level, and 65535 less remain, which is one more
 * modulo 65536. */
INLINE_TARGET __m256i word_levels(__m256i x, __m256i m, __m256i steps)
{
	const __m256i high = _mm256_mulhi_epu16(x, steps);
	const __m256i sum = _mm256_add_epi16(high, _mm256_mullo_epi16(x, steps));
	const __m256i ones = _mm256_set1_epi16(-1);
	/* -1 where the sum has wrapped or is 65535: where min(sum + 1, high) is sum + 1. */
	const __m256i rest = _mm256_sub_epi16(sum, ones);
	const __m256i more = _mm256_cmpeq_epi16(_mm256_min_epu16(rest, high), rest);
	const __m256i l = _mm256_sub_epi16(sum, more);

	/* high + 1 - more, less 1 where there is no dot. */
	return _mm256_add_epi16(_mm256_sub_epi16(_mm256_sub_epi16(high, ones), more), none16(l, m));
}

INLINE_TARGET void words_levels(const struct rip_mask_row *row, int size)
{
	const __m256i steps = _mm256_set1_epi16((short)(row->levels - 1));
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 32 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 32; j += 32) {
		const uint16_t *m = mask + phase;
		const __m256i a = word_levels(load(in + j), load(m), steps);
		const __m256i b = word_levels(load(in + j + 16), load(m + 16), steps);

		put_levels(row->out + j * (uint32_t)size / 8,
			   _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8), size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_levels_from(row, j);
}

TARGET static void words_levels_avx2(const struct rip_mask_row *row)
{
	if (row->levels <= 4)
		words_levels(row, 2);
	else
		words_levels(row, 4);
}

void rip_mask_ops_avx2(struct rip_mask_ops *ops)
{
	*ops = (struct rip_mask_ops){ bytes_avx2, words_avx2, bytes_levels_avx2,
				      words_levels_avx2 };
}
#endif
