/*
 * Whether the values of a page in riptide.h make sense.  Pure functions; any thread.
 */
#ifndef RIP_PAGE_CHECK_H
#define RIP_PAGE_CHECK_H

#include "riptide.h"
#include "halftone/screen/mask_screen.h"

/* Fills in the usual values where there is 0, and checks the others; flags and strings are the
 * caller's to check.  0, or -EINVAL and why (size bytes). */
int rip_page_check(struct riptide_page *page, char *why, size_t size);

/* What a mask depends on, of a page that was checked: among it the ink of each plane.  0, or
 * -EINVAL and why (size bytes). */
int rip_page_use(const struct riptide_page *page, struct rip_mask_use *use, char *why, size_t size);

#endif
