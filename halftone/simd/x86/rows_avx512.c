/* Rows of samples with AVX-512.  Masks leave out what is past the end of a row: no
 * byte under a mask of 0 is touched, and none can fault. */
#include "halftone/simd/isa_code.h"
#include "halftone/page/rows.h"
#include "dots_avx512.h"

#if defined(__x86_64__)

#define TARGET_VBMI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))

/* ---- AVX-512 BW ---- */

TARGET static bool solid8_avx512bw(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi,
			       uint8_t *dots)
{
	/* Eight samples in the order in which a byte has their bits. */
	const __m512i turn = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
	const __m512i low = _mm512_set1_epi8((char)lo), high = _mm512_set1_epi8((char)hi);

	for (uint32_t j = 0; j < width; j += 64) {
		/* What is past the end is 0, and so low. */
		const __m512i v = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi8(first(width - j), row + j), turn);
		const __mmask64 is_high = _mm512_cmpge_epu8_mask(v, high);

		if (~(is_high | _mm512_cmple_epu8_mask(v, low)))
			return false;
		put(dots + j / 8, is_high, width - j);
	}
	return true;
}

TARGET static bool solid16_avx512bw(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
				uint8_t *dots)
{
	const __m512i turn = _mm512_set4_epi32(0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e);
	const __m512i low = _mm512_set1_epi16((short)lo), high = _mm512_set1_epi16((short)hi);

	for (uint32_t j = 0; j < width; j += 64) {
		const uint64_t here = first(width - j);
		const __m512i a = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi16((__mmask32)here, row + j), turn);
		const __m512i b = _mm512_shuffle_epi8(
			_mm512_maskz_loadu_epi16((__mmask32)(here >> 32), row + j + 32), turn);
		const __mmask64 is_high = _mm512_kunpackd(_mm512_cmpge_epu16_mask(b, high),
							  _mm512_cmpge_epu16_mask(a, high));
		const __mmask64 is_low = _mm512_kunpackd(_mm512_cmple_epu16_mask(b, low),
							 _mm512_cmple_epu16_mask(a, low));

		if (~(is_high | is_low))
			return false;
		put(dots + j / 8, is_high, width - j);
	}
	return true;
}

/* The whole curve is in eight registers.  The low six bits of a sample choose one of 64 values in
 * each pair of them, and the high two bits the pair. */
TARGET static void curve8_avx512bw(const uint8_t *row, uint32_t width, const uint16_t curve[256],
				      uint16_t *x)
{
	const __m512i bit6 = _mm512_set1_epi16(64), bit7 = _mm512_set1_epi16(128);
	__m512i part[8];

	for (int i = 0; i < 8; i++)
		part[i] = _mm512_loadu_si512(curve + 32 * i);
	for (uint32_t j = 0; j < width; j += 32) {
		const __mmask32 here = (__mmask32)first(width - j);
		const __m512i v = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(here, row + j));
		const __mmask32 odd = _mm512_test_epi16_mask(v, bit6);
		const __m512i low = _mm512_mask_blend_epi16(
			odd, _mm512_permutex2var_epi16(part[0], v, part[1]),
			_mm512_permutex2var_epi16(part[2], v, part[3]));
		const __m512i high = _mm512_mask_blend_epi16(
			odd, _mm512_permutex2var_epi16(part[4], v, part[5]),
			_mm512_permutex2var_epi16(part[6], v, part[7]));

		_mm512_mask_storeu_epi16(x + j, here, _mm512_mask_blend_epi16(
			_mm512_test_epi16_mask(v, bit7), low, high));
	}
}

void rip_row_ops_avx512bw(struct rip_row_ops *ops)
{
	ops->curve8 = curve8_avx512bw;
	ops->solid8 = solid8_avx512bw;
	ops->solid16 = solid16_avx512bw;
}

/* ---- VBMI: 64 bytes of each plane at a time ---- */

#define ALWAYS static inline __attribute__((always_inline)) TARGET_VBMI

