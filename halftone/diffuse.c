/*
 * Error diffusion in plain C.
 *
 * One row function, always inlined with its filter (NULL: blue noise), direction (push or collect)
 * and so on as constants, so that the compiler drops the weights that are 0 and
 * keeps the register cache in registers.  The chain from pixel to pixel is one
 * multiply, one add, one shift and one sign extension:
 *
 *	s = A + u + mulr(e, w) = ((A + u) * 2^15 + 2^14 + e*w) >> 15
 *
 * since A + u, which does not depend on the last error, has no bits below 2^15.
 */
#include "diffuse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "blue_noise_row.h"
#include "diffuse_row.h"

#define TARGETS 256 /* that are computed at a time */

/* mulr() for a weight that is a constant: multiples of 2^11 need no multiply. */
INLINE int32_t share(int32_t e, int32_t w)
{
	if (w == 0)
		return 0;
	if (w % 2048 == 0)
		return (e * (w / 2048) + 8) >> 4;
	return rip_mulr(e, w);
}

/* The sum of a pixel with target A, of which the downward shares are u. */
INLINE int32_t sum_of(const struct rip_error_filter *f, const struct rip_diffuser_cache *c,
		      int32_t target, int32_t u)
{
	const int64_t rest = (int64_t)target + u + share(c->last2, f->right[1]);

	return (int32_t)((rest * 32768 + 16384 + c->last * (int64_t)f->right[0]) >> 15);
}

/* Column j+k-2 above gave column j the share of its own offset 2-k. */
INLINE int32_t collect5(const int16_t weights[5], const int32_t window[5])
{
	return share(window[0], weights[4]) + share(window[1], weights[3]) +
	       share(window[2], weights[2]) + share(window[3], weights[1]) +
	       share(window[4], weights[0]);
}

INLINE void push5(const int16_t weights[5], int32_t window[5], int32_t e)
{
	window[0] += share(e, weights[0]);
	window[1] += share(e, weights[1]);
	window[2] += share(e, weights[2]);
	window[3] += share(e, weights[3]);
	window[4] += share(e, weights[4]);
}

/* One pixel, collecting.  age 0: state1 holds D1.  age 1: state1 holds the errors
 * of the row above, state2 still D2.  age 2: both hold errors. */
INLINE int32_t collect_pixel(const struct rip_error_filter *f, int age, struct row *row,
			     struct rip_diffuser_cache *c, size_t j, int32_t target)
{
	int32_t u, s, e;

	if (age == 0) {
		u = row->state1[j];
	} else {
		shift(c->near, row->state1[j + 2]);
		u = collect5(f->below, c->near);
	}
	if (f->reach == 2 && age == 1) {
		u += row->state2[j];
	} else if (f->reach == 2 && age == 2) {
		shift(c->far, row->state2[j + 2]);
		u += collect5(f->below2, c->far);
	}
	s = sum_of(f, c, target, u);
	e = rip_error_left(s);
	/* The new errors replace the oldest row: D1, then D2, then errors. */
	(f->reach == 2 && age > 0 ? row->state2 : row->state1)[j] = (int16_t)e;
	c->last2 = c->last;
	c->last = e;
	return rip_level(s);
}

/* One pixel, pushing.  near[] and far[] gather what this row sends down; column
 * j-2 gets nothing more after this pixel, and goes to memory. */
INLINE int32_t push_pixel(const struct rip_error_filter *f, struct row *row,
			  struct rip_diffuser_cache *c, size_t j, int32_t target)
{
	const int32_t s = sum_of(f, c, target, row->state1[j]);
	const int32_t e = rip_error_left(s);
	int16_t *d1 = row->state1 + (ptrdiff_t)j - 2;

	c->last2 = c->last;
	c->last = e;
	push5(f->below, c->near, e);
	if (f->reach == 2) {
		int16_t *d2 = row->state2 + (ptrdiff_t)j - 2;

		push5(f->below2, c->far, e);
		*d1 = (int16_t)(c->near[0] + *d2);
		*d2 = (int16_t)c->far[0];
		shift(c->far, 0);
	} else {
		*d1 = (int16_t)c->near[0];
	}
	shift(c->near, 0);
	return rip_level(s);
}

