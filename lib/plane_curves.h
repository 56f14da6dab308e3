/*
 * How a page is halftoned whose planes have tone curves.
 *
 * Where they can, curves that never fall become part of the thresholds of a mask, which costs
 * nothing: with two levels, a dot is where curve[v] > T, which is where v > the largest sample
 * whose curve is at most T.  Otherwise one curve of all planes goes to the engine, and different
 * ones are applied here, row by row: then the engine gets x of 16 bits.
 *
 * An engine may have the page before still open, so its screen stays too.  Used by one thread.
 */
#ifndef RIP_PLANE_CURVES_H
#define RIP_PLANE_CURVES_H

#include "halftone/engine.h"

/* A screen with curves in its thresholds. */
struct rip_folded_screen {
	struct rip_screen base;
	struct rip_mask   masks[RIP_PLANES_MAX];
	uint16_t         *thresholds[RIP_PLANES_MAX];
};

/* Zeros are no curves. */
struct rip_plane_curves {
	const uint16_t *curves[RIP_PLANES_MAX]; /* the caller's; NULL: none */
	bool     one;    /* all planes have the same curve, or none */
	struct rip_folded_screen screens[2];
	unsigned newest; /* of the two */
	bool     folded; /* screens[newest] has the curves */
	/* What they were set for, so that it is not done again for the next page. */
	unsigned made;   /* 0: nothing */
	struct rip_page_spec     spec;
	const struct rip_mask   *masks[RIP_PLANES_MAX]; /* of its screen */
};

/* Takes the curves of a page: x by sample, 256 or 65536 values, the same pointer for planes with
 * the same curve.  They must live as long as the page.  made: 1 or more, another number for other
 * curves.  spec: of the page, without a curve.  0 or -ENOMEM. */
int rip_plane_curves_set(struct rip_plane_curves *curves, const struct rip_page_spec *spec,
			 const uint16_t *const of_planes[], unsigned made);

/* Makes the spec of the page the one that the engine gets. */
void rip_plane_curves_spec(const struct rip_plane_curves *curves, struct rip_page_spec *spec);

/* Whether rip_plane_curves_row() is to be applied. */
bool rip_plane_curves_differ(const struct rip_plane_curves *curves);

/* Takes a row of one plane, `bits` bits a sample, through its curve: width values of x. */
void rip_plane_curves_row(const struct rip_plane_curves *curves, uint32_t plane, uint32_t bits,
			  const void *samples, uint32_t width, uint16_t *x);

/* Frees the screens; may be called twice. */
void rip_plane_curves_finish(struct rip_plane_curves *curves);

#endif
