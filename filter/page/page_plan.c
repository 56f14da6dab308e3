/* The plan of a page. */
#include "page_plan.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/options.h"
#include "filter/report.h"
#include "halftone/page/band.h"
#include "halftone/page/tone.h"
#include "halftone/screen/blue_noise_colour.h"

/* The filter's memory limit, less what everything but carries and rows needs: the program and its
 * libraries, which vary, threads, buffers, curves, bands of a common size. */
#define MEMORY_BYTES ((64u << 20) - (11u << 20))

/* ---- for libriptide ---- */

void rip_page_mask_use(const cups_page_header2_t *header, const struct rip_geometry *geometry,
		       struct rip_mask_use *use)
{
	*use = (struct rip_mask_use){
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
		.light = geometry->light, .planes = geometry->planes + geometry->lights,
	};
	rip_page_inks(header->cupsColorSpace, geometry, use->inks);
}

/* Masks are the same for all higher resolutions. */
static uint32_t dpi_of(uint32_t dpi)
{
	return dpi < RIPTIDE_DPI_MAX ? dpi : RIPTIDE_DPI_MAX;
}

/* In a program without a queue, where nobody says: exactly. */
static uint32_t registration_of(const struct rip_page_plan *plan)
{
	return plan->tone.registration == RIP_REGISTRATION_AUTO ? 0 :
	       (uint32_t)plan->tone.registration;
}

void rip_page_plan_put(const struct rip_page_plan *plan, char inks[RIP_PLANES_MAX + 1],
		       struct riptide_page *page)
{
	static const char letters[2][RIP_INK_LIGHT_BLACK + 1] = {
		{ [RIP_INK_OTHER] = '-', [RIP_INK_BLACK] = 'K', [RIP_INK_CYAN] = 'C',
		  [RIP_INK_MAGENTA] = 'M', [RIP_INK_YELLOW] = 'Y', [RIP_INK_LIGHT_CYAN] = 'c',
		  [RIP_INK_LIGHT_MAGENTA] = 'm', [RIP_INK_LIGHT_BLACK] = 'k' },
		{ [RIP_INK_OTHER] = '-', [RIP_INK_BLACK] = 'W', [RIP_INK_CYAN] = 'R',
		  [RIP_INK_MAGENTA] = 'G', [RIP_INK_YELLOW] = 'B' },
	};
	const struct rip_mask_use *use = &plan->use;
	/* Then page.c applies the curves. */
	const bool with_lights = plan->geometry.lights > 0;

	for (uint32_t p = 0; p < use->planes; p++)
		inks[p] = letters[use->light][use->inks[p]];
	inks[use->planes] = '\0';
	*page = (struct riptide_page){
		.size = sizeof *page, .number = plan->number,
		.width = plan->geometry.width, .height = plan->geometry.height,
		.sample_bits = with_lights ? 16 : plan->geometry.sample_bits,
		.levels = plan->output.levels,
		.screen = rip_screen_wanted(plan->screen),
		.curves = with_lights ? NULL : (const uint16_t *const *)plan->curves.page.curves,
		.flags = plan->flags, .band_rows = plan->band_rows,
		.method = rip_method_name(plan->method),
		.inks = inks, .planes = use->planes, .light = use->light,
		.x_dpi = dpi_of(use->x_dpi), .y_dpi = dpi_of(use->y_dpi),
		.registration = registration_of(plan),
	};
}

/* ---- the inks of a page ---- */

/* Which lines of the PPD are for the page. */
static struct rip_vendor_page vendor_page(const struct rip_page_plan *plan,
					  const struct rip_planner *planner)
{
	const cups_page_header2_t *in = &plan->in;
	const char *model = planner->queue ? rip_options_color_model(planner->options,
								     planner->queue) : NULL;
	struct rip_vendor_page page = {
		.model = model ? model : "",
		.x_dpi = in->HWResolution[0], .y_dpi = in->HWResolution[1],
	};

	memcpy(page.media, in->MediaType, sizeof in->MediaType);
	return page;
}

