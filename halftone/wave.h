/*
 * A wave: one thread halftones a strip whose carry arrives column by column from elsewhere,
 * and says how many columns of its own carry are ready to be passed on.  So the strips of
 * one plane can be shared among processes or machines, each a little behind the strip
 * above.
 *
 * The carry is replaced in place.  The caller provides it and moves it from strip to strip;
 * the wave never waits.
 *
 *	rip_wave_begin(wave, &strip, carry);
 *	do {
 *		arrived = columns of the carry that are there;
 *		rip_wave_advance(wave, arrived, &ready);
 *		pass on the first `ready` columns;
 *	} while (ready < width);
 *
 * All screens and levels of the CPU engine work: in SIMD if there is a kernel, otherwise in
 * plain C.  A screen that cannot be computed by columns starts when its whole carry has
 * arrived.
 *
 * Used by one thread at a time.
 */
#ifndef RIP_WAVE_H
#define RIP_WAVE_H

#include "engine.h"
#include "halftone/simd/isa.h"

struct rip_wave;

/* Values before and after each row of carry that may be overwritten with anything. */
#define RIP_WAVE_PAD 480

/* For strips of up to `rows` rows (1 or more) of a page with one plane.  isa: a usable set;
 * NULL: the best.  -EINVAL: no CPU engine takes such a page; -ENOMEM. */
int  rip_wave_new(const struct rip_page_spec *spec, const struct rip_isa *isa, uint32_t rows,
		  struct rip_wave **wave);
void rip_wave_free(struct rip_wave *wave); /* NULL is allowed */

/* Begins a strip, which may have no rows: then its carry is passed on as it arrives.  The last
 * strip is complete.  carry: the rows of the carry, `reach` of them, with RIP_WAVE_PAD
 * values before and after each.  They and the strip's buffers are in use until the strip is
 * complete. */
void rip_wave_begin(struct rip_wave *wave, const struct rip_strip *strip, int16_t *const carry[]);

/* Computes what the first `arrived` columns of the carry allow: never fewer than the call
 * before, in the end the width.  *ready becomes the number of columns of the carry after the
 * strip that are complete; the wave does not touch them any more.  When it is the width,
 * the strip is complete, and its dots are written.  0 or -ENOMEM. */
int rip_wave_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready);

/* The least number of columns that a strip of that many rows is behind its carry. */
uint32_t rip_wave_lag(const struct rip_wave *wave, uint32_t rows);

/* Columns that are computed at a time. */
uint32_t rip_wave_block(const struct rip_wave *wave);

/* The rows of a group: strips of a multiple of this number are the fastest. */
uint32_t rip_wave_lanes(const struct rip_wave *wave);

#endif
