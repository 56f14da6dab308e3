/*
 * A page from source to sink: dots that are copied, or samples that are
 * halftoned in bands, while the next band is read and the last one is written.
 *
 * Errors are told by messages that name the page.  Used by one thread.
 */
#ifndef RIP_PAGE_H
#define RIP_PAGE_H

#include "filter/header.h"
#include "filter/pump.h"
#include "filter/sink.h"
#include "filter/source.h"

/* The memory that a page needs and another one like it can use again. */
struct rip_pages {
	struct rip_source *source;
	struct rip_sink   *sink;
	struct rip_pump    pump;
	/* the bytes of some pixels or of a line of dots, on their way to planes */
	uint8_t *scratch;
	size_t   scratch_size;
};

/* How a page is halftoned. */
struct rip_output_plan {
	unsigned levels;
	const struct rip_screen *screen;
	enum rip_start  start;
	const uint16_t *curve8, *curve16; /* of 8- and of 16-bit samples, or NULL */
	uint32_t        band_rows;        /* 0: as many as are good */
};

/* source and sink are the caller's and outlive this. */
void rip_pages_init(struct rip_pages *pages, struct rip_source *source, struct rip_sink *sink);

/* The page whose header was checked and rewritten, and begun in source and sink:
 * 1-bit dots, unchanged but for their order and polarity.  0 or -errno. */
int rip_pages_copy(struct rip_pages *pages, const struct rip_geometry *geometry);

/* The same for 8 and 16 bits.  0 or -errno. */
int rip_pages_halftone(struct rip_pages *pages, const struct rip_geometry *geometry,
		       const struct rip_output_plan *plan, struct rip_halftoner *halftoner);

/* May be called twice. */
void rip_pages_finish(struct rip_pages *pages);

/* 0, or -EFBIG and why, if the carries and the lines of such a page would not fit
 * into the memory that the filter allows itself.  compressed: what comes in is,
 * and libcups keeps a line of it. */
int rip_pages_check(const struct rip_geometry *geometry, const struct rip_output *output,
		    const struct rip_screen *screen, bool compressed, char *why, size_t size);

#endif
