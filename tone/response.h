/*
 * The tone response of a printer on a screen: the area that each tone prints.
 *
 * Ascending.  Screens are not quite: some tones of error diffusion print lighter than the tones
 * before them, because their dots overlap more.  The response then is the mean of the smallest
 * ascending function above and the largest below.
 *
 * Plain values; pure functions; any thread may call them.
 */
#ifndef RIP_RESPONSE_H
#define RIP_RESPONSE_H

#include "tone/area.h"

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
