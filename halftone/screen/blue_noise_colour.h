/*
 * Blue noise for colour: the planes of a page together.
 *
 * Each ink alone is even with blue_noise.h, but two even patterns laid over each other are not:
 * where dots of two inks meet, and where they do not, is left to chance, and chance is grain.  Here
 * the inks see each other.  At each pixel they take their steps in an order (rip_colour_plan()):
 *
 *	K, M, C, m, c, k, Y, then all others in the order of the planes (G, R, B are M, C, Y)
 *
 * and the threshold of an ink rises by half of what the inks before it have put down too much
 * there.  Its error stays its own, as do its weights and its carry: the mean of each ink is exact,
 * whatever the others do.
 *
 * K is alone: it has the dots of blue_noise.h bit for bit, and so has the plane of a page with one.
 * The others see it.  Of two inks of the same strength, M and C, m and c, or the first two of a
 * page of others only, the first one also looks at what the second one is about to do.
 *
 * A plane that is not alone counts in halves, so that its error has room for what it sees: one
 * step of the level is 32768.  With the target A = 65536*h + f of arith.h, 0 <= f <= 65535:
 *
 *	Half      b = (f + 1) >> 1, 0..32767.  f is never 65535: A = t + floor(t / 65535) with
 *	          t = 65535*q + r, 0 <= r < 65535, has f = r.
 *	Sum       u = sat(sat(D + P2) + P1), as in blue_noise.h, of halves.
 *	Seen      S = seen; for the first of a pair sat(seen + u of the second), if that one's f is
 *	          not 0.  Before the first step of each pixel seen is 0.
 *	Shift     t = mulr(S, w).  w = 16384 is one half; less where the coupling fades.
 *	Level     h + 1 if f is not 0 and sat(u + t) >= 16384 - b, else h.
 *	Error     e = b + u - 32768 if the level is h + 1, else b + u.
 *	Shares    mulr(e, 256*T) as in blue_noise.h; the zone comes from f and the plane's own D.
 *	Then      seen = sat(seen + e), if f is not 0.  A plane that is alone sets seen = e >> 1.
 *
 * The first carry of a plane that is not alone is the start noise of arith.h, halved (>> 1).
 *
 * In a transparent row of a plane, whose x are all 0 or full, its carry passes unchanged.  There
 * all its f are 0, and so no other plane sees it.  Only rows that are transparent in all planes
 * never reach an engine.
 *
 * Why nothing overflows.  S is in int16, so t is in -16384..16384.
 *
 * - f = 0: b = 0, and e = u is in int16.
 * - Level h, f not 0: u + t <= 16383 - b, so e = b + u <= 16383 - t <= 32767.  And e >= u, since
 *   b >= 0.
 * - Level h + 1: u + t >= 16384 - b, so e = b + u - 32768 >= -16384 - t >= -32768.  And e < u,
 *   since b < 32768.
 *
 * The limit of u + t does not change the comparison, because 16384 - b is in -16383..16384.  So e
 * is in int16 for every input, a product is at most its weight, and the bounds of the carry and of
 * its partial sums are those of blue_noise.h.  Each sum of `seen` is limited, so the order of the
 * steps matters.
 *
 * Why there are no stray dots.  x = 0 and x = full give f = 0, and so level h, whatever u is.
 *
 * Why one half: with more, the errors of some colours grow without bound; with 0.4, the noise is
 * within 0.6 dB of it.
 *
 * Fade.  Where much ink is on the paper, the colour depends on where the dots of two inks meet, and
 * so on how well the printer places them.  A page may end the coupling at a total of ink: with
 * F = min(65535, sum of x >> 3 over all planes), or of 65535 - x for light, which is in 8192ths of
 * a full plane, w = 4 * min(4096, max(0, fade - F)).
 *
 * What is best depends on how far apart the printer may put dots that should meet: up to 0.36
 * dots (15 micrometres at 600 dots an inch) the planes are coupled everywhere, up to 1 the coupling
 * fades at 0.8 planes, and from there on it gains nothing (rip_colour_screen()).  With other fades
 * some ramps would not be monotone.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_BLUE_NOISE_COLOUR_H
#define RIP_BLUE_NOISE_COLOUR_H

#include <stdbool.h>

#include "blue_noise.h"
#include "screen.h"

#define RIP_COLOUR_WEIGHT 16384 /* w without a fade: one half, in Q15 */
#define RIP_COLOUR_RAMP   4096  /* from the full weight to 0, in 8192ths of a plane */

#define RIP_COLOUR_FADE   6554  /* 0.8 planes */

#define RIP_REGISTRATION_MAX 1000 /* micrometres */

/* What an ink does at a pixel, in order. */
struct rip_colour_step {
	uint32_t plane;
	bool     alone;
	bool     looks; /* ahead, at the u of the next step */
};

/* Writes the steps of a page with these inks: one for each plane. */
void rip_colour_plan(const enum rip_ink inks[], uint32_t planes, struct rip_colour_step steps[]);

/* The screen for a printer whose dots of different inks are up to so many micrometres apart (0 to
 * RIP_REGISTRATION_MAX) where they should meet: this one, and *fade, or plain blue noise. */
const struct rip_screen *rip_colour_screen(uint32_t registration, uint32_t x_dpi, uint32_t y_dpi,
					   uint32_t *fade);

/* Half of the lower part f of a target. */
RIP_EVERYWHERE static inline int32_t rip_colour_half(int32_t target)
{
	return ((target & 0xffff) + 1) >> 1;
}

/* Whether a plane whose f is not 0 gets one level more. */
RIP_EVERYWHERE static inline bool rip_colour_dot(int32_t u, int32_t half, int32_t sees,
						 int32_t weight)
{
	return rip_saturated_sum(u, rip_mulr(sees, weight)) >= 16384 - half;
}

/* The part of a sample in the total of ink. */
RIP_EVERYWHERE static inline uint32_t rip_colour_ink(uint32_t x, bool light)
{
	return (light ? 65535 - x : x) >> 3;
}

/* The weight at a total of ink, which may exceed 65535; fade: 0 for none. */
RIP_EVERYWHERE static inline int32_t rip_colour_weight(uint32_t total, uint32_t fade)
{
	const int32_t left = (int32_t)fade - (int32_t)(total < 65535 ? total : 65535);

	if (fade == 0)
		return RIP_COLOUR_WEIGHT;
	return RIP_COLOUR_WEIGHT / RIP_COLOUR_RAMP *
	       (left < 0 ? 0 : left < RIP_COLOUR_RAMP ? left : RIP_COLOUR_RAMP);
}

#endif
