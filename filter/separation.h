/*
 * RGB pages for drivers that want the dots of cyan, magenta, yellow and black: libcupsfilters
 * separates the colours (cupsCMYKDoRGB() of 1.28, cfCMYKDoRGB() of 2.x), with the black that the
 * PPD's cupsBlackGeneration asks for.  Curves and ink limits come later, as for all pages.
 *
 * The library is loaded when the first page needs it, so that no other job waits for it, and
 * riptide can be built and run without it.
 *
 * Used by one thread.
 */
#ifndef RIP_SEPARATION_H
#define RIP_SEPARATION_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/header.h"
#include "filter/source.h"

#define RIP_SEPARATION_PIXELS 4096 /* separated at once */

/* What a page's pixels become. */
enum rip_inks { RIP_INKS_NONE, RIP_INKS_CMYK, RIP_INKS_KCMY };

struct rip_separation {
	void    *library, *cmyk;  /* of dlopen(), and of the library */
	void   (*separate)(const void *cmyk, const unsigned char *rgb, short *inks, int pixels);
	void   (*delete)(void *cmyk);
	bool     has_black;       /* it was made with this range of black */
	float    black[2];
	/* of the page */
	enum rip_inks inks;
	uint32_t width, stride, column; /* pixels; samples of an RGB pixel; the next pixel */
	uint8_t  rgb[RIP_SEPARATION_PIXELS * 4];
	short    dots[RIP_SEPARATION_PIXELS * 4];
};

/* Changes the header of an RGB page to that of its inks, and its geometry.  0, or -EINVAL and why:
 * such a page cannot be separated. */
int rip_separation_header(cups_page_header2_t *header, struct rip_geometry *geometry,
			  enum rip_inks inks, char *why, size_t size);

/* Begins a page of this RGB geometry.  A separation of zeros is not loaded.  black: where black
 * begins to replace grey, and where it does so completely, 0 to 1; NULL: what the library has.  0,
 * or -ENOENT and why. */
int rip_separation_begin(struct rip_separation *separation, const struct rip_geometry *rgb,
			 enum rip_inks inks, const float *black, char *why, size_t size);

/* Reads n bytes of chunked ink pixels, whole pixels.  Returns as rip_source_read(). */
int rip_separation_read(struct rip_separation *separation, struct rip_source *source, void *to,
			size_t n);

/* May be called twice. */
void rip_separation_finish(struct rip_separation *separation);

#endif
