/* Rows of samples with NEON, also against thresholds; plain C does what does not fill a vector. */
#include "halftone/cpu.h"
#include "halftone/mask_rows.h"
#include "halftone/page/rows.h"
#include "halftone/simd/isa_code.h"

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

/* ---- against thresholds ---- */

static void bytes_neon(const struct rip_mask_row *row)
{
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 64; j += 64) {
		uint8x16_t dots[4];

		for (int i = 0; i < 4; i++)
			dots[i] = vcgtq_u8(vld1q_u8(in + j + 16 * i),
					   vld1q_u8(mask + phase + 16 * i));
		put(row->out + j / 8, dots);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_from(row, j);
}

static void words_neon(const struct rip_mask_row *row)
{
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 64 % row->period;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 64; j += 64) {
		uint8x16_t dots[4];

		for (int i = 0; i < 4; i++) {
			const uint16_t *v = in + j + 16 * i, *m = mask + phase + 16 * i;
			const uint16x8_t left = vcgtq_u16(vld1q_u16(v), vld1q_u16(m));
			const uint16x8_t right = vcgtq_u16(vld1q_u16(v + 8), vld1q_u16(m + 8));

			dots[i] = vcombine_u8(vmovn_u16(left), vmovn_u16(right));
		}
		put(row->out + j / 8, dots);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_from(row, j);
}

/* ---- against thresholds, more levels: 16 at a time ---- */

/* Stores 16 levels as 8 bytes of 4 bits each, or 4 bytes of 2. */
static inline void put_levels(uint8_t *out, uint8x16_t levels, uint32_t size)
{
	const uint8x16_t even = vuzp1q_u8(levels, levels), odd = vuzp2q_u8(levels, levels);
	uint8x16_t pairs, fours;

	if (size == 4) {
		vst1_u8(out, vget_low_u8(vorrq_u8(vshlq_n_u8(even, 4), odd)));
		return;
	}
	pairs = vorrq_u8(vshlq_n_u8(even, 2), odd);
	fours = vorrq_u8(vshlq_n_u8(vuzp1q_u8(pairs, pairs), 4), vuzp2q_u8(pairs, pairs));
	__builtin_memcpy(out, &fours, 4);
}

/* 8 values p = 255 * h + r: h, and r, which is the lowest byte of p + h. */
static inline uint8x8_t divide255(uint16x8_t p, uint8x8_t *r)
{
	const uint8x8_t h = vshrn_n_u16(vaddq_u16(vsraq_n_u16(p, p, 8), vdupq_n_u16(1)), 8);

	*r = vmovn_u16(vaddw_u8(p, h));
	return h;
}

static void bytes_levels_neon(const struct rip_mask_row *row)
{
	const uint8x8_t steps = vdup_n_u8((uint8_t)(row->levels - 1));
	const uint8_t *in = row->in, *mask = row->mask;
	const uint32_t step = 16 % row->period, size = row->levels <= 4 ? 2 : 4;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 16; j += 16) {
		const uint8x16_t v = vld1q_u8(in + j);
		uint8x8_t r0, r1;
		const uint8x8_t h0 = divide255(vmull_u8(vget_low_u8(v), steps), &r0);
		const uint8x8_t h1 = divide255(vmull_u8(vget_high_u8(v), steps), &r1);
		const uint8x16_t dot = vcgtq_u8(vcombine_u8(r0, r1), vld1q_u8(mask + phase));

		put_levels(row->out + j * size / 8, vsubq_u8(vcombine_u8(h0, h1), dot), size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_bytes_levels_from(row, j);
}

/* 4 values p = 65535 * h + l, likewise. */
static inline uint16x4_t divide65535(uint32x4_t p, uint16x4_t *l)
{
	const uint16x4_t h = vshrn_n_u32(vaddq_u32(vsraq_n_u32(p, p, 16), vdupq_n_u32(1)), 16);

	*l = vmovn_u32(vaddw_u16(p, h));
	return h;
}

static inline uint8x8_t word_levels(uint16x8_t x, uint16x8_t m, uint16x4_t steps)
{
	uint16x4_t l0, l1;
	const uint16x4_t h0 = divide65535(vmull_u16(vget_low_u16(x), steps), &l0);
	const uint16x4_t h1 = divide65535(vmull_u16(vget_high_u16(x), steps), &l1);

	return vmovn_u16(vsubq_u16(vcombine_u16(h0, h1), vcgtq_u16(vcombine_u16(l0, l1), m)));
}

static void words_levels_neon(const struct rip_mask_row *row)
{
	const uint16x4_t steps = vdup_n_u16((uint16_t)(row->levels - 1));
	const uint16_t *in = row->in, *mask = row->mask;
	const uint32_t step = 16 % row->period, size = row->levels <= 4 ? 2 : 4;
	uint32_t phase = row->phase, j;

	for (j = 0; row->width - j >= 16; j += 16) {
		const uint16_t *v = in + j, *m = mask + phase;

		put_levels(row->out + j * size / 8,
			   vcombine_u8(word_levels(vld1q_u16(v), vld1q_u16(m), steps),
				       word_levels(vld1q_u16(v + 8), vld1q_u16(m + 8), steps)),
			   size);
		phase = rip_mask_phase(row, phase, step);
	}
	rip_mask_words_levels_from(row, j);
}

void rip_mask_ops_neon(struct rip_mask_ops *ops)
{
	*ops = (struct rip_mask_ops){ bytes_neon, words_neon, bytes_levels_neon,
				      words_levels_neon };
}
#endif
