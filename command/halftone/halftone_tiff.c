/* Halftones TIFF files to TIFF files, or for a receiver of the dots. */
#include "halftone_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/page/dots.h"
#include "halftone/page/rows.h"
#include "image/complain.h"
#include "command/terminal.h"
#include "command/tiff_plates.h"
#include "image/tiff.h"

struct rip_halftone_tiff {
	struct rip_halftone_job *job;
	struct rip_tiff_reader *reader;
	struct rip_tiff_plates plates;
	struct rip_dot_receiver receiver; /* the job's, or the plates */
	unsigned number;               /* of the page, from 1 */
	const struct rip_tiff_page *page;
	struct rip_page_plan   plan;    /* of the page */
	struct rip_around      *around; /* of the page, or NULL */
	uint8_t *line;                 /* of the file, if it has several planes */
	uint8_t *dots;                 /* a line of each plane, of a page of dots */
};

/* --- before the halftoner ---------------------------------------------------- */

/* Whether the planes of a page go to the files of the first one. */
static bool has_same_planes(const struct rip_tiff_page *a, const struct rip_tiff_page *b)
{
	return a->planes == b->planes && a->colours == b->colours &&
	       !memcmp(a->names, b->names, sizeof a->names);
}

static bool is_dots(const struct rip_tiff_page *page)
{
	return page->bits < 8;
}

/* The levels of a page's dots, or those that it is to be halftoned to. */
static unsigned levels_of(const struct rip_halftone_tiff *tiff, const struct rip_tiff_page *page)
{
	const unsigned asked = tiff->job->options.image.common.levels;

	if (page->levels)
		return rip_dot_bits(asked) == page->file_bits ? asked : 1u << page->file_bits;
	return page->bits == 1 ? 2 : asked;
}

/* A name that is nearly an ink's gets an angle as any other ink. */
static void warn_of_names(const struct rip_tiff_page *page, const char *name)
{
	for (uint32_t p = 0; p < page->planes; p++)
		if (rip_ink_meant(page->names[p]))
			rip_complain(0, "WARNING: %s: the ink \"%s\" is not taken for %s", name,
				     page->names[p], rip_ink_meant(page->names[p]));
}

/* Checks all pages, so that a document is not refused at its end.  *first is the first page. */
static int check_pages(struct rip_halftone_tiff *tiff, struct rip_tiff_page *first)
{
	const struct rip_halftone_options *options = &tiff->job->options;
	const char *name = tiff->job->input.name;
	const struct rip_tiff_page *page;
	const bool together = options->composite || tiff->job->receiver;
	int r;

	while ((r = rip_tiff_reader_next(tiff->reader, &page)) > 0) {
		const uint32_t levels = levels_of(tiff, page);

		if (options->ink_named && page->planes > 1)
			return rip_complain(-EINVAL, "%s: page %u has %u inks,"
					    " and --ink is only for one: leave that option out",
					    name, tiff->number + 1, page->planes);
		if (page->levels && !tiff->job->receiver)
			return rip_complain(-EBADMSG, "%s has dots of riptide's already,"
					    " with %u bits: nothing to halftone",
					    name, page->file_bits);
		if (tiff->number == 0 && !options->ink_named)
			warn_of_names(page, name);
		if (tiff->number++ == 0)
			*first = *page;
		else if (!together && !has_same_planes(first, page))
			return rip_complain(-EBADMSG, "%s: page %u has other inks than page 1:"
					    " split the file with tiffsplit, or add --composite",
					    name, tiff->number);
		tiff->plates.bytes += (uint64_t)rip_dot_bytes(page->width, levels) * page->height *
				      (options->composite ? page->planes : 1);
	}
	if (r == 0 && tiff->number == 0)
		r = rip_complain(-EBADMSG, "%s has no pages, only previews of pages", name);
	tiff->number = 0;
	return r;
}

