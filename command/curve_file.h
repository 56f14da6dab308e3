/*
 * A tone curve from a text file: 256 or 65536 numbers 0..65535, with white space
 * between them; from # to the end of a line is a comment.
 *
 * Number i of 256 is the tone that tone 257*i becomes, and tones between are
 * interpolated; number x of 65536 is the tone that x becomes.  Tones are 16-bit
 * samples, 65535 is full.
 */
#ifndef RIP_CURVE_FILE_H
#define RIP_CURVE_FILE_H

#include <stdint.h>

struct rip_curve_file {
	uint32_t  count;  /* 256 or 65536; 0: none, every tone stays what it is */
	uint16_t *values; /* owned; NULL if there are none */
};

/* Reads the file.  0 or -errno, told on standard error with file and line. */
int rip_curve_file_read(struct rip_curve_file *curve, const char *path);

/* May be called twice. */
void rip_curve_file_finish(struct rip_curve_file *curve);

/* What tone x becomes. */
uint16_t rip_curve_file_tone(const struct rip_curve_file *curve, uint16_t x);

/* The table that rip_page_spec wants for samples 0..maxval of sample_bits: the
 * sample v becomes the tone round(65535*v / maxval), and that goes through the
 * curve.  *table is NULL if the spec needs none; free() it.  0 or -ENOMEM. */
int rip_curve_file_table(const struct rip_curve_file *curve, uint32_t maxval,
			 uint32_t sample_bits, uint16_t **table);

#endif
