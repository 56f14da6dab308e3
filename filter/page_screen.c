/* The screen of a page. */
#include "filter/page_screen.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void rip_page_inks(unsigned space, uint32_t planes, enum rip_ink inks[RIP_PLANES_MAX])
{
	static const enum rip_ink known[] = {
		['K'] = RIP_INK_BLACK, ['C'] = RIP_INK_CYAN, ['M'] = RIP_INK_MAGENTA,
		['Y'] = RIP_INK_YELLOW,
	};
	const char *letters = rip_color_space_inks(space); /* DeviceN does not tell */

	for (uint32_t plane = 0; plane < planes; plane++)
		inks[plane] = letters ? known[(unsigned char)letters[plane]] : RIP_INK_OTHER;
}

void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use)
{
	*use = (struct rip_mask_use){
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
		.light = geometry->light, .planes = geometry->planes,
	};
	rip_page_inks(header->cupsColorSpace, geometry->planes, use->inks);
}

static bool same_use(const struct rip_mask_use *a, const struct rip_mask_use *b)
{
	return a->x_dpi == b->x_dpi && a->y_dpi == b->y_dpi && a->light == b->light &&
	       a->planes == b->planes && !memcmp(a->inks, b->inks, a->planes * sizeof *a->inks);
}

int rip_page_mask(struct rip_page_screens *screens, const char *name,
		  const struct rip_mask_use *use, const struct rip_screen **screen, char *why,
		  size_t size)
{
	const unsigned next = (screens->newest + 1) % 2;
	int r;

	if (strcasecmp(screens->name, name) || !same_use(&screens->use, use)) {
		r = rip_mask_screen_init(&screens->made[next], name, use, why, size);
		if (r < 0)
			return r;
		screens->newest = next;
		screens->use = *use;
		snprintf(screens->name, sizeof screens->name, "%s", name);
	}
	*screen = &screens->made[screens->newest].base;
	return 0;
}
