/*
 * The tone curves of a page's planes, one behind the other: a table that comes first, what the user
 * asks for and the printer needs (plane_curve.h), and what toner save leaves.
 *
 * If one plane needs a curve, all have one; planes that need the same one share it.  A page that is
 * like the one before keeps its curves.  Used by one thread.
 */
#ifndef RIP_PAGE_CURVES_H
#define RIP_PAGE_CURVES_H

#include "halftone/engine.h"
#include "halftone/page/fine_edges.h"
#include "halftone/screen/mask_screen.h"
#include "tone/plane_curve.h"
#include "tone/tone_choice.h"

/* What the curves depend on, besides the tables; compared as bytes. */
struct rip_page_wish {
	uint32_t planes, sample_bits;
	unsigned toner_save; /* percent of ink less (toner_save.h); 0: none */
	char     calibration[RIP_CAL_NAME_MAX + 1]; /* its name: another may have its address */
	struct rip_printer    printer;
	struct rip_plane_wish of[RIP_PLANES_MAX]; /* for this printer, whatever theirs points to */
};

/* Zeros are none. */
struct rip_page_curves {
	struct rip_page_wish wish; /* zeros: the curves are to be made in any case */
	unsigned made; /* how often the curves were made */
	/* x by sample: 256 or 65536 values; NULL: none.  Behind those of RIP_PLANES_MAX planes,
	 * copies of the tables that come first. */
	uint16_t *curves[2 * RIP_PLANES_MAX];
};

/* Fills the wish for a page with these planes, inks and resolution, none of whose inks is shared.
 * spec: its planes, bits, levels and screen.  cal: or NULL. */
void rip_page_wish_init(struct rip_page_wish *wish, const struct rip_tone_choice *choice,
			const struct rip_cal *cal, const struct rip_page_spec *spec,
			const struct rip_mask_use *use);

/* Makes the curves.  first: of each plane, x by sample, or NULL; may be NULL.  0; -ENOMEM: there
 * are none. */
int rip_page_curves_make(struct rip_page_curves *curves, const struct rip_page_wish *wish,
			 const uint16_t *const first[]);

/* Makes the rule for the edges of a page whose curves are made, and the curves of its finer screen,
 * which it points to.  finer, side: of rip_mask_screen_finer().  0: the samples cannot be made dots
 * before the curves, because full ink does not stay full, or no ink none; 1; -ENOMEM. */
int rip_page_curves_edges(const struct rip_page_curves *curves, const struct rip_screen *finer,
			  uint32_t side, struct rip_page_curves *fine, struct rip_edges_rule *rule);

/* The curve of a plane's dark ink if it had no light one, to be freed; NULL: no memory. */
uint16_t *rip_page_curves_alone(const struct rip_page_curves *curves, uint32_t plane);

/* May be called twice.  Keeps `made`. */
void rip_page_curves_finish(struct rip_page_curves *curves);

#endif
