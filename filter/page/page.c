/* A page from source to sink. */
#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dots.h"
#include "page_screen.h"
#include "filter/report.h"
#include "halftone/page/band.h"
#include "halftone/page/rows.h"
#include "halftone/page/tone.h"

/* Bytes of chunked pixels that are read at once and split while they are in the cache: whole
 * lines, or pieces of a longer line. */
#define SCRATCH_BYTES (128u << 10)

/* The filter's memory limit, less what everything but carries and rows needs: the program and its
 * libraries, which vary, threads, buffers, curves, bands of a common size. */
#define MEMORY_BYTES ((64u << 20) - (11u << 20))

static int source_failed(const struct rip_source *source, int error)
{
	rip_error("page %u: %s", source->page, source->why);
	return error;
}

void rip_pages_init(struct rip_pages *pages, struct rip_source *source, struct rip_sink *sink)
{
	memset(pages, 0, sizeof *pages);
	pages->source = source;
	pages->sink = sink;
}

void rip_pages_finish(struct rip_pages *pages)
{
	free(pages->scratch);
	pages->scratch = NULL;
	pages->scratch_size = 0;
	free(pages->samples);
	pages->samples = NULL;
	pages->samples_size = 0;
}

/* Makes a buffer at least so large; its contents are lost. */
static int want_buffer(const struct rip_pages *pages, uint8_t **buffer, size_t *now, size_t size)
{
	if (*now >= size)
		return 0;
	free(*buffer);
	*buffer = malloc(size);
	*now = *buffer ? size : 0;
	if (!*buffer) {
		rip_error("page %u: %s", pages->source->page, strerror(ENOMEM));
		return -ENOMEM;
	}
	return 0;
}

static int want_scratch(struct rip_pages *pages, size_t size)
{
	return want_buffer(pages, &pages->scratch, &pages->scratch_size, size);
}

/* ---- dots that arrive as such ---- */

int rip_pages_copy(struct rip_pages *pages, const struct rip_geometry *g)
{
	const bool split = g->order == CUPS_ORDER_CHUNKED && g->planes > 1;
	const uint32_t bytes = rip_dots_bytes(g->width, g->sample_bits);
	const uint8_t *rows[RIP_PLANES_MAX];
	uint8_t *parts[RIP_PLANES_MAX];
	unsigned reported = 0;
	int r;

	/* The line, followed by its planes unless they lie in it as they are. */
	r = want_scratch(pages, g->line_bytes + (split ? (size_t)g->planes * bytes : 0));
	if (r < 0)
		return r;
	for (uint32_t p = 0; p < g->planes; p++)
		rows[p] = parts[p] = pages->scratch + (split ? g->line_bytes : 0) + (size_t)p * bytes;
	rip_report_rows(0, g->lines, &reported);
	for (uint32_t line = 0; line < g->lines; line++) {
		r = rip_source_read(pages->source, pages->scratch, g->line_bytes);
		if (r < 0)
			return source_failed(pages->source, r);
		if (split && g->sample_bits > 1)
			rip_dots_split_levels(pages->scratch, g->width, g->sample_bits, g->planes, parts);
		else if (split)
			rip_dots_split(pages->scratch, g->width, g->stride, g->first, g->planes, parts);
		r = rip_sink_row(pages->sink, rows);
		if (r < 0)
			return r;
		if (line % 64 == 63 || line + 1 == g->lines)
			rip_report_rows(line + 1, g->lines, &reported);
	}
	return 0;
}

/* ---- samples ---- */

/* Reads the next pixels of the page, whose inks may have to be separated first. */
static int read_pixels(struct rip_pages *pages, void *to, size_t n)
{
	return pages->separation ? rip_separation_read(pages->separation, pages->source, to, n) :
				   rip_source_read(pages->source, to, n);
}

/* A page that is being halftoned. */
struct work {
	struct rip_pages          *pages;
	const struct rip_geometry *g;
	struct rip_toner_save     *toner; /* that the lines go through, or NULL */
	const struct rip_tone_curves *curves;
	uint32_t group;                /* planes in a line: all, or 1 for planar pages */
	uint32_t left;                 /* chunked lines that are still in the source, */
	uint32_t ready;                /* and those at the end of the scratch buffer */
	uint32_t fill;                 /* lines that it had */
	unsigned reported;                 /* percent */
};

static int read_for_toner(void *context, void *to, uint32_t lines)
{
	struct work *w = context;
	const struct rip_geometry *g = w->g;
	const size_t bytes = w->group > 1 ? g->line_bytes : (size_t)g->width * (g->sample_bits / 8);

	return read_pixels(w->pages, to, lines * bytes);
}

