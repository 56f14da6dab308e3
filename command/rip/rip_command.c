#include "command/option.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/curve_file.h"
#include "filter/page/page_plan.h"
#include "filter/report.h"
#include "halftone/cpu.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "command/json.h"
#include "rip/document.h"
#include "rip/page_workers.h"
#include "rip.h"
#include "system/clock.h"
#include "tone/ink_name.h"
#include "command/terminal.h"

/* One run of the command. */
struct rip_job {
	struct rip_rip_options  options;
	const char             *name;     /* of the document, for messages */
	int                     document; /* a descriptor, or -1 */
	struct rip_out_file     file;     /* of PNG: of the page */
	char                   *page_name; /* of PNG, if there are several */
	struct rip_rip_output   output;
	struct rip_curve_file   curve;
	uint16_t               *curve8;   /* NULL: none */
	struct rip_workers      workers;
	struct rip_planner      planner;
	struct rip_page_plan    plans[RIP_WORKERS_MAX]; /* of each worker's page */
	unsigned               *list;     /* of pages */
	unsigned                count;
	unsigned                done;
	int64_t                 start_ms;
};

/* Receives the messages of the raster's writer, in the main thread. */
static void log_output(void *context, enum riptide_log_level level, const char *text)
{
	const struct rip_job *job = context;

	if (level >= RIPTIDE_LOG_WARNING && job->output.sink.error)
		rip_complain(0, "cannot write %s: %s",
			     job->file.name, strerror(job->output.sink.error));
	else
		rip_complain_log((void *)job->name, level, text);
}

static void warn(void *name, const char *text)
{
	rip_complain(0, "%s: %s", (const char *)name, text);
}

/* ---- what the workers ask ---- */

/* As `riptide halftone` takes the names of a TIFF file. */
static void name_inks(const struct rip_gs_page *paper, enum rip_ink inks[])
{
	memcpy(inks, rip_inks_cmyk, sizeof rip_inks_cmyk);
	for (unsigned i = 0; i < paper->spots.count; i++)
		inks[4 + i] = rip_ink_of_name(paper->spots.names[i]);
}

static int place(void *context, unsigned worker, const struct rip_worked_page *page,
		 struct rip_placed_page *placed, char *why, size_t size)
{
	struct rip_job *job = context;
	const struct rip_rip_options *options = &job->options;
	const struct rip_screen_option *asked = &options->image.common.screen;
	struct rip_page_plan *plan = &job->plans[worker];
	struct rip_output_page made;
	int r = rip_output_place(options, &page->paper, &made, why, size);

	if (r < 0)
		return r;
	plan->number = page->number;
	plan->geometry = made.geometry;
	rip_page_mask_use(&made.header, &made.geometry, &plan->use);
	if (options->model == RIP_CONTONE_SEPARATIONS)
		name_inks(&page->paper, plan->use.inks);
	plan->first = job->curve8;
	plan->output.levels = options->image.common.levels;
	plan->tone = options->tone;
	plan->flags = options->image.start == RIP_START_ZERO ? RIPTIDE_START_ZERO : 0;
	plan->screen = asked->screen ? asked->screen : &plan->mask.base;
	plan->labels = asked->labels;
	if (!asked->screen)
		r = rip_mask_screen_init(&plan->mask, asked->mask, &plan->use, why, size);
	if (r < 0)
		return r;
	if (rip_page_plan_tones(plan, &job->planner) < 0) {
		snprintf(why, size, "out of memory");
		return -ENOMEM;
	}
	*placed = (struct rip_placed_page){
		.matrix = { options->image.dpi.x / 72., 0, 0, -(options->image.dpi.y / 72.), 0,
			    made.geometry.height },
		.around = plan->curves.around,
	};
	for (unsigned i = 0; i < made.geometry.planes; i++)
		placed->sources[i].sample = i;
	if (plan->curves.limit.most > 0 && made.geometry.planes > 1)
		placed->ink_limit = plan->tone.ink_limit;
	rip_page_plan_put(plan, placed->inks, &placed->page);
	return 0;
}

static void show_progress(const struct rip_job *job)
{
	const int64_t ms = rip_clock_ms() - job->start_ms;

	if (job->done == 0 || ms <= 0)
		rip_progress_text("%.60s: page 1 of %u", job->name, job->count);
	else
		rip_progress_text("%.60s: page %u of %u, %.0f pages a minute", job->name,
				  job->done + 1, job->count, job->done * 60000. / (double)ms);
}

