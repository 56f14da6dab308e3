/*
 * Symbols in a window of a page, for labels.c: recognised, measured and drawn.
 *
 * A view has the samples as ink, 0 to 255, whatever they are in the page, by u and v: columns and
 * rows, or rows and columns if it is turned.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_LABEL_SYMBOLS_H
#define RIP_LABEL_SYMBOLS_H

#include "halftone/page/around.h"

#define RIP_LABELS_EDGE 1024 /* rows above and below a line */
#define RIP_MATRIX_MAX 400   /* samples of a matrix symbol's side */

struct rip_view {
	uint8_t *ring;       /* with the rows, one after another */
	size_t  pitch;       /* bytes from one row to the next */
	int32_t capacity;    /* rows of the ring, */
	int32_t low;         /* and one that is at its beginning: `first` or less */
	bool    turned;
	int32_t columns;     /* of the page */
	int32_t first, end;  /* rows that are there, */
	bool    more;        /* and more that are not yet */
	uint8_t invert;      /* 255 if sample 0 is full ink, else 0 */
	int64_t *work;       /* that may still be done */
};

/* Takes some of the work that may be done, in samples looked at.  Returns whether there was as
 * much: if not, the candidate is given up.  What a matrix symbol of known size takes is taken from
 * `work` without asking. */
static inline bool rip_view_spend(const struct rip_view *view, int64_t samples)
{
	if (*view->work < samples)
		return false;
	*view->work -= samples;
	return true;
}

/* A box: from `left`, `top` up to, not including, `right`, `bottom`; in columns and rows. */
struct rip_box {
	int32_t left, top, right, bottom;
};

static inline int32_t rip_view_width(const struct rip_view *view)
{
	return view->turned ? view->end : view->columns;
}

static inline bool rip_view_has(const struct rip_view *view, int32_t u, int32_t v)
{
	const int32_t column = view->turned ? v : u, row = view->turned ? u : v;

	return column >= 0 && column < view->columns && row >= view->first && row < view->end;
}

static inline uint8_t *rip_view_row(const struct rip_view *view, int32_t row)
{
	const int32_t slot = row - view->low;

	return view->ring +
	       (size_t)(slot < view->capacity ? slot : slot - view->capacity) * view->pitch;
}

static inline uint8_t *rip_view_at(const struct rip_view *view, int32_t u, int32_t v)
{
	const int32_t column = view->turned ? v : u, row = view->turned ? u : v;

	return rip_view_row(view, row) + column;
}

/* Paper where there is nothing. */
static inline int32_t rip_view_ink(const struct rip_view *view, int32_t u, int32_t v)
{
	return rip_view_has(view, u, v) ? *rip_view_at(view, u, v) ^ view->invert : 0;
}

/* The part of a box that is there; of a view that is not turned. */
static inline struct rip_box rip_view_inside(const struct rip_view *view, struct rip_box box)
{
	box.left = box.left < 0 ? 0 : box.left;
	box.top = box.top < view->first ? view->first : box.top;
	box.right = box.right > view->columns ? view->columns : box.right;
	box.bottom = box.bottom > view->end ? view->end : box.bottom;
	box.right = box.right < box.left ? box.left : box.right;
	box.bottom = box.bottom < box.top ? box.top : box.bottom;
	return box;
}

static inline void rip_view_put(const struct rip_view *view, int32_t u, int32_t v, bool ink)
{
	if (rip_view_has(view, u, v))
		*rip_view_at(view, u, v) = (uint8_t)((ink ? 255 : 0) ^ view->invert);
}

/* ---- linear symbols ---- */

#define RIP_EDGES_MAX    1024
#define RIP_MODULE_LEAST (256 * 3 / 4)

/* One that is being measured; lengths are in 1/256 of a sample. */
struct rip_linear {
	int32_t edges, module;
	bool    is_code;               /* its modules make characters */
	int32_t first[RIP_EDGES_MAX];      /* where the edges are in the first line, */
	int64_t sums[RIP_EDGES_MAX];       /* and their sums over `lines`, then means */
	int64_t lines, v_sum, vv_sum, at_sum, vat_sum; /* for the slope */
	int32_t top, bottom;           /* its lines */
	int32_t middle;                /* where the means are, in 1/256 */
	int64_t slope;                 /* of the bars, in 1/65536 */
	int32_t whole[RIP_EDGES_MAX];      /* the edges in whole samples */
};

