/*
 * The picture of a page that `riptide preview` shows: rows of dots become a soft proof, and that a
 * PNG file of the size that was asked for.  A pixel of the picture is the mean of the light of the
 * cells that it covers.
 *
 * Errors are reported on standard error and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_PREVIEW_PICTURE_H
#define RIP_PREVIEW_PICTURE_H

#include "filter/ink/ink_count.h"
#include "image/out_file.h"
#include "image/png_file.h"
#include "preview_options.h"
#include "tone/soft_proof.h"

#define RIP_PREVIEW_SIDE_MAX 65535 /* pixels of the picture, each way */

/* One direction of the picture. */
struct rip_preview_axis {
	uint32_t first, count; /* the pixels of the page that are shown */
	uint32_t begin, end;   /* those that are looked at, with a margin */
	uint32_t size;         /* pixels of the picture */
	double   step;         /* pixels of the picture for a cell, at most 1 */
};

struct rip_preview_picture {
	const char *name;     /* of the input, for messages */
	struct rip_out_file  file;
	struct rip_png       png;
	struct rip_soft_proof proof;
	struct rip_preview_axis x, y;
	unsigned channels;
	uint32_t row;         /* of the page */
	uint64_t cell_row;    /* of those that are looked at */
	uint32_t done;        /* rows of the picture */
	float   *across;      /* a row of cells, in columns of the picture */
	float   *sums;        /* the row of the picture that comes next */
	double   weight;      /* the rows of cells in it */
	uint8_t *pixels;
};

/* What the dots of a page are on paper. */
struct rip_preview_paper {
	struct rip_printer printer; /* at the page's resolution */
	struct rip_printer dots[RIP_PLANES_MAX]; /* the same by plane */
	double             strengths[RIP_PLANES_MAX]; /* by plane (tone/light_ink.h) */
};

/* Begins the picture of a page.  x_dpi, y_dpi: known.
 * The picture is to be finished in all cases. */
int rip_preview_picture_begin(struct rip_preview_picture *picture,
			      const struct rip_preview_options *options,
			      const struct rip_dot_page *page,
			      const struct rip_preview_paper *paper, const char *input,
			      const char *path);

/* The next row of the page. */
int rip_preview_picture_row(struct rip_preview_picture *picture, const uint8_t *const planes[]);

/* Completes the file. */
int rip_preview_picture_end(struct rip_preview_picture *picture);

/* Frees, and removes an unfinished file.  May be called twice, also on zeros. */
void rip_preview_picture_finish(struct rip_preview_picture *picture);

#endif
