/* Moves the rows of a page through the halftoner, from a callback that reads them to one that
 * writes the dots.  While some bands are halftoned, the next one is read and the previous one is
 * written. */
#include "riptide_object.h"

#include <string.h>

#include "system/clock.h"

#define READ_BYTES (256u << 10) /* read at once, unless a line is longer */

/* A page that is being halftoned. */
struct run {
	struct riptide *riptide;
	struct rip_row_flow *flow; /* the page's */
	const struct riptide_stream *stream;
	size_t   row;     /* bytes of samples */
	uint32_t group;   /* planes in a line: all, or 1 for planar pages */
	bool     pixels;  /* they are read, as long as bands take them */
	struct rip_around *around; /* that reads lines ahead, for fine edges; or NULL */
	uint64_t lines;   /* of the page */
	uint64_t line;    /* lines read so far, */
	uint64_t written; /* and written */
	int64_t  reading_us, writing_us;
};

/* The first plane of a line. */
static uint32_t plane_of(const struct run *run, uint64_t line)
{
	return run->group == 1 ? (uint32_t)(line / run->flow->height) : 0;
}

static void report(const struct run *run)
{
	const struct riptide_stream *stream = run->stream;

	if (stream->progress)
		stream->progress(stream->context, run->written, run->lines);
}

/* The dots of the next line to be written.  false: they are not ready. */
static bool next_dots(struct run *run, const uint8_t *dots[])
{
	const uint32_t plane = plane_of(run, run->written);

	for (uint32_t p = 0; p < run->group; p++) {
		dots[p] = run->written < run->lines ?
			  rip_row_flow_dots(run->flow, plane + p) : NULL;
		if (!dots[p])
			return false;
	}
	return true;
}

/* Writes the lines that are ready. */
static int write_ready(struct run *run)
{
	const struct riptide_stream *stream = run->stream;
	const uint8_t *dots[RIP_PLANES_MAX];
	int64_t start;

	if (!next_dots(run, dots))
		return 0;
	start = rip_clock_us();
	do {
		const uint32_t plane = plane_of(run, run->written);
		int r = stream->write(stream->context, dots);

		if (r != 0)
			return r;
		for (uint32_t p = 0; p < run->group; p++)
			rip_row_flow_take(run->flow, plane + p);
		run->written++;
	} while (next_dots(run, dots));
	run->writing_us += rip_clock_us() - start;
	report(run);
	return 0;
}

/* Finds places for the next lines.  If they have one plane, for as many as stay in the nearer
 * caches until the band checks them, else for one. */
static int place_lines(struct run *run, void *places[], uint32_t *lines)
{
	const uint64_t most = READ_BYTES / run->row;
	const uint32_t plane = plane_of(run, run->line);

	for (uint32_t p = 0; p < run->group; p++) {
		int r = rip_row_flow_place(run->flow, plane + p, false, &places[p], lines);

		if (r == 1) {
			r = write_ready(run);
			p--; /* once more */
		}
		if (r != 0)
			return r;
	}
	if (run->group > 1 || most < 1 || run->riptide->staging)
		*lines = 1;
	else if (*lines > most)
		*lines = (uint32_t)most;
	return 0;
}

/* Reads lines for those around them: the rows of each one after the other. */
static int read_around(void *context, void *to, uint32_t lines)
{
	const struct run *run = context;
	const struct riptide_stream *stream = run->stream;
	const uint32_t at_once = run->group == 1 ? lines : 1;
	void *rows[RIP_PLANES_MAX];
	uint8_t *at = to;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < lines; i += at_once) {
		for (uint32_t p = 0; p < run->group; p++, at += run->row)
			rows[p] = at;
		r = stream->read(stream->context, rows, at_once);
	}
	return r;
}

/* Reads some lines into these places, and limits their inks; through the curves if these are
 * applied here. */
