/* The pages of riptide.h. */
#include "riptide_object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/curve_search.h"
#include "halftone/screen/blue_noise_colour.h"
#include "page_check.h"

#define LEAST_PAGE   offsetof(struct riptide_page, height)
#define LEAST_STREAM offsetof(struct riptide_stream, read_pixels)

static int find_screen(struct riptide *riptide, const char *name, const struct rip_mask_use *use)
{
	const int id = rip_screen_find(name ? name : rip_screens[RIP_FLOYD_STEINBERG].name);
	char why[256];
	int r;

	if (id >= 0) {
		riptide->spec.screen = &rip_screens[id];
		return 0;
	}
	r = rip_page_mask(&riptide->screens, name, use, &riptide->spec.screen, why, sizeof why);
	return r < 0 ? rip_riptide_fail(riptide, r, "%s", why) : 0;
}

/* The inks of a page whose screen couples them. */
static void couple(struct rip_page_spec *spec, const struct riptide_page *page,
		   const struct rip_mask_use *use)
{
	spec->coupling.light = use->light;
	memcpy(spec->coupling.inks, use->inks, sizeof use->inks);
	spec->screen = rip_colour_screen(page->registration, use->x_dpi, use->y_dpi,
					 &spec->coupling.fade);
}

/* The ink limit of a page whose curves are made, after the percent of its stream.  0 or -ENOMEM. */
static int make_limit(struct riptide *riptide, uint32_t percent, const struct rip_mask_use *use)
{
	const struct rip_page_spec *spec = &riptide->spec;
	const uint32_t most = use->light ? 0 : percent * 65535 / 100;
	const unsigned made = riptide->presets.of.made + 1;
	struct rip_ink_limit *limit = &riptide->limit;
	int black = -1;

	for (uint32_t p = spec->planes; p-- > 0;)
		if (use->inks[p] == RIP_INK_BLACK)
			black = (int)p;
	if (riptide->limit_made == made && limit->most == most && limit->black == black &&
	    limit->planes == spec->planes && limit->sample_bits == spec->sample_bits)
		return 0;
	rip_ink_limit_finish(limit);
	riptide->limit_made = made;
	return rip_ink_limit_init(limit, most, spec->planes, spec->sample_bits, black,
				  riptide->presets.of.curves);
}

/* The rule for the edges of a page whose curves and limit are made.  0 or -ENOMEM. */
static int make_edges(struct riptide *riptide, const struct rip_mask_use *use)
{
	uint32_t side;
	int r;

	if (riptide->spec.levels != 2)
		return 0;
	r = rip_mask_screen_finer(&riptide->finer, riptide->spec.screen, use, &side);
	if (r <= 0)
		return r;
	r = riptide->limit.most > 0 ? 0 :
	    rip_page_curves_edges(&riptide->presets.of, &riptide->finer.base, side, &riptide->fine,
				  &riptide->edges);
	if (r == 0 && riptide->config.log)
		riptide->config.log(riptide->config.context, RIPTIDE_LOG_WARNING,
				    "no fine edges, because an ink limit, a density below 100 % "
				    "or a curve changes the ink of dots");
	return r < 0 ? r : 0;
}

