/*
 * Changes of samples that depend on the samples around them, before the halftoner.
 *
 * A sample is changed by the samples of its plane at most `edge` columns to the left and right and
 * `edge` rows above and below.  The lines of a page go through a ring, which reads `edge` lines
 * ahead.  The result depends on the page only.  What is done to the samples is a kind:
 * toner_save.h, fine_edges.h.
 *
 * Samples are looked at in tiles of a row.  What is found along a tile's row is kept for the lines
 * around the next one, so that it is found once, and before the row is changed.
 *
 * Used by one thread.
 */
#ifndef RIP_AROUND_H
#define RIP_AROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rows.h"

/* The lines of a page. */
struct rip_around_lines {
	uint32_t samples;     /* of a row */
	uint32_t stride;      /* samples from one of a plane to its next one, 1..RIP_PLANES_MAX */
	uint32_t rows;        /* in a line, one after another: planes of banded pages; else 1 */
	uint32_t sample_bits; /* 8 or 16 */
	uint32_t height;      /* lines of a page, or of a plane of a planar page */
	/* Reads lines as they are.  0, or anything else to stop. */
	int    (*read)(void *context, void *to, uint32_t lines);
	void    *context;
};

struct rip_around;
struct rip_around_kind;

/* Puts a ring behind *around, which is NULL or another one that it reads and owns.  rule: the
 * kind's, with this edge; it must outlive the ring.  0; -ENOMEM: *around is as before. */
int  rip_around_add(struct rip_around **around, const struct rip_around_kind *kind,
		    const void *rule, uint32_t edge, const struct rip_around_lines *lines);
void rip_around_free(struct rip_around *around); /* NULL is allowed */

/* Bytes that a ring takes; none if edge is 0. */
uint64_t rip_around_size(const struct rip_around_kind *kind, uint32_t edge,
			 const struct rip_around_lines *lines);

/* The next line, valid until the next call.  After `height` lines the next plane begins.  0, or
 * what read() returned. */
int rip_around_line(struct rip_around *around, const uint8_t **line);

/* The next lines, into rows of the planes of a line: one line if these are chunked.  0, or what
 * read() returned. */
int rip_around_rows(struct rip_around *around, void *const rows[], uint32_t planes,
		    uint32_t lines);

/* ---- for kinds ---- */

#define RIP_TILE 512

/* Some samples of a row. */
struct rip_tile {
	uint32_t from, count;
};

/* One kind of change. */
struct rip_around_kind {
	size_t found_bytes; /* that find() writes for a tile */
	/* Finds what the kind needs to know along a tile's row, as far as `edge` samples of the
	 * plane beside it.  Returns whether there is anything. */
	bool (*find)(const struct rip_around *around, const void *row, struct rip_tile tile,
		     uint8_t *found);
	/* Changes line n. */
	void (*change)(struct rip_around *around, uint32_t n);
	size_t own_bytes, own_tile_bytes; /* at `own`, and more for each tile of a line */
};

struct rip_around {
	const struct rip_around_kind *kind;
	const void             *rule; /* of the kind, the caller's */
	struct rip_around_lines lines;
	struct rip_around      *before; /* where the lines come from, or NULL */
	uint32_t edge, window; /* window: 2 edge + 1 */
	size_t   line_bytes;
	uint32_t tiles;      /* of a row */
	uint8_t *ring;       /* line n is at n % capacity */
	uint32_t capacity;   /* lines; each half of it is read at once */
	uint32_t next, have; /* lines given out, and read */
	uint32_t plane;      /* planes of a planar page that are complete */
	/* For the lines around the next one, line n at n % window: what was found in each tile,
	 * and 1 + n if this is known. */
	uint8_t  *found;
	uint32_t *known;
	void     *own;   /* the kind's, zeros at the beginning of a plane */
};

static inline struct rip_tile rip_tile_at(const struct rip_around *around, uint32_t t)
{
	const uint32_t from = t * RIP_TILE, left = around->lines.samples - from;

	return (struct rip_tile){ from, left < RIP_TILE ? left : RIP_TILE };
}

static inline void *rip_around_row(const struct rip_around *around, uint32_t n, uint32_t row)
{
	return around->ring + (n % around->capacity) * around->line_bytes +
	       row * (around->line_bytes / around->lines.rows);
}

/* The lines around line n. */
static inline uint32_t rip_around_first(const struct rip_around *around, uint32_t n)
{
	return n < around->edge ? 0 : n - around->edge;
}

static inline uint32_t rip_around_last(const struct rip_around *around, uint32_t n)
{
	const uint32_t height = around->lines.height;

	return n + around->edge < height ? n + around->edge : height - 1;
}

/* What is found in a tile of line n; all tiles of all rows are counted by t.  *any changes only if
 * it is found now. */
const uint8_t *rip_around_found(struct rip_around *around, uint32_t n, uint32_t row, uint32_t t,
				bool *any);

/* The same for a tile of all lines around line n, and for the tiles beside it in line n: the tile
 * of line n may then be changed.  Returns the number of lines. */
uint32_t rip_around_window(struct rip_around *around, uint32_t n, uint32_t row, uint32_t t,
			   const uint8_t *found[]);

/* Of a row's last samples, as many as this may be read past its end. */
#define RIP_PAST 64

#endif
