/* Blue noise with AVX-512 with VBMI and VBMI2, 32 rows. */
#ifdef __x86_64__

#define VBMI
#define CHAINS 1
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_avx512.inc"

RIP_SIMD_KERNEL(rip_simd_avx512icl_blue_noise);

#endif
