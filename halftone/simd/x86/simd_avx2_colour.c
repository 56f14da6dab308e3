/* Blue noise for colour with AVX2, 16 rows. */
#define KERNEL rip_simd_avx2_colour
#define COUPLED 1
#define CHAINS 1
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_avx2.inc"