/* Opens a file: of all pages, or of one as PNG.  0 or -errno (reported). */
static int open_file(struct rip_job *job, const char *path)
{
	const struct rip_tiff_plates_spec spec = {
		.input = job->document, .curve = job->options.image.curve, .out = path,
		.composite = true, .compression = job->options.compression,
	};
	int r;

	if (job->options.format == RIP_FORMAT_TIFF)
		return rip_tiff_plates_open(&job->output.plates, &spec, 1, NULL);
	r = rip_out_name_check_input(path, job->document);
	if (r == 0)
		r = rip_out_name_check_file(path, job->options.image.curve, "curve");
	return r < 0 ? r : rip_out_file_open(&job->file, path);
}

/* The file of a page as PNG: OUT.png, or OUT-2.png if there are several. */
static int open_page(struct rip_job *job, unsigned number)
{
	if (job->count == 1)
		return open_file(job, job->options.image.out);
	free(job->page_name);
	job->page_name = rip_out_name_numbered(job->options.image.out, number);
	return job->page_name ? open_file(job, job->page_name) :
				rip_complain(-ENOMEM, "%s: out of memory", job->name);
}

static int begin(void *context, const struct rip_worked_page *page)
{
	struct rip_job *job = context;
	struct rip_output_page made;
	char why[256];
	int r = rip_output_place(&job->options, &page->paper, &made, why, sizeof why);

	if (r < 0)
		return rip_complain(r, "%s: page %u: %s", job->name, page->number, why);
	if (job->options.format == RIP_FORMAT_PNG)
		r = open_page(job, page->number);
	return r < 0 ? r : rip_output_begin(&job->output, &page->paper, &made);
}

static int line(void *context, const uint8_t *const planes[])
{
	struct rip_job *job = context;

	show_progress(job);
	return rip_sink_row(&job->output.sink, planes);
}

static int end(void *context, const struct rip_worked_page *page)
{
	struct rip_job *job = context;
	int r = rip_sink_end(&job->output.sink);

	if (r == 0 && job->options.format == RIP_FORMAT_PNG)
		r = rip_out_file_commit(&job->file);
	if (r < 0)
		return r;
	job->done++;
	if (page->warning[0])
		rip_complain(0, "%s: page %u may not be complete: %s", job->name, page->number,
			     page->warning);
	if (job->options.json) {
		printf("{\"page\":%u,\"width\":%u,\"height\":%u,\"planes\":%u,\"levels\":%u,",
		       page->number, page->placed.page.width, page->placed.page.height,
		       page->placed.page.planes, page->placed.page.levels);
		rip_json_string("device", page->device);
		printf("\"attempts\":%u,\"complete\":%s,\"ms\":%.1f}\n", page->attempts,
		       page->warning[0] ? "false" : "true", page->ms);
	}
	return 0;
}

/* ---- the command ---- */

static int open_document(struct rip_job *job)
{
	const char *path = job->options.image.in;
	const bool standard = rip_is_standard(path);
	char why[256];
	int fd;

	job->name = standard ? "standard input" : path;
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return rip_complain(-errno, "cannot open %s: %s", path, strerror(errno));
	job->document = rip_document_open(fd, false, why, sizeof why);
	if (!standard)
		close(fd);
	return job->document < 0 ? rip_complain(job->document, "%s: %s", job->name, why) : 0;
}

static int open_curve(struct rip_job *job)
{
	const char *path = job->options.image.curve;
	int r = path ? rip_curve_file_read(&job->curve, path) : 0;

	if (r == 0 && rip_curve_file_table(&job->curve, 255, 8, &job->curve8) < 0)
		r = rip_complain(-ENOMEM, "%s: out of memory", job->name);
	return r;
}

