/*
 * riptide preview: its command line, where dots come from, the picture of a page, and the figures.
 */
#ifndef RIP_PREVIEW_H
#define RIP_PREVIEW_H

#include <stdbool.h>

#include "command/halftone_options.h"
#include "command/ink_amounts.h"
#include "filter/page/page_plan.h"
#include "filter/page/sink.h"
#include "image/input.h"
#include "filter/ink/ink_count.h"
#include "image/out_file.h"
#include "image/png_file.h"
#include "tone/soft_proof.h"

/*
 * The command line of `riptide preview`.
 */

#define RIP_PREVIEW_PPI      100 /* where nothing else is asked for */
#define RIP_PREVIEW_ZOOM_MAX 32
#define RIP_PREVIEW_DPI_MAX  20000 /* of a page: paper scatters light over so many pixels */

/* A part of a page, in its pixels. */
struct rip_preview_crop {
	uint32_t width, height; /* 0: all */
	uint32_t x, y;
};

struct rip_preview_options {
	struct rip_halftone_options halftone; /* its output is that of the preview; NULL: none */
	char     calibration[RIP_CAL_NAME_MAX + 1]; /* a name, or empty: none */
	unsigned ppi;      /* of the picture */
	unsigned zoom;     /* instead: pixels of the picture for one of the page; 0: not given */
	const char *pages; /* a valid list, or NULL: all */
	bool     json;
	unsigned levels;   /* of --levels, also if that is `halftone`'s default; 0: not given */
	char     inks[RIP_INK_LETTERS]; /* of raster that does not name its own; empty: not given */
	const char *queue, *ppd; /* that print a PDF document; NULL: not named */
	char     job[1024];      /* the options of riptide halftone as those of a job */
	struct rip_preview_crop crop;
	struct rip_ink_amounts  amounts;
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_preview_options_parse(struct rip_preview_options *options, int argc, char **argv);

/*
 * The dots of a PDF document for `riptide preview`: those that pdftoriptide makes of it for a
 * queue, also where it leaves the drawing to gstoraster.
 * Errors are reported on standard error and returned as a negative errno.  Used by the main thread.
 */

/* 1: the input is PDF; 0: something else; or -errno. */
int rip_preview_is_pdf(struct rip_input *input);

/* Gives the wanted pages to a receiver, in the order of the document.  shown: how their dots look,
 * set before each page. */
int rip_preview_pdf(struct rip_input *input, const struct rip_preview_options *options,
		    struct rip_shown *shown, const struct rip_dot_receiver *receiver);

/*
 * Pictures of dots for `riptide preview`: PBM (P4), as `riptide halftone` writes it, one or
 * several.  Errors are reported on standard error and returned as a negative errno.
 */

/* 1: the input begins like PBM; 0: like something else; or -errno. */
int rip_preview_is_dots(struct rip_input *input);

/* Gives all pictures of the input, dots of this ink, to the receiver.  0 or -errno. */
int rip_preview_dots(struct rip_input *input, enum rip_ink ink,
		     const struct rip_dot_receiver *receiver);

/*
 * The picture of a page that `riptide preview` shows: rows of dots become a soft proof, and that a
 * PNG file of the size that was asked for.  A pixel of the picture is the mean of the light of the
 * cells that it covers.
 *
 * Errors are reported on standard error and returned as a negative errno.  Used by one thread.
 */

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

/* Begins the picture of a page.  x_dpi, y_dpi: known.  paper: what the dots are on it, the printers
 * and strengths; all else is filled in.
 * The picture is to be finished in all cases. */
int rip_preview_picture_begin(struct rip_preview_picture *picture,
			      const struct rip_preview_options *options,
			      const struct rip_dot_page *page,
			      struct rip_soft_proof_config *paper, const char *input,
			      const char *path);

/* The next row of the page. */
int rip_preview_picture_row(struct rip_preview_picture *picture, const uint8_t *const planes[]);

/* Completes the file. */
int rip_preview_picture_end(struct rip_preview_picture *picture);

/* Frees, and removes an unfinished file.  May be called twice, also on zeros. */
void rip_preview_picture_finish(struct rip_preview_picture *picture);

/*
 * The ink that pages take, in figures on standard output: of each page and of all together.
 * Used by one thread.
 */

struct rip_preview_report {
	const struct rip_preview_options *options;
	bool     quiet; /* standard output has the picture */
	unsigned pages;
	/* Of all pages, by the names of inks in the order in which they came. */
	unsigned count;
	struct rip_preview_sum {
		char   name[RIP_INK_NAME_MAX];
		double full;   /* square metres of full ink */
		double pages;  /* square metres of the pages */
		double amount; /* grams or millilitres */
	} sums[RIP_PLANES_MAX + 7]; /* 1, 2 and so on, and C, M, Y, K, c, m and k */
};

/* One page.  picture: its file, or NULL. */
void rip_preview_report_page(struct rip_preview_report *report, unsigned number,
			     const struct rip_dot_page *page, const struct rip_ink_count *count,
			     const char *picture);

/* All pages, if there are several or JSON is asked for. */
void rip_preview_report_end(const struct rip_preview_report *report);

#endif
