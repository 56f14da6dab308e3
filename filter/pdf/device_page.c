#include "config.h"

#include "device_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHEET_MAX (256u << 20) /* bytes of a sheet that is kept */

/* ---- output ---- */

static int put(struct rip_device_page *page, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, page->to) == size ? 0 : -errno;
}

static int put_pbm_header(struct rip_device_page *page)
{
	return fprintf(page->to, "P4\n%u %u\n", page->width, page->height) < 0 ? -errno : 0;
}

/* ---- a row of the sheet ---- */

/* The rows of the sheet that are kept: pksmraw needs them plane by plane. */
static uint8_t *sheet_row(const struct rip_device_page *page, unsigned plane, int64_t row)
{
	const bool all = page->request.device == RIP_GS_PKSM;

	return page->rows + ((size_t)plane * (all ? page->height : 1) + (all ? (size_t)row : 0)) *
	       page->row_bytes;
}

/* The ink of a plane: C, M, Y, K. */
static unsigned ink_of(const struct rip_device_page *page, unsigned plane)
{
	static const unsigned black_first[] = { 3, 0, 1, 2 };

	if (page->geometry.planes == 1)
		return 3;
	return page->space == CUPS_CSPACE_KCMY ? black_first[plane] : plane;
}

/* Puts dots at column `left` of a row of the sheet. */
static void place(uint8_t *to, uint32_t width, const uint8_t *from, uint32_t dots, int64_t left,
		  bool light)
{
	const int64_t first = left < 0 ? -left : 0;
	const int64_t most = (int64_t)width - left;
	const int64_t end = dots < most ? dots : most;

	/* Byte by byte where that is possible. */
	for (int64_t i = first; i < end;) {
		const int64_t column = left + i;
		const unsigned in = i % 8, out = (unsigned)(column % 8);
		const unsigned rest = 8 - (in > out ? in : out);
		const unsigned count = end - i < rest ? (unsigned)(end - i) : rest;
		uint8_t bits = (uint8_t)((light ? ~from[i / 8] : from[i / 8]) << in);

		bits &= (uint8_t)(0xff00 >> count);
		to[column / 8] |= (uint8_t)(bits >> out);
		i += count;
	}
}

/* Writes the current row, in the formats that come row by row. */
static int write_row(struct rip_device_page *page)
{
	int r;

	if (page->request.device == RIP_GS_PBM) {
		r = put(page, sheet_row(page, 3, 0), page->row_bytes);
	} else {
		memset(page->pixels, 0, (page->width + 1) / 2);
		for (unsigned ink = 0; ink < 4; ink++)
			for (uint32_t x = 0; x < page->width; x++)
				if (sheet_row(page, ink, 0)[x / 8] & 0x80 >> x % 8)
					page->pixels[x / 2] |=
						(uint8_t)((x % 2 ? 0x08 : 0x80) >> ink);
		r = put(page, page->pixels, (page->width + 1) / 2);
	}
	memset(page->rows, 0, 4 * (size_t)page->row_bytes);
	return r;
}

/* Ends the rows of the sheet above this one. */
static int advance(struct rip_device_page *page, int64_t row)
{
	int r = 0;

	for (; r == 0 && page->sheet_row < row && page->sheet_row < page->height; page->sheet_row++)
		if (page->request.device != RIP_GS_PKSM)
			r = write_row(page);
	return r;
}

/* ---- a page ---- */

