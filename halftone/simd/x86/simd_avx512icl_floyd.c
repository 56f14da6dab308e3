/* Floyd-Steinberg with AVX-512 with VBMI and VBMI2, 64 rows. */
#define KERNEL rip_simd_avx512icl_floyd
#define VBMI
#define CHAINS 2
#define SKEW 4
#define RULE "halftone/simd/simd_floyd.inc"
#include "simd_avx512.inc"
