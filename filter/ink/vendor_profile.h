/*
 * The colour profile of a vendor's PPD, in the keywords of libcupsfilters' drivers: how much ink
 * some colours need.
 *
 *	*cupsRGBProfile CMYK.Plain.600dpi: "2 4 8"		2 x 2 x 2 colours, 4 inks, 8 lines
 *	*cupsRGBSample CMYK.Plain.600dpi: "0 0 0 0 0 0 1"	black is black ink alone
 *	*cupsRGBSample CMYK.Plain.600dpi: "0 0 1 1 0.9 0 0"	blue is cyan and magenta
 *	...
 *
 * The three colours and the inks are 0 to 1.  The colours are linear light; with n points on an
 * axis they are near 0, 1 / (n - 1), 2 / (n - 1), ... 1.  More lines, and more numbers in a
 * line, are ignored, as libcupsfilters does.  A profile may be for a colour model, a media type,
 * a resolution, or some of them, as the curves of vendor_curve.h.  Only profiles with four inks
 * are for the dots of inks.
 *
 * Used by one thread.
 */
#ifndef RIP_VENDOR_PROFILE_H
#define RIP_VENDOR_PROFILE_H

#include <stdbool.h>

#include "colour_cube.h"
#include "filter/page/vendor_curve.h"

/* Where a profile is in the PPD. */
struct rip_vendor_profile {
	const char *line; /* value of its cupsRGBProfile, lives as long as the queue; NULL: none */
	char        spec[RIP_VENDOR_SPEC];
};

/* Finds the profile of a page.  *profile is zeros if there is none. */
void rip_vendor_profile_find(struct rip_vendor_profile *profile, const struct rip_queue *queue,
			     const struct rip_vendor_page *page);

/* Reads a profile that was found into a cube; free() it.  0; -EINVAL: it is not valid, with one
 * WARNING for each job (*warned); -ENOMEM. */
int rip_vendor_profile_read(struct rip_colour_cube **cube, const struct rip_vendor_profile *profile,
			    const struct rip_queue *queue, bool *warned);

#endif
