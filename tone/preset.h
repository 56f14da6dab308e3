/*
 * Typical printers, and printers with a certain dot gain.
 *
 * Dot gain is what people know: how many points darker than asked for a tint of 50 % prints
 * without correction, on a screen of 106 lines an inch, measured with the formula of Murray and
 * Davies.  The same printer gains more on finer screens; the model says how much.
 *
 * Presets are typical printers of a class.  They are estimates, to be replaced by a
 * calibration:
 *
 *	preset        model                          gain at 50 %, points
 *	------------  -----------------------------  --------------------
 *	laser-600     spot 0.47 pixels, threshold 0.41       16
 *	laser-1200    spot 0.59 pixels, threshold 0.40       22
 *	thermal-203   discs of radius 0.78 pixels            16
 *	thermal-300   discs of radius 0.82 pixels            19
 *	inkjet-360    discs of radius 0.85 pixels            21
 *	inkjet-720    discs of radius 0.95 pixels            28
 *
 * laser, thermal and inkjet stand for the one that suits the page's resolution.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_PRESET_H
#define RIP_PRESET_H

#include "tone/printer.h"

/* The preset of a name (see above; "none" too), for a page of this resolution, 1 or more.  Case
 * does not matter.  A spot is as wide on paper at every resolution; discs always have the same
 * radius in pixels, because a printer chooses its drops by the resolution.  false: no such
 * preset. */
bool rip_printer_preset(struct rip_printer *printer, const char *name, double dpi);

/* The presets' names and those of the classes, for people; ended by NULL. */
extern const char *const rip_printer_names[];

/* The gain of a printer: points at 50 % on the reference pattern (pattern.h), which is the screen
 * of 106 lines an inch at 600 dpi, and as many pixels a cell at others. */
double rip_printer_gain(const struct rip_printer *printer);

/* Gives a printer this gain (points, 0 to RIP_GAIN_MAX), by its radius or threshold.  Where they
 * end, the paper scatters less, or the largest possible gain is taken.  A printer without dot
 * gain gets none. */
#define RIP_GAIN_MAX 40
void rip_printer_set_gain(struct rip_printer *printer, double points);

#endif
