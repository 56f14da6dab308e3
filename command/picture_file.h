/*
 * A file of grey pages of dots: PBM for two levels, PGM for more, or PNG.
 *
 * Errors are reported where they occur, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_PICTURE_FILE_H
#define RIP_PICTURE_FILE_H

#include "filter/page/sink.h"
#include "image/out_file.h"
#include "image/png_file.h"

/* Zeros to begin with, but for what the caller sets. */
struct rip_picture_file {
	struct rip_out_file *file; /* the caller's, which is open when a page begins */
	bool                 is_png;
	uint32_t             width, levels; /* of the page */
	uint8_t             *line;          /* of PBM and PGM */
	struct rip_png       png;
};

/* Who writes the pages that come.  A PNG file has one page. */
struct rip_dot_receiver rip_picture_file_receiver(struct rip_picture_file *picture);

/* May be called twice. */
void rip_picture_file_finish(struct rip_picture_file *picture);

#endif
