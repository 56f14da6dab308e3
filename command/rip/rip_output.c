#include "rip_output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/page/dots.h"
#include "halftone/engine.h"
#include "image/complain.h"
#include "image/pnm_lines.h"

/* Pixels of a length in points, rounded as Ghostscript does; at least 1. */
static unsigned pixels(double points, unsigned dpi)
{
	const double n = floor(points * dpi / 72 + .499);

	return n < 1 ? 1 : n > 1e9 ? 1000000000 : (unsigned)n;
}

int rip_output_place(const struct rip_rip_options *options, double width, double height,
		     struct rip_output_page *page, char *why, size_t size)
{
	static const cups_cspace_t spaces[] = {
		[RIP_CONTONE_GREY] = CUPS_CSPACE_SW, [RIP_CONTONE_RGB] = CUPS_CSPACE_SRGB,
		[RIP_CONTONE_CMYK] = CUPS_CSPACE_CMYK,
	};
	const unsigned colours = rip_contone_samples(options->model);
	cups_page_header2_t *h = &page->header;
	const double points[2] = { width, height };

	memset(page, 0, sizeof *page);
	h->HWResolution[0] = options->image.dpi.x;
	h->HWResolution[1] = options->image.dpi.y;
	h->NumCopies = 1;
	for (int i = 0; i < 2; i++) {
		h->cupsPageSize[i] = (float)points[i];
		h->PageSize[i] = (unsigned)fmin(fmax(points[i] + .5, 0), 1e9);
		h->cupsImagingBBox[i + 2] = (float)points[i];
		h->ImagingBoundingBox[i + 2] = h->PageSize[i];
	}
	h->cupsWidth = pixels(width, options->image.dpi.x);
	h->cupsHeight = pixels(height, options->image.dpi.y);
	h->cupsBitsPerColor = 8;
	h->cupsNumColors = colours;
	h->cupsBitsPerPixel = 8 * colours;
	h->cupsBytesPerLine = h->cupsWidth * colours;
	h->cupsColorOrder = CUPS_ORDER_CHUNKED;
	h->cupsColorSpace = spaces[options->model];
	return rip_header_check(h, &page->geometry, why, size);
}

void rip_output_init(struct rip_rip_output *output, const struct rip_rip_options *options,
		     struct rip_out_file *file)
{
	memset(output, 0, sizeof *output);
	output->options = options;
	output->file = file;
	rip_sink_init(&output->sink, file->fd, options->format == RIP_FORMAT_PWG, false);
}

static int begin_pnm(struct rip_rip_output *output, const struct rip_geometry *geometry)
{
	const unsigned levels = output->options->image.common.levels;
	char header[RIP_PNM_HEADER_MAX];

	output->width = geometry->width;
	free(output->line);
	output->line = malloc(rip_pnm_line_size(geometry->width, levels));
	if (!output->line)
		return rip_complain(-ENOMEM, "%s: out of memory", output->file->name);
	return rip_out_file_write(output->file, header,
				  rip_pnm_header(geometry->width, geometry->height, levels,
						 header));
}

/* Grey is light, as in a plate; CMYK is a composite of all inks. */
static int begin_tiff(struct rip_rip_output *output, const struct rip_geometry *geometry)
{
	const struct rip_rip_options *options = output->options;
	const struct rip_tiff_tags tags = {
		.x_resolution = (float)options->image.dpi.x,
		.y_resolution = (float)options->image.dpi.y,
		.unit = RESUNIT_INCH, .orientation = ORIENTATION_TOPLEFT,
	};
	const struct rip_tiff_dots dots = {
		.width = geometry->width, .height = geometry->height,
		.levels = options->image.common.levels, .planes = geometry->planes,
		.inks = options->model == RIP_CONTONE_CMYK, .names = rip_tiff_cmyk_names,
		.tags = &tags,
	};
	const uint64_t row = rip_dot_bytes(dots.width, dots.levels);
	const uint64_t bytes = row * dots.height * dots.planes;
	int r = 0;

	output->width = geometry->width;
	output->planes = geometry->planes;
	/* Pages may differ in size; libtiff reports a file that becomes too large all the same. */
	if (!output->tiff.tiff)
		r = rip_tiff_writer_open(&output->tiff, output->file, options->compression,
					 rip_tiff_writer_needs_big(options->compression,
								   bytes * output->pages));
	return r < 0 ? r : rip_tiff_writer_begin(&output->tiff, &dots);
}

static int begin_png(struct rip_rip_output *output, const struct rip_geometry *geometry)
{
	const struct rip_image_options *image = &output->options->image;

	return rip_png_begin_dots(&output->png, output->file, geometry->width, geometry->height,
				  image->common.levels, image->dpi.x, image->dpi.y);
}

static int end_png(struct rip_rip_output *output)
{
	int r = rip_png_end(&output->png);

	rip_png_finish(&output->png);
	return r;
}

static int tiff_line(struct rip_rip_output *output, const uint8_t *const planes[])
{
	const unsigned levels = output->options->image.common.levels;
	int r = 0;

	for (uint32_t p = 0; r == 0 && p < output->planes; p++) {
		rip_dots_copy(planes[p], output->width, rip_dot_bits(levels), levels, false,
			      rip_tiff_writer_place(&output->tiff, p));
		r = rip_tiff_writer_row(&output->tiff, p);
	}
	return r;
}

int rip_output_begin(struct rip_rip_output *output, const struct rip_output_page *page)
{
	cups_page_header2_t header;
	struct rip_output raster;
	char why[256];
	int r;

	if (output->options->format == RIP_FORMAT_PNM)
		return begin_pnm(output, &page->geometry);
	if (output->options->format == RIP_FORMAT_TIFF)
		return begin_tiff(output, &page->geometry);
	if (output->options->format == RIP_FORMAT_PNG)
		return begin_png(output, &page->geometry);
	r = rip_header_rewrite(&page->header, &page->geometry, output->options->image.common.levels,
			       output->sink.pwg, false, &header, &raster, why, sizeof why);
	if (r < 0)
		return rip_complain(r, "cannot write %s: %s", output->file->name, why);
	return rip_sink_begin(&output->sink, &header, &raster);
}

int rip_output_line(struct rip_rip_output *output, const uint8_t *const planes[])
{
	size_t size;

	if (output->options->format == RIP_FORMAT_TIFF)
		return tiff_line(output, planes);
	if (output->options->format == RIP_FORMAT_PNG)
		return rip_png_dots(&output->png, planes[0]);
	if (output->options->format != RIP_FORMAT_PNM)
		return rip_sink_row(&output->sink, planes);
	size = rip_pnm_line(planes[0], output->width, output->options->image.common.levels,
			    output->line);
	return rip_out_file_write(output->file, output->line, size);
}

int rip_output_end(struct rip_rip_output *output)
{
	switch (output->options->format) {
	case RIP_FORMAT_PNM:
		return rip_out_file_flush(output->file);
	case RIP_FORMAT_TIFF:
		return rip_tiff_writer_end(&output->tiff);
	case RIP_FORMAT_PNG:
		return end_png(output);
	default:
		return rip_sink_end(&output->sink);
	}
}

void rip_output_finish(struct rip_rip_output *output)
{
	rip_tiff_writer_finish(&output->tiff);
	rip_png_finish(&output->png);
	rip_sink_finish(&output->sink);
	free(output->line);
	output->line = NULL;
}