int rip_halftone_tiff_open(struct rip_halftone_job *job)
{
	const struct rip_tiff_plates_spec spec = {
		.input = job->input.fd, .curve = job->options.image.curve,
		.out = job->options.image.out, .plane_names = job->options.plane_names,
		.composite = job->options.composite, .compression = job->options.compression,
	};
	struct rip_tiff_page first;
	int r;

	if (!job->receiver && rip_is_standard(spec.out))
		return rip_complain(-EINVAL, "%s is TIFF, and so is the output,"
				    " which must be a file: name it with -o", job->input.name);
	job->tiff = calloc(1, sizeof *job->tiff);
	if (!job->tiff)
		return rip_complain(-ENOMEM, "%s: out of memory", job->input.name);
	job->tiff->job = job;
	job->tiff->receiver = job->receiver ? *job->receiver :
			      rip_tiff_plates_receiver(&job->tiff->plates);
	r = rip_tiff_reader_open(&job->input, false, &job->tiff->reader);
	if (r == 0)
		r = check_pages(job->tiff, &first);
	if (r == 0)
		r = rip_tiff_reader_rewind(job->tiff->reader);
	if (r == 0 && !job->receiver)
		r = rip_tiff_plates_open(&job->tiff->plates, &spec, first.planes, first.names);
	return r;
}

void rip_halftone_tiff_close(struct rip_halftone_job *job)
{
	struct rip_halftone_tiff *tiff = job->tiff;

	if (!tiff)
		return;
	rip_tiff_plates_finish(&tiff->plates);
	rip_tiff_reader_close(tiff->reader);
	rip_page_plan_finish(&tiff->plan);
	free(tiff->line);
	free(tiff->dots);
	free(tiff);
	job->tiff = NULL;
}

/* --- pages ------------------------------------------------------------------- */

/* Reads the next line, or lines of one plane, as rows of the planes. */
static int read_planes(struct rip_halftone_tiff *tiff, void *const rows[], uint32_t lines)
{
	const struct rip_tiff_page *page = tiff->page;
	int r = 0;

	if (page->planes == 1)
		return rip_tiff_reader_lines(tiff->reader, 0, lines, rows[0]);
	for (uint32_t p = 0; page->separate && r == 0 && p < page->planes; p++)
		r = rip_tiff_reader_lines(tiff->reader, p, 1, rows[p]);
	if (page->separate)
		return r;
	r = rip_tiff_reader_lines(tiff->reader, 0, 1, tiff->line);
	if (r < 0)
		return r;
	if (page->bits == 1)
		rip_dots_split(tiff->line, page->width, page->planes, 0, page->planes,
			       (uint8_t *const *)rows);
	else if (page->levels)
		rip_dots_split_levels(tiff->line, page->width, page->bits, page->planes,
				      (uint8_t *const *)rows);
	else
		rip_split(tiff->line, page->width, page->planes, page->bits, rows, page->planes);
	return 0;
}

static int read_around(void *context, void *to, uint32_t lines)
{
	struct rip_halftone_tiff *tiff = context;
	const struct rip_tiff_page *page = tiff->page;
	const size_t bytes = (size_t)page->width * (page->bits / 8);
	uint8_t *at = to;
	int r = 0;

	if (!page->separate || page->planes == 1)
		return rip_tiff_reader_lines(tiff->reader, 0, lines, to);
	for (uint32_t i = 0; i < lines; i++)
		for (uint32_t p = 0; r == 0 && p < page->planes; p++, at += bytes)
			r = rip_tiff_reader_lines(tiff->reader, p, 1, at);
	return r;
}

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct rip_halftone_tiff *tiff = context;

	return tiff->around ? rip_around_rows(tiff->around, rows, tiff->page->planes, lines) :
			      read_planes(tiff, rows, lines);
}

static int read_pixels(void *context, void *pixels, uint32_t lines)
{
	return rip_tiff_reader_lines(((struct rip_halftone_tiff *)context)->reader, 0, lines,
				     pixels);
}

/* The inks of the page's planes; that of a grey page is the command line's, and of any other with
 * one plane, too, if it names one. */
static void inks_of(const struct rip_halftone_tiff *tiff, enum rip_ink inks[])
{
	memcpy(inks, tiff->page->inks, tiff->page->planes * sizeof *inks);
	if (tiff->page->colours == RIP_TIFF_GREY ||
	    (tiff->page->planes == 1 && tiff->job->options.ink_named))
		inks[0] = tiff->job->options.ink;
}

static int begin_dots(struct rip_halftone_tiff *tiff, uint32_t levels)
{
	const struct rip_tiff_page *page = tiff->page;
	struct rip_dot_page dots = {
		.width = page->width, .height = page->height, .planes = page->planes,
		.levels = levels, .x_dpi = page->x_dpi, .y_dpi = page->y_dpi,
		.light = page->colours == RIP_TIFF_GREY,
	};

	inks_of(tiff, dots.inks);
	tiff->plates.page = page;
	return tiff->receiver.begin(tiff->receiver.context, &dots);
}

