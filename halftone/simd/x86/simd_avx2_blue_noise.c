/* Blue noise with AVX2, 16 rows. */
#define KERNEL rip_simd_avx2_blue_noise
#define CHAINS 1
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_avx2.inc"
