/* A page from source to sink. */
#include "filter/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filter/dots.h"
#include "filter/message.h"
#include "halftone/split.h"
#include "wire/protocol.h"

#define BAND_BYTES  (2u << 20)  /* that a band should have, if it can */
#define BANDS_BYTES (10u << 20) /* that all of them should have */
#define PIECE_BYTES (32u << 10) /* of chunked pixels: they stay in the nearest cache */
#define BLOCKED_MS  (RIP_SILENCE_MS / 4)

/* What the filter allows itself, less what it needs for everything but carries
 * and rows: the program, buffers, bands of a common size. */
#define MEMORY_BYTES ((64u << 20) - (8u << 20))

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int source_failed(const struct rip_source *source, int error)
{
	rip_error("page %u: %s", source->page, source->why);
	return error;
}

/* Tells the scheduler how far the page is, in a few steps. */
static void tell_progress(uint32_t done, uint32_t all, unsigned *told)
{
	const unsigned percent = (uint64_t)done * 100 / all;

	if (done == 0 || percent >= *told + 5 || (percent == 100 && *told < 100)) {
		*told = percent;
		rip_message_progress(percent);
	}
}

void rip_pages_init(struct rip_pages *pages, struct rip_source *source, struct rip_sink *sink)
{
	memset(pages, 0, sizeof *pages);
	pages->source = source;
	pages->sink = sink;
}

static void free_bands(struct rip_pages *pages)
{
	while (pages->count > 0)
		rip_band_free(pages->bands[--pages->count]);
}

void rip_pages_finish(struct rip_pages *pages)
{
	free_bands(pages);
	free(pages->scratch);
	pages->scratch = NULL;
	pages->scratch_size = 0;
}

static int want_scratch(struct rip_pages *pages, size_t size)
{
	if (pages->scratch_size >= size)
		return 0;
	free(pages->scratch);
	pages->scratch = malloc(size);
	pages->scratch_size = pages->scratch ? size : 0;
	if (!pages->scratch) {
		rip_error("page %u: %s", pages->source->page, strerror(ENOMEM));
		return -ENOMEM;
	}
	return 0;
}

/* ---- dots that arrive as such ---- */

int rip_pages_copy(struct rip_pages *pages, const struct rip_geometry *g)
{
	const bool split = g->order == CUPS_ORDER_CHUNKED && g->planes > 1;
	const uint32_t bytes = rip_dots_bytes(g->width, 1);
	const uint8_t *rows[RIP_PLANES_MAX];
	uint8_t *parts[RIP_PLANES_MAX];
	unsigned told = 0;
	int r;

	/* The line, and behind it its planes if they are not in it as they are. */
	r = want_scratch(pages, g->line_bytes + (split ? (size_t)g->planes * bytes : 0));
	if (r < 0)
		return r;
	for (uint32_t p = 0; p < g->planes; p++)
		rows[p] = parts[p] = pages->scratch + (split ? g->line_bytes : 0) + (size_t)p * bytes;
	tell_progress(0, g->lines, &told);
	for (uint32_t line = 0; line < g->lines; line++) {
		bool again;

		r = rip_source_line(pages->source, &again);
		if (r == 0 && !again)
			r = rip_source_read(pages->source, pages->scratch, g->line_bytes);
		if (r < 0)
			return source_failed(pages->source, r);
		if (split && !again)
			rip_dots_split(pages->scratch, g->width, g->stride, g->first, g->planes, parts);
		r = rip_sink_row(pages->sink, rows);
		if (r < 0)
			return r;
		if (line % 64 == 63 || line + 1 == g->lines)
			tell_progress(line + 1, g->lines, &told);
	}
	return 0;
}

/* ---- samples ---- */

/* What of the page a band holds: rows of all planes, or of one of a planar page. */
struct place {
	uint32_t plane, rows;
};

/* A page on its way. */
struct work {
	struct rip_pages          *pages;
	const struct rip_geometry *g;
	struct rip_halftoner      *halftoner;
	uint32_t group;      /* planes that a line brings: all, or 1 of planar pages */
	uint32_t line;       /* lines read so far */
	uint32_t written;    /* and written */
	void    *last[RIP_PLANES_MAX]; /* where the rows of the last line are */
	struct place flight[RIP_PAGE_BANDS]; /* of the bands in flight, a ring */
	unsigned first, flying;              /* the oldest, and how many there are */
	struct place reading;                /* of the band that was read last */
	unsigned told;       /* percent */
	int64_t  called_us;  /* when the halftoner was last called */
	int64_t  reading_us, waiting_us, writing_us;
};