/* Changes an RGB page to one of its inks, and begins to separate it.  0 or -errno, and why. */
static int separate(struct rip_page_plan *plan, struct rip_planner *planner, enum rip_inks inks,
		    char *why, size_t size)
{
	const struct rip_geometry rgb = plan->geometry;
	const struct rip_vendor_page vendor = vendor_page(plan, planner);
	const int r = rip_separation_header(&plan->in, &plan->geometry, inks, why, size);
	struct rip_separation_wish wish;

	memset(&wish, 0, sizeof wish); /* with its padding: it is compared as bytes */
	rip_vendor_profile_find(&wish.profile, planner->queue, &vendor);
	wish.has_black = rip_vendor_black_generation(planner->queue, &vendor, wish.black,
						     &planner->warned_of_ppd);
	plan->separation = planner->separation;
	return r < 0 ? r : rip_separation_begin(plan->separation, &rgb, inks, &wish,
						planner->queue, &planner->warned_of_ppd, why, size);
}

/* A page of dots is passed on.  Whoever has set up a queue with this filter hardly wants
 * that, and would blame the filter for the halftone. */
static void warn_of_dots(struct rip_planner *planner, unsigned page)
{
	if (!planner->warned_of_dots)
		rip_warning("page %u has 1 bit a colour and is passed on unchanged; "
			    "to have " RIP_FILTER_NAME " halftone it, set cupsBitsPerColor 8 "
			    "in the queue's PPD", page);
	planner->warned_of_dots = true;
}

/* ---- its screen ---- */

/* The first screen asked for that the page can have.  0, or -ENOMEM and why. */
static int choose_screen(struct rip_page_plan *plan, struct rip_options *options,
			 const struct rip_choice *choice, char *why, size_t size)
{
	plan->labels = false;
	for (unsigned i = 0; i < choice->wish_count; i++) {
		const struct rip_screen_wish *wish = &choice->wishes[i];
		int r;

		if (wish->id >= 0) {
			plan->labels = rip_screen_is_labels(wish->mask);
			plan->screen = &rip_screens[wish->id];
			return 0;
		}
		r = rip_mask_screen_init(&plan->mask, wish->mask, &plan->use, why, size);
		plan->screen = &plan->mask.base;
		if (r != -ENOENT)
			return r;
		rip_options_refuse_mask(options, wish, why);
	}
	if (choice->ignored.mask[0])
		rip_debug("page %u: halftone=%s means error diffusion, so %s in %s does not count",
			  plan->number, rip_method_name(choice->method), choice->ignored.mask,
			  rip_place_name(choice->ignored.place));
	plan->screen = &rip_screens[RIP_FLOYD_STEINBERG];
	return 0;
}

/* Coupled inks need all of a row at once: those of a planar page would have to wait in memory. */
static void check_order(struct rip_page_plan *plan, struct rip_planner *planner)
{
	if (!rip_screen_couples(plan->screen) || plan->geometry.planes == 1 ||
	    plan->geometry.order != CUPS_ORDER_PLANAR)
		return;
	if (!planner->warned_of_order)
		rip_warning("page %u: blue-noise instead of %s, because the inks of a planar page "
			    "come one after the other; cupsColorOrder must be 0 or 1 (the queue's "
			    "PPD sets it)", plan->number, plan->screen->name);
	planner->warned_of_order = true;
	plan->screen = &rip_screens[RIP_BLUE_NOISE];
}

/* The calibration NAME of this system; empty: none.  NULL: there is none, or it cannot be used,
 * which is a WARNING each time that the name changes.  Valid until the next call. */
static const struct rip_cal *find_cal(struct rip_planner *planner, const char *name)
{
	char path[PATH_MAX] = "", why[200];
	int r;

	if (!*name)
		return NULL;
	if (strcmp(name, planner->cal_name)) {
		snprintf(planner->cal_name, sizeof planner->cal_name, "%s", name);
		r = rip_cal_path(rip_cal_folder(), name, path, sizeof path, why, sizeof why);
		if (r == 0)
			r = rip_cal_load(&planner->cal, path, why, sizeof why);
		planner->has_cal = r == 0;
		if (r < 0)
			rip_warning("halftone-calibration=%s: %s: %s; "
				    "printing with halftone-dot-gain", name, path, why);
	}
	return planner->has_cal ? &planner->cal : NULL;
}

