/* All pages of a document: drawn and halftoned by rip/, written in order. */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/options.h"
#include "filter/page/dots.h"
#include "filter/page/page_plan.h"
#include "filter/report.h"
#include "halftone/cpu.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "rip/document.h"
#include "rip/page_workers.h"

struct job {
	const struct rip_transform_request *request;
	int                   document;
	struct rip_queue      queue;    /* without a PPD */
	struct rip_options    options;
	struct rip_choice     choice;
	struct rip_planner    planner;
	struct rip_page_plan  plans[RIP_WORKERS_MAX]; /* of the page that each worker does */
	struct rip_workers    workers;
	unsigned             *list;     /* of pages, of all copies */
	unsigned              pages;    /* of a copy */
	unsigned              copies;   /* that are made here */
	unsigned              sides;    /* of a copy, with an empty one at its end */
	cups_page_header2_t   headers[2]; /* front, back */
	struct rip_transform_output output;
	uint8_t              *line;
	unsigned              impressions, sheets; /* so far */
};

static bool is_dots(const struct job *job)
{
	return job->request->type->bits == 1;
}

/* ---- messages ---- */

static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	const struct job *job = context;

	if (level == RIPTIDE_LOG_ERROR)
		rip_complain(0, "%s", text);
	else if (level == RIPTIDE_LOG_WARNING)
		fprintf(stderr, "WARN: %s\n", text);
	else if (job->request->debug)
		fprintf(stderr, "DEBUG: %s\n", text);
}

static void log_gs(void *context, const char *text)
{
	log_line(context, RIPTIDE_LOG_DEBUG, text);
}

static void warn(void *context, const char *text)
{
	log_line(context, RIPTIDE_LOG_WARNING, text);
}

/* ---- what the workers ask ---- */

static bool is_back(const struct job *job, const struct rip_worked_page *page)
{
	return job->headers[0].Duplex && page->index % job->pages % 2;
}

/* The header of the samples that become dots. */
static cups_page_header2_t samples_of(const struct job *job)
{
	cups_page_header2_t h = job->headers[0];

	h.cupsColorSpace = CUPS_CSPACE_SW;
	h.cupsBitsPerColor = h.cupsBitsPerPixel = 8;
	h.cupsNumColors = 1;
	h.cupsBytesPerLine = h.cupsWidth;
	return h;
}

static int place(void *context, unsigned worker, const struct rip_worked_page *page,
		 struct rip_placed_page *placed, char *why, size_t size)
{
	struct job *job = context;
	struct rip_page_plan *plan = &job->plans[worker];
	const cups_page_header2_t samples = samples_of(job);
	int r;

	placed->contone = !is_dots(job);
	placed->page.width = samples.cupsWidth;
	placed->page.height = samples.cupsHeight;
	if (is_dots(job)) {
		r = rip_page_plan_make(plan, &job->planner, page->index + 1, &samples, why, size);
		if (r < 0)
			return r;
		rip_page_plan_put(plan, placed->inks, &placed->page);
		placed->page.number = page->number;
		placed->around = plan->curves.around;
		placed->sources[0] = (struct rip_plane_source){ 0, false };
		rip_page_plan_tell(plan);
	}
	rip_transform_place(job->request, &job->headers[0], page->paper.width, page->paper.height,
			    is_back(job, page), placed->matrix);
	why[0] = '\0'; /* of a mask that was refused */
	return 0;
}

static int begin(void *context, const struct rip_worked_page *page)
{
	struct job *job = context;

	return rip_transform_output_begin(&job->output, &job->headers[is_back(job, page)]);
}

static int line(void *context, const uint8_t *const planes[])
{
	struct job *job = context;
	const cups_page_header2_t *h = &job->headers[0];
	const bool light = rip_color_space_light(h->cupsColorSpace);

	/* Dots are light, as the samples are; pixels come as ink. */
	if (is_dots(job))
		rip_dots_copy(planes[0], h->cupsWidth, 1, 2, !light, job->line);
	else if (light)
		rip_dots_copy(planes[0], 8 * h->cupsBytesPerLine, 1, 2, true, job->line);
	return rip_transform_output_line(&job->output, is_dots(job) || light ? job->line :
							       planes[0]);
}

