/* RGB pages for drivers that want the dots of inks. */
#include "filter/separation.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define INKS     4
#define INK_FULL 4095 /* of the library */

/* The functions of both versions; those of 2.x also take a function for messages, and its data. */
static const struct {
	const char *soname, *new, *set_black, *separate, *delete;
	bool        logs;
} versions[] = {
	{ "libcupsfilters.so.2", "cfCMYKNew", "cfCMYKSetBlack", "cfCMYKDoRGB", "cfCMYKDelete", true },
	{ "libcupsfilters.so.1", "cupsCMYKNew", "cupsCMYKSetBlack", "cupsCMYKDoRGB", "cupsCMYKDelete",
	  false },
};

int rip_separation_header(cups_page_header2_t *header, struct rip_geometry *geometry,
			  enum rip_inks inks, char *why, size_t size)
{
	if (geometry->sample_bits != 8 || geometry->order != CUPS_ORDER_CHUNKED)
		return rip_refuse(why, size, "halftone-inks separates only chunked RGB of 8 bits: set"
				  " cupsBitsPerColor 8 and cupsColorOrder 0 in the queue's PPD");
	header->cupsColorSpace = inks == RIP_INKS_KCMY ? CUPS_CSPACE_KCMY : CUPS_CSPACE_CMYK;
	header->cupsNumColors = INKS;
	header->cupsBitsPerPixel = 8 * INKS;
	header->cupsBytesPerLine = header->cupsWidth * INKS;
	return rip_header_check(header, geometry, why, size);
}

/* Finds a function.  POSIX lets a pointer to data be converted to one to a function, ISO C does
 * not. */
static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof found);
	return found != NULL;
}

/* Loads one version of the library. */
static bool load(struct rip_separation *s, size_t version, const float *black)
{
	void *(*new)(int channels);
	void (*set_black)(void *cmyk, float lower, float upper);
	void (*set_black_2)(void *cmyk, float lower, float upper, void *log, void *data);

	s->library = dlopen(versions[version].soname, RTLD_NOW | RTLD_LOCAL);
	if (!s->library || !find(s->library, versions[version].new, &new) ||
	    !find(s->library, versions[version].set_black, &set_black) ||
	    !find(s->library, versions[version].set_black, &set_black_2) ||
	    !find(s->library, versions[version].separate, &s->separate) ||
	    !find(s->library, versions[version].delete, &s->delete))
		return false;
	s->cmyk = new(INKS);
	if (s->cmyk && black && versions[version].logs)
		set_black_2(s->cmyk, black[0], black[1], NULL, NULL);
	else if (s->cmyk && black)
		set_black(s->cmyk, black[0], black[1]);
	return s->cmyk;
}

int rip_separation_begin(struct rip_separation *s, const struct rip_geometry *rgb, enum rip_inks inks,
			 const float *black, char *why, size_t size)
{
	const size_t count = sizeof versions / sizeof *versions;

	if (s->cmyk && (s->has_black != (black != NULL) ||
			(black && memcmp(s->black, black, sizeof s->black) != 0)))
		rip_separation_finish(s);
	s->has_black = black;
	if (black)
		memcpy(s->black, black, sizeof s->black);
	for (size_t i = 0; i < count && !s->cmyk; i++)
		if (!load(s, i, black))
			rip_separation_finish(s);
	if (!s->cmyk) {
		snprintf(why, size, "halftone-inks needs libcupsfilters, which cannot be loaded: install"
			 " cups-filters");
		return -ENOENT;
	}
	s->inks = inks;
	s->width = rgb->width;
	s->stride = rgb->stride;
	s->column = 0;
	return 0;
}

/* The inks of some pixels, as bytes. */
static void put_inks(struct rip_separation *s, uint32_t pixels, uint8_t *to)
{
	const unsigned first = s->inks == RIP_INKS_KCMY; /* the place of cyan */

	for (uint32_t i = 0; i < pixels; i++)
		for (unsigned ink = 0; ink < INKS; ink++)
			to[i * INKS + (ink + first) % INKS] =
				(uint8_t)((s->dots[i * INKS + ink] * 255 + INK_FULL / 2) / INK_FULL);
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
		s->separate(s->cmyk, s->rgb, s->dots, (int)pixels);
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
		s->delete(s->cmyk);
	if (s->library)
		dlclose(s->library);
	s->cmyk = s->library = NULL;
}
