/*
 * The dots of a PDF document for `riptide preview`: those that pdftoriptide makes of it for a
 * queue, also where it leaves the drawing to gstoraster.
 * Errors are reported on standard error and returned as a negative errno.  Used by the main thread.
 */
#ifndef RIP_PREVIEW_PDF_H
#define RIP_PREVIEW_PDF_H

#include "filter/page/page_plan.h"
#include "filter/page/sink.h"
#include "image/input.h"

/* 1: the input is PDF; 0: something else; or -errno. */
int rip_preview_is_pdf(struct rip_input *input);

/* How a document is printed. */
struct rip_preview_print {
	const char *queue, *ppd; /* one of them, or NULL and a PPD file */
	const char *job;         /* options, as of lp */
	const char *unwanted;    /* an option that was given and does not go with PDF, or NULL */
	const char *pages;       /* a valid list of page_list.h, or NULL: all */
	struct rip_shown shown; /* how its dots look: set before each page; printer -1: not yet */
};

/* Gives the pages of the list to a receiver, in the order of the document. */
int rip_preview_pdf(struct rip_input *input, struct rip_preview_print *print,
		    const struct rip_dot_receiver *receiver);

#endif
