/* Blue noise, with NEON, 16 rows. */
#define KERNEL rip_simd_neon_blue_noise
#define CHAINS 2
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_neon.inc"
