/*
 * Page headers: checks a header completely before anything is allocated or read for the
 * page, converts it to a geometry, and rewrites it for the dots.
 *
 * Headers are hostile input.  Fields that are not checked are not used.  Pure
 * functions; any thread may call them.
 */
#ifndef RIP_HEADER_H
#define RIP_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#include "filter/ink/light_inks.h"
#include "halftone/engine.h"
#include "system/refuse.h"

#define RIP_LINE_MAX (16u << 20) /* bytes of an input line */

/* A page of the input. */
struct rip_geometry {
	uint32_t     width, height; /* columns and rows, 1..RIP_WIDTH_MAX */
	uint32_t     planes;        /* colours, 1..RIP_PLANES_MAX */
	uint32_t     lights;        /* planes of light inks, which the dots add (light_inks.h) */
	struct rip_light_plane light_planes[RIP_LIGHT_PLANES_MAX];
	uint32_t     sample_bits;   /* 1, 8 or 16; 1, 2 or 4 by rip_header_check_dots() */
	uint32_t     stride;        /* chunked: samples from pixel to pixel, >= planes; else 1 */
	uint32_t     first;         /* chunked: the sample of a pixel that is plane 0 */
	cups_order_t order;         /* chunked if there is one plane and it is not planar */
	bool         light;         /* full is light, not ink */
	uint32_t     line_bytes;    /* cupsBytesPerLine */
	uint32_t     lines;         /* height, times planes if planar */
};

/* A page of the output. */
struct rip_output {
	uint32_t     width, height;
	uint32_t     planes;     /* with those of light inks */
	enum rip_ink inks[RIP_PLANES_MAX]; /* of the planes */
	uint32_t     levels;     /* 2..16 */
	uint32_t     bits;       /* a dot: 1, 2 or 4 */
	cups_order_t order;
	bool         invert;     /* the input is light, the output ink */
	uint32_t     line_bytes;
	bool         pwg;        /* PWG raster, else CUPS raster */
};

/* 0, or -EINVAL and in why (size bytes) the field and its value. */
int rip_header_check(const cups_page_header2_t *in, struct rip_geometry *geometry, char *why,
		     size_t size);

/* The same for a page of dots, which have 1, 2 or 4 bits. */
int rip_header_check_dots(const cups_page_header2_t *in, struct rip_geometry *geometry, char *why,
			  size_t size);

/* Makes the header of the dots, with 2..16 levels, as CUPS or PWG raster, from a header
 * that was checked.  from_pwg: `in` came from a PWG raster stream, where cupsInteger[]
 * has another meaning.  0, or -EINVAL and why, if PWG
 * raster cannot hold such a page. */
int rip_header_rewrite(const cups_page_header2_t *in, const struct rip_geometry *geometry,
		       uint32_t levels, bool pwg, bool from_pwg, cups_page_header2_t *out,
		       struct rip_output *output, char *why, size_t size);

/* The name of a cupsColorSpace value; "?" if there is no such value. */
const char *rip_color_space_name(unsigned space);

/* Whether full is light in a space, not ink. */
bool rip_color_space_light(unsigned space);

/* The number of colours of a space; 0 if the filter does not take it. */
uint32_t rip_color_space_planes(unsigned space);

/* The same for a page: of KCMYcm, those with 1 bit a colour have six planes. */
uint32_t rip_page_planes(const cups_page_header2_t *header);

/* The letters of the inks of a colour space, plane by plane: "CMYK".  Of a space of light, those
 * that it holds back: "K", "CMY".  Of KCMYcm those that samples have: "KCMY".  NULL for one that
 * does not tell. */
const char *rip_color_space_inks(unsigned space);

/* The inks of the planes of dots, the light inks last; RGB light is what cyan, magenta and yellow
 * hold back. */
void rip_page_inks(unsigned space, const struct rip_geometry *geometry,
		   enum rip_ink inks[RIP_PLANES_MAX]);

/* Whether pages of a colour space, with more than 1 bit, get light inks of a set. */
bool rip_light_inks_wanted(unsigned space, unsigned set);

/* Gives a page the light inks of a set for which it has the dark ones, before the header is
 * rewritten; those of KCMYcm in any case.  Pages in spaces of light, and of inks that nobody knows,
 * get none.  0; -EINVAL and why if the page is planar, so that the inks would come one after the
 * other. */
int rip_light_inks_add(const cups_page_header2_t *header, unsigned set,
		       struct rip_geometry *geometry, char *why, size_t size);

#endif