/* The screen, curves, ink limit and edges of a page that was checked.  stream: or NULL. */
static int prepare(struct riptide *riptide, const struct riptide_page *page,
		   const struct riptide_stream *stream)
{
	struct rip_mask_use use;
	char why[256];
	int r = rip_page_use(page, &use, why, sizeof why);

	if (r < 0)
		return rip_riptide_fail(riptide, r, "%s", why);
	riptide->spec = (struct rip_page_spec){
		.width = page->width, .planes = page->planes, .levels = page->levels,
		.sample_bits = page->sample_bits,
	};
	r = find_screen(riptide, page->screen, &use);
	if (r < 0)
		return r;
	if (rip_screen_couples(riptide->spec.screen))
		couple(&riptide->spec, page, &use);
	r = rip_preset_curves_make(&riptide->presets, page, &riptide->spec, &use, why, sizeof why);
	if (r < 0)
		return rip_riptide_fail(riptide, r, "%s", why);
	r = rip_plane_curves_set(&riptide->curves, &riptide->spec,
				 (const uint16_t *const *)riptide->presets.of.curves,
				 riptide->presets.of.made + 1);
	if (r == 0)
		r = make_limit(riptide, stream ? stream->ink_limit : 0, &use);
	riptide->edges.edge = 0;
	if (r == 0 && stream && stream->flags & RIPTIDE_FINE_EDGES)
		r = make_edges(riptide, &use);
	free(riptide->staging);
	riptide->staging = NULL;
	if (r == 0 && rip_plane_curves_differ(&riptide->curves)) {
		riptide->staging = malloc((size_t)page->planes * page->width *
					  (page->sample_bits / 8));
		r = riptide->staging ? 0 : -ENOMEM;
	}
	return r < 0 ? rip_riptide_fail(riptide, r, "%s", strerror(-r)) : 0;
}

/* Takes the caller's page, complete and checked. */
static int take_page(struct riptide *riptide, const struct riptide_page *callers,
		     struct riptide_page *page)
{
	char why[256];
	int r;

	if (!callers)
		return rip_riptide_fail(riptide, -EINVAL, "there is no struct riptide_page");
	r = rip_riptide_take(riptide, "riptide_page", page, sizeof *page, callers, callers->size,
			     LEAST_PAGE);
	if (r < 0)
		return r;
	r = rip_page_check(page, why, sizeof why);
	return r < 0 ? rip_riptide_fail(riptide, r, "%s", why) :
		       rip_riptide_flags(riptide, page->flags, RIPTIDE_START_ZERO);
}

static void end_page(struct riptide *riptide)
{
	int r = riptide->open && !riptide->lost ? rip_row_flow_end(&riptide->flow) : 0;

	if (r < 0)
		rip_riptide_lose(riptide, r);
	riptide->open = false;
	riptide->lost = 0;
}

/* Whether the ink limit, if there is one, is for curves that never fall. */
static bool has_rising_curves(const struct rip_ink_limit *limit)
{
	for (uint32_t p = 0; limit->most > 0 && p < limit->planes; p++)
		if (limit->curves[p] && !rip_curve_never_falls(limit->curves[p], 256))
			return false;
	return true;
}

/* The pixels of a stream may be sent to a daemon.  Those of 8 bits can be limited and go through
 * different curves there. */
static void offer_pixels(struct riptide *riptide, const struct riptide_stream *stream)
{
	const bool plain = !riptide->staging && riptide->limit.most == 0;
	const bool pixels = stream && stream->read_pixels && riptide->edges.edge == 0 &&
			    (plain || (riptide->spec.sample_bits == 8 &&
				       has_rising_curves(&riptide->limit)));

	rip_halftoner_want_pixels(riptide->halftoner, pixels ? stream->pitch : 0,
				  pixels ? stream->step : 0, plain ? NULL : &riptide->limit);
}

/* Begins a page that was checked.  stream: what will be read, or NULL. */
static int begin_page(struct riptide *riptide, const struct riptide_page *page,
		      const struct riptide_stream *stream)
{
	struct rip_page_spec spec;
	int method, r;

	method = r = rip_riptide_method(riptide,
					page->method ? page->method : riptide->config.method);
	if (r >= 0)
		r = prepare(riptide, page, stream);
	if (r == 0)
		r = rip_riptide_want_halftoner(riptide, method, riptide->spec.screen);
	if (r < 0) {
		/* The screen of the bands may be gone, and that of the next page at its address. */
		rip_row_flow_reset(&riptide->flow);
		return r;
	}
	riptide->number = page->number ? page->number : riptide->number + 1;
	spec = riptide->spec;
	rip_plane_curves_spec(&riptide->curves, &spec);
	offer_pixels(riptide, stream);
	r = rip_row_flow_begin(&riptide->flow, riptide->halftoner, &spec, page->height,
			       page->flags & RIPTIDE_START_ZERO ? RIP_START_ZERO : RIP_START_NOISE,
			       page->band_rows);
	if (r < 0)
		return rip_riptide_lose(riptide, r);
	riptide->open = true;
	return 0;
}

