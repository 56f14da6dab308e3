/* Raster that is printed on a queue. */
#include "raster_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "header.h"
#include "filter/ink/light_inks.h"
#include "pass.h"
#include "filter/report.h"
#include "screen_choice.h"

/* A page of dots is passed on.  Whoever has set up a queue with this filter hardly wants
 * that, and would blame the filter for the halftone. */
static void warn_of_dots(struct rip_raster_job *job)
{
	if (!job->warned_of_dots)
		rip_warning("page %u has 1 bit a colour and is passed on unchanged; "
			    "to have " RIP_FILTER_NAME " halftone it, set cupsBitsPerColor 8 "
			    "in the queue's PPD", job->source.page);
	job->warned_of_dots = true;
}

/* Changes the header and the geometry of an RGB page to those of its inks, and begins to separate
 * it.  0 or -errno, and why. */
static int separate(struct rip_raster_job *job, enum rip_inks inks, cups_page_header2_t *header,
		    struct rip_geometry *geometry, char *why, size_t size)
{
	const struct rip_geometry rgb = *geometry;
	char media[RIP_VENDOR_MEDIA];
	const struct rip_vendor_page vendor = rip_vendor_page_of(
		header, rip_options_color_model(job->options, job->queue), media);
	const int r = rip_separation_header(header, geometry, inks, why, size);
	struct rip_separation_wish wish;

	memset(&wish, 0, sizeof wish); /* with its padding: it is compared as bytes */
	rip_vendor_profile_find(&wish.profile, job->queue, &vendor);
	wish.has_black = rip_vendor_black_generation(job->queue, &vendor, wish.black, &job->tones.warned);
	return r < 0 ? r : rip_separation_begin(&job->separation, &rgb, inks, &wish, job->queue,
						&job->tones.warned, why, size);
}

/* Makes the halftoner of the job's pages, if there is none.  0 or -errno (reported). */
static int want_riptide(struct rip_raster_job *job)
{
	const struct riptide_config config = {
		.size = sizeof config, .socket = job->socket, .job = job->number,
		.queue = job->printer, .log = rip_report_log,
	};

	return job->riptide ? 0 : riptide_new(&config, &job->riptide);
}

/* A page, as it comes and as it goes out. */
struct planned_page {
	cups_page_header2_t in, out; /* in: its inks may be separated already */
	struct rip_geometry geometry;
	struct rip_output output;
	struct rip_choice choice;
	const struct rip_screen *screen; /* of pages that are halftoned */
	bool separated;
};

/* Decides how a page is done, and whether it can be.  0, or -errno with the reason in `why`. */
static int plan_page(struct rip_raster_job *job, const cups_page_header2_t *raster,
		     struct planned_page *p, char *why, size_t size)
{
	struct rip_geometry *g = &p->geometry;
	int r;

	p->in = *raster;
	p->screen = NULL;
	p->separated = false;
	r = rip_header_check(&p->in, g, why, size);
	if (r < 0)
		return r;
	rip_options_page(job->options, &p->in, &p->choice);
	if (p->choice.inks != RIP_INKS_NONE && rip_geometry_is_rgb(g) && g->sample_bits > 1) {
		p->separated = true;
		r = separate(job, p->choice.inks, &p->in, g, why, size);
		if (r < 0)
			return r;
	}
	r = rip_light_inks_add(&p->in, p->choice.light_inks, g, why, size);
	if (r < 0)
		return r;
	if (g->sample_bits == 1) {
		p->choice.levels = 2;
		warn_of_dots(job);
	}
	r = rip_header_rewrite(&p->in, g, p->choice.levels, job->place.pwg, job->source.pwg, &p->out,
			       &p->output, why, size);
	if (r < 0 || g->sample_bits == 1)
		return r;
	r = rip_choose_screen(job->options, &job->mask, &p->choice, &p->in, g, job->source.page,
			      &p->screen, why, size);
	if (r == 0)
		r = rip_page_tones_make(&job->tones, &job->curves, job->options, job->queue, &p->choice,
					&p->in, g, p->screen, why, size);
	if (r == 0)
		r = rip_pages_check(g, &p->output, p->screen, &job->curves, job->source.compressed, why,
				    size);
	if (r == 0)
		rip_tone_curves_check_order(&job->curves, g, job->source.page, &job->warned_of_limit);
	return r;
}

