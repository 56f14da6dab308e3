/*
 * Moves the rows of a page through the halftoner in bands, from a callback that reads them
 * to one that writes the dots.  While some bands are halftoned, the next one is read and the
 * previous one is written.
 *
 * Errors are reported by messages; callbacks report their own.  Used by one thread.
 */
#ifndef RIP_PUMP_H
#define RIP_PUMP_H

#include "row_flow.h"

/* The bands of a page, reused by similar pages. */
struct rip_pump {
	struct rip_row_flow flow;
};

/* A page. */
struct rip_pump_page {
	unsigned             number;    /* for messages */
	struct rip_page_spec spec;
	uint32_t             height;    /* rows */
	bool                 planar;    /* one plane after the other; else each line has all */
	enum rip_start       start;
	uint32_t             band_rows; /* rows of a band, if they fit; 0: chosen to suit the caches */

	/* Reads the next lines, a row for each of their planes.  lines is more than 1 only
	 * for lines of one plane; then the rows are contiguous.  0 or -errno. */
	int (*read)(void *context, void *const rows[], uint32_t lines);
	/* Writes the next line of dots.  0 or -errno. */
	int (*write)(void *context, const uint8_t *const dots[]);
	/* Reports how many of all lines are written (a planar page has height * planes). */
	void (*progress)(void *context, uint64_t written, uint64_t lines);
	void *context;
};

/* Runs one page.  A pump of zeros has no bands.  0 or -errno; after an error the halftoner
 * must be freed before the pump. */
int rip_pump_run(struct rip_pump *pump, const struct rip_pump_page *page,
		 struct rip_halftoner *halftoner);

/* May be called twice. */
void rip_pump_finish(struct rip_pump *pump);

#endif
