/*
 * A page's header: checked completely before anything is allocated or read for
 * it, understood as a geometry, and rewritten for the dots that go out.
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

#define RIP_LINE_MAX (16u << 20) /* bytes of a line that comes in */

/* What comes in. */
struct rip_geometry {
	uint32_t     width, height; /* columns and rows, 1..RIP_WIDTH_MAX */
	uint32_t     planes;        /* colours, 1..RIP_PLANES_MAX */
	uint32_t     sample_bits;   /* 1, 8 or 16 */
	uint32_t     stride;        /* chunked: samples from pixel to pixel, >= planes; else 1 */
	uint32_t     first;         /* chunked: position of plane 0 among them */
	cups_order_t order;         /* chunked if there is one plane and it is not planar */
	bool         light;         /* full is light, not ink */
	uint32_t     line_bytes;    /* cupsBytesPerLine */
	uint32_t     lines;         /* height, times planes if planar */
};

/* What goes out. */
struct rip_output {
	uint32_t     width, height;
	uint32_t     planes;
	uint32_t     levels;     /* 2..16 */
	uint32_t     bits;       /* a dot: 1, 2 or 4 */
	cups_order_t order;
	bool         invert;     /* light came in, ink goes out */
	uint32_t     line_bytes;
	bool         pwg;        /* PWG raster, else CUPS raster */
};

/* 0, or -EINVAL and why: names field and value (at most size bytes). */
int rip_header_check(const cups_page_header2_t *in, struct rip_geometry *geometry, char *why,
		     size_t size);

/* The header of the dots of a page that was checked, with 2..16 levels, as CUPS
 * raster or as PWG raster.  from_pwg: `in` came from a PWG raster stream, whose
 * cupsInteger[] have a meaning of their own.  0, or -EINVAL and why, if PWG
 * raster cannot hold such a page. */
int rip_header_rewrite(const cups_page_header2_t *in, const struct rip_geometry *geometry,
		       uint32_t levels, bool pwg, bool from_pwg, cups_page_header2_t *out,
		       struct rip_output *output, char *why, size_t size);

/* The name of a cupsColorSpace value, "?" if it is none. */
const char *rip_color_space_name(unsigned space);

/* How many colours a space has, 0 if it is none that the filter takes. */
uint32_t rip_color_space_planes(unsigned space);

#endif
