/* Burkes's filter, with AVX-512 with VBMI and VBMI2, 32 rows. */
#define KERNEL rip_simd_avx512icl_reach1
#define VBMI
#define CHAINS 1
#define SKEW 4
#define REACH 1
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_avx512.inc"
