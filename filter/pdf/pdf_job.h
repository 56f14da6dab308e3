/*
 * A PDF document that is printed on a queue: its pages, as Ghostscript draws them by the queue's
 * PPD and the job's options, become dots.  Or a document of raster, which becomes PDF only where
 * its pages cannot go straight to dots.
 *
 * The dots go to standard output as raster, or to a receiver.  Messages go to report.h.  Used by
 * one thread, which the workers' threads help.
 */
#ifndef RIP_PDF_JOB_H
#define RIP_PDF_JOB_H

#include "filter/ink/ink_report.h"
#include "filter/chain/contone_filter.h"
#include "filter/chain/next_filter.h"
#include "filter/options.h"
#include "filter/page/page_plan.h"
#include "filter/page/sink.h"
#include "pdf_header.h"
#include "raster_document.h"
#include "rip/page_workers.h"

/* The dots of a page from its place() to its end. */
struct rip_pdf_dots {
	cups_page_header2_t header;
	struct rip_output   output;
};

/* Large: not for the stack.  Zeros to begin with, but for what the caller sets. */
struct rip_pdf_job {
	/* the caller's */
	const char               *text;     /* the job's options */
	const char               *final;    /* the final content type, or NULL */
	const char               *socket;   /* as riptide_config.socket */
	const char               *printer;  /* the queue's name, or NULL */
	unsigned                  number;   /* of the job */
	char                    **argv;     /* of the filter */
	const struct rip_dot_receiver *receiver; /* or NULL: raster to standard output */
	const char               *wanted;   /* by a receiver: a list of document.h; NULL: all */

	struct rip_queue          queue;
	struct rip_options        options;
	struct rip_place_in_chain place;
	struct rip_pdf_header     header;
	int                       document; /* a descriptor, or -1 */
	struct rip_raster_document raster;  /* whose pages go straight to dots */
	const char               *drawn_by; /* with RIP_PDF_JOB_CONTONE: the contone filter, or
					       NULL: nobody, the pages are those of `raster` */
	struct rip_workers        workers;
	struct rip_planner        planner;
	struct rip_choice         choice;   /* of the job's header, whose options all pages have */
	struct rip_page_plan      plans[RIP_WORKERS_MAX]; /* of the page that each worker does */
	struct rip_pdf_dots      *dots;     /* of the pages that are dealt, as workers.jobs */
	struct rip_next_filter    next;
	struct rip_sink           sink;
	struct rip_ink_report     ink;
	unsigned                 *list;     /* of pages: their numbers in the document */
	unsigned                  pages;    /* in the list */
	uint64_t                  lines;    /* of the page that is being written */
	uint64_t                  written;  /* as if the pages before had as many lines */
	unsigned                  reported; /* percent of the job */
	struct rip_shown          shown;    /* with a receiver, before it gets a page */
};

/* Begins a job: reads its options.  The caller has opened the queue. */
void rip_pdf_job_begin(struct rip_pdf_job *job);

/* Nothing was done: a filter of contone_filter.h has to draw job->document (rip_contone_job_run()),
 * because the job or the queue asks for it, the queue's driver takes the pages as contone (pass.h),
 * they are RGB pages that are separated into inks, or their dots have light inks.  Or the document
 * is raster, which nobody needs to draw. */
#define RIP_PDF_JOB_CONTONE 1

/* Does a document, which is read from a descriptor that the caller keeps.  0, -errno (reported), or
 * RIP_PDF_JOB_CONTONE. */
int rip_pdf_job_run(struct rip_pdf_job *job, int fd);

/* Does all pages where rip_pdf_job_run() returned RIP_PDF_JOB_CONTONE: a contone filter draws them,
 * unless they are raster, and they are halftoned here.  Used by the main thread.  Dots and messages
 * go where those of the PDF job go, but the receiver gets every page, whatever job->wanted is.
 * files: those of the contone filter that are not this process's; NULL: none.  0 or -errno
 * (reported). */
int rip_contone_job_run(struct rip_pdf_job *job, const struct rip_contone_files *files);

/* Frees all, and closes the queue; the next filter is the caller's to end. */
void rip_pdf_job_finish(struct rip_pdf_job *job);

#endif
