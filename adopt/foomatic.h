/*
 * PPDs of foomatic-rip whose command ends with a program that takes dots: the foo2zjs family and
 * ptouch.
 *
 * rastertofoomatic(8) runs that command with our dots, by the PPD's own FoomaticRIP lines, which
 * all stay.  Such a PPD leaves the raster to the command, so its options get the code that asks
 * Ghostscript for it: the page size, the resolution that the command's -r names, and 8 bits of
 * black or of four inks.  Used by one thread.
 */
#ifndef RIP_FOOMATIC_H
#define RIP_FOOMATIC_H

#include "ppd_text.h"

#define RIP_FOOMATIC_FILTER "rastertofoomatic"

/* The driver behind foomatic-rip that the PPD describes; empty: none. */
struct rip_slice rip_foomatic_driver(const struct rip_ppd_text *ppd);

/* The class of the printers of a driver that takes our dots; NULL: it takes none. */
const char *rip_foomatic_printer(struct rip_slice driver);

/* What stands in such a PPD, for the edit. */
struct rip_foomatic_plan {
	bool     resolutions;  /* the user chooses the resolution */
	bool     colors;       /* and black or colour, by ColorMode */
	unsigned x_dpi, y_dpi; /* of one that is fixed */
};

void rip_foomatic_plan(struct rip_foomatic_plan *plan, const struct rip_ppd_text *ppd);

/* Whether a statement changes; then its new text is added, which may be none. */
bool rip_foomatic_replace(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			  const struct rip_foomatic_plan *plan, const struct rip_ppd_statement *s);

#endif
