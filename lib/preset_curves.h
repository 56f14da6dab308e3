/*
 * The tone curves of a page from what riptide.h lets a program ask for: curves of its own, and a
 * preset or a calibration with target, density and gamma.
 *
 * Used by one thread.
 */
#ifndef RIP_PRESET_CURVES_H
#define RIP_PRESET_CURVES_H

#include "riptide.h"
#include "tone/page_curves.h"

/* Zeros are none. */
struct rip_preset_curves {
	struct rip_page_curves of;
	bool           has_cal;
	char           cal_name[RIP_CAL_NAME_MAX + 256]; /* of cal */
	struct rip_cal cal;
};

/* Makes the curves of a page, whose values are complete and in range.  spec: its planes, bits,
 * levels and screen.  Pages that are alike keep theirs.  0, or
 * -errno and why (size bytes). */
int rip_preset_curves_make(struct rip_preset_curves *curves, const struct riptide_page *page,
			   const struct rip_page_spec *spec, const struct rip_mask_use *use,
			   char *why, size_t size);

#endif