/* The lines that toner save gets.  w: NULL if it is only asked for its size. */
static struct rip_toner_lines toner_lines(const struct rip_geometry *g, struct work *w)
{
	return (struct rip_toner_lines){
		.samples = g->width * g->stride, .stride = g->stride,
		.rows = g->order == CUPS_ORDER_BANDED ? g->planes : 1,
		.sample_bits = g->sample_bits, .height = g->height, .read = read_for_toner, .context = w,
	};
}

static unsigned long long mebibytes(uint64_t bytes)
{
	return (bytes + (1u << 20) - 1) >> 20;
}

int rip_pages_check(const struct rip_geometry *g, const struct rip_output *output,
		    const struct rip_screen *screen, const struct rip_tone_curves *curves,
		    bool compressed, char *why, size_t size)
{
	struct rip_page_spec spec = {
		.width = g->width, .planes = g->planes + g->lights, .levels = output->levels,
		.sample_bits = g->sample_bits, .screen = screen,
	};
	/* Whether curves are applied to samples: by page.c to those of light inks, by libriptide to
	 * those of planes whose curves differ and do not fit into masks. */
	const bool apply = g->lights > 0 ||
			   (rip_tone_curves_differ(curves) &&
			    !rip_tone_can_fold((const uint16_t *const *)curves->curves, &spec));
	const uint64_t staging = apply ? (uint64_t)g->width * g->planes * (g->sample_bits / 8) : 0;
	const struct rip_toner_lines lines = toner_lines(g, NULL);
	const uint64_t toner = curves->toner.edge ? rip_toner_save_size(&curves->toner, &lines) : 0;
	char toners[48] = "";
	uint64_t need;

	if (apply)
		spec.sample_bits = 16;
	/* Lines: one in a band, one before its curves, one in libcups' reader, those of toner save, one
	 * in the sink, and in libcups' writer one as it is and one compressed, which may be longer. */
	need = rip_carry_values(&spec) * sizeof(int16_t) * spec.planes + rip_band_size(&spec, 1) + staging +
	       (compressed ? g->line_bytes : 0) + toner + (uint64_t)output->line_bytes * (output->pwg ? 4 : 1);
	if (need <= MEMORY_BYTES)
		return 0;
	if (toner)
		snprintf(toners, sizeof toners, ", %llu of them for toner-save,", mebibytes(toner));
	snprintf(why, size, "%u columns, colours: %u, levels: %u, rows of carry: %d (%s): "
		 "this takes %llu MiB%s and at most %u are possible", g->width, spec.planes,
		 output->levels, screen->reach, screen->name, mebibytes(need), toner ? toners : ",",
		 MEMORY_BYTES >> 20);
	return -EFBIG;
}

/* Reads a long line in pieces, each of which is split while it is in the cache. */
static int read_pieces(struct work *w, void *const rows[])
{
	const struct rip_geometry *g = w->g;
	const uint32_t sample = g->sample_bits / 8, pixel = g->stride * sample;
	const uint32_t most = SCRATCH_BYTES / pixel;
	uint8_t *at[RIP_PLANES_MAX];

	memcpy(at, rows, g->planes * sizeof *at);
	for (uint32_t j = 0; j < g->width;) {
		const uint32_t n = g->width - j < most ? g->width - j : most;
		int r = read_pixels(w->pages, w->pages->scratch, (size_t)n * pixel);

		if (r < 0)
			return r;
		rip_split(w->pages->scratch, n, g->stride, g->sample_bits, (void *const *)at,
			  g->planes);
		for (uint32_t p = 0; p < g->planes; p++)
			at[p] += (size_t)n * sample;
		j += n;
	}
	return 0;
}

/* Splits a line, after reading it together with the next ones that fit. */
static int read_chunked(struct work *w, void *const rows[])
{
	const struct rip_geometry *g = w->g;

	if (g->line_bytes > SCRATCH_BYTES)
		return read_pieces(w, rows);
	if (w->ready == 0) {
		const uint32_t most = SCRATCH_BYTES / g->line_bytes;
		const uint32_t lines = w->left < most ? w->left : most;
		int r = read_pixels(w->pages, w->pages->scratch,
					(size_t)lines * g->line_bytes);

		if (r < 0)
			return r;
		w->left -= lines;
		w->ready = w->fill = lines;
	}
	rip_split(w->pages->scratch + (size_t)(w->fill - w->ready--) * g->line_bytes, g->width,
		  g->stride, g->sample_bits, rows, g->planes);
	return 0;
}

