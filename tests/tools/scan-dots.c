/*
 * scan-dots SIGMA PBM PGM: how a scanner sees dots.  Each dot becomes 3 x 3 pixels, and the
 * picture is blurred by a Gaussian with a standard deviation of SIGMA dots, as by the scanner's
 * optics.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/tools/memory.h"

#define PIXELS 3 /* of a dot, across and down */

static void die(const char *what)
{
	fprintf(stderr, "scan-dots: %s\n", what);
	exit(2);
}

/* Blurs `count` values that stand `step` apart; the outside is as the nearest value. */
static void blur(float *values, long count, long step, const float *kernel, long reach)
{
	AUTO_FREE float *line = malloc((size_t)count * sizeof *line);

	if (!line)
		die("no memory");
	for (long i = 0; i < count; i++)
		line[i] = values[i * step];
	for (long i = 0; i < count; i++) {
		float sum = 0;

		for (long k = -reach; k <= reach; k++) {
			const long at = i + k < 0 ? 0 : i + k < count ? i + k : count - 1;

			sum += kernel[k < 0 ? -k : k] * line[at];
		}
		values[i * step] = sum;
	}
}

int main(int argc, char **argv)
{
	FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL,
	     *out = argc == 4 ? fopen(argv[3], "wb") : NULL;
	const double sigma = argc == 4 ? atof(argv[1]) * PIXELS : 0;
	const long reach = (long)(4 * sigma);
	AUTO_FREE float *kernel = malloc((size_t)(reach + 1) * sizeof *kernel), *picture;
	double sum = 0;
	long w, h;

	if (!in || !out || !kernel || fscanf(in, "P4 %ld %ld", &w, &h) != 2 || getc(in) == EOF ||
	    w < 1 || h < 1 || w > 10000 || h > 10000)
		die("usage: scan-dots SIGMA PBM PGM, with a PBM file of at most 10000 x 10000 "
		    "dots");
	for (long k = 0; k <= reach; k++) {
		kernel[k] = sigma > 0 ? (float)exp(-(double)(k * k) / (2 * sigma * sigma)) : 1;
		sum += (k ? 2 : 1) * kernel[k];
	}
	for (long k = 0; k <= reach; k++)
		kernel[k] /= (float)sum;

	picture = malloc((size_t)(w * h) * PIXELS * PIXELS * sizeof *picture);
	if (!picture)
		die("no memory");
	for (long i = 0; i < h; i++)
		for (long j = 0, byte = 0; j < w; j++) {
			if (j % 8 == 0 && (byte = getc(in)) == EOF)
				die("the PBM file is truncated");
			for (long k = 0; k < PIXELS * PIXELS; k++)
				picture[(i * PIXELS + k / PIXELS) * w * PIXELS + j * PIXELS +
					k % PIXELS] = byte >> (7 - j % 8) & 1 ? 0 : 255;
		}
	w *= PIXELS;
	h *= PIXELS;
	for (long i = 0; i < h; i++)
		blur(picture + i * w, w, 1, kernel, reach);
	for (long j = 0; j < w; j++)
		blur(picture + j, h, w, kernel, reach);
	fprintf(out, "P5\n%ld %ld\n255\n", w, h);
	for (long i = 0; i < w * h; i++)
		putc((uint8_t)(picture[i] + 0.5f), out);
	fclose(in);
	return fclose(out) ? 2 : 0;
}
