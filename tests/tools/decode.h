/*
 * Decodes printer data to dots, command by command, as a printer would.  Written from the
 * printers' manuals.  An unknown command ends the program, so that nothing is overlooked.
 */
#ifndef RIP_DECODE_H
#define RIP_DECODE_H

#include "dot_planes.h"

/* A file in memory, and how far it has been read. */
struct data {
	const char    *name;
	const uint8_t *at, *end;
};

/* Each writes its pages as PREFIX-... (dots.h) and returns how many there were.
 * They print a line a page, with the copies that the data ask for. */
unsigned decode_pcl(struct data *data, const char *prefix);
unsigned decode_escp(struct data *data, const char *prefix);
unsigned decode_zpl(struct data *data, const char *prefix);
unsigned decode_raster(struct data *data, const char *prefix);

/* The next byte, or some. */
unsigned data_byte(struct data *data);
unsigned data_word(struct data *data); /* 16 bits, little endian */
const uint8_t *data_bytes(struct data *data, size_t count);

/* Decodes TIFF's PackBits to exactly `size` bytes, or until *from is at `end`; missing bytes
 * are 0. */
void unpack_bits(const uint8_t **from, const uint8_t *end, uint8_t *to, size_t size);

/* Writes a complete page, prints a line about it, and clears it. */
void page_done(struct dots *page, const char *prefix, unsigned number, unsigned copies);

#endif
