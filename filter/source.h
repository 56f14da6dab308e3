/*
 * A raster that comes in: CUPS raster of version 1, 2 or 3, PWG or Apple raster,
 * of either byte order.
 *
 * It is read here and not by libcups, for three reasons.  libcups allocates the
 * line that a header asks for before anybody could look at the header, cannot
 * tell the end of the stream from a page header that was cut off, and keeps up
 * to three lines of its own, which together with the carries would not fit into
 * the filter's 64 MiB at the widest.  Here a header is handed out before anything
 * is done with it, every byte that is missing is told with its place, and nothing
 * is kept but one buffer of a fixed size.  What is read is the same: a test
 * compares both, byte by byte.
 *
 *	rip_source_open(s, fd);
 *	while (rip_source_header(s, &header) == 0) {
 *		check the header; rip_source_begin(s, &header, lines);
 *		for each line: rip_source_line(s, &again); rip_source_read(s, ...) until
 *		cupsBytesPerLine bytes are read, or nothing if it is the same again;
 *	}
 *
 * Used by one thread.
 */
#ifndef RIP_SOURCE_H
#define RIP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#define RIP_SOURCE_END    1 /* the stream ended where it may */
#define RIP_SOURCE_BUFFER (256u << 10)

struct rip_source {
	/* to be looked at */
	bool     pwg;          /* a PWG raster stream (version 2, big endian) */
	bool     compressed;
	unsigned page;         /* counts headers from 1 */
	char     why[160];     /* after an error: what and where */
	/* the stream */
	int      fd;           /* the caller's */
	uint32_t sync;         /* in the machine's byte order */
	bool     swapped;      /* it was written by a machine of the other one */
	uint8_t *buffer;
	size_t   start, end;   /* what is in it and not yet consumed */
	/* the page */
	uint32_t line_bytes, lines, line; /* line: how many were begun */
	uint32_t unit;         /* bytes that runs count in */
	uint32_t again;        /* how often the last line is repeated from here on */
	uint32_t left;         /* bytes of this line not yet handed out */
	bool     swap_samples;
	uint8_t  clear;        /* what clears a line to its end */
	/* the run at hand */
	enum { RIP_RUN_LITERAL, RIP_RUN_REPEAT, RIP_RUN_CLEAR } run;
	uint32_t run_left;     /* bytes */
	uint32_t phase;        /* of the pattern */
	uint8_t  pattern[32];  /* one unit */
};

/* Reads the stream's first word.  The descriptor stays the caller's.  0;
 * RIP_SOURCE_END: the stream is empty; -EPROTO: it is no raster; -errno: it
 * cannot be read (why says it, for these two). */
int rip_source_open(struct rip_source *source, int fd);

/* The header of the next page, unchecked (strings may lack their NUL).  0,
 * RIP_SOURCE_END, -EPROTO for a header that is cut off, or -errno. */
int rip_source_header(struct rip_source *source, cups_page_header2_t *header);

/* Begins the page of a header that was checked, with so many lines.  0, or
 * -EPROTO if the stream cannot be compressed in such lines. */
int rip_source_begin(struct rip_source *source, const cups_page_header2_t *header,
		     uint32_t lines);

/* Begins the next line.  *again: it is the same as the last one, and there is
 * nothing to read.  0, -EPROTO or -errno. */
int rip_source_line(struct rip_source *source, bool *again);

/* The next n bytes of the line, at most what is left of it; 16-bit samples in
 * the machine's order.  n is even, except at the end of a line.  0, -EPROTO or
 * -errno. */
int rip_source_read(struct rip_source *source, void *to, size_t n);

/* May be called twice. */
void rip_source_close(struct rip_source *source);

#endif
