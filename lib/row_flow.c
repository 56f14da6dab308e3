/* The rows of a page on their way through a halftoner. */
#include "row_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "system/clock.h"
#include "wire/protocol.h"

/* A band should fit into the nearer caches, and have so few bytes that its memory pages cost
 * little, but enough rows for an engine that computes many at a time. */
#define BAND_BYTES  (512u << 10)
#define BAND_STEP   64          /* rows */
#define BANDS_FEW   3           /* one is filled, one is halftoned, and one waits for that */
#define BANDS_BYTES (10u << 20) /* of all bands together, as a goal */
#define BANDS_MAX   8           /* as a goal */
/* Bands that go to a daemon have more rows: each is a message to and fro, wakes some threads, and
 * brings a carry of each plane. */
#define SENT_STEP   128
/* Unless their planes are coupled, they are also larger, but fewer.  A GPU halftones one before the
 * next is filled, so two are enough; together they should stay in the caches: reading a page of A4
 * CMYK at 600 dpi into 2.5 MiB of memory takes 26 to 32 ms of processor time, into 7.5 MiB 38 (24
 * clients).  24 clients with A4 K make 825 pages/s with these sizes, 625 with 512 KiB in up to five
 * bands (both one H100, 2026-11-27). */
#define SENT_BYTES  (2u << 20)
#define SENT_COUNT  2
#define SENT_MOST   (6u << 20)  /* of both */
/* The first page of a session is the first to touch the ring, where each page of memory costs
 * 1.5 us, and its first band is filled before the GPU has anything to do.  So its bands are small
 * parts of the page, and there is one more.  A4 at 600 and 300 dpi takes, as multiples of one
 * thread in-process: K 1.08 to 1.12 and 1.09 (1.18 to 1.25 and 1.28 with the sizes of later pages),
 * CMYK 0.87 to 0.93 and 0.95 (0.87 and 1.20; one H100, 2026-11-27; notes/daemon.md). */
#define FIRST_BYTES (256u << 10) /* at least */
#define FIRST_STEP  64
#define FIRST_COUNT 3
#define FIRST_PARTS 56
#define WANTED_BYTES (64u << 20) /* of a band that the caller wants so large */
#define BLOCKED_MS  (RIP_SILENCE_MS / 4)

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The i-th place of the ring, from the oldest band on. */
static struct rip_held_band *held(const struct rip_row_flow *flow, unsigned i)
{
	return &flow->ring[(flow->first + i) % flow->size];
}

/* The oldest band that is being filled, or NULL.  Coupled planes fill several bands if one plane is
 * ahead of others; otherwise there is one. */
static struct rip_held_band *filling(const struct rip_row_flow *flow)
{
	unsigned i = flow->held_count;

	while (i > 0 && held(flow, i - 1)->state == RIP_HELD_FILLING)
		i--;
	return i < flow->held_count ? held(flow, i) : NULL;
}

/* The band that the next row of a plane goes into, or NULL: there is none that has room. */
static struct rip_held_band *filling_by(const struct rip_row_flow *flow, uint32_t plane)
{
	struct rip_held_band *found = NULL;

	for (unsigned i = flow->held_count; i > 0; i--) {
		struct rip_held_band *band = held(flow, i - 1);

		if (band->state != RIP_HELD_FILLING)
			break;
		if (band->rows[plane] < flow->band_rows)
			found = band;
	}
	return found;
}

void rip_row_flow_reset(struct rip_row_flow *flow)
{
	while (flow->made > 0)
		rip_band_free(held(flow, --flow->made)->band);
	free(flow->ring);
	memset(flow, 0, sizeof *flow);
}

/* ---- bands ---- */

/* Whether the bands can be reused.  A band has a copy of its curve; bands with one are not. */
static bool same_spec(const struct rip_page_spec *a, const struct rip_page_spec *b)
{
	return a->width == b->width && a->planes == b->planes && a->levels == b->levels &&
	       a->sample_bits == b->sample_bits && a->screen == b->screen && !a->curve && !b->curve;
}

