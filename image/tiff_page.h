/*
 * What a page of a TIFF file is, from its tags: its size, samples and inks.
 *
 * Tags are hostile input: a page that has been described is within the limits here.  Errors are
 * reported where they occur, and returned as a negative errno.
 */
#ifndef RIP_TIFF_PAGE_H
#define RIP_TIFF_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/screen/mask_screen.h"
#include "tiff_io.h"

#define RIP_TIFF_INKS_MAX 15
#define RIP_TIFF_NAME_MAX 128 /* bytes of a name, with its NUL */
#define RIP_TIFF_SOFTWARE "riptide " /* the version follows */
#define RIP_TIFF_LINE_MAX ((uint64_t)64 << 20) /* bytes of a row of all planes */
#define RIP_TIFF_TILE_ROW_MAX ((uint64_t)1 << 30) /* bytes of a row of tiles */

/* Tags that describe the page on paper; the output has those of the input. */
struct rip_tiff_tags {
	float    x_resolution, y_resolution; /* pixels a unit; 0: no such tag */
	uint16_t unit;           /* RESUNIT_ */
	uint16_t orientation;    /* ORIENTATION_ */
	uint16_t page_number[2]; /* this one, from 0, and how many there are; 0, 0: no such tag */
	char     page_name[RIP_TIFF_NAME_MAX]; /* empty: no such tag */
};

enum rip_tiff_colours { RIP_TIFF_GREY, RIP_TIFF_INKS, RIP_TIFF_RGB };

struct rip_tiff_page {
	uint32_t width, height; /* 1..RIP_WIDTH_MAX */
	uint32_t planes;        /* 1 for grey, 3 for RGB, 1..RIP_TIFF_INKS_MAX inks */
	uint32_t bits;          /* a sample as it is read: 1, 8 or 16 */
	uint32_t file_bits;     /* a sample in the file: 1, 2, 4, 8 or 16 */
	enum rip_tiff_colours colours;
	bool     inverted;      /* grey: 0 is white in the file */
	bool     separate;      /* a line of the file has one plane */
	bool     levels;        /* riptide made it: dots with levels, of 2 or 4 bits */
	enum rip_ink inks[RIP_TIFF_INKS_MAX];
	char     names[RIP_TIFF_INKS_MAX][RIP_TIFF_NAME_MAX]; /* of the inks */
	uint32_t x_dpi, y_dpi;  /* for paper; 0: not known */
	struct rip_tiff_tags tags;
};

/* Describes the current page.  Unless RGB is taken, it is refused with the way to separate it.
 * 0 or -errno. */
int rip_tiff_page_describe(struct rip_tiff_page *page, TIFF *tiff, struct rip_tiff_io *io, bool takes_rgb);

/* The names of the inks 0 to 3 of a file that does not name them. */
extern const char rip_tiff_cmyk_names[4][RIP_TIFF_NAME_MAX];

/* Bytes of a line as it is read: of one plane if they are separate, else of all. */
size_t rip_tiff_page_line(const struct rip_tiff_page *page);

#endif
