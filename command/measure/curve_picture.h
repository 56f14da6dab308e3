/*
 * A picture of a calibration: for each ink, what the printer prints for what is asked for (thin)
 * and what is sent to it with the calibration (thick), with a grid of tenths.
 */
#ifndef RIP_CURVE_PICTURE_H
#define RIP_CURVE_PICTURE_H

#include "calibration.h"

/* Writes it to a file as PNG, or as PGM if the name ends so.  0 or -errno (reported). */
int rip_curve_picture_write(const struct rip_calibration *calibration, const struct rip_cal *cal,
			    const char *path);

#endif