/* Decides on bands of a few rows, enough to fill one while others are halftoned; if no more fits,
 * on one band of one row. */
static void plan_bands(struct rip_row_flow *flow, uint32_t wanted)
{
	const uint32_t most = rip_halftoner_band_rows(flow->halftoner);
	const uint32_t height = flow->height ? flow->height : RIP_WIDTH_MAX;
	const size_t row = (size_t)(rip_band_size(&flow->spec, 2) - rip_band_size(&flow->spec, 1));
	const bool sent = rip_halftoner_is_on_daemon(flow->halftoner);
	const bool apart = sent && !flow->couples;
	const bool first = apart && rip_halftoner_is_new_there(flow->halftoner);
	const size_t bytes = apart ? SENT_MOST : BANDS_BYTES;
	const unsigned step = first ? FIRST_STEP : sent ? SENT_STEP : BAND_STEP;
	unsigned count = rip_halftoner_depth(flow->halftoner) + 1;
	size_t rows = ((apart ? SENT_BYTES : BAND_BYTES) / row + step) / step * step;
	size_t part = height / 4; /* so that short pages have some bands, too */

	if (first)
		part = height / FIRST_PARTS > FIRST_BYTES / row ? height / FIRST_PARTS :
								  FIRST_BYTES / row;
	count = (unsigned)least(count, first ? FIRST_COUNT : apart ? SENT_COUNT : BANDS_MAX);
	while (count > BANDS_FEW && count * step * row > bytes)
		count--;
	rows = least(rows, bytes / ((first ? SENT_COUNT : count) * row));
	if (apart)
		rows = least(rows, (part + step) / step * step);
	rows = least(wanted ? wanted : rows, WANTED_BYTES / row);
	rows = least(least(rows > 1 ? rows : 1, height), most);
	while (count > 1 && count * rows * row > bytes)
		count--;
	flow->band_rows = (uint32_t)rows;
	flow->goal = count;
}

int rip_row_flow_begin(struct rip_row_flow *flow, struct rip_halftoner *halftoner,
		       const struct rip_page_spec *spec, uint32_t height, enum rip_start start,
		       uint32_t band_rows)
{
	const uint32_t rows_before = flow->band_rows;
	int r;

	/* Free the previous page's bands before this page allocates its own. */
	if (!same_spec(&flow->spec, spec))
		rip_row_flow_reset(flow);
	r = rip_halftoner_begin(halftoner, spec, height, start);
	if (r < 0)
		return r;
	flow->halftoner = halftoner;
	flow->spec = *spec;
	flow->height = height;
	flow->couples = rip_screen_couples(spec->screen) && spec->planes > 1;
	plan_bands(flow, band_rows);
	while (flow->made > (flow->band_rows == rows_before ? flow->goal : 0))
		rip_band_free(held(flow, --flow->made)->band);
	flow->lone = false;
	flow->first_number = 0;
	memset(flow->cursor, 0, sizeof flow->cursor);
	memset(flow->pushed, 0, sizeof flow->pushed);
	memset(flow->taken, 0, sizeof flow->taken);
	flow->called_us = rip_clock_us();
	flow->waited_us = 0;
	return 0;
}

/* Makes the ring larger.  0 or -ENOMEM. */
static int grow(struct rip_row_flow *flow)
{
	const unsigned size = flow->size ? 2 * flow->size : 4;
	struct rip_held_band *bigger = malloc(size * sizeof *bigger);

	if (!bigger)
		return -ENOMEM;
	for (unsigned i = 0; i < flow->made; i++)
		bigger[i] = *held(flow, i);
	free(flow->ring);
	flow->ring = bigger;
	flow->size = size;
	flow->first = 0;
	return 0;
}

