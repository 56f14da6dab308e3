#include "screen_choice.h"

#include <errno.h>

#include "filter/report.h"

int rip_choose_screen(struct rip_options *options, struct rip_mask_screen *mask,
		      const struct rip_choice *choice, const cups_page_header2_t *header,
		      const struct rip_geometry *geometry, unsigned page,
		      const struct rip_screen **screen, char *why, size_t size)
{
	struct rip_mask_use use;

	rip_page_mask_use(header, geometry, &use);
	for (unsigned i = 0; i < choice->wish_count; i++) {
		const struct rip_screen_wish *wish = &choice->wishes[i];
		int r;

		if (wish->id >= 0) {
			*screen = &rip_screens[wish->id];
			return 0;
		}
		r = rip_mask_screen_init(mask, wish->mask, &use, why, size);
		*screen = &mask->base;
		if (r != -ENOENT)
			return r;
		rip_options_refuse_mask(options, wish, why);
	}
	if (choice->ignored.mask[0])
		rip_debug("page %u: halftone=%s means error diffusion, so %s in %s does not count", page,
			  rip_method_name(choice->method), choice->ignored.mask,
			  rip_place_name(choice->ignored.place));
	*screen = &rip_screens[RIP_FLOYD_STEINBERG];
	return 0;
}
