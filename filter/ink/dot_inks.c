/* The inks of dots that were read from raster. */
#include "dot_inks.h"

#include <string.h>

#include "filter/options.h"
#include "system/ascii.h"

/* Whether one of our cupsStrings has an item that begins like this. */
static bool says(const cups_page_header2_t *header, const char *item)
{
	const size_t prefix = sizeof RIP_OPTION_PREFIX - 1, length = strlen(item);

	for (int i = 0; i < 16; i++) {
		char text[sizeof header->cupsString[0] + 1] = "", *rest, *at;

		memcpy(text, header->cupsString[i], sizeof header->cupsString[0]);
		if (strncmp(text, RIP_OPTION_PREFIX, prefix))
			continue;
		for (at = strtok_r(text + prefix, ",", &rest); at; at = strtok_r(NULL, ",", &rest))
			if (rip_same_start(at, item, length))
				return true;
	}
	return false;
}

const char *rip_dot_inks_guess(const cups_page_header2_t *dots, bool pwg, bool *certain)
{
	const bool kcmy = says(dots, "halftone-inks=kcmy");
	const bool one_order = kcmy || says(dots, "halftone-inks=cmyk");
	const bool cm = says(dots, "halftone-light-inks=cm"); /* with k or without */

	*certain = cm || says(dots, "halftone-light-inks=k");
	switch (dots->cupsColorSpace) {
	case CUPS_CSPACE_DEVICE2:
		return "Kk";
	case CUPS_CSPACE_DEVICE5:
		if (cm)
			return "CMYcm";
		*certain &= one_order;
		return kcmy ? "KCMYk" : "CMYKk";
	case CUPS_CSPACE_DEVICE6:
		if (dots->cupsBitsPerColor == 1 && !pwg)
			return "CMYKcm";
		*certain &= one_order;
		return kcmy ? "KCMYcm" : "CMYKcm";
	case CUPS_CSPACE_DEVICE7:
		*certain &= one_order;
		return kcmy ? "KCMYcmk" : "CMYKcmk";
	default:
		return NULL;
	}
}
