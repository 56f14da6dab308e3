/* The masks of the pages of a job. */
#include "page_mask.h"

#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

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

	if (!rip_same_name(screens->name, name) || !same_use(&screens->use, use)) {
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