static int write_line(void *context, const uint8_t *const dots[])
{
	const struct rip_dot_receiver *receiver = &((struct rip_halftone_tiff *)context)->receiver;

	return receiver->row(receiver->context, dots);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct rip_halftone_tiff *tiff = context;

	rip_progress(tiff->job->input.name, tiff->number, written, lines);
}

/* 0 or -errno (reported). */
static int plan_page(struct rip_halftone_tiff *tiff)
{
	const struct rip_tiff_page *page = tiff->page;
	struct rip_page_plan *plan = &tiff->plan;
	const bool light = page->colours == RIP_TIFF_GREY;

	plan->number = tiff->number;
	plan->geometry = (struct rip_geometry){
		.width = page->width, .height = page->height, .planes = page->planes,
		.sample_bits = page->bits, .stride = page->separate ? 1 : page->planes,
		.order = page->separate ? CUPS_ORDER_BANDED : CUPS_ORDER_CHUNKED, .light = light,
	};
	plan->use = (struct rip_mask_use){
		.x_dpi = page->x_dpi, .y_dpi = page->y_dpi, .light = light, .planes = page->planes,
	};
	inks_of(tiff, plan->use.inks);
	return rip_halftone_plan(tiff->job, plan, (1u << page->bits) - 1);
}

static int halftone_page(struct rip_halftone_tiff *tiff)
{
	struct rip_halftone_job *job = tiff->job;
	struct riptide_stream stream = {
		.size = sizeof stream, .read = read_lines, .write = write_line,
		.progress = progress, .context = tiff,
	};
	struct riptide_page page;
	char inks[RIP_PLANES_MAX + 1];
	int r = plan_page(tiff);

	if (r < 0)
		return r;
	rip_page_plan_put(&tiff->plan, inks, &page);
	r = rip_page_plan_around(&tiff->plan, read_around, tiff, &tiff->around);
	if (tiff->plan.curves.limit.most > 0 && page.planes > 1)
		stream.ink_limit = tiff->plan.tone.ink_limit;
	if (!tiff->around && !tiff->page->separate && page.planes > 1) {
		stream.read_pixels = read_pixels;
		stream.step = page.planes;
		stream.pitch = (size_t)page.width * page.planes * (page.sample_bits / 8);
	}
	r = r < 0 ? rip_complain(r, "%s: out of memory", job->input.name) :
		    riptide_run(job->riptide, &page, &stream);
	rip_around_free(tiff->around);
	tiff->around = NULL;
	return r;
}

/* A page of dots stays as it is. */
static int copy_page(struct rip_halftone_tiff *tiff)
{
	const struct rip_tiff_page *page = tiff->page;
	const size_t bytes = rip_dot_bytes(page->width, levels_of(tiff, page));
	void *rows[RIP_TIFF_INKS_MAX];
	const uint8_t *dots[RIP_TIFF_INKS_MAX];
	int r = 0;

	for (uint32_t p = 0; p < page->planes; p++)
		dots[p] = rows[p] = tiff->dots + p * bytes;
	for (uint32_t row = 0; r == 0 && row < page->height; row++) {
		r = read_planes(tiff, rows, 1);
		if (r == 0)
			r = write_line(tiff, dots);
		if (row % 64 == 0)
			progress(tiff, row, page->height);
	}
	return r;
}

static int do_page(struct rip_halftone_tiff *tiff)
{
	const struct rip_tiff_page *page = tiff->page;
	const uint32_t levels = levels_of(tiff, page);
	int r;

	free(tiff->line);
	free(tiff->dots);
	tiff->line = malloc(rip_tiff_page_line(page));
	tiff->dots = malloc(page->planes * rip_dot_bytes(page->width, levels));
	if (!tiff->line || !tiff->dots)
		return rip_complain(-ENOMEM, "%s: out of memory", tiff->job->input.name);
	r = begin_dots(tiff, levels);
	if (r == 0)
		r = is_dots(page) ? copy_page(tiff) : halftone_page(tiff);
	return r < 0 ? r : tiff->receiver.end(tiff->receiver.context);
}

int rip_halftone_tiff(struct rip_halftone_job *job)
{
	struct rip_halftone_tiff *tiff = job->tiff;
	int r;

	while ((r = rip_tiff_reader_next(tiff->reader, &tiff->page)) > 0) {
		tiff->number++;
		r = do_page(tiff);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	rip_tiff_reader_warn(tiff->reader);
	return tiff->job->receiver ? 0 : rip_tiff_plates_commit(&tiff->plates);
}
