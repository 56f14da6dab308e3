/* Moves the rows of a page through the halftoner. */
#include "pump.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "wire/protocol.h"

/* A band should fit into the nearer caches, and have so few bytes that its memory pages cost
 * little, but enough rows for an engine that computes many at a time. */
#define BAND_BYTES  (512u << 10)
#define BAND_STEP   64          /* rows */
#define BANDS_BYTES (10u << 20) /* of all bands together, as a goal */
#define READ_BYTES  (256u << 10) /* read at once, unless a line is longer */
#define BLOCKED_MS  (RIP_SILENCE_MS / 4)

/* The rows of the page that a band holds: of all planes, or of one plane of a planar page. */
struct pump_position {
	uint32_t plane, rows;
};

/* A page that is being halftoned. */
struct pump_page_state {
	struct rip_pump            *pump;
	const struct rip_pump_page *page;
	struct rip_halftoner       *halftoner;
	uint32_t group;      /* planes in a line: all, or 1 for planar pages */
	uint64_t lines;      /* of the page */
	uint64_t line;       /* lines read so far, */
	uint64_t written;    /* and written */
	struct pump_position flight[RIP_PUMP_BANDS]; /* of the bands in flight, a ring buffer */
	unsigned first, flying;              /* the oldest, and how many there are */
	struct pump_position reading;                /* of the band that was read last */
	int64_t  called_us;  /* when the halftoner was last called */
	int64_t  reading_us, waiting_us, writing_us;
};

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void rip_pump_finish(struct rip_pump *pump)
{
	while (pump->count > 0)
		rip_band_free(pump->bands[--pump->count]);
}

/* Whether the bands can be reused.  A band has a copy of its curve; bands with one are not. */
static bool same_spec(const struct rip_page_spec *a, const struct rip_page_spec *b)
{
	return a->width == b->width && a->planes == b->planes && a->levels == b->levels &&
	       a->sample_bits == b->sample_bits && a->screen == b->screen && !a->curve && !b->curve;
}

/* The number of rows that a band should have if there are `count` bands. */
static uint32_t good_rows(size_t row, unsigned count)
{
	const size_t steps = (BAND_BYTES / row + BAND_STEP) / BAND_STEP;
	const size_t most = BANDS_BYTES / (count * row);

	return steps * BAND_STEP < most ? steps * BAND_STEP : most;
}

/* Makes bands of a few rows, enough to read one while others are halftoned; if no more fits,
 * one band of one row. */
