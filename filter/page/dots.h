/*
 * Operations on rows of packed dots, most significant bit first, between planes and lines.
 * Pure functions; any thread may call them.
 */
#ifndef RIP_FILTER_DOTS_H
#define RIP_FILTER_DOTS_H

#include <stdint.h>

/* Bytes of a row of `width` dots of `bits` bits. */
static inline uint32_t rip_dots_bytes(uint32_t width, uint32_t bits)
{
	return ((uint64_t)width * bits + 7) / 8;
}

/* Copies a row; the buffers do not overlap.  invert: from light to ink (levels - 1 - level).
 * Unused bits of the last byte become 0. */
void rip_dots_copy(const uint8_t *from, uint32_t width, uint32_t bits, uint32_t levels, int invert,
		   uint8_t *to);

/* Joins at most 15 planes to a chunked row: dot j of plane p becomes dot j * planes + p;
 * unused bits of the last byte become 0. */
void rip_dots_join(const uint8_t *const from[], uint32_t width, uint32_t bits, uint32_t planes,
		   uint8_t *to);

/* Splits a chunked row of 1-bit dots into planes: dot j * stride + first + p becomes dot
 * j of plane p.  stride: 2..15. */
void rip_dots_split(const uint8_t *from, uint32_t width, uint32_t stride, uint32_t first,
		    uint32_t planes, uint8_t *const to[]);

/* The same for dots of 2 or 4 bits, slowly: dot j * planes + p becomes dot j of plane p. */
void rip_dots_split_levels(const uint8_t *from, uint32_t width, uint32_t bits, uint32_t planes,
			   uint8_t *const to[]);

#endif
