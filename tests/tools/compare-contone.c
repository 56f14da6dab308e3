/*
 * compare-contone EXPECTED OTHER: how the samples of two CUPS raster files of 8 bits a colour, page
 * by page, differ.  A line a page:
 *
 *	PAGE unequal=PERCENT other=PERCENT most=N full=N none=N between=N mean=SIGNED
 *
 * unequal: samples that differ; other: those that differ by more than 1, both in percent; most: the
 * largest difference; full: samples that are full ink in just one of the files; none: those without
 * ink in just one; between: samples of the other file that are neither; mean: how much larger the
 * other's samples are, of all samples, on average.
 * The fourth sample of a pixel of gstoraster's CMY does not count.
 * Exit status 1: the files do not have the same pages.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cups/raster.h>

struct counts {
	unsigned long long samples, unequal, other, full, none, between;
	long long sum;
	int       most;
};

static int fail(const char *why)
{
	fprintf(stderr, "compare-contone: %s\n", why);
	return 1;
}

static bool is_light(unsigned space)
{
	return space == CUPS_CSPACE_W || space == CUPS_CSPACE_RGB || space == CUPS_CSPACE_SW ||
	       space == CUPS_CSPACE_SRGB || space == CUPS_CSPACE_ADOBERGB;
}

static void count(struct counts *counts, int expected, int other, bool light)
{
	const int full = light ? 0 : 255, difference = abs(other - expected);

	counts->samples++;
	counts->unequal += difference > 0;
	counts->other += difference > 1;
	counts->sum += other - expected;
	counts->full += (expected == full) != (other == full);
	counts->between += other != 0 && other != 255;
	counts->none += (expected == 255 - full) != (other == 255 - full);
	if (difference > counts->most)
		counts->most = difference;
}

/* Where the colours of a line are. */
struct layout {
	size_t pixel, colour, first; /* samples from one to the next, and before the first */
};

static struct layout layout_of(const cups_page_header2_t *header, unsigned colours)
{
	const unsigned samples = header->cupsBitsPerPixel / 8;

	if (header->cupsColorOrder == CUPS_ORDER_BANDED)
		return (struct layout){ 1, header->cupsBytesPerLine / colours, 0 };
	return (struct layout){ samples, 1, samples - colours };
}

static unsigned colours_of(unsigned space)
{
	switch (space) {
	case CUPS_CSPACE_W: case CUPS_CSPACE_SW: case CUPS_CSPACE_K:
		return 1;
	case CUPS_CSPACE_CMYK: case CUPS_CSPACE_KCMY:
		return 4;
	default:
		return 3;
	}
}

/* Both rasters' lines, of which there is memory. */
static int compare_lines(cups_raster_t *rasters[2], const cups_page_header2_t headers[2],
			 unsigned char *lines[2], struct counts *counts)
{
	const unsigned space = headers[0].cupsColorSpace, colours = colours_of(space);
	const struct layout a = layout_of(&headers[0], colours),
			    b = layout_of(&headers[1], colours);

	for (unsigned y = 0; y < headers[0].cupsHeight; y++) {
		for (int i = 0; i < 2; i++)
			if (!cupsRasterReadPixels(rasters[i], lines[i],
						  headers[i].cupsBytesPerLine))
				return fail("a page is cut off");
		for (size_t x = 0; x < headers[0].cupsWidth; x++)
			for (size_t c = 0; c < colours; c++)
				count(counts, lines[0][x * a.pixel + c * a.colour + a.first],
				      lines[1][x * b.pixel + c * b.colour + b.first],
				      is_light(space));
	}
	return 0;
}

static int compare_page(cups_raster_t *rasters[2], const cups_page_header2_t headers[2],
			unsigned page)
{
	struct counts counts = { 0 };
	unsigned char *lines[2];
	int r = 0;

	if (headers[1].cupsWidth != headers[0].cupsWidth ||
	    headers[1].cupsHeight != headers[0].cupsHeight ||
	    headers[1].cupsColorSpace != headers[0].cupsColorSpace)
		return fail("the pages have other sizes or colours");
	for (int i = 0; i < 2; i++) {
		if (headers[i].cupsColorOrder == CUPS_ORDER_PLANAR ||
		    headers[i].cupsBitsPerColor != 8)
			return fail("the pages are planar, or not of 8 bits");
		lines[i] = calloc(headers[i].cupsBytesPerLine, 1);
	}
	r = lines[0] && lines[1] ? compare_lines(rasters, headers, lines, &counts) :
				   fail("no memory");
	for (int i = 0; i < 2; i++)
		free(lines[i]);
	if (r == 0 && counts.samples)
		printf("%u unequal=%.3f other=%.4f most=%d full=%llu none=%llu between=%llu "
		       "mean=%.3f\n",
		       page, (double)counts.unequal * 100 / (double)counts.samples,
		       (double)counts.other * 100 / (double)counts.samples, counts.most,
		       counts.full, counts.none, counts.between,
		       (double)counts.sum / (double)counts.samples);
	return r;
}

int main(int argc, char **argv)
{
	cups_raster_t *rasters[2];
	cups_page_header2_t headers[2];
	int r = 0;

	if (argc != 3)
		return fail("two files are needed");
	for (int i = 0; i < 2; i++) {
		const int fd = open(argv[1 + i], O_RDONLY);

		rasters[i] = fd >= 0 ? cupsRasterOpen(fd, CUPS_RASTER_READ) : NULL;
		if (!rasters[i])
			return fail("no raster");
	}
	for (unsigned page = 1; r == 0; page++) {
		const unsigned first = cupsRasterReadHeader2(rasters[0], &headers[0]);
		const unsigned second = cupsRasterReadHeader2(rasters[1], &headers[1]);

		if (!first && !second)
			break;
		r = first && second ? compare_page(rasters, headers, page) :
				      fail("the files have different numbers of pages");
	}
	for (int i = 0; i < 2; i++)
		cupsRasterClose(rasters[i]);
	return r;
}
