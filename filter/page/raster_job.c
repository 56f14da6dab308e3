/* Raster that is printed on a queue. */
#include "raster_job.h"

#include <errno.h>
#include <unistd.h>

#include "pass.h"
#include "filter/report.h"

/* Makes the halftoner of the job's pages, if there is none.  0 or -errno (reported). */
static int want_riptide(struct rip_raster_job *job)
{
	const struct riptide_config config = {
		.size = sizeof config, .socket = job->socket, .job = job->number,
		.queue = job->printer, .log = rip_report_log,
	};

	return job->riptide ? 0 : riptide_new(&config, &job->riptide);
}

/* Halftones a page whose output has begun. */
static int halftone_page(struct rip_raster_job *job)
{
	const struct rip_page_plan *plan = &job->plan;

	rip_debug("page %u: halftone=%s halftone-screen=%s halftone-levels=%u", plan->number,
		  rip_method_name(plan->method), rip_page_plan_screen(plan), plan->output.levels);
	rip_page_plan_tell(plan);
	return rip_page_halftone(&job->source, &job->sink, plan, job->riptide);
}

/* Does the page with this header. */
static int do_page(struct rip_raster_job *job, const cups_page_header2_t *header)
{
	const unsigned page = job->source.page;
	struct rip_page_plan *plan = &job->plan;
	const struct rip_geometry *g = &plan->geometry;
	const struct rip_output *output = &plan->output;
	char why[256];
	int r = rip_page_plan_make(plan, &job->planner, page, header, why, sizeof why);

	if (r < 0) {
		rip_error("page %u: %s", page, why);
		return r;
	}
	rip_debug("page %u: %u x %u, %s, %u bit%s, order %u -> %s, %u bit%s, order %u", page,
		  g->width, g->height, rip_color_space_name(plan->in.cupsColorSpace),
		  g->sample_bits, g->sample_bits == 1 ? "" : "s", g->order,
		  rip_color_space_name(plan->out.cupsColorSpace), output->bits,
		  output->bits == 1 ? "" : "s", output->order);
	r = rip_source_begin(&job->source, header, g->lines);
	if (r < 0) {
		rip_error("page %u: %s", page, job->source.why);
		return r;
	}
	if (plan->screen)
		r = want_riptide(job);
	if (r == 0)
		r = rip_sink_begin(&job->sink, &plan->out, output);
	if (r == 0)
		r = plan->screen ? halftone_page(job) :
				   rip_page_copy(&job->source, &job->sink, g);
	if (r == 0)
		r = rip_sink_end(&job->sink);
	if (r == 0 && !job->receiver)
		rip_ink_report_page(&job->ink, page, plan->in.NumCopies, plan->in.Duplex,
				    &job->sink);
	if (r == 0 && job->place.last)
		rip_report_page(page, plan->in.NumCopies ? plan->in.NumCopies : 1);
	return r;
}

/* Passes a page on whose dots the next filter makes. */
static int pass_page(struct rip_raster_job *job, const cups_page_header2_t *in)
{
	int r;

	if (job->receiver) {
		rip_error("page %u: the queue's driver makes the dots of %s pages itself, "
			  "so there are none to show", job->source.page,
			  rip_color_space_name(in->cupsColorSpace));
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

	rip_sink_init(&job->sink, STDOUT_FILENO, job->place.pwg, job->place.next);
	job->sink.receiver = job->receiver;
	r = job->next ? 0 : rip_source_open(&job->source, fd);
	job->planner.queue = job->queue;
	job->planner.options = job->options;
	job->planner.separation = &job->separation;
	job->planner.shown = job->shown;
	job->planner.pwg = job->place.pwg;
	job->planner.from_pwg = job->next ? job->from_pwg : job->source.pwg;
	job->planner.compressed = job->next || job->source.compressed;
	while (r == 0) {
		r = job->next ? job->next(job->context, &job->source, &header) :
				rip_source_header(&job->source, &header);
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
	rip_separation_finish(&job->separation);
	rip_page_plan_finish(&job->plan);
	rip_sink_finish(&job->sink);
	rip_source_close(&job->source);
}
