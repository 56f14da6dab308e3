/*
 * The files behind libtiff: where it reads and writes, and what becomes of its messages.
 *
 * libtiff reports in words, not in error numbers.  The first error is kept, to be reported as one
 * line if the call fails; later ones are its consequences and are dropped.  Used by one thread.
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
	char  failure[256]; /* the first error since it is strict, not reported; empty: none */
	bool  strict;     /* warnings are errors */
	char  warning[256]; /* the first one that was not an error; empty: none */
};

/* Opens the file of an io that has been filled in.  The io must stay where it is until TIFFClose(),
 * which does not close the file.  mode: as for TIFFOpen().  NULL: io->error says why. */
TIFF *rip_tiff_io_open(struct rip_tiff_io *io, const char *mode);

/* Whether something went wrong since the io became strict, even if the call has succeeded. */
bool rip_tiff_io_is_bad(const struct rip_tiff_io *io);

/* What to return after a call of libtiff has failed: io->error.  Reports the failure. */
int rip_tiff_io_failed(struct rip_tiff_io *io);

/* strict: from now on warnings are errors.  Not strict: they are only kept.  Errors that did no
 * harm so far become warnings. */
void rip_tiff_io_set_strict(struct rip_tiff_io *io, bool strict);

#endif