int riptide_begin(struct riptide *riptide, const struct riptide_page *callers)
{
	struct riptide_page page;
	int r;

	if (!riptide)
		return rip_riptide_fail(NULL, -EINVAL, "there is no object");
	end_page(riptide);
	r = take_page(riptide, callers, &page);
	return r < 0 ? r : begin_page(riptide, &page, NULL);
}

/* Takes the caller's stream, complete and checked. */
static int take_stream(struct riptide *riptide, const struct riptide_stream *callers,
		       struct riptide_stream *stream)
{
	int r;

	if (!callers)
		return rip_riptide_fail(riptide, -EINVAL, "there is no struct riptide_stream");
	r = rip_riptide_take(riptide, "riptide_stream", stream, sizeof *stream,
			     callers, callers->size, LEAST_STREAM);
	if (r < 0)
		return r;
	if (!stream->read || !stream->write)
		return rip_riptide_fail(riptide, -EINVAL,
					"struct riptide_stream has no read() or no write()");
	if (stream->ink_limit &&
	    (stream->ink_limit < 100 || stream->ink_limit > 100 * RIP_PLANES_MAX ||
	     stream->flags & RIPTIDE_PLANAR))
		return rip_riptide_fail(riptide, -EINVAL, "an ink limit of %u %%: it must be 100 "
					"to %u, of lines that are not planar", stream->ink_limit,
					100 * RIP_PLANES_MAX);
	return rip_riptide_flags(riptide, stream->flags, RIPTIDE_PLANAR | RIPTIDE_FINE_EDGES);
}

/* 0; -EINVAL: the pixels of a stream are not those of the page. */
static int check_pixels(struct riptide *riptide, const struct riptide_page *page,
			const struct riptide_stream *stream)
{
	const uint32_t bytes = page->sample_bits / 8;

	if (!stream->read_pixels)
		return 0;
	if (stream->flags & RIPTIDE_PLANAR || stream->step < page->planes ||
	    stream->pitch / stream->step / bytes < page->width || stream->pitch % bytes)
		return rip_riptide_fail(riptide, -EINVAL, "pixels of %u samples, %zu bytes a line: "
					"the page has %u columns, %u planes and %u bits a sample",
					stream->step, stream->pitch, page->width, page->planes,
					page->sample_bits);
	return 0;
}

int riptide_run(struct riptide *riptide, const struct riptide_page *callers_page,
		const struct riptide_stream *callers_stream)
{
	struct riptide_stream stream;
	struct riptide_page page;
	int r;

	if (!riptide)
		return rip_riptide_fail(NULL, -EINVAL, "there is no object");
	r = take_stream(riptide, callers_stream, &stream);
	if (r == 0)
		r = take_page(riptide, callers_page, &page);
	if (r == 0)
		r = check_pixels(riptide, &page, &stream);
	if (r == 0 && page.height == 0)
		r = rip_riptide_fail(riptide, -EINVAL,
				     "riptide_run() needs the height of the page");
	if (r < 0)
		return r;
	end_page(riptide);
	r = begin_page(riptide, &page, &stream);
	if (r < 0)
		return r;
	/* What the functions of the stream return has no text; an older error's would mislead. */
	riptide->error[0] = '\0';
	r = rip_riptide_run_page(riptide, &stream);
	if (r != 0)
		rip_riptide_lose(riptide, r < 0 ? r : -ECANCELED);
	return r;
}
