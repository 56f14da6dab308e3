/*
 * What a pattern of dots covers of the paper, for printers of any dot size: histograms that
 * are measured once, so that the area for a printer is only a look-up.
 *
 * A dot on paper is larger than its pixel, and dots overlap, so the area depends on how the
 * dots lie and not only on how many there are.  Two kinds of printers need two histograms:
 *
 *   Discs (ink, thermal paper).  A dot is a disc of radius r.  A place is covered if the
 *   nearest dot is nearer than r, so the covered area is the share of places whose distance to
 *   the nearest dot is below r: a cumulative histogram of the distance serves every radius.
 *
 *   Spot (laser).  A dot exposes its surroundings with a Gaussian spot of a given width,
 *   exposures add up, and toner sticks where the sum exceeds a threshold.  A cumulative
 *   histogram of the exposure, one for each width of the spot, serves every threshold.
 *   A solid area has the exposure 1.
 *
 * Light spreads in paper: some of the light that falls between the dots leaves below one, and
 * paper with dots is darker than their area (Yule and Nielsen, J. Opt. Soc. Am. 41, 1951).
 * How much depends on how fine the pattern is, so one exponent for all patterns is wrong: with
 * n = 1.8, lines 2 mm wide would gain 15 points.  Here the paper scatters light over a mean
 * distance l, about 60 micrometres (Arney, J. Imaging Sci. Technol. 41, 1997), with the spread
 * function exp(-2 d / l), whose transform is M(f) = (1 + (pi f l)^2)^(-3/2).  With A the covered
 * area, the share of the pattern's variance A (1 - A) that is still there after the scattering is
 *
 *   c = sum of |P(f)|^2 M(f) / sum of |P(f)|^2, over all frequencies f != 0 of the pattern P,
 *
 * 1 for very coarse patterns (no spreading: Murray and Davies) and 0 for very fine ones (light
 * is mixed completely: Yule and Nielsen with n = 2).  area.h makes the reflectance of it.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_COVERAGE_H
#define RIP_COVERAGE_H

#include <stdint.h>

/* The points of the tables.  Sizes are in pixels. */
#define RIP_RADII        9  /* r = 0.400, 0.525 ... 1.400 */
#define RIP_RADIUS_FIRST 0.4
#define RIP_RADIUS_STEP  0.125
#define RIP_SPOTS        5  /* sigma = 0.2, 0.3 ... 0.6 */
#define RIP_SPOT_FIRST   0.2
#define RIP_SPOT_STEP    0.1
#define RIP_EXPOSURES    15 /* exposure = 1/16 ... 15/16 */

/* All values are shares of the area, 255 for all of it. */
struct rip_coverage {
	/* Places nearer to a dot than the radius: among all places, and among the corners of
	 * pixels, which are more than half a pixel from the centre of their pixel. */
	uint8_t near[RIP_RADII], near_corners[RIP_RADII];
	/* Places that are exposed more than this. */
	uint8_t exposed[RIP_SPOTS][RIP_EXPOSURES];
};

/* The points of the tables of scattering.  Those of the printer are three radii, and for a
 * spot of 0.45 pixels three thresholds. */
#define RIP_SCATTER_SIZES 3
#define RIP_SCATTERS      5 /* mean distances, in pixels */
extern const double rip_scatter_radius[RIP_SCATTER_SIZES];    /* 0.6, 0.85, 1.15 */
extern const double rip_scatter_threshold[RIP_SCATTER_SIZES]; /* 0.28, 0.42, 0.55 */
extern const double rip_scatter_distance[RIP_SCATTERS];       /* 0.4, 0.8, 1.5, 3, 6 */

/* c as above, 255 for 1. */
struct rip_scatter {
	uint8_t discs[RIP_SCATTER_SIZES][RIP_SCATTERS], spot[RIP_SCATTER_SIZES][RIP_SCATTERS];
};

/* Where the k-th of `places` places across a pixel lies, from the pixel's centre. */
double rip_place(unsigned k, unsigned places);

/* The share of a spot's light, one way, that falls on the width of a pixel whose centre is so far
 * away from the spot's.  Sizes are in pixels. */
double rip_spot_share(double distance, double sigma);

/* Measures a pattern that repeats after `width` columns and `height` rows.  dots: rows of bytes,
 * 1 where a dot is, else 0.  0 or -ENOMEM. */
int rip_coverage_measure(const uint8_t *dots, uint32_t width, uint32_t height,
			 struct rip_coverage *coverage);

/* The same for the scattering.  It takes the 128 x 128 pixels of the pattern from its first row
 * and column on, repeated if the pattern is smaller.  0 or -ENOMEM. */
int rip_scatter_measure(const uint8_t *dots, uint32_t width, uint32_t height,
			struct rip_scatter *scatter);

#endif
