/* Transparent rows: the check of a row packs its dots, too. */
#include "transparent.h"

#include <endian.h>
#include <string.h>

#include "rows.h"

/* For curves that are not 0 and full at their ends: sample by sample. */
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

/* Spreads the 64/size lowest bits of v: each becomes the lowest of `size` (2 or 4) bits. */
static uint64_t apart(uint64_t v, uint32_t size)
{
	if (size == 2) {
		v = (v | v << 16) & 0x0000ffff0000ffff;
		v = (v | v << 8) & 0x00ff00ff00ff00ff;
		v = (v | v << 4) & 0x0f0f0f0f0f0f0f0f;
		v = (v | v << 2) & 0x3333333333333333;
		return (v | v << 1) & 0x5555555555555555;
	}
	v = (v | v << 24) & 0x000000ff000000ff;
	v = (v | v << 12) & 0x000f000f000f000f;
	v = (v | v << 6) & 0x0303030303030303;
	return (v | v << 3) & 0x1111111111111111;
}

/* Spreads bits at the end of `dots` to dots of 2 or 4 bits, in place: the bits that are read
 * lie behind the dots that are written, until both end. */
static void spread(uint8_t *dots, size_t bytes, const uint8_t *from, uint32_t size, uint32_t level)
{
	size_t i;

	for (i = 0; bytes - i >= 8; i += 8) {
		const uint8_t *at = from + i / size;
		const uint64_t v =
			size == 2 ? (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3] :
				    (uint32_t)at[0] << 8 | at[1];
		const uint64_t out = htobe64(apart(v, size) * level);

		memcpy(dots + i, &out, 8);
	}
	for (; i < bytes; i++) { /* one byte, of 8/size bits */
		const unsigned v = from[i / size] >> (8 - 8 / size * (i % size + 1));

		dots[i] = (uint8_t)(apart(v & ((1u << 8 / size) - 1), size) * level);
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
