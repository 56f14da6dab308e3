/* The screen of a page. */
#include "filter/page_screen.h"

void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use)
{
	*use = (struct rip_mask_use){
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
		.light = geometry->light, .planes = geometry->planes + geometry->lights,
	};
	rip_page_inks(header->cupsColorSpace, geometry->planes, use->inks);
	for (uint32_t i = 0; i < geometry->lights; i++)
		use->inks[geometry->planes + i] = geometry->light_planes[i].ink;
}
