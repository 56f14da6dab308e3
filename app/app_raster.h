/*
 * A PDF of raster pages, in a file, written while they come (image/image_pdf.h).
 *
 * Functions return 0 or -errno.  Used by one thread.
 */
#ifndef RIP_APP_RASTER_H
#define RIP_APP_RASTER_H

#include <limits.h>

#include "app/compat.h"
#include "image/image_pdf.h"

/* Of the files' names. */
#define RIP_APP_RASTER_PREFIX "raster-"

struct rip_app_raster {
	char path[PATH_MAX]; /* the file */
	int  fd;
	unsigned line;       /* bytes of a line of the page */
	struct rip_image_pdf pdf;
};

/* A new one, in a file that nobody else has.  folder: for the file. */
int rip_app_raster_new(const char *folder, struct rip_app_raster **raster);

/* Begins a page; its lines, and its end, are those of the PDF.  -EINVAL: why says what is wrong
 * with the header. */
int rip_app_raster_page(struct rip_app_raster *raster, const rip_app_header *header, char *why,
			size_t size);

/* Removes the file.  NULL is allowed. */
void rip_app_raster_free(struct rip_app_raster *raster);

#endif