static int check(struct rip_device_page *page, const cups_page_header2_t *header,
		 char *why, size_t size)
{
	const struct rip_geometry *g = &page->geometry;
	const struct rip_gs_request *request = &page->request;
	const float *box = header->cupsImagingBBox;

	if (g->sample_bits != 1)
		return rip_refuse(why, size, "it has %u bits a colour, but the driver needs dots: "
				  "the PPD must name rastertoriptide before this filter",
				  g->sample_bits);
	if (request->x_dpi && (request->x_dpi != header->HWResolution[0] ||
			       request->y_dpi != header->HWResolution[1]))
		return rip_refuse(why, size,
				  "it has %u x %u dpi, but the driver's options ask for %u x %u",
				  header->HWResolution[0], header->HWResolution[1],
				  request->x_dpi, request->y_dpi);
	if (g->planes != 1 &&
	    (g->planes != 4 || g->order != CUPS_ORDER_BANDED ||
	     (page->space != CUPS_CSPACE_CMYK && page->space != CUPS_CSPACE_KCMY)))
		return rip_refuse(why, size, "cupsColorSpace is %u (%s), cupsColorOrder %u: "
				  "the driver takes K, and CMYK or KCMY in bands", page->space,
				  rip_color_space_name(page->space), g->order);
	if (g->planes == 4 && request->device == RIP_GS_PBM)
		return rip_refuse(why, size,
				  "it is in colour, but the driver's options ask for black");
	/* lrint() of a larger number, or of no number, has no meaning. */
	for (int i = 0; i < 2; i++)
		if (!(box[i] >= 0 && box[i] < 1e6f))
			return rip_refuse(why, size, "cupsImagingBBox begins at %g, %g",
					  box[0], box[1]);
	return 0;
}

int rip_device_page_begin(struct rip_device_page *page, const cups_page_header2_t *header,
			  const struct rip_geometry *geometry, char *why, size_t size)
{
	const float *box = header->cupsImagingBBox;
	const bool all = page->request.device == RIP_GS_PKSM;
	size_t bytes;
	int r;

	page->geometry = *geometry;
	page->space = header->cupsColorSpace;
	r = check(page, header, why, size);
	if (r < 0)
		return r;
	page->width = page->request.width ? page->request.width : geometry->width;
	page->height = page->request.height ? page->request.height : geometry->height;
	page->row_bytes = (page->width + 7) / 8;
	page->left = lrint(box[0] * header->HWResolution[0] / 72.0);
	page->top = (int64_t)page->height - geometry->height -
		    lrint(box[1] * header->HWResolution[1] / 72.0);
	page->row = page->sheet_row = 0;
	bytes = 4 * (size_t)page->row_bytes * (all ? page->height : 1);
	if (bytes > SHEET_MAX)
		return rip_refuse(why, size, "the driver's sheet of %u x %u pixels is too large",
				  page->width, page->height);
	rip_device_page_finish(page);
	page->rows = calloc(bytes, 1);
	page->pixels = malloc((page->width + 1) / 2);
	if (!page->rows || !page->pixels)
		return rip_refuse_as(-ENOMEM, why, size, "%s", strerror(ENOMEM));
	return page->request.device == RIP_GS_PBM ? put_pbm_header(page) : 0;
}

int rip_device_page_row(struct rip_device_page *page, const uint8_t *planes, uint32_t bytes)
{
	const int64_t row = page->top + page->row++;
	int r;

	if (row < 0 || row >= page->height)
		return 0;
	r = advance(page, row);
	for (uint32_t p = 0; r == 0 && p < page->geometry.planes; p++)
		place(sheet_row(page, ink_of(page, p), row), page->width,
		      planes + (size_t)p * bytes, page->geometry.width,
		      page->left, page->geometry.light);
	return r;
}

int rip_device_page_end(struct rip_device_page *page)
{
	int r = advance(page, page->height);

	for (unsigned ink = 0; r == 0 && page->request.device == RIP_GS_PKSM && ink < 4; ink++) {
		r = put_pbm_header(page);
		if (r == 0)
			r = put(page, sheet_row(page, ink, 0),
				(size_t)page->row_bytes * page->height);
	}
	return r == 0 && fflush(page->to) ? -errno : r;
}

void rip_device_page_finish(struct rip_device_page *page)
{
	free(page->rows);
	free(page->pixels);
	page->rows = page->pixels = NULL;
}
