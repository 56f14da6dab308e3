#include "config.h"

#include "adopt_screen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "halftone/screen/mask_screen.h"
#include "image/complain.h"

#define KEY "/HWResolution"

/* Reads "[600 600]" behind the key. */
static bool read_resolution(const char *at, const char *end, struct rip_mask_use *use)
{
	char text[64];

	snprintf(text, sizeof text, "%.*s", (int)(end - at < 63 ? end - at : 63), at);
	return sscanf(text, " [ %u %u", &use->x_dpi, &use->y_dpi) == 2 && use->x_dpi && use->y_dpi;
}

int rip_adopt_screen_check(const char *name, const char *screen, const char *text, size_t size)
{
	const char *at = text, *end = text + size;
	char why[200] = "", other[200];

	if (!rip_mask_screen_known(screen))
		return 0; /* it diffuses errors, at any resolution */
	while ((at = memmem(at, (size_t)(end - at), KEY, strlen(KEY))) != NULL) {
		struct rip_mask_use use = { .planes = 0 }; /* no masks are made */
		struct rip_mask_screen made;

		at += strlen(KEY);
		if (!read_resolution(at, end, &use))
			continue;
		if (rip_mask_screen_init(&made, screen, &use, *why ? other : why, sizeof why) == 0)
			return 0;
	}
	return *why ? rip_complain(-ENOENT, "%s: %s", name, why) : 0;
}
