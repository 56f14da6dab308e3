/* A PDF document that is printed on a queue. */
#include "pdf_job.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/chain/contone_filter.h"
#include "filter/page/header.h"
#include "filter/ink/light_inks.h"
#include "filter/page/page.h"
#include "filter/page/pass.h"
#include "filter/report.h"
#include "filter/page/screen_choice.h"
#include "halftone/cpu.h"
#include "rip/document.h"
#include "rip/page_list.h"

/* ---- pages ---- */

/* The page header for the samples of a page, checked. */
static int header_of(const struct rip_pdf_job *job, const struct rip_worked_page *page,
		     cups_page_header2_t *header, struct rip_geometry *geometry, double matrix[6],
		     char *why, size_t size)
{
	/* Copies of a page follow each other, and are one page to Ghostscript. */
	const unsigned index = job->receiver ? page->number - 1 : page->index / job->header.repeat;
	int r = rip_pdf_header_page(&job->header, index, page->paper.width, page->paper.height, header,
				    matrix, why, size);

	return r < 0 ? r : rip_header_check(header, geometry, why, size);
}

/* Puts the screen and the curves of a page into its plan. */
static void place_tones(const struct rip_tone_curves *curves, const struct rip_screen *screen,
			const struct rip_geometry *geometry, struct rip_placed_page *placed)
{
	placed->tones = curves;
	placed->toner = curves->toner;
	placed->limit = curves->limit.most > 0 && geometry->planes > 1 ? rip_tone_curves_limit : NULL;
	placed->page.curves = (const uint16_t *const *)curves->curves;
	placed->page.screen = rip_screen_wanted(screen);
}

static int place(void *context, unsigned worker, const struct rip_worked_page *page,
		 struct rip_placed_page *placed, char *why, size_t size)
{
	struct rip_pdf_job *job = context;
	struct rip_tone_curves *curves = &job->curves[worker];
	cups_page_header2_t header, out;
	struct rip_geometry geometry;
	struct rip_output output;
	struct rip_choice choice;
	const struct rip_screen *screen;
	struct rip_mask_use use;
	int r = header_of(job, page, &header, &geometry, placed->matrix, why, size);

	if (r < 0)
		return r;
	rip_options_page(&job->options, &header, &choice);
	if (choice.inks != RIP_INKS_NONE && rip_geometry_is_rgb(&geometry))
		return rip_refuse(why, size, "halftone-inks needs riptide-rip=gstoraster");
	if (rip_light_inks_wanted(header.cupsColorSpace, choice.light_inks))
		return rip_refuse(why, size, "light inks need riptide-rip=gstoraster");
	r = rip_header_rewrite(&header, &geometry, choice.levels, job->place.pwg, job->header.pwg, &out,
			       &output, why, size);
	if (r == 0)
		r = rip_choose_screen(&job->options, &job->masks[worker], &choice, &header, &geometry,
				      page->index + 1, &screen, why, size);
	if (r < 0)
		return r;
	rip_page_mask_use(&header, &geometry, &use);
	placed->page = (struct riptide_page){
		.size = sizeof placed->page, .width = geometry.width, .height = geometry.height,
		.sample_bits = 8, .levels = choice.levels, .number = page->number,
		.method = rip_method_name(choice.method),
	};
	rip_page_put_use(&use, placed->inks, &placed->page);
	r = rip_page_tones_make(&job->tones, curves, &job->options, &job->queue, &choice, &header, &geometry,
				screen, why, size);
	if (r == 0)
		r = rip_pages_check(&geometry, &output, screen, curves, false, why, size);
	if (r < 0)
		return r;
	place_tones(curves, screen, &geometry, placed);
	rip_pdf_header_contone(header.cupsColorSpace, placed->sources);
	placed->toner.full_is_0 ^= placed->sources[0].invert;
	rip_debug("page %u: %u x %u, %s -> %s, %u bit%s, order %u; halftone=%s halftone-screen=%s "
		  "halftone-levels=%u", page->index + 1, geometry.width, geometry.height,
		  rip_color_space_name(header.cupsColorSpace), rip_color_space_name(out.cupsColorSpace),
		  output.bits, output.bits == 1 ? "" : "s", output.order, rip_method_name(choice.method),
		  screen->name, choice.levels);
	rip_tone_curves_tell(curves, why, size);
	rip_debug("page %u: tones: %s", page->index + 1, why);
	why[0] = '\0';
	return 0;
}

static int begin(void *context, const struct rip_worked_page *page)
{
	struct rip_pdf_job *job = context;
	cups_page_header2_t header, out;
	struct rip_geometry geometry;
	struct rip_output output;
	double matrix[6];
	char why[256];
	int r = header_of(job, page, &header, &geometry, matrix, why, sizeof why);

	if (r == 0)
		r = rip_header_rewrite(&header, &geometry, page->placed.page.levels, job->place.pwg,
				       job->header.pwg, &out, &output, why, sizeof why);
	if (r < 0) {
		rip_error("page %u: %s", page->index + 1, why);
		return r;
	}
	/* Pages count alike, whatever their size. */
	job->lines = geometry.height;
	job->written = (uint64_t)page->index * job->lines;
	rip_report_rows(job->written, job->pages * job->lines, &job->reported);
	return rip_sink_begin(&job->sink, &out, &output);
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
		rip_ink_report_page(&job->ink, page->index + 1, copies, &job->sink);
	if (job->place.last)
		rip_report_page(page->index + 1, copies ? copies : 1);
	return 0;
}