/* Whether the queue was calibrated with the screen for inks together.  usual: what to take if it
 * has no calibration, or one that does not say. */
static bool calibrated_together(const struct rip_page_plan *plan, struct rip_planner *planner,
				bool usual)
{
	const struct rip_cal *cal = find_cal(planner, plan->tone.calibration);
	const char *screen = cal ? rip_cal_note(cal, RIP_CAL_SCREEN) : NULL;

	return screen ? rip_screen_find(screen) == RIP_BLUE_NOISE_COLOUR : usual;
}

/* Inks that see each other overlap less: a profile made without that gives other colours.  Profiles
 * do not say their screen: it is that of the calibration, or the PPD's default. */
static void check_profile(const struct rip_page_plan *plan, struct rip_planner *planner)
{
	const struct rip_setting *usual = &planner->options->ppd[RIP_OPTION_SCREEN];

	if (plan->geometry.planes == 1 || planner->warned_of_profile || !planner->queue ||
	    !rip_queue_attribute(planner->queue, "cupsICCProfile") ||
	    rip_screen_couples(plan->screen) ==
	    calibrated_together(plan, planner, usual->set &&
				usual->number == RIP_BLUE_NOISE_COLOUR))
		return;
	rip_warning("page %u: the queue's ICC profile was made for another screen than %s, and "
		    "colours will differ; make a profile with this screen, or set it for the queue "
		    "(lpadmin -p QUEUE -o halftone-screen=%s)", plan->number, plan->screen->name,
		    plan->screen->name);
	planner->warned_of_profile = true;
}

/* ---- its tones ---- */

/* Puts the vendor's curve of a plane behind the plan's first one.  *table: to be freed.  1; 0: no
 * curve; -ENOMEM. */
static int add_curve(const struct rip_page_plan *plan, struct rip_planner *planner,
		     const struct rip_vendor_page *vendor, uint32_t plane, uint16_t **table)
{
	const uint32_t count = 1u << plan->geometry.sample_bits, unit = 65535 / (count - 1);
	const bool light = plan->geometry.light;
	const enum rip_ink ink_of_plane = plan->use.inks[plane];
	struct rip_vendor_curve curve;

	if (!planner->queue || !rip_vendor_curve_find(&curve, planner->queue, vendor, ink_of_plane,
						      &planner->warned_of_ppd))
		return 0;
	*table = malloc(count * sizeof **table);
	if (!*table)
		return -ENOMEM;
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t x = plan->first ? plan->first[v] : unit * v;
		const double ink = (light ? 65535 - x : x) / 65535.0;
		const uint16_t after = (uint16_t)lrint(65535 * rip_vendor_curve_at(&curve, ink));

		(*table)[v] = light ? 65535 - after : after;
	}
	return 1;
}

/* Whether the inks of the page see each other where there is much ink, too. */
static bool sees_everywhere(const struct rip_page_plan *plan)
{
	uint32_t fade = 0;

	return plan->screen && rip_screen_couples(plan->screen) &&
	       rip_screen_couples(rip_colour_screen(registration_of(plan), dpi_of(plan->use.x_dpi),
						    dpi_of(plan->use.y_dpi), &fade)) && fade == 0;
}

/* How a light ink and its dark one share the tones: as the user says, or the PPD.  Not if the PPD
 * has curves for both. */
static void share_tones(const struct rip_page_plan *plan, struct rip_planner *planner,
			const struct rip_vendor_page *vendor, uint32_t plane, uint32_t source,
			struct rip_page_wish *wish)
{
	struct rip_light_ink ink = { .strength = RIP_LIGHT_STRENGTH, .end = 1 };

	if (plan->tone.light_strength)
		ink.strength = plan->tone.light_strength / 100.;
	else if (planner->queue)
		rip_vendor_light_ink(planner->queue, vendor, plan->use.inks[plane], &ink,
				     &planner->warned_of_ppd);
	ink.avoid = sees_everywhere(plan);
	wish->of[plane].part = RIP_PART_LIGHT;
	wish->of[source].part = RIP_PART_DARK;
	wish->of[plane].light_ink = wish->of[source].light_ink = ink;
}

