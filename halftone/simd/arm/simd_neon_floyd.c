/* Floyd-Steinberg, with NEON, 16 rows. */
#define KERNEL rip_simd_neon
#define CHAINS 2
#define SKEW 4
#define RULE "halftone/simd/simd_floyd.inc"
#include "simd_neon.inc"
