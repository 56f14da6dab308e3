/* Rows of packed dots. */
#include "filter/dots.h"

#include <string.h>

/* The levels-1 of as many dots as a byte holds, side by side.  A level is never
 * larger, so subtracting whole bytes never borrows from one dot to the next. */
static uint8_t full_byte(uint32_t bits, uint32_t levels)
{
	uint8_t byte = 0;

	for (uint32_t at = 0; at < 8; at += bits)
		byte |= (levels - 1) << at;
	return byte;
}

void rip_dots_copy(const uint8_t *from, uint32_t width, uint32_t bits, uint32_t levels, int invert,
		   uint8_t *to)
{
	const uint32_t bytes = rip_dots_bytes(width, bits);
	const uint8_t full = full_byte(bits, levels);
	const uint32_t used = (uint64_t)width * bits % 8;

	if (invert)
		for (uint32_t i = 0; i < bytes; i++)
			to[i] = full - from[i];
	else
		memcpy(to, from, bytes);
	if (used)
		to[bytes - 1] &= 0xff00 >> used;
}

void rip_dots_join(const uint8_t *const from[], uint32_t width, uint32_t bits, uint32_t planes,
		   uint8_t *to)
{
	const uint32_t mask = (1u << bits) - 1;
	uint32_t held = 0, have = 0; /* bits on their way, fewer than 8 + bits */

	for (uint32_t j = 0; j < width; j++) {
		const uint32_t byte = (uint64_t)j * bits / 8, down = 8 - bits - j * bits % 8;

		for (uint32_t p = 0; p < planes; p++) {
			held = held << bits | (from[p][byte] >> down & mask);
			have += bits;
			if (have >= 8) {
				have -= 8;
				*to++ = held >> have;
			}
		}
	}
	if (have)
		*to = held << (8 - have);
}

void rip_dots_split(const uint8_t *from, uint32_t width, uint32_t stride, uint32_t first,
		    uint32_t planes, uint8_t *const to[])
{
	for (uint32_t p = 0; p < planes; p++) {
		uint64_t at = first + p;
		uint8_t held = 0;

		for (uint32_t j = 0; j < width; j++, at += stride) {
			held = held << 1 | (from[at / 8] >> (7 - at % 8) & 1);
			if (j % 8 == 7)
				to[p][j / 8] = held;
		}
		if (width % 8)
			to[p][width / 8] = held << (8 - width % 8);
	}
}
