/*
 * What a picture looks like: the eye's filter over the difference between its dots and itself;
 * and the pictures that are used.
 */
#ifndef RIP_PICTURE_H
#define RIP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
	char     name[64];
	uint32_t width, height;
	uint8_t *light; /* width bytes a row, 0 is black */
};

struct fidelity {
	double psnr_600, psnr_300; /* peak to noise that the eye sees, dB */
	/* The same without a displacement of the whole picture by a fraction of a pixel, which
	 * error diffusion makes and nobody sees (S. Hocevar and G. Niger, Reinstating
	 * Floyd-Steinberg: improved metrics, 2008). */
	double still_600, still_300;
	double down, right; /* that displacement at 600 dpi, in pixels */
};

/* A grey ramp from black to white, 32 columns a grey; a synthetic photo with text, noise,
 * slopes and edges, by number 0, 1, ...; a file (PGM or JPEG).  light is allocated.  false:
 * reported on stderr. */
void picture_ramp(struct picture *picture);
void picture_synthetic(unsigned number, struct picture *picture);
bool picture_read(const char *path, struct picture *picture);

/* dots: a byte each, 1 for light, `width` a row.  The outer 64 pixels do not count.  false: no
 * memory. */
void measure_fidelity(const struct picture *picture, const uint8_t *dots,
		      struct fidelity *fidelity);

#endif