/* An ink limit that cannot be applied. */
static void warn_of_planar(const struct rip_page_plan *plan, struct rip_planner *planner)
{
	if (plan->curves.limit.most == 0 || plan->geometry.order != CUPS_ORDER_PLANAR ||
	    plan->geometry.planes == 1 || planner->warned_of_limit)
		return;
	rip_warning("page %u: no ink limit, because the inks of a planar page come one after the "
		    "other; cupsColorOrder must be 0 or 1 (the queue's PPD sets it)", plan->number);
	planner->warned_of_limit = true;
}

/* Makes the rule for edges, if they are asked for and the page has a finer screen for them.  0 or
 * -ENOMEM. */
static int plan_edges(struct rip_page_plan *plan, struct rip_planner *planner,
		      const struct rip_page_wish *wish, const uint16_t *const first[])
{
	uint32_t side;
	int r;

	if (!plan->tone.edges || plan->output.levels != 2 || plan->geometry.lights > 0)
		return 0;
	r = rip_mask_screen_finer(&plan->finer, plan->screen, &plan->use, &side);
	if (r <= 0)
		return r;
	r = rip_tone_curves_edges(&plan->curves, wish, first, &plan->finer.base, side);
	if (r == 0 && !planner->warned_of_edges) {
		rip_warning("page %u: halftone-edges=off, because an ink limit or a density below "
			    "100 %% changes the ink of dots", plan->number);
		planner->warned_of_edges = true;
	}
	return r < 0 ? r : 0;
}

int rip_page_plan_tones(struct rip_page_plan *plan, struct rip_planner *planner)
{
	const struct rip_geometry *g = &plan->geometry;
	const struct rip_page_spec spec = {
		.planes = g->planes + g->lights, .levels = plan->output.levels,
		.sample_bits = g->sample_bits, .screen = plan->screen,
	};
	const struct rip_vendor_page vendor = vendor_page(plan, planner);
	const uint16_t *first[RIP_PLANES_MAX];
	uint16_t *tables[RIP_PLANES_MAX] = { NULL };
	struct rip_page_wish wish;
	int r = 0;

	rip_page_wish_init(&wish, &plan->tone, find_cal(planner, plan->tone.calibration), &spec,
			   &plan->use);
	for (uint32_t p = 0; r >= 0 && p < spec.planes; p++) {
		r = add_curve(plan, planner, &vendor, p, &tables[p]);
		first[p] = tables[p] ? tables[p] : plan->first;
		if (r == 0 && p >= g->planes) {
			const uint32_t source = g->light_planes[p - g->planes].source;

			first[p] = first[source];
			share_tones(plan, planner, &vendor, p, source, &wish);
		}
	}
	if (planner->queue && !plan->tone.ink_limit_set)
		plan->tone.ink_limit = rip_vendor_ink_limit(planner->queue, &vendor,
							    &planner->warned_of_ppd);
	if (r >= 0)
		r = rip_tone_curves_make(&plan->curves, &wish, first, g, &plan->use,
					 plan->tone.ink_limit);
	if (r == 0 && plan->labels && g->planes == 1 && g->lights == 0)
		plan->curves.around.labels = (struct rip_labels_rule){
			.edge = RIP_LABELS_EDGE,
			.full_is_0 = rip_toner_full_is_0(plan->curves.page.curves[0],
							 1u << g->sample_bits, g->light),
		};
	if (r == 0)
		r = plan_edges(plan, planner, &wish, first);
	for (uint32_t p = 0; p < spec.planes; p++)
		free(tables[p]);
	if (r == 0)
		warn_of_planar(plan, planner);
	return r;
}

