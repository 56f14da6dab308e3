/*
 * The tone curves of a page that a filter halftones: from the options, the calibration that they
 * name, and the queue's PPD.  Used by one thread.
 */
#ifndef RIP_PAGE_TONES_H
#define RIP_PAGE_TONES_H

#include "filter/options.h"
#include "page_cal.h"
#include "tone_curves.h"

/* What the pages of a job have in common; zeros to begin with. */
struct rip_page_tones {
	struct rip_page_cals cals;
	bool                 warned; /* of a curve in the PPD that is not valid */
};

/* Makes the curves of a page whose header was checked.  0, or -ENOMEM and why. */
int rip_page_tones_make(struct rip_page_tones *tones, struct rip_tone_curves *curves,
			const struct rip_options *options, const struct rip_queue *queue,
			const struct rip_choice *choice, const cups_page_header2_t *header,
			const struct rip_geometry *geometry, const struct rip_screen *screen,
			char *why, size_t size);

#endif