static int make_band(struct rip_row_flow *flow)
{
	int r = flow->made == flow->size ? grow(flow) : 0;

	if (r == 0)
		r = rip_band_new(&flow->spec, flow->band_rows, &held(flow, flow->made)->band);
	if (r < 0) {
		rip_halftoner_log(flow->halftoner, RIPTIDE_LOG_ERROR, "%s", strerror(-r));
		return r;
	}
	flow->made++;
	return 0;
}

/* Makes bands free whose dots were all taken. */
static void release(struct rip_row_flow *flow)
{
	while (flow->held_count > 0 && held(flow, 0)->state == RIP_HELD_READY) {
		const struct rip_held_band *oldest = held(flow, 0);
		struct rip_band *band = oldest->band;

		for (uint32_t p = 0; p < flow->spec.planes; p++)
			if (flow->taken[p] < oldest->first[p] + oldest->rows[p])
				return;
		flow->first = (flow->first + 1) % flow->size;
		flow->held_count--;
		/* It is used next: its memory is still in the caches. */
		held(flow, flow->made - 1)->band = held(flow, flow->held_count)->band;
		held(flow, flow->held_count)->band = band;
		flow->first_number++;
	}
}

/* ---- the halftoner ---- */

/* Before and after each call of the halftoner: if the printer was out of paper, or the page took
 * long to arrive, a daemon that has given up waiting is not at fault.  Without a daemon the clock
 * is not read: that takes as long as some rows. */
static void begin_call(struct rip_row_flow *flow)
{
	if (rip_halftoner_is_on_daemon(flow->halftoner) &&
	    rip_clock_us() - flow->called_us > BLOCKED_MS * 1000LL)
		rip_halftoner_was_blocked(flow->halftoner);
}

static void end_call(struct rip_row_flow *flow)
{
	if (rip_halftoner_is_on_daemon(flow->halftoner))
		flow->called_us = rip_clock_us();
}

/* Takes the oldest band from the halftoner, or waits for it. */
static int take_oldest(struct rip_row_flow *flow)
{
	struct rip_band *band;
	unsigned i = 0;
	int r;

	begin_call(flow);
	r = rip_halftoner_collect(flow->halftoner, &band);
	end_call(flow);
	if (r < 0)
		return r;
	while (held(flow, i)->state != RIP_HELD_FLYING)
		i++;
	held(flow, i)->state = RIP_HELD_READY;
	flow->flying--;
	return 0;
}

/* Waits for the oldest band with the halftoner. */
static int collect(struct rip_row_flow *flow)
{
	int64_t start;
	int r;

	if (rip_halftoner_is_done(flow->halftoner))
		return take_oldest(flow);
	start = rip_clock_us();
	r = take_oldest(flow);
	flow->waited_us += rip_clock_us() - start;
	return r;
}

/* Submits the oldest band that is being filled. */
static int seal(struct rip_row_flow *flow)
{
	struct rip_held_band *full = filling(flow);
	unsigned planes = 0;
	int r = 0;

	if (flow->flying == rip_halftoner_depth(flow->halftoner))
		r = collect(flow);
	if (r < 0)
		return r;
	begin_call(flow);
	full->state = RIP_HELD_FLYING;
	flow->flying++;
	r = rip_halftoner_submit(flow->halftoner, full->band);
	end_call(flow);
	for (uint32_t p = 0; p < flow->spec.planes; p++)
		planes += full->rows[p] > 0;
	flow->lone = planes == 1;
	while (r == 0 && flow->flying > 0 && rip_halftoner_is_done(flow->halftoner))
		r = take_oldest(flow);
	return r;
}

/* Begins to fill a band, whose first row is the next one of the plane.  0; 1: dots must be taken
 * first; -errno. */
