/* Blue noise with AVX2, row by row. */
#define KERNEL rip_simd_avx2_single_blue_noise
#define RULE "halftone/simd/simd_single_blue_noise.inc"
#define RULE_MEMORY \
	uint16_t zones[VECTOR + WIDTH_MAX + AFTER]; \
	uint16_t right[WIDTH_MAX + AFTER], right2[WIDTH_MAX + AFTER];
#include "simd_avx2_single.inc"
