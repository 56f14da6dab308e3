/*
 * The masks of the pages of a job.
 *
 * Pages that are alike get the same mask, so that their bands and engines are reused.  Used
 * by one thread.
 */
#ifndef RIP_PAGE_MASK_H
#define RIP_PAGE_MASK_H

#include <stddef.h>

#include "halftone/screen/mask_screen.h"

/* The masks of a job; zeros to begin with.  An engine may have the page before still open
 * when the screen of a page is asked for, so the mask of that page stays too. */
struct rip_page_screens {
	struct rip_mask_screen made[2];
	struct rip_mask_use    use;      /* of made[newest] */
	char                   name[32]; /* that it was asked for by; empty: none is made */
	unsigned               newest;
};

/* The mask of this name.  Two masks are kept: the third call replaces the first one's.  0, or as
 * rip_mask_screen_init(). */
int rip_page_mask(struct rip_page_screens *screens, const char *name,
		  const struct rip_mask_use *use, const struct rip_screen **screen, char *why,
		  size_t size);

#endif
