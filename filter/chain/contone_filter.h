/*
 * A filter of CUPS that draws a PDF document as contone raster, in front of raster_job.h:
 * gstoraster, or pdftoraster, which needs no Ghostscript.  pdftoriptide starts it where a queue or
 * a job asks for it, and for what it cannot do itself.
 *
 * The filter is a child of this process, and ends with it (rip_child_start_filter()).
 * Used by the main thread.
 */
#ifndef RIP_CONTONE_FILTER_H
#define RIP_CONTONE_FILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "filter/options.h"

#define RIP_CONTONE_FILTER_USUAL "gstoraster"

struct rip_contone_filter {
	const char *name;     /* a constant */
	pid_t       pid;      /* 0: none runs */
	int         raster;   /* the descriptor that its raster comes from */
	int         messages; /* a file with those of the filter, or -1 */
	bool        refused;  /* it may write more than is read: SIGPIPE is no failure */
};

/* Descriptors of files for it, in place of what it has from this process; the caller's; or -1. */
struct rip_contone_files {
	int messages; /* an empty file, for what it writes to standard error */
	int ppd;      /* it finds it as /dev/fd/3 */
	int cmyk;     /* set by rip_contone_job_run(): its Ghostscript's profile for CMYK */
};

/* The filter that the job's options name (riptide-rip, riptideRip), or else the PPD's default of
 * riptideRip.  NULL: none, pdftoriptide draws the pages. */
const char *rip_contone_filter_chosen(const struct rip_options *options,
				      const struct rip_queue *queue);

/* Starts it with the arguments of this filter, and with a document on its standard input, from the
 * first byte on.  Sets the environment's final type to what it would be without pdftoriptide.
 * 0, or -errno (reported). */
int rip_contone_filter_start(struct rip_contone_filter *filter, const char *name,
			     char *const argv[], int document,
			     const struct rip_contone_files *files);

/* Ends it, by SIGKILL if SIGTERM does not.  r: 0, all its raster was read; or -errno, which stays.
 * 0 or -errno (reported, by the filter itself where it has this process's standard error).  What a
 * filter whose messages are in a file says of an error is also a warning where reading its raster
 * failed first, but not with -ECANCELED. */
int rip_contone_filter_end(struct rip_contone_filter *filter, int r);

/* The PDF document that CUPS's filters make of PWG or Apple raster or PostScript for this job:
 * rastertopdf or gstopdf, and pdftopdf, with the arguments of this filter.  raster: a file, which
 * is read from the first byte on.  A descriptor as rip_document_open() makes it; -ENODATA: there
 * are no pages; other -errno (reported). */
int rip_contone_document(char *const argv[], int raster);

#endif
