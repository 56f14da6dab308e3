/* Floyd-Steinberg with AVX-512, 64 rows. */
#ifdef __x86_64__

#define CHAINS 2
#define SKEW 4
#define RULE "halftone/simd/simd_floyd.inc"
#include "simd_avx512.inc"

RIP_SIMD_KERNEL(rip_simd_avx512_floyd);

#endif
