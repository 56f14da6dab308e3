/*
 * expected-dots [--levels N] [--screen NAME] RASTER PREFIX: the dots that
 * rastertoriptide must make of a raster stream with 8 or 16 bits a colour, by
 * the oracle or mask_dots(), as files (dots.h).  Planes come in the order of the colour space;
 * W and SW become ink, as in the filter's output.
 */
#include "dot_planes.h"
#include "mask_dots.h"
#include "oracle.h"
#include "tests/tools/memory.h"

#include <cups/raster.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Colours that count: Ghostscript's CMY comes with a fourth that does not. */
static unsigned planes_of(const cups_page_header2_t *h)
{
	switch (h->cupsColorSpace) {
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_SW:
	case CUPS_CSPACE_K:
		return 1;
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
	case CUPS_CSPACE_CMY:
		return 3;
	case CUPS_CSPACE_CMYK:
	case CUPS_CSPACE_KCMY:
		return 4;
	default:
		die("colour space %d", (int)h->cupsColorSpace);
	}
}

/* Where the first sample of plane p of row y stands in the page's bytes. */
static size_t place(const cups_page_header2_t *h, unsigned planes, size_t y, unsigned p)
{
	size_t bytes = h->cupsBitsPerColor / 8, line = h->cupsBytesPerLine;

	switch (h->cupsColorOrder) {
	case CUPS_ORDER_CHUNKED:
		return y * line + p * bytes;
	case CUPS_ORDER_BANDED:
		return y * line + p * (line / planes);
	default:
		return (p * (size_t)h->cupsHeight + y) * line;
	}
}

static void page(cups_raster_t *raster, const cups_page_header2_t *h, unsigned levels,
		 const char *screen, const char *prefix, unsigned number)
{
	uint32_t width = h->cupsWidth, height = h->cupsHeight;
	unsigned planes = planes_of(h);
	bool light = h->cupsColorSpace == CUPS_CSPACE_W || h->cupsColorSpace == CUPS_CSPACE_SW;
	size_t samples = (size_t)width * height;
	size_t rows = (size_t)height * (h->cupsColorOrder == CUPS_ORDER_PLANAR ? planes : 1);
	AUTO_FREE uint8_t *bytes = malloc(rows * h->cupsBytesPerLine);
	AUTO_FREE uint16_t *x16 = malloc(samples * sizeof(*x16));
	const size_t step = h->cupsColorOrder == CUPS_ORDER_CHUNKED ? h->cupsBitsPerPixel / 8 :
								      h->cupsBitsPerColor / 8;
	struct dots dots;

	if (h->cupsBitsPerColor != 8 && h->cupsBitsPerColor != 16)
		die("page %u has %u bits a colour", number, h->cupsBitsPerColor);
	if (!bytes || !x16)
		die("no memory for page %u", number);
	for (size_t y = 0; y < rows; y++)
		if (cupsRasterReadPixels(raster, bytes + y * h->cupsBytesPerLine,
					 h->cupsBytesPerLine) != h->cupsBytesPerLine)
			die("page %u is truncated at line %zu", number, y);

	dots_init(&dots, planes, levels - 1);
	dots_grow(&dots, width, height);
	for (unsigned p = 0; p < planes; p++) {
		uint8_t *level = dots.level[p]; /* no longer rows than the page is wide */

		for (size_t y = 0, i = 0; y < height; y++) {
			const uint8_t *at = bytes + place(h, planes, y, p);

			for (size_t x = 0; x < width; x++, i++, at += step)
				if (h->cupsBitsPerColor == 8)
					x16[i] = oracle_x8(*at);
				else
					memcpy(&x16[i], at, sizeof(x16[i]));
		}
		/* One ink has no others. */
		if (planes == 1 && (!strcmp(screen, "blue-noise-colour") ||
				    !strcmp(screen, "labels"))) /* without barcodes */
			screen = "blue-noise";
		if (!oracle_halftone(x16, width, height, levels, screen, p, true, level) &&
		    !mask_dots(x16, width, height, levels, screen, h->cupsColorSpace,
			       h->HWResolution, p, level))
			die("there is no screen %s", screen);
		for (size_t i = 0; light && i < samples; i++)
			level[i] = levels - 1 - level[i];
	}
	dots_write(&dots, prefix, number);
	dots_finish(&dots);
}

int main(int argc, char **argv)
{
	const char *screen = "floyd-steinberg";
	unsigned levels = 2, number = 0;
	cups_page_header2_t header;
	cups_raster_t *raster;
	int fd, i = 1;

	for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
		if (!strcmp(argv[i], "--levels"))
			levels = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--screen"))
			screen = argv[i + 1];
		else
			break;
	}
	if (i != argc - 2 || levels < 2 || levels > 16)
		die("usage: expected-dots [--levels N] [--screen NAME] RASTER PREFIX");
	fd = open(argv[i], O_RDONLY);
	raster = fd < 0 ? NULL : cupsRasterOpen(fd, CUPS_RASTER_READ);
	if (!raster)
		die("%s cannot be read as raster", argv[i]);
	while (cupsRasterReadHeader2(raster, &header))
		page(raster, &header, levels, screen, argv[i + 1], ++number);
	cupsRasterClose(raster);
	close(fd);
	printf("%u pages\n", number);
	return 0;
}
