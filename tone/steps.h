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
#ifndef RIP_STEPS_H
#define RIP_STEPS_H

#include "tone/area.h"

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

#endif