void rip_page_plan_tell(const struct rip_page_plan *plan)
{
	const struct rip_tone_choice *tone = &plan->tone;
	const struct rip_page_wish *wish = &plan->curves.page.wish;
	const bool has_printer = wish->printer.kind != RIP_PRINTER_NONE;
	char printer[RIP_CAL_NAME_MAX + 16], lights[32] = "", drops[32] = "";

	if (wish->of[0].cal)
		snprintf(printer, sizeof printer, "calibration %s", tone->calibration);
	else
		snprintf(printer, sizeof printer, "dot gain %s (%.1f points)",
			 rip_printer_names[tone->preset],
			 has_printer ? rip_printer_gain(&wish->printer) : 0);
	if (plan->geometry.lights > 0)
		snprintf(lights, sizeof lights, ", light inks: %u", plan->geometry.lights);
	if (rip_drops_known(&tone->drops, plan->output.levels))
		snprintf(drops, sizeof drops, ", sizes of drops: %u", tone->drops.count);
	rip_debug("page %u: tones: %s, target %s, density %u %%, gamma %u.%03u, ink limit %u %%, "
		  "toner save %u %%, edges %s%s%s",
		  plan->number, printer, rip_target_names[tone->target],
		  tone->density, tone->gamma / 1000, tone->gamma % 1000, tone->ink_limit,
		  wish->toner_save, plan->curves.around.edges.edge ? plan->finer.name : "off",
		  lights, drops);
}

/* ---- its memory ---- */

static struct rip_around_lines around_lines(const struct rip_geometry *g)
{
	return (struct rip_around_lines){
		.samples = g->width * g->stride, .stride = g->stride,
		.rows = g->order == CUPS_ORDER_BANDED ? g->planes : 1,
		.sample_bits = g->sample_bits, .height = g->height,
	};
}

int rip_page_plan_around(const struct rip_page_plan *plan,
			 int (*read)(void *context, void *to, uint32_t lines), void *context,
			 struct rip_around **around)
{
	struct rip_around_lines lines = around_lines(&plan->geometry);

	lines.read = read;
	lines.context = context;
	return rip_around_new(&plan->curves.around, &lines, around);
}

static unsigned long long mebibytes(uint64_t bytes)
{
	return (bytes + (1u << 20) - 1) >> 20;
}

/* Whether the carries and the lines of the page fit into the memory that the filter allows itself.
 * 0, or -EFBIG and why. */
static int check_memory(const struct rip_page_plan *plan, bool compressed, char *why, size_t size)
{
	const struct rip_geometry *g = &plan->geometry;
	const struct rip_output *output = &plan->output;
	const struct rip_tone_curves *curves = &plan->curves;
	const uint16_t *const *of_planes = (const uint16_t *const *)curves->page.curves;
	struct rip_page_spec spec = {
		.width = g->width, .planes = g->planes + g->lights, .levels = output->levels,
		.sample_bits = g->sample_bits, .screen = plan->screen,
	};
	/* Whether curves are applied to samples: by page.c to those of light inks, by libriptide to
	 * those of planes whose curves differ and do not fit into masks. */
	const bool apply = g->lights > 0 ||
			   (rip_tone_curves_differ(curves) && !rip_tone_can_fold(of_planes, &spec));
	const uint64_t staging = apply ? (uint64_t)g->width * g->planes * (g->sample_bits / 8) : 0;
	const struct rip_around_lines lines = around_lines(g);
	const uint64_t around = rip_around_rules_size(&curves->around, &lines);
	char arounds[80] = "";
	uint64_t need;

	if (apply)
		spec.sample_bits = 16;
	/* Lines: one in a band, one before its curves, one in libcups' reader, those around one,
	 * one in the sink, and in libcups' writer one as it is and one compressed, which may be
	 * longer. */
	need = rip_carry_values(&spec) * sizeof(int16_t) * spec.planes + rip_band_size(&spec, 1) +
	       staging + (compressed ? g->line_bytes : 0) + around +
	       (uint64_t)output->line_bytes * (output->pwg ? 4 : 1);
	if (need <= MEMORY_BYTES)
		return 0;
	if (around)
		snprintf(arounds, sizeof arounds, ", %llu of them for %s%s%s%s%s,",
			 mebibytes(around),
			 curves->around.labels.edge ? "barcodes" : "",
			 curves->around.labels.edge &&
			 (curves->around.toner.edge || curves->around.edges.edge) ? " and " : "",
			 curves->around.toner.edge ? "toner-save" : "",
			 curves->around.toner.edge && curves->around.edges.edge ? " and " : "",
			 curves->around.edges.edge ? "halftone-edges" : "");
	return rip_refuse_as(-EFBIG, why, size,
			     "%u columns, colours: %u, levels: %u, rows of carry: %d (%s): "
			     "this takes %llu MiB%s and at most %u are possible",
			     g->width, spec.planes, output->levels, plan->screen->reach,
			     plan->screen->name, mebibytes(need), around ? arounds : ",",
			     MEMORY_BYTES >> 20);
}

