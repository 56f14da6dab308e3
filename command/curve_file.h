/*
 * A tone curve from a text file: 256 or 65536 numbers from 0 to 65535, separated by white
 * space; # starts a comment that ends with the line.
 *
 * With 256 numbers, number i is the new value of tone 257*i, and tones in between are
 * interpolated.  With 65536 numbers, number x is the new value of tone x.  Tones are 16-bit
 * samples; 65535 is full.
 */
#ifndef RIP_CURVE_FILE_H
#define RIP_CURVE_FILE_H

#include <stdint.h>

struct rip_curve_file {
	uint32_t  count;  /* 256 or 65536; 0: no curve, tones stay as they are */
	uint16_t *values; /* owned; NULL if there are none */
};

/* Reads the file.  0 or -errno (reported on standard error with file and line). */
int rip_curve_file_read(struct rip_curve_file *curve, const char *path);

/* May be called twice. */
void rip_curve_file_finish(struct rip_curve_file *curve);

/* The new value of tone x. */
uint16_t rip_curve_file_tone(const struct rip_curve_file *curve, uint16_t x);

/* The table that rip_page_spec needs for samples 0..maxval with sample_bits bits: the
 * curve's value for the tone round(65535*v / maxval) of each sample v.  *table is NULL if
 * the spec needs none; free() it.  0 or -ENOMEM. */
int rip_curve_file_table(const struct rip_curve_file *curve, uint32_t maxval,
			 uint32_t sample_bits, uint16_t **table);

#endif
