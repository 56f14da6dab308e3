#include "png_file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

#include <png.h>

#include "complain.h"
#include "halftone/engine.h"
#include "image.h"

static void on_error(png_structp png, png_const_charp text)
{
	struct rip_out_file *file = png_get_error_ptr(png);

	rip_complain(0, "cannot write %s: %s", file->name, text);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
}

/* rip_out_file_write() has reported an error itself. */
static void put(png_structp png, png_bytep bytes, size_t size)
{
	if (rip_out_file_write(png_get_io_ptr(png), bytes, size) < 0)
		png_longjmp(png, 1);
}

static void flush(png_structp png)
{
}

static png_uint_32 to_metre(double dpi)
{
	return (png_uint_32)(dpi / .0254 + .5);
}

/* levels: of dots; 0: not dots, but sRGB. */
static int begin(struct rip_png *to, struct rip_out_file *file, uint32_t width, uint32_t height,
		 int bits, int colours, uint32_t levels, double x_dpi, double y_dpi)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, on_error,
						  on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;

	*to = (struct rip_png){ png, info, file, width, levels, levels ? malloc(width) : NULL };
	if (!info || (levels && !to->line))
		return rip_complain(-ENOMEM, "cannot write %s: out of memory", file->name);
	if (setjmp(png_jmpbuf(png)))
		return -EIO;
	png_set_write_fn(png, file, put, flush);
	/* libpng's own limit is a million. */
	png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
	png_set_IHDR(png, info, width, height, bits, colours, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (levels) /* dots have no gradients */
		png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
	else
		png_set_sRGB(png, info, PNG_sRGB_INTENT_RELATIVE);
	if (x_dpi > 0 && y_dpi > 0)
		png_set_pHYs(png, info, to_metre(x_dpi), to_metre(y_dpi), PNG_RESOLUTION_METER);
	png_write_info(png, info);
	return 0;
}

int rip_png_begin(struct rip_png *to, struct rip_out_file *file, uint32_t width, uint32_t height,
		  unsigned channels, double dpi)
{
	const int colours = channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;

	return begin(to, file, width, height, 8, colours, 0, dpi, dpi);
}

/* Whether the dots of a row are the samples of PNG as they are. */
static bool is_sample(uint32_t levels)
{
	return levels == 1u << rip_dot_bits(levels);
}

int rip_png_begin_dots(struct rip_png *to, struct rip_out_file *file, uint32_t width,
		       uint32_t height, uint32_t levels, double x_dpi, double y_dpi)
{
	return begin(to, file, width, height, is_sample(levels) ? (int)rip_dot_bits(levels) : 8,
		     PNG_COLOR_TYPE_GRAY, levels, x_dpi, y_dpi);
}

int rip_png_dots(struct rip_png *to, const uint8_t *dots)
{
	if (is_sample(to->levels))
		return rip_png_row(to, dots);
	rip_pnm_line(dots, to->width, to->levels, to->line);
	for (uint32_t x = 0; x < to->width; x++)
		to->line[x] = (uint8_t)((to->line[x] * 510 / (to->levels - 1) + 1) / 2);
	return rip_png_row(to, to->line);
}

int rip_png_row(struct rip_png *to, const uint8_t *pixels)
{
	png_structp png = to->png;

	if (setjmp(png_jmpbuf(png)))
		return -EIO;
	png_write_row(png, pixels);
	return 0;
}

int rip_png_end(struct rip_png *to)
{
	png_structp png = to->png;

	if (setjmp(png_jmpbuf(png)))
		return -EIO;
	png_write_end(png, to->info);
	return 0;
}

void rip_png_finish(struct rip_png *to)
{
	png_structp png = to->png;
	png_infop info = to->info;

	png_destroy_write_struct(&png, &info);
	free(to->line);
	to->line = NULL;
	to->png = to->info = NULL;
}

int rip_png_write(struct rip_out_file *file, const uint8_t *pixels, uint32_t width, uint32_t height,
		  unsigned channels, double dpi)
{
	struct rip_png png;
	int r = rip_png_begin(&png, file, width, height, channels, dpi);

	for (uint32_t y = 0; r == 0 && y < height; y++)
		r = rip_png_row(&png, pixels + (size_t)y * width * channels);
	if (r == 0)
		r = rip_png_end(&png);
	rip_png_finish(&png);
	return r;
}
