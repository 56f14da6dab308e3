/*
 * How many bytes dots take on their way to the printer.
 *
 * PackBits (PCL 5's "TIFF" compression, ESC/P 2, CUPS raster): row by row.
 * Group 4 (ITU-T T.6): two-dimensional; laser printers' own formats such as JBIG's relatives and
 * brlaser's rows that repeat parts of the row above profit from the same structure.
 */
#ifndef RIP_PRINTER_DATA_H
#define RIP_PRINTER_DATA_H

#include <stddef.h>
#include <stdint.h>

struct printer_data {
	uint64_t transitions; /* between ink and paper, along rows; the edges are paper */
	uint64_t packbits;    /* bytes */
	uint64_t group4;      /* bytes */
	uint64_t plain;       /* bytes of packed bits */
};

/* dots: height rows of width bytes, 1 for light, 0 for ink. */
void measure_printer_data(const uint8_t *dots, uint32_t width, uint32_t height,
			  struct printer_data *data);

/* The bytes that PackBits makes of a row. */
size_t packbits_size(const uint8_t *bytes, size_t count);

/* The bits of a row in Group 4, given the row above.  Rows of bytes, nonzero for ink. */
uint64_t group4_bits(const uint8_t *above, const uint8_t *row, uint32_t width);

#endif
