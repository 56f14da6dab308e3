/*
 * What the mask of a page has to suit, from its header.  A pure function.
 */
#ifndef RIP_PAGE_SCREEN_H
#define RIP_PAGE_SCREEN_H

#include <cups/raster.h>

#include "filter/header.h"
#include "lib/page_mask.h"

/* What a mask has to suit: the resolution in a header that was checked, the inks of its colour
 * space, and behind them the page's light inks. */
void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use);

#endif
