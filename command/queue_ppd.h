/*
 * The PPD of a queue, as the programs on the command line see it.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */
#ifndef RIP_QUEUE_PPD_H
#define RIP_QUEUE_PPD_H

#include <cups/raster.h>
#include <stdbool.h>
#include <stddef.h>

#include "filter/queue.h"
#include "tone/printer.h"

/*
 * A PPD in a file, which may be compressed by gzip.  Used by one thread.
 *
 * Errors are reported on standard error, and returned as a negative errno.
 */

struct rip_ppd_file {
	char  *text;
	size_t size;
	bool   compressed;
};

/* Reads a whole file.  It is not checked that it is a PPD. */
int rip_ppd_file_read(struct rip_ppd_file *file, const char *path);

/* Writes a text, compressed if `compressed` says so.  path: as for rip_out_file_open(). */
int rip_ppd_file_write(const char *text, size_t size, bool compressed, const char *path);

/* May be called twice. */
void rip_ppd_file_free(struct rip_ppd_file *file);

/* Opens the PPD of a queue for the filter's code, to be closed by rip_queue_close(); and in *fd the
 * file itself, or a copy of what comes through a pipe, for other programs; the caller's to
 * close, -1 on failure.  queue: a name, or NULL and path, a PPD file. */
int rip_queue_ppd_open(const char *queue, const char *path, struct rip_queue *opened, int *fd);

/* What helps a queue that starts no filter of riptide: "run riptide adopt NAME first", or why that
 * would be refused.  fd: its PPD, which stays open.  name: of the queue or its PPD. */
void rip_queue_ppd_advise(int fd, const char *name, char *advice, size_t size);

/* Reports each default of the queue's own that differs from the PPD's and beats it.  defaults: the
 * former (queue_request.h).  name: of the queue. */
void rip_queue_ppd_compare(const struct rip_queue *queue, const char *defaults, const char *name);

/* How a queue prints a page whose job has no options of its own. */
struct rip_queue_page {
	cups_page_header2_t header; /* of the raster, by the defaults of the PPD */
	unsigned x_dpi, y_dpi;
	unsigned levels;      /* 2..16 */
	unsigned max_levels;  /* that the driver takes, 2..16 */
	struct rip_drops drops; /* of the levels */
	char     screen[32];  /* a name of halftone-screen */
	char     printer[32]; /* the class of printer, one of rip_printer_names[] */
};

/* By the same rules as the filter.  queue, path: as above.  defaults: the queue's own
 * (queue_request.h).  -EINVAL: the queue starts no filter of riptide. */
int rip_queue_page(const char *queue, const char *path, const char *defaults,
		   struct rip_queue_page *page);

/* Whether the queue prints that many levels: 0, or -EINVAL.  name: of the queue or its PPD. */
int rip_queue_page_check_levels(const struct rip_queue_page *page, const char *name,
				unsigned levels);

#endif