/* Halftones a page whose output has begun. */
static int halftone_page(struct rip_raster_job *job, struct planned_page *p)
{
	const unsigned page = job->source.page;
	struct rip_output_plan plan = {
		.levels = p->choice.levels, .screen = p->screen, .curves = &job->curves,
		.method = rip_method_name(p->choice.method),
		.separation = p->separated ? &job->separation : NULL,
	};
	char tones[256];

	rip_page_mask_use(&p->in, &p->geometry, &plan.use);
	rip_debug("page %u: halftone=%s halftone-screen=%s halftone-levels=%u", page, plan.method,
		  p->screen->name, p->choice.levels);
	rip_tone_curves_tell(&job->curves, tones, sizeof tones);
	rip_debug("page %u: tones: %s", page, tones);
	return rip_pages_halftone(&job->pages, &p->geometry, &plan, job->riptide);
}

/* Does the page with this header. */
static int do_page(struct rip_raster_job *job, const cups_page_header2_t *raster)
{
	const unsigned page = job->source.page;
	struct planned_page p;
	const struct rip_geometry *g = &p.geometry;
	char why[256];
	int r = plan_page(job, raster, &p, why, sizeof why);

	if (r < 0) {
		rip_error("page %u: %s", page, why);
		return r;
	}
	rip_debug("page %u: %u x %u, %s, %u bit%s, order %u -> %s, %u bit%s, order %u", page, g->width,
		  g->height, rip_color_space_name(p.in.cupsColorSpace), g->sample_bits,
		  g->sample_bits == 1 ? "" : "s", g->order, rip_color_space_name(p.out.cupsColorSpace),
		  p.output.bits, p.output.bits == 1 ? "" : "s", p.output.order);
	r = rip_source_begin(&job->source, raster, g->lines);
	if (r < 0) {
		rip_error("page %u: %s", page, job->source.why);
		return r;
	}
	if (g->sample_bits > 1)
		r = want_riptide(job);
	if (r == 0 && job->shown)
		rip_shown_by(job->shown, job->options, &p.choice,
			     rip_page_cal(&job->tones.cals, p.choice.tone.calibration), &job->curves);
	if (r == 0)
		r = rip_sink_begin(&job->sink, &p.out, &p.output);
	if (r == 0)
		r = g->sample_bits == 1 ? rip_pages_copy(&job->pages, g) : halftone_page(job, &p);
	if (r == 0)
		r = rip_sink_end(&job->sink);
	if (r == 0 && !job->receiver)
		rip_ink_report_page(&job->ink, page, p.in.NumCopies, &job->sink);
	if (r == 0 && job->place.last)
		rip_report_page(page, p.in.NumCopies ? p.in.NumCopies : 1);
	return r;
}

/* Passes a page on whose dots the next filter makes. */
static int pass_page(struct rip_raster_job *job, const cups_page_header2_t *in)
{
	int r;

	if (job->receiver) {
		rip_error("page %u: the queue's driver makes the dots of %s pages itself, so there are none"
			  " to show", job->source.page, rip_color_space_name(in->cupsColorSpace));
		return -ENOTSUP;
	}
	r = rip_pass_page(&job->source, &job->sink, in);

	if (r == 0 && job->place.last)
		rip_report_page(job->source.page, in->NumCopies ? in->NumCopies : 1);
	return r;
}

int rip_raster_job_run(struct rip_raster_job *job, int fd)
{
	cups_page_header2_t header;
	int r;

	if (job->receiver)
		rip_sink_init_receiver(&job->sink, job->receiver);
	else
		rip_sink_init(&job->sink, job->output, job->place.pwg, job->place.next);
	job->sink.cancel = job->cancel;
	rip_pages_init(&job->pages, &job->source, &job->sink);
	r = rip_source_open_canceled(&job->source, fd, job->cancel);
	while (r == 0) {
		r = rip_source_header(&job->source, &header);
		if (r == 0 && rip_pass_wanted(job->queue, header.cupsColorSpace))
			r = pass_page(job, &header);
		else if (r == 0)
			r = do_page(job, &header);
		else if (r < 0)
			rip_error("page %u: %s", job->source.page, job->source.why);
	}
	if (r < 0 && job->source.page == 0)
		rip_error("%s", job->source.why);
	if (r == RIP_SOURCE_END) {
		rip_debug("%u page%s", job->source.page, job->source.page == 1 ? "" : "s");
		rip_ink_report_job(&job->ink);
		r = 0;
	}
	return r;
}

void rip_raster_job_finish(struct rip_raster_job *job)
{
	riptide_free(job->riptide);
	rip_pages_finish(&job->pages);
	rip_separation_finish(&job->separation);
	rip_tone_curves_finish(&job->curves);
	rip_sink_finish(&job->sink);
	rip_source_close(&job->source);
}
