/*
 * A PDF of raster pages, written while they come: each page is one image of the page's size, so
 * that Ghostscript draws it pixel for pixel at its resolution.  Grey and colours are those of the
 * device: nothing converts them.
 *
 * Used by one thread.
 */
#ifndef RIP_APP_RASTER_H
#define RIP_APP_RASTER_H

#include <stdbool.h>
#include <stddef.h>

#include "app/compat.h"

/* Of the files' names. */
#define RIP_APP_RASTER_PREFIX "raster-"

struct rip_app_raster;

/* A new one, in a file that nobody else has; NULL, with errno.  folder: for the file. */
struct rip_app_raster *rip_app_raster_new(const char *folder);

/* Begins a page.  why says what is wrong with the header. */
bool rip_app_raster_page(struct rip_app_raster *raster, const rip_app_header *header, char *why,
			 size_t size);

/* A line of cupsBytesPerLine.  False: the file could not be written. */
bool rip_app_raster_line(struct rip_app_raster *raster, const unsigned char *line);

/* Ends a page, or the file.  False: it could not be written. */
bool rip_app_raster_end_page(struct rip_app_raster *raster);
bool rip_app_raster_end(struct rip_app_raster *raster);

/* How many pages have begun; NULL is allowed. */
unsigned rip_app_raster_pages(const struct rip_app_raster *raster);

/* The file: a path that is good until rip_app_raster_free(). */
const char *rip_app_raster_file(const struct rip_app_raster *raster);

/* Removes the file.  NULL is allowed. */
void rip_app_raster_free(struct rip_app_raster *raster);

#endif
