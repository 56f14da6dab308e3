/*
 * The output of `riptide rip`: pages of dots as PBM, PGM, CUPS raster, PWG raster, TIFF or PNG.
 *
 * 0 or -errno; errors are reported where they occur.  Used by one thread, except
 * rip_output_place().
 */
#ifndef RIP_RIP_OUTPUT_H
#define RIP_RIP_OUTPUT_H

#include <cups/raster.h>

#include "filter/page/header.h"
#include "filter/page/sink.h"
#include "command/picture_file.h"
#include "command/tiff_plates.h"
#include "rip_options.h"

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
