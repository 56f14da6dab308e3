/* Rows of samples with NEON; plain C does what does not fill a vector. */
#include "dots_neon.h"
#include "halftone/simd/isa_code.h"
#include "halftone/page/rows.h"

#if RIP_CPU_HAS_NEON

static bool solid8_neon(const uint8_t *row, uint32_t width, uint8_t lo, uint8_t hi, uint8_t *dots)
{
	const uint8x16_t low = vdupq_n_u8(lo), high = vdupq_n_u8(hi);
	uint32_t j;

	for (j = 0; width - j >= 64; j += 64) {
		uint8x16_t is_high[4], solid = vdupq_n_u8(255);

		for (int i = 0; i < 4; i++) {
			const uint8x16_t v = vld1q_u8(row + j + 16 * i);

			is_high[i] = vcgeq_u8(v, high);
			solid = vandq_u8(solid, vorrq_u8(is_high[i], vcleq_u8(v, low)));
		}
		if (vminvq_u8(solid) == 0)
			return false;
		put(dots + j / 8, is_high);
	}
	return rip_solid8_from(j, row, width, lo, hi, dots);
}

static bool solid16_neon(const uint16_t *row, uint32_t width, uint16_t lo, uint16_t hi,
			 uint8_t *dots)
{
	const uint16x8_t low = vdupq_n_u16(lo), high = vdupq_n_u16(hi);
	uint32_t j;

	for (j = 0; width - j >= 64; j += 64) {
		uint16x8_t solid = vdupq_n_u16(65535);
		uint8x16_t is_high[4];

		for (int i = 0; i < 4; i++) {
			const uint16x8_t a = vld1q_u16(row + j + 16 * i);
			const uint16x8_t b = vld1q_u16(row + j + 16 * i + 8);
			const uint16x8_t a_high = vcgeq_u16(a, high), b_high = vcgeq_u16(b, high);

			solid = vandq_u16(solid, vorrq_u16(a_high, vcleq_u16(a, low)));
			solid = vandq_u16(solid, vorrq_u16(b_high, vcleq_u16(b, low)));
			is_high[i] = vcombine_u8(vmovn_u16(a_high), vmovn_u16(b_high));
		}
		if (vminvq_u16(solid) == 0)
			return false;
		put(dots + j / 8, is_high);
	}
	return rip_solid16_from(j, row, width, lo, hi, dots);
}

/* N pixels of STRIDE samples at a time. */
#define SPLIT(BITS, STRIDE, N)                                                                \
	static void split##BITS##x##STRIDE##_neon(const uint##BITS##_t *chunked,              \
						  uint32_t width, void *const planes[],       \
						  uint32_t count)                             \
	{                                                                                     \
		uint32_t j;                                                                   \
											      \
		for (j = 0; width - j >= N; j += N) {                                         \
			const uint##BITS##x##N##x##STRIDE##_t v =                             \
				vld##STRIDE##q_u##BITS(chunked + (size_t)j * STRIDE);         \
											      \
			for (uint32_t c = 0; c < STRIDE && c < count; c++)                    \
				vst1q_u##BITS((uint##BITS##_t *)planes[c] + j, v.val[c]);     \
		}                                                                             \
		rip_split##BITS##_from(j, chunked, width, STRIDE, planes, count);             \
	}

SPLIT(8, 3, 16)
SPLIT(8, 4, 16)
SPLIT(16, 3, 8)
SPLIT(16, 4, 8)

void rip_row_ops_neon(struct rip_row_ops *ops)
{
	ops->solid8 = solid8_neon;
	ops->solid16 = solid16_neon;
	ops->split8x3 = split8x3_neon;
	ops->split8x4 = split8x4_neon;
	ops->split16x3 = split16x3_neon;
	ops->split16x4 = split16x4_neon;
}
#endif
