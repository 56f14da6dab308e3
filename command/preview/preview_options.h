/*
 * The command line of `riptide preview`.
 */
#ifndef RIP_PREVIEW_OPTIONS_H
#define RIP_PREVIEW_OPTIONS_H

#include <stdbool.h>

#include "command/halftone_options.h"
#include "command/ink_amounts.h"

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

#endif
