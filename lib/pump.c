/* Moves the rows of a page through the halftoner. */
#include "pump.h"

#include <string.h>

#include "system/clock.h"

#define READ_BYTES (256u << 10) /* read at once, unless a line is longer */

/* A page that is being halftoned. */
struct pump_page_state {
	const struct rip_pump *pump;
	struct rip_row_flow   *flow;
	size_t   row;     /* bytes of samples */
	uint32_t group;   /* planes in a line: all, or 1 for planar pages */
	uint64_t lines;   /* of the page */
	uint64_t line;    /* lines read so far, */
	uint64_t written; /* and written */
	int64_t  reading_us, writing_us;
};

/* The first plane of a line. */
static uint32_t plane_of(const struct pump_page_state *w, uint64_t line)
{
	return w->group == 1 ? (uint32_t)(line / w->flow->height) : 0;
}

static void report(const struct pump_page_state *w)
{
	const struct riptide_stream *stream = w->pump->stream;

	if (stream->progress)
		stream->progress(stream->context, w->written, w->lines);
}

/* The dots of the next line to be written.  false: they are not ready. */
static bool next_dots(struct pump_page_state *w, const uint8_t *dots[])
{
	const uint32_t plane = plane_of(w, w->written);

	for (uint32_t p = 0; p < w->group; p++) {
		dots[p] = w->written < w->lines ? rip_row_flow_dots(w->flow, plane + p) : NULL;
		if (!dots[p])
			return false;
	}
	return true;
}

/* Writes the lines that are ready. */
static int write_ready(struct pump_page_state *w)
{
	const struct riptide_stream *stream = w->pump->stream;
	const uint8_t *dots[RIP_PLANES_MAX];
	int64_t start;

	if (!next_dots(w, dots))
		return 0;
	start = rip_clock_us();
	do {
		const uint32_t plane = plane_of(w, w->written);
		int r = stream->write(stream->context, dots);

		if (r != 0)
			return r;
		for (uint32_t p = 0; p < w->group; p++)
			rip_row_flow_take(w->flow, plane + p);
		w->written++;
	} while (next_dots(w, dots));
	w->writing_us += rip_clock_us() - start;
	report(w);
	return 0;
}

/* Finds places for the next lines.  If they have one plane, for as many as stay in the nearer caches
 * until the band checks them, else for one. */
static int place_lines(struct pump_page_state *w, void *places[], uint32_t *lines)
{
	const uint64_t most = READ_BYTES / w->row;
	const uint32_t plane = plane_of(w, w->line);

	for (uint32_t p = 0; p < w->group; p++) {
		int r = rip_row_flow_place(w->flow, plane + p, false, &places[p], lines);

		if (r == 1) {
			r = write_ready(w);
			p--; /* once more */
		}
		if (r != 0)
			return r;
	}
	if (w->group > 1 || most < 1 || w->pump->staging)
		*lines = 1;
	else if (*lines > most)
		*lines = (uint32_t)most;
	return 0;
}

/* Reads some lines into these places, through the curves if these are applied here. */
static int read_into(struct pump_page_state *w, void *const places[], uint32_t plane, uint32_t lines)
{
	const struct rip_pump *pump = w->pump;
	const struct riptide_stream *stream = pump->stream;
	void *samples[RIP_PLANES_MAX];
	int r;

	if (!pump->staging)
		return stream->read(stream->context, places, lines);
	for (uint32_t p = 0; p < w->group; p++)
		samples[p] = pump->staging + p * w->row;
	r = stream->read(stream->context, samples, lines);
	for (uint32_t p = 0; r == 0 && p < w->group; p++)
		rip_plane_curves_row(pump->curves, plane + p, pump->spec->sample_bits, samples[p],
				     pump->spec->width, places[p]);
	return r;
}

/* Reads some lines and passes them on. */
static int read_lines(struct pump_page_state *w)
{
	const uint32_t plane = plane_of(w, w->line);
	void *places[RIP_PLANES_MAX];
	uint32_t lines = 0;
	int64_t start;
	int r = place_lines(w, places, &lines);

	if (r != 0)
		return r;
	start = rip_clock_us();
	r = read_into(w, places, plane, lines);
	w->reading_us += rip_clock_us() - start;
	for (uint32_t p = 0; r == 0 && p < w->group; p++)
		r = rip_row_flow_commit(w->flow, plane + p, lines);
	w->line += lines;
	return r;
}

int rip_pump_run(const struct rip_pump *pump)
{
	struct rip_row_flow *flow = pump->flow;
	const bool planar = pump->stream->flags & RIPTIDE_PLANAR;
	struct pump_page_state w = {
		.pump = pump, .flow = flow,
		.row = (size_t)pump->spec->width * (pump->spec->sample_bits / 8),
		.group = planar ? 1 : pump->spec->planes,
		.lines = (uint64_t)flow->height * (planar ? pump->spec->planes : 1),
	};
	int r = 0;

	report(&w);
	while (r == 0 && w.line < w.lines) {
		r = read_lines(&w);
		if (r == 0)
			r = write_ready(&w);
	}
	while (r == 0 && w.written < w.lines) {
		r = rip_row_flow_advance(flow);
		if (r == 0)
			r = write_ready(&w);
	}
	rip_halftoner_log(flow->halftoner, RIPTIDE_LOG_DEBUG,
			  "page %u: %s; bands of %u row%s, reading %.1f ms, waiting %.1f ms, writing %.1f ms",
			  pump->number, rip_halftoner_device(flow->halftoner), flow->band_rows,
			  flow->band_rows == 1 ? "" : "s", w.reading_us / 1e3, flow->waited_us / 1e3,
			  w.writing_us / 1e3);
	return r;
}
