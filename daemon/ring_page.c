/* A page whose bands lie in a ring. */
#include "config.h"

#include "ring_page.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/engine_cuda.h"
#include "halftone/page/band.h"

uint64_t rip_ring_page_memory(const struct rip_page_spec *spec,
			      const struct rip_page_message *page)
{
	/* Two carries, ours and the engine's, and the engine's row of targets or
	 * errors; the curve is copied by the engine too. */
	return (uint64_t)spec->planes * (2 * rip_carry_values(spec) * sizeof(int16_t) +
					 (uint64_t)spec->width * sizeof(int32_t)) +
	       2 * (uint64_t)page->curve_values * sizeof(uint16_t) + rip_page_limit_memory(page);
}

/*
 * What a sample costs beside others, measured on Zen 5 with AVX-512 at 8 bits, where a
 * sample of a wide page takes 0.073 ns and everything else weighs most (plain C: 1.7 ns):
 *
 *	a row of 1 to 64 columns     22 ns, as 300 samples (plain C: 5 to 110 ns)
 *	a row of 512 columns         42 ns, as 580 samples
 *	a column, when a page opens  2 to 4 ns, as 30 to 50 samples: start noise, its copy,
 *	                             and memory that is touched for the first time
 *	a work that does nothing     5 to 10 us: a worker wakes, the loop wakes
 *
 * So a row costs as much as one of ROW_COST columns at least, and a work RIP_WORK_COST.
 */
#define ROW_COST    256
#define COLUMN_COST 32

/* A piece costs so much at most, unless it is a single row: some 30 ms in plain C, a
 * second or two where nothing is fast.  A half of a ring of 16 MiB holds as many
 * samples, and clients divide the ring into two slots at least where two rows fit: so
 * only hostile bands and very narrow ones are more than one piece, and others lose
 * nothing. */
#define PIECE_COST (UINT64_C(1) << 23)

static uint64_t row_cost(uint32_t width)
{
	return width > ROW_COST ? width : ROW_COST;
}

uint64_t rip_ring_page_page_cost(const struct rip_page_message *page)
{
	const uint64_t cost = (uint64_t)page->planes * page->width * COLUMN_COST +
			      page->curve_values;

	return cost > RIP_WORK_COST ? cost : RIP_WORK_COST;
}

uint64_t rip_ring_page_band_cost(const struct rip_band_message *band, uint32_t width)
{
	uint64_t cost = 0;

	for (uint32_t i = 0; i < band->count; i++)
		cost += band->strips[i].rows * row_cost(width);
	/* All pixels are copied, also for few rows. */
	if (cost < (uint64_t)band->lines * width * band->step)
		cost = (uint64_t)band->lines * width * band->step;
	return cost > RIP_WORK_COST ? cost : RIP_WORK_COST;
}

static void close_page(struct rip_ring_page *ring_page)
{
	if (ring_page->page)
		ring_page->page->engine->ops->close(ring_page->page);
	ring_page->page = NULL;
}

/* Opens the page in an engine, and brings it to where the last good band was. */
static int open_in(struct rip_ring_page *ring_page, struct rip_engine *engine)
{
	const size_t values = rip_carry_values(&ring_page->spec);
	int r;

	close_page(ring_page);
	r = engine->ops->open(engine, &ring_page->spec, &ring_page->page);
	for (uint32_t plane = 0; r == 0 && plane < ring_page->spec.planes; plane++)
		r = engine->ops->import_carry(ring_page->page, plane,
					      ring_page->carry + plane * values);
	if (r < 0)
		close_page(ring_page);
	return r;
}

/* Notes that the engine has failed.  Returns another one, or NULL. */
static struct rip_engine *replace(struct rip_ring_page *ring_page, int failure)
{
	struct rip_engine *engine = NULL;

	if (ring_page->failure_count == RIP_FAILURES_MAX)
		return NULL;
	ring_page->failures[ring_page->failure_count++] =
		(struct rip_engine_failure){ ring_page->engine, failure };
	if (ring_page->replace && ring_page->failure_count < RIP_FAILURES_MAX)
		engine = ring_page->replace(ring_page->replace_context, ring_page->engine);
	ring_page->replaced = engine; /* NULL: not the one before, which has failed as well */
	return engine;
}

