/*
 * Fine edges: a finer mask at the edges of a clustered screen.
 *
 * The cells of a clustered screen make the edges of grey areas ragged, and break thin grey lines.
 * So the samples near an edge become dots of a finer screen, and the others stay for the screen of
 * the page:
 *
 *	a sample is at an edge if the samples of its plane at most `edge` columns to the left and
 *	right and `edge` rows above and below differ by RIP_EDGE_STEP of 255, or, if one of them is
 *	empty or full, by RIP_EDGE_STEP_ENDS; of samples with 16 bits the higher 8 count, and there
 *	is none beyond the border of the page
 *
 * So thin lines of 25 % on paper are at edges, while most of a picture is not: there the change of
 * cells would be seen more than it helps, and the printer's data would grow by 18 %.
 *
 * A sample at an edge becomes one of the two that no mask changes: full where its x is above the
 * threshold of the finer mask at its place, and empty elsewhere.  Engines see nothing of this, so
 * the dots are the same for all of them.  The lines of a page go through it as around.h says.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_FINE_EDGES_H
#define RIP_FINE_EDGES_H

#include "around.h"
#include "halftone/engine.h"

#define RIP_EDGE_STEP      96
#define RIP_EDGE_STEP_ENDS 48
#define RIP_FINE_EDGE_MAX 8

/* By sample of a pixel, or by plane where lines are not chunked.  Zeros: nothing is done. */
struct rip_edges_rule {
	uint32_t edge;     /* 1..RIP_FINE_EDGE_MAX; 0: nothing is done */
	bool     inverted; /* a sample v stands for 255 - v, or 65535 - v */
	bool     full_is_0; /* the sample whose x is 65535 is 0, and the one whose x is 0 is full */
	const struct rip_mask *masks[RIP_PLANES_MAX]; /* the finer ones; NULL: nothing is done */
	/* x by sample for the finer mask, 256 or 65536 values; NULL: none. */
	const uint16_t *curves[RIP_PLANES_MAX];
};

extern const struct rip_around_kind rip_fine_edges_kind;

#endif
