/*
 * The tone curves of a page's planes, and its ink limit.
 *
 * A sample goes through these curves, in this order: one of the caller's that all planes have,
 * that of the ink in a vendor's PPD, then what the user asks for and the printer needs, as in
 * tone/curve_for.h, for the screen's pattern in this plane, and last what toner save leaves of the
 * ink.  The ink limit is for what the curves make of the samples.
 *
 * A light ink (light_inks.h) has a plane of dots, but no samples: it has a curve of its own for those
 * of its colour.
 *
 * What the printer needs says its calibration, or else a preset or a number of points.  A
 * calibration by another program is a finished curve, and replaces the target, too.
 *
 * Pages that are alike get the same curves without computing them again.  Used by one thread.
 */
#ifndef RIP_TONE_CURVES_H
#define RIP_TONE_CURVES_H

#include "filter/ink/ink_limit.h"
#include "filter/ink/light_inks.h"
#include "filter/ink/light_limit.h"
#include "vendor_curve.h"
#include "halftone/screen/mask_screen.h"
#include "halftone/page/toner_save.h"
#include "tone/cal.h"
#include "tone/tone_choice.h"

/* What the curves of a page depend on. */
struct rip_tone_page {
	const struct rip_screen *screen;
	uint32_t planes;  /* of the samples */
	uint32_t lights;  /* planes of light inks, which are behind those in the dots */
	uint32_t sources[RIP_LIGHT_PLANES_MAX]; /* of them: their planes of the samples */
	/* Of them: how they share the tones; zeros: by two curves of the PPD. */
	struct rip_light_ink light_inks[RIP_LIGHT_PLANES_MAX];
	uint32_t sample_bits, levels;
	double   dpi;   /* pixels an inch, the lower resolution; 0: not known, taken as 600 */
	bool     light; /* samples are light: full is paper */
	enum rip_ink inks[RIP_PLANES_MAX]; /* what the planes of the dots print */
	const struct rip_cal *cal; /* the choice's calibration, or NULL */
	/* A curve of 256 or 65536 values by sample before all others, or NULL.  The same address
	 * means the same curve. */
	const uint16_t *first;
	/* Of the PPD, by plane of the dots; zeros are none. */
	struct rip_vendor_curve vendor[RIP_PLANES_MAX];
};

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
	/* Of the planes of samples that have light inks: x if the dark ink were alone; only with an ink
	 * limit. */
	uint16_t *alone[RIP_PLANES_MAX];
	struct rip_ink_limit limit;  /* of a page without light inks, */
	struct rip_light_limit light_limit; /* and with them */
	struct rip_toner_rule toner; /* what the samples must go through before the curves */
};

/* Makes the curves of a page.  A zeroed struct has none.  0 or -ENOMEM. */
int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page);

/* Whether the planes have different curves. */
bool rip_tone_curves_differ(const struct rip_tone_curves *curves);

/* Takes a row of samples, `bits` bits each, through the curve of a plane: width values of x. */
void rip_tone_curves_row(const struct rip_tone_curves *curves, uint32_t plane, uint32_t bits,
			 const void *samples, uint32_t width, uint16_t *x);

/* May be called twice. */
void rip_tone_curves_finish(struct rip_tone_curves *curves);

/* What the curves do, for a debug message: "laser, 16 points, target print". */
void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size);

#endif