static int begin_band(struct rip_row_flow *flow, uint32_t plane, bool may_grow)
{
	const bool full = flow->held_count == flow->made, ahead = filling(flow);
	struct rip_held_band *next;
	int r;

	/* While bands wait for rows of other planes only, there are no dots to take. */
	if (flow->held_count > 0 && held(flow, 0)->state == RIP_HELD_FILLING)
		may_grow = true;

	if (full && flow->made >= flow->goal && !may_grow) {
		r = flow->flying > 0 ? collect(flow) : 0;
		return r < 0 ? r : 1;
	}
	r = full ? make_band(flow) : 0;
	if (r < 0)
		return r;
	next = held(flow, flow->held_count++);
	next->state = RIP_HELD_FILLING;
	rip_band_reset(next->band, 0);
	for (uint32_t p = 0; p < flow->spec.planes; p++) {
		next->first[p] = flow->pushed[flow->couples ? plane : p];
		next->rows[p] = 0;
		rip_band_start_plane(next->band, p, next->first[p]);
	}
	while (!ahead && r == 0 && rip_halftoner_fill(flow->halftoner, next->band))
		r = collect(flow);
	return r;
}

/* ---- rows ---- */

int rip_row_flow_place(struct rip_row_flow *flow, uint32_t plane, bool may_grow, void **place,
		       uint32_t *rows)
{
	const uint32_t height = flow->height ? flow->height : RIP_WIDTH_MAX;
	struct rip_held_band *band = filling_by(flow, plane);
	int r = 0;

	if (flow->pushed[plane] >= height)
		return -EINVAL;
	if (!band && filling(flow) && !flow->couples)
		r = seal(flow);
	if (r == 0 && !band)
		r = begin_band(flow, plane, may_grow);
	if (r != 0)
		return r;
	band = filling_by(flow, plane);
	*place = rip_band_row(band->band, plane);
	*rows = rip_band_room(band->band, plane);
	if (*rows > height - flow->pushed[plane])
		*rows = height - flow->pushed[plane];
	return 0;
}

uint32_t rip_row_flow_room(const struct rip_row_flow *flow, uint32_t plane, const void *samples)
{
	const struct rip_held_band *band = filling_by(flow, plane);

	if (!band || samples != rip_band_row(band->band, plane))
		return 0;
	return rip_band_room(band->band, plane);
}

/* Counts rows that the band has got.  0 or -errno. */
static int count_rows(struct rip_row_flow *flow, struct rip_held_band *band, uint32_t plane,
		      uint32_t rows)
{
	band->rows[plane] += rows;
	flow->pushed[plane] += rows;
	if (band->rows[plane] < flow->band_rows)
		return 0;
	/* The band may be complete.  If planes apart come one after the other, it is. */
	for (uint32_t p = 0; p < flow->spec.planes; p++)
		if (band->rows[p] < flow->band_rows &&
		    (flow->couples || band->rows[p] > 0 || !flow->lone))
			return 0;
	return seal(flow);
}

int rip_row_flow_commit(struct rip_row_flow *flow, uint32_t plane, uint32_t rows)
{
	struct rip_held_band *band = filling_by(flow, plane);

	rip_band_commit_rows(band->band, plane, rows);
	return count_rows(flow, band, plane, rows);
}

int rip_row_flow_place_lines(struct rip_row_flow *flow, void **lines, uint32_t *count)
{
	const uint32_t height = flow->height ? flow->height : RIP_WIDTH_MAX;
	int r = rip_row_flow_place(flow, 0, false, lines, count);

	if (r != 0)
		return r;
	*lines = rip_band_line(filling(flow)->band, count);
	if (*count > height - flow->pushed[0])
		*count = height - flow->pushed[0];
	return 0;
}

int rip_row_flow_commit_lines(struct rip_row_flow *flow, const void *lines, size_t pitch,
			      uint32_t step, uint32_t count)
{
	struct rip_held_band *band = filling(flow);
	int r = 0;

	rip_band_commit_lines(band->band, lines, pitch, step, count);
	for (uint32_t p = 0; r == 0 && p < flow->spec.planes; p++)
		r = count_rows(flow, band, p, count);
	return r;
}

static bool has_rows(const struct rip_row_flow *flow, const struct rip_held_band *band)
{
	uint32_t rows = 0;

	for (uint32_t p = 0; p < flow->spec.planes; p++)
		rows |= band->rows[p];
	return rows > 0;
}

