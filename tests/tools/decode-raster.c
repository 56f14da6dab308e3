/*
 * CUPS and PWG raster, read by libcups: 1, 2 or 4 bits a colour, in any order
 * of colours.
 */
#include "decode.h"

#include <cups/raster.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ssize_t read_data(void *context, unsigned char *buffer, size_t bytes)
{
	struct data *data = context;
	size_t left = data->end - data->at;

	if (bytes > left)
		bytes = left;
	memcpy(buffer, data->at, bytes);
	data->at += bytes;
	return bytes;
}

static unsigned bits_at(const uint8_t *line, size_t bit, unsigned bits)
{
	return line[bit / 8] >> (8 - bits - bit % 8) & ((1u << bits) - 1);
}

static void read_page(cups_raster_t *raster, const cups_page_header2_t *h, struct dots *page)
{
	unsigned bits = h->cupsBitsPerColor, planes = h->cupsNumColors;
	bool planar = h->cupsColorOrder == CUPS_ORDER_PLANAR;
	uint8_t *line = malloc(h->cupsBytesPerLine);

	if (!line || (bits != 1 && bits != 2 && bits != 4) || h->cupsColorSpace == CUPS_CSPACE_W ||
	    h->cupsColorSpace == CUPS_CSPACE_SW)
		die("%u bits a colour, colour space %d", bits, (int)h->cupsColorSpace);
	dots_init(page, planes, (1u << bits) - 1);
	dots_grow(page, h->cupsWidth, h->cupsHeight);
	for (uint32_t i = 0; i < h->cupsHeight * (planar ? planes : 1); i++) {
		uint32_t y = planar ? i % h->cupsHeight : i;

		if (cupsRasterReadPixels(raster, line, h->cupsBytesPerLine) != h->cupsBytesPerLine)
			die("a page is truncated at line %u of %u", i, h->cupsHeight);
		for (unsigned p = 0; p < (planar ? 1 : planes); p++) {
			size_t step = bits, bit = 0;

			if (h->cupsColorOrder == CUPS_ORDER_CHUNKED) {
				step = h->cupsBitsPerPixel;
				bit = (size_t)p * bits;
			} else if (!planar) {
				bit = (size_t)p * (h->cupsBytesPerLine / planes) * 8;
			}
			for (uint32_t x = 0; x < h->cupsWidth; x++, bit += step) {
				unsigned level = bits_at(line, bit, bits);

				if (level) /* the page is 0 to begin with */
					dots_set(page, planar ? i / h->cupsHeight : p, x, y, level);
			}
		}
	}
	free(line);
}

unsigned decode_raster(struct data *data, const char *prefix)
{
	cups_raster_t *raster = cupsRasterOpenIO(read_data, data, CUPS_RASTER_READ);
	cups_page_header2_t header;
	struct dots page;
	unsigned pages = 0;

	if (!raster)
		die("%s is no raster", data->name);
	while (cupsRasterReadHeader2(raster, &header)) {
		read_page(raster, &header, &page);
		page_done(&page, prefix, ++pages, header.NumCopies ? header.NumCopies : 1);
	}
	if (data->at < data->end)
		die("%s: something follows the last page", data->name);
	cupsRasterClose(raster);
	return pages;
}
