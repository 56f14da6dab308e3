/* Halftones a grey picture: pgm-to-pbm [SCREEN] <IN.pgm >OUT.pbm
 *
 *	cc pgm-to-pbm.c -o pgm-to-pbm $(pkg-config --cflags --libs riptide)
 */
#include <ctype.h>
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

/* Reads a number of the header, where a comment may stand before it, from # to the end of the
 * line. */
static int read_number(uint32_t *number)
{
	int c;

	while ((c = getchar()) == '#' || isspace(c))
		while (c == '#' && (c = getchar()) != '\n' && c != EOF)
			c = '#';
	ungetc(c, stdin);
	return scanf("%u", number) == 1;
}

int main(int argc, char **argv)
{
	struct riptide_page page = { .size = sizeof page,
				     .light = 1,
				     .screen = argc > 1 ? argv[1] : NULL };
	struct riptide *riptide = NULL;
	uint8_t *samples = NULL, *dots = NULL;
	const char *fault = NULL;
	uint32_t most = 0, row = 0;

	if (getchar() != 'P' || getchar() != '5' || !read_number(&page.width) ||
	    !read_number(&page.height) || !read_number(&most) || most != 255 || getchar() == EOF)
		fault = "not a PGM picture (P5) with a maxval of 255";
	else if (riptide_new(NULL, &riptide) < 0 || riptide_begin(riptide, &page) < 0)
		fault = riptide_error(riptide);
	else if (!(samples = malloc(page.width)) ||
		 !(dots = malloc(riptide_dot_bytes(page.width, 2))))
		fault = "no memory";
	else
		printf("P4 %u %u\n", page.width, page.height);
	for (; !fault && row < page.height; row++) {
		if (fread(samples, page.width, 1, stdin) != 1)
			fault = "the picture is cut";
		else if (riptide_push(riptide, 0, samples, 0, 1) < 0)
			fault = riptide_error(riptide);
		else
			write_ready(riptide, dots, page.width);
	}
	if (!fault && riptide_flush(riptide) < 0)
		fault = riptide_error(riptide);
	if (!fault)
		write_ready(riptide, dots, page.width);
	if (!fault && (fflush(stdout) || ferror(stdout)))
		fault = "cannot write the picture";
	if (fault)
		fprintf(stderr, "pgm-to-pbm: %s\n", fault);
	free(samples), free(dots), riptide_free(riptide);
	return fault != NULL;
}