/* Where in chunked pixels byte i of plane 0 is. */
#define SAMPLE_AT(i, size, stride) (uint8_t)((i) / (size) * (size) * (stride) + (i) % (size))
#define SAMPLES8_AT(i, s, t) \
	SAMPLE_AT(i, s, t), SAMPLE_AT(i + 1, s, t), \
	SAMPLE_AT(i + 2, s, t), SAMPLE_AT(i + 3, s, t), \
	SAMPLE_AT(i + 4, s, t), SAMPLE_AT(i + 5, s, t), \
	SAMPLE_AT(i + 6, s, t), SAMPLE_AT(i + 7, s, t)
#define SAMPLES64_AT(s, t) { \
	SAMPLES8_AT(0, s, t), SAMPLES8_AT(8, s, t), SAMPLES8_AT(16, s, t), SAMPLES8_AT(24, s, t), \
	SAMPLES8_AT(32, s, t), SAMPLES8_AT(40, s, t), SAMPLES8_AT(48, s, t), SAMPLES8_AT(56, s, t) }

/* Vector i of n bytes. */
ALWAYS __m512i part(const uint8_t *in, size_t n, unsigned i)
{
	return _mm512_maskz_loadu_epi8(n > 64 * i ? first(n - 64 * i) : 0, in + 64 * i);
}

/* n: bytes of a row of a plane; size: of a sample. */
ALWAYS void split3(const uint8_t *in, size_t n, const uint8_t from[64], unsigned size,
		   void *const planes[], uint32_t count)
{
	const __m512i next = _mm512_set1_epi8((char)size);

	for (size_t j = 0; j < n; j += 64) {
		const size_t left = 3 * (n - j);
		const __m512i a = part(in + 3 * j, left, 0), b = part(in + 3 * j, left, 1);
		const __m512i c = part(in + 3 * j, left, 2);
		__m512i at = _mm512_loadu_si512(from);

		for (uint32_t p = 0; p < 3 && p < count; p++, at = _mm512_add_epi8(at, next)) {
			/* Places from 128 on, whose highest bit is 1, are in c. */
			const __m512i v = _mm512_mask_permutexvar_epi8(
				_mm512_permutex2var_epi8(a, at, b), _mm512_movepi8_mask(at), at, c);

			_mm512_mask_storeu_epi8((uint8_t *)planes[p] + j, first(n - j), v);
		}
	}
}

ALWAYS void split4(const uint8_t *in, size_t n, const uint8_t from[64], unsigned size,
		   void *const planes[], uint32_t count)
{
	const __m512i next = _mm512_set1_epi8((char)size);

	for (size_t j = 0; j < n; j += 64) {
		const size_t left = 4 * (n - j);
		const __m512i a = part(in + 4 * j, left, 0), b = part(in + 4 * j, left, 1);
		const __m512i c = part(in + 4 * j, left, 2), d = part(in + 4 * j, left, 3);
		__m512i at = _mm512_loadu_si512(from); /* modulo 128 */

		for (uint32_t p = 0; p < 4 && p < count; p++, at = _mm512_add_epi8(at, next)) {
			const __m512i v = _mm512_mask_blend_epi8(
				0xffffffff00000000, _mm512_permutex2var_epi8(a, at, b),
				_mm512_permutex2var_epi8(c, at, d));

			_mm512_mask_storeu_epi8((uint8_t *)planes[p] + j, first(n - j), v);
		}
	}
}

#define SPLIT(BITS, STRIDE) \
	TARGET_VBMI static void split##BITS##x##STRIDE##_avx512icl( \
		const uint##BITS##_t *chunked, uint32_t width, void *const planes[], \
		uint32_t count) \
	{ \
		static const uint8_t from[64] = SAMPLES64_AT(BITS / 8, STRIDE); \
		\
		split##STRIDE((const uint8_t *)chunked, (size_t)width * (BITS / 8), from, \
			      BITS / 8, planes, count); \
	}

SPLIT(8, 3)
SPLIT(8, 4)
SPLIT(16, 3)
SPLIT(16, 4)

void rip_row_ops_avx512icl(struct rip_row_ops *ops)
{
	ops->split8x3 = split8x3_avx512icl;
	ops->split8x4 = split8x4_avx512icl;
	ops->split16x3 = split16x3_avx512icl;
	ops->split16x4 = split16x4_avx512icl;
}
#endif