/* Reads lines through toner save into the rows of their planes. */
static int read_thinned(struct work *w, void *const rows[], uint32_t lines)
{
	const struct rip_geometry *g = w->g;
	const size_t bytes = (size_t)g->width * (g->sample_bits / 8);

	for (uint32_t i = 0; i < lines; i++) {
		const uint8_t *line;
		int r = rip_toner_save_line(w->toner, &line);

		if (r < 0)
			return r;
		if (w->group > 1 && g->order == CUPS_ORDER_CHUNKED)
			rip_split(line, g->width, g->stride, g->sample_bits, rows, g->planes);
		else
			for (uint32_t p = 0; p < w->group; p++)
				memcpy((uint8_t *)rows[p] + i * bytes, line + p * bytes, bytes);
	}
	return 0;
}

/* Reads lines into the rows of their planes, as they are or through toner save. */
static int read_samples(struct work *w, void *const rows[], uint32_t lines)
{
	const struct rip_geometry *g = w->g;
	const size_t bytes = (size_t)g->width * (g->sample_bits / 8);
	int r = 0;

	if (w->toner)
		r = read_thinned(w, rows, lines);
	else if (w->group > 1 && g->order == CUPS_ORDER_CHUNKED)
		r = read_chunked(w, rows);
	else
		for (uint32_t p = 0; r == 0 && p < w->group; p++)
			r = read_pixels(w->pages, rows[p], lines * bytes);
	return r < 0 ? source_failed(w->pages->source, r) : 0;
}

/* Reads a line of a page with light inks, and applies the curves.  rows: x of each plane of the
 * dots. */
static int read_with_lights(struct work *w, void *const rows[])
{
	const struct rip_geometry *g = w->g;
	const struct rip_tone_curves *curves = w->curves;
	void *samples[RIP_PLANES_MAX];
	uint16_t *x[RIP_PLANES_MAX];
	int r;

	for (uint32_t p = 0; p < g->planes; p++)
		samples[p] = w->pages->samples + p * (size_t)g->width * (g->sample_bits / 8);
	r = read_samples(w, samples, 1);
	for (uint32_t p = 0; r == 0 && p < g->planes + g->lights; p++) {
		const uint32_t source = p < g->planes ? p : g->light_planes[p - g->planes].source;

		x[p] = rows[p];
		rip_tone_curves_row(curves, p, g->sample_bits, samples[source], g->width, x[p]);
	}
	if (r == 0 && curves->light_limit.most > 0)
		rip_light_limit_apply(&curves->light_limit, (const void *const *)samples, x, g->width);
	return r;
}

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct work *w = context;
	int r;

	if (w->g->lights > 0)
		return read_with_lights(w, rows);
	r = read_samples(w, rows, lines);
	/* Of several planes there is one line at a time. */
	if (r == 0 && w->curves->limit.most > 0 && w->group > 1)
		rip_ink_limit_apply(&w->curves->limit, rows, w->g->width);
	return r;
}

static int write_line(void *context, const uint8_t *const dots[])
{
	struct work *w = context;

	return rip_sink_row(w->pages->sink, dots);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct work *w = context;

	rip_report_rows(written, lines, &w->reported);
}

int rip_pages_halftone(struct rip_pages *pages, const struct rip_geometry *g,
		       const struct rip_output_plan *plan, struct riptide *riptide)
{
	const struct rip_tone_curves *curves = plan->curves;
	const bool planar = g->order == CUPS_ORDER_PLANAR;
	struct work w = {
		.pages = pages, .g = g, .curves = curves, .group = planar ? 1 : g->planes, .left = g->lines,
	};
	const bool with_lights = g->lights > 0;
	struct riptide_page page = {
		.size = sizeof page, .width = g->width, .height = g->height,
		.sample_bits = with_lights ? 16 : g->sample_bits, .levels = plan->levels,
		.screen = rip_screen_wanted(plan->screen),
		.curves = with_lights ? NULL : (const uint16_t *const *)curves->curves,
		.flags = plan->flags, .number = pages->source->page, .band_rows = plan->band_rows,
		.method = plan->method,
	};
	const struct riptide_stream stream = {
		.size = sizeof stream, .flags = planar ? RIPTIDE_PLANAR : 0,
		.read = read_lines, .write = write_line, .progress = progress, .context = &w,
	};
	char inks[RIP_PLANES_MAX + 1];
	int r = want_scratch(pages, SCRATCH_BYTES);

	rip_page_put_use(&plan->use, inks, &page);
	pages->separation = plan->separation;
	if (r == 0 && with_lights)
		r = want_buffer(pages, &pages->samples, &pages->samples_size,
				(size_t)g->width * g->planes * (g->sample_bits / 8));
	if (r == 0 && curves->toner.edge) {
		const struct rip_toner_lines lines = toner_lines(g, &w);

		r = rip_toner_save_new(&curves->toner, &lines, &w.toner);
		if (r < 0)
			rip_error("page %u: %s", pages->source->page, strerror(-r));
	}
	if (r == 0)
		r = riptide_run(riptide, &page, &stream);
	rip_toner_save_free(w.toner);
	return r;
}
