/* A page from source to sink. */
#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dots.h"
#include "filter/report.h"
#include "halftone/page/rows.h"
#include "halftone/page/tone.h"

/* Bytes of chunked pixels that are read at once and split while they are in the cache: whole
 * lines, or pieces of a longer line. */
#define SCRATCH_BYTES (128u << 10)

static int source_failed(const struct rip_source *source, int error)
{
	rip_error("page %u: %s", source->page, source->why);
	return error;
}

static int failed(const struct rip_source *source, int error)
{
	rip_error("page %u: %s", source->page, strerror(-error));
	return error;
}

/* ---- dots that arrive as such ---- */

int rip_page_copy(struct rip_source *source, struct rip_sink *sink, const struct rip_geometry *g)
{
	const bool split = g->order == CUPS_ORDER_CHUNKED && g->planes > 1;
	const uint32_t bytes = rip_dots_bytes(g->width, g->sample_bits);
	/* The line, followed by its planes unless they lie in it as they are. */
	uint8_t *line = malloc(g->line_bytes + (split ? (size_t)g->planes * bytes : 0));
	const uint8_t *rows[RIP_PLANES_MAX];
	uint8_t *parts[RIP_PLANES_MAX];
	unsigned reported = 0;
	int r = 0;

	if (!line)
		return failed(source, -ENOMEM);
	for (uint32_t p = 0; p < g->planes; p++)
		rows[p] = parts[p] = line + (split ? g->line_bytes : 0) + (size_t)p * bytes;
	rip_report_rows(0, g->lines, &reported);
	for (uint32_t done = 0; r == 0 && done < g->lines;) {
		r = rip_source_read(source, line, g->line_bytes);
		if (r < 0)
			source_failed(source, r);
		else if (split && g->sample_bits > 1)
			rip_dots_split_levels(line, g->width, g->sample_bits, g->planes, parts);
		else if (split)
			rip_dots_split(line, g->width, g->stride, g->first, g->planes, parts);
		if (r == 0)
			r = rip_sink_row(sink, rows);
		done++;
		if (r == 0 && (done % 64 == 0 || done == g->lines))
			rip_report_rows(done, g->lines, &reported);
	}
	free(line);
	return r;
}

/* ---- samples ---- */

/* A page that is being halftoned. */
struct work {
	struct rip_source         *source;
	struct rip_sink           *sink;
	struct rip_separation     *separation; /* of the page, or NULL */
	const struct rip_geometry *g;
	uint8_t *scratch;              /* the bytes of some pixels, on their way to planes */
	uint8_t *samples;              /* a line of each plane with light inks, before its curves */
	struct rip_around         *around; /* that the lines go through, or NULL */
	const struct rip_tone_curves *curves;
	uint32_t group;                /* planes in a line: all, or 1 for planar pages */
	uint32_t left;                 /* chunked lines that are still in the source, */
	uint32_t ready;                /* and those at the end of the scratch buffer */
	uint32_t fill;                 /* lines that it had */
	unsigned reported;             /* percent */
};

/* Reads the next pixels of the page, whose inks may have to be separated first. */
static int read_pixels(struct work *w, void *to, size_t n)
{
	return w->separation ? rip_separation_read(w->separation, w->source, to, n) :
			       rip_source_read(w->source, to, n);
}

static int read_around(void *context, void *to, uint32_t lines)
{
	struct work *w = context;
	const struct rip_geometry *g = w->g;
	const size_t bytes = w->group > 1 ? g->line_bytes : (size_t)g->width * (g->sample_bits / 8);

	return read_pixels(w, to, lines * bytes);
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
		int r = read_pixels(w, w->scratch, (size_t)n * pixel);

		if (r < 0)
			return r;
		rip_split(w->scratch, n, g->stride, g->sample_bits, (void *const *)at,
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
		int r = read_pixels(w, w->scratch, (size_t)lines * g->line_bytes);

		if (r < 0)
			return r;
		w->left -= lines;
		w->ready = w->fill = lines;
	}
	rip_split(w->scratch + (size_t)(w->fill - w->ready--) * g->line_bytes, g->width,
		  g->stride, g->sample_bits, rows, g->planes);
	return 0;
}

