/*
 * What inks on paper do to light.
 *
 * Neugebauer (Zeitschrift fuer wissenschaftliche Photographie 36, 1937): the colour of a place is
 * the mean of the primaries, which are the paper, the inks and their overprints, weighted with the
 * areas that they cover; inks lie over each other by chance (Demichel).  Cyan, magenta and
 * yellow have their eight primaries as they are measured on coated paper, FOGRA39 (the
 * characterization data for ISO 12647-2:2004/Amd 1), relative to the paper, as linear sRGB; what
 * sRGB does not have is cut off.  Black, and an ink that nobody knows, is neutral with the
 * printer's solid reflectance, and multiplies what the other inks let through.  So do light inks,
 * which are taken as the dark ink of their colour, thinned (Beer's law): where that reflects as
 * little as black, a solid area of the light ink absorbs the given share of what the dark one does
 * (light_ink.h).
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_INK_COLOUR_H
#define RIP_INK_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "halftone/engine.h"
#include "halftone/screen/mask_screen.h"

#define RIP_COLOUR_CHANNELS 3 /* red, green, blue */

/* The channels that inks differ in: 1 if all are neutral, else 3. */
unsigned rip_ink_channels(const enum rip_ink inks[], unsigned planes);

/* The share of the light that inks absorb which cover these shares of a place.  areas: n values
 * for each plane; absorbed: n for each channel, 0 to 1.  through: of the light that passes the ink
 * once, else of the light that comes back, which passes it twice.  solid: reflectance of black.
 * strengths: by plane, of light inks, 0 to 1. */
void rip_ink_absorb(const enum rip_ink inks[], unsigned planes, double solid,
		    const double strengths[], bool through,
		    const float *const areas[], size_t n, float *const absorbed[]);

#endif
