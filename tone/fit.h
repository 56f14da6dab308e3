/*
 * Fits a printer to what was read on a printed page.
 *
 * The parameters are searched that minimise
 *
 *	sum of ((L*(printed tint) - L*(reference)) / deviation)^2
 *	+ sum of ((p - prior) / its deviation)^2
 *
 * with both sides from the model: lines gain too, and taking them as exact costs 2 to 5 L*.  The
 * priors (radius 0.15, threshold 0.1, scattering 0.3 pixels, spot 0.06, jitter 0.05, softness 0.03)
 * let a few readings decide what they can and leave the rest to the class.  The search is Nelder
 * and Mead's (Computer Journal 7, 1965), from the best of a row of sizes.
 *
 * Pure function; any thread may call it.
 */
#ifndef RIP_FIT_H
#define RIP_FIT_H

#include "tone/area.h"

struct rip_reading {
	const struct rip_pattern *pattern; /* of the tint */
	unsigned levels;                   /* of the tint: 2 to 16 */
	double   tone;                     /* of the tint: 0 to 1 */
	const struct rip_figure *figure;   /* the tint looks like this, or NULL: */
	double   area;                     /* its area as measured: 0 to 1 */
	double   deviation;                /* standard deviation of the reading, L*: above 0; by
					      eye about 1.2, an instrument about 0.3 */
};

/* printer: in, the class as prior; out, the fit.  Its kind, solid and dpi stay.
 * residual: the root mean square of the differences in L*; may be NULL.  count: 0 leaves the
 * printer as it is. */
void rip_printer_fit(struct rip_printer *printer, const struct rip_reading *readings,
		     unsigned count, double *residual);

#endif
