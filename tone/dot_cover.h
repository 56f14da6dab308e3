/*
 * The area that a printer covers with a page's dots, place by place: what coverage.h says about
 * patterns, for any dots, row after row.
 *
 * A pixel is divided into cells x cells cells.  The covered share of a cell is the mean over
 * places evenly spread in it, of which a pixel has `places` each way:
 *
 *   Discs.  With z the distance of a place to a dot divided by the dot's relative radius, the
 *   square root of its drop's share of the largest one's area (printer.h), and z the smallest of
 *   its dots, the place is covered with the probability P((radius - z) / s),
 *   s^2 = jitter^2 + 1 / (12 places^2).
 *
 *   Spot.  Dots expose the place with Gaussian spots of their squares, in proportion to their
 *   level; the sum e of the 5 x 5 pixels around counts.  The place is covered with the probability
 *   P((e - threshold) / s), s^2 = softness^2 + slope^2 / (12 places^2), where slope is that of the
 *   exposure at the threshold beside a straight edge.
 *
 * The second part of s is how far the edge of a dot may be from the place: it smooths the edges.
 * P is the distribution with mean 0, standard deviation 1 and a parabola as density, which is
 * the normal one to within 0.015 and cheap.
 *
 * Without a printer (RIP_PRINTER_NONE) a pixel's cells are covered to the share of its drop.
 *
 * Most pages have dots of one size, and most discs reach no further than the 8 pixels around: what
 * they cover is then looked up by the pattern of the 3 x 3 dots.  The shares are the same.
 *
 * Used by one thread.
 */
#ifndef RIP_DOT_COVER_H
#define RIP_DOT_COVER_H

#include <stdint.h>

#include "tone/printer.h"

#define RIP_COVER_REACH  2  /* pixels from which dots count */
#define RIP_COVER_ROWS   (2 * RIP_COVER_REACH + 1)
#define RIP_COVER_PLACES 64 /* of a pixel, each way, at most */

struct rip_dot_cover {
	struct rip_printer printer;
	uint32_t width;     /* pixels */
	uint32_t blocks;    /* of columns, with one to spare on each side */
	unsigned cells, places;
	unsigned newest;    /* of the rows */
	float    middle, gain; /* P(x) is a step of (x - middle) * gain */
	/* Of the last rows.  tones: the share of ink, 0 to 1; discs: 1 over the relative radius. */
	float   *tones[RIP_COVER_ROWS];
	float   *exposed[RIP_COVER_ROWS]; /* spot: across the row, for each place */
	uint8_t *used[RIP_COVER_ROWS];    /* a block's ink: 0 none, 1 full dots, 2 or 3 others */
	float    weights[RIP_COVER_PLACES][RIP_COVER_ROWS]; /* spot: of the pixels around */
	float   *distances; /* discs: to the pixels around, of each place */
	float   *patterns;  /* discs: shares of a pixel's cells by pattern of full dots; or NULL */
};

/* width: pixels, 1 or more.  cells and places each way; places is a multiple of cells, at most
 * RIP_COVER_PLACES.  0 or -ENOMEM; to be finished in both cases. */
int rip_dot_cover_init(struct rip_dot_cover *cover, const struct rip_printer *printer,
		       uint32_t width, unsigned cells, unsigned places);

/* The next row of the plane: the shares of ink of its pixels, 0 to 1; NULL: paper.  Before the
 * first row there is paper. */
void rip_dot_cover_push(struct rip_dot_cover *cover, const float *tones);

/* The covered shares of a row of cells, cell row `row` (0..cells-1) of the row that was pushed
 * RIP_COVER_REACH rows before the last one: width * cells values. */
void rip_dot_cover_cells(const struct rip_dot_cover *cover, unsigned row, float *shares);

/* May be called twice. */
void rip_dot_cover_finish(struct rip_dot_cover *cover);

#endif
