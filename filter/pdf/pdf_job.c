/* A PDF document that is printed on a queue. */
#include "pdf_job.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/ink/ink_tally.h"
#include "filter/page/pass.h"
#include "filter/page/raster_job.h"
#include "filter/report.h"
#include "halftone/cpu.h"
#include "rip/document.h"

/* ---- pages ---- */

static struct rip_pdf_dots *dots_of(struct rip_pdf_job *job, const struct rip_worked_page *page)
{
	return &job->dots[page->index % job->workers.job_count];
}

/* What is done to the planes' samples is done to those of Ghostscript. */
static void place_around(const struct rip_around_rules *rules, struct rip_placed_page *placed)
{
	const bool invert = placed->sources[0].invert;

	placed->around = *rules;
	placed->around.labels.full_is_0 ^= invert;
	placed->around.toner.full_is_0 ^= invert;
	placed->around.edges.full_is_0 ^= invert;
	placed->around.edges.inverted = invert;
	for (uint32_t p = 0; p < placed->page.planes; p++) {
		const unsigned sample = placed->sources[p].sample;

		placed->around.edges.masks[sample] = rules->edges.masks[p];
		placed->around.edges.curves[sample] = rules->edges.curves[p];
	}
}

static int place(void *context, unsigned worker, const struct rip_worked_page *page,
		 struct rip_placed_page *placed, char *why, size_t size)
{
	struct rip_pdf_job *job = context;
	struct rip_page_plan *plan = &job->plans[worker];
	const struct rip_output *output = &plan->output;
	/* Copies of a page follow each other, and are one page to Ghostscript. */
	const unsigned index = job->receiver ? page->number - 1 : page->index / job->header.repeat;
	cups_page_header2_t header;
	int r = rip_pdf_header_page(&job->header, index, page->paper.width, page->paper.height,
				    &header, placed->matrix, why, size);

	if (r == 0)
		r = rip_page_plan_make(plan, &job->planner, page->index + 1, &header, why, size);
	if (r < 0)
		return r;
	*dots_of(job, page) = (struct rip_pdf_dots){ plan->out, plan->output };
	rip_page_plan_put(plan, placed->inks, &placed->page);
	placed->page.number = page->number;
	if (plan->curves.limit.most > 0 && plan->geometry.planes > 1)
		placed->ink_limit = plan->tone.ink_limit;
	rip_pdf_header_contone(header.cupsColorSpace, placed->sources);
	place_around(&plan->curves.around, placed);
	rip_debug("page %u: %u x %u, %s -> %s, %u bit%s, order %u; halftone=%s halftone-screen=%s "
		  "halftone-levels=%u", plan->number, output->width, output->height,
		  rip_color_space_name(header.cupsColorSpace),
		  rip_color_space_name(plan->out.cupsColorSpace), output->bits,
		  output->bits == 1 ? "" : "s", output->order,
		  rip_method_name(plan->method), rip_page_plan_screen(plan), output->levels);
	rip_page_plan_tell(plan);
	why[0] = '\0'; /* of a mask that was refused */
	return 0;
}

static int begin(void *context, const struct rip_worked_page *page)
{
	struct rip_pdf_job *job = context;
	const struct rip_pdf_dots *dots = dots_of(job, page);

	/* Pages count alike, whatever their size. */
	job->lines = dots->output.height;
	job->written = (uint64_t)page->index * job->lines;
	rip_report_rows(job->written, job->pages * job->lines, &job->reported);
	return rip_sink_begin(&job->sink, &dots->header, &dots->output);
}

static int line(void *context, const uint8_t *const planes[])
{
	struct rip_pdf_job *job = context;

	job->written++;
	if (job->written % 64 == 0 || job->written % job->lines == 0)
		rip_report_rows(job->written, job->pages * job->lines, &job->reported);
	return rip_sink_row(&job->sink, planes);
}

static int end(void *context, const struct rip_worked_page *page)
{
	struct rip_pdf_job *job = context;
	const unsigned copies = job->header.job.NumCopies;
	int r = rip_sink_end(&job->sink);

	if (r < 0)
		return r;
	if (page->warning[0])
		rip_warning("page %u may not be complete: %s", page->number, page->warning);
	rip_debug("page %u: %s; %.1f ms, attempt %u", page->index + 1, page->device, page->ms,
		  page->attempts);
	if (!job->receiver)
		rip_ink_report_page(&job->ink, page->index + 1, copies, job->header.job.Duplex,
				    &job->sink);
	if (job->place.last)
		rip_report_page(page->index + 1, copies ? copies : 1);
	return 0;
}

/* ---- the job ---- */

