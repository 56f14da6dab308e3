/* Blue noise with AVX2, 16 rows. */
#ifdef __x86_64__

#define CHAINS 1
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_avx2.inc"

RIP_SIMD_KERNEL(rip_simd_avx2_blue_noise);

#endif
