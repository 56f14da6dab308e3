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

#include "image/tiff_reader.h"
#include "image/tiff_writer.h"

struct rip_tiff_plates {
	unsigned count;  /* files */
	bool     inks;   /* the samples of the pages are ink, */
	bool     composite; /* and all planes are in one file */
	uint32_t width, levels, planes; /* of the page */
	char    *paths[RIP_TIFF_INKS_MAX];
	struct rip_out_file    files[RIP_TIFF_INKS_MAX];
	struct rip_tiff_writer writers[RIP_TIFF_INKS_MAX];
};

/* How the files are made. */
struct rip_tiff_plates_spec {
	int         input;       /* the descriptor of the file that must not be replaced */
	const char *curve;       /* another such file, or NULL */
	const char *out;         /* the name of the output */
	const char *plane_names; /* separated by commas, one for each plane; NULL: the inks' */
	bool        composite;
	enum rip_tiff_compression compression;
	uint64_t    bytes;       /* of the dots of all pages, in the largest file */
};

/* Opens the files for pages like this.  0 or -errno; they may be finished in both cases. */
int rip_tiff_plates_open(struct rip_tiff_plates *plates, const struct rip_tiff_plates_spec *spec,
			 const struct rip_tiff_page *page);

/* Starts a page, which must live until its end; writes the next line of dots of all planes, as
 * struct rip_strip has them; ends the page. */
int rip_tiff_plates_begin(struct rip_tiff_plates *plates, const struct rip_tiff_page *page,
			  uint32_t levels);
int rip_tiff_plates_line(struct rip_tiff_plates *plates, const uint8_t *const dots[]);
int rip_tiff_plates_end(struct rip_tiff_plates *plates);

/* After the last page: the files appear under their names. */
int rip_tiff_plates_commit(struct rip_tiff_plates *plates);

/* Releases, and removes what was not committed.  May be called twice. */
void rip_tiff_plates_finish(struct rip_tiff_plates *plates);

#endif