/* Finds the pages and starts the workers that they keep busy. */
static int open_workers(struct rip_job *job)
{
	const struct rip_rip_options *options = &job->options;
	const struct rip_common_options *common = &options->image.common;
	const unsigned processors = rip_cpu_count();
	unsigned workers = options->workers ? options->workers : processors;
	struct rip_workers_config config = {
		.gs = { .document = job->document, .contone = options->model,
			.pure_black = options->black == RIP_BLACK_FULL,
			.keep_black = options->keep_black,
			.black_overprint = options->black_overprint == RIP_OVERPRINT_TEXT,
			.output_intent = true,
			.auto_monochrome = options->auto_monochrome,
			.x_dpi = options->image.dpi.x, .y_dpi = options->image.dpi.y,
			.page_seconds = options->page_seconds, .page_option = "--page-timeout",
			.warn = warn, .context = (void *)job->name },
		.riptide = { .size = sizeof config.riptide, .socket = "none",
			     .isa = common->isa, .threads = common->threads,
			     .flags = RIPTIDE_OVERLAP | (common->device.choice == RIP_CHOOSE_GPU ?
								RIPTIDE_REQUIRE_GPU : 0),
			     .device = (uint32_t)(common->device.number + 1),
			     .log = rip_complain_log, .context = (void *)job->name },
		.place = place, .begin = begin, .line = line, .end = end, .context = job,
	};
	unsigned missing;
	int r;

	config.workers = workers < RIP_WORKERS_MAX ? workers : RIP_WORKERS_MAX;
	r = rip_workers_open(&job->workers, &config);
	if (r < 0)
		return rip_complain(r, "%s: %s", job->name, job->workers.why);
	if (job->workers.pages == 0)
		return rip_complain(-ENODATA, "%s: the document has no pages", job->name);
	r = rip_page_list_resolve(options->pages, job->workers.pages, &job->list,
				  &job->count, &missing);
	if (r == -ERANGE)
		return rip_complain(r, "%s: there is no page %u: the document has %u",
				    job->name, missing, job->workers.pages);
	if (r == -E2BIG)
		return rip_complain(r, "%s: more than %d pages: choose fewer with --pages",
				    job->name, RIP_PAGE_LIST_MAX);
	return r < 0 ? rip_complain(r, "%s: %s", job->name, strerror(-r)) : 0;
}

/* A PNG file has one page.  0 or -errno (reported). */
static int check_pages(const struct rip_job *job)
{
	const char *out = job->options.image.out;

	if (job->options.format != RIP_FORMAT_PNG || job->count == 1)
		return 0;
	if (rip_is_standard(out))
		return rip_complain(-EINVAL, "%s: standard output takes one PNG picture: choose"
				    " a page with --pages, or name a file with -o", job->name);
	return rip_out_name_check_regular(out);
}

static int run(struct rip_job *job)
{
	const struct rip_report_listener listener = { log_output, NULL, job };
	const bool png = job->options.format == RIP_FORMAT_PNG;
	int r = open_document(job);

	if (r == 0)
		r = open_curve(job);
	rip_output_init(&job->output, &job->options, &job->file);
	/* Before threads are started, because the main thread handles out_file.c's signals. */
	if (r == 0 && !png)
		r = open_file(job, job->options.image.out);
	if (r < 0)
		return r;
	rip_report_listen(&listener);
	job->start_ms = rip_clock_ms();
	r = open_workers(job);
	if (r == 0)
		r = check_pages(job);
	if (r == 0) {
		job->output.pages = job->count;
		r = rip_workers_run(&job->workers, job->list, job->count);
		if (r < 0 && job->workers.why[0])
			rip_complain(r, "%s: %s", job->name, job->workers.why);
	}
	rip_report_listen(NULL);
	if (r < 0 || png)
		return r;
	return job->options.format == RIP_FORMAT_TIFF ?
	       rip_tiff_plates_commit(&job->output.plates) : rip_out_file_commit(&job->file);
}

int rip_rip_command(int argc, char **argv)
{
	struct rip_job *job = calloc(1, sizeof *job);
	int status, r;

	if (!job)
		return rip_complain(1, "out of memory");
	job->document = job->file.fd = -1;
	status = rip_rip_options_parse(&job->options, argc, argv);
	if (status == RIP_GO_ON)
		status = rip_option_image_terminals("rip", "document", "dots", &job->options.image);
	if (status == RIP_GO_ON) {
		r = run(job);
		rip_progress_clear();
		rip_workers_close(&job->workers);
		for (unsigned w = 0; w < RIP_WORKERS_MAX; w++)
			rip_page_plan_finish(&job->plans[w]);
		rip_output_finish(&job->output);
		rip_out_file_abandon(&job->file);
		rip_curve_file_finish(&job->curve);
		if (job->document >= 0)
			close(job->document);
		status = r < 0 ? 1 : 0;
	}
	free(job->page_name);
	free(job->curve8);
	free(job->list);
	free(job);
	return status;
}
