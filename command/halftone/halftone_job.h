/*
 * The state of one run of `riptide halftone`, and the functions for its kinds of
 * input.  `riptide preview` halftones with it too, and receives the dots.
 */
#ifndef RIP_HALFTONE_JOB_H
#define RIP_HALFTONE_JOB_H

#include <stdbool.h>

#include "command/curve_file.h"
#include "command/halftone_options.h"
#include "filter/page/page_plan.h"
#include "filter/page/sink.h"
#include "image/image.h"
#include "image/out_file.h"
#include "lib/riptide.h"

struct rip_halftone_tiff; /* halftone_tiff.c */

struct rip_halftone_job {
	struct rip_halftone_options options;
	struct rip_curve_file       curve;
	uint16_t                   *first; /* the curve for the samples of the page, or NULL */
	struct rip_input            input;
	struct rip_out_file         output;
	struct riptide             *riptide;
	struct rip_planner          planner;
	struct rip_halftone_tiff   *tiff; /* NULL: the input is not TIFF */
	bool                        trying; /* a GPU: log nothing */
	const struct rip_dot_receiver *receiver; /* of the dots, instead of the output; or NULL */
	const char                 *inks; /* with a receiver: of raster that does not name its own,
					     as letters; or NULL */
};

/* Everything between the command line and the exit status.  The caller may have opened the input;
 * else its descriptor is -1.  0, -errno or 2 for wrong usage (reported);
 * the job is to be finished in all cases. */
int  rip_halftone_run(struct rip_halftone_job *job);
void rip_halftone_finish(struct rip_halftone_job *job);

/* Plans the dots of a page or image by the command line: its screen, levels and curves.  The caller
 * has set the number, the geometry, and the inks and the resolution that the file has.  maxval: of
 * its samples.  0 or -errno (reported). */
int rip_halftone_plan(struct rip_halftone_job *job, struct rip_page_plan *plan, uint32_t maxval);

/* All images of the input, as PBM or PGM, or one as PNG.  kind: PNM, JPEG or PNG.  0 or -errno
 * (reported). */
int rip_halftone_images(struct rip_halftone_job *job, int kind);

/* All pages of the input, as CUPS raster.  0 or -errno (reported). */
int rip_halftone_raster(struct rip_halftone_job *job);

/* TIFF: opens the input, checks all its pages, and opens the output files; halftones all pages and
 * commits the output; releases, also before the end.  0 or -errno (reported). */
int  rip_halftone_tiff_open(struct rip_halftone_job *job);
int  rip_halftone_tiff(struct rip_halftone_job *job);
void rip_halftone_tiff_close(struct rip_halftone_job *job);

#endif
