/* Floyd-Steinberg with AVX2, row by row. */
#define KERNEL rip_simd_avx2_single
#define RULE "halftone/simd/simd_single_floyd.inc"
#define RULE_MEMORY
#include "simd_avx2_single.inc"
