/*
 * The PPD of a queue, as the programs on the command line see it.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */
#ifndef RIP_QUEUE_PPD_H
#define RIP_QUEUE_PPD_H

#include <cups/raster.h>

/* The header of the raster that a queue's pages are made with, by the defaults of its PPD.
 * queue: a name, or NULL and path, a PPD file. */
int rip_queue_ppd_header(const char *queue, const char *path, cups_page_header2_t *header);

/* The default of a PPD's option, without regard to case, in value (size bytes).  0; -ENOENT,
 * not reported, if the PPD has no such option or the queue no PPD. */
int rip_queue_ppd_default(const char *queue, const char *path, const char *keyword, char *value,
			  size_t size);

#endif
