/*
 * The TIFF files that the dots of a document go to: one for each plane, or one for all.
 *
 * The file of a plane is called as Ghostscript's tiffsep1 calls it, NAME(INK).tif; that of an image
 * with one plane has the name of the output.  In it full is light.  In a file for all inks full is
 * ink.
 *
 * Errors are reported where they occur, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_TIFF_PLATES_H
#define RIP_TIFF_PLATES_H

#include "filter/page/sink.h"
#include "image/out_file.h"
#include "image/tiff.h"

/* How the files are made. */
struct rip_tiff_plates_spec {
	int         input;       /* the descriptor of the file that must not be replaced */
	const char *curve;       /* another such file, or NULL */
	const char *out;         /* the name of the output */
	const char *plane_names; /* separated by commas, one for each plane; NULL: the inks' */
	bool        composite;
	enum rip_tiff_compression compression;
};

struct rip_tiff_plates {
	/* For the caller to set before a page begins: its tags, colours and names of inks; and
	 * before the first one, the dots of all pages in the largest file, in bytes. */
	const struct rip_tiff_page *page;
	uint64_t bytes;
	struct rip_tiff_plates_spec spec;
	unsigned count;  /* files */
	struct rip_dot_page dots; /* of the page */
	char    *paths[RIP_TIFF_INKS_MAX];
	struct rip_out_file    files[RIP_TIFF_INKS_MAX];
	struct rip_tiff_writer writers[RIP_TIFF_INKS_MAX];
};

/* Opens the files for pages with these planes.  names: of their inks.  0 or -errno; they may be
 * finished in both cases. */
int rip_tiff_plates_open(struct rip_tiff_plates *plates, const struct rip_tiff_plates_spec *spec,
			 uint32_t planes, const char (*names)[RIP_TIFF_NAME_MAX]);

/* Who writes the pages that come. */
struct rip_dot_receiver rip_tiff_plates_receiver(struct rip_tiff_plates *plates);

/* After the last page: the files appear under their names. */
int rip_tiff_plates_commit(struct rip_tiff_plates *plates);

/* Releases, and removes what was not committed.  May be called twice. */
void rip_tiff_plates_finish(struct rip_tiff_plates *plates);

#endif
