/*
 * Who halftones a page that may as well be halftoned by its client: the rule of
 * `halftone=auto`, and the figures that it is from.
 *
 * Sending a page to a GPU saves what dithering, and curves and an ink limit, take on the client's
 * processor, and costs what the session and its messages take.  A GPU is faster with some pages
 * at once; more make no more pages a second, while processors are idle.
 *
 * Pure functions; any thread.
 */
#ifndef RIP_PAGE_PLACE_H
#define RIP_PAGE_PLACE_H

#include "wire/protocol.h"

/* Where a page should go: RIP_PLACE_GPU, or back to the client.  gpus: how many are in use; pages:
 * that they halftone now, all of them together. */
enum rip_page_place rip_place_page(const struct rip_page_message *page, unsigned gpus,
				   unsigned pages);

/* Why it goes back, for people. */
const char *rip_place_why(enum rip_page_place place);

#endif
