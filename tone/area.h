/*
 * The area that a printer covers with a pattern of dots: as an instrument measures it.
 *
 * The covered area A comes from the histograms (coverage.h).  With Rs the reflectance of a solid
 * area and q = 1 - sqrt(Rs), light passes an ink layer twice, on its way in and out, and the
 * mean reflectance is
 *
 *	R = 1 - 2 A q + q^2 (A^2 + c A (1 - A)).
 *
 * The area as measured is Murray and Davies's, between paper and solid: (1 - R) / (1 - Rs).  It
 * is 0 for paper and 1 for a solid area.
 *
 * Levels.  Each plane has levels 0 to n-1, and a tone x makes the levels h and h+1 only, h the
 * whole part of x (n - 1): all pixels have h at least, and the pattern of the rest f has one more.
 * A drop of level l has the share a(l) of the area of the largest one: l / (n - 1) unless the
 * printer's drops are known (printer.h).  A spot adds exposures, so the exposure is
 * a(h) + (a(h + 1) - a(h)) e with e that of the pattern at f.  A disc of level l has the radius
 * r sqrt(a(l)).  A place is free of ink if neither its own pixel's drop of level h nor a drop of
 * level h+1 reaches it.  The first is only possible in the corners of pixels for h that matter; so
 * the second is taken from the histogram of the corners.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_AREA_H
#define RIP_AREA_H

#include <stdint.h>

#include "tone/pattern.h"
#include "tone/printer.h"

/* The area, 0 to 1, of a tint of tone 0 (paper) to 1 (full) with 2 to 16 levels. */
double rip_area_of_tint(const struct rip_printer *printer, const struct rip_pattern *pattern,
			unsigned levels, double tone);

/* A pattern that is not a screen's, such as the lines that a tint is compared with. */
struct rip_figure {
	struct rip_coverage coverage;
	struct rip_scatter  scatter;
	double              tone; /* the share of dots, 0 to 1 */
};

/* Measures one: `dots` as for rip_coverage_measure().  0 or -ENOMEM. */
int rip_figure_measure(struct rip_figure *figure, const uint8_t *dots, uint32_t width,
		       uint32_t height);

/* Lines, `ink` pixels wide, that repeat after `period` pixels, 1..128; upright or not is the
 * same in the model.  Only periods that divide 128 are exact.  0, -EINVAL or -ENOMEM. */
int rip_figure_lines(struct rip_figure *figure, uint32_t period, uint32_t ink);

double rip_area_of_figure(const struct rip_printer *printer, const struct rip_figure *figure);

/* CIE L* of an area on this printer (0 to 100, paper is 100), and back (0 to 1). */
double rip_lightness(const struct rip_printer *printer, double area);
double rip_area_of_lightness(const struct rip_printer *printer, double lightness);

/*
 * The tone response of a printer on a screen: the area that each tone prints.
 *
 * Ascending.  Screens are not quite: some tones of error diffusion print lighter than the tones
 * before them, because their dots overlap more.  The response then is the mean of the smallest
 * ascending function above and the largest below.
 *
 * Plain values; pure functions; any thread may call them.
 */

#define RIP_RESPONSE_POINTS 257

struct rip_response {
	/* The area, 0 to 1, of the tone i / 256; strictly ascending from 0 to 1. */
	double area[RIP_RESPONSE_POINTS];
};

/* The response of a printer.  2 to 16 levels. */
void rip_response_of(struct rip_response *response, const struct rip_printer *printer,
		     const struct rip_pattern *pattern, unsigned levels);

/* Makes areas ascending, 0 at the beginning and 1 at the end.  For responses that were
 * measured. */
void rip_response_straighten(struct rip_response *response);

/* The area that a tone prints, and the tone that prints an area; all 0 to 1. */
double rip_response_area(const struct rip_response *response, double tone);
double rip_response_tone(const struct rip_response *response, double area);

#endif
