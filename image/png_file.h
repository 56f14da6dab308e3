/* Writes PNG files. */
#ifndef RIP_PNG_FILE_H
#define RIP_PNG_FILE_H

#include <stdint.h>

#include "out_file.h"

/* A file that is written row by row. */
struct rip_png {
	void *png, *info; /* libpng's; NULL: closed */
	struct rip_out_file *file;
};

/* Begins an image of 8-bit grey (channels 1) or sRGB (channels 3) pixels in an open file, writes its
 * rows, and ends it.  dpi: the resolution to state, or 0.  0 or -errno (reported). */
int  rip_png_begin(struct rip_png *png, struct rip_out_file *file, uint32_t width, uint32_t height,
		   unsigned channels, double dpi);
int  rip_png_row(struct rip_png *png, const uint8_t *pixels);
int  rip_png_end(struct rip_png *png);

/* Frees; may be called twice, also on zeros. */
void rip_png_finish(struct rip_png *png);

/* Writes an image of 8-bit grey (channels 1) or sRGB (channels 3) pixels, row by row without
 * gaps, to an open file.  dpi: the resolution to state, or 0.  0 or -errno (reported). */
int rip_png_write(struct rip_out_file *file, const uint8_t *pixels, uint32_t width, uint32_t height,
		  unsigned channels, double dpi);

#endif