INLINE int32_t pixel(const struct rip_error_filter *f, bool collect, int age, struct row *row,
		     struct rip_diffuser_cache *c, size_t j, int32_t target)
{
	if (!f)
		return collect ? blue_noise_collect(age, row, c, j, target)
			       : blue_noise_push(row, c, j, target);
	return collect ? collect_pixel(f, age, row, c, j, target)
		       : push_pixel(f, row, c, j, target);
}

/* Before the first pixel: the cache is empty except for the columns ahead. */
INLINE void open_row(const struct rip_error_filter *f, bool collect, int age,
		     const struct row *row, struct rip_diffuser_cache *c)
{
	if (!f) {
		blue_noise_open(collect, age, row, c);
		return;
	}
	memset(c, 0, sizeof *c);
	if (!collect)
		return;
	/* shift() moves these to j-1..j+1 when column 0 loads column 2. */
	if (age > 0) {
		c->near[3] = row->state1[0];
		c->near[4] = row->state1[1];
	}
	if (f->reach == 2 && age == 2) {
		c->far[3] = row->state2[0];
		c->far[4] = row->state2[1];
	}
}

/* After the last pixel: columns width-2 and width-1 of a pushing row. */
INLINE void close_row(const struct rip_error_filter *f, bool collect, struct row *row,
		      struct rip_diffuser_cache *c, size_t width)
{
	if (!f)
		blue_noise_close(collect, row, c, width);
	if (!f || collect)
		return;
	for (ptrdiff_t j = (ptrdiff_t)width - 2; j < (ptrdiff_t)width; j++) {
		if (f->reach == 2) {
			row->state1[j] = (int16_t)(c->near[0] + row->state2[j]);
			row->state2[j] = (int16_t)c->far[0];
			shift(c->far, 0);
		} else {
			row->state1[j] = (int16_t)c->near[0];
		}
		shift(c->near, 0);
	}
	/* What the first columns wrote into the left pad is not used. */
}

/* Columns from .. to-1 of a row of width. */
struct span {
	size_t from, to, width;
};

/* The columns up to `to` of a byte of 1-bit dots that an earlier call has begun.  Returns the
 * column after them. */
INLINE size_t finish_byte(const struct rip_error_filter *f, bool collect, int age, struct row *row,
			  size_t from, size_t to, struct rip_diffuser_cache *cache)
{
	const size_t first = from / 8 * 8, end = to < first + 8 ? to : first + 8;
	uint32_t byte = row->out[from / 8] >> (8 - (from - first));

	for (size_t j = from; j < end; j++)
		byte = byte * 2 + (uint32_t)pixel(f, collect, age, row, cache, j,
						  row->table[row->samples[j]]);
	row->out[from / 8] = (uint8_t)(byte << (8 - (end - first)));
	return end;
}

/* 8-bit samples and 1-bit dots, the most common case: without an array of targets.  Whole rows
 * have code of their own, without a cache (NULL), which gcc would keep in memory. */
INLINE void run_8to1(const struct rip_error_filter *f, bool collect, int age, struct row *row,
		     const struct span *span, struct rip_diffuser_cache *cache)
{
	struct row r = *row; /* in registers */
	struct rip_diffuser_cache c;
	const size_t to = cache ? span->to : span->width;
	size_t j = cache ? span->from : 0;

	if (!cache || j == 0)
		open_row(f, collect, age, &r, &c);
	else
		c = *cache;
	if (cache && j % 8 != 0)
		j = finish_byte(f, collect, age, &r, j, to, &c);
	for (; j + 8 <= to; j += 8) {
		uint32_t byte = 0;

#pragma GCC unroll 8
		for (size_t k = 0; k < 8; k++)
			byte = byte * 2 + (uint32_t)pixel(f, collect, age, &r, &c, j + k,
							  r.table[r.samples[j + k]]);
		r.out[j / 8] = (uint8_t)byte;
	}
	if (j < to) {
		uint32_t byte = 0;
		const size_t first = j;

		for (; j < to; j++)
			byte = byte * 2 + (uint32_t)pixel(f, collect, age, &r, &c, j,
							  r.table[r.samples[j]]);
		r.out[first / 8] = (uint8_t)(byte << (8 - (to - first)));
	}
	if (!cache || to == span->width)
		close_row(f, collect, &r, &c, to);
	if (cache)
		*cache = c;
}

