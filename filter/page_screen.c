/* The screen of a page. */
#include "filter/page_screen.h"

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