/* The engine failed, or its memory is full: another one goes on with the page, in the end the
 * fallback. */
static int fall_back(struct rip_ring_page *ring_page, int failure)
{
	while (failure < 0 && ring_page->engine != ring_page->fallback) {
		struct rip_engine *next = NULL;

		if (failure == -ENOMEM)
			ring_page->declined = failure;
		else
			next = replace(ring_page, failure);
		ring_page->engine = next ? next : ring_page->fallback;
		failure = open_in(ring_page, ring_page->engine);
	}
	return failure;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Where the input of a band ends in the ring, and the bytes that an engine copies. */
static size_t input_end(const struct rip_page_spec *spec, uint32_t pixel_bits,
			const struct rip_band_message *band, size_t *bytes)
{
	const size_t samples = (size_t)spec->width * spec->sample_bits / 8;
	size_t end = 0;

	*bytes = (size_t)band->lines * band->line_pitch;
	if (band->lines)
		return band->line_offset + (size_t)(band->lines - 1) * band->line_pitch +
		       (size_t)spec->width * band->step * (pixel_bits / 8);
	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *s = &band->strips[i];

		end = larger(end, s->in_offset + (size_t)(s->rows - 1) * s->in_pitch + samples);
		*bytes += s->rows * samples;
	}
	return end;
}

/* Notes how much of the ring a band uses, in whole pages of memory. */
static void note_use(struct rip_ring_page *ring_page, const struct rip_band_message *band)
{
	const struct rip_page_spec *spec = &ring_page->spec;
	const size_t dots = rip_dot_bytes(spec->width, spec->levels);
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes, in = input_end(spec, ring_page->limit.used ? 8 : spec->sample_bits,
				     band, &bytes), out = 0;

	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *s = &band->strips[i];

		out = larger(out, s->out_offset + (size_t)(s->rows - 1) * s->out_pitch + dots);
	}
	ring_page->in_used = larger(ring_page->in_used, (in + page - 1) / page * page);
	ring_page->out_used = larger(ring_page->out_used, (out + page - 1) / page * page);
	if (in > ring_page->in_pinned || out > ring_page->out_pinned)
		ring_page->copied += bytes;
}

/* Page-locked memory is unlocked. */
static void unpin(struct rip_ring_page *ring_page)
{
	struct rip_engine *gpu = ring_page->engine;

	if (!ring_page->in_pinned)
		return;
	if (gpu == ring_page->fallback)
		gpu = NULL;
	rip_engine_cuda_unpin(gpu, ring_page->ring.in);
	rip_engine_cuda_unpin(gpu, ring_page->ring.out);
	ring_page->in_pinned = ring_page->out_pinned = 0;
}

static int pin_now(struct rip_ring_page *ring_page)
{
	struct rip_engine *gpu = ring_page->engine;
	int r;

	unpin(ring_page);
	r = rip_engine_cuda_pin(gpu, ring_page->ring.in, ring_page->in_used);
	if (r < 0)
		return r;
	r = rip_engine_cuda_pin(gpu, ring_page->ring.out, ring_page->out_used);
	if (r < 0) {
		rip_engine_cuda_unpin(gpu, ring_page->ring.in);
		return r;
	}
	ring_page->in_pinned = ring_page->in_used;
	ring_page->out_pinned = ring_page->out_used;
	return 0;
}

/* Page-locking takes 0.5 ms a MiB, and copying samples instead 0.2. */
#define PIN_COST 3

/* Page-locks for a GPU what bands use of the ring, as soon as copying has taken as long as that
 * will.  The same again if they use more of it later, while no band is on its way.  The driver does
 * this for one ring at a time, and sessions do not wait for it: they try again with their next
 * band. */
static void pin(struct rip_ring_page *ring_page)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

	if (ring_page->copied < PIN_COST * (ring_page->in_used + ring_page->out_used) ||
	    ring_page->unpinnable || ring_page->engine == ring_page->fallback ||
	    (ring_page->in_pinned && atomic_load(&ring_page->on_their_way)) ||
	    pthread_mutex_trylock(&one))
		return;
	ring_page->unpinnable = pin_now(ring_page) < 0;
	ring_page->copied = 0;
	pthread_mutex_unlock(&one);
}

