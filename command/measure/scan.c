#include "calibrate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "image/complain.h"
#include "image/image.h"
#include "image/tiff.h"

int rip_scan_is_picture(struct rip_input *input)
{
	const uint8_t *bytes;
	const ssize_t n = rip_input_peek(input, 4, &bytes);
	enum rip_image_kind kind;

	if (n < 0)
		return (int)n;
	kind = rip_image_detect(bytes, (size_t)n);
	return kind != RIP_IMAGE_UNKNOWN && kind != RIP_IMAGE_RASTER;
}

/* The channel of RGB that an ink shows best in; -1: grey. */
static int channel_of(char ink)
{
	return ink == 'C' ? 0 : ink == 'M' ? 1 : ink == 'Y' ? 2 : -1;
}

/* A grey scan shows all inks but yellow. */
static int check_grey(const struct rip_scan *scan, char ink)
{
	return ink != 'Y' ? 0 : rip_complain(-EBADMSG, "%s: a grey scan does not show yellow:"
					     " scan the sheet in colour", scan->name);
}

/* Memory for the pixels.  0 or -errno. */
static int make_room(struct rip_scan *scan)
{
	const uint64_t pixels = (uint64_t)scan->width * scan->height;

	if (pixels > RIP_SCAN_PIXELS_MAX)
		return rip_complain(-EFBIG, "%s: a scan of %u x %u pixels is too large:"
				    " 600 dpi is enough", scan->name, scan->width, scan->height);
	scan->grey = malloc(pixels);
	return scan->grey ? 0 : rip_complain(-ENOMEM, "%s: out of memory", scan->name);
}

/* Sample i of a row, as 8 bits. */
static uint32_t sample8(const void *row, uint32_t bits, size_t i)
{
	return bits == 8 ? ((const uint8_t *)row)[i] :
	       (((const uint16_t *)row)[i] * 255u + 32767) / 65535;
}

/* Makes a row of the scan.  rows: a line with all colours, or each colour's. */
static void take_channel(const struct rip_tiff_page *page, const uint8_t *rows, int channel,
			 uint8_t *to)
{
	static const uint32_t weights[3] = { 299, 587, 114 }; /* of JPEG */
	const size_t plane = rip_tiff_page_line(page);

	for (uint32_t x = 0; x < page->width; x++) {
		uint32_t grey = 0;

		for (uint32_t c = 0; c < page->planes; c++) {
			const uint32_t weight = page->planes == 1 || channel == (int)c ? 1000 :
						channel < 0 ? weights[c] : 0;
			const uint8_t *row = page->separate ? rows + c * plane : rows;

			grey += weight * sample8(row, page->bits,
						 page->separate ? x : (size_t)x * page->planes + c);
		}
		to[x] = (uint8_t)((grey + 500) / 1000);
	}
}

/* The first page of a TIFF file, which is grey or RGB. */
static int read_tiff_page(struct rip_scan *scan, struct rip_tiff_reader *reader,
			  const struct rip_tiff_page *page, int channel)
{
	const size_t line = rip_tiff_page_line(page);
	const uint32_t groups = page->separate ? page->planes : 1;
	uint8_t *rows = malloc(line * groups);
	int r = rows ? make_room(scan) : rip_complain(-ENOMEM, "%s: out of memory", scan->name);

	for (uint32_t y = 0; r == 0 && y < page->height; y++) {
		for (uint32_t c = 0; r == 0 && c < groups; c++)
			r = rip_tiff_reader_lines(reader, c, 1, rows + c * line);
		if (r == 0)
			take_channel(page, rows, channel, scan->grey + (size_t)y * page->width);
	}
	free(rows);
	return r;
}

static int read_tiff(struct rip_scan *scan, struct rip_input *input, char ink)
{
	const struct rip_tiff_page *page;
	struct rip_tiff_reader *reader;
	int r = rip_tiff_reader_open(input, true, &reader);

	if (r == 0)
		r = rip_tiff_reader_next(reader, &page);
	if (r == 0)
		r = rip_complain(-EBADMSG, "%s has no picture", scan->name);
	if (r > 0 && (page->colours == RIP_TIFF_INKS || page->file_bits < 8))
		r = rip_complain(-EBADMSG, "%s: a scan must be grey or RGB, with 8 or 16 bits",
				 scan->name);
	if (r > 0) {
		scan->width = page->width;
		scan->height = page->height;
		r = page->colours == RIP_TIFF_RGB ? 0 : check_grey(scan, ink);
		if (r == 0)
			r = read_tiff_page(scan, reader, page, channel_of(ink));
	}
	if (r == 0)
		rip_tiff_reader_warn(reader);
	rip_tiff_reader_close(reader);
	return r;
}

/* PGM, JPEG or PNG. */
static int read_image(struct rip_scan *scan, struct rip_input *input, char ink)
{
	struct rip_image *image = NULL;
	uint16_t *row = NULL;
	const int kind = rip_image_kind(input);
	int r = kind;

	if (kind >= 0)
		r = rip_image_open(input, kind, channel_of(ink), &image);
	if (r < 0)
		return r;
	scan->width = image->width;
	scan->height = image->height;
	r = image->is_channel ? 0 : check_grey(scan, ink);
	if (r == 0)
		r = make_room(scan);
	row = r == 0 ? malloc((size_t)image->width * 2) : NULL;
	if (r == 0 && !row)
		r = rip_complain(-ENOMEM, "%s: out of memory", scan->name);
	for (uint32_t y = 0; r == 0 && y < image->height; y++) {
		uint8_t *to = scan->grey + (size_t)y * image->width;

		r = image->ops->row(image, row);
		for (uint32_t x = 0; r == 0 && x < image->width; x++) {
			const uint32_t value =
				image->sample_bits == 8 ? ((uint8_t *)row)[x] : row[x];

			to[x] = (uint8_t)((value * 255 + image->maxval / 2) / image->maxval);
		}
	}
	free(row);
	image->ops->close(image);
	return r;
}

int rip_scan_read(struct rip_scan *scan, struct rip_input *input, char ink)
{
	const uint8_t *bytes;
	const ssize_t n = rip_input_peek(input, 4, &bytes);
	int r;

	*scan = (struct rip_scan){ .name = input->name };
	if (n < 0)
		r = (int)n;
	else if (rip_image_detect(bytes, (size_t)n) == RIP_IMAGE_TIFF)
		r = read_tiff(scan, input, ink);
	else
		r = read_image(scan, input, ink);
	if (r < 0)
		rip_scan_finish(scan);
	return r;
}

void rip_scan_finish(struct rip_scan *scan)
{
	free(scan->grey);
	scan->grey = NULL;
}
