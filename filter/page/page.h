/*
 * Moves a page from source to sink: copies dots, or halftones samples in bands, while the
 * next band is read and the previous one is written.
 *
 * Errors are reported by messages that name the page.  Used by one thread.
 */
#ifndef RIP_PAGE_H
#define RIP_PAGE_H

#include "page_plan.h"
#include "sink.h"
#include "source.h"

/* Copies a page of dots, changing only their order and polarity.  The page is begun in source and
 * sink.  0 or -errno. */
int rip_page_copy(struct rip_source *source, struct rip_sink *sink,
		  const struct rip_geometry *geometry);

/* Halftones a page of 8 or 16 bits, likewise.  The samples of a page with light inks go through the
 * curves here, and libriptide gets x of 16 bits.  0 or -errno. */
int rip_page_halftone(struct rip_source *source, struct rip_sink *sink,
		      const struct rip_page_plan *plan, struct riptide *riptide);

#endif