/* Start carries, in private memory: nobody can change them after the check. */
static int start_carries(struct rip_ring_page *ring_page, const struct rip_page_message *message)
{
	const size_t values = rip_carry_values(&ring_page->spec);
	int r = 0;

	if (message->start == RIP_PAGE_CARRY)
		memcpy(ring_page->carry, ring_page->ring.in + message->carry_offset,
		       ring_page->spec.planes * values * sizeof *ring_page->carry);
	for (uint32_t plane = 0; r == 0 && plane < ring_page->spec.planes; plane++) {
		int16_t *carry = ring_page->carry + plane * values;

		if (message->start == RIP_PAGE_CARRY)
			r = rip_carry_check(&ring_page->spec, carry);
		else
			rip_carry_start(&ring_page->spec, plane, message->start == RIP_PAGE_NOISE
					? RIP_START_NOISE : RIP_START_ZERO, carry);
	}
	return r;
}

static void free_page(struct rip_ring_page *ring_page)
{
	close_page(ring_page);
	rip_page_limit_finish(&ring_page->limit);
	free(ring_page->curve);
	free(ring_page->carry);
	ring_page->curve = NULL;
	ring_page->carry = NULL;
}

int rip_ring_page_begin(struct rip_ring_page *ring_page, const struct rip_page_message *message,
		    const struct rip_page_spec *spec)
{
	int r = -ENOMEM;

	free_page(ring_page);
	ring_page->declined = 0;
	ring_page->spec = *spec;
	ring_page->carry = rip_carry_new(spec, spec->planes);
	if (!ring_page->carry)
		goto fail;
	if (message->curve_values) {
		const size_t size = message->curve_values * sizeof *ring_page->curve;

		ring_page->curve = malloc(size);
		if (!ring_page->curve)
			goto fail;
		memcpy(ring_page->curve, ring_page->ring.in + message->curve_offset, size);
	}
	ring_page->spec.curve = ring_page->curve;
	if (!ring_page->engine->ops->takes(ring_page->engine, &ring_page->spec)) {
		ring_page->declined = -ENOTSUP;
		ring_page->engine = ring_page->fallback;
	}
	r = rip_page_limit_take(&ring_page->limit, message, ring_page->ring.in);
	if (r == 0)
		r = start_carries(ring_page, message);
	if (r == 0) {
		r = open_in(ring_page, ring_page->engine);
		if (r < 0)
			r = fall_back(ring_page, r);
	}
	if (r == 0)
		return 0;
fail:
	free_page(ring_page);
	return r;
}

/* Pushes the rows of the strips that are left, a piece after the other.  The rows of a
 * piece are a multiple of what any engine computes together, if there can be as many. */
static int push_pieces(struct rip_ring_page *ring_page, struct rip_strip *strips, unsigned count)
{
	const struct rip_engine_ops *ops = ring_page->page->engine->ops;
	uint64_t rows = PIECE_COST / (count * row_cost(ring_page->spec.width));

	rows = rows >= 128 ? rows / 128 * 128 : rows > 0 ? rows : 1;
	for (bool first = true; count; first = false) {
		struct rip_strip piece[RIP_PLANES_MAX];
		unsigned left = 0;
		int r;

		if (!first && ring_page->goes_on && !ring_page->goes_on(ring_page->context))
			return -ECANCELED;
		for (unsigned i = 0; i < count; i++) {
			piece[i] = strips[i];
			if (strips[i].rows <= rows)
				continue;
			piece[i].rows = (uint32_t)rows;
			strips[left] = strips[i];
			strips[left].rows -= (uint32_t)rows;
			strips[left].in = (const uint8_t *)strips[i].in + rows * strips[i].in_pitch;
			strips[left].out = strips[i].out + rows * strips[i].out_pitch;
			left++;
		}
		r = ops->push(ring_page->page, piece, count);
		if (r == 0)
			r = ops->pull(ring_page->page);
		if (r < 0)
			return r;
		count = left;
	}
	return 0;
}

