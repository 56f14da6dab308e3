/* Transparent rows. */
#include "transparent.h"

#include <string.h>

/* 64 samples at a time, so that a grey row is known at its first grey spot and
 * the compiler has a loop without branches. */
#define CHUNK 64

static bool plain8_transparent(const uint8_t *row, size_t count)
{
	uint8_t grey = 0;

	/* v + 1 is 0 or 1, modulo 256, for 255 and 0 only. */
	for (size_t i = 0; i < count; i++)
		grey |= (uint8_t)(row[i] + 1) & 0xfe;
	return grey == 0;
}

static bool any_transparent(const struct rip_tone *tone, const void *row, size_t j, size_t count)
{
	bool grey = false;

	for (size_t i = 0; i < count; i++) {
		const uint32_t x = rip_tone_x(tone, row, j + i);

		grey |= x != 0 && x != RIP_FULL;
	}
	return !grey;
}

bool rip_row_transparent(const struct rip_tone *tone, const void *row, uint32_t width)
{
	for (size_t j = 0; j < width; j += CHUNK) {
		const size_t count = width - j < CHUNK ? width - j : CHUNK;

		if (tone->plain8 ? !plain8_transparent((const uint8_t *)row + j, count)
				 : !any_transparent(tone, row, j, count))
			return false;
	}
	return true;
}

/* Eight samples of 0 or 255 as eight bits, the first one highest: of each byte
 * one bit is kept, and the product moves the bit of byte i to bit 63 - i. */
static uint8_t pack8(const uint8_t *samples)
{
	uint64_t bits = 0;

	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)(samples[i] & 1) << (8 * i);
	return (uint8_t)((bits * 0x8040201008040201u) >> 56);
}

void rip_row_solid_dots(const struct rip_tone *tone, const void *row, uint32_t width, uint8_t *dots)
{
	const uint32_t bits = rip_dot_bits(tone->levels);
	uint32_t j = 0;

	if (tone->plain8 && bits == 1)
		for (; j + 8 <= width; j += 8)
			dots[j / 8] = pack8((const uint8_t *)row + j);
	memset(dots + (size_t)j * bits / 8, 0, rip_dot_bytes(width, tone->levels) - (size_t)j * bits / 8);
	for (; j < width; j++)
		if (rip_tone_x(tone, row, j) == RIP_FULL) {
			const size_t bit = (size_t)j * bits;

			dots[bit / 8] |= (uint8_t)((tone->levels - 1) << (8 - bits - bit % 8));
		}
}