int rip_pages_check(const struct rip_geometry *g, unsigned levels, enum rip_error_filter_id filter,
		    char *why, size_t size)
{
	const struct rip_page_spec spec = {
		.width = g->width, .planes = g->planes, .levels = levels,
		.sample_bits = g->sample_bits, .filter = filter,
	};
	const uint64_t carry = rip_carry_values(&spec) * sizeof(int16_t);
	const uint64_t need = carry * g->planes + rip_band_size(&spec, 1);

	if (need <= MEMORY_BYTES)
		return 0;
	snprintf(why, size, "%u columns of %u colours take %llu MiB with halftone-error-filter=%s, "
		 "which has %d rows below; at most %u are possible", g->width, g->planes,
		 (unsigned long long)(need + (1u << 20) - 1) >> 20, rip_error_filters[filter].name,
		 rip_error_filters[filter].reach, MEMORY_BYTES >> 20);
	return -EFBIG;
}

static bool same_spec(const struct rip_page_spec *a, const struct rip_page_spec *b)
{
	return a->width == b->width && a->planes == b->planes && a->levels == b->levels &&
	       a->sample_bits == b->sample_bits && a->filter == b->filter;
}

/* Bands of a few rows, enough to read one while others are halftoned; one row in
 * one band if that is all that fits. */
static int want_bands(struct rip_pages *pages, const struct rip_page_spec *spec, uint32_t height,
		      const struct rip_halftoner *halftoner)
{
	const uint32_t most = rip_halftoner_band_rows(halftoner);
	const size_t row = rip_band_size(spec, 2) - rip_band_size(spec, 1);
	unsigned count = rip_halftoner_depth(halftoner) + 1;
	uint32_t rows = BAND_BYTES / row;

	rows = rows < 1 ? 1 : rows;
	rows = rows < height ? rows : height;
	rows = rows < most ? rows : most;
	count = count < RIP_PAGE_BANDS ? count : RIP_PAGE_BANDS;
	while (count > 1 && count * rows * row > BANDS_BYTES)
		count--;
	if (same_spec(&pages->spec, spec) && pages->count == count &&
	    rip_band_capacity(pages->bands[0]) == rows)
		return 0;

	free_bands(pages);
	pages->spec = *spec;
	for (; pages->count < count; pages->count++) {
		int r = rip_band_new(spec, rows, &pages->bands[pages->count]);

		if (r < 0) {
			rip_error("page %u: %s", pages->source->page, strerror(-r));
			return r;
		}
	}
	rip_debug("page %u: %u bands of %u rows", pages->source->page, count, rows);
	return 0;
}