static void count_side(struct job *job)
{
	fprintf(stderr, "ATTR: job-impressions-completed=%u\n", ++job->impressions);
	if (!job->headers[0].Duplex || job->impressions % 2)
		fprintf(stderr, "ATTR: job-media-sheets-completed=%u\n", ++job->sheets);
}

/* The back of a copy's last sheet, so that the next copy begins on a sheet of its own. */
static int write_empty(struct job *job)
{
	const cups_page_header2_t *h = &job->headers[1];
	int r = rip_transform_output_begin(&job->output, h);

	memset(job->line, rip_color_space_light(h->cupsColorSpace) ? 255 : 0, h->cupsBytesPerLine);
	for (unsigned y = 0; r == 0 && y < h->cupsHeight; y++)
		r = rip_transform_output_line(&job->output, job->line);
	if (r == 0)
		count_side(job);
	return r;
}

static int end(void *context, const struct rip_worked_page *page)
{
	struct job *job = context;

	if (page->warning[0]) {
		char text[400];

		snprintf(text, sizeof text, "page %u may not be complete: %s", page->number,
			 page->warning);
		warn(job, text);
	}
	count_side(job);
	return job->sides > job->pages && (page->index + 1) % job->pages == 0 ? write_empty(job) :
										0;
}

/* ---- the job ---- */

