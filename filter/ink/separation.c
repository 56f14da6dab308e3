/* RGB pages for drivers that want the dots of inks. */
#include "separation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colour_library.h"

#define INKS 4

int rip_separation_header(cups_page_header2_t *header, struct rip_geometry *geometry,
			  enum rip_inks inks, char *why, size_t size)
{
	if (geometry->sample_bits != 8 || geometry->order != CUPS_ORDER_CHUNKED)
		return rip_refuse(why, size, "halftone-inks separates only chunked RGB of 8 bits: "
				  "set cupsBitsPerColor 8 and cupsColorOrder 0 in the queue's PPD");
	header->cupsColorSpace = inks == RIP_INKS_KCMY ? CUPS_CSPACE_KCMY : CUPS_CSPACE_CMYK;
	header->cupsNumColors = INKS;
	header->cupsBitsPerPixel = 8 * INKS;
	header->cupsBytesPerLine = header->cupsWidth * INKS;
	return rip_header_check(header, geometry, why, size);
}

/* Prepares for the PPD's wish.  0, -ENOENT: there is no library, or -ENOMEM. */
static int prepare(struct rip_separation *s, const struct rip_queue *queue, bool *warned)
{
	int r = -EINVAL;

	if (s->wish.profile.line)
		r = rip_vendor_profile_read(&s->cube, &s->wish.profile, queue, warned);
	if (r != -EINVAL)
		return r;
	if (!rip_colour_library())
		return -ENOENT;
	s->cmyk = rip_colour_cmyk_new(s->wish.has_black ? s->wish.black : NULL);
	return s->cmyk ? 0 : -ENOMEM;
}

int rip_separation_begin(struct rip_separation *s, const struct rip_geometry *rgb,
			 enum rip_inks inks, const struct rip_separation_wish *wish,
			 const struct rip_queue *queue, bool *warned, char *why, size_t size)
{
	int r = 0;

	if (memcmp(&s->wish, wish, sizeof *wish) != 0)
		rip_separation_finish(s);
	memcpy(&s->wish, wish, sizeof *wish);
	if (!s->cube && !s->cmyk)
		r = prepare(s, queue, warned);
	if (r < 0)
		return rip_refuse_as(r, why, size, "%s", r != -ENOENT ? strerror(-r) :
				     "halftone-inks needs libcupsfilters, which cannot be loaded: "
				     "install cups-filters");
	s->inks = inks;
	s->width = rgb->width;
	s->stride = rgb->stride;
	s->column = 0;
	return 0;
}

/* Separates some pixels, as bytes. */
static void separate(struct rip_separation *s, uint32_t pixels)
{
	if (s->cube) {
		rip_colour_cube_do(s->cube, s->rgb, s->separated, pixels);
		return;
	}
	rip_colour_cmyk_do(s->cmyk, s->rgb, s->shares, (int)pixels);
	for (uint32_t i = 0; i < INKS * pixels; i++)
		s->separated[i] = (uint8_t)((s->shares[i] * 255 + RIP_COLOUR_FULL / 2) /
					    RIP_COLOUR_FULL);
}

/* The inks of some pixels, in the order of the page. */
static void put_inks(const struct rip_separation *s, uint32_t pixels, uint8_t *to)
{
	const unsigned first = s->inks == RIP_INKS_KCMY; /* the place of cyan */

	for (uint32_t i = 0; i < pixels; i++)
		for (unsigned ink = 0; ink < INKS; ink++)
			to[i * INKS + (ink + first) % INKS] = s->separated[i * INKS + ink];
}

int rip_separation_read(struct rip_separation *s, struct rip_source *source, void *to, size_t n)
{
	uint8_t *at = to;

	for (size_t left = n / INKS; left > 0;) {
		uint32_t pixels = s->width - s->column;
		int r;

		if (pixels > RIP_SEPARATION_PIXELS)
			pixels = RIP_SEPARATION_PIXELS;
		if (pixels > left)
			pixels = (uint32_t)left;
		r = rip_source_read(source, s->rgb, (size_t)pixels * s->stride);
		if (r < 0)
			return r;
		for (uint32_t i = 1; s->stride > 3 && i < pixels; i++)
			memmove(s->rgb + (size_t)3 * i, s->rgb + (size_t)s->stride * i, 3);
		separate(s, pixels);
		put_inks(s, pixels, at);
		at += (size_t)pixels * INKS;
		left -= pixels;
		s->column = (s->column + pixels) % s->width;
	}
	return 0;
}

void rip_separation_finish(struct rip_separation *s)
{
	if (s->cmyk)
		rip_colour_cmyk_delete(s->cmyk);
	free(s->cube);
	s->cmyk = NULL;
	s->cube = NULL;
}
