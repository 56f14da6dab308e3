/* Floyd-Steinberg with AVX2, row by row. */
#ifdef __x86_64__
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "halftone/isa_code.h"

#define TARGET __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef __m256i vec;

INLINE vec v_set(int16_t x) { return _mm256_set1_epi16(x); }
INLINE vec v_add(vec a, vec b) { return _mm256_add_epi16(a, b); }
INLINE vec v_sub(vec a, vec b) { return _mm256_sub_epi16(a, b); }
INLINE vec v_xor(vec a, vec b) { return _mm256_xor_si256(a, b); }
INLINE vec v_mulr(vec a, vec b) { return _mm256_mulhrs_epi16(a, b); }
INLINE vec v_add_limited(vec a, vec b) { return _mm256_adds_epi16(a, b); }
INLINE vec v_not_negative(vec a) { return _mm256_cmpgt_epi16(a, v_set(-1)); }
INLINE vec v_loadu(const void *p) { return _mm256_loadu_si256(p); }
INLINE void v_storeu(void *p, vec a) { _mm256_storeu_si256(p, a); }

/* Halves of 128 bits in the order in which unpacking takes them, and packing leaves them. */
INLINE vec v_in_turn(vec a) { return _mm256_permute4x64_epi64(a, 0xd8); }

/* 16 words as the upper halves of sums, each with a lower half of 32768. */
INLINE void v_widen(uint32_t *sums, vec words)
{
	const vec turn = v_in_turn(words), half = v_set(INT16_MIN);

	v_storeu(sums, _mm256_unpacklo_epi16(half, turn));
	v_storeu(sums + 8, _mm256_unpackhi_epi16(half, turn));
}

/* The upper halves of 16 sums. */
INLINE vec v_narrow(const uint32_t *sums)
{
	return v_in_turn(_mm256_packs_epi32(_mm256_srai_epi32(v_loadu(sums), 16),
					    _mm256_srai_epi32(v_loadu(sums + 8), 16)));
}

/* The targets of 32 samples v of two levels: 257 * v, and 65536 for 255. */
INLINE void targets8(uint16_t *low, uint8_t *high, const uint8_t *samples)
{
	const vec v = v_loadu(samples), turn = v_in_turn(v);
	const vec full = _mm256_cmpeq_epi8(v, v_set(-1)), grey = _mm256_andnot_si256(
		_mm256_cmpeq_epi8(turn, v_set(-1)), turn);

	v_storeu(low, _mm256_unpacklo_epi8(grey, grey));
	v_storeu(low + 16, _mm256_unpackhi_epi8(grey, grey));
	v_storeu(high, _mm256_and_si256(full, _mm256_set1_epi8(1)));
}

/* Dots of 32 columns: where the words are all ones, or the byte is not 0. */
INLINE uint32_t dots_of(vec left, vec right, const uint8_t *bytes)
{
	const vec turn = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8,
					  7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
	const vec full = _mm256_cmpgt_epi8(v_loadu(bytes), v_set(0));
	const vec dots = _mm256_or_si256(full, v_in_turn(_mm256_packs_epi16(left, right)));

	return (uint32_t)_mm256_movemask_epi8(_mm256_shuffle_epi8(dots, turn));
}

/* Adds 1 to 32 bytes where the words are all ones. */
INLINE void add_bytes(uint8_t *bytes, vec left, vec right)
{
	v_storeu(bytes, _mm256_sub_epi8(v_loadu(bytes), v_in_turn(_mm256_packs_epi16(left, right))));
}

#include "halftone/simd_single.inc"

RIP_SIMD_SINGLE_KERNEL(rip_simd_avx2_single);

#endif
