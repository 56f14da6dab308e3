/* How a page is halftoned whose planes have tone curves. */
#include "plane_curves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/curve_search.h"
#include "halftone/page/tone.h"

static void free_screen(struct rip_folded_screen *screen)
{
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++)
		free(screen->thresholds[p]);
	memset(screen, 0, sizeof *screen);
}

void rip_plane_curves_finish(struct rip_plane_curves *curves)
{
	free_screen(&curves->screens[0]);
	free_screen(&curves->screens[1]);
	memset(curves, 0, sizeof *curves);
}

/* 0 or -ENOMEM. */
static int fold(struct rip_plane_curves *curves, const struct rip_page_spec *spec)
{
	const uint32_t count = 1u << spec->sample_bits, unit = spec->sample_bits == 8 ? 257 : 1;
	struct rip_folded_screen *folded;

	curves->newest = !curves->newest;
	folded = &curves->screens[curves->newest];
	free_screen(folded);
	folded->base = *spec->screen;
	for (uint32_t p = 0; p < spec->planes; p++) {
		const struct rip_mask *mask = spec->screen->masks[p];
		const size_t size = (size_t)mask->height * mask->width;
		uint16_t *thresholds = malloc(size * sizeof *thresholds);

		if (!thresholds)
			return -ENOMEM;
		for (size_t i = 0; i < size; i++)
			thresholds[i] = (uint16_t)(unit * rip_curve_samples_up_to(
				curves->curves[p], count, mask->thresholds[i]) - 1);
		folded->thresholds[p] = thresholds;
		folded->masks[p] = (struct rip_mask){ mask->height, mask->width, thresholds };
		folded->base.masks[p] = &folded->masks[p];
	}
	curves->folded = true;
	return 0;
}

/* Whether the page before had the same curves and masks. */
static bool are_set(const struct rip_plane_curves *curves, const struct rip_page_spec *spec,
		    unsigned made)
{
	return curves->made == made && curves->spec.planes == spec->planes &&
	       curves->spec.levels == spec->levels &&
	       curves->spec.sample_bits == spec->sample_bits &&
	       !memcmp(curves->masks, spec->screen->masks, sizeof curves->masks);
}

int rip_plane_curves_set(struct rip_plane_curves *curves, const struct rip_page_spec *spec,
			 const uint16_t *const of_planes[], unsigned made)
{
	int r;

	if (are_set(curves, spec, made))
		return 0;
	memset(curves->curves, 0, sizeof curves->curves);
	curves->made = 0;
	curves->one = true;
	curves->folded = false;
	for (uint32_t p = 0; of_planes && p < spec->planes; p++) {
		curves->curves[p] = of_planes[p];
		curves->one &= of_planes[p] == of_planes[0];
	}
	r = rip_tone_can_fold(curves->curves, spec) ? fold(curves, spec) : 0;
	if (r == 0) {
		curves->made = made;
		curves->spec = *spec;
		memcpy(curves->masks, spec->screen->masks, sizeof curves->masks);
	}
	return r;
}

void rip_plane_curves_spec(const struct rip_plane_curves *curves, struct rip_page_spec *spec)
{
	if (curves->folded)
		spec->screen = &curves->screens[curves->newest].base;
	else if (curves->one)
		spec->curve = curves->curves[0];
	else
		spec->sample_bits = 16;
}

bool rip_plane_curves_differ(const struct rip_plane_curves *curves)
{
	return !curves->folded && !curves->one;
}

void rip_plane_curves_row(const struct rip_plane_curves *curves, uint32_t plane, uint32_t bits,
			  const void *samples, uint32_t width, uint16_t *x)
{
	rip_tone_row(curves->curves[plane], bits, samples, width, x);
}
