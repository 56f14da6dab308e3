/*
 * Barcodes on labels: their bars and modules become solid, and equal as far as whole dots allow.
 *
 * A bar of 2.4 dots has grey edges, and a halftoner makes single dots of these, which scanners
 * take for bars.  A threshold alone is not enough: it moves each edge by up to half a dot, and with
 * bars of 1.3 dots this is more than scanners forgive.  So symbols are recognised, measured in
 * fractions of a dot, and drawn anew:
 *
 *	linear    (Code 128, EAN, ITF and others): many edges that go on from row to row, or
 *	          from column to column.  Of the grids that may be its modules', one that makes
 *	          characters of these codes is likely.  Edges are rounded to whole dots so that what
 *	          scanners compare changes least: the distances from an edge to the next but one.
 *	matrix    (QR, Data Matrix, Aztec): a square of modules with the symbology's finder in it.
 *	          The finder is drawn as it must be, the other modules as they are read.
 *
 * Edges are counted in cells of 8 by 8 samples.  Most letters are left because of these counts, the
 * others because nothing square with as many changes as a symbol's is left when they are cut where
 * there is paper.
 *
 * Where modules of whole dots hardly change a linear symbol's length, or modules are below 1.5
 * dots, all modules get that many dots.  Those of a matrix symbol always get the nearest whole
 * number that there is paper for, around the same middle, and do not lean: its readers want a
 * regular grid.
 *
 * Beside a symbol, in its quiet zone, there are no dots.  All other samples stay as they are: so
 * the dots of a page without symbols are those of blue-noise.
 *
 * Pages with one plane of 8 bits only.  The lines of a page go through it as around.h says.  A
 * symbol stays as it is if it is taller than RIP_LABELS_EDGE rows, but for bars that are upright;
 * or if so much before it looks like symbols and is none that no work is left for it.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_LABELS_H
#define RIP_LABELS_H

#include "label_symbols.h"

/* Zeros: nothing is done. */
struct rip_labels_rule {
	uint32_t edge;      /* RIP_LABELS_EDGE; 0: nothing is done */
	bool     full_is_0; /* the sample of full ink is 0, not 255 */
};

extern const struct rip_around_kind rip_labels_kind;

/* The work that is left for the lines so far, in samples looked at: it may be below 0 by what one
 * candidate takes, at most 2^21. */
int64_t rip_labels_work(const struct rip_around *around);

#endif
