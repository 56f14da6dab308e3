#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"
#include "image/image.h"

/* Bits of a pixel of the image: those of a dot; with texts in another colour, of a palette with
 * the levels of the ink and black behind them. */
static unsigned image_bits(const struct rip_chart *chart)
{
	return chart->ink == chart->black ? chart->bits : 2 * chart->bits;
}

/* A row of the image. */
static size_t make_row(const struct rip_chart *chart, uint32_t y, uint8_t *row)
{
	const uint8_t *ink = chart->ink + y * chart->pitch;
	const uint8_t *black = chart->black + y * chart->pitch;
	const unsigned bits = image_bits(chart);
	const size_t bytes = ((size_t)chart->width * bits + 7) / 8;

	if (ink == black) {
		memcpy(row, ink, chart->pitch);
		return chart->pitch;
	}
	memset(row, 0, bytes);
	for (uint32_t x = 0; x < chart->width; x++) {
		const unsigned value = rip_chart_level(chart, black, x) ? chart->levels :
				       rip_chart_level(chart, ink, x);
		const size_t bit = (size_t)x * bits;

		row[bit / 8] |= (uint8_t)(value << (8 - bits - bit % 8));
	}
	return bytes;
}

static int write_pdf(void *out, const void *bytes, size_t size)
{
	return rip_out_file_write(out, bytes, size);
}

/* The colours of the image: grey, or a palette of the levels of the ink, and black. */
static void name_colours(const struct rip_chart *chart, char ink, char *text, size_t size)
{
	const unsigned plane = ink == 'C' ? 0 : ink == 'M' ? 1 : 2;
	size_t used;

	if (chart->black == chart->ink) {
		snprintf(text, size, "/DeviceGray /Decode [1 0]");
		return;
	}
	used = (size_t)snprintf(text, size, "[/Indexed /DeviceCMYK %u <", chart->levels);
	for (unsigned level = 0; level < chart->levels; level++)
		used += (size_t)snprintf(text + used, size - used, "%08X ",
					 255 / (chart->levels - 1) * level << (24 - 8 * plane));
	snprintf(text + used, size - used, "000000FF>]");
}

/* 0 or -errno (reported). */
static int pdf_page(struct rip_target_file *file, const struct rip_chart *chart, char ink)
{
	uint8_t *row = malloc((size_t)chart->width * image_bits(chart) / 8 + 2);
	char colours[256];
	const struct rip_image_pdf_page page = {
		.width = chart->width, .height = chart->height, .x_dpi = file->dpi,
		.y_dpi = file->dpi, .bits = image_bits(chart), .colours = colours,
	};
	int r;

	name_colours(chart, ink, colours, sizeof colours);
	r = row ? rip_image_pdf_page(&file->pdf, &page) : -ENOMEM;
	for (uint32_t y = 0; r == 0 && y < chart->height; y++)
		r = rip_image_pdf_row(&file->pdf, row, make_row(chart, y, row));
	free(row);
	if (r == 0)
		r = rip_image_pdf_end_page(&file->pdf);
	return r == -ENOMEM ? rip_complain(r, "out of memory") : r;
}

static ssize_t write_raster(void *context, unsigned char *bytes, size_t size)
{
	struct rip_target_file *file = context;

	if (file->error == 0)
		file->error = rip_out_file_write(file->out, bytes, size);
	return file->error < 0 ? -1 : (ssize_t)size;
}

/* After a failure of libcups: 0 stands for one that nobody has reported yet. */
static int raster_failed(const struct rip_target_file *file)
{
	return file->error < 0 ? file->error :
	       rip_complain(-EIO, "cannot write the raster to %s", file->out->name);
}

int rip_target_file_begin(struct rip_target_file *file)
{
	if (file->format == RIP_TARGET_PDF)
		return rip_image_pdf_begin(&file->pdf, 6, write_pdf, file->out);
	if (file->format == RIP_TARGET_RASTER) {
		file->raster = cupsRasterOpenIO(write_raster, file, CUPS_RASTER_WRITE);
		if (!file->raster)
			return raster_failed(file);
	}
	return 0;
}

