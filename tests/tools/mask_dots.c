#include "mask_dots.h"

#include <string.h>

#include "halftone/screen/mask_screen.h"

/* The letters of a space's planes; light ones are small. */
static const char *planes_of(cups_cspace_t space)
{
	switch (space) {
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_SW:
		return "w";
	case CUPS_CSPACE_K:
		return "K";
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
		return "rgb";
	case CUPS_CSPACE_CMY:
		return "CMY";
	case CUPS_CSPACE_CMYK:
		return "CMYK";
	case CUPS_CSPACE_KCMY:
		return "KCMY";
	default:
		return &"???????????????"[CUPS_CSPACE_DEVICEF - space];
	}
}

static enum rip_ink ink_of(char plane)
{
	return strchr("wK", plane) ? RIP_INK_BLACK : strchr("rC", plane) ? RIP_INK_CYAN :
	       strchr("gM", plane) ? RIP_INK_MAGENTA : strchr("bY", plane) ? RIP_INK_YELLOW :
	       RIP_INK_OTHER;
}

bool mask_dots(const uint16_t *x, size_t width, size_t height, unsigned levels, const char *name,
	       cups_cspace_t space, const unsigned resolution[2], unsigned plane, uint8_t *level)
{
	const char *planes = planes_of(space);
	struct rip_mask_use use = { .x_dpi = resolution[0], .y_dpi = resolution[1],
				    .light = strchr("wrgb", planes[0]) != NULL,
				    .planes = (uint32_t)strlen(planes) };
	struct rip_mask_screen screen;
	const struct rip_mask *mask;
	char why[256];

	for (unsigned p = 0; p < use.planes; p++)
		use.inks[p] = ink_of(planes[p]);
	if (rip_mask_screen_init(&screen, name, &use, why, sizeof why) < 0)
		return false;
	mask = screen.base.masks[plane];
	for (size_t row = 0; row < height; row++, x += width, level += width)
		for (uint32_t i = 0; i < width; i++) {
			const uint32_t a = x[i] * (levels - 1) + x[i] * (levels - 1) / 65535;

			if (screen.base.kind == RIP_SCREEN_BI_LEVEL)
				level[i] = x[i] > 32767 ? (uint8_t)(levels - 1) : 0;
			else
				level[i] = (uint8_t)(a / 65536 +
						     (a % 65536 >
						      mask->thresholds[row % mask->height *
									mask->width +
								       i % mask->width]));
		}
	return true;
}
