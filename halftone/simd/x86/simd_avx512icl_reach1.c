/* Burkes's filter, with AVX-512 with VBMI and VBMI2, 32 rows. */
#ifdef __x86_64__

#define VBMI
#define CHAINS 1
#define SKEW 4
#define REACH 1
#define RULE "halftone/simd/simd_filter.inc"
#include "simd_avx512.inc"

RIP_SIMD_KERNEL(rip_simd_avx512icl_reach1);

#endif
