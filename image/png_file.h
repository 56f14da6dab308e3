/* Writes PNG files. */
#ifndef RIP_PNG_FILE_H
#define RIP_PNG_FILE_H

#include <stdint.h>

#include "out_file.h"

/* A file that is written row by row. */
struct rip_png {
	void *png, *info; /* libpng's; NULL: closed */
	struct rip_out_file *file;
	uint32_t width, levels; /* of dots */
	uint8_t *line;          /* of dots, as bytes */
};

/* Begins an image of 8-bit grey (channels 1) or sRGB (channels 3) pixels in an open file, writes
 * its rows, and ends it.  dpi: the resolution to state, or 0.  0 or -errno (reported). */
int  rip_png_begin(struct rip_png *png, struct rip_out_file *file, uint32_t width, uint32_t height,
		   unsigned channels, double dpi);
int  rip_png_row(struct rip_png *png, const uint8_t *pixels);
int  rip_png_end(struct rip_png *png);

/* The same for dots, in grey: two, 4 and 16 levels in 1, 2 and 4 bits, others in 8, where level l
 * of n is round(255 l / (n - 1)).  dots: a row as struct rip_strip in halftone/engine.h has it.
 * x_dpi, y_dpi: the resolution to state, or 0. */
int  rip_png_begin_dots(struct rip_png *png, struct rip_out_file *file, uint32_t width,
			uint32_t height, uint32_t levels, double x_dpi, double y_dpi);
int  rip_png_dots(struct rip_png *png, const uint8_t *dots);

/* Frees; may be called twice, also on zeros. */
void rip_png_finish(struct rip_png *png);

/* Writes an image of 8-bit grey (channels 1) or sRGB (channels 3) pixels, row by row without
 * gaps, to an open file.  dpi: the resolution to state, or 0.  0 or -errno (reported). */
int rip_png_write(struct rip_out_file *file, const uint8_t *pixels, uint32_t width, uint32_t height,
		  unsigned channels, double dpi);

#endif
