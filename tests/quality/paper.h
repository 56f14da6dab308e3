/*
 * Simulated paper: what ink and toner make of dots.
 *
 * Ink: each dot is a disc of 0.75 pixels radius, discs overlap, and light spreads in the paper
 * (Yule and Nielsen, J. Opt. Soc. Am. 41, 1951, n = 2; reflectance of paper 1, of ink 0.05).
 *
 * Laser: a Gaussian spot of sigma 0.45 pixels exposes each dot, and toner sticks where the
 * sum of all exposures is above a threshold, 0.5 of a solid area's.  Development varies; 0.45
 * and 0.55 stand for that.
 */
#ifndef RIP_PAPER_H
#define RIP_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* dots: FIELD_SIDE rows of bytes, 1 for light, 0 for ink. */

struct ink_on_paper {
	double area;  /* of the paper that ink covers, percent */
	double grain; /* graininess: deviation of the reflectance that the eye sees at 600 dpi,
			 percent */
};

/* false: no memory. */
void print_with_ink(const uint8_t *dots, size_t pitch, struct ink_on_paper *result);

#define LASER_THRESHOLDS 3
extern const double laser_thresholds[LASER_THRESHOLDS];

/* The area that toner covers with each threshold, percent. */
void print_with_laser(const uint8_t *dots, size_t pitch, double area[LASER_THRESHOLDS]);

#endif
