/* The screen of a page. */
#include "filter/page_screen.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use)
{
	static const enum rip_ink k[] = { RIP_INK_BLACK };
	static const enum rip_ink kcmy[] = { RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA,
					     RIP_INK_YELLOW };
	const enum rip_ink *inks = NULL;

	*use = (struct rip_mask_use){
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
		.light = geometry->light, .planes = geometry->planes,
	};
	switch (header->cupsColorSpace) {
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_SW:
	case CUPS_CSPACE_K:
		inks = k;
		break;
	case CUPS_CSPACE_RGB: /* red light holds back cyan ink, and so on */
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
	case CUPS_CSPACE_CMY:
	case CUPS_CSPACE_CMYK:
		inks = rip_inks_cmyk;
		break;
	case CUPS_CSPACE_KCMY:
		inks = kcmy;
		break;
	default: /* DeviceN does not tell */
		break;
	}
	for (uint32_t plane = 0; plane < geometry->planes; plane++)
		use->inks[plane] = inks ? inks[plane] : RIP_INK_OTHER;
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
