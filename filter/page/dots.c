/* Rows of packed dots. */
#include "dots.h"

#include <endian.h>
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
	const uint64_t full = full_byte(bits, levels) * 0x0101010101010101u;
	const uint32_t used = (uint64_t)width * bits % 8;
	uint32_t i = 0;

	if (invert) {
		for (; bytes - i >= 8; i += 8) {
			uint64_t dots;

			memcpy(&dots, from + i, 8);
			dots = full - dots;
			memcpy(to + i, &dots, 8);
		}
		for (; i < bytes; i++)
			to[i] = (uint8_t)full - from[i];
	} else {
		memcpy(to, from, bytes);
	}
	if (used)
		to[bytes - 1] &= 0xff00 >> used;
}

/* Writes the n highest bytes (at most 8) of v, as far as there is room.  If there is room, it
 * writes all 8, because the bytes after the n are written again later. */
static void put(uint8_t *to, const uint8_t *end, uint64_t v, size_t n)
{
	const size_t room = to < end ? (size_t)(end - to) : 0;

	v = htobe64(v);
	if (room >= 8)
		memcpy(to, &v, 8);
	else
		memcpy(to, &v, n < room ? n : room);
}

/* Half a byte holds 4/bits dots of a plane, and those of all planes have 4 * planes
 * bits in the chunked row.  So each half is spread over that many bits, from a table;
 * shifted by its planes' place it is merged with the others; and a byte of each plane
 * makes `planes` bytes. */
void rip_dots_join(const uint8_t *const from[], uint32_t width, uint32_t bits, uint32_t planes,
		   uint8_t *to)
{
	const uint32_t bytes = rip_dots_bytes(width, bits), half = 4 * planes;
	const uint32_t used = (uint64_t)width * bits * planes % 8;
	uint8_t *const end = to + rip_dots_bytes(width, bits * planes);
	uint64_t spread[16] = { 0 };

	for (uint64_t n = 0; n < 16; n++)
		for (uint32_t at = 0; at < 4; at += bits) /* a dot of the half, from the left */
			spread[n] |= (n << at & 15) >> (4 - bits) << (64 - bits - at * planes);

	for (uint32_t i = 0; i < bytes; i++, to += planes) {
		uint64_t left = 0, right = 0;

		for (uint32_t p = 0; p < planes; p++) {
			left |= spread[from[p][i] >> 4] >> (p * bits);
			right |= spread[from[p][i] & 15] >> (p * bits);
		}
		put(to, end, left | right >> half, planes < 8 ? planes : 8);
		if (planes > 8)
			put(to + 8, end, right << (64 - half), planes - 8);
	}
	if (used)
		end[-1] &= 0xff00 >> used;
}

/* The next 8 bytes, the first one highest; bytes past the end are 0. */
static uint64_t take(const uint8_t *from, const uint8_t *end)
{
	uint64_t v = 0;

	memcpy(&v, from, end - from < 8 ? (size_t)(end - from) : 8);
	return be64toh(v);
}

/* The four dots that lie `stride` bits apart in the highest bits of v, from bit `place` on;
 * place + 3 * stride < 64. */
static uint8_t take_four(uint64_t v, uint32_t stride, uint32_t place)
{
	uint64_t x = v >> (63 - place - 3 * stride); /* the fourth is bit 0, */

	x &= 1 | 1ull << stride | 1ull << 2 * stride | 1ull << 3 * stride;
	x |= x >> (stride - 1); /* the third bit 1, and the others 2 * stride higher */
	return (x & 3) | (x >> (2 * stride - 2) & 12);
}

/* Columns that are checked together.  Most of a page is white, with all dots equal: there the
 * planes are filled instead of split. */
#define SPAN 512

static int are_equal(const uint8_t *bytes, size_t n)
{
	return (bytes[0] == 0 || bytes[0] == 0xff) && !memcmp(bytes, bytes + 1, n - 1);
}

void rip_dots_split(const uint8_t *from, uint32_t width, uint32_t stride, uint32_t first,
		    uint32_t planes, uint8_t *const to[])
{
	const uint8_t *const end = from + rip_dots_bytes(width, stride);
	const uint32_t bytes = rip_dots_bytes(width, 1);

	for (uint32_t start = 0, n; start < bytes; start += n) {
		n = bytes - start < SPAN / 8 ? bytes - start : SPAN / 8;
		if (width - start * 8 >= SPAN && are_equal(from, (size_t)n * stride)) {
			for (uint32_t p = 0; p < planes; p++)
				memset(to[p] + start, from[0], n);
			from += (size_t)n * stride;
			continue;
		}
		/* Eight columns are `stride` bytes; four may end in the middle of a byte. */
		for (uint32_t i = start; i < start + n; i++, from += stride) {
			const uint8_t *middle = from + stride / 2;
			const uint64_t left = take(from, end);
			const uint64_t right = middle < end ? take(middle, end) : 0;

			for (uint32_t p = 0; p < planes; p++)
				to[p][i] = (uint8_t)(take_four(left, stride, first + p) << 4) |
					   take_four(right, stride, first + p + stride % 2 * 4);
		}
	}
	if (width % 8)
		for (uint32_t p = 0; p < planes; p++)
			to[p][bytes - 1] &= 0xff00 >> width % 8;
}

void rip_dots_split_levels(const uint8_t *from, uint32_t width, uint32_t bits, uint32_t planes,
			   uint8_t *const to[])
{
	const unsigned mask = (1u << bits) - 1;
	uint64_t at = 0;

	for (uint32_t p = 0; p < planes; p++)
		memset(to[p], 0, rip_dots_bytes(width, bits));
	for (uint32_t j = 0; j < width; j++)
		for (uint32_t p = 0; p < planes; p++, at += bits) {
			const unsigned level = from[at / 8] >> (8 - bits - at % 8) & mask;
			const uint64_t place = (uint64_t)j * bits;

			to[p][place / 8] |= (uint8_t)(level << (8 - bits - place % 8));
		}
}
