#include "target.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "image/complain.h"
#include "image/image.h"

#define CATALOG 1
#define PAGES   2
#define OBJECTS_OF_PAGE 4 /* the page, its contents, the image, the image's length */

/* After an error nothing more is written, and the end of the page or file returns it. */
static void put_bytes(struct rip_target_pdf *pdf, const void *bytes, size_t size)
{
	pdf->at += size;
	if (pdf->error == 0)
		pdf->error = rip_out_file_write(pdf->out, bytes, size);
}

__attribute__((format(printf, 2, 3))) static void put(struct rip_target_pdf *pdf,
						      const char *format, ...)
{
	char text[512];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	put_bytes(pdf, text, (size_t)n);
}

static void begin_object(struct rip_target_pdf *pdf, unsigned number)
{
	pdf->where[number] = pdf->at;
	put(pdf, "%u 0 obj\n", number);
}

static int begin_pdf(struct rip_target_pdf *pdf)
{
	pdf->objects = PAGES;
	put(pdf, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n");
	begin_object(pdf, CATALOG);
	put(pdf, "<< /Type /Catalog /Pages %u 0 R >>\nendobj\n", PAGES);
	return pdf->error;
}

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

/* Compresses what the stream has got, and writes what comes out. */
static void squeeze(struct rip_target_pdf *pdf, z_stream *stream, int flush)
{
	uint8_t out[16384];

	do {
		stream->next_out = out;
		stream->avail_out = sizeof out;
		deflate(stream, flush);
		put_bytes(pdf, out, sizeof out - stream->avail_out);
	} while (stream->avail_out == 0);
}

static void put_pixels(struct rip_target_pdf *pdf, const struct rip_chart *chart)
{
	uint8_t *row = malloc((size_t)chart->width * image_bits(chart) / 8 + 2);
	z_stream stream = { 0 };

	if (!row || deflateInit(&stream, 6) != Z_OK) {
		free(row);
		pdf->error = rip_complain(-ENOMEM, "out of memory");
		return;
	}
	for (uint32_t y = 0; pdf->error == 0 && y < chart->height; y++) {
		stream.avail_in = (unsigned)make_row(chart, y, row);
		stream.next_in = row;
		squeeze(pdf, &stream, Z_NO_FLUSH);
	}
	squeeze(pdf, &stream, Z_FINISH);
	deflateEnd(&stream);
	free(row);
}

/* The colours of a palette: the levels of the ink, and black. */
static void put_palette(struct rip_target_pdf *pdf, const struct rip_chart *chart, char ink)
{
	const unsigned plane = ink == 'C' ? 0 : ink == 'M' ? 1 : 2;

	put(pdf, "/ColorSpace [/Indexed /DeviceCMYK %u <", chart->levels);
	for (unsigned level = 0; level < chart->levels; level++)
		put(pdf, "%08X ", 255 / (chart->levels - 1) * level << (24 - 8 * plane));
	put(pdf, "000000FF>] /BitsPerComponent %u >>\nstream\n", image_bits(chart));
}

static void put_image(struct rip_target_pdf *pdf, const struct rip_chart *chart, char ink,
		      unsigned length)
{
	uint64_t begin;

	put(pdf, "<< /Type /XObject /Subtype /Image /Width %u /Height %u"
	    " /Filter /FlateDecode /Length %u 0 R /Interpolate false ",
	    chart->width, chart->height, length);
	if (chart->black == chart->ink)
		put(pdf, "/ColorSpace /DeviceGray /BitsPerComponent %u /Decode [1 0] >>\n"
		    "stream\n", image_bits(chart));
	else
		put_palette(pdf, chart, ink);
	begin = pdf->at;
	if (pdf->error == 0)
		put_pixels(pdf, chart);
	begin = pdf->at - begin;
	put(pdf, "\nendstream\nendobj\n");
	begin_object(pdf, length);
	put(pdf, "%llu\nendobj\n", (unsigned long long)begin);
}

/* Points with six places; printf()'s %f depends on the locale. */
static const char *points(char text[32], uint32_t pixels, uint32_t dpi)
{
	const uint64_t millionths = ((uint64_t)pixels * 72000000 + dpi / 2) / dpi;

	snprintf(text, 32, "%llu.%06llu", (unsigned long long)(millionths / 1000000),
		 (unsigned long long)(millionths % 1000000));
	return text;
}

static int pdf_page(struct rip_target_pdf *pdf, const struct rip_chart *chart, char ink)
{
	const unsigned page = pdf->objects + 1, contents = page + 1, image = page + 2;
	char width[32], height[32], draw[128];
	int n;

	if (page + OBJECTS_OF_PAGE > RIP_TARGET_OBJECTS_MAX)
		return rip_complain(-E2BIG, "%s: too many pages", pdf->out->name);
	points(width, chart->width, pdf->dpi);
	points(height, chart->height, pdf->dpi);
	pdf->objects += OBJECTS_OF_PAGE;
	pdf->pages++;
	begin_object(pdf, page);
	put(pdf, "<< /Type /Page /Parent %u 0 R /MediaBox [0 0 %s %s]"
	    " /Contents %u 0 R /Resources << /XObject << /I %u 0 R >> >> >>\nendobj\n",
	    PAGES, width, height, contents, image);
	n = snprintf(draw, sizeof draw, "%s 0 0 %s 0 0 cm /I Do", width, height);
	begin_object(pdf, contents);
	put(pdf, "<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", n, draw);
	begin_object(pdf, image);
	put_image(pdf, chart, ink, image + 1);
	return pdf->error;
}

static int end_pdf(struct rip_target_pdf *pdf)
{
	uint64_t table;

	begin_object(pdf, PAGES);
	put(pdf, "<< /Type /Pages /Count %u /Kids [", pdf->pages);
	for (unsigned i = 0; i < pdf->pages; i++)
		put(pdf, " %u 0 R", PAGES + 1 + i * OBJECTS_OF_PAGE);
	put(pdf, " ] >>\nendobj\n");
	table = pdf->at;
	put(pdf, "xref\n0 %u\n0000000000 65535 f \n", pdf->objects + 1);
	for (unsigned i = 1; i <= pdf->objects; i++)
		put(pdf, "%010llu 00000 n \n", (unsigned long long)pdf->where[i]);
	put(pdf, "trailer\n<< /Size %u /Root %u 0 R >>\nstartxref\n%llu\n%%%%EOF\n",
	    pdf->objects + 1, CATALOG, (unsigned long long)table);
	return pdf->error;
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
	if (file->format == RIP_TARGET_PDF) {
		file->pdf = (struct rip_target_pdf){ .out = file->out, .dpi = file->dpi };
		return begin_pdf(&file->pdf);
	}
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
		return pdf_page(&file->pdf, chart, ink);
	case RIP_TARGET_RASTER:
		return raster_page(file, chart, ink);
	default:
		return pnm_page(file, chart);
	}
}

int rip_target_file_end(struct rip_target_file *file)
{
	int r = file->format == RIP_TARGET_PDF ? end_pdf(&file->pdf) : 0;

	rip_target_file_abandon(file);
	return r;
}

void rip_target_file_abandon(struct rip_target_file *file)
{
	if (file->raster)
		cupsRasterClose(file->raster);
	file->raster = NULL;
}
