/* Floyd-Steinberg with AVX2, row by row. */
#ifdef __x86_64__

#define RULE "halftone/simd/simd_single_floyd.inc"
#define RULE_MEMORY
#include "simd_avx2_single.inc"

RIP_SIMD_SINGLE_KERNEL(rip_simd_avx2_single);

#endif
