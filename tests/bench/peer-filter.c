/*
 * peer-filter < raster > raster
 *
 * What any filter that halftones must do at least: read a raster with libcups, line
 * by line into one buffer, and write a raster of 1-bit dots, all of them the same.
 * bench-filter.sh compares the time of rastertoriptide with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

static int fail(const char *what)
{
	fprintf(stderr, "peer-filter: %s\n", what);
	return EXIT_FAILURE;
}

int main(void)
{
	cups_raster_t *in = cupsRasterOpen(STDIN_FILENO, CUPS_RASTER_READ);
	cups_raster_t *out = cupsRasterOpen(STDOUT_FILENO, CUPS_RASTER_WRITE);
	cups_page_header2_t header;

	if (!in || !out)
		return fail("no raster, or no memory");
	while (cupsRasterReadHeader2(in, &header)) {
		const unsigned bytes = header.cupsBytesPerLine;
		const unsigned colors = header.cupsBitsPerPixel / header.cupsBitsPerColor;
		unsigned char *line, *dots;

		if (header.cupsColorOrder != CUPS_ORDER_CHUNKED)
			return fail("the pixels are not chunked");
		header.cupsBitsPerColor = 1;
		header.cupsBitsPerPixel = colors;
		header.cupsBytesPerLine = (header.cupsWidth * colors + 7) / 8;
		line = malloc(bytes);
		dots = malloc(header.cupsBytesPerLine);
		if (!line || !dots)
			return fail("no memory");
		memset(dots, 0x55, header.cupsBytesPerLine);
		if (!cupsRasterWriteHeader2(out, &header))
			return fail("cannot write");
		for (unsigned y = 0; y < header.cupsHeight; y++) {
			if (cupsRasterReadPixels(in, line, bytes) != bytes)
				return fail("the raster ends too early");
			if (cupsRasterWritePixels(out, dots, header.cupsBytesPerLine) !=
			    header.cupsBytesPerLine)
				return fail("cannot write");
		}
		free(line);
		free(dots);
	}
	cupsRasterClose(in);
	cupsRasterClose(out);
	return EXIT_SUCCESS;
}
