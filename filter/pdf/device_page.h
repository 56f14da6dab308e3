/*
 * Pages of dots in the formats of Ghostscript's devices that printers' encoders read: PBM, four
 * PBM, or four bits a pixel.  The page is placed on the sheet that the encoder expects, as
 * Ghostscript places it: with the page's bottom left corner on the sheet's.
 *
 * Rows come with all planes, in the order of the colour space.  Used by one thread.
 */
#ifndef RIP_DEVICE_PAGE_H
#define RIP_DEVICE_PAGE_H

#include <stdio.h>

#include <cups/raster.h>

#include "gs_stand_in.h"
#include "filter/page/header.h"

struct rip_device_page {
	/* for the caller to set */
	FILE    *to;            /* the caller's, with a large buffer */
	struct rip_gs_request request;
	/* of the current page */
	struct rip_geometry geometry;
	unsigned space;         /* cupsColorSpace */
	int64_t  left, top;     /* where the page's first dot stands on the sheet */
	uint32_t width, height; /* of the sheet */
	uint32_t row_bytes;     /* of a plane of the sheet */
	int64_t  row;           /* the next one of the page */
	int64_t  sheet_row;     /* the next one of the sheet */
	uint8_t *rows;          /* C, M, Y, K: a row of the sheet; pksmraw: all of them */
	uint8_t *pixels;        /* bitcmyk: a row of the sheet */
};

/* Begins a page whose header was checked.  0; -EINVAL: the encoder cannot take it, and why (size
 * bytes) is set; other -errno. */
int rip_device_page_begin(struct rip_device_page *page, const cups_page_header2_t *header,
			  const struct rip_geometry *geometry, char *why, size_t size);

/* The next row, `bytes` of each plane after the other.  0 or -errno. */
int rip_device_page_row(struct rip_device_page *page, const uint8_t *planes, uint32_t bytes);

/* Ends the page and writes the rest of it.  0 or -errno. */
int rip_device_page_end(struct rip_device_page *page);

/* Frees.  May be called twice. */
void rip_device_page_finish(struct rip_device_page *page);

#endif
