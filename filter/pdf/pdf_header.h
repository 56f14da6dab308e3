/*
 * The page headers of a PDF job, as gstoraster and Ghostscript's cups device make them from the
 * queue's PPD and the job's options: for the job, by libcups; for each page, by the sheet of the
 * PPD that its size matches, with the margins of that sheet.  A header is for samples of 8 bits,
 * chunked, whatever the PPD says about bits: the dots are made from them.
 *
 * What differs from gstoraster on purpose: bits; pages in planar order and colours other than
 * light, K, CMY and CMYK, which are refused.
 *
 * rip_pdf_header_page() may be called by any thread; it only reads the header and the PPD.
 */
#ifndef RIP_PDF_HEADER_H
#define RIP_PDF_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include <cups/raster.h>

#include "filter/queue.h"
#include "filter/page/sheet.h"
#include "object_colours.h"
#include "rip/page_reader.h"

#define RIP_PDF_ARGUMENTS (6 + RIP_OBJECT_ARGUMENTS)

struct rip_pdf_header {
	const struct rip_queue *queue;
	cups_page_header2_t     job;       /* the header that all pages start from */
	struct rip_duplexer     duplexer;
	bool                    pwg;       /* as in a PWG raster stream (from_pwg of header.h) */
	unsigned                repeat;    /* how often each page comes */
	char                    prologue[96]; /* PostScript that Ghostscript runs first */
	const char             *arguments[RIP_PDF_ARGUMENTS]; /* for Ghostscript, and a NULL */
	char                    font_path[1040], profile[1100], bitmap[40], space[40];
	struct rip_object_colours colours;
	bool                    managed;   /* colours are converted by profiles */
	size_t                  band;      /* bytes of a band, as `space` says; 0: Ghostscript's */
};

/* Makes the header of a job: the queue's name (may be NULL), the job's options (argv[5]), its final
 * type (may be NULL), and a descriptor of the document, whose first comments may tell the number of
 * copies.  The queue must stay open.  0, or -EINVAL and why. */
int rip_pdf_header_init(struct rip_pdf_header *header, const struct rip_queue *queue,
			const char *printer, const char *options, const char *final_type,
			int document, char *why, size_t size);

/* Adds the arguments about colours, once, where Ghostscript is to draw the pages. */
void rip_pdf_header_colours(struct rip_pdf_header *header, int count, cups_option_t *options);

/* Makes only header->job and header->pwg, as libcups makes them: for pages that another filter
 * draws.  0, or -EINVAL and why. */
int rip_pdf_header_job(struct rip_pdf_header *header, const struct rip_queue *queue,
		       const char *options, const char *final_type, char *why, size_t size);

/* The header of page `index` (0-based, copies not counted) of this size in points, and the matrix
 * from its points to pixels.  0, or -EINVAL and why. */
int rip_pdf_header_page(const struct rip_pdf_header *header, unsigned index, double width,
			double height, cups_page_header2_t *page, double matrix[6], char *why,
			size_t size);

/* How Ghostscript draws the pages of a colour space, and the samples that their planes are made
 * of. */
enum rip_contone rip_pdf_header_contone(unsigned space,
					struct rip_plane_source sources[4]);

#endif
