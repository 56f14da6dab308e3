/*
 * Charts as PDF 1.4: an image for each page, with 1 to 8 bits for each pixel of the printer, on a
 * page whose edges are edges of such pixels.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */
#ifndef RIP_TARGET_PDF_H
#define RIP_TARGET_PDF_H

#include "chart.h"
#include "image/out_file.h"

#define RIP_TARGET_OBJECTS_MAX 256

/* A PDF that is being written; zeros but for the first fields. */
struct rip_target_pdf {
	struct rip_out_file *out;
	uint32_t dpi;
	uint64_t at;      /* bytes written */
	unsigned objects; /* 1 is the first */
	uint64_t where[RIP_TARGET_OBJECTS_MAX];
	unsigned pages;
	int      error;   /* the first one: -errno, reported */
};

int rip_target_pdf_begin(struct rip_target_pdf *pdf);
int rip_target_pdf_page(struct rip_target_pdf *pdf, const struct rip_chart *chart, char ink);
int rip_target_pdf_end(struct rip_target_pdf *pdf);

#endif
