/*
 * What the mask of a page has to suit: from its header, and for libriptide.  Pure functions.
 */
#ifndef RIP_PAGE_SCREEN_H
#define RIP_PAGE_SCREEN_H

#include <cups/raster.h>

#include "header.h"
#include "halftone/screen/mask_screen.h"
#include "lib/riptide.h"

/* What a mask has to suit: the resolution in a header that was checked, the inks of its colour
 * space, and behind them the page's light inks. */
void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use);

/* Puts it into a page of libriptide, whose inks then are the text. */
void rip_page_put_use(const struct rip_mask_use *use, char inks[RIP_PLANES_MAX + 1],
		      struct riptide_page *page);

#endif
