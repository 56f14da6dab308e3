/*
 * The patterns of dots that screens make, measured (coverage.h) at some tones.
 *
 * Every screen has a pattern of its own, and so has each ink of a clustered screen, since the
 * inks have cells of different shapes.  The tables are in pattern_table.c, which is generated
 * by tone/tables/measure.c (`make tone-tables`); a test measures some of them anew.
 *
 * Constant tables; any thread may read them.
 */
#ifndef RIP_PATTERN_H
#define RIP_PATTERN_H

#include "halftone/screen/screen.h"
#include "tone/coverage.h"

/* The tones of the tables: about evenly spaced, but none that makes a regular pattern which
 * its neighbours do not have, as error diffusion does at one half. */
#define RIP_PATTERN_TONES 41
#define RIP_SCATTER_TONES 11 /* every fourth of them, and beside the extremes, which have none */

/* The tone with this index as x, 0..65535; ascending, from 0 to full. */
static inline uint32_t rip_pattern_tone(uint32_t index)
{
	return 257 * ((255 * index + (RIP_PATTERN_TONES - 1) / 2) / (RIP_PATTERN_TONES - 1));
}

/* Which table of scattering is for the tone with this index, or -1. */
static inline int rip_scatter_index(uint32_t index)
{
	if (index == 1 || index == RIP_PATTERN_TONES - 2)
		return index == 1 ? 0 : RIP_SCATTER_TONES - 1;
	return index % 4 || index == 0 || index == RIP_PATTERN_TONES - 1 ? -1 : (int)(index / 4);
}

struct rip_pattern {
	char                name[32]; /* "floyd-steinberg", "cells-4-black" */
	struct rip_coverage coverage[RIP_PATTERN_TONES]; /* of the dots of two levels */
	struct rip_scatter  scatter[RIP_SCATTER_TONES];
};

/* ends with an empty name */
extern const struct rip_pattern rip_patterns[];

/* The pattern that a screen makes in a plane.  The screen is one of rip_screens[] or was made by
 * rip_mask_screen_init().  A plane of light has the pattern of the ink that it holds back.
 * NULL for bi-level, which has no tones.
 *
 * Cells whose pixels are repeated (a resolution of 1200 x 600) have the pattern of square pixels
 * at the lower resolution. */
const struct rip_pattern *rip_pattern_of(const struct rip_screen *screen, uint32_t plane);

/* The pattern of a name, or NULL. */
const struct rip_pattern *rip_pattern_find(const char *name);

/* The pattern of black on the clustered screen with 106 lines an inch at 600 dpi, on which dot
 * gain is stated (printer.h). */
const struct rip_pattern *rip_pattern_reference(void);

#endif