/* The strips of a band, and its pixels if it has them. */
static void make_strips(const struct rip_ring_page *ring_page,
			const struct rip_band_message *band, struct rip_strip *strips,
			struct rip_pixels *pixels)
{
	*pixels = (struct rip_pixels){
		.lines = ring_page->ring.in + band->line_offset,
		.pitch = band->line_pitch, .count = band->lines, .step = band->step,
		.limit = ring_page->limit.used ? &ring_page->limit.limit : NULL,
	};
	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];

		strips[i] = (struct rip_strip){
			.plane = strip->plane,
			.rows = strip->rows,
			.in = ring_page->ring.in + strip->in_offset,
			.in_pitch = strip->in_pitch,
			.out = ring_page->ring.out + strip->out_offset,
			.out_pitch = strip->out_pitch,
			.pixels = band->lines ? pixels : NULL,
		};
	}
}

/* Copies the numbers of the lines that the rows of strips are in, out of the ring.  Those that do
 * not ascend, or leave too few lines for the rows after them, are replaced by some that do.
 * Returns the copy, to be freed; NULL: no memory. */
static uint16_t *copy_numbers(struct rip_strip *strips, unsigned count)
{
	uint16_t *numbers, *next;
	size_t rows = 0;

	for (unsigned i = 0; i < count; i++)
		rows += strips[i].rows;
	numbers = next = malloc(rows * sizeof *numbers);
	for (unsigned i = 0; numbers && i < count; i++) {
		struct rip_strip *strip = &strips[i];
		uint32_t least = 0, most = strip->pixels->count - strip->rows;

		memcpy(next, strip->in, strip->rows * sizeof *next);
		for (uint32_t row = 0; row < strip->rows; row++, most++) {
			const uint32_t line = next[row] < least ? least :
					      next[row] > most ? most : next[row];

			next[row] = (uint16_t)line;
			least = line + 1;
		}
		strip->line_numbers = next;
		next += strip->rows;
	}
	return numbers;
}

/* Makes strips of pixels strips of rows.  Returns the memory of the rows, to be freed; NULL: no
 * memory. */
static void *split_pixels(const struct rip_ring_page *ring_page, struct rip_strip *strips,
			  unsigned count)
{
	uint16_t *numbers = copy_numbers(strips, count);
	void *rows = numbers ? aligned_alloc(64, rip_pixels_split_size(&ring_page->spec, strips,
									count)) : NULL;

	if (rows)
		rip_pixels_split(&ring_page->spec, strips, count, rows);
	free(numbers);
	return rows;
}

/* The place of a strip's carry in the ring. */
static int16_t *carry_in_ring(const struct rip_ring_page *ring_page,
			      const struct rip_band_strip *strip)
{
	return (int16_t *)(void *)(ring_page->ring.out + strip->carry_offset);
}

/* The carries of a good band, which are in the ring, are those to go on from. */
static void keep_carries(struct rip_ring_page *ring_page, const struct rip_band_message *band)
{
	const size_t values = rip_carry_values(&ring_page->spec);

	for (uint32_t i = 0; i < band->count; i++)
		memcpy(ring_page->carry + band->strips[i].plane * values,
		       carry_in_ring(ring_page, &band->strips[i]),
		       values * sizeof *ring_page->carry);
}

/* One band in the page that is open.  The carries that it leaves are kept only
 * when all of it went well. */
static int run_band(struct rip_ring_page *ring_page, const struct rip_band_message *band)
{
	const struct rip_engine_ops *ops = ring_page->page->engine->ops;
	struct rip_strip strips[RIP_PLANES_MAX];
	struct rip_pixels pixels;
	void *rows = NULL;
	int r = 0;

	make_strips(ring_page, band, strips, &pixels);
	if (band->lines) {
		rows = split_pixels(ring_page, strips, band->count);
		r = rows ? 0 : -ENOMEM;
	}
	if (r == 0)
		r = push_pieces(ring_page, strips, band->count);
	free(rows);
	/* Into the ring first: should the engine fail half-way through, ours are whole. */
	for (uint32_t i = 0; r == 0 && i < band->count; i++)
		r = ops->export_carry(ring_page->page, band->strips[i].plane,
				      carry_in_ring(ring_page, &band->strips[i]));
	if (r < 0 && r != -ECANCELED)
		close_page(ring_page); /* waits for those that are on their way */
	if (atomic_load(&ring_page->failure))
		return -EAGAIN;
	if (r == 0)
		keep_carries(ring_page, band);
	return r;
}

