/* AVX2, 16 rows. */
#ifdef __x86_64__

#define CHAINS 1
#include "halftone/x86/simd_avx2.inc"

RIP_SIMD_KERNEL(rip_simd_avx2_narrow);

#endif
