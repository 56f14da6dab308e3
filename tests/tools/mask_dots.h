/*
 * The expected dots of a mask or of bi-level: pixel by pixel, from the rule in
 * halftone/screen/screen.h.  The thresholds are the product's (their own tests hold them against
 * the generator); which inks and which resolution they are for is decided here. */
#ifndef RIP_MASK_DOTS_H
#define RIP_MASK_DOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

/* One plane of a page with this colour space and resolution; x and level as for
 * oracle_halftone().  Returns false if the name is unknown. */
bool mask_dots(const uint16_t *x, size_t width, size_t height, unsigned levels, const char *name,
	       cups_cspace_t space, const unsigned resolution[2], unsigned plane, uint8_t *level);

#endif
