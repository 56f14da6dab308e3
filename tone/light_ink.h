/*
 * A plane that is printed with two inks of one colour: a dark one and a light one.
 *
 * Light tones are printed by the light ink alone, whose dots show less.  Where the light ink covers
 * the paper, the dark ink begins, and the light one fades out.
 *
 * Derivation.  Areas are as an instrument measures them (area.h), and q = 1 - R is what a solid
 * area of the dark ink absorbs.  A solid area of the light ink looks like a tint of the dark one
 * with the area s, so it absorbs s q.  The inks' dots lie over each other by chance (Demichel), and
 * the light that is left passes both, so areas l and d of the two inks print the area A with
 *
 *	1 - q A = (1 - s q l) (1 - q d).
 *
 * For any l there is one d that prints A.  So the light ink can fade as it likes, and the tone
 * never jumps.  With e the area from which on the dark ink prints alone:
 *
 *	A <= s         l = A / s                               d = 0
 *	s < A < e      l = min((e - A) / (e - s), m)           d from the equation
 *	e <= A         l = 0                                   d = A
 *
 * m keeps the areas of both from being more than 1 together.  It is the l that has d = 1 - l, the
 * smaller root of
 *
 *	s q l^2 - (1 - s + s q) l + 1 - A = 0,
 *
 * 1 for A = s and 0 for A = 1.  l falls and d rises from s to e.  A light ink of more than half the
 * strength (s > 1/2) has no such l near s: m is 1 then, and the areas add up to some more than 1.
 *
 * With a screen whose inks see each other (halftone/screen/blue_noise_colour.h) the dots avoid each
 * other instead.  Then no light passes both inks: A = s l + d, and the light ink can fade evenly,
 * since l + d <= 1.
 *
 * Each of the two areas has a tone that prints it (response.h).  A light ink loses less light in
 * the paper below its dots than a dark one, because its solid area reflects 1 - s q.
 *
 * libcupsfilters' cupsCMYKSetLtDk() has the same s and e, and fades linearly.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_LIGHT_INK_H
#define RIP_LIGHT_INK_H

#include <stdint.h>

/* Zeros: there is no light ink. */
struct rip_light_ink {
	double strength; /* s: RIP_LIGHT_LEAST to below end */
	double end;      /* e: up to 1 */
	int64_t avoid;   /* 1: the dots of the two avoid each other; as wide as the others, since
			    wishes are compared as bytes */
};

#define RIP_LIGHT_LEAST    0.05
#define RIP_LIGHT_STRENGTH 0.30 /* of a light ink that nothing is known of */

/* The areas of the two inks that print an area together, all 0 to 1.  solid: reflectance of a solid
 * area of the dark ink. */
void rip_light_split(const struct rip_light_ink *ink, double solid, double area, double *dark,
		     double *light);

#endif
