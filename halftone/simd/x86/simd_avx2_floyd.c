/* Floyd-Steinberg with AVX2, 32 rows. */
#define KERNEL rip_simd_avx2_floyd
#define CHAINS 2
#define SKEW 3
#define RULE "halftone/simd/simd_floyd.inc"
#include "simd_avx2.inc"
