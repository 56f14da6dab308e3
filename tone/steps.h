/*
 * Measured steps: the area that a printer covered for some tones.
 *
 * Plain values; pure functions; any thread may call them.
 */
#ifndef RIP_STEPS_H
#define RIP_STEPS_H

#include "tone/response.h"

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

/* The response of sorted steps: made ascending as a screen's is (response.h), with paper and
 * solid as its ends, and a monotone cubic between the steps (Fritsch and Carlson, SIAM J. Numer.
 * Anal. 17, 1980). */
void rip_steps_response(const struct rip_steps *steps, struct rip_response *response);

#endif
