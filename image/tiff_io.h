/*
 * The files behind libtiff: where it reads and writes, and what becomes of its messages.
 *
 * libtiff reports in words, not in error numbers.  The first error is reported on standard
 * error as one line, later ones are its consequences and are dropped.  Used by one thread.
 */
#ifndef RIP_TIFF_IO_H
#define RIP_TIFF_IO_H

#include <stdbool.h>
#include <sys/types.h>

#include <tiffio.h>

#include "out_file.h"

/* The most memory that libtiff may take at once: for a compressed strip, for example. */
#define RIP_TIFF_BYTES_MAX ((size_t)256 << 20)

struct rip_tiff_io {
	const char *name; /* for messages */
	int   fd;         /* that can be read at any place */
	off_t at;
	const struct rip_out_file *output; /* that is written; NULL: only read */
	int   error;      /* -errno, reported; 0: none */
	bool  strict;     /* warnings are errors */
	char  warning[256]; /* the first one that was not an error; empty: none */
};

/* Opens the file of an io that has been filled in.  The io must stay where it is until
 * TIFFClose(), which does not close the file.  mode: as for TIFFOpen().  NULL: io->error says why. */
TIFF *rip_tiff_io_open(struct rip_tiff_io *io, const char *mode);

/* What to return after a call of libtiff has failed: io->error.  Reports a failure that libtiff
 * has not explained. */
int rip_tiff_io_failed(struct rip_tiff_io *io);

#endif