/* Reads lines into the rows of their planes, as they are or through what looks around them. */
static int read_samples(struct work *w, void *const rows[], uint32_t lines)
{
	const struct rip_geometry *g = w->g;
	const size_t bytes = (size_t)g->width * (g->sample_bits / 8);
	int r = 0;

	if (w->around)
		r = rip_around_rows(w->around, rows, w->group, lines);
	else if (w->group > 1 && g->order == CUPS_ORDER_CHUNKED)
		r = read_chunked(w, rows);
	else
		for (uint32_t p = 0; r == 0 && p < w->group; p++)
			r = read_pixels(w, rows[p], lines * bytes);
	return r < 0 ? source_failed(w->source, r) : 0;
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
		samples[p] = w->samples + p * (size_t)g->width * (g->sample_bits / 8);
	r = read_samples(w, samples, 1);
	for (uint32_t p = 0; r == 0 && p < g->planes + g->lights; p++) {
		const uint32_t source = p < g->planes ? p : g->light_planes[p - g->planes].source;

		x[p] = rows[p];
		rip_tone_row(curves->page.curves[p], g->sample_bits, samples[source], g->width,
			     x[p]);
	}
	if (r == 0 && curves->light_limit.most > 0)
		rip_light_limit_apply(&curves->light_limit, (const void *const *)samples, x,
				      g->width);
	return r;
}

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct work *w = context;

	return w->g->lights > 0 ? read_with_lights(w, rows) : read_samples(w, rows, lines);
}

/* Reads lines of pixels, as they are. */
static int read_chunks(void *context, void *pixels, uint32_t lines)
{
	struct work *w = context;
	int r = read_pixels(w, pixels, lines * (size_t)w->g->line_bytes);

	w->left -= lines;
	return r < 0 ? source_failed(w->source, r) : 0;
}

/* Whether nothing but the split happens to the pixels of a page here, while riptide_run() limits
 * their inks. */
static bool are_plain(const struct work *w)
{
	const struct rip_geometry *g = w->g;

	return g->order == CUPS_ORDER_CHUNKED && g->planes > 1 && g->lights == 0 && !w->around &&
	       g->line_bytes % (g->sample_bits / 8) == 0;
}

static int write_line(void *context, const uint8_t *const dots[])
{
	struct work *w = context;

	return rip_sink_row(w->sink, dots);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct work *w = context;

	rip_report_rows(written, lines, &w->reported);
}

int rip_page_halftone(struct rip_source *source, struct rip_sink *sink,
		      const struct rip_page_plan *plan, struct riptide *riptide)
{
	const struct rip_geometry *g = &plan->geometry;
	const bool planar = g->order == CUPS_ORDER_PLANAR;
	struct work w = {
		.source = source, .sink = sink, .separation = plan->separation, .g = g,
		.curves = &plan->curves, .group = planar ? 1 : g->planes, .left = g->lines,
		.scratch = malloc(SCRATCH_BYTES),
		.samples = g->lights == 0 ? NULL :
			   malloc((size_t)g->width * g->planes * (g->sample_bits / 8)),
	};
	struct riptide_stream stream = {
		.size = sizeof stream, .flags = planar ? RIPTIDE_PLANAR : 0,
		.read = read_lines, .write = write_line, .progress = progress, .context = &w,
	};
	struct riptide_page page;
	char inks[RIP_PLANES_MAX + 1];
	int r = !w.scratch || (g->lights > 0 && !w.samples) ? -ENOMEM :
		rip_page_plan_around(plan, read_around, &w, &w.around);

	if (plan->curves.limit.most > 0 && w.group > 1)
		stream.ink_limit = plan->tone.ink_limit;
	if (r == 0 && are_plain(&w)) {
		stream.read_pixels = read_chunks;
		stream.pitch = g->line_bytes;
		stream.step = g->stride;
	}
	rip_page_plan_put(plan, inks, &page);
	r = r < 0 ? failed(source, r) : riptide_run(riptide, &page, &stream);
	rip_around_free(w.around);
	free(w.scratch);
	free(w.samples);
	return r;
}
