/*
 * The rows of a page on their way through a halftoner, in bands that the caller does not see.
 *
 * Rows are placed, plane by plane in any order; a full band is submitted, and while it is
 * halftoned the next one is filled.  Of planes that the screen couples, rows wait until all planes
 * have them.  The dots stay in their band until they are taken.  If the
 * caller takes what is ready after each commit, a few bands are reused for the whole page.
 *
 * What fails is logged by the halftoner.  After an error the halftoner must be freed before the
 * flow is reset, because it may still have bands.  Used by one thread.
 */
#ifndef RIP_ROW_FLOW_H
#define RIP_ROW_FLOW_H

#include "halftoner.h"

/* What happens to a band. */
enum rip_held_state { RIP_HELD_FILLING, RIP_HELD_FLYING, RIP_HELD_READY };

struct rip_held_band {
	struct rip_band    *band;
	enum rip_held_state state;
	uint32_t            first[RIP_PLANES_MAX], rows[RIP_PLANES_MAX]; /* of the page, by plane */
};

/* Zeros are a flow without a page. */
struct rip_row_flow {
	struct rip_halftoner *halftoner;
	struct rip_page_spec  spec;      /* of the bands; its curve must not be read */
	uint32_t height;                 /* rows; 0: not known */
	uint32_t band_rows;              /* capacity of the bands */
	unsigned goal;                   /* bands to allocate, unless the caller takes no dots */
	struct rip_held_band *ring;      /* `size` places, from `first` on: bands that hold rows,
					    the oldest first and the last perhaps filling; then the
					    free bands; then places without a band */
	unsigned size, first;
	unsigned made;                   /* bands that exist, */
	unsigned held_count;             /* those that hold rows, */
	unsigned flying;                 /* and those with the halftoner */
	bool     couples;                /* the screen couples the planes */
	bool     lone;                   /* the last band had rows of one plane only */
	uint64_t first_number;           /* of the oldest band, counted through the page */
	uint64_t cursor[RIP_PLANES_MAX]; /* the band with the plane's next row of dots */
	uint32_t pushed[RIP_PLANES_MAX], taken[RIP_PLANES_MAX]; /* rows */
	int64_t  called_us;              /* with a daemon: when the halftoner was last called */
	int64_t  waited_us;              /* for the halftoner, in this page */
};

/* Begins a page.  band_rows: 0 to choose.  0 or -errno. */
int rip_row_flow_begin(struct rip_row_flow *flow, struct rip_halftoner *halftoner,
		       const struct rip_page_spec *spec, uint32_t height, enum rip_start start,
		       uint32_t band_rows);

/* Ends the page, whether it is complete or not.  0 or -errno. */
int rip_row_flow_end(struct rip_row_flow *flow);

/* Where the next rows of a plane go; *rows: how many.  may_grow: allocate a band if dots that were
 * not taken fill all others.  0; 1: dots must be taken first, and some are ready; -ENOMEM, or an
 * error of the halftoner; -EINVAL: the plane is complete. */
int rip_row_flow_place(struct rip_row_flow *flow, uint32_t plane, bool may_grow, void **place,
		       uint32_t *rows);

/* How many rows may be committed if the samples lie where the next row of the plane goes; 0: they
 * lie elsewhere. */
uint32_t rip_row_flow_room(const struct rip_row_flow *flow, uint32_t plane, const void *samples);

/* Commits rows that were written there.  0 or -errno. */
int rip_row_flow_commit(struct rip_row_flow *flow, uint32_t plane, uint32_t rows);

/* The same for lines of pixels, if the halftoner wants them: rows of all planes, which have as many
 * so far.  NULL in *lines: the band takes rows of planes. */
int rip_row_flow_place_lines(struct rip_row_flow *flow, void **lines, uint32_t *count);
int rip_row_flow_commit_lines(struct rip_row_flow *flow, const void *lines, size_t pitch,
			      uint32_t step, uint32_t count);

/* Puts rows that lie elsewhere, `pitch` bytes from one to the next; samples of 16 bits at even
 * addresses.  They are not read after it has returned.  0 or -errno. */
int rip_row_flow_put(struct rip_row_flow *flow, uint32_t plane, const void *samples,
		     ptrdiff_t pitch, uint32_t rows);

/* Submits all rows that were committed, if coupled planes have the same rows, and waits for the
 * dots of the oldest band that has none, if there is one.  0 or -errno. */
int rip_row_flow_advance(struct rip_row_flow *flow);

/* Waits for the dots of all rows that were committed, of coupled planes as above.  0 or -errno. */
int rip_row_flow_flush(struct rip_row_flow *flow);

/* The next row of dots of a plane; NULL: none is ready. */
const uint8_t *rip_row_flow_dots(struct rip_row_flow *flow, uint32_t plane);

/* Takes it. */
void rip_row_flow_take(struct rip_row_flow *flow, uint32_t plane);

/* Frees all bands; may be called twice. */
void rip_row_flow_reset(struct rip_row_flow *flow);

#endif
