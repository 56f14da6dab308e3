#include "paper_size.h"

#include <string.h>

#include <cups/cups.h>
#include <cups/pwg.h>

#include "system/ascii.h"

#define NAME_MAX_BYTES 64

bool rip_paper_find(const char *text, size_t length, uint32_t *width, uint32_t *height)
{
	char lower[NAME_MAX_BYTES], title[NAME_MAX_BYTES], name[NAME_MAX_BYTES];
	const pwg_media_t *paper;

	if (length < 1 || length >= NAME_MAX_BYTES)
		return false;
	for (size_t i = 0; i < length; i++) {
		lower[i] = rip_lower(text[i]);
		if ((lower[i] < 'a' || lower[i] > 'z') && (lower[i] < '0' || lower[i] > '9') &&
		    !strchr("._-", lower[i]))
			return false;
		name[i] = text[i];
		title[i] = i ? lower[i] : rip_upper(text[i]);
	}
	name[length] = lower[length] = title[length] = '\0';
	paper = pwgMediaForPPD(name);
	if (!paper)
		paper = pwgMediaForPPD(title);
	if (!paper)
		paper = pwgMediaForLegacy(lower);
	if (!paper)
		paper = pwgMediaForPWG(lower);
	if (!paper || paper->width <= 0 || paper->length <= 0)
		return false;
	*width = (uint32_t)paper->width;
	*height = (uint32_t)paper->length;
	return true;
}

uint64_t rip_paper_pixels(uint32_t length, uint64_t dpi)
{
	/* An inch has 2540 hundredths of a millimetre. */
	return ((uint64_t)length * dpi + 1270) / 2540;
}