/* Puts the edges' means where they should be if bars and spaces are whole modules, and not all
 * alike.  Returns whether they are. */
bool rip_linear_straighten(const struct rip_view *view, struct rip_linear *linear);

/* Rounds edges to whole samples. */
void rip_linear_round(struct rip_linear *linear, const int32_t at[]);

/* ---- matrix symbols ---- */

#define RIP_MODULES_MAX 61

enum rip_symbology {
	RIP_QR, RIP_DATA_MATRIX, RIP_AZTEC
};

/* Where a symbol's modules are; lengths are in 1/256 of a sample. */
struct rip_lattice {
	enum rip_symbology kind;
	int32_t modules;       /* of a side */
	int32_t turn;          /* by so many right angles */
	int32_t u, v;          /* the middle */
	int32_t width, height; /* of the symbol */
	int32_t slope;         /* in 1/65536 */
	int32_t wrong;         /* of the modules that are known, in 1/1024 */
};

/* Finds the symbol that is at a grid's middle and has about its width and height.  middle: between
 * paper and ink.  changes: about the number of its modules.  Returns whether there is one. */
bool rip_lattice_find(const struct rip_view *view, int32_t middle, int32_t changes,
		      struct rip_lattice *grid);

/* The ink in the middle of module (i, j). */
int32_t rip_lattice_ink(const struct rip_view *view, const struct rip_lattice *grid, int32_t i,
			int32_t j);

/* A row of modules, module i at bit i: which are a finder's, and which of these are dark. */
struct rip_finder_row {
	uint64_t known, dark;
};

/* Row j of a grid's finder, turned as it is. */
struct rip_finder_row rip_finder_row(const struct rip_lattice *grid, int32_t j);

/* Ink of a symbol's samples. */
struct rip_shades {
	int32_t paper, ink, middle;
};

/* Draws the symbol with modules of whole samples, the nearest number that there is paper for, and
 * not leaning; says where in *drawn, with its quiet zone. */
void rip_lattice_draw(const struct rip_view *view, const struct rip_shades *levels,
		      const struct rip_lattice *grid, struct rip_box *drawn);

/* ---- paper and ink ---- */

#define RIP_CONTRAST_LEAST 48 /* of paper and ink */

/* Adds the samples to counts[].  Those of eight that are alike are counted at once: to count again
 * what was just counted has to wait for it. */
static inline void rip_count_inks(const uint8_t *samples, int32_t count, int32_t counts[256])
{
	int32_t i = 0;

	for (; i + 8 <= count; i += 8) {
		uint64_t eight;

		memcpy(&eight, samples + i, sizeof eight);
		if (eight == samples[i] * 0x0101010101010101u)
			counts[samples[i]] += 8;
		else
			for (int32_t k = i; k < i + 8; k++)
				counts[samples[k]]++;
	}
	for (; i < count; i++)
		counts[samples[i]]++;
}

/* Paper and ink among `all` samples of which counts[] are of each ink: what one of so many parts of
 * them is lighter and darker than.  Whether they differ. */
static inline bool rip_find_levels(const int32_t counts[256], int32_t all, int32_t parts,
				   int32_t *paper, int32_t *ink)
{
	int32_t below = 0, level = 0;

	for (; below + counts[level] <= all / parts; level++)
		below += counts[level];
	*paper = level;
	for (; below + counts[level] < all - all / parts; level++)
		below += counts[level];
	*ink = level;
	return *ink - *paper >= RIP_CONTRAST_LEAST;
}

/* ---- symbols ---- */

/* A linear symbol whose bars cross the line v of a view, about from u = from to `to`.  Draws it,
 * and says where it is in *drawn, in columns and rows.  Returns whether there is one. */
bool rip_linear_draw(const struct rip_view *view, int32_t from, int32_t to, int32_t v,
		     struct rip_box *drawn);

/* The same for a matrix symbol that has samples in the box, which is not larger than
 * RIP_MATRIX_MAX. */
bool rip_matrix_draw(const struct rip_view *view, const struct rip_box *about,
		     struct rip_box *drawn);

#endif
