/*
 * Toner save: areas get less ink, and their edges all of it.
 *
 * A sample of full ink is inside an area if all samples of its plane around it are full ink,
 * `edge` columns to the left and right and `edge` rows above and below, and at an edge otherwise.
 * There is full ink beyond the border of the page.  Samples inside become the sample next to full
 * ink, 254 where 255 is full or 1 where 0 is.  The page's curve gives this and all lighter samples
 * less ink (rip_toner_save_curve()), and full ink stays, so that text and lines keep their edges.
 * The lines of a page go through it as around.h says.
 *
 * How it is computed: a sample is inside an area only if the 2 edge + 1 lines around it are
 * full.  Of any 2 edge + 1 consecutive lines, one has a number that is a multiple of 2 edge + 1:
 * the probe.  With edge = 2:
 *
 *	line     0  1  2  3  4  5  6  7  8  9 10 11
 *	probe    *              *              *
 *	                  |--- around 5 ---|             (3 to 7) has the probe 5
 *
 * At the end of a page the last line is a probe, too.  Where the probe has no run of 2 edge + 1
 * full samples, no line around it has a sample inside an area, in these columns.  So most lines of
 * a picture are not searched.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_TONER_SAVE_H
#define RIP_TONER_SAVE_H

#include "around.h"

#define RIP_TONER_EDGE_MAX 4
#define RIP_TONER_SAVE_MAX 80 /* percent */

/* What a page's samples are thinned by; zeros: they are not. */
struct rip_toner_rule {
	uint32_t edge;      /* 1..RIP_TONER_EDGE_MAX; 0: nothing is thinned */
	bool     full_is_0; /* the sample of full ink is 0, not 255 or 65535 */
};

extern const struct rip_around_kind rip_toner_save_kind;

/* The edge that text needs at this resolution: 1/300 inch. */
uint32_t rip_toner_edge(double dpi);

/* Whether full ink is sample 0.  curve: x by sample, or NULL; light: full x is paper. */
bool rip_toner_full_is_0(const uint16_t *curve, uint32_t count, bool light);

/* Takes the share of ink away from all samples but that of full ink.  The one next to it, which
 * stands for the inside of areas, gets its ink before.  count: 256 or 65536 values. */
void rip_toner_save_curve(uint16_t *curve, uint32_t count, bool light, unsigned percent);

#endif