/* Any samples, any levels. */
INLINE void run_any(const struct rip_error_filter *f, bool collect, int age, struct row *row,
		    const struct span *span, const struct rip_tone *tone, const void *samples,
		    struct rip_diffuser_cache *cache)
{
	struct row r = *row;
	struct rip_diffuser_cache c;
	int32_t targets[TARGETS];
	const size_t from = cache ? span->from : 0, to = cache ? span->to : span->width;
	uint32_t byte = 0, filled = 0;

	if (!cache || from == 0)
		open_row(f, collect, age, &r, &c);
	else
		c = *cache;
	r.out += from * r.bits / 8;
	if (cache && from * r.bits % 8 != 0) { /* a byte that an earlier call has begun */
		filled = (uint32_t)(from * r.bits % 8);
		byte = *r.out >> (8 - filled);
	}
	for (size_t j = from; j < to;) {
		const size_t count = to - j < TARGETS ? to - j : TARGETS;

		rip_tone_targets(tone, samples, j, count, targets);
		for (size_t i = 0; i < count; i++, j++) {
			byte = byte << r.bits |
			       (uint32_t)pixel(f, collect, age, &r, &c, j, targets[i]);
			filled += r.bits;
			if (filled == 8) {
				*r.out++ = (uint8_t)byte;
				byte = filled = 0;
			}
		}
	}
	if (filled)
		*r.out = (uint8_t)(byte << (8 - filled));
	if (!cache || to == span->width)
		close_row(f, collect, &r, &c, to);
	if (cache)
		*cache = c;
}

/* The functions of every screen: pushing, and collecting at every age. */
struct rows_of {
	/* 8 bits to 1 bit: whole rows, and spans */
	void (*whole_to1)(struct row *row, const struct span *span);
	void (*to1)(struct row *row, const struct span *span, struct rip_diffuser_cache *cache);
	/* the same for any samples and levels */
	void (*whole_any)(struct row *row, const struct span *span, const struct rip_tone *tone,
			  const void *samples);
	void (*any)(struct row *row, const struct span *span, const struct rip_tone *tone,
		    const void *samples, struct rip_diffuser_cache *cache);
};

#define ROWS(NAME, FILTER, CASE, COLLECT, AGE)                                          \
	static void NAME##CASE##_whole_to1(struct row *row, const struct span *span)    \
	{                                                                               \
		run_8to1(FILTER, COLLECT, AGE, row, span, NULL);                         \
	}                                                                               \
	static void NAME##CASE##_to1(struct row *row, const struct span *span,          \
				     struct rip_diffuser_cache *cache)                  \
	{                                                                               \
		run_8to1(FILTER, COLLECT, AGE, row, span, cache);                        \
	}                                                                               \
	static void NAME##CASE##_whole_any(struct row *row, const struct span *span,    \
					   const struct rip_tone *tone,                 \
					   const void *samples)                         \
	{                                                                               \
		run_any(FILTER, COLLECT, AGE, row, span, tone, samples, NULL);           \
	}                                                                               \
	static void NAME##CASE##_any(struct row *row, const struct span *span,          \
				     const struct rip_tone *tone, const void *samples,  \
				     struct rip_diffuser_cache *cache)                  \
	{                                                                               \
		run_any(FILTER, COLLECT, AGE, row, span, tone, samples, cache);          \
	}

#define ROWS_REACH1(NAME, FILTER)           \
	ROWS(NAME, FILTER, _push, false, 0) \
	ROWS(NAME, FILTER, _ec0, true, 0)   \
	ROWS(NAME, FILTER, _ec1, true, 1)
#define ROWS_REACH2(NAME, FILTER)           \
	ROWS_REACH1(NAME, FILTER)           \
	ROWS(NAME, FILTER, _ec2, true, 2)