/* ---- the job ---- */

static void log_line(void *context, const char *text)
{
	(void)context;
	rip_debug("Ghostscript: %s", text);
}

/* A number of the job's options, 1 to `most`, or `otherwise`. */
static unsigned number_of(const struct rip_pdf_job *job, const char *name, unsigned most, unsigned otherwise)
{
	const char *value = cupsGetOption(name, job->options.count, job->options.job);
	char *end_of;
	long n;

	if (!value)
		return otherwise;
	n = strtol(value, &end_of, 10);
	if (*value >= '0' && *value <= '9' && !*end_of && n >= 1 && n <= (long)most)
		return (unsigned)n;
	rip_warning("%s=%.64s in the job's options is not valid; valid values are 1 to %u", name, value, most);
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
			.page_seconds = number_of(job, timeout, RIP_GS_SECONDS_MAX, 0), .page_option = timeout,
			.log = log_line },
		.riptide = { .size = sizeof config.riptide, .socket = job->socket,
			     .job = job->number, .queue = job->printer, .flags = RIPTIDE_OVERLAP,
			     .log = rip_report_log },
		.workers = number_of(job, "riptide-workers", RIP_WORKERS_MAX,
				     processors < RIP_WORKERS_MAX ? processors : RIP_WORKERS_MAX),
		.place = place, .begin = begin, .line = line, .end = end, .context = job,
	};
	int r;

	rip_debug("%u worker%s", config.workers, config.workers == 1 ? "" : "s");
	r = rip_workers_open(&job->workers, &config);
	if (r < 0)
		rip_error("%s", job->workers.why);
	return r;
}

/* How dots look, before the workers' threads change what the options have warned of. */
static void show_printer(struct rip_pdf_job *job)
{
	struct rip_choice choice;

	rip_options_page(&job->options, &job->header.job, &choice);
	rip_shown_by(&job->shown, &job->options, &choice,
		     rip_page_cal(&job->tones.cals, choice.tone.calibration), NULL);
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
	struct rip_choice choice;

	if (rip_pass_wanted(&job->queue, space))
		return RIP_CONTONE_FILTER_USUAL;
	rip_options_page(&job->options, &job->header.job, &choice);
	if (rip_light_inks_wanted(space, choice.light_inks))
		return RIP_CONTONE_FILTER_USUAL;
	return choice.inks != RIP_INKS_NONE && rip_color_space_planes(space) == 3 && rip_color_space_light(space) ?
		RIP_CONTONE_FILTER_USUAL : NULL;
}

/* Opens the document and makes the job's header.  0, RIP_PDF_JOB_CONTONE, or -errno (reported, but for
 * -ENODATA: there are no pages). */
static int prepare(struct rip_pdf_job *job, int fd)
{
	char why[320];
	int r;

	job->document = rip_document_open(fd, why, sizeof why);
	if (job->document == -ENODATA) {
		rip_debug("no pages: %s", why);
		return -ENODATA;
	}
	r = job->document;
	if (r >= 0)
		job->drawn_by = rip_contone_filter_chosen(&job->options, &job->queue);
	if (r >= 0 && !job->receiver)
		rip_queue_place(&job->queue, RIP_PDF_FILTER, job->final, &job->place);
	if (r >= 0 && !job->drawn_by)
		r = rip_pdf_header_init(&job->header, &job->queue, job->printer, job->text, job->final,
					job->document, why, sizeof why);
	if (r < 0) {
		rip_error("%s", why);
		return r;
	}
	if (!job->drawn_by)
		job->drawn_by = drawn_by(job);
	return job->drawn_by ? RIP_PDF_JOB_CONTONE : 0;
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
	if (job->receiver) {
		show_printer(job);
		rip_sink_init_receiver(&job->sink, job->receiver);
	} else {
		rip_sink_init(&job->sink, STDOUT_FILENO, job->place.pwg, job->place.next);
	}
	r = open_workers(job);
	if (r == 0)
		r = make_list(job);
	if (r < 0)
		return r;
	r = rip_workers_run(&job->workers, job->list, job->pages);
	if (r < 0 && job->workers.why[0])
		rip_error("%s", job->workers.why);
	if (r == 0) {
		rip_debug("%u page%s", job->pages, job->pages == 1 ? "" : "s");
		rip_ink_report_job(&job->ink);
	}
	return r;
}

void rip_pdf_job_begin(struct rip_pdf_job *job)
{
	job->document = -1;
	rip_options_init(&job->options, job->text, &job->queue);
}

void rip_pdf_job_finish(struct rip_pdf_job *job)
{
	rip_workers_close(&job->workers);
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++)
		rip_tone_curves_finish(&job->curves[i]);
	rip_sink_finish(&job->sink);
	rip_options_finish(&job->options);
	rip_queue_close(&job->queue);
	if (job->document >= 0)
		close(job->document);
	free(job->list);
}
