/* What mask_neon.c and rows_neon.c share. */
#ifndef RIP_DOTS_NEON_H
#define RIP_DOTS_NEON_H

#include "halftone/cpu.h"

#if RIP_CPU_HAS_NEON
#include <arm_neon.h>

/* Stores 64 bytes of 0 or 255 as 64 bits, the first one as the highest of its byte.  Each byte
 * keeps its own bit, and three additions of neighbours combine eight of them. */
static inline void put(uint8_t *dots, const uint8x16_t v[4])
{
	const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x0102040810204080));
	const uint8x16_t a = vpaddq_u8(vandq_u8(v[0], bit), vandq_u8(v[1], bit));
	const uint8x16_t b = vpaddq_u8(vandq_u8(v[2], bit), vandq_u8(v[3], bit));
	const uint8x16_t c = vpaddq_u8(a, b);

	vst1_u8(dots, vget_low_u8(vpaddq_u8(c, c)));
}
#endif
#endif
