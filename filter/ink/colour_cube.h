/*
 * How much of four inks a colour needs, from a cube of samples: trilinear interpolation.
 *
 * libcupsfilters has the same as cupsRGBNew() and cupsRGBDoRGB(), cfRGBNew() and cfRGBDoRGB() in
 * 2.x.  Up to 2.2.1 these interpolate wrongly: between two rows of the cube, they take the weight
 * of green where that of blue belongs (rgb.c, color[gs] * gm0), so that a cube whose samples are
 * all alike does not give that colour.  Hence this.
 *
 * The axes of the cube are linear light, so that a colour of the page is first taken through the
 * transfer function of sRGB (IEC 61966-2-1).
 *
 * A cube is used by one thread.
 */
#ifndef RIP_COLOUR_CUBE_H
#define RIP_COLOUR_CUBE_H

#include <stddef.h>
#include <stdint.h>

#define RIP_CUBE_MIN  2 /* points on an axis */
#define RIP_CUBE_MAX  16
#define RIP_CUBE_INKS 4

struct rip_colour_cube {
	unsigned size;            /* points on an axis */
	uint32_t place[256];      /* on an axis, by 8 bits of sRGB; 4096 from point to point */
	uint8_t  samples[][RIP_CUBE_INKS]; /* size^3: red varies slowest and blue fastest */
};

/* A cube without ink, to be filled and then freed with free().  NULL: no memory. */
struct rip_colour_cube *rip_colour_cube_new(unsigned size);

/* The inks of RGB pixels, 8 bits each. */
void rip_colour_cube_do(const struct rip_colour_cube *cube, const uint8_t *rgb, uint8_t *inks,
			size_t pixels);

#endif
