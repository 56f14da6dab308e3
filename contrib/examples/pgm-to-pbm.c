/* Halftones a grey picture: pgm-to-pbm [SCREEN] <IN.pgm >OUT.pbm
 *
 *	cc pgm-to-pbm.c -o pgm-to-pbm $(pkg-config --cflags --libs riptide)
 */
#include <riptide.h>
#include <stdio.h>
#include <stdlib.h>

/* Writes the rows that are ready.  PGM has light, and PBM has ink: all bits are turned over. */
static void write_ready(struct riptide *riptide, uint8_t *dots, uint32_t width)
{
	while (riptide_pull(riptide, 0, dots, 0, 1) == 1) {
		for (size_t i = 0; i < riptide_dot_bytes(width, 2); i++)
			dots[i] ^= 8 * i + 8 > width ? 0xff << (8 * i + 8 - width) : 0xff;
		fwrite(dots, 1, riptide_dot_bytes(width, 2), stdout);
	}
}

int main(int argc, char **argv)
{
	struct riptide_page page = { .size = sizeof page, .light = 1, .screen = argv[1] };
	struct riptide *riptide;
	uint8_t *samples, *dots;
	int r = argc > 2 || scanf("P5 %u %u 255", &page.width, &page.height) != 2 || getchar() == EOF;

	if (r || riptide_new(NULL, &riptide) < 0 || riptide_begin(riptide, &page) < 0) {
		fprintf(stderr, "pgm-to-pbm: %s\n", r ? "not a picture that I know" : riptide_error(riptide));
		return 1;
	}
	samples = malloc(page.width), dots = malloc(riptide_dot_bytes(page.width, 2));
	printf("P4 %u %u\n", page.width, page.height);
	while (page.height-- && r == 0 && fread(samples, page.width, 1, stdin) == 1) {
		r = riptide_push(riptide, 0, samples, 0, 1);
		write_ready(riptide, dots, page.width);
	}
	r |= riptide_flush(riptide);
	write_ready(riptide, dots, page.width);
	free(samples), free(dots), riptide_free(riptide);
	return r || fflush(stdout) ? 1 : 0;
}
