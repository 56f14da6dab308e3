/*
 * A grey image, read row by row: the interface of image_pnm.c, image_jpeg.c
 * and image_png.c.  0 is black.
 *
 * The caller keeps the input that an image is read from.  Errors are reported on standard
 * error where they occur, and returned as a negative errno.  After an error an image can
 * only be closed.  Used by one thread.
 */
#ifndef RIP_IMAGE_H
#define RIP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/screen/mask_screen.h"
#include "input.h"

struct rip_image {
	const struct rip_image_ops *ops;
	struct rip_input *input;
	uint32_t width, height; /* pixels, 1..RIP_WIDTH_MAX */
	uint32_t maxval;        /* samples are 0..maxval, 1..65535 */
	uint32_t x_dpi, y_dpi;  /* pixels an inch; 0: not known */
	uint32_t sample_bits;   /* 8 if maxval is less than 256, else 16 */
	bool     is_channel;    /* one channel of colours, as asked for; else grey */
	/* Where the file has the first row, and the others behind it without gaps, as bytes
	 * for ops->decode(); -1: rows can only be read in order. */
	off_t    rows_at;
};

struct rip_image_ops {
	/* The next row: width samples of sample_bits in host byte order.  At most
	 * height calls.  0 or -errno. */
	int (*row)(struct rip_image *image, void *samples);
	/* Makes the bytes that the file has for a row (0-based) the samples that row() would
	 * read, in place.  Any thread; NULL where rows_at is -1.  0 or -errno. */
	int (*decode)(const struct rip_image *image, uint32_t row, void *bytes);
	/* After the last row: checks the end of the image.  0; 1 if another image of the
	 * same format follows; -errno. */
	int (*end)(struct rip_image *image);
	void (*close)(struct rip_image *image); /* NULL is allowed */
};

/* 0, or -EBADMSG (reported) if the size is out of range. */
int rip_image_check_size(const struct rip_input *input, uint64_t width, uint64_t height);

/* Takes the resolution that a file states, if it is one for paper: cameras and programs write 72 or
 * 96 where they know none. */
void rip_image_set_dpi(struct rip_image *image, uint32_t x_dpi, uint32_t y_dpi);

/* What a mask for the image must suit: grey, and its resolution. */
struct rip_mask_use rip_image_mask_use(const struct rip_image *image);

/* Opens the next image of the input.  channel: red (0), green (1) or blue (2) of a file with
 * colours; -1: grey.  0 or -errno. */
int rip_image_pnm_open(struct rip_input *input, struct rip_image **image);
int rip_image_jpeg_open(struct rip_input *input, int channel, struct rip_image **image);
int rip_image_png_open(struct rip_input *input, int channel, struct rip_image **image);

/* Reads a number of the header of a PNM file and the one byte of white space after it.  format
 * ("PGM") and what are for messages.  Returns the number (10^17 if it has more than 17 digits) or
 * -errno, reported. */
int64_t rip_image_pnm_number(struct rip_input *input, const char *format, const char *what);

/* Formats, detected from the first bytes. */
enum rip_image_kind {
	RIP_IMAGE_UNKNOWN,
	RIP_IMAGE_PNM, RIP_IMAGE_JPEG, RIP_IMAGE_PNG, RIP_IMAGE_RASTER, RIP_IMAGE_TIFF
};

/* The format of a file that begins with these bytes, if riptide reads it. */
enum rip_image_kind rip_image_detect(const uint8_t *bytes, size_t n);

/* The format, or -errno (reported) if the input is empty or in no format that riptide
 * reads. */
int rip_image_kind(struct rip_input *input);

/* The same as rip_image_pnm_open() for the kind that was found: PNM, JPEG or PNG. */
static inline int rip_image_open(struct rip_input *input, int kind, int channel,
				 struct rip_image **image)
{
	return kind == RIP_IMAGE_JPEG ? rip_image_jpeg_open(input, channel, image) :
	       kind == RIP_IMAGE_PNG ? rip_image_png_open(input, channel, image) :
				       rip_image_pnm_open(input, image);
}

/*
 * Dots as PBM or PGM: P4 for two levels, P5 with maxval n-1 for n levels.
 */

#define RIP_PNM_HEADER_MAX 64

/* Writes the header of a file, at most RIP_PNM_HEADER_MAX bytes, and returns its size. */
size_t rip_pnm_header(uint32_t width, uint32_t height, uint32_t levels, char *header);

/* The bytes of a row in the file. */
size_t rip_pnm_line_size(uint32_t width, uint32_t levels);

/* Makes a row of the file from a row of dots (struct rip_strip in halftone/engine.h), and
 * returns its size. */
size_t rip_pnm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line);

#endif
