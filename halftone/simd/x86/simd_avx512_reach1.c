/* Burkes's filter, with AVX-512, 32 rows. */
#define KERNEL rip_simd_avx512_reach1
#define CHAINS 1
#define SKEW 4
#define REACH 1
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_avx512.inc"
