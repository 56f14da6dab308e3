/*
 * Moves the rows of a page through the halftoner in bands, from a callback that reads them
 * to one that writes the dots.  While some bands are halftoned, the next one is read and the
 * previous one is written.
 *
 * Errors are reported by messages; callbacks report their own.  Used by one thread.
 */
#ifndef RIP_PUMP_H
#define RIP_PUMP_H

#include "plane_curves.h"
#include "row_flow.h"

struct rip_pump {
	struct rip_row_flow *flow;               /* the page, begun, with a height */
	const struct rip_plane_curves *curves;   /* that are applied here if there is staging */
	uint8_t *staging;                        /* a row of samples of each plane, or NULL */
	const struct rip_page_spec *spec;        /* the page as the caller sees it */
	unsigned number;                         /* of the page, for messages */
	const struct riptide_stream *stream;
};

/* Runs the page.  0, what a callback returned, or -errno (logged); after an error the halftoner
 * must be freed before the flow. */
int rip_pump_run(const struct rip_pump *pump);

#endif
