/*
 * PNG, through libpng, which decodes samples; here they become grey, with JPEG's weights, on
 * white.  Samples are taken as they are, as those of the other formats: gamma and colour
 * profiles are not read.
 *
 * libpng passes over some damage with a warning.  Here that is an error, as in JPEG, except in
 * chunks that do not change the image.
 */
#include "image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "complain.h"

/* The most memory for an interlaced image, which is decoded as a whole.  A few dozen bytes can ask
 * for 512 TiB. */
#define INTERLACED_BYTES_MAX ((uint64_t)1 << 30)

#define ROW_BYTES_MAX ((uint64_t)64 << 20) /* of all samples as 8 or 16 bits, as in TIFF */

struct png_image {
	struct rip_image image;
	png_structp png;
	png_infop   info;
	int         error;       /* why libpng's function was left: -errno, reported */
	bool        in_rows;     /* the header has been read */
	uint32_t    row;         /* rows returned */
	uint8_t    *interlaced;  /* the whole image, decoded with the first row, or NULL */
	int      channel; /* that is read of an image with colours; -1: grey */
	unsigned    colours;     /* of a palette; 0: none */
	uint8_t     greys[256];  /* what they become */
};

static struct png_image *of(png_structp png)
{
	return png_get_error_ptr(png);
}

/* Leaves libpng.  error: -errno, which has been reported. */
static __attribute__((noreturn)) void leave(png_structp png, int error)
{
	of(png)->error = error;
	png_longjmp(png, 1);
}

static __attribute__((noreturn)) void on_error(png_structp png, png_const_charp text)
{
	leave(png, rip_complain(-EBADMSG, "%s: %s", of(png)->image.input->name, text));
}

/* Damage is a "benign" error to libpng.  What remains is about chunks that are not needed. */
static void on_warning(png_structp png, png_const_charp text)
{
}

static void get(png_structp png, png_bytep bytes, size_t size)
{
	const struct png_image *image = of(png);
	const char *name = image->image.input->name;
	const ssize_t n = rip_input_read(image->image.input, bytes, size);

	if (n < 0)
		leave(png, (int)n);
	if ((size_t)n == size)
		return;
	if (image->in_rows && !image->interlaced && image->row < image->image.height)
		leave(png, rip_complain(-EBADMSG, "%s is truncated: it ends in row %u of %u", name,
					image->row + 1, image->image.height));
	leave(png, rip_complain(-EBADMSG, "%s is truncated", name));
}

/* ---- grey ---- */

/* libjpeg's weights, of 65536, so that a picture has the same tones in both formats. */
static uint32_t grey_of(const struct png_image *image, uint32_t red, uint32_t green, uint32_t blue)
{
	if (image->channel >= 0)
		return (uint32_t[]){ red, green, blue }[image->channel];
	return (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16;
}

static uint32_t on_white(uint32_t value, uint32_t alpha, uint32_t maxval)
{
	return (value * alpha + maxval * (maxval - alpha) + maxval / 2) / maxval;
}

/* Sample i of a row as libpng has it: big endian. */
static uint32_t sample(const uint8_t *row, unsigned bits, size_t i)
{
	return bits == 8 ? row[i] : (uint32_t)row[2 * i] << 8 | row[2 * i + 1];
}

/* Makes a row of all samples grey, in place: libpng calls it, also for each pass of an interlaced
 * image, whose rows are shorter. */
static void make_grey(png_structp png, png_row_infop info, png_bytep row)
{
	const struct png_image *image = of(png);
	const unsigned channels = info->channels, bits = info->bit_depth;
	const uint32_t maxval = image->image.maxval;

	for (size_t x = 0; x < info->width; x++) {
		const size_t first = x * channels;
		uint32_t grey = sample(row, bits, first);
		uint16_t wide;

		if (image->colours) {
			if (grey >= image->colours)
				leave(png, rip_complain(-EBADMSG, "%s: a pixel has colour %u"
							" of a palette of %u",
							image->image.input->name,
							grey, image->colours));
			grey = image->greys[grey];
		} else if (channels > 2) {
			grey = grey_of(image, grey, sample(row, bits, first + 1),
				       sample(row, bits, first + 2));
		}
		if (channels % 2 == 0)
			grey = on_white(grey, sample(row, bits, first + channels - 1), maxval);
		wide = (uint16_t)grey;
		if (bits == 8)
			row[x] = (uint8_t)grey;
		else
			memcpy(row + 2 * x, &wide, 2);
	}
}

static void read_palette(struct png_image *image)
{
	png_colorp colours;
	png_bytep alphas;
	int count = 0, with_alpha = 0;

	png_get_PLTE(image->png, image->info, &colours, &count);
	if (!png_get_tRNS(image->png, image->info, &alphas, &with_alpha, NULL))
		with_alpha = 0;
	image->colours = (unsigned)count;
	for (int i = 0; i < count; i++) {
		const uint32_t grey = grey_of(image, colours[i].red, colours[i].green,
					     colours[i].blue);

		image->greys[i] = (uint8_t)on_white(grey, i < with_alpha ? alphas[i] : 255, 255);
	}
}

/* ---- rows ---- */

static size_t row_size(const struct rip_image *image)
{
	return (size_t)image->width * (image->sample_bits / 8);
}

static void read_row(struct png_image *image, uint8_t *samples)
{
	png_read_row(image->png, samples, NULL);
}

static void read_interlaced(struct png_image *image)
{
	for (int pass = 0; pass < 7; pass++)
		for (uint32_t y = 0; y < image->image.height; y++)
			read_row(image, image->interlaced + y * row_size(&image->image));
}

static int png_row(struct rip_image *base, void *samples)
{
	struct png_image *image = (struct png_image *)base;

	if (setjmp(png_jmpbuf(image->png)))
		return image->error;
	if (image->row == 0 && image->interlaced)
		read_interlaced(image);
	if (image->interlaced)
		memcpy(samples, image->interlaced + image->row * row_size(base), row_size(base));
	else
		read_row(image, samples);
	image->row++;
	return 0;
}

static int png_end(struct rip_image *base)
{
	struct png_image *image = (struct png_image *)base;

	if (setjmp(png_jmpbuf(image->png)))
		return image->error;
	png_read_end(image->png, NULL);
	return 0;
}

static void png_close(struct rip_image *base)
{
	struct png_image *image = (struct png_image *)base;

	if (!image)
		return;
	png_destroy_read_struct(&image->png, &image->info, NULL);
	free(image->interlaced);
	free(image);
}

static const struct rip_image_ops png_ops = { .row = png_row, .end = png_end, .close = png_close };

/* ---- the header ---- */

/* Without chunks that are not needed, whose damage would be reported as an error, and whose
 * decompression takes memory. */
static void choose_chunks(png_structp png)
{
	png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
	png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep)"pHYs", 1);
	png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
	png_set_benign_errors(png, 0);
}