/* Reads a line's pixels in pieces, each of which is split while it is in the cache. */
static int read_chunked(struct work *w, void *const rows[])
{
	const struct rip_geometry *g = w->g;
	const uint32_t sample = g->sample_bits / 8, pixel = g->stride * sample;
	const uint32_t most = PIECE_BYTES / pixel;
	uint8_t *at[RIP_PLANES_MAX];

	memcpy(at, rows, g->planes * sizeof *at);
	for (uint32_t j = 0; j < g->width;) {
		const uint32_t n = g->width - j < most ? g->width - j : most;
		int r = rip_source_read(w->pages->source, w->pages->scratch, (size_t)n * pixel);

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

/* Reads a line into the rows of its planes. */
static int read_line(struct work *w, void *const rows[])
{
	const struct rip_geometry *g = w->g;
	const size_t bytes = (size_t)g->width * (g->sample_bits / 8);
	bool again;
	int r = rip_source_line(w->pages->source, &again);

	if (r == 0 && again) {
		for (uint32_t p = 0; p < w->group; p++)
			if (rows[p] != w->last[p])
				memcpy(rows[p], w->last[p], bytes);
	} else if (r == 0 && w->group > 1 && g->order == CUPS_ORDER_CHUNKED) {
		r = read_chunked(w, rows);
	} else {
		for (uint32_t p = 0; r == 0 && p < w->group; p++)
			r = rip_source_read(w->pages->source, rows[p], bytes);
	}
	memcpy(w->last, rows, w->group * sizeof *rows);
	return r < 0 ? source_failed(w->pages->source, r) : 0;
}

/* Fills a band: until it is full, or the page or the plane ends. */
static int read_band(struct work *w, struct rip_band *band)
{
	const struct rip_geometry *g = w->g;
	const int64_t start = now_us();
	const uint32_t plane = w->line / g->height;
	const uint32_t left = g->height - w->line % g->height;
	const uint32_t rows = left < rip_band_capacity(band) ? left : rip_band_capacity(band);

	rip_band_reset(band);
	for (uint32_t i = 0; i < rows; i++, w->line++) {
		void *places[RIP_PLANES_MAX];
		int r;

		for (uint32_t p = 0; p < w->group; p++)
			places[p] = rip_band_row(band, plane + p);
		r = read_line(w, places);
		if (r < 0)
			return r;
		for (uint32_t p = 0; p < w->group; p++)
			rip_band_commit(band, plane + p);
	}
	w->reading = (struct place){ plane, rows };
	w->reading_us += now_us() - start;
	return 0;
}

static int write_band(struct work *w, const struct rip_band *band, const struct place *where)
{
	const int64_t start = now_us();

	for (uint32_t row = 0; row < where->rows; row++) {
		const uint8_t *dots[RIP_PLANES_MAX];
		int r;

		for (uint32_t p = 0; p < w->group; p++)
			dots[p] = rip_band_dots(band, where->plane + p, row);
		r = rip_sink_row(w->pages->sink, dots);
		if (r < 0)
			return r;
	}
	w->writing_us += now_us() - start;
	w->written += where->rows;
	tell_progress(w->written, w->g->lines, &w->told);
	return 0;
}

/* Before each call: a printer that was out of paper, or a page that took long to
 * arrive, is no fault of a daemon that gave up waiting. */
static void tell_blocked(struct work *w)
{
	if (now_us() - w->called_us > BLOCKED_MS * 1000LL)
		rip_halftoner_was_blocked(w->halftoner);
}

static int submit(struct work *w, struct rip_band *band)
{
	int r;

	tell_blocked(w);
	r = rip_halftoner_submit(w->halftoner, band);
	w->called_us = now_us();
	if (r == 0)
		w->flight[(w->first + w->flying++) % RIP_PAGE_BANDS] = w->reading;
	return r;
}

/* Waits for the oldest band in flight.  where: what it holds. */
static int collect(struct work *w, struct rip_band **band, struct place *where)
{
	const int64_t start = now_us();
	int r;

	tell_blocked(w);
	r = rip_halftoner_collect(w->halftoner, band);
	w->called_us = now_us();
	w->waiting_us += w->called_us - start;
	if (r < 0)
		return r;
	*where = w->flight[w->first];
	w->first = (w->first + 1) % RIP_PAGE_BANDS;
	w->flying--;
	return 0;
}

/* Bands go round: one is read while as many as the halftoner takes are with it,
 * and the oldest is written when the newest has been given away. */
static int halftone(struct work *w)
{
	const unsigned depth = rip_halftoner_depth(w->halftoner);
	struct rip_band *spare[RIP_PAGE_BANDS], *band, *done;
	unsigned spares = w->pages->count;
	struct place where;
	int r = 0;

	memcpy(spare, w->pages->bands, sizeof spare);
	while (r == 0 && w->line < w->g->lines) {
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

int rip_pages_halftone(struct rip_pages *pages, const struct rip_geometry *g, unsigned levels,
		       enum rip_error_filter_id filter, struct rip_halftoner *halftoner)
{
	const struct rip_page_spec spec = {
		.width = g->width, .planes = g->planes, .levels = levels,
		.sample_bits = g->sample_bits, .filter = filter,
	};
	struct work w = {
		.pages = pages, .g = g, .halftoner = halftoner,
		.group = g->order == CUPS_ORDER_PLANAR ? 1 : g->planes,
		.called_us = now_us(),
	};
	int r = rip_halftoner_begin(halftoner, &spec, g->height, RIP_START_NOISE);

	if (r == 0)
		r = want_bands(pages, &spec, g->height, halftoner);
	if (r == 0)
		r = want_scratch(pages, PIECE_BYTES);
	if (r < 0)
		return r;
	tell_progress(0, g->lines, &w.told);
	r = halftone(&w);
	rip_debug("page %u: %s; reading %.1f ms, waiting %.1f ms, writing %.1f ms",
		  pages->source->page, rip_halftoner_device(halftoner), w.reading_us / 1e3,
		  w.waiting_us / 1e3, w.writing_us / 1e3);
	return r;
}
