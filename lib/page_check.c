/* Whether the values of a page in riptide.h make sense. */
#include "page_check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "system/refuse.h"

/* The ink of a letter, of a plane of ink or of light. */
static int ink_of(char letter, bool light, enum rip_ink *ink)
{
	static const char inks[] = "-KCMYcmk", lights[] = "-WRGB";
	const char *letters = light ? lights : inks;
	const char *at = letter ? strchr(letters, letter) : NULL;

	if (at)
		*ink = (enum rip_ink)(at - letters);
	return at ? 0 : -EINVAL;
}

int rip_page_use(const struct riptide_page *page, struct rip_mask_use *use, char *why, size_t size)
{
	const bool light = page->light;
	const char *letters = light ? "W, R, G, B and -" : "K, C, M, Y, c, m, k and -";
	const char *inks = page->inks;

	*use = (struct rip_mask_use){
		.x_dpi = page->x_dpi, .y_dpi = page->y_dpi, .light = light, .planes = page->planes,
	};
	if (!inks)
		inks = page->planes == 1 ? (light ? "W" : "K") :
		       page->planes == 3 ? (light ? "RGB" : "CMY") :
		       page->planes == 4 && !light ? "CMYK" : "----------------";
	for (uint32_t p = 0; p < page->planes; p++)
		if (ink_of(strnlen(inks, p + 1) > p ? inks[p] : '\0', light, &use->inks[p]) < 0)
			return rip_refuse(why, size, "inks \"%.40s\": there must be one of %s "
					  "for each of %u planes", inks, letters, page->planes);
	if (page->inks && strlen(page->inks) != page->planes)
		return rip_refuse(why, size, "inks \"%.40s\": the page has %u planes",
				  inks, page->planes);
	return 0;
}

int rip_page_check(struct riptide_page *page, char *why, size_t size)
{
	const struct { const char *name; uint32_t *value, usual, least, most; } fields[] = {
		{ "width", &page->width, 0, 1, RIPTIDE_WIDTH_MAX },
		{ "height", &page->height, 0, 0, RIPTIDE_WIDTH_MAX },
		{ "planes", &page->planes, 1, 1, RIPTIDE_PLANES_MAX },
		{ "sample_bits", &page->sample_bits, 8, 0, UINT32_MAX }, /* see below */
		{ "levels", &page->levels, 2, 2, RIPTIDE_LEVELS_MAX },
		{ "light", &page->light, 0, 0, 1 },
		{ "x_dpi", &page->x_dpi, 600, 1, RIPTIDE_DPI_MAX },
		{ "y_dpi", &page->y_dpi, 600, 1, RIPTIDE_DPI_MAX },
		{ "density", &page->density, 100, 50, 200 },
		{ "gamma", &page->gamma, 1000, 200, 5000 },
		{ "registration", &page->registration, 0, 0, RIPTIDE_REGISTRATION_MAX },
	};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (*fields[i].value == 0)
			*fields[i].value = fields[i].usual;
		if (*fields[i].value < fields[i].least || *fields[i].value > fields[i].most)
			return rip_refuse(why, size, "%s %u: it must be %u to %u", fields[i].name,
					  *fields[i].value, fields[i].least, fields[i].most);
	}
	if (page->sample_bits != 8 && page->sample_bits != 16)
		return rip_refuse(why, size, "sample_bits %u: it must be 8 or 16",
				  page->sample_bits);
	return 0;
}
