/*
 * Writes pages of dots as TIFF: one plane, where full is light; or several, where full is ink.
 *
 * Memory: a strip of each plane.  Errors are reported where they occur, and returned as a
 * negative errno.  Used by one thread.
 */
#ifndef RIP_TIFF_WRITER_H
#define RIP_TIFF_WRITER_H

#include "tiff_page.h"

/* How files are compressed. */
enum rip_tiff_compression {
	RIP_TIFF_LZW, RIP_TIFF_PACKBITS, RIP_TIFF_G4, RIP_TIFF_DEFLATE, RIP_TIFF_NONE, RIP_TIFF_COMPRESSIONS
};

extern const char *const rip_tiff_compressions[]; /* their names, ended by NULL */

/* A page of dots. */
struct rip_tiff_dots {
	uint32_t width, height;
	uint32_t levels; /* 2..16; 2 for G4 */
	uint32_t planes; /* 1, or the inks of a composite */
	bool     inks;   /* the samples are ink, and names has what they are called */
	const char (*names)[RIP_TIFF_NAME_MAX];
	const struct rip_tiff_tags *tags; /* or NULL */
};

struct rip_tiff_writer {
	TIFF *tiff;
	struct rip_tiff_io io;
	enum rip_tiff_compression compression;
	struct rip_tiff_dots dots; /* the page */
	size_t   line;             /* bytes */
	uint32_t rows;             /* of a strip */
	uint32_t filled[RIP_TIFF_INKS_MAX], strip[RIP_TIFF_INKS_MAX]; /* rows and number of the next one */
	uint8_t *strips[RIP_TIFF_INKS_MAX];
};

/* Whether a file of such pages may not fit into 4 GiB, whatever the dots are.  bytes: of all
 * dots. */
bool rip_tiff_writer_needs_big(enum rip_tiff_compression compression, uint64_t bytes);

/* Starts a file, which must be a regular one that was just opened, and stays the caller's.  big:
 * as BigTIFF.  0 or -errno. */
int rip_tiff_writer_open(struct rip_tiff_writer *writer, const struct rip_out_file *file,
			 enum rip_tiff_compression compression, bool big);

/* Starts a page.  What dots points to is only used in this call. */
int rip_tiff_writer_begin(struct rip_tiff_writer *writer, const struct rip_tiff_dots *dots);

/* Where the next row of a plane goes: rip_dot_bytes() bytes, as struct rip_strip has them.  It is
 * written by rip_tiff_writer_row(). */
uint8_t *rip_tiff_writer_place(struct rip_tiff_writer *writer, uint32_t plane);
int rip_tiff_writer_row(struct rip_tiff_writer *writer, uint32_t plane);

/* Ends a page; all rows have been written. */
int rip_tiff_writer_end(struct rip_tiff_writer *writer);

/* May be called at any time, and twice.  The file is complete after the end of a page. */
void rip_tiff_writer_finish(struct rip_tiff_writer *writer);

#endif
