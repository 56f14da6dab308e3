/*
 * TIFF files for tests, in every layout, and what is in the ones that were written.
 */
#ifndef RIP_TEST_TIFF_FILE_H
#define RIP_TEST_TIFF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <tiffio.h>

/* A page. */
struct tiff_picture {
	uint32_t width, height;
	uint32_t planes;
	uint32_t bits;          /* a sample: 1, 2, 4, 8 or 16 */
	uint16_t *samples;      /* plane by plane, row by row */
};

/* How a page is put into a file. */
struct tiff_layout {
	uint16_t photometric;   /* PHOTOMETRIC_ */
	uint16_t compression;   /* COMPRESSION_; 0: none */
	bool     separate;      /* planes */
	uint32_t tile[2];       /* columns and rows, multiples of 16; 0, 0: strips */
	uint32_t strip;         /* rows; 0: all */
	bool     predictor;     /* differences of neighbours, with LZW, Deflate and so on */
	bool     low_bit_first; /* FillOrder 2 */
	const char *names;      /* of the inks, each with its NUL; NULL: none */
	uint32_t names_size;
	uint16_t extra;         /* samples that are neither colours nor inks */
	float    resolution[2]; /* 0, 0: none */
	uint16_t unit;          /* RESUNIT_, with a resolution */
	const char *page_name;  /* NULL: none */
	uint16_t orientation;   /* ORIENTATION_; 0: none */
	uint32_t kind;          /* FILETYPE_ */
};

/* Adds a page to an open file.  false: libtiff refused, and has said why. */
bool tiff_picture_write(TIFF *tiff, const struct tiff_picture *picture,
			const struct tiff_layout *layout);

/* The current page of an open file, in any layout, without any change of its samples.  false:
 * damaged.  Free the samples. */
bool tiff_picture_read(TIFF *tiff, struct tiff_picture *picture);

/* A compression by its number, if this libtiff has it and it suits such samples. */
bool tiff_has_compression(uint16_t compression, uint32_t bits);

#endif
