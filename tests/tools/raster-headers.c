/*
 * raster-headers FILE: every field of every page header of a CUPS or PWG raster file, one a line,
 * so that diff compares them.  Fields that are 0 or empty are left out.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include <cups/raster.h>

static void text(const char *name, const char *value)
{
	if (*value)
		printf("%s %.63s\n", name, value);
}

static void numbers(const char *name, const unsigned *values, int count)
{
	for (int i = 0; i < count; i++)
		if (values[i])
			printf("%s%.0d %u\n", name, i, values[i]);
}

static void reals(const char *name, const float *values, int count)
{
	for (int i = 0; i < count; i++)
		if (values[i] != 0)
			printf("%s%.0d %.4f\n", name, i, (double)values[i]);
}

#define TEXT(field)   text(#field, h->field)
#define NUMBER(field) numbers(#field, (const unsigned *)&h->field, 1)
#define ARRAY(field) \
	numbers(#field, (const unsigned *)h->field, sizeof h->field / sizeof h->field[0])
#define REALS(field)  reals(#field, h->field, sizeof h->field / sizeof h->field[0])

static void print(const cups_page_header2_t *h)
{
	TEXT(MediaClass); TEXT(MediaColor); TEXT(MediaType); TEXT(OutputType);
	NUMBER(AdvanceDistance); NUMBER(AdvanceMedia); NUMBER(Collate); NUMBER(CutMedia);
	NUMBER(Duplex); ARRAY(HWResolution); ARRAY(ImagingBoundingBox); NUMBER(InsertSheet);
	NUMBER(Jog); NUMBER(LeadingEdge); ARRAY(Margins); NUMBER(ManualFeed); NUMBER(MediaPosition);
	NUMBER(MediaWeight); NUMBER(MirrorPrint); NUMBER(NegativePrint); NUMBER(NumCopies);
	NUMBER(Orientation); NUMBER(OutputFaceUp); ARRAY(PageSize); NUMBER(Separations);
	NUMBER(TraySwitch); NUMBER(Tumble); NUMBER(cupsWidth); NUMBER(cupsHeight);
	NUMBER(cupsMediaType); NUMBER(cupsBitsPerColor); NUMBER(cupsBitsPerPixel);
	NUMBER(cupsBytesPerLine); NUMBER(cupsColorOrder); NUMBER(cupsColorSpace);
	NUMBER(cupsCompression); NUMBER(cupsRowCount); NUMBER(cupsRowFeed); NUMBER(cupsRowStep);
	NUMBER(cupsNumColors);
	reals("cupsBorderlessScalingFactor", &h->cupsBorderlessScalingFactor, 1);
	REALS(cupsPageSize); REALS(cupsImagingBBox); ARRAY(cupsInteger); REALS(cupsReal);
	for (int i = 0; i < 16; i++)
		if (h->cupsString[i][0])
			printf("cupsString%d %.63s\n", i, h->cupsString[i]);
	TEXT(cupsMarkerType); TEXT(cupsRenderingIntent); TEXT(cupsPageSizeName);
}

int main(int argc, char **argv)
{
	const int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	cups_raster_t *raster = fd >= 0 ? cupsRasterOpen(fd, CUPS_RASTER_READ) : NULL;
	cups_page_header2_t header;

	if (!raster) {
		fprintf(stderr, "raster-headers: no raster\n");
		return 99;
	}
	for (unsigned page = 1; cupsRasterReadHeader2(raster, &header); page++) {
		unsigned char *line = malloc(header.cupsBytesPerLine);
		const unsigned lines = header.cupsHeight *
			(header.cupsColorOrder == CUPS_ORDER_PLANAR ? header.cupsNumColors : 1);

		printf("page %u\n", page);
		print(&header);
		for (unsigned y = 0; y < lines; y++)
			if (!line || !cupsRasterReadPixels(raster, line, header.cupsBytesPerLine))
				return 99;
		free(line);
	}
	cupsRasterClose(raster);
	return 0;
}
