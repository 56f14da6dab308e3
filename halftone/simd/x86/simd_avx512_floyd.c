/* Floyd-Steinberg with AVX-512, 64 rows. */
#define KERNEL rip_simd_avx512_floyd
#define CHAINS 2
#define SKEW 4
#define RULE "halftone/simd/simd_floyd.inc"
#include "simd_avx512.inc"
