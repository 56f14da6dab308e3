/*
 * The planes of light inks: a page of cyan, magenta, yellow and black that is printed with light
 * cyan, light magenta or light black, too.  The samples have no planes for them; their dots follow
 * behind those of the page's own colours.
 *
 *	page              light inks     colour space of the dots, and its planes
 *	----------------  -------------  --------------------------------------------------
 *	KCMYcm            always c, m    KCMYcm; DEVICE6 with more than 2 levels or in PWG raster
 *	KCMY              c, m           the same
 *	KCMYcm, KCMY      c, m, k        DEVICE7: K C M Y c m k
 *	KCMY              k              DEVICE5: K C M Y k
 *	CMYK              c, m; and k    DEVICE6: C M Y K c m; DEVICE7: C M Y K c m k
 *	CMYK              k              DEVICE5: C M Y K k
 *	CMY               c, m           DEVICE5: C M Y c m
 *	K                 k              DEVICE2: K k
 *
 * KCMYcm is the colour space of CUPS for dots of six inks; with more than 1 bit a colour its
 * samples are KCMY (CUPS raster format, CUPS_CSPACE_KCMYcm).
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_LIGHT_INKS_H
#define RIP_LIGHT_INKS_H

#include <stdint.h>

#include "halftone/screen/mask_screen.h"

/* Sets of light inks. */
enum { RIP_LIGHT_C = 1, RIP_LIGHT_M = 2, RIP_LIGHT_K = 4 };

/* "none", "cm", "k" or "cmk" as a set; -1: not valid. */
int rip_light_inks_parse(const char *value);
#define RIP_LIGHT_INKS_VALUES "none, cm, k, cmk"

/* A plane of the dots that prints a plane of the samples a second time, with a light ink. */
struct rip_light_plane {
	uint32_t     source; /* plane of the samples */
	enum rip_ink ink;
};

#define RIP_LIGHT_PLANES_MAX 3

/* The light inks of a set for which a page has the dark ones.  Returns how many. */
uint32_t rip_light_inks_find(unsigned set, const enum rip_ink inks[], uint32_t planes,
			     struct rip_light_plane found[RIP_LIGHT_PLANES_MAX]);

#endif
