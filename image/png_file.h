/* Writes PNG files. */
#ifndef RIP_PNG_FILE_H
#define RIP_PNG_FILE_H

#include <stdint.h>

#include "out_file.h"

/* Writes an image of 8-bit grey (channels 1) or sRGB (channels 3) pixels, row by row without
 * gaps, to an open file.  dpi: the resolution to state, or 0.  0 or -errno (reported). */
int rip_png_write(struct rip_out_file *file, const uint8_t *pixels, uint32_t width, uint32_t height,
		  unsigned channels, double dpi);

#endif
