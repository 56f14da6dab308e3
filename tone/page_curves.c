/* The tone curves of a page's planes. */
#include "tone/page_curves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/toner_save.h"

void rip_page_wish_init(struct rip_page_wish *wish, const struct rip_tone_choice *choice,
			const struct rip_cal *cal, const struct rip_page_spec *spec,
			const struct rip_mask_use *use)
{
	const uint32_t dpi = use->x_dpi < use->y_dpi ? use->x_dpi : use->y_dpi;

	memset(wish, 0, sizeof *wish); /* with its padding */
	wish->planes = spec->planes;
	wish->sample_bits = spec->sample_bits;
	if (spec->screen->kind != RIP_SCREEN_BI_LEVEL) /* less ink would be none */
		wish->toner_save = choice->toner_save;
	memcpy(wish->calibration, choice->calibration, sizeof wish->calibration);
	rip_tone_choice_printer(choice, dpi, &wish->printer);
	for (uint32_t p = 0; p < spec->planes; p++) {
		struct rip_plane_wish *plane = &wish->of[p];

		plane->gamma = choice->gamma / 1000.0;
		plane->density = choice->density / 100.0;
		plane->target = choice->target;
		plane->cal = cal;
		/* Dark inks are alike, unless there is a calibration. */
		if (cal || use->inks[p] >= RIP_INK_LIGHT_CYAN)
			plane->ink = use->inks[p];
		plane->pattern = rip_pattern_of(spec->screen, p);
		plane->levels = spec->levels;
		plane->dpi = dpi;
		plane->light = use->light;
	}
}

/* Whether a plane's curve is more than the table that comes first. */
static bool is_changed(const struct rip_page_wish *wish, uint32_t plane)
{
	const struct rip_plane_wish *of = &wish->of[plane];

	return of->gamma != 1 || of->density != 1 || of->cal || of->part != RIP_PART_WHOLE ||
	       wish->toner_save || wish->printer.kind != RIP_PRINTER_NONE ||
	       rip_drops_known(&wish->printer.drops, of->levels);
}

static uint16_t *make_curve(const struct rip_page_wish *wish, struct rip_plane_wish of,
			    const uint16_t *first)
{
	const uint32_t count = 1u << wish->sample_bits;
	uint16_t *curve;

	of.printer = &wish->printer;
	curve = rip_plane_curve_new(&of, first, count);
	if (curve && wish->toner_save)
		rip_toner_save_curve(curve, count, of.light, wish->toner_save);
	return curve;
}

static bool is_same(const uint16_t *a, const uint16_t *b, uint32_t count)
{
	return a == b || (a && b && !memcmp(a, b, count * sizeof *a));
}

/* Makes the curve of a plane behind a table, or shares that of an earlier one.  0 or -ENOMEM. */
static int make_plane(struct rip_page_curves *curves, const struct rip_page_wish *wish,
		      uint32_t plane, const uint16_t *first)
{
	const struct rip_plane_wish *of = &wish->of[plane];
	const uint32_t count = 1u << wish->sample_bits;
	uint16_t **curve = &curves->curves[plane], **copy = curve + RIP_PLANES_MAX;

	for (uint32_t q = 0; q < plane; q++) {
		if (!is_same(curves->curves[RIP_PLANES_MAX + q], first, count))
			continue;
		*copy = curves->curves[RIP_PLANES_MAX + q];
		if (memcmp(&wish->of[q], of, sizeof *of))
			continue;
		*curve = curves->curves[q];
		return 0;
	}
	if (first && !*copy) {
		*copy = malloc(count * sizeof **copy);
		if (!*copy)
			return -ENOMEM;
		memcpy(*copy, first, count * sizeof **copy);
	}
	*curve = first && !is_changed(wish, plane) ? *copy : make_curve(wish, *of, first);
	return *curve ? 0 : -ENOMEM;
}

/* Whether the curves are those of a page with this wish and these tables. */
static bool are_made(const struct rip_page_curves *curves, const struct rip_page_wish *wish,
		     const uint16_t *const first[])
{
	bool made = !memcmp(wish, &curves->wish, sizeof *wish);

	for (uint32_t p = 0; made && p < wish->planes; p++)
		made = is_same(curves->curves[RIP_PLANES_MAX + p], first ? first[p] : NULL,
			       1u << wish->sample_bits);
	return made;
}

int rip_page_curves_make(struct rip_page_curves *curves, const struct rip_page_wish *wish,
			 const uint16_t *const first[])
{
	bool needed = false;
	int r = 0;

	if (are_made(curves, wish, first))
		return 0;
	rip_page_curves_finish(curves);
	curves->made++;
	for (uint32_t p = 0; p < wish->planes; p++)
		needed |= is_changed(wish, p) || (first && first[p]);
	for (uint32_t p = 0; needed && r == 0 && p < wish->planes; p++)
		r = make_plane(curves, wish, p, first ? first[p] : NULL);
	if (r < 0)
		rip_page_curves_finish(curves);
	else
		memcpy(&curves->wish, wish, sizeof *wish);
	return r;
}

/* Whether the extreme samples are empty and full x.  *full_is_0: the full one is sample 0. */
static bool keeps_ends(const uint16_t *curve, uint32_t count, bool *full_is_0)
{
	const uint16_t first = curve ? curve[0] : 0, last = curve ? curve[count - 1] : 65535;

	*full_is_0 = first > last;
	return (*full_is_0 ? first : last) == 65535 && (*full_is_0 ? last : first) == 0;
}

int rip_page_curves_edges(const struct rip_page_curves *curves, const struct rip_screen *finer,
			  uint32_t side, struct rip_page_curves *fine, struct rip_edges_rule *to)
{
	const uint32_t planes = curves->wish.planes;
	struct rip_edges_rule rule = { .edge = side };
	struct rip_page_wish wish;
	int r;

	for (uint32_t p = 0; p < planes; p++) {
		bool full_is_0;

		if (!keeps_ends(curves->curves[p], 1u << curves->wish.sample_bits, &full_is_0) ||
		    (p > 0 && full_is_0 != rule.full_is_0))
			return 0;
		rule.full_is_0 = full_is_0;
	}
	memcpy(&wish, &curves->wish, sizeof wish); /* with its padding */
	for (uint32_t p = 0; p < planes; p++)
		wish.of[p].pattern = rip_pattern_of(finer, p);
	r = rip_page_curves_make(fine, &wish,
				 (const uint16_t *const *)&curves->curves[RIP_PLANES_MAX]);
	if (r < 0)
		return r;
	for (uint32_t p = 0; p < planes; p++) {
		rule.masks[p] = finer->masks[p];
		rule.curves[p] = fine->curves[p];
	}
	*to = rule;
	return 1;
}

uint16_t *rip_page_curves_alone(const struct rip_page_curves *curves, uint32_t plane)
{
	struct rip_plane_wish of = curves->wish.of[plane];

	of.part = RIP_PART_WHOLE;
	of.light_ink = (struct rip_light_ink){ 0 };
	return make_curve(&curves->wish, of, curves->curves[RIP_PLANES_MAX + plane]);
}

void rip_page_curves_finish(struct rip_page_curves *curves)
{
	rip_plane_curves_free(curves->curves, 2 * RIP_PLANES_MAX);
	memset(&curves->wish, 0, sizeof curves->wish);
}