static int read_into(struct run *run, void *const places[], uint32_t plane,
		     uint32_t lines)
{
	const struct riptide *riptide = run->riptide;
	const struct riptide_stream *stream = run->stream;
	void *samples[RIP_PLANES_MAX];
	int r;

	for (uint32_t p = 0; p < run->group; p++)
		samples[p] = riptide->staging ? riptide->staging + p * run->row : places[p];
	r = run->around ? rip_around_rows(run->around, samples, run->group, lines) :
			  stream->read(stream->context, samples, lines);
	if (r == 0 && riptide->limit.most > 0) /* of all planes, a line at a time */
		rip_ink_limit_apply(&riptide->limit, samples, riptide->spec.width);
	for (uint32_t p = 0; riptide->staging && r == 0 && p < run->group; p++)
		rip_plane_curves_row(&riptide->curves, plane + p, riptide->spec.sample_bits,
				     samples[p], riptide->spec.width, places[p]);
	return r;
}

/* Reads some lines of pixels and passes them on.  If the band takes rows of planes, so will all
 * later ones. */
static int read_pixels(struct run *run)
{
	const struct riptide_stream *stream = run->stream;
	const uint64_t most = READ_BYTES / stream->pitch + 1;
	uint32_t lines;
	int64_t start;
	void *place;
	int r = rip_row_flow_place_lines(run->flow, &place, &lines);

	if (r == 1) /* then once more */
		return write_ready(run);
	run->pixels = r == 0 && place;
	if (!run->pixels)
		return r;
	lines = lines < most ? lines : (uint32_t)most;
	start = rip_clock_us();
	r = stream->read_pixels(stream->context, place, lines);
	run->reading_us += rip_clock_us() - start;
	if (r == 0)
		r = rip_row_flow_commit_lines(run->flow, place, stream->pitch, stream->step,
					      lines);
	run->line += lines;
	return r;
}

/* Reads some lines and passes them on. */
static int read_lines(struct run *run)
{
	const uint32_t plane = plane_of(run, run->line);
	void *places[RIP_PLANES_MAX];
	uint32_t lines = 0;
	int64_t start;
	int r = place_lines(run, places, &lines);

	if (r != 0)
		return r;
	start = rip_clock_us();
	r = read_into(run, places, plane, lines);
	run->reading_us += rip_clock_us() - start;
	for (uint32_t p = 0; r == 0 && p < run->group; p++)
		r = rip_row_flow_commit(run->flow, plane + p, lines);
	run->line += lines;
	return r;
}

int rip_riptide_run_page(struct riptide *riptide, const struct riptide_stream *stream)
{
	struct rip_row_flow *flow = &riptide->flow;
	const struct rip_page_spec *spec = &riptide->spec;
	const bool planar = stream->flags & RIPTIDE_PLANAR;
	struct run run = {
		.riptide = riptide, .flow = flow, .stream = stream,
		.row = (size_t)spec->width * (spec->sample_bits / 8),
		.group = planar ? 1 : spec->planes,
		.pixels = stream->read_pixels && riptide->edges.edge == 0,
		.lines = (uint64_t)flow->height * (planar ? spec->planes : 1),
	};
	const struct rip_around_lines lines = {
		.samples = spec->width, .stride = 1, .rows = run.group,
		.sample_bits = spec->sample_bits, .height = flow->height,
		.read = read_around, .context = &run,
	};
	int r = 0;

	if (riptide->edges.edge)
		r = rip_around_add(&run.around, &rip_fine_edges_kind, &riptide->edges,
				   riptide->edges.edge, &lines);
	if (r < 0)
		return rip_riptide_fail(riptide, r, "%s", strerror(-r));
	report(&run);
	while (r == 0 && run.line < run.lines) {
		r = run.pixels ? read_pixels(&run) : read_lines(&run);
		if (r == 0)
			r = write_ready(&run);
	}
	while (r == 0 && run.written < run.lines) {
		r = rip_row_flow_advance(flow);
		if (r == 0)
			r = write_ready(&run);
	}
	rip_around_free(run.around);
	rip_halftoner_log(flow->halftoner, RIPTIDE_LOG_DEBUG,
			  "page %u: %s; bands of %u row%s, reading %.1f ms, waiting %.1f ms, "
			  "writing %.1f ms", riptide->number, rip_halftoner_device(flow->halftoner),
			  flow->band_rows, flow->band_rows == 1 ? "" : "s", run.reading_us / 1e3,
			  flow->waited_us / 1e3, run.writing_us / 1e3);
	return r;
}
