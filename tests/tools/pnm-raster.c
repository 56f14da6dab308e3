/*
 * pnm-raster FILE [DPI [FORMAT [SPACE]]]: pictures in binary PGM or PPM, or in PAM with four
 * samples, as raster of grey, RGB or CMYK with 8 bits, chunked, of 600 or so many dpi, on standard
 * output.  FORMAT: cups, pwg or apple.  SPACE: another number of a colour space than SW, SRGB or
 * CMYK.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/raster.h>

static void die(const char *text)
{
	fprintf(stderr, "pnm-raster: %s\n", text);
	exit(99);
}

/* Reads the header of a picture; its samples a pixel, or 0 at the end of the file. */
static unsigned read_header(FILE *in, unsigned *width, unsigned *height)
{
	char line[200];
	unsigned samples;

	if (!fgets(line, sizeof line, in))
		return 0;
	samples = !strcmp(line, "P5\n") ? 1 : !strcmp(line, "P6\n") ? 3 :
		  !strcmp(line, "P7\n") ? 4 : 0;
	if (!samples)
		die("no PGM, PPM or PAM");
	*width = *height = 0;
	while (fgets(line, sizeof line, in)) {
		sscanf(line, "WIDTH %u", width);
		sscanf(line, "HEIGHT %u", height);
		if (samples != 4 && !*height)
			sscanf(line, "%u %u", width, height);
		if (!strcmp(line, samples == 4 ? "ENDHDR\n" : "255\n"))
			return *width && *height ? samples : 0;
	}
	die("the header is truncated");
	return 0;
}

int main(int argc, char **argv)
{
	const unsigned dpi = argc >= 3 ? (unsigned)atoi(argv[2]) : 600;
	static const char *const formats[] = { "cups", "pwg", "apple" };
	static const cups_mode_t modes[] = { CUPS_RASTER_WRITE, CUPS_RASTER_WRITE_PWG,
					     CUPS_RASTER_WRITE_APPLE };
	static const cups_cspace_t spaces[] = { [1] = CUPS_CSPACE_SW, [3] = CUPS_CSPACE_SRGB,
						[4] = CUPS_CSPACE_CMYK };
	unsigned format = 0;
	FILE *in = argc >= 2 ? fopen(argv[1], "rb") : NULL;
	cups_raster_t *out;
	unsigned width, height, samples;

	while (argc >= 4 && strcmp(argv[3], formats[format]))
		if (++format == sizeof formats / sizeof formats[0])
			die("no such format");
	out = cupsRasterOpen(1, modes[format]);
	if (!in || !out)
		die("cannot open the files");
	while ((samples = read_header(in, &width, &height)) > 0) {
		cups_page_header2_t header = {
			.HWResolution = { dpi, dpi },
			.cupsWidth = width,
			.cupsHeight = height,
			.cupsBitsPerColor = 8,
			.cupsBitsPerPixel = 8 * samples,
			.cupsBytesPerLine = width * samples,
			.cupsNumColors = samples,
			.NumCopies = 1,
			.cupsColorSpace = argc >= 5 ? (cups_cspace_t)atoi(argv[4]) :
						      spaces[samples],
		};
		unsigned char *line = malloc((size_t)width * samples);

		if (!line || !cupsRasterWriteHeader2(out, &header))
			die("cannot write");
		for (unsigned y = 0; y < height; y++)
			if (fread(line, 1, (size_t)width * samples, in) !=
				    (size_t)width * samples ||
			    !cupsRasterWritePixels(out, line, width * samples))
				die("the picture is truncated");
		free(line);
	}
	cupsRasterClose(out);
	fclose(in);
	return 0;
}
