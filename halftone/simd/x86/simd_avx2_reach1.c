/* Burkes's filter, with AVX2, 16 rows. */
#ifdef __x86_64__

#define CHAINS 1
#define SKEW 4
#define REACH 1
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_avx2.inc"

RIP_SIMD_KERNEL(rip_simd_avx2_reach1);

#endif
