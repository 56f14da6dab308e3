#include "scan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "image/complain.h"
#include "image/image.h"

#define PNG_BYTES_MAX (1u << 30)

int rip_scan_is_picture(const char *path)
{
	struct rip_input input;
	const uint8_t *bytes;
	ssize_t n;
	int r;

	if (!strcmp(path, "-"))
		return 0; /* standard input can be read only once */
	r = rip_input_open(&input, path);
	n = r < 0 ? r : rip_input_peek(&input, 4, &bytes);

	if (n >= 4)
		r = !memcmp(bytes, "\x89PNG", 4) || !memcmp(bytes, "\xff\xd8", 2) ||
		    !memcmp(bytes, "P5", 2);
	rip_input_close(&input);
	return n < 0 ? (int)n : r;
}

/* Memory for the pixels.  0 or -errno. */
static int make_room(struct rip_scan *scan)
{
	const uint64_t pixels = (uint64_t)scan->width * scan->height;

	if (pixels > RIP_SCAN_PIXELS_MAX)
		return rip_complain(-EFBIG, "%s: a scan of %u x %u pixels is too large: 600 dpi is enough",
				    scan->name, scan->width, scan->height);
	scan->grey = malloc(pixels);
	return scan->grey ? 0 : rip_complain(-ENOMEM, "%s: out of memory", scan->name);
}

static int read_png(struct rip_scan *scan, struct rip_input *input)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	size_t size = 1 << 22, used = 0;
	uint8_t *bytes = malloc(size);
	ssize_t n = 1;
	int r = 0;

	while (bytes && n > 0) {
		if (used == size) {
			uint8_t *more = size < PNG_BYTES_MAX ? realloc(bytes, size * 2) : NULL;

			if (!more)
				break;
			bytes = more;
			size *= 2;
		}
		n = rip_input_read(input, bytes + used, size - used);
		used += n > 0 ? (size_t)n : 0;
	}
	if (!bytes || n > 0)
		r = rip_complain(-ENOMEM, "%s: out of memory", scan->name);
	else if (n < 0)
		r = (int)n;
	else if (!png_image_begin_read_from_memory(&image, bytes, used))
		r = rip_complain(-EBADMSG, "%s: %s", scan->name, image.message);
	if (r == 0) {
		image.format = PNG_FORMAT_GRAY;
		scan->width = image.width;
		scan->height = image.height;
		r = make_room(scan);
	}
	if (r == 0 && !png_image_finish_read(&image, &(png_color){ 255, 255, 255 }, scan->grey, 0, NULL))
		r = rip_complain(-EBADMSG, "%s: %s", scan->name, image.message);
	png_image_free(&image);
	free(bytes);
	return r;
}

/* PGM or JPEG. */
static int read_image(struct rip_scan *scan, struct rip_input *input)
{
	struct rip_image *image = NULL;
	uint16_t *row = NULL;
	const int kind = rip_image_kind(input);
	int r = kind;

	if (kind >= 0)
		r = kind == RIP_IMAGE_JPEG ? rip_image_jpeg_open(input, &image) :
					     rip_image_pnm_open(input, &image);
	if (r < 0)
		return r;
	scan->width = image->width;
	scan->height = image->height;
	r = make_room(scan);
	row = r == 0 ? malloc((size_t)image->width * 2) : NULL;
	if (r == 0 && !row)
		r = rip_complain(-ENOMEM, "%s: out of memory", scan->name);
	for (uint32_t y = 0; r == 0 && y < image->height; y++) {
		uint8_t *to = scan->grey + (size_t)y * image->width;

		r = image->ops->row(image, row);
		for (uint32_t x = 0; r == 0 && x < image->width; x++) {
			const uint32_t value = image->sample_bits == 8 ? ((uint8_t *)row)[x] : row[x];

			to[x] = (uint8_t)((value * 255 + image->maxval / 2) / image->maxval);
		}
	}
	free(row);
	image->ops->close(image);
	return r;
}

int rip_scan_read(struct rip_scan *scan, const char *path)
{
	struct rip_input input;
	const uint8_t *bytes;
	ssize_t n;
	int r = rip_input_open(&input, path);

	*scan = (struct rip_scan){ .name = path };
	if (r == 0) {
		n = rip_input_peek(&input, 4, &bytes);
		r = n < 0 ? (int)n : n >= 4 && !memcmp(bytes, "\x89PNG", 4) ? read_png(scan, &input) :
		    read_image(scan, &input);
	}
	rip_input_close(&input);
	if (r < 0)
		rip_scan_finish(scan);
	return r;
}

void rip_scan_finish(struct rip_scan *scan)
{
	free(scan->grey);
	scan->grey = NULL;
}