/* Opens the document.  0 or -errno (reported). */
static int open_document(struct job *job)
{
	const char *path = job->request->file;
	char why[256];
	int fd;

	if (job->request->image != RIP_IMAGE_UNKNOWN) {
		job->document = rip_transform_image(job->request);
		return job->document < 0 ? job->document : 0;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return rip_complain(-errno, "cannot open %s: %s", path, strerror(errno));
	job->document = rip_document_open(fd, false, why, sizeof why);
	close(fd);
	return job->document < 0 ? rip_complain(job->document, "%s: %s", path, why) : 0;
}

/* The file of -f becomes standard output.  0 or -errno (reported). */
static int open_output(const struct rip_transform_request *request)
{
	int fd, r = rip_out_name_check_file(request->output, request->file, "document");

	if (r < 0 || !request->output)
		return r;
	fd = open(request->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		r = rip_complain(-errno, "cannot open %s: %s", request->output, strerror(errno));
	if (fd >= 0)
		close(fd);
	return r;
}

static int open_workers(struct job *job)
{
	const struct rip_transform_request *request = job->request;
	const unsigned processors = rip_cpu_count();
	const struct rip_workers_config config = {
		.gs = { .document = job->document, .contone = request->type->contone,
			.x_dpi = request->x_dpi, .y_dpi = request->y_dpi,
			.prologue = request->image == RIP_IMAGE_UNKNOWN ? NULL :
				    RIP_TRANSFORM_SMOOTH,
			.pure_black = job->choice.pure_black,
			.keep_black = job->choice.keep_black,
			.black_overprint = job->choice.black_overprint,
			.log = log_gs, .warn = warn, .context = job },
		.riptide = { .size = sizeof config.riptide, .socket = "none",
			     .flags = RIPTIDE_OVERLAP, .log = log_line, .context = job },
		.workers = processors < RIP_WORKERS_MAX ? processors : RIP_WORKERS_MAX,
		.place = place, .begin = begin, .line = line, .end = end, .context = job,
	};
	const int r = rip_workers_open(&job->workers, &config);

	if (r < 0)
		return rip_complain(r, "%s: %s", request->file, job->workers.why);
	return job->workers.pages ? 0 : rip_complain(-ENODATA, "%s: the document has no pages",
						     request->file);
}

/* The pages of all copies, and their headers.  0 or -errno (reported). */
static int make_list(struct job *job)
{
	const struct rip_transform_request *request = job->request;
	uint64_t all;

	if (job->workers.pages > RIP_PAGE_LIST_MAX)
		return rip_complain(-E2BIG, "%s: %u pages are too many: at most %d can be printed",
				    request->file, job->workers.pages, RIP_PAGE_LIST_MAX);
	for (unsigned page = 1; page <= job->workers.pages; page++)
		job->pages += rip_transform_has_page(request, page);
	if (!job->pages)
		return rip_complain(-ERANGE, "%s: page-ranges=%.64s has none of its %u pages",
				    request->file, request->ranges, job->workers.pages);
	job->copies = request->uncollated ? 1 : request->copies;
	all = (uint64_t)job->pages * job->copies;
	if (all > RIP_PAGE_LIST_MAX)
		return rip_complain(-E2BIG, "%u pages and %u copies are too many", job->pages,
				    job->copies);
	job->list = malloc(all * sizeof *job->list);
	if (!job->list)
		return rip_complain(-ENOMEM, "%s: out of memory", request->file);
	all = 0;
	for (unsigned copy = 0; copy < job->copies; copy++)
		for (unsigned page = 1; page <= job->workers.pages; page++)
			if (rip_transform_has_page(request, page))
				job->list[all++] = page;
	job->sides = job->pages;
	if (request->duplex && request->copies > 1 && job->pages > 1 && job->pages % 2)
		job->sides++;
	for (int back = 0; back < 2; back++)
		rip_transform_header(request, job->pages, job->sides * request->copies, back,
				     &job->headers[back]);
	return 0;
}

/* Checks the size of the pages, which all have one, before anything is written. */
static int check_pages(struct job *job)
{
	const cups_page_header2_t samples = samples_of(job);
	struct rip_geometry geometry;
	char why[256];
	int r = rip_header_check(&samples, &geometry, why, sizeof why);

	if (r == 0 && (uint64_t)samples.cupsWidth * job->headers[0].cupsNumColors > RIP_LINE_MAX)
		r = rip_refuse(why, sizeof why, "%u columns are too many", samples.cupsWidth);
	if (r == 0 && job->request->format == RIP_TRANSFORM_APPLE &&
	    job->request->x_dpi % job->request->y_dpi)
		r = rip_refuse(why, sizeof why, "Apple raster has no resolution of %ux%udpi",
			       job->request->x_dpi, job->request->y_dpi);
	if (r < 0)
		return rip_complain(r, "the page: %s", why);
	job->line = malloc(job->headers[0].cupsBytesPerLine);
	return job->line ? 0 : rip_complain(-ENOMEM, "out of memory");
}

static void tell(const struct job *job)
{
	fprintf(stderr, "ATTR: job-impressions=%u\nATTR: job-pages=%u\n"
		"ATTR: job-media-sheets=%u\n", job->pages, job->pages,
		job->headers[0].Duplex ? (job->pages + 1) / 2 : job->pages);
}

static int run(struct job *job)
{
	const cups_page_header2_t nothing = { .cupsColorSpace = CUPS_CSPACE_SW };
	char *text = rip_transform_dot_options(job->request);
	int r = text ? open_document(job) : -EINVAL;

	if (text)
		rip_options_init(&job->options, text, &job->queue);
	free(text);
	if (r == 0) {
		rip_options_page(&job->options, &nothing, &job->choice);
		job->planner.queue = &job->queue;
		job->planner.options = &job->options;
		r = open_workers(job);
	}
	if (r == 0)
		r = make_list(job);
	if (r == 0)
		r = check_pages(job);
	if (r == 0)
		r = open_output(job->request);
	if (r < 0)
		return r;
	tell(job);
	r = rip_workers_run(&job->workers, job->list, job->pages * job->copies);
	if (r < 0 && job->workers.why[0])
		rip_complain(r, "%s: %s", job->request->file, job->workers.why);
	return r < 0 ? r : rip_transform_output_end(&job->output);
}

int rip_transform_run(const struct rip_transform_request *request)
{
	struct job *job = calloc(1, sizeof *job);
	const struct rip_report_listener listener = { log_line, NULL, job };
	int r;

	if (!job)
		return rip_complain(-ENOMEM, "out of memory");
	job->request = request;
	job->output.request = request;
	job->document = -1;
	rip_report_listen(&listener);
	r = run(job);
	rip_workers_close(&job->workers);
	rip_transform_output_finish(&job->output);
	rip_report_listen(NULL);
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++)
		rip_page_plan_finish(&job->plans[i]);
	rip_options_finish(&job->options);
	if (job->document >= 0)
		close(job->document);
	free(job->list);
	free(job->line);
	free(job);
	return r;
}
