/*
 * The inks of dots that were read from raster.
 *
 * The colour spaces of light inks, DEVICE2 and so on, do not say which ink a plane is for.  These
 * are riptide's own pages, the other way round of the table in light_inks.h:
 *
 *	colour space   dots                      inks
 *	------------   -----------------------   ----------------------------------------------
 *	DEVICE2                                  K k
 *	DEVICE5                                  C M Y K k, K C M Y k, or C M Y c m
 *	DEVICE6        CUPS raster of 2 levels   C M Y K c m; those of KCMY are in KCMYcm
 *	DEVICE6        others                    C M Y K c m, or K C M Y c m
 *	DEVICE7                                  C M Y K c m k, or K C M Y c m k
 *
 * Where there are several, cupsStrings such as riptide:halftone-inks=kcmy and
 * riptide:halftone-light-inks=cm tell; without them it is the first: most PPDs ask for CMYK.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_DOT_INKS_H
#define RIP_DOT_INKS_H

#include <stdbool.h>

#include <cups/raster.h>

#include "halftone/screen/mask_screen.h"

/* The inks of dots in a colour space that does not name them, as letters; small ones are light
 * inks.  NULL: they are not riptide's.  pwg: PWG raster.  *certain: the header says that there are
 * light inks, and there is one order of them. */
const char *rip_dot_inks_guess(const cups_page_header2_t *dots, bool pwg, bool *certain);

#endif
