/* The error filters that reach two rows down, with NEON, 16 rows. */
#define KERNEL rip_simd_neon_reach2
#define CHAINS 2
#define SKEW 4
#define REACH 2
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_neon.inc"