/* Memory for an interlaced image.  0 or -errno. */
static int make_interlaced(struct png_image *image)
{
	const struct rip_image *base = &image->image;
	const uint64_t bytes = (uint64_t)row_size(base) * base->height;

	if (bytes > INTERLACED_BYTES_MAX)
		return rip_complain(-EFBIG, "%s is an interlaced PNG of %u x %u pixels, which takes"
				    " %llu MiB of memory (the limit is %llu):"
				    " save it without interlacing first",
				    base->input->name, base->width, base->height,
				    (unsigned long long)(bytes >> 20),
				    (unsigned long long)(INTERLACED_BYTES_MAX >> 20));
	image->interlaced = malloc(bytes);
	if (!image->interlaced)
		return rip_complain(-ENOMEM, "%s: out of memory", base->input->name);
	return 0;
}

/* Makes libpng return rows of grey.  0 or -errno. */
static int choose_samples(struct png_image *image)
{
	struct rip_image *base = &image->image;
	png_structp png = image->png;
	const int colours = png_get_color_type(png, image->info);
	const unsigned channels = png_get_channels(png, image->info) +
				  (png_get_valid(png, image->info, PNG_INFO_tRNS) != 0);
	const uint64_t bytes = (uint64_t)base->width * channels * (base->sample_bits / 8);
	int passes;

	if (bytes > ROW_BYTES_MAX)
		return rip_complain(-EFBIG, "%s: a row of %u pixels takes %llu MiB of memory"
				    " (the limit is %llu)", base->input->name, base->width,
				    (unsigned long long)(bytes >> 20),
				    (unsigned long long)(ROW_BYTES_MAX >> 20));
	base->is_channel = image->channel >= 0 && (colours & PNG_COLOR_MASK_COLOR);
	if (colours == PNG_COLOR_TYPE_PALETTE) {
		read_palette(image);
		png_set_packing(png);
	} else {
		png_set_expand(png);
	}
	png_set_read_user_transform_fn(png, make_grey);
	png_set_user_transform_info(png, NULL, (int)base->sample_bits, 1);
	passes = png_set_interlace_handling(png);
	png_read_update_info(png, image->info);
	return passes > 1 ? make_interlaced(image) : 0;
}

/* Reads the header.  0 or -errno. */
static int start(struct png_image *image)
{
	struct rip_image *base = &image->image;
	png_structp png = image->png;
	int r;

	if (setjmp(png_jmpbuf(png)))
		return image->error;
	png_set_read_fn(png, NULL, get);
	/* So that the limit is reported by rip_image_check_size(). */
	png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
	choose_chunks(png);
	png_read_info(png, image->info);
	base->width = png_get_image_width(png, image->info);
	base->height = png_get_image_height(png, image->info);
	base->sample_bits = png_get_bit_depth(png, image->info) == 16 ? 16 : 8;
	base->maxval = (1u << base->sample_bits) - 1;
	rip_image_set_dpi(base,
			  (uint32_t)(png_get_x_pixels_per_meter(png, image->info) * .0254 + .5),
			  (uint32_t)(png_get_y_pixels_per_meter(png, image->info) * .0254 + .5));
	image->in_rows = true;
	r = rip_image_check_size(base->input, base->width, base->height);
	return r < 0 ? r : choose_samples(image);
}

int rip_image_png_open(struct rip_input *input, int channel, struct rip_image **image)
{
	struct png_image *made = calloc(1, sizeof *made);
	int r = -ENOMEM;

	*image = NULL;
	if (made) {
		made->image = (struct rip_image){ .ops = &png_ops, .input = input, .rows_at = -1 };
		made->channel = channel;
		made->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, made, on_error,
						   on_warning);
		made->info = made->png ? png_create_info_struct(made->png) : NULL;
	}
	if (made && made->info)
		r = start(made);
	else
		rip_complain(r, "%s: out of memory", input->name);
	if (r < 0)
		png_close(made ? &made->image : NULL);
	else
		*image = &made->image;
	return r;
}
