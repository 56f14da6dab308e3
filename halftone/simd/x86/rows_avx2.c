/* Rows of samples with AVX2: whole vectors here, what is left over in plain C. */
#include "halftone/simd/isa_code.h"
#include "halftone/page/rows.h"
#include "dots_avx2.h"

#if defined(__x86_64__)

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

void rip_row_ops_avx2(struct rip_row_ops *ops)
{
	ops->solid8 = solid8_avx2;
	ops->solid16 = solid16_avx2;
	ops->split8x3 = split8x3_avx2;
	ops->split8x4 = split8x4_avx2;
	ops->split16x3 = split16x3_avx2;
	ops->split16x4 = split16x4_avx2;
}
#endif
