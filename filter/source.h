/*
 * A raster that comes in, read by libcups: CUPS raster of version 1, 2 or 3, PWG
 * or Apple raster, of either byte order.
 *
 * What libcups does not tell, this does.  Its reader returns 0 both at the end of
 * a stream and in the middle of a header, and allocates the line that a header
 * asks for before anybody has seen the header.  So the stream goes through a
 * callback that gives libcups not one byte before it needs it: then a header is
 * read here first, whole or not at all, and libcups gets it after the caller has
 * found nothing wrong with it.
 *
 *	rip_source_open(s, fd);
 *	while (rip_source_header(s, &header) == 0) {
 *		check the header; rip_source_begin(s, &header, lines);
 *		rip_source_read() lines * cupsBytesPerLine bytes;
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
	bool     pwg;       /* a PWG raster stream (version 2, big endian) */
	unsigned page;      /* counts headers from 1 */
	char     why[200];  /* after an error: what and where */
	/* the stream */
	int      fd;        /* the caller's */
	uint32_t sync;      /* the first word, in this machine's byte order */
	bool     swapped;   /* a machine of the other one wrote it */
	bool     compressed;
	cups_raster_t *raster;
	int      error;     /* -errno of the read() that failed, or 0 */
	uint8_t *buffer;    /* bytes that have arrived and that nobody has taken */
	size_t   start, end;
	/* what libcups gets before the rest of the stream */
	uint8_t  ahead[sizeof(cups_page_header2_t)];
	size_t   ahead_start, ahead_end;
	/* the page */
	uint32_t line_bytes, lines;
	uint64_t done;      /* bytes of the page that were read */
	uint64_t arrived;   /* bytes of the stream that libcups got for the read at hand */
};

/* Reads the stream's first bytes.  The descriptor stays the caller's.  0;
 * RIP_SOURCE_END: the stream is empty; -EPROTO: it is no raster; -errno: it
 * cannot be read (why says it, for these). */
int rip_source_open(struct rip_source *source, int fd);

/* The same for a stream of which size bytes (at most RIP_SOURCE_BUFFER) have been
 * read already. */
int rip_source_open_after(struct rip_source *source, int fd, const void *bytes, size_t size);

/* The header of the next page, unchecked (strings may lack their NUL; of Apple
 * raster, which has no such header, what libcups makes of it).  0,
 * RIP_SOURCE_END, -EPROTO for a header that is cut off, or -errno. */
int rip_source_header(struct rip_source *source, cups_page_header2_t *header);

/* Begins the page of a header that was checked, with so many lines.  0, or
 * -EPROTO if libcups refuses it. */
int rip_source_begin(struct rip_source *source, const cups_page_header2_t *header,
		     uint32_t lines);

/* The next n bytes of the page's lines: whole lines, or a part of one that does not
 * go past its end and is even except there; 16-bit samples in the machine's order.
 * Many lines at once are fastest: those that are not compressed go straight to where
 * they are wanted.  0, -EPROTO or -errno. */
int rip_source_read(struct rip_source *source, void *to, size_t n);

/* May be called twice. */
void rip_source_close(struct rip_source *source);

#endif
