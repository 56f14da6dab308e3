/*
 * Raster that is printed on a queue: 8 or 16 bits a colour come in, dots go out, page by page.
 * The pages are those of a stream, or those that the caller begins.
 *
 * The dots go to standard output as raster, or to a receiver.  Messages go to report.h.  Used by
 * one thread.
 */
#ifndef RIP_RASTER_JOB_H
#define RIP_RASTER_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/ink/ink_report.h"
#include "filter/options.h"
#include "page.h"
#include "page_plan.h"
#include "sink.h"
#include "source.h"

/* Large: not for the stack.  Zeros to begin with, but for what the caller sets. */
struct rip_raster_job {
	/* the caller's */
	uint32_t                  number;  /* of the job */
	const char               *printer; /* the queue's name, or NULL */
	const char               *socket;  /* as riptide_config.socket */
	const struct rip_queue   *queue;
	struct rip_options       *options;
	struct rip_place_in_chain place;
	const struct rip_dot_receiver *receiver; /* or NULL: the dots go to standard output */
	struct rip_shown         *shown;   /* or NULL: with a receiver, set before it gets a page */
	/* Opens a source at the next page, begins it (rip_source_begin_cut()), and makes the page's
	 * header.  0, RIP_SOURCE_END, or -errno and the source's `why`.  NULL: there is a
	 * stream. */
	int (*next)(void *context, struct rip_source *source, cups_page_header2_t *header);
	void                     *context;
	bool                      from_pwg; /* with next: such headers are as in PWG raster */

	struct rip_source         source;
	struct rip_sink           sink;
	struct rip_ink_report     ink;
	struct rip_separation     separation;
	struct rip_planner        planner;
	struct rip_page_plan      plan;    /* of the page */
	struct riptide           *riptide; /* NULL before the first page that needs it */
};

/* Does all pages; the stream is read from a descriptor that the caller keeps.  0 or -errno
 * (reported). */
int rip_raster_job_run(struct rip_raster_job *job, int fd);

/* Frees all but what is the caller's.  Also for a job that did not run. */
void rip_raster_job_finish(struct rip_raster_job *job);

#endif