/* Whether a band has rows that can be halftoned: coupled planes only together. */
static bool is_ready(const struct rip_row_flow *flow, const struct rip_held_band *band)
{
	for (uint32_t p = 1; flow->couples && p < flow->spec.planes; p++)
		if (band->rows[p] != band->rows[0])
			return false;
	return has_rows(flow, band);
}

/* Halftones rows where they are, if there are enough of them and nobody else does it.  1: not done;
 * 0 or -errno. */
static int lend(struct rip_row_flow *flow, uint32_t plane, const uint8_t *samples, ptrdiff_t pitch,
		uint32_t *rows)
{
	struct rip_held_band *band = filling(flow);
	const uint32_t n = *rows < flow->band_rows ? *rows : flow->band_rows;
	int r = 0;

	if (n < BAND_STEP / 2 || flow->couples || !rip_halftoner_is_alone(flow->halftoner))
		return 1;
	if (band && has_rows(flow, band)) {
		r = seal(flow);
		band = NULL;
	}
	if (r == 0 && !band)
		r = begin_band(flow, plane, true);
	if (r < 0)
		return r;
	band = filling(flow);
	if (!rip_band_lend_rows(band->band, plane, samples, pitch, n))
		return 1;
	band->rows[plane] = n;
	flow->pushed[plane] += n;
	*rows = n;
	return seal(flow);
}

int rip_row_flow_put(struct rip_row_flow *flow, uint32_t plane, const void *samples,
		     ptrdiff_t pitch, uint32_t rows)
{
	const uint8_t *from = samples;
	int r = 0;

	for (uint32_t n; r == 0 && rows > 0; from += (ptrdiff_t)n * pitch, rows -= n) {
		struct rip_held_band *band;
		void *place;

		n = rows;
		r = lend(flow, plane, from, pitch, &n);
		if (r <= 0)
			continue;
		r = rip_row_flow_place(flow, plane, true, &place, &n);
		if (r < 0)
			continue;
		band = filling_by(flow, plane);
		n = flow->band_rows - band->rows[plane];
		n = n < rows ? n : rows;
		rip_band_put_rows(band->band, plane, from, pitch, n);
		r = count_rows(flow, band, plane, n);
	}
	return r;
}

int rip_row_flow_advance(struct rip_row_flow *flow)
{
	const struct rip_held_band *next = filling(flow);
	int r = next && is_ready(flow, next) ? seal(flow) : 0;

	return r == 0 && flow->flying > 0 ? collect(flow) : r;
}

int rip_row_flow_flush(struct rip_row_flow *flow)
{
	int r;

	do
		r = rip_row_flow_advance(flow);
	while (r == 0 && flow->flying > 0);
	return r;
}

const uint8_t *rip_row_flow_dots(struct rip_row_flow *flow, uint32_t plane)
{
	if (flow->cursor[plane] < flow->first_number)
		flow->cursor[plane] = flow->first_number;
	while (flow->cursor[plane] < flow->first_number + flow->held_count) {
		const struct rip_held_band *band =
			held(flow, (unsigned)(flow->cursor[plane] - flow->first_number));
		const uint32_t row = flow->taken[plane] - band->first[plane];

		if (band->state != RIP_HELD_READY)
			return NULL;
		if (row < band->rows[plane])
			return rip_band_dots(band->band, plane, row);
		flow->cursor[plane]++;
	}
	return NULL;
}

void rip_row_flow_take(struct rip_row_flow *flow, uint32_t plane)
{
	const struct rip_held_band *band =
		held(flow, (unsigned)(flow->cursor[plane] - flow->first_number));

	if (++flow->taken[plane] == band->first[plane] + band->rows[plane])
		release(flow);
}

int rip_row_flow_end(struct rip_row_flow *flow)
{
	int r = 0;

	while (r == 0 && flow->flying > 0)
		r = collect(flow);
	if (r == 0)
		flow->held_count = 0;
	return r;
}
