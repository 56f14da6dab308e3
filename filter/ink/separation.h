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

#include "filter/page/header.h"
#include "filter/page/source.h"
#include "vendor_profile.h"

#define RIP_SEPARATION_PIXELS 4096 /* separated at once */

/* What a page's pixels become. */
enum rip_inks { RIP_INKS_NONE, RIP_INKS_CMYK, RIP_INKS_KCMY };

/* The PPD's wishes for a page's colours. */
struct rip_separation_wish {
	struct rip_vendor_profile profile;
	bool  has_black;
	float black[2]; /* where black begins to replace grey, and where it replaces all, 0 to 1 */
};

struct rip_separation {
	/* One of these two; none before the first page. */
	void *cmyk;                   /* of colour_library.h */
	struct rip_colour_cube *cube; /* of the profile */
	struct rip_separation_wish wish; /* what it was made by */
	/* of the page */
	enum rip_inks inks;
	uint32_t width, stride, column; /* pixels; samples of an RGB pixel; the next pixel */
	uint8_t  rgb[RIP_SEPARATION_PIXELS * 4];
	uint8_t  separated[RIP_SEPARATION_PIXELS * 4]; /* cyan, magenta, yellow, black */
	short    shares[RIP_SEPARATION_PIXELS * 4];
};

/* Changes the header of an RGB page to that of its inks, and its geometry.  0, or -EINVAL and why:
 * such a page cannot be separated. */
int rip_separation_header(cups_page_header2_t *header, struct rip_geometry *geometry,
			  enum rip_inks inks, char *why, size_t size);

/* Begins a page of this RGB geometry on a queue.  A separation of zeros is new.  A profile that is
 * not valid is ignored, with one WARNING for each job (*warned).
 * 0, -ENOENT or -ENOMEM, and why. */
int rip_separation_begin(struct rip_separation *separation, const struct rip_geometry *rgb,
			 enum rip_inks inks, const struct rip_separation_wish *wish,
			 const struct rip_queue *queue, bool *warned, char *why, size_t size);

/* Reads n bytes of chunked ink pixels, whole pixels.  Returns as rip_source_read(). */
int rip_separation_read(struct rip_separation *separation, struct rip_source *source, void *to,
			size_t n);

/* May be called twice. */
void rip_separation_finish(struct rip_separation *separation);

#endif
