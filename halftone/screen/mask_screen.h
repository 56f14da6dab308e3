/*
 * Screens with threshold masks, by name: for a resolution, and for the inks of a page.
 *
 *	clustered        the clustered-dot screen that suits the resolution best
 *	clustered-LPI    the one with about LPI lines an inch (of black)
 *	blue-noise-mask  dispersed dots without structure (void and cluster)
 *	bayer            Bayer's ordered dither
 *	bi-level         no mask: full ink from one half on
 *
 * Clustered screens grow cells of neighbouring dots, which a laser holds better than single
 * dots.  The inks have cells at different angles, so that errors of registration do not
 * change colours, and where the printer's pixels allow it their frequencies make closed
 * rosettes (generate.c), so that the inks do not make moire.  So the cells of black may differ
 * on pages with and without colours; the inks of the page decide.
 *
 * A screen is made for ink: cells of ink grow on paper.  The planes of light spaces get
 * mirrored thresholds, 65534 - T.  A plane of light then has exactly the inverted levels of
 * the plane of ink with inverted samples (65535 - x).
 *
 * Pure functions of their arguments; any thread may call them.  The thresholds are computed
 * when they are first needed, and stay in memory as long as the process.
 */
#ifndef RIP_MASK_SCREEN_H
#define RIP_MASK_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "mask_table.h"
#include "screen.h"

/* The inks of a page with four planes, and of one with three. */
extern const enum rip_ink rip_inks_cmyk[4];

/* What a screen is for. */
struct rip_mask_use {
	uint32_t     x_dpi, y_dpi; /* pixels an inch, 1 or more; 0: not known, taken as 600 */
	bool         light;        /* samples are light: full is paper */
	uint32_t     planes;       /* 1..RIP_PLANES_MAX */
	enum rip_ink inks[RIP_PLANES_MAX];
};

/* A screen that was made.  It may not be copied (base.name points into it), and outlives the
 * pages that use it.  Nothing is to be freed. */
struct rip_mask_screen {
	struct rip_screen base;
	char              name[32]; /* as it came out: "clustered-141" */
	char              wanted[32]; /* as it was asked for: "clustered" */
};

/* The name that gives this screen again at the same resolution: of one of rip_screens[], or of
 * one that was made by rip_mask_screen_init(). */
const char *rip_screen_wanted(const struct rip_screen *screen);

/* The i-th name of all screens, for lists of what users can choose: first the RIP_SCREENS that
 * diffuse errors, then "labels", then those with masks, with "clustered-LPI" as it stands.  NULL
 * after the last one. */
const char *rip_screen_choice(unsigned i);

/* Whether rip_mask_screen_init() knows a name, for some resolution: one of the names above, with
 * a number from 1 to 9999 for LPI.  Upper and lower case are the same. */
bool rip_mask_screen_known(const char *name);

/* Makes the screen of a name.  An LPI that the resolution does not offer becomes the nearest
 * one if that is at most RIP_LPI_TOLERANCE away.  0; -ENOENT and why (size bytes), with
 * the names that exist or the LPI that the resolution offers; -ENOMEM and why. */
#define RIP_LPI_TOLERANCE 5
int rip_mask_screen_init(struct rip_mask_screen *screen, const char *name,
			 const struct rip_mask_use *use, char *why, size_t size);

/* Makes the screen for the edges of pages with a clustered screen (halftone/page/fine_edges.h): it
 * has half as many lines again, as near as cells come to this that a laser can hold.  *side: of its
 * cells, in pixels.  0: there is none; 1; -ENOMEM. */
int rip_mask_screen_finer(struct rip_mask_screen *finer, const struct rip_screen *screen,
			  const struct rip_mask_use *use, uint32_t *side);

/* Writes the LPI that clustered-LPI has at a resolution, descending, at most `most`.  Returns
 * how many there are: 1 or more. */
unsigned rip_mask_screen_lpi(uint32_t x_dpi, uint32_t y_dpi, unsigned lpi[], unsigned most);

/* The cells of a page's inks on clustered-LPI, with an LPI that rip_mask_screen_lpi() writes. */
const struct rip_cell_inks *rip_mask_screen_cells(const struct rip_mask_use *use, unsigned lpi);

#endif
