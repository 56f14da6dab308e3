/*
 * The tone curves of a page's planes, and its ink limit.
 *
 * A sample goes through these curves, in this order: one of the caller's that all planes have,
 * that of the ink in a vendor's PPD, then what the user asks for and the printer needs, as in
 * tone/plane_curve.h, for the screen's pattern in this plane, and last what toner save leaves of
 * the ink.  The ink limit is for what the curves make of the samples.
 *
 * A light ink (light_inks.h) has a plane of dots, but no samples: it has a curve of its own
 * for those of its colour.
 *
 * What the printer needs says its calibration, or else a preset or a number of points.  A
 * calibration by another program is a finished curve, and replaces the target, too.
 *
 * Pages that are alike get the same curves without computing them again.  Used by one thread.
 */
#ifndef RIP_TONE_CURVES_H
#define RIP_TONE_CURVES_H

#include "filter/ink/light_limit.h"
#include "header.h"
#include "halftone/page/around_rules.h"
#include "halftone/page/ink_limit.h"
#include "tone/page_curves.h"

struct rip_tone_curves {
	struct rip_page_curves page;
	/* Of planes of samples with light inks, under an ink limit: x of the dark ink alone. */
	uint16_t *alone[RIP_PLANES_MAX];
	struct rip_ink_limit limit;  /* of a page without light inks, */
	struct rip_light_limit light_limit; /* and with them */
	struct rip_page_curves fine; /* for the finer screen at edges */
	struct rip_around_rules around; /* what the samples must go through before the curves */
};

/* Makes the curves of a page of this geometry, whose dots have these inks.  wish, first: for
 * rip_page_curves_make(), of the planes of the dots; ink_limit: percent of one full ink; 0: none.
 * A zeroed struct has no curves.  0 or -ENOMEM. */
int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_page_wish *wish,
			 const uint16_t *const first[], const struct rip_geometry *geometry,
			 const struct rip_mask_use *use, unsigned ink_limit);

/* Makes the rule for the edges of a page whose other curves are made.  As rip_page_curves_edges();
 * 0 also if there is an ink limit. */
int rip_tone_curves_edges(struct rip_tone_curves *curves, const struct rip_screen *finer,
			  uint32_t side);

/* Whether the planes have different curves. */
bool rip_tone_curves_differ(const struct rip_tone_curves *curves);

/* May be called twice. */
void rip_tone_curves_finish(struct rip_tone_curves *curves);

#endif
