/* Blue noise for colour with NEON, 16 rows. */
#define KERNEL rip_simd_neon_colour
#define COUPLED 1
#define CHAINS 2
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_neon.inc"
