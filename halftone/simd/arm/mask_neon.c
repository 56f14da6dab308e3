/* Rows of samples against thresholds with NEON; plain C does what does not fill a vector. */
#include "dots_neon.h"
#include "halftone/simd/isa_code.h"
#include "halftone/mask_rows.h"

#if RIP_CPU_HAS_NEON

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

/* ---- more levels: 16 at a time ---- */

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
