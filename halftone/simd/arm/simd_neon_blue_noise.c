/* Blue noise, with NEON, 16 rows. */
#include "halftone/cpu.h"

#if RIP_CPU_HAS_NEON

#define CHAINS 2
#define SKEW 6
#define RULE "halftone/simd/simd_blue_noise.inc"
#include "simd_neon.inc"

RIP_SIMD_KERNEL(rip_simd_neon_blue_noise);

#endif
