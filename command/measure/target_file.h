/*
 * Files that charts are written to: PDF, CUPS raster for a queue, PBM or PGM.
 *
 * PDF: target_pdf.h.  Raster has the header that the queue's PPD asks for, and its
 * samples are the levels of the chart.  PBM (P4) and, for more than two levels, PGM (P5, where 0 is
 * full ink) have the dots alone, an image for each page.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */
#ifndef RIP_TARGET_FILE_H
#define RIP_TARGET_FILE_H

#include <cups/raster.h>

#include "chart.h"
#include "filter/page/header.h"
#include "image/out_file.h"
#include "target_pdf.h"

/* In the order of --format. */
enum rip_target_format {
	RIP_TARGET_PDF, RIP_TARGET_RASTER, RIP_TARGET_PBM, RIP_TARGET_PGM, RIP_TARGET_BY_SUFFIX
};

/* A file that is being written; zeros but for the first fields. */
struct rip_target_file {
	enum rip_target_format format;
	struct rip_out_file   *out;
	uint32_t               dpi;
	const cups_page_header2_t *header; /* of raster */
	const struct rip_geometry *geometry;

	struct rip_target_pdf pdf;
	cups_raster_t        *raster;
	int                   error; /* of writing the raster: -errno, reported */
};

/* Begins the file. */
int rip_target_file_begin(struct rip_target_file *file);

/* Adds a page with this ink. */
int rip_target_file_page(struct rip_target_file *file, const struct rip_chart *chart, char ink);

/* Ends the file, which is then to be committed; or gives it up. */
int  rip_target_file_end(struct rip_target_file *file);
void rip_target_file_abandon(struct rip_target_file *file);

#endif
