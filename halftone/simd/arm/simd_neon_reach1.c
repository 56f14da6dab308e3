/* Burkes's filter, with NEON, 16 rows. */
#define KERNEL rip_simd_neon_reach1
#define CHAINS 2
#define SKEW 4
#define REACH 1
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_neon.inc"