/* ---- all of it ---- */

/* How a page of samples becomes dots.  0 or -errno, and why. */
static int plan_dots(struct rip_page_plan *plan, struct rip_planner *planner,
		     const struct rip_choice *choice, char *why, size_t size)
{
	int r;

	rip_page_mask_use(&plan->in, &plan->geometry, &plan->use);
	plan->method = choice->method;
	plan->tone = choice->tone;
	r = choose_screen(plan, planner->options, choice, why, size);
	if (r < 0)
		return r;
	check_order(plan, planner);
	check_profile(plan, planner);
	if (plan->tone.registration == RIP_REGISTRATION_AUTO)
		plan->tone.registration = calibrated_together(plan, planner, false) ?
					  RIP_REGISTRATION_CALIBRATED : RIP_REGISTRATION;
	r = rip_page_plan_tones(plan, planner);
	if (r < 0)
		snprintf(why, size, "%s", strerror(-r));
	return r < 0 ? r : check_memory(plan, planner->compressed, why, size);
}

void rip_planner_show(struct rip_planner *planner, const struct rip_choice *choice,
		      struct rip_shown *shown)
{
	char points[16];

	*shown = (struct rip_shown){
		.cal = find_cal(planner, choice->tone.calibration), .drops = choice->tone.drops,
	};
	snprintf(points, sizeof points, "%d", choice->tone.gain);
	shown->printer = rip_tone_parse_gain(choice->tone.gain >= 0 ? points :
					     rip_options_printer(planner->options, choice));
}

/* The same for a page that is planned. */
static void show(const struct rip_page_plan *plan, struct rip_planner *planner,
		 const struct rip_choice *choice)
{
	const struct rip_page_wish *wish = &plan->curves.page.wish;

	rip_planner_show(planner, choice, planner->shown);
	for (uint32_t p = plan->geometry.planes; plan->screen && p < wish->planes; p++)
		planner->shown->strengths[p] = wish->of[p].light_ink.strength;
}

int rip_page_plan_make(struct rip_page_plan *plan, struct rip_planner *planner, unsigned number,
		       const cups_page_header2_t *header, char *why, size_t size)
{
	struct rip_geometry *g = &plan->geometry;
	struct rip_choice choice;
	int r;

	plan->number = number;
	plan->in = *header;
	plan->screen = NULL;
	plan->separation = NULL;
	r = rip_header_check(&plan->in, g, why, size);
	if (r < 0)
		return r;
	rip_options_page(planner->options, &plan->in, &choice);
	if (planner->separation && choice.inks != RIP_INKS_NONE && g->light && g->planes == 3 &&
	    g->sample_bits > 1)
		r = separate(plan, planner, choice.inks, why, size);
	if (r == 0)
		r = rip_light_inks_add(&plan->in, choice.light_inks, g, why, size);
	if (r < 0)
		return r;
	if (g->sample_bits == 1) {
		choice.levels = 2;
		warn_of_dots(planner, number);
	}
	r = rip_header_rewrite(&plan->in, g, choice.levels, planner->pwg, planner->from_pwg,
			       &plan->out, &plan->output, why, size);
	if (r == 0 && g->sample_bits > 1)
		r = plan_dots(plan, planner, &choice, why, size);
	if (r == 0 && planner->shown)
		show(plan, planner, &choice);
	return r;
}

void rip_page_plan_finish(struct rip_page_plan *plan)
{
	rip_tone_curves_finish(&plan->curves);
}