static const struct rip_error_filter
	floyd_steinberg = RIP_FILTER_FLOYD_STEINBERG(RIP_ERROR_FILTER),
	jarvis_judice_ninke = RIP_FILTER_JARVIS_JUDICE_NINKE(RIP_ERROR_FILTER),
	stucki = RIP_FILTER_STUCKI(RIP_ERROR_FILTER),
	burkes = RIP_FILTER_BURKES(RIP_ERROR_FILTER),
	sierra = RIP_FILTER_SIERRA(RIP_ERROR_FILTER),
	atkinson = RIP_FILTER_ATKINSON(RIP_ERROR_FILTER);

ROWS_REACH1(floyd_steinberg, &floyd_steinberg)
ROWS_REACH2(jarvis_judice_ninke, &jarvis_judice_ninke)
ROWS_REACH2(stucki, &stucki)
ROWS_REACH1(burkes, &burkes)
ROWS_REACH2(sierra, &sierra)
ROWS_REACH2(atkinson, &atkinson)
ROWS_REACH1(blue_noise, NULL)

#define ENTRY(NAME)    { NAME##_whole_to1, NAME##_to1, NAME##_whole_any, NAME##_any }
#define ENTRIES1(NAME) { ENTRY(NAME##_push), ENTRY(NAME##_ec0), ENTRY(NAME##_ec1) }
#define ENTRIES2(NAME) \
	{ ENTRY(NAME##_push), ENTRY(NAME##_ec0), ENTRY(NAME##_ec1), ENTRY(NAME##_ec2) }

/* [id][0: push, 1 + age: collect] */
static const struct rows_of rows_of[RIP_SCREENS][4] = {
	[RIP_FLOYD_STEINBERG] = ENTRIES1(floyd_steinberg),
	[RIP_JARVIS_JUDICE_NINKE] = ENTRIES2(jarvis_judice_ninke),
	[RIP_STUCKI] = ENTRIES2(stucki),
	[RIP_BURKES] = ENTRIES1(burkes),
	[RIP_SIERRA] = ENTRIES2(sierra),
	[RIP_ATKINSON] = ENTRIES2(atkinson),
	[RIP_BLUE_NOISE] = ENTRIES1(blue_noise),
};

bool rip_diffuser_takes(const struct rip_page_spec *spec)
{
	const int id = rip_screen_id(spec->screen);

	return id >= 0 && rows_of[id][0].any;
}

static int rows_of_state(const struct rip_screen *screen, bool collect)
{
	return screen->reach + (collect && screen->kind == RIP_SCREEN_BLUE_NOISE);
}

int rip_diffuser_init(struct rip_diffuser *diffuser, const struct rip_page_spec *spec,
		      const struct rip_tone *tone, bool collect)
{
	memset(diffuser, 0, sizeof *diffuser);
	diffuser->screen = spec->screen;
	diffuser->tone = tone;
	diffuser->width = spec->width;
	diffuser->collect = collect;
	for (int i = 0; i < rows_of_state(spec->screen, collect); i++) {
		int16_t *row = calloc(spec->width + 2 * RIP_DIFFUSE_PAD, sizeof *row);

		if (!row) {
			rip_diffuser_finish(diffuser);
			return -ENOMEM;
		}
		diffuser->rows[i] = row + RIP_DIFFUSE_PAD;
	}
	return 0;
}

void rip_diffuser_finish(struct rip_diffuser *diffuser)
{
	for (int i = 0; i < 2; i++) {
		if (diffuser->rows[i])
			free(diffuser->rows[i] - RIP_DIFFUSE_PAD);
		diffuser->rows[i] = NULL;
	}
}

/* The age of the state before a row of a strip. */
static int age_at(const struct rip_diffuser *d, uint32_t row)
{
	const uint32_t left = (uint32_t)(d->screen->reach - d->age);

	if (!d->collect)
		return 0;
	return row < left ? d->age + (int)row : d->screen->reach;
}

/* Whether the rows of state have changed places before a row of a strip: a collected row
 * replaces the older of two, but for the first one after an import. */
static bool swapped_at(const struct rip_diffuser *d, uint32_t row)
{
	if (!d->collect || d->screen->reach < 2 || row == 0)
		return false;
	return (row - (d->age == 0)) % 2;
}

void rip_diffuser_columns(const struct rip_diffuser *before, const struct rip_strip *strip,
			  uint32_t row, uint32_t from, uint32_t to,
			  struct rip_diffuser_cache *cache)
{
	const struct rip_tone *tone = before->tone;
	const int ages = before->collect ? 1 + age_at(before, row) : 0;
	const struct rows_of *run = &rows_of[rip_screen_id(before->screen)][ages];
	const bool swapped = swapped_at(before, row);
	const struct span span = { from, to, before->width };
	const bool whole = from == 0 && to == before->width;
	const uint8_t *in = (const uint8_t *)strip->in + (ptrdiff_t)row * strip->in_pitch;
	struct row r = {
		.samples = in,
		.table = tone->target8,
		.out = strip->out + (ptrdiff_t)row * strip->out_pitch,
		.bits = rip_dot_bits(tone->levels),
		.state1 = before->rows[swapped],
		.state2 = before->rows[!swapped],
	};

	if (tone->sample_bits == 8 && tone->levels == 2 && whole)
		run->whole_to1(&r, &span);
	else if (tone->sample_bits == 8 && tone->levels == 2)
		run->to1(&r, &span, cache);
	else if (whole)
		run->whole_any(&r, &span, tone, in);
	else
		run->any(&r, &span, tone, in, cache);
}

void rip_diffuser_advance(struct rip_diffuser *d, uint32_t rows)
{
	if (swapped_at(d, rows)) {
		int16_t *newest = d->rows[1];

		d->rows[1] = d->rows[0];
		d->rows[0] = newest;
	}
	d->age = age_at(d, rows);
}

void rip_diffuser_run(struct rip_diffuser *d, const struct rip_strip *strip)
{
	for (uint32_t row = 0; row < strip->rows; row++) {
		struct rip_diffuser_cache cache;

		rip_diffuser_columns(d, strip, row, 0, d->width, &cache);
	}
	rip_diffuser_advance(d, strip->rows);
}

/* The share that the errors of a whole row send down to column j. */
static int32_t collect_at(const int16_t weights[5], const int16_t *errors, size_t j, size_t width)
{
	int32_t u = 0;

	for (size_t k = 0; k < 5; k++) /* from column j + k - 2 */
		if (j + k >= 2 && j + k - 2 < width)
			u += rip_mulr(errors[j + k - 2], weights[4 - k]);
	return u;
}

void rip_diffuser_export(const struct rip_diffuser *d, int16_t *carry)
{
	const struct rip_error_filter *f = d->screen->filter;
	const size_t width = d->width;
	int16_t *d1 = carry, *d2 = carry + width;

	if (!d->collect || d->age == 0) {
		for (int i = 0; i < d->screen->reach; i++)
			memcpy(carry + (size_t)i * width, d->rows[i], width * sizeof *carry);
		return;
	}
	if (!f) {
		for (size_t j = 0; j < width; j++)
			carry[j] = (int16_t)blue_noise_carry(d->rows[0], d->rows[1], (ptrdiff_t)j);
		return;
	}
	for (size_t j = 0; j < width; j++) {
		int32_t u = collect_at(f->below, d->rows[0], j, width);

		if (f->reach == 2) {
			u += d->age == 1 ? d->rows[1][j]
					 : collect_at(f->below2, d->rows[1], j, width);
			d2[j] = (int16_t)collect_at(f->below2, d->rows[0], j, width);
		}
		d1[j] = (int16_t)u;
	}
}

void rip_diffuser_import(struct rip_diffuser *d, const int16_t *carry)
{
	for (int i = 0; i < d->screen->reach; i++)
		memcpy(d->rows[i], carry + (size_t)i * d->width, d->width * sizeof *carry);
	d->age = 0;
}

void rip_diffuser_start(struct rip_diffuser *d, const struct rip_page_spec *spec, uint32_t plane,
			enum rip_start start)
{
	for (int i = 0; i < d->screen->reach; i++)
		rip_carry_start_row(spec, i, plane, start, d->rows[i]);
	d->age = 0;
}
