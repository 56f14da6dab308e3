/*
 * A scan of a chart: one channel of a picture in memory, and the wedge that is found in it.
 *
 * Pixels are taken as sRGB, which scanners and their programs write if no correction is asked
 * for; a PNG file that states another gamma is converted.
 *
 * Errors are reported on standard error where they occur, and returned as a negative errno.
 */
#ifndef RIP_SCAN_H
#define RIP_SCAN_H

#include <stdint.h>

#include "image/input.h"
#include "wedge_layout.h"

#define RIP_SCAN_PIXELS_MAX (400u << 20)

struct rip_scan {
	const char *name; /* of the file, for messages */
	uint32_t    width, height;
	uint8_t    *grey; /* grey, or the channel of an ink, row by row without gaps; owned */
};

/* 1 if an input begins like a picture: PGM, JPEG, PNG or TIFF; 0; or -errno.
 * Takes nothing from it. */
int rip_scan_is_picture(struct rip_input *input);

/* Reads a picture.  ink: a letter; a colour scan is read in the light that the ink takes away: cyan
 * in red, magenta in green, yellow in blue, others in grey.  0 or -errno; -EBADMSG also for yellow
 * in a grey scan. */
int  rip_scan_read(struct rip_scan *scan, struct rip_input *input, char ink);
void rip_scan_finish(struct rip_scan *scan); /* may be called twice */

/* Finds the wedge by its marks, at any angle up to 10 degrees from the edges of the picture or
 * from a quarter turn.  light: the light of each step, of the paper's around it, so that it
 * does not matter where the lamp is brighter.  -EBADMSG (reported) if a mark is missing, or
 * the resolution is too low. */
int rip_scan_wedge(const struct rip_scan *scan, double light[RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS]);

#endif
