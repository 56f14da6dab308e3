/* Transparent rows: the look at a row packs its dots, too. */
#include "transparent.h"

#include "rows.h"

/* With a curve that has its ends elsewhere: sample by sample. */
static bool any_solid(const struct rip_tone *tone, const void *row, uint32_t width, uint8_t *dots)
{
	for (uint32_t j = 0; j < width; j += 8) {
		const uint32_t n = width - j < 8 ? width - j : 8;
		unsigned bits = 0;

		for (uint32_t i = 0; i < n; i++) {
			const uint32_t x = rip_tone_x(tone, row, j + i);

			if (x != 0 && x != RIP_FULL)
				return false;
			bits |= (x & 1) << (7 - i);
		}
		dots[j / 8] = (uint8_t)bits;
	}
	return true;
}

/* Four bits, each as one of 2 and as one of 4 bits. */
static const uint8_t in_pairs[16] = {
	0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
	0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
};
static const uint8_t in_nibbles[4] = { 0x00, 0x01, 0x10, 0x11 };

/* Bits at the end of `dots` into dots of 2 or 4 bits, in place: what is read lies
 * ahead of what is written, and they meet at the end only. */
static void spread(uint8_t *dots, size_t bytes, const uint8_t *from, uint32_t bits, uint32_t level)
{
	for (size_t i = 0; i < bytes; i++) {
		const unsigned byte = from[i / bits];
		const unsigned part = bits == 2 ? in_pairs[byte >> (i % 2 ? 0 : 4) & 15]
						: in_nibbles[byte >> (6 - i % 4 * 2) & 3];

		dots[i] = (uint8_t)(part * level);
	}
}

bool rip_row_transparent(const struct rip_tone *tone, const void *row, uint32_t width,
			 uint8_t *dots)
{
	const struct rip_row_ops *ops = rip_row_ops();
	const uint32_t bits = rip_dot_bits(tone->levels);
	const size_t bytes = rip_dot_bytes(width, tone->levels);
	uint8_t *packed = dots + bytes - rip_dot_bytes(width, 2);
	bool solid;

	if (!tone->two_ends)
		solid = any_solid(tone, row, width, packed);
	else if (tone->sample_bits == 8)
		solid = ops->solid8(row, width, (uint8_t)tone->lo, (uint8_t)tone->hi, packed);
	else
		solid = ops->solid16(row, width, tone->lo, tone->hi, packed);
	if (solid && bits > 1)
		spread(dots, bytes, packed, bits, tone->levels - 1);
	return solid;
}
