/* What mask_avx2.c and rows_avx2.c share. */
#ifndef RIP_DOTS_AVX2_H
#define RIP_DOTS_AVX2_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx2,bmi2")))
#define INLINE_TARGET static inline __attribute__((always_inline)) TARGET

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
#endif
#endif
