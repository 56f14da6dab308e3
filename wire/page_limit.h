/*
 * What the pixels of a page go through, as PAGE says it: an ink limit and curves.
 *
 * The daemon copies the curves before it looks at them.
 */
#ifndef RIP_PAGE_LIMIT_H
#define RIP_PAGE_LIMIT_H

#include "halftone/page/ink_limit.h"
#include "protocol.h"

/* Zeros are none. */
struct rip_page_limit {
	struct rip_ink_limit limit;
	uint16_t (*curves)[256]; /* of the planes */
	bool used;               /* pixels go through it */
};

/* Bytes of memory that it takes. */
uint64_t rip_page_limit_memory(const struct rip_page_message *page);

/* Writes a limit of 8-bit samples, or NULL, into PAGE, and its curves into the input area, from an
 * even offset on. */
void rip_page_limit_put(const struct rip_ink_limit *limit, uint8_t *in, size_t offset,
			struct rip_page_message *page);

/* Reads it from a PAGE that rip_check_page() found good.  0; -ERANGE: a curve falls; -ENOMEM. */
int rip_page_limit_take(struct rip_page_limit *taken, const struct rip_page_message *page,
			const uint8_t *in);

/* May be called twice. */
void rip_page_limit_finish(struct rip_page_limit *taken);

#endif
