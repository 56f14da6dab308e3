/* Dots as PBM or PGM. */
#include "pnm_lines.h"

#include <stdio.h>

#include "halftone/engine.h"

size_t rip_pnm_header(uint32_t width, uint32_t height, uint32_t levels, char *header)
{
	int n;

	if (levels == 2)
		n = snprintf(header, RIP_PNM_HEADER_MAX, "P4\n%u %u\n", width, height);
	else
		n = snprintf(header, RIP_PNM_HEADER_MAX, "P5\n%u %u\n%u\n", width, height,
			     levels - 1);
	return (size_t)n;
}

size_t rip_pnm_line_size(uint32_t width, uint32_t levels)
{
	return levels == 2 ? rip_dot_bytes(width, 2) : width;
}

/* PBM: 1 is black, so the dots, which are light, are inverted; the bits after the last column
 * stay 0. */
static void pbm_line(const uint8_t *dots, uint32_t width, uint8_t *line)
{
	const size_t bytes = rip_dot_bytes(width, 2);

	for (size_t i = 0; i < bytes; i++)
		line[i] = (uint8_t)~dots[i];
	if (width % 8)
		line[bytes - 1] &= (uint8_t)(0xff00 >> (width % 8));
}

/* PGM: a byte for each level. */
static void pgm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line)
{
	const uint32_t bits = rip_dot_bits(levels), in_byte = 8 / bits;
	const uint8_t mask = (uint8_t)((1 << bits) - 1);

	for (uint32_t j = 0; j < width; j++)
		line[j] = (uint8_t)(dots[j / in_byte] >> (8 - bits * (j % in_byte + 1))) & mask;
}

size_t rip_pnm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line)
{
	if (levels == 2)
		pbm_line(dots, width, line);
	else
		pgm_line(dots, width, levels, line);
	return rip_pnm_line_size(width, levels);
}
