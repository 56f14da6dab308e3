/* What mask_avx512.c and rows_avx512.c share. */
#ifndef RIP_DOTS_AVX512_H
#define RIP_DOTS_AVX512_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE_TARGET static inline __attribute__((always_inline)) TARGET

/* The first n of 64. */
static inline uint64_t first(size_t n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Writes the first n of 64 bits. */
INLINE_TARGET void put(uint8_t *dots, uint64_t bits, uint32_t n)
{
	if (n >= 64)
		__builtin_memcpy(dots, &bits, 8);
	else
		_mm_mask_storeu_epi8(dots, (__mmask16)first((n + 7) / 8),
				     _mm_cvtsi64_si128((long long)bits));
}
#endif
#endif