/* A band has failed that is or was to be on its way: those after it must not go on. */
static void note_failure(struct rip_ring_page *ring_page, int failure)
{
	int none = 0;

	atomic_compare_exchange_strong(&ring_page->failure, &none, failure);
}

/* In a thread of the engine. */
static void arrived(struct rip_submission *submission, int result)
{
	struct rip_band_way *way = (struct rip_band_way *)submission;
	struct rip_ring_page *ring_page = way->ring_page;
	bool again;

	if (result < 0)
		note_failure(ring_page, result);
	again = atomic_load(&ring_page->failure) != 0;
	if (!again)
		keep_carries(ring_page, way->band);
	atomic_fetch_sub(&ring_page->on_their_way, 1);
	way->done(way, again);
}

/* RIP_BAND_ON_ITS_WAY; -E2BIG: the engine does not take it at once; -EAGAIN. */
static int submit_band(struct rip_ring_page *ring_page, const struct rip_band_message *band,
		       struct rip_band_way *way)
{
	struct rip_strip strips[RIP_PLANES_MAX];
	uint16_t *numbers = NULL;
	struct rip_pixels pixels;
	int r;

	make_strips(ring_page, band, strips, &pixels);
	if (band->lines) {
		numbers = copy_numbers(strips, band->count);
		if (!numbers)
			return -E2BIG; /* run_band() needs it as well, and reports it */
	}
	way->submission.done = arrived;
	for (uint32_t i = 0; i < band->count; i++)
		way->submission.carry[i] = carry_in_ring(ring_page, &band->strips[i]);
	way->ring_page = ring_page;
	way->band = band;
	atomic_fetch_add(&ring_page->on_their_way, 1);
	r = ring_page->page->engine->ops->submit(ring_page->page, strips, band->count,
						 &way->submission);
	free(numbers);
	if (r == 0)
		return RIP_BAND_ON_ITS_WAY;
	atomic_fetch_sub(&ring_page->on_their_way, 1);
	if (r == -E2BIG)
		return r;
	note_failure(ring_page, r);
	return -EAGAIN;
}

static bool submits(const struct rip_ring_page *ring_page, const struct rip_band_message *band,
		    const struct rip_band_way *way)
{
	const struct rip_engine_ops *ops = ring_page->page->engine->ops;

	return way && ops->submit && (!band->lines || ops->takes_pixels) &&
	       rip_ring_page_band_cost(band, ring_page->spec.width) <= PIECE_COST;
}

/* Submits a band, or runs it where that cannot be. */
static int do_band(struct rip_ring_page *ring_page, const struct rip_band_message *band,
		   struct rip_band_way *way)
{
	int r = submits(ring_page, band, way) ? submit_band(ring_page, band, way) : -E2BIG;

	return r == -E2BIG ? run_band(ring_page, band) : r;
}

int rip_ring_page_band(struct rip_ring_page *ring_page, const struct rip_band_message *band,
		       struct rip_band_way *way, bool again)
{
	int r = atomic_load(&ring_page->failure);

	if (r < 0 && !again)
		return -EAGAIN;
	if (r < 0) {
		atomic_store(&ring_page->failure, 0);
		r = fall_back(ring_page, r);
		if (r < 0)
			return r;
	}
	/* No engine could go on with an earlier band, and the loop has yet to hear of it. */
	if (!ring_page->page)
		return -ENODEV;
	note_use(ring_page, band);
	pin(ring_page);
	r = do_band(ring_page, band, way);
	while (r < 0 && r != -ECANCELED && r != -EAGAIN &&
	       ring_page->engine != ring_page->fallback) {
		r = fall_back(ring_page, r);
		if (r < 0)
			return r;
		r = do_band(ring_page, band, way); /* perhaps on another device */
	}
	if (r == -ECANCELED)
		close_page(ring_page);
	return r;
}

void rip_ring_page_let_go(struct rip_ring_page *ring_page)
{
	free_page(ring_page);
	unpin(ring_page);
}

void rip_ring_page_finish(struct rip_ring_page *ring_page)
{
	rip_ring_page_let_go(ring_page);
	rip_ring_finish(&ring_page->ring);
}
