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

/* The buffers for a page, reused by similar pages. */
struct rip_pages {
	struct rip_source *source;
	struct rip_sink   *sink;
	/* the bytes of some pixels or of a line of dots, on their way to planes */
	uint8_t *scratch;
	size_t   scratch_size;
	uint8_t *samples; /* a line of each plane of a page with light inks, before its curves */
	size_t   samples_size;
	struct rip_separation *separation; /* of the page, or NULL */
};

/* The caller owns source and sink, which must outlive this. */
void rip_pages_init(struct rip_pages *pages, struct rip_source *source, struct rip_sink *sink);

/* Copies a page of dots, changing only their order and polarity.  The page is begun in source and
 * sink.  0 or -errno. */
int rip_pages_copy(struct rip_pages *pages, const struct rip_geometry *geometry);

/* Halftones a page of 8 or 16 bits, likewise.  The samples of a page with light inks go through the
 * curves here, and libriptide gets x of 16 bits.  0 or -errno. */
int rip_pages_halftone(struct rip_pages *pages, const struct rip_page_plan *plan,
		       struct riptide *riptide);

/* May be called twice. */
void rip_pages_finish(struct rip_pages *pages);

#endif