static void log_line(void *context, const char *text)
{
	const struct rip_pdf_job *job = context;
	const struct rip_renderer *renderer = job->workers.jail.renderer;

	/* Without workers, only a profile is made. */
	rip_debug("%s: %s", (renderer ? renderer : &rip_ghostscript)->title, text);
}

static void warn(void *context, const char *text)
{
	(void)context;
	rip_warning("%s", text);
}

/* A number of the job's options, 1 to `most`, or `otherwise`. */
static unsigned number_of(const struct rip_pdf_job *job, const char *name, unsigned most,
			  unsigned otherwise)
{
	const char *value = cupsGetOption(name, job->options.count, job->options.job);
	char *end_of;
	long n;

	if (!value)
		return otherwise;
	n = strtol(value, &end_of, 10);
	if (*value >= '0' && *value <= '9' && !*end_of && n >= 1 && n <= (long)most)
		return (unsigned)n;
	rip_warning("%s=%.64s in the job's options is not valid; valid values are 1 to %u",
		    name, value, most);
	return otherwise;
}

static int open_workers(struct rip_pdf_job *job)
{
	static const char timeout[] = "riptide-page-timeout";
	const unsigned processors = rip_cpu_count();
	struct rip_plane_source sources[4];
	const cups_page_header2_t *header = &job->header.job;
	struct rip_workers_config config = {
		.gs = { .document = job->document,
			.contone = rip_pdf_header_contone(header->cupsColorSpace, sources),
			.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
			.arguments = job->header.arguments,
			.band = job->header.band, .prologue = job->header.prologue,
			.pure_black = job->choice.pure_black,
			.keep_black = job->header.colours.by_kind ? RIP_KEEP_BLACK_NONE :
								    job->choice.keep_black,
			.by_kind = job->header.colours.by_kind,
			.black_overprint = job->choice.black_overprint,
			.profiled = job->header.profile[0] != '\0',
			.output_intent = job->header.managed,
			.auto_monochrome = job->choice.auto_monochrome,
			.page_seconds = number_of(job, timeout, RIP_GS_SECONDS_MAX, 0),
			.page_option = timeout, .log = log_line, .warn = warn, .context = job },
		.riptide = { .size = sizeof config.riptide, .socket = job->socket,
			     .job = job->number, .queue = job->printer, .flags = RIPTIDE_OVERLAP,
			     .log = rip_report_log },
		.workers = number_of(job, "riptide-workers", RIP_WORKERS_MAX,
				     processors < RIP_WORKERS_MAX ? processors : RIP_WORKERS_MAX),
		.place = place, .begin = begin, .line = line, .end = end, .context = job,
	};
	int r;

	if (config.gs.by_kind && job->choice.keep_black &&
	    config.gs.contone == RIP_CONTONE_CMYK)
		rip_warning("black-preservation has no effect: the job gives kinds of objects"
			    " profiles or intents of their own");
	r = rip_workers_open(&job->workers, &config);
	if (r < 0) {
		rip_error("%s", job->workers.why);
		return r;
	}
	if (job->workers.slots.why[0])
		rip_debug("%u worker%s; those of other jobs do not count: %s", config.workers,
			  config.workers == 1 ? "" : "s", job->workers.slots.why);
	else
		rip_debug("%u worker%s, of at most %u of all jobs", config.workers,
			  config.workers == 1 ? "" : "s", job->workers.slots.limit);
	if (job->choice.black_overprint && config.gs.contone == RIP_CONTONE_CMYK)
		rip_debug("black text overprints: two Ghostscripts draw each page");
	job->dots = calloc(job->workers.job_count, sizeof *job->dots);
	if (!job->dots)
		rip_error("%s", strerror(ENOMEM));
	return job->dots ? 0 : -ENOMEM;
}

