/*
 * What a calibration says about a screen: riptide's own notes in a .cal file.
 *
 * A calibration by riptide knows more than the curves in its columns, which are for one screen
 * only and for other programs:
 *
 *	RIPTIDE_MODEL_<ink>      the printer, as rip_printer_format() writes it: for every screen
 *	RIPTIDE_STEPS_<ink>_<n>  measured areas of 33 even steps on one screen (below), in
 *	                         1/10000; its pattern, resolution and levels come first:
 *	                         "cells-4-black 600 2 0 312 ... 10000"
 *
 * A screen that was measured gets what was measured, with the model between the steps; any other
 * what the model says.  A light ink without notes gets the model of its dark ink, and any other ink
 * that of K: it is the same printer.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_CALIBRATED_H
#define RIP_CALIBRATED_H

#include "tone/area.h"
#include "tone/cal.h"

/*
 * Measured steps: the area that a printer covered for some tones; and the response that they make,
 * together with a model of the printer.
 *
 * The model (area.h) knows how a screen's pattern changes from tone to tone, and the steps how the
 * printer differs from the model.  So the response is the model's plus a difference d in L*, which
 * is smooth.  It minimises
 *
 *	sum over the steps of ((d - measured difference) / deviation)^2 + stiffness * sum of (d'')^2
 *
 * (Reinsch, Numerische Mathematik 10, 1967), with the largest stiffness for which the squares of
 * the first sum are 0.7 in the mean: so much is left of a reading's noise.
 * The deviation is 0.3 L*.
 *
 * Half-way between two levels, error diffusion makes a checkerboard, which paper may show
 * several L* darker or lighter than the tones beside it.  A step there says little about
 * them: its deviation is 3 L*.
 *
 * Plain values; pure functions; any thread may call them.
 */

#define RIP_STEPS_MAX 1024

struct rip_steps {
	unsigned count;
	struct {
		double tone, area; /* 0 to 1; an area as measured may be a little outside */
	} step[RIP_STEPS_MAX];
};

/* Adds a step.  false: there are too many. */
bool rip_steps_add(struct rip_steps *steps, double tone, double area);

/* Puts the steps in the order of their tones, and makes one of those with the same tone.  Returns
 * whether they can make a response: at least 3 tones, and the darkest at least half ink. */
bool rip_steps_sort(struct rip_steps *steps);

#define RIP_EVEN_STEPS 33

/* Areas of the tones i / 32: from 0 to 1, but not always ascending. */
struct rip_even_steps {
	double area[RIP_EVEN_STEPS];
};

/* What sorted steps say of even ones: smoothed, as above.  printer: the model that was fitted to
 * them, with the drops of the levels. */
void rip_steps_even(const struct rip_steps *steps, const struct rip_printer *printer,
		    const struct rip_pattern *pattern, unsigned levels,
		    struct rip_even_steps *even);

/* The response of even steps: between them the difference from the same model is interpolated. */
void rip_even_steps_response(const struct rip_even_steps *even, const struct rip_printer *printer,
			     const struct rip_pattern *pattern, unsigned levels,
			     struct rip_response *response);

#define RIP_CALIBRATED_SCREENS 4 /* measured, of an ink */

/* The name of the dark ink of a light one's colour; that of any other ink itself. */
const char *rip_dark_ink(const char *ink);

/* Whether the calibration is riptide's own: it has a model.  Otherwise its columns are finished
 * curves. */
bool rip_cal_is_ours(const struct rip_cal *cal);

/* The model for an ink.  dpi: of the page; a laser's spot has the same width on paper at every
 * resolution.  false: there is none, or it makes no sense. */
bool rip_cal_printer(const struct rip_cal *cal, const char *ink, double dpi,
		     struct rip_printer *printer);

/* The response of an ink that was measured on a pattern with these levels.  printer: the model for
 * the ink, with the drops in use.  false: it was not. */
bool rip_cal_measured(const struct rip_cal *cal, const char *ink, const struct rip_printer *printer,
		      const struct rip_pattern *pattern, unsigned levels, double dpi,
		      struct rip_response *response);

/* The same, or else by the model with these drops (NULL: none).
 * false: as for rip_cal_printer(). */
bool rip_cal_response(const struct rip_cal *cal, const char *ink, const struct rip_pattern *pattern,
		      unsigned levels, double dpi, const struct rip_drops *drops,
		      struct rip_response *response);

/* Sets the notes.  number: 0 to RIP_CALIBRATED_SCREENS - 1.  0 or -errno. */
int rip_cal_set_printer(struct rip_cal *cal, const char *ink, const struct rip_printer *printer);
int rip_cal_set_steps(struct rip_cal *cal, const char *ink, unsigned number, const char *pattern,
		      double dpi, unsigned levels, const struct rip_even_steps *even);

#endif
