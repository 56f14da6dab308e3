/*
 * How the dots of a page look on paper, for a picture of them: the queue's printer, its drops, and its
 * light inks.
 *
 * Plain values; pure function; any thread may call it.
 */
#ifndef RIP_SHOWN_H
#define RIP_SHOWN_H

#include "halftone/page/band.h"
#include "tone/cal.h"
#include "tone/drops.h"

struct rip_choice;
struct rip_options;
struct rip_tone_curves;

struct rip_shown {
	int              printer; /* its class or dot gain, as rip_tone_parse_gain() parses it */
	const struct rip_cal *cal; /* the calibration that it prints with, which knows it better; or NULL */
	struct rip_drops drops;
	/* By plane of the dots: how strong a light ink is (tone/light_ink.h); 0: not a light ink, or
	 * not known. */
	double           strengths[RIP_PLANES_MAX];
};

/* cal: the choice's calibration, or NULL; it must live as long as *shown is used.  curves: of a page;
 * NULL: it has no light inks. */
void rip_shown_by(struct rip_shown *shown, const struct rip_options *options,
		  const struct rip_choice *choice, const struct rip_cal *cal,
		  const struct rip_tone_curves *curves);

#endif
