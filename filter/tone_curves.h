/*
 * The tone curves of a page's planes, and its ink limit.
 *
 * A sample goes through these curves, in this order: one of the caller's that all planes have,
 * then what the user asks for and the printer needs, as in tone/curve_for.h, for the
 * screen's pattern in this plane.  Then the ink limit.
 *
 * Pages that are alike get the same curves without computing them again.  Used by one thread.
 */
#ifndef RIP_TONE_CURVES_H
#define RIP_TONE_CURVES_H

#include <cups/raster.h>

#include "filter/header.h"
#include "filter/tone_choice.h"
#include "halftone/screen.h"

/* What the curves of a page depend on. */
struct rip_tone_page {
	const struct rip_screen *screen;
	uint32_t planes, sample_bits, levels;
	double   dpi;   /* pixels an inch, the lower resolution; 0: not known, taken as 600 */
	bool     light; /* samples are light: full is paper */
	int      black; /* the plane of black ink, which an ink limit does not change; -1: none */
	/* A curve of 256 or 65536 values by sample before all others, or NULL.  The same address
	 * means the same curve. */
	const uint16_t *first;
};

/* Fills it from a header that was checked; no first curve. */
void rip_tone_page_of(struct rip_tone_page *page, const cups_page_header2_t *header,
		      const struct rip_geometry *geometry, const struct rip_screen *screen,
		      unsigned levels);

/* What curves are made of. */
struct rip_tone_curves_key {
	struct rip_tone_choice choice;
	struct rip_tone_page   page;
	const struct rip_pattern *patterns[RIP_PLANES_MAX]; /* NULL: bi-level */
};

struct rip_tone_curves {
	struct rip_tone_curves_key key;
	/* x by sample: 256 or 65536 values.  All NULL if no curve is needed.  Planes with the same
	 * curve share it. */
	uint16_t *curves[RIP_PLANES_MAX];
	bool      one;  /* all planes have the same curve, or none */
	uint32_t  limit; /* the most that the inks of a pixel add up to, 65535 for each full one;
			    0: no limit */
};

/* Makes the curves of a page.  A zeroed struct has none.  0 or -ENOMEM. */
int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page);

/* Whether samples have to go through the curves before they reach a halftoner: the planes have
 * different curves, or an ink limit.  Otherwise the halftoner takes curves[0]. */
bool rip_tone_curves_apply(const struct rip_tone_curves *curves);

/* May be called twice. */
void rip_tone_curves_finish(struct rip_tone_curves *curves);

/* What the curves do, for a debug message: "laser, 16 points, target print". */
void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size);

/* Scales the inks of each pixel that add up to more than the limit: black stays, and the others
 * are all multiplied by the same factor, rounded down.  black: the plane that stays, or -1.  If
 * black alone reaches the limit, no other ink is left. */
void rip_tone_limit(uint16_t *const planes[], uint32_t count, int black, uint32_t width,
		    uint32_t limit);

#endif
