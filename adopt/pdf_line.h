/*
 * The line of a PPD that sends documents through pdftoriptide, beside the line of a driver that
 * takes raster.  Used by one thread.
 */
#ifndef RIP_PDF_LINE_H
#define RIP_PDF_LINE_H

#include <stdbool.h>

#include "growing_text.h"
#include "ppd_text.h"

/* Whether the PPD can have the line; if not, why.  foomatic: all its lines go. */
bool rip_pdf_line_possible(const struct rip_ppd_text *ppd, bool foomatic, char *why, size_t size);

/* Writes it, with what the driver's line has of keyword, destination and cost.  driver: that line,
 * a cupsFilter or cupsFilter2 statement; NULL: ours, which costs 0.  In a PPD with cupsFilter2, a
 * cupsFilter2 statement takes its place, because CUPS ignores each cupsFilter then. */
void rip_pdf_line_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			const struct rip_ppd_statement *driver);

#endif
