/*
 * Error diffusion in plain C: the definition of the results, and the papers'
 * sequential methods.
 *
 * Kasagi, Nakano and Ito, "Implementations of Parallel Error Diffusion Optimized
 * for GPUs", sections I and IV:
 *
 * - ED(CPU) pushes: the error of a pixel goes at once to the neighbours that
 *   have not been processed.  State between rows: the carry D itself.
 * - EC(CPU) collects: a pixel takes its share from the neighbours that have been
 *   processed.  State between rows: the errors e of the last row, or two.
 *
 * Both with the paper's register cache: what the next pixel needs again stays in
 * registers, so that each pixel loads and stores one value a row of state.
 *
 * A plane's state belongs to one thread at a time.
 */
#ifndef RIP_DIFFUSE_H
#define RIP_DIFFUSE_H

#include "diffuse_cache.h"
#include "halftone/page/tone.h"

struct rip_diffuser {
	const struct rip_screen *screen;
	const struct rip_tone   *tone; /* the caller's, outlives this */
	uint32_t width;
	bool     collect; /* EC, else ED */
	/* Rows of state, with RIP_DIFFUSE_PAD values on either side.  ED: the carry, D1 and
	 * D2.  EC: the errors of the rows above, the nearest first; after an import, D1 and
	 * D2 until they are replaced, see age.  EC of blue noise: the errors of the row above,
	 * and their zones. */
	int16_t *rows[2];
	int      age; /* EC: rows since the carry was imported, up to the screen's reach */
};

#define RIP_DIFFUSE_PAD 4

/* Whether there is code for pages like this: all named screens that halftone planes apart. */
bool rip_diffuser_takes(const struct rip_page_spec *spec);

/* A plane of width columns with a carry of 0.  0 or -ENOMEM. */
int  rip_diffuser_init(struct rip_diffuser *diffuser, const struct rip_page_spec *spec,
		       const struct rip_tone *tone, bool collect);
void rip_diffuser_finish(struct rip_diffuser *diffuser); /* may be called twice */

/* Halftones the next rows: as struct rip_strip says. */
void rip_diffuser_run(struct rip_diffuser *diffuser, const struct rip_strip *strip);

/* The same by columns: from .. to-1 of row `row` of the strip.  from is 0 or the `to` of the
 * row's call before.  cache is passed from call to call of a row, and undefined before the
 * first.  before: a copy of the diffuser before the first row of the strip; its memory belongs
 * to the diffuser.
 *
 * The rows of a strip work on the same memory one after the other.  So several threads can
 * compute several rows at once: columns may be computed when the row above is complete up to
 * column rip_diffuser_needs(to). */
void rip_diffuser_columns(const struct rip_diffuser *before, const struct rip_strip *strip,
			  uint32_t row, uint32_t from, uint32_t to,
			  struct rip_diffuser_cache *cache);

/* So each row of a group may be RIP_DIFFUSE_SHIFT columns behind the row above, which suffices
 * for every screen; a multiple of 8, since dots are written by bytes. */
#define RIP_DIFFUSE_SHIFT 8

/* Where a row of such a group ends, counted from 0, when its first row would end at `columns`,
 * which may be past the width. */
static inline uint32_t rip_diffuser_end(uint64_t columns, uint32_t row, uint32_t width)
{
	const uint64_t shift = (uint64_t)RIP_DIFFUSE_SHIFT * row;

	return columns < shift ? 0 : columns - shift < width ? (uint32_t)(columns - shift) : width;
}

/* Goes on to the rows after a strip that is computed by columns; it need not be complete. */
void rip_diffuser_advance(struct rip_diffuser *diffuser, uint32_t rows);

static inline uint32_t rip_diffuser_needs(const struct rip_diffuser *diffuser, uint32_t to)
{
	const uint32_t more = diffuser->screen->filter ? 2 : 4;

	return diffuser->width - to < more ? diffuser->width : to + more;
}

/* The carry: reach * width values.  Import does not check them: rip_carry_check(). */
void rip_diffuser_export(const struct rip_diffuser *diffuser, int16_t *carry);
void rip_diffuser_import(struct rip_diffuser *diffuser, const int16_t *carry);

/* Starts a page of this spec as plane number `plane`. */
void rip_diffuser_start(struct rip_diffuser *diffuser, const struct rip_page_spec *spec,
			uint32_t plane, enum rip_start start);

#endif