/* The dots of both planes of a chart; of two levels as bits, else as samples, 0 for full ink. */
static int pnm_page(struct rip_target_file *file, const struct rip_chart *chart)
{
	char header[RIP_PNM_HEADER_MAX];
	const size_t size = rip_pnm_header(chart->width, chart->height, chart->levels, header);
	const size_t line = chart->levels == 2 ? chart->pitch : chart->width;
	int r = rip_out_file_write(file->out, header, size);
	uint8_t *row = malloc(line);

	if (!row)
		return rip_complain(-ENOMEM, "out of memory");
	for (uint32_t y = 0; r == 0 && y < chart->height; y++) {
		const uint8_t *ink = chart->ink + y * chart->pitch;
		const uint8_t *black = chart->black + y * chart->pitch;

		for (size_t i = 0; i < line; i++)
			row[i] = chart->levels == 2 ? ink[i] | black[i] :
				 (uint8_t)(chart->levels - 1 -
					   (rip_chart_level(chart, ink, (uint32_t)i) |
					    rip_chart_level(chart, black, (uint32_t)i)));
		r = rip_out_file_write(file->out, row, line);
	}
	free(row);
	return r;
}

/* The level of a pixel in a plane.  Where there is no black ink, black is all the others. */
static unsigned level_of(const struct rip_chart *chart, const char *inks, uint32_t plane, char ink,
			 uint32_t x, uint32_t y)
{
	const size_t row = y * chart->pitch;
	const unsigned black = rip_chart_level(chart, chart->black + row, x);

	if (black && (chart->black != chart->ink || ink == 'K'))
		return !strchr(inks, 'K') || inks[plane] == 'K' ? black : 0;
	return inks[plane] == ink ? rip_chart_level(chart, chart->ink + row, x) : 0;
}

/* Row y of one plane into a line of samples, each of which is a level. */
static void put_plane(const struct rip_target_file *file, const struct rip_chart *chart,
		      const char *inks, uint32_t plane, char ink, uint32_t y, uint8_t *line)
{
	const struct rip_geometry *g = file->geometry;
	const unsigned most = chart->levels - 1;

	for (uint32_t x = 0; x < chart->width; x++) {
		const size_t sample = (size_t)x * g->stride + g->first;
		const unsigned level = level_of(chart, inks, plane, ink, x, y);
		const unsigned shown = g->light ? most - level : level;

		if (g->sample_bits == 1)
			line[sample / 8] |= (uint8_t)(shown ? 0x80 >> (sample % 8) : 0);
		else
			memset(line + sample * (g->sample_bits / 8), (int)(255 / most * shown),
			       g->sample_bits / 8);
	}
}

static int raster_page(struct rip_target_file *file, const struct rip_chart *chart, char ink)
{
	const struct rip_geometry *g = file->geometry;
	const char *inks = rip_color_space_inks(file->header->cupsColorSpace);
	cups_page_header2_t header = *file->header;
	uint8_t *line = malloc(g->line_bytes);
	int r = 0;

	if (!line)
		return rip_complain(-ENOMEM, "out of memory");
	if (!cupsRasterWriteHeader2(file->raster, &header))
		r = raster_failed(file);

	for (uint32_t i = 0; r == 0 && i < g->lines; i++) {
		const uint32_t y = i % g->height;
		const size_t plane_bytes = g->line_bytes / g->planes;

		memset(line, 0, g->line_bytes);
		if (g->order == CUPS_ORDER_PLANAR)
			put_plane(file, chart, inks, i / g->height, ink, y, line);
		for (uint32_t p = 0; g->order != CUPS_ORDER_PLANAR && p < g->planes; p++)
			put_plane(file, chart, inks, p, ink, y,
				  g->order == CUPS_ORDER_BANDED ? line + p * plane_bytes :
				  line + p * (g->planes > 1 ? g->sample_bits / 8 : 0));
		if (cupsRasterWritePixels(file->raster, line, g->line_bytes) != g->line_bytes)
			r = raster_failed(file);
	}
	free(line);
	return r;
}

int rip_target_file_page(struct rip_target_file *file, const struct rip_chart *chart, char ink)
{
	switch (file->format) {
	case RIP_TARGET_PDF:
		return pdf_page(file, chart, ink);
	case RIP_TARGET_RASTER:
		return raster_page(file, chart, ink);
	default:
		return pnm_page(file, chart);
	}
}

int rip_target_file_end(struct rip_target_file *file)
{
	int r = file->format == RIP_TARGET_PDF ? rip_image_pdf_end(&file->pdf) : 0;

	rip_target_file_abandon(file);
	return r;
}

void rip_target_file_abandon(struct rip_target_file *file)
{
	if (file->raster)
		cupsRasterClose(file->raster);
	file->raster = NULL;
	rip_image_pdf_finish(&file->pdf);
}
