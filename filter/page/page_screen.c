/* The screen of a page. */
#include "page_screen.h"

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

/* Masks are the same for all higher resolutions. */
static uint32_t dpi_of(uint32_t dpi)
{
	return dpi < RIPTIDE_DPI_MAX ? dpi : RIPTIDE_DPI_MAX;
}

void rip_page_put_use(const struct rip_mask_use *use, char inks[RIP_PLANES_MAX + 1],
		      struct riptide_page *page)
{
	static const char letters[2][RIP_INK_LIGHT_BLACK + 1] = {
		{ [RIP_INK_OTHER] = '-', [RIP_INK_BLACK] = 'K', [RIP_INK_CYAN] = 'C',
		  [RIP_INK_MAGENTA] = 'M', [RIP_INK_YELLOW] = 'Y', [RIP_INK_LIGHT_CYAN] = 'c',
		  [RIP_INK_LIGHT_MAGENTA] = 'm', [RIP_INK_LIGHT_BLACK] = 'k' },
		{ [RIP_INK_OTHER] = '-', [RIP_INK_BLACK] = 'W', [RIP_INK_CYAN] = 'R',
		  [RIP_INK_MAGENTA] = 'G', [RIP_INK_YELLOW] = 'B' },
	};

	for (uint32_t p = 0; p < use->planes; p++)
		inks[p] = letters[use->light][use->inks[p]];
	inks[use->planes] = '\0';
	page->inks = inks;
	page->planes = use->planes;
	page->light = use->light;
	page->x_dpi = dpi_of(use->x_dpi);
	page->y_dpi = dpi_of(use->y_dpi);
}
