/* Blue noise for colour with AVX-512 with VBMI and VBMI2, 32 rows. */
#define KERNEL rip_simd_avx512icl_colour
#define VBMI
#define COUPLED 1
#define CHAINS 1
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_avx512.inc"
