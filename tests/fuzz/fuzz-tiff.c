/*
 * Any bytes as a TIFF file: its pages and their rows are read to the end, within the limits of
 * size; or it is refused in one line.
 */
#include "tests/fuzz/fuzz.h"

#include "halftone/screen/arith.h"
#include "image/complain.h"
#include "image/tiff.h"

#define PAGES_MAX 4
#define BYTES_MAX (1u << 20) /* of a page that are read */

static unsigned lines;

static void count_line(void)
{
	lines++;
}

static void check_page(const struct rip_tiff_page *page)
{
	insist(page->width >= 1 && page->width <= RIP_WIDTH_MAX);
	insist(page->height >= 1 && page->height <= RIP_WIDTH_MAX);
	insist(page->planes >= 1 && page->planes <= RIP_TIFF_INKS_MAX);
	insist(page->bits == 1 || page->bits == 8 || page->bits == 16);
	insist(page->colours != RIP_TIFF_GREY || page->planes == 1);
	insist(rip_tiff_page_line(page) <= RIP_TIFF_LINE_MAX);
	for (uint32_t p = 0; p < page->planes; p++) {
		const char *end = memchr(page->names[p], 0, RIP_TIFF_NAME_MAX);

		insist(end && (page->colours != RIP_TIFF_INKS || end > page->names[p]));
		for (const char *c = page->names[p]; c < end; c++)
			insist((unsigned char)*c >= ' ');
	}
}

/* Reads some rows of a page: all planes of a row, or many rows of a plane at once. */
static int read_page(struct rip_tiff_reader *reader, const struct rip_tiff_page *page)
{
	const size_t line = rip_tiff_page_line(page);
	const uint32_t groups = page->separate ? page->planes : 1;
	uint32_t rows = (uint32_t)(BYTES_MAX / (line * groups));
	uint8_t *bytes;
	int r = 0;

	rows = rows < 1 ? 1 : rows < page->height ? rows : page->height;
	bytes = malloc(line * rows); /* its end is where a sanitizer looks */
	if (groups == 1)
		r = rip_tiff_reader_lines(reader, 0, rows, bytes);
	for (uint32_t row = 0; groups > 1 && r == 0 && row < rows; row++)
		for (uint32_t p = 0; r == 0 && p < groups; p++)
			r = rip_tiff_reader_lines(reader, p, 1, bytes);
	free(bytes);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rip_input input = { .name = "fuzz.tif", .fd = memfd_create("fuzz", MFD_CLOEXEC) };
	const struct rip_tiff_page *page;
	struct rip_tiff_reader *reader;
	int r;

	insist(input.fd >= 0 && write(input.fd, data, size) == (ssize_t)size);
	rip_complain_as("fuzz", count_line);
	lines = 0;
	r = rip_tiff_reader_open(&input, true, &reader);
	for (int i = 0; r >= 0 && i < PAGES_MAX; i++) {
		r = rip_tiff_reader_next(reader, &page);
		if (r <= 0)
			break;
		check_page(page);
		r = read_page(reader, page);
	}
	insist(lines == (r < 0));
	rip_tiff_reader_close(reader);
	close(input.fd);
	return 0;
}
