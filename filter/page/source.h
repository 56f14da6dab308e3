/*
 * The input raster, read by libcups: CUPS raster of version 1, 2 or 3, PWG or Apple raster,
 * in either byte order.
 *
 * The reader of libcups has two weaknesses: it returns 0 both at the end of a stream and in
 * the middle of a header, and it allocates the line that a header asks for before anyone has
 * checked the header.  So the stream goes through a callback that passes libcups no byte
 * before it needs it.  A header is read here first, completely or not at all, and libcups
 * gets it after the caller has checked it.
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
#include <sys/types.h>

#include <cups/raster.h>

#define RIP_SOURCE_END    1 /* the stream ended where it may */
#define RIP_SOURCE_BUFFER (256u << 10)

/* A page that is another part of the input's, which has 8 bits a colour, chunked. */
struct rip_source_cut {
	int32_t  left, top;      /* its first column and row in the input's page */
	uint32_t width, height;  /* pixels; what is outside of the input's page is white */
	bool     invert;         /* light becomes ink, or ink light */
	uint8_t  white;          /* a sample of white, after that */
};

struct rip_source {
	/* for the caller to read */
	bool     pwg;       /* a PWG raster stream (version 2, big endian) */
	unsigned page;      /* counts headers from 1 */
	char     why[200];  /* after an error: what and where */
	/* the stream */
	int      fd;        /* the caller's */
	uint32_t sync;      /* the first word, in this machine's byte order */
	bool     swapped;   /* the stream has the other byte order */
	bool     compressed;
	cups_raster_t *raster;
	int      error;     /* -errno of the read() that failed, or 0 */
	uint8_t *buffer;    /* bytes that were read but not used yet */
	size_t   start, end;
	/* bytes that libcups gets before the rest of the stream */
	uint8_t  ahead[sizeof(cups_page_header2_t)];
	size_t   ahead_start, ahead_end;
	/* the page */
	uint32_t line_bytes, lines;
	uint64_t done;      /* bytes of the page that were read */
	uint64_t arrived;   /* bytes of the stream that libcups got for the current read */
	/* the part of the page that is read */
	struct rip_source_cut cut;
	uint8_t *padded;    /* a line of the input between samples of white; NULL: all is read */
	size_t   padding;   /* bytes of those in front of it */
	size_t   cut_start, cut_end; /* what of it was not read yet */
	uint32_t pixel;     /* bytes */
	uint32_t row, height; /* the next one of the input's, and how many they are */
};

/* Reads the first bytes of the stream.  The caller keeps the descriptor.  0; RIP_SOURCE_END:
 * the stream is empty; -EPROTO: it is not a raster; -errno: it cannot be read.  After an error, why
 * is set. */
int rip_source_open(struct rip_source *source, int fd);

/* The same for a stream of which `size` bytes (at most RIP_SOURCE_BUFFER) were already
 * read. */
int rip_source_open_after(struct rip_source *source, int fd, const void *bytes, size_t size);

/* The header of the next page, unchecked; strings may lack their NUL.  Apple raster has no
 * such header; libcups makes one.  0, RIP_SOURCE_END, -EPROTO for a truncated header, or
 * -errno. */
int rip_source_header(struct rip_source *source, cups_page_header2_t *header);

/* Begins a page with a header that was checked, and this number of lines.  0, or -EPROTO if
 * libcups refuses it. */
int rip_source_begin(struct rip_source *source, const cups_page_header2_t *header,
		     uint32_t lines);

/* The same where the caller reads another page than the input's: `cut` of it.  Then
 * rip_source_begin() does nothing with the header of the cut page.  0; -EPROTO or -ENOMEM, and
 * why. */
int rip_source_begin_cut(struct rip_source *source, const cups_page_header2_t *header,
			 const struct rip_source_cut *cut);

/* Where in the file that the stream is the next byte lies that libcups has not got: between pages,
 * the next header.  -errno. */
off_t rip_source_tell(const struct rip_source *source);

/* Reads the next n bytes of the page: whole lines, or a part of a line that has an even
 * number of bytes or ends with the line.  16-bit samples are in host byte order.  Reading
 * many lines at once is fastest: uncompressed ones are read directly into `to`.  0, -EPROTO
 * or -errno. */
int rip_source_read(struct rip_source *source, void *to, size_t n);

/* May be called twice. */
void rip_source_close(struct rip_source *source);

#endif
