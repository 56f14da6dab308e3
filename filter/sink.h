/*
 * The raster that goes out: rows of dots, plane by plane, become lines of CUPS
 * raster (version 3, not compressed) or PWG raster, written in large pieces.
 *
 * The stream begins with the first page, so a job without pages leaves nothing.
 * After an error, which has been told by a message, everything more fails too.
 * Used by one thread.
 */
#ifndef RIP_SINK_H
#define RIP_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/raster.h>

#include "filter/header.h"

#define RIP_SINK_BUFFER (256u << 10)

struct rip_sink {
	int               fd;      /* the caller's */
	bool              pwg;
	cups_raster_t    *raster;  /* NULL before the first page */
	struct rip_output output;  /* of the page at hand */
	/* lines that libcups does not have yet */
	uint8_t          *lines;
	uint32_t          held, most; /* how many lines there are, and how many fit */
	/* bytes that libcups has given and that are not yet written */
	uint8_t          *buffer;
	size_t            used;
	int               error;   /* the errno of the write that failed */
};

/* pwg: PWG raster, else CUPS raster. */
void rip_sink_init(struct rip_sink *sink, int fd, bool pwg);

/* Begins a page.  0 or -errno, as all that follow. */
int rip_sink_begin(struct rip_sink *sink, const cups_page_header2_t *header,
		   const struct rip_output *output);

/* The next row: one row of dots for each plane; of planar output, one row of the
 * plane at hand.  Levels as they were halftoned: the sink inverts them. */
int rip_sink_row(struct rip_sink *sink, const uint8_t *const planes[]);

/* Ends a page: writes all there is. */
int rip_sink_end(struct rip_sink *sink);

/* Frees; writes nothing more.  May be called twice. */
void rip_sink_finish(struct rip_sink *sink);

#endif
