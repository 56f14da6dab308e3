/*
 * A grey image, read row by row: what image_pnm.c and image_jpeg.c have in
 * common.  Grey is light: 0 is black.
 *
 * A reader reads from an input that stays the caller's.  Faults are told on
 * standard error where they are noticed and come back as a negative errno; an
 * image that has returned one can only be closed.  Used by one thread.
 */
#ifndef RIP_IMAGE_H
#define RIP_IMAGE_H

#include <stdint.h>

#include "input.h"

struct rip_image {
	const struct rip_image_ops *ops;
	struct rip_input *input;
	uint32_t width, height; /* pixels, 1..RIP_WIDTH_MAX */
	uint32_t maxval;        /* samples are 0..maxval, 1..65535 */
	uint32_t sample_bits;   /* 8 if maxval is less than 256, else 16 */
};

struct rip_image_ops {
	/* The next row: width samples of sample_bits in host byte order.  At most
	 * height calls.  0 or -errno. */
	int (*row)(struct rip_image *image, void *samples);
	/* After the last row: what is left to be checked.  0; 1 if another image
	 * of the same kind follows; -errno. */
	int (*end)(struct rip_image *image);
	void (*close)(struct rip_image *image); /* NULL is allowed */
};

/* -EBADMSG, after telling it, if the size is out of range. */
int rip_image_check_size(const struct rip_input *input, uint64_t width, uint64_t height);

/* Opens the next image of the input.  0 or -errno. */
int rip_image_pnm_open(struct rip_input *input, struct rip_image **image);
int rip_image_jpeg_open(struct rip_input *input, struct rip_image **image);

/* What a file is, from its first bytes. */
enum rip_image_kind { RIP_IMAGE_UNKNOWN, RIP_IMAGE_PNM, RIP_IMAGE_JPEG, RIP_IMAGE_RASTER };

/* The kind, or -errno, told: an input that is empty or no kind that riptide
 * reads. */
int rip_image_kind(struct rip_input *input);

#endif