/* Every wanted page as often as it comes, in the order of the document. */
static int make_list(struct rip_pdf_job *job)
{
	const unsigned repeat = job->receiver ? 1 : job->header.repeat;
	const unsigned missing = rip_page_list_missing(job->wanted, job->workers.pages);

	if (missing) {
		rip_error("there is no page %u: the last one is %u", missing, job->workers.pages);
		return -ERANGE;
	}
	if (job->workers.pages > RIP_PAGE_LIST_MAX / repeat) {
		rip_error("%u pages and %u copies are too many", job->workers.pages, repeat);
		return -E2BIG;
	}
	job->list = malloc(((size_t)job->workers.pages * repeat + 1) * sizeof *job->list);
	if (!job->list) {
		rip_error("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	for (unsigned page = 1; page <= job->workers.pages; page++)
		for (unsigned i = 0; i < repeat && rip_page_list_has(job->wanted, page); i++)
			job->list[job->pages++] = page;
	return 0;
}

/* The filter that has to draw pages with the job's header instead of this one, or NULL. */
static const char *drawn_by(struct rip_pdf_job *job)
{
	const unsigned space = job->header.job.cupsColorSpace;
	const bool is_rgb = rip_color_space_planes(space) == 3 && rip_color_space_light(space);

	if (rip_pass_wanted(&job->queue, space))
		return RIP_CONTONE_FILTER_USUAL;
	rip_options_page(&job->options, &job->header.job, &job->choice);
	return rip_light_inks_wanted(space, job->choice.light_inks) ||
	       (is_rgb && job->choice.inks != RIP_INKS_NONE) ? RIP_CONTONE_FILTER_USUAL : NULL;
}

/* With a line of the PPD that names its input alone, cupsd may say that this is the final type, or
 * the queue.  The job is to be printed, and PDF made of it, as where it comes as PDF. */
static void set_final_type(struct rip_pdf_job *job)
{
	if (rip_queue_attribute(&job->queue, "cupsFilter2"))
		return;
	job->final = "application/vnd.cups-pdf";
	setenv("FINAL_CONTENT_TYPE", job->final, 1);
}

/* Has CUPS's filters make PDF of the document.  0 or -errno (reported, but for -ENODATA). */
static int make_pdf(struct rip_pdf_job *job)
{
	const int r = rip_contone_document(job->argv, job->document);

	close(job->document);
	job->document = r;
	return r < 0 ? r : 0;
}

/* Reads a document of raster, and makes PDF of it unless its pages go straight to dots.  0;
 * RIP_PDF_JOB_CONTONE: they do; or -errno (reported, but for -ENODATA: there are no pages). */
static int prepare_raster(struct rip_pdf_job *job)
{
	struct rip_raster_document *raster = &job->raster;
	const struct rip_pdf_header *header = job->drawn_by ? NULL : &job->header;
	char why[320];
	int r = !header ? 0 : rip_pdf_header_init(&job->header, &job->queue, job->printer,
						  job->text, job->final, job->document, why,
						  sizeof why);

	if (header && rip_pass_wanted(&job->queue, job->header.job.cupsColorSpace))
		header = NULL;
	if (r == 0)
		r = rip_raster_document_open(raster, job->document, header, why, sizeof why);
	if (r == 0 && !raster->misfit[0])
		r = rip_raster_document_arrange(raster, &job->header, &job->options, job->argv[4],
						why, sizeof why);
	if (r < 0) {
		rip_error("%s", why);
		return r;
	}
	if (!raster->misfit[0]) {
		rip_debug("%u pages of raster go straight to dots", raster->count);
		rip_object_colours_unused("raster goes straight to dots", true, job->options.count,
					  job->options.job);
		return raster->count ? RIP_PDF_JOB_CONTONE : -ENODATA;
	}
	rip_debug("raster is printed as PDF: %s", raster->misfit);
	return make_pdf(job);
}

/* Opens the document and makes the job's header.  0, RIP_PDF_JOB_CONTONE, or -errno (reported, but
 * for -ENODATA: there are no pages). */
static int prepare(struct rip_pdf_job *job, int fd)
{
	bool is_raster, is_postscript;
	char why[320];
	int r;

	job->document = rip_document_open(fd, !job->receiver, why, sizeof why);
	if (job->document == -ENODATA) {
		rip_debug("no pages: %s", why);
		return -ENODATA;
	}
	r = job->document;
	if (r >= 0)
		job->drawn_by = rip_contone_filter_chosen(&job->options, &job->queue);
	is_raster = r >= 0 && rip_document_is_raster(job->document);
	is_postscript = r >= 0 && rip_document_is_postscript(job->document);
	if (is_raster || is_postscript)
		set_final_type(job);
	if (r >= 0 && !job->receiver)
		rip_queue_place(&job->queue, RIP_PDF_FILTER, job->final, &job->place);
	if (is_raster && (r = prepare_raster(job)))
		return r;
	if (is_postscript && (r = make_pdf(job)))
		return r;
	if (r >= 0 && !job->drawn_by)
		r = rip_pdf_header_init(&job->header, &job->queue, job->printer, job->text,
					job->final, job->document, why, sizeof why);
	if (r < 0) {
		rip_error("%s", why);
		return r;
	}
	if (!job->drawn_by)
		job->drawn_by = drawn_by(job);
	if (!job->drawn_by) {
		rip_pdf_header_colours(&job->header, job->options.count, job->options.job);
		return 0;
	}
	snprintf(why, sizeof why, "%s draws the pages", job->drawn_by);
	rip_object_colours_unused(why, false, job->options.count, job->options.job);
	return RIP_PDF_JOB_CONTONE;
}

int rip_pdf_job_run(struct rip_pdf_job *job, int fd)
{
	int r = prepare(job, fd);

	if (r)
		return r == -ENODATA ? 0 : r;
	if (job->place.next)
		r = rip_next_filter_start(&job->next, job->place.next, job->argv);
	if (r < 0)
		return r;
	job->planner.queue = &job->queue;
	job->planner.options = &job->options;
	job->planner.pwg = job->place.pwg;
	job->planner.from_pwg = job->header.pwg;
	rip_sink_init(&job->sink, STDOUT_FILENO, job->place.pwg, job->place.next);
	job->sink.receiver = job->receiver;
	if (job->receiver) /* before the workers' threads use the planner */
		rip_planner_show(&job->planner, &job->choice, &job->shown);
	r = open_workers(job);
	if (r == 0)
		r = make_list(job);
	if (r < 0)
		return r;
	r = rip_workers_run(&job->workers, job->list, job->pages);
	if (r < 0 && job->workers.why[0])
		rip_error("%s", job->workers.why);
	if (r == 0) {
		rip_debug("%u page%s, at most %u at once", job->pages, job->pages == 1 ? "" : "s",
			  job->workers.most);
		rip_ink_report_job(&job->ink);
	}
	return r;
}

/* ---- drawn by a contone filter ---- */

/* Pure black of CMYK is full ink in grey by gstoraster, too, if its Ghostscript takes another
 * profile for CMYK.  A descriptor of the profile; -1: none, as the job wants it or as is told. */
static int make_pure_black(struct rip_pdf_job *job)
{
	const struct rip_gs_config config = { .document = job->document, .log = log_line,
					      .context = job };
	char why[320];
	int profile;

	if (strcmp(job->drawn_by, RIP_CONTONE_FILTER_USUAL) ||
	    rip_pdf_header_job(&job->header, &job->queue, job->text, job->final, why,
			       sizeof why) < 0 ||
	    rip_color_space_planes(job->header.job.cupsColorSpace) != 1 ||
	    rip_pass_wanted(&job->queue, job->header.job.cupsColorSpace))
		return -1;
	rip_options_page(&job->options, &job->header.job, &job->choice);
	if (!job->choice.pure_black)
		return -1;
	profile = rip_gs_pure_black(&config, why, sizeof why);
	if (profile < 0)
		rip_warning("pure black of CMYK is printed as a grey: %s", why);
	return profile < 0 ? -1 : profile;
}

int rip_contone_job_run(struct rip_pdf_job *pdf, const struct rip_contone_files *files)
{
	struct rip_raster_job *job = calloc(1, sizeof *job);
	struct rip_contone_filter filter = { .pid = 0 };
	struct rip_contone_files all = files ? *files : (struct rip_contone_files){ -1, -1, -1 };
	int r;

	if (!job) {
		rip_error("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	job->number = pdf->number;
	job->printer = pdf->printer;
	job->socket = pdf->socket;
	job->queue = &pdf->queue;
	job->options = &pdf->options;
	job->place = pdf->place;
	job->receiver = pdf->receiver;
	job->shown = &pdf->shown;
	if (pdf->drawn_by) {
		all.cmyk = make_pure_black(pdf);
		r = rip_contone_filter_start(&filter, pdf->drawn_by, pdf->argv, pdf->document,
					     &all);
		if (all.cmyk >= 0)
			close(all.cmyk);
	} else {
		job->next = rip_raster_document_next;
		job->context = &pdf->raster;
		job->from_pwg = pdf->header.pwg;
		r = 0;
	}
	if (r == 0 && job->place.next)
		r = rip_next_filter_start(&pdf->next, job->place.next, pdf->argv);
	if (r == 0)
		r = rip_raster_job_run(job, filter.raster);
	if (!job->receiver)
		rip_ink_tally_job(&job->ink);
	rip_raster_job_finish(job);
	free(job);
	return rip_contone_filter_end(&filter, r);
}

/* ---- begin and end ---- */

void rip_pdf_job_begin(struct rip_pdf_job *job)
{
	job->document = -1;
	rip_options_init(&job->options, job->text, &job->queue);
}

void rip_pdf_job_finish(struct rip_pdf_job *job)
{
	rip_workers_close(&job->workers);
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++)
		rip_page_plan_finish(&job->plans[i]);
	rip_sink_finish(&job->sink);
	rip_raster_document_close(&job->raster);
	rip_options_finish(&job->options);
	rip_queue_close(&job->queue);
	if (job->document >= 0)
		close(job->document);
	free(job->list);
	free(job->dots);
}
