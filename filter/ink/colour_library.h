/*
 * The colour functions of libcupsfilters, version 1.28 (cupsCMYKNew() and others) or 2.x
 * (cfCMYKNew() and others).
 *
 * The library is loaded when the first page needs it, so that no other job waits for it, and
 * riptide can be built and run without it.  It stays loaded.
 *
 * 1.28 writes some lines for the log of CUPS on stderr, the first time that a curve is asked for.
 * Where the messages of the calling thread do not go to that log (report.h), stderr of the whole
 * process leads nowhere meanwhile, which takes some microseconds.
 *
 * May be called from any thread; an object is used by one thread.
 */
#ifndef RIP_COLOUR_LIBRARY_H
#define RIP_COLOUR_LIBRARY_H

#include <stdbool.h>

#define RIP_COLOUR_FULL   4095 /* a full ink, where the library has shorts */
#define RIP_COLOUR_POINTS 32   /* of a curve, at most */

/* Whether the library can be loaded.  Where it cannot, nothing else here may be called. */
bool rip_colour_library(void);

/* ---- curves: what an ink of 0 to 255 becomes, 0 to RIP_COLOUR_FULL ---- */

/* density * ink^gamma.  gamma above 0, density above 0 and up to 1.  false: no memory. */
bool rip_colour_gamma(float gamma, float density, short curve[256]);

/* Straight lines from the origin through 1 to RIP_COLOUR_POINTS points; behind the last one its
 * value.  points: pairs of out and in, 0 to 1, with in ascending.  false: no memory. */
bool rip_colour_points(unsigned count, const float (*points)[2], short curve[256]);

/* ---- RGB to cyan, magenta, yellow and black ---- */

/* With the black that this range of grey becomes, 0 to 1, or with the library's own (NULL).
 * NULL: no memory. */
void *rip_colour_cmyk_new(const float black[2]);
void rip_colour_cmyk_do(const void *cmyk, const unsigned char *rgb, short *inks, int pixels);
void rip_colour_cmyk_delete(void *cmyk);

#endif
