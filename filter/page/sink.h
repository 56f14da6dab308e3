/*
 * The output raster: turns rows of dots, plane by plane, into lines of CUPS raster
 * (version 3, uncompressed) or PWG raster, and writes them in large pieces.
 *
 * The stream begins with the first page, so a job without pages writes nothing.  An error
 * is reported by a message; after it, all further calls fail too.  Used by one thread.
 *
 * The dots of each plane are counted on the way.
 */
#ifndef RIP_SINK_H
#define RIP_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/raster.h>

#include "header.h"
#include "filter/ink/ink_count.h"

#define RIP_SINK_BUFFER (256u << 10)

/* Receives pages of dots instead of a raster stream.  Rows are as they were halftoned: packed, a
 * row of each plane, and light where the page is.  0 or -errno (reported). */
struct rip_dot_receiver {
	int (*begin)(void *context, const struct rip_dot_page *page);
	int (*row)(void *context, const uint8_t *const planes[]);
	int (*end)(void *context);
	void *context;
};

struct rip_sink {
	/* For the caller to set after init: who gets the pages instead, and outlives the sink; or
	 * NULL.  Planar pages of several planes are refused then, because the rows of their planes
	 * do not come together. */
	const struct rip_dot_receiver *receiver;
	bool apple; /* likewise: Apple raster in place of PWG raster */
	/* for the caller to read: the page, and, without a receiver, the ink of its rows so far */
	struct rip_dot_page  page;
	struct rip_ink_count ink;
	unsigned          plane, rows; /* planar: the plane of the next row, its rows so far */
	int               fd;      /* the caller's */
	bool              quiet;   /* EPIPE is not reported */
	bool              pwg;
	cups_raster_t    *raster;  /* NULL before the first page */
	struct rip_output output;  /* of the current page */
	uint8_t          *line;    /* of dots, for libcups */
	/* bytes from libcups, not yet written */
	uint8_t          *buffer;
	size_t            used;
	int               error;   /* the errno of the write that failed */
};

/* pwg: PWG raster, else CUPS raster.  quiet: whoever runs the reader reports if it goes away, which
 * is -EPIPE here. */
void rip_sink_init(struct rip_sink *sink, int fd, bool pwg, bool quiet);

/* Begins a page.  header: that of the dots.  0 or -errno, as for all functions below. */
int rip_sink_begin(struct rip_sink *sink, const cups_page_header2_t *header,
		   const struct rip_output *output);

/* The next row: one row of dots for each plane; for planar output, one row of the current
 * plane.  Levels are as they were halftoned; the sink inverts them if necessary. */
int rip_sink_row(struct rip_sink *sink, const uint8_t *const planes[]);

/* The next line of the page, as its bytes are, in place of a row; not for a receiver. */
int rip_sink_line(struct rip_sink *sink, uint8_t *line);

/* Ends a page and writes the rest of it. */
int rip_sink_end(struct rip_sink *sink);

/* Frees; writes nothing more.  May be called twice. */
void rip_sink_finish(struct rip_sink *sink);

#endif
