/*
 * The colour functions of libcupsfilters, version 1.28 (cupsCMYKNew() and others) or 2.x (cfCMYKNew()
 * and others).
 *
 * The library is loaded when the first page needs it, so that no other job waits for it, and riptide
 * can be built and run without it.  It stays loaded.
 *
 * May be called from any thread; an object is used by one thread.
 */
#ifndef RIP_COLOUR_LIBRARY_H
#define RIP_COLOUR_LIBRARY_H

#include <stdbool.h>

#define RIP_COLOUR_FULL   4095 /* a full ink, where the library has shorts */
#define RIP_COLOUR_POINTS 32   /* of a curve, at most */

/* A colour of a profile: 0 to 255; cyan, magenta, yellow and black. */
struct rip_colour_sample {
	unsigned char rgb[3], inks[4];
};

/* Whether the library can be loaded.  Where it cannot, nothing else here may be called. */
bool rip_colour_library(void);

/* ---- curves: what an ink of 0 to 255 becomes, 0 to RIP_COLOUR_FULL ---- */

/* density * ink^gamma.  gamma above 0, density above 0 and up to 1.  false: no memory. */
bool rip_colour_gamma(float gamma, float density, short curve[256]);

/* Straight lines from the origin through 1 to RIP_COLOUR_POINTS points; behind the last one its value.
 * points: pairs of out and in, 0 to 1, with in ascending.  false: no memory. */
bool rip_colour_points(unsigned count, const float (*points)[2], short curve[256]);

/* ---- RGB to cyan, magenta, yellow and black ---- */

/* With the black that this range of grey becomes, 0 to 1, or with the library's own (NULL).  NULL: no
 * memory. */
void *rip_colour_cmyk_new(const float black[2]);
void rip_colour_cmyk_do(const void *cmyk, const unsigned char *rgb, short *inks, int pixels);
void rip_colour_cmyk_delete(void *cmyk);

/* With a cube of size^3 samples, in any order, between which the library interpolates; size 2 to 16.
 * NULL: no memory. */
void *rip_colour_profile_new(unsigned size, struct rip_colour_sample *samples);
void rip_colour_profile_do(void *profile, const unsigned char *rgb, unsigned char *inks, int pixels);
void rip_colour_profile_delete(void *profile);

#endif