static int want_bands(struct rip_pump *pump, const struct rip_pump_page *page,
		      const struct rip_halftoner *halftoner)
{
	const uint32_t most = rip_halftoner_band_rows(halftoner);
	const size_t row = rip_band_size(&page->spec, 2) - rip_band_size(&page->spec, 1);
	unsigned count = rip_halftoner_depth(halftoner) + 1;
	uint32_t rows;

	count = count < RIP_PUMP_BANDS ? count : RIP_PUMP_BANDS;
	rows = page->band_rows ? page->band_rows : good_rows(row, count);
	rows = rows < 1 ? 1 : rows;
	rows = rows < page->height ? rows : page->height;
	rows = rows < most ? rows : most;
	while (count > 1 && count * rows * row > BANDS_BYTES)
		count--;
	if (same_spec(&pump->spec, &page->spec) && pump->count == count &&
	    rip_band_capacity(pump->bands[0]) == rows)
		return 0;

	rip_pump_finish(pump);
	pump->spec = page->spec;
	for (; pump->count < count; pump->count++) {
		int r = rip_band_new(&page->spec, rows, &pump->bands[pump->count]);

		if (r < 0) {
			rip_halftoner_log(halftoner, RIP_LOG_ERROR, "page %u: %s", page->number,
					  strerror(-r));
			return r;
		}
	}
	rip_halftoner_log(halftoner, RIP_LOG_DEBUG, "page %u: %u band%s of %u row%s", page->number, count,
			  count == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
	return 0;
}

/* The number of lines to read at once: if they have one plane, as many as stay in the nearer
 * caches until the band checks them. */
static uint32_t at_once(const struct pump_page_state *w, const struct rip_band *band, uint32_t plane)
{
	const struct rip_page_spec *spec = &w->page->spec;
	const uint32_t most = READ_BYTES / (spec->width * (spec->sample_bits / 8));
	const uint32_t room = w->group == 1 ? rip_band_room(band, plane) : 1;

	return most < 1 ? 1 : most < room ? most : room;
}

/* Fills a band: until it is full, or the page or the plane ends. */
static int read_band(struct pump_page_state *w, struct rip_band *band)
{
	const struct rip_pump_page *page = w->page;
	const int64_t start = now_us();
	const uint32_t plane = (uint32_t)(w->line / page->height);
	const uint32_t left = page->height - (uint32_t)(w->line % page->height);
	const uint32_t rows = left < rip_band_capacity(band) ? left : rip_band_capacity(band);

	rip_band_reset(band, page->height - left);
	for (uint32_t i = 0, lines; i < rows; i += lines, w->line += lines) {
		void *places[RIP_PLANES_MAX];
		int r;

		lines = at_once(w, band, plane);
		lines = lines < rows - i ? lines : rows - i;
		for (uint32_t p = 0; p < w->group; p++)
			places[p] = rip_band_row(band, plane + p);
		r = page->read(page->context, places, lines);
		if (r < 0)
			return r;
		for (uint32_t p = 0; p < w->group; p++)
			rip_band_commit_rows(band, plane + p, lines);
	}
	w->reading = (struct pump_position){ plane, rows };
	w->reading_us += now_us() - start;
	return 0;
}

static int write_band(struct pump_page_state *w, const struct rip_band *band, const struct pump_position *where)
{
	const struct rip_pump_page *page = w->page;
	const int64_t start = now_us();

	for (uint32_t row = 0; row < where->rows; row++) {
		const uint8_t *dots[RIP_PLANES_MAX];
		int r;

		for (uint32_t p = 0; p < w->group; p++)
			dots[p] = rip_band_dots(band, where->plane + p, row);
		r = page->write(page->context, dots);
		if (r < 0)
			return r;
	}
	w->writing_us += now_us() - start;
	w->written += where->rows;
	page->progress(page->context, w->written, w->lines);
	return 0;
}

/* To be called before each call of the halftoner: if the printer was out of paper, or the page
 * took long to arrive, a daemon that has given up waiting is not at fault. */
static void report_blocked(struct pump_page_state *w)
{
	if (now_us() - w->called_us > BLOCKED_MS * 1000LL)
		rip_halftoner_was_blocked(w->halftoner);
}

static int submit(struct pump_page_state *w, struct rip_band *band)
{
	int r;

	report_blocked(w);
	r = rip_halftoner_submit(w->halftoner, band);
	w->called_us = now_us();
	if (r == 0)
		w->flight[(w->first + w->flying++) % RIP_PUMP_BANDS] = w->reading;
	return r;
}

/* Waits for the oldest band in flight.  where: what it holds. */
static int collect(struct pump_page_state *w, struct rip_band **band, struct pump_position *where)
{
	const int64_t start = now_us();
	int r;

	report_blocked(w);
	r = rip_halftoner_collect(w->halftoner, band);
	w->called_us = now_us();
	w->waiting_us += w->called_us - start;
	if (r < 0)
		return r;
	*where = w->flight[w->first];
	w->first = (w->first + 1) % RIP_PUMP_BANDS;
	w->flying--;
	return 0;
}

/* The bands rotate: one is read while the halftoner has as many as it takes; when the newest
 * has been submitted, the oldest is collected and written. */
static int pump_bands(struct pump_page_state *w)
{
	const unsigned depth = rip_halftoner_depth(w->halftoner);
	struct rip_band *spare[RIP_PUMP_BANDS], *band, *done;
	unsigned spares = w->pump->count;
	struct pump_position where;
	int r = 0;

	memcpy(spare, w->pump->bands, sizeof spare);
	while (r == 0 && w->line < w->lines) {
		if (spares == 0) {
			r = collect(w, &band, &where);
			if (r == 0)
				r = write_band(w, band, &where);
		} else {
			band = spare[--spares];
		}
		if (r == 0)
			r = read_band(w, band);
		done = NULL;
		if (r == 0 && w->flying == depth)
			r = collect(w, &done, &where);
		if (r == 0)
			r = submit(w, band);
		if (r == 0 && done) {
			spare[spares++] = done;
			r = write_band(w, done, &where);
		}
	}
	while (r == 0 && w->flying > 0) {
		r = collect(w, &band, &where);
		if (r == 0)
			r = write_band(w, band, &where);
	}
	return r;
}

int rip_pump_run(struct rip_pump *pump, const struct rip_pump_page *page,
		 struct rip_halftoner *halftoner)
{
	struct pump_page_state w = {
		.pump = pump, .page = page, .halftoner = halftoner,
		.group = page->planar ? 1 : page->spec.planes,
		.lines = (uint64_t)page->height * (page->planar ? page->spec.planes : 1),
		.called_us = now_us(),
	};
	int r;

	/* Free the previous page's bands before this page allocates its own. */
	if (!same_spec(&pump->spec, &page->spec))
		rip_pump_finish(pump);
	r = rip_halftoner_begin(halftoner, &page->spec, page->height, page->start);
	if (r == 0)
		r = want_bands(pump, page, halftoner);
	if (r < 0)
		return r;
	page->progress(page->context, 0, w.lines);
	r = pump_bands(&w);
	rip_halftoner_log(halftoner, RIP_LOG_DEBUG,
			  "page %u: %s; reading %.1f ms, waiting %.1f ms, writing %.1f ms", page->number,
			  rip_halftoner_device(halftoner), w.reading_us / 1e3, w.waiting_us / 1e3,
			  w.writing_us / 1e3);
	return r;
}
