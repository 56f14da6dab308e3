/*
 * Printers that are not the model's: what tone curves are judged on.
 *
 * They have the physics that the model leaves out: dots that vary in place and size, ellipses,
 * satellites, ink that spreads into its neighbours, heads that stay warm, spots wider than high,
 * grain of the toner, a soft threshold.  Dots are drawn one by one on a fine grid, and light
 * is scattered by two Gaussians instead of the model's spread function.
 */
#ifndef RIP_SIMULATED_PAPER_H
#define RIP_SIMULATED_PAPER_H

#include <stdint.h>

struct simulated_printer {
	const char *name;
	const char *class;  /* the preset's: "laser", "thermal", "inkjet" */
	double      dpi;    /* resolution that goes with it */
	/* Discs, if rx is not 0: half axes, deviations of the place (pixels) and of the size
	 * (part), growth with inked neighbours and with a dot above, radius of a satellite. */
	double rx, ry, place, size, spreads, warm, satellite;
	/* Else a spot: sigmas, threshold, grain of the toner, softness of the threshold. */
	double sx, sy, threshold, grain, softness;
	double scatter; /* mean distance, pixels */
	double solid;   /* reflectance */
};

#define SIMULATED_PRINTERS 10
extern const struct simulated_printer simulated_printers[SIMULATED_PRINTERS];

/* Prints a field of side x side pixels that repeats (bytes, 0 to levels - 1) and returns its mean
 * reflectance, of paper's 1.  The radius of a disc goes with the square root of its level, an
 * exposure with the level.  The same seed gives the same print.  Exits if there is no memory. */
double simulated_print(const struct simulated_printer *printer, const uint8_t *dots, unsigned side,
		       unsigned levels, uint64_t seed);

#endif
