/*
 * The screen of a page: a named one, or a mask made for the page's resolution and inks.
 *
 * Pages that are alike get the same screen, so that their bands and engines are reused.  Used
 * by one thread.
 */
#ifndef RIP_PAGE_SCREEN_H
#define RIP_PAGE_SCREEN_H

#include <stddef.h>

#include <cups/raster.h>

#include "filter/header.h"
#include "halftone/mask_screen.h"

/* The masks of a job; zeros to begin with.  An engine may have the page before still open
 * when the screen of a page is asked for, so the mask of that page stays too. */
struct rip_page_screens {
	struct rip_mask_screen made[2];
	struct rip_mask_use    use;      /* of made[newest] */
	char                   name[32]; /* that it was asked for by; empty: none is made */
	unsigned               newest;
};

/* The inks of the planes of a colour space; RGB light is what cyan, magenta and yellow hold back. */
void rip_page_inks(unsigned space, uint32_t planes, enum rip_ink inks[RIP_PLANES_MAX]);

/* What a mask has to suit: the resolution in a header that was checked, and the inks of
 * its colour space. */
void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use);

/* The mask of this name.  It stays valid until the call after the next one.  0, or as
 * rip_mask_screen_init(). */
int rip_page_mask(struct rip_page_screens *screens, const char *name,
		  const struct rip_mask_use *use, const struct rip_screen **screen, char *why,
		  size_t size);

#endif
