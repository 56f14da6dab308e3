/*
 * riptide rip: its command line and its output.
 */
#ifndef RIP_RIP_H
#define RIP_RIP_H

#include <stdbool.h>

#include <cups/raster.h>

#include "command/halftone_options.h"
#include "command/picture_file.h"
#include "command/tiff_plates.h"
#include "filter/page/header.h"
#include "filter/page/sink.h"
#include "image/tiff.h"
#include "rip/gs.h"

/*
 * The command line of `riptide rip`.
 */

enum rip_format { RIP_FORMAT_PNM, RIP_FORMAT_CUPS, RIP_FORMAT_PWG, RIP_FORMAT_TIFF, RIP_FORMAT_PNG,
	RIP_FORMATS /* none: the suffix of the output chooses */ };

struct rip_rip_options {
	struct rip_image_options image; /* the document, its dots per inch, the output */
	enum rip_contone model;   /* of separations, too */
	enum { RIP_PLATES_PROCESS, RIP_PLATES_SEPARATIONS } inks;
	enum { RIP_BLACK_FULL, RIP_BLACK_PROFILE } black; /* of CMYK in grey: rip/kept_black.h */
	enum rip_keep_black keep_black; /* of RGB in CMYK */
	enum { RIP_OVERPRINT_NONE, RIP_OVERPRINT_TEXT } black_overprint; /* rip/overprint.c */
	bool              auto_monochrome; /* as rip/page_colour.h says */
	const char      *pages;   /* a valid list, or NULL: all */
	unsigned         workers; /* 0: one for each processor that may be used */
	unsigned         page_seconds; /* that Ghostscript may take for a page; 0: any */
	enum rip_format  format;
	struct rip_printer_option printer;
	struct rip_tone_choice tone; /* printer included */
	enum rip_tiff_compression compression; /* of TIFF */
	bool             json;
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_rip_options_parse(struct rip_rip_options *options, int argc, char **argv);

/*
 * The output of `riptide rip`: pages of dots as PBM, PGM, CUPS raster, PWG raster, TIFF or PNG.
 *
 * 0 or -errno; errors are reported where they occur.  Used by one thread, except
 * rip_output_place().
 */

/* What a page becomes. */
struct rip_output_page {
	cups_page_header2_t header; /* of its samples */
	struct rip_geometry geometry;
};

struct rip_rip_output {
	const struct rip_rip_options *options;
	struct rip_out_file   *file; /* of all formats but TIFF */
	struct rip_sink        sink; /* which gets the rows */
	struct rip_picture_file picture; /* PBM, PGM and PNG */
	struct rip_tiff_plates plates; /* TIFF */
	struct rip_tiff_page   tags;   /* of each page of that */
	struct rip_dot_receiver receiver; /* of the sink: one of these; none for raster */
	uint64_t               pages; /* how many there will be; set before the first one */
};

/* The page of this paper: its header, checked.  0, or -EINVAL and why. */
int rip_output_place(const struct rip_rip_options *options, const struct rip_gs_page *paper,
		     struct rip_output_page *page, char *why, size_t size);

/* The file stays the caller's, who opens it before the first page, and for PNG another one for each
 * page; for TIFF the caller opens the plates. */
void rip_output_init(struct rip_rip_output *output, const struct rip_rip_options *options,
		     struct rip_out_file *file);
int  rip_output_begin(struct rip_rip_output *output, const struct rip_gs_page *paper,
		      const struct rip_output_page *page);
void rip_output_finish(struct rip_rip_output *output);

#endif
