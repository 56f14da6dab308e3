/*
 * A document of PWG or Apple raster, as AirPrint and IPP Everywhere send them, whose pages go
 * straight to dots where that prints what rastertopdf, pdftopdf and Ghostscript would: each page
 * has the size, resolution and colours of the queue's page for the job, and the job asks for
 * nothing but copies and a choice of pages.  The header is that of pdf_header.h; the pixels are
 * moved by whole pixels, to where pdftopdf centres the page, and cut off at the sheet's margins.
 *
 * Used by one thread.
 */
#ifndef RIP_RASTER_DOCUMENT_H
#define RIP_RASTER_DOCUMENT_H

#include <stdint.h>
#include <sys/types.h>

#include "filter/options.h"
#include "filter/page/source.h"
#include "pdf_header.h"

/* Zeros to begin with. */
struct rip_raster_document {
	int       fd;          /* the caller's: a file */
	off_t    *headers;     /* where the pages' headers are in it */
	unsigned  pages;
	char      misfit[200]; /* why the pages cannot go straight to dots; empty: they can */
	uint64_t  unfit;       /* bytes of lines since one did not fit */
	const struct rip_pdf_header *header;
	unsigned *list;        /* of pages (0-based), each as often as it comes */
	unsigned  count, next;
};

/* Reads the whole document, so that nothing of a damaged one is printed, and finds out whether its
 * pages fit; of a very long one that does not fit, only as much as takes seconds.  header: of the
 * job; NULL: they do not, because a filter of CUPS is to draw them.  0 or -errno, and why. */
int rip_raster_document_open(struct rip_raster_document *document, int fd,
			     const struct rip_pdf_header *header, char *why, size_t size);

/* Lists the pages as pdftopdf would print them, and puts the copies that the printer makes into the
 * header; or finds out that only pdftopdf can do what the job asks for.  copies: the filter's
 * argument.  0 or -errno, and why. */
int rip_raster_document_arrange(struct rip_raster_document *document, struct rip_pdf_header *header,
				const struct rip_options *options, const char *copies, char *why,
				size_t size);

/* The next page of the list: as rip_raster_job.next, whose context is a document. */
int rip_raster_document_next(void *document, struct rip_source *source,
			     cups_page_header2_t *header);

/* May be called twice. */
void rip_raster_document_close(struct rip_raster_document *document);

#endif
