/*
 * The expected dots: a second, independent implementation of riptide's arithmetic, written
 * from its description for clarity alone.  It shares no line with halftone/ and no header but
 * the table of the blue-noise screen, which is data.  It keeps whole pages in plain arrays, and
 * looks up every neighbour one by one.
 */
#ifndef RIP_ORACLE_H
#define RIP_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One plane: x is height rows of width samples, each 0..65535 (65535 is full);
 * levels 2..16; filter is a name ("floyd-steinberg", ...); plane is its number,
 * for the start noise, or start is zero.  level gets height rows of width
 * levels, 0..levels-1.  Returns false if the name is unknown or memory is short. */
bool oracle_halftone(const uint16_t *x, size_t width, size_t height, unsigned levels,
		     const char *filter, unsigned plane, bool noise, uint8_t *level);

/* Blue noise for colour: all planes of a page, plane after plane, at most 16.  inks: a letter a
 * plane, K C M Y, light inks c m k, R G B of light, any other for other inks; end: the total of
 * inks, in 8192ths of a full plane, at which the coupling ends (65535: nowhere); light: x is
 * light.  All else as above. */
bool oracle_colour(const uint16_t *x, size_t width, size_t height, const char *inks,
		   unsigned levels, unsigned end, bool light, bool noise, uint8_t *level);

/* x of an 8-bit sample, and of a sample v of a PGM file with this maximum. */
uint16_t oracle_x8(unsigned v);
uint16_t oracle_x_of(unsigned v, unsigned maximum);

/* Bits that a level takes in a raster: 1, 2 or 4. */
unsigned oracle_bits(unsigned levels);

/* The value of `bits` bits at position `index` of a row packed from the most
 * significant bit on. */
unsigned oracle_unpack(const uint8_t *row, size_t index, unsigned bits);

#endif
