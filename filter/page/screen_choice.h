/*
 * The screen of a page, from the options that ask for one.  Used by one thread.
 */
#ifndef RIP_SCREEN_CHOICE_H
#define RIP_SCREEN_CHOICE_H

#include "filter/options.h"
#include "page_screen.h"

/* Finds the screen of a page: the first one asked for that the page can have.  mask: memory
 * for a mask, which then is *screen.  page: its number, for messages.  0, or -ENOMEM and why. */
int rip_choose_screen(struct rip_options *options, struct rip_mask_screen *mask,
		      const struct rip_choice *choice, const cups_page_header2_t *header,
		      const struct rip_geometry *geometry, unsigned page,
		      const struct rip_screen **screen, char *why, size_t size);

#endif
