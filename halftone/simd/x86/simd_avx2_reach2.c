/* The error filters that reach two rows down, with AVX2, 16 rows. */
#define KERNEL rip_simd_avx2_reach2
#define CHAINS 1
#define SKEW 4
#define REACH 2
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_avx2.inc"
