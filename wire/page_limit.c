/* What the pixels of a page go through, as PAGE says it. */
#include "page_limit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/curve_search.h"

#define CURVE_BYTES (256 * sizeof(uint16_t))

uint64_t rip_page_limit_memory(const struct rip_page_message *page)
{
	const uint64_t samples = page->ink_limit ? 65536 : 0;

	return page->pixel_curves * (CURVE_BYTES + samples);
}

void rip_page_limit_put(const struct rip_ink_limit *limit, uint8_t *in, size_t offset,
			struct rip_page_message *page)
{
	if (!limit)
		return;
	page->ink_limit = limit->most;
	page->black = limit->black < 0 ? limit->planes : (uint32_t)limit->black;
	if (rip_ink_limit_curve_bytes(limit) == 0)
		return;
	page->pixel_curves = limit->planes;
	page->pixel_offset = offset;
	rip_ink_limit_put_curves(limit, (uint16_t *)(void *)(in + offset));
}

int rip_page_limit_take(struct rip_page_limit *taken, const struct rip_page_message *page,
			const uint8_t *in)
{
	uint16_t *curves[RIP_PLANES_MAX] = { NULL };
	int r;

	*taken = (struct rip_page_limit){ .used = page->ink_limit || page->pixel_curves };
	if (page->pixel_curves > 0) {
		taken->curves = malloc(page->pixel_curves * CURVE_BYTES);
		if (!taken->curves)
			return -ENOMEM;
		memcpy(taken->curves, in + page->pixel_offset, page->pixel_curves * CURVE_BYTES);
	}
	for (uint32_t p = 0; p < page->pixel_curves; p++) {
		curves[p] = taken->curves[p];
		/* Planes with one curve share what is made of it. */
		for (uint32_t q = 0; q < p; q++)
			if (!memcmp(curves[p], curves[q], CURVE_BYTES))
				curves[p] = curves[q];
		if (page->ink_limit && !rip_curve_never_falls(curves[p], 256)) {
			rip_page_limit_finish(taken);
			return -ERANGE;
		}
	}
	r = rip_ink_limit_init(&taken->limit, page->ink_limit, page->planes, 8,
			       page->black < page->planes ? (int)page->black : -1, curves);
	if (r < 0)
		rip_page_limit_finish(taken);
	return r;
}

void rip_page_limit_finish(struct rip_page_limit *taken)
{
	rip_ink_limit_finish(&taken->limit);
	free(taken->curves);
	*taken = (struct rip_page_limit){ .used = false };
}
