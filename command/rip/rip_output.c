#include "rip.h"

#include <math.h>
#include <string.h>

#include "halftone/engine.h"
#include "image/complain.h"

_Static_assert(RIP_CONTONE_SAMPLES_MAX == RIP_TIFF_INKS_MAX &&
	       RIP_SPOT_NAME_MAX == RIP_TIFF_NAME_MAX, "as many inks as TIFF has");

/* Pixels of a length in points, rounded as Ghostscript does; at least 1. */
static unsigned pixels(double points, unsigned dpi)
{
	const double n = floor(points * dpi / 72 + .499);

	return n < 1 ? 1 : n > 1e9 ? 1000000000 : (unsigned)n;
}

int rip_output_place(const struct rip_rip_options *options, const struct rip_gs_page *paper,
		     struct rip_output_page *page, char *why, size_t size)
{
	static const cups_cspace_t spaces[] = {
		[RIP_CONTONE_GREY] = CUPS_CSPACE_SW, [RIP_CONTONE_RGB] = CUPS_CSPACE_SRGB,
		[RIP_CONTONE_CMYK] = CUPS_CSPACE_CMYK,
	};
	const bool separations = options->model == RIP_CONTONE_SEPARATIONS;
	const unsigned colours = rip_contone_samples(options->model) + paper->spots.count;
	cups_page_header2_t *h = &page->header;
	const double points[2] = { paper->width, paper->height };

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
	h->cupsWidth = pixels(paper->width, options->image.dpi.x);
	h->cupsHeight = pixels(paper->height, options->image.dpi.y);
	h->cupsBitsPerColor = 8;
	h->cupsNumColors = colours;
	h->cupsBitsPerPixel = separations ? 8 : 8 * colours;
	h->cupsBytesPerLine = h->cupsWidth * colours;
	h->cupsColorOrder = separations ? CUPS_ORDER_BANDED : CUPS_ORDER_CHUNKED;
	h->cupsColorSpace = separations ? CUPS_CSPACE_DEVICE1 + colours - 1 :
					  spaces[options->model];
	return rip_header_check(h, &page->geometry, why, size);
}

void rip_output_init(struct rip_rip_output *output, const struct rip_rip_options *options,
		     struct rip_out_file *file)
{
	memset(output, 0, sizeof *output);
	output->options = options;
	output->file = file;
	output->picture.file = file;
	output->picture.is_png = options->format == RIP_FORMAT_PNG;
	rip_sink_init(&output->sink, -1, options->format == RIP_FORMAT_PWG, false);
	/* Grey is light, as in a plate; all else is a composite of all inks. */
	output->plates.page = &output->tags;
	output->tags.colours = options->model == RIP_CONTONE_GREY ? RIP_TIFF_GREY : RIP_TIFF_INKS;
	memcpy(output->tags.names, rip_tiff_cmyk_names, sizeof rip_tiff_cmyk_names);
	output->tags.tags = (struct rip_tiff_tags){
		.x_resolution = (float)options->image.dpi.x,
		.y_resolution = (float)options->image.dpi.y,
		.unit = RESUNIT_INCH, .orientation = ORIENTATION_TOPLEFT,
	};
	if (options->format == RIP_FORMAT_TIFF)
		output->receiver = rip_tiff_plates_receiver(&output->plates);
	else
		output->receiver = rip_picture_file_receiver(&output->picture);
	if (options->format != RIP_FORMAT_CUPS && options->format != RIP_FORMAT_PWG)
		output->sink.receiver = &output->receiver;
}

int rip_output_begin(struct rip_rip_output *output, const struct rip_gs_page *paper,
		     const struct rip_output_page *page)
{
	const struct rip_geometry *g = &page->geometry;
	const uint32_t levels = output->options->image.common.levels;
	cups_page_header2_t header;
	struct rip_output dots;
	char why[256];
	int r;

	if (!output->plates.bytes)
		output->plates.bytes = (uint64_t)rip_dot_bytes(g->width, levels) * g->height *
				       output->pages *
				       /* Others may have more spot colours than the first. */
				       (output->options->model == RIP_CONTONE_SEPARATIONS ?
					RIP_TIFF_INKS_MAX : g->planes);
	for (unsigned i = 0; i < paper->spots.count; i++)
		memcpy(output->tags.names[4 + i], paper->spots.names[i], RIP_SPOT_NAME_MAX);
	output->sink.fd = output->file->fd;
	r = rip_header_rewrite(&page->header, g, levels, output->sink.pwg, false, &header, &dots,
			       why, sizeof why);
	if (r < 0)
		return rip_complain(r, "cannot write %s: %s", output->file->name, why);
	return rip_sink_begin(&output->sink, &header, &dots);
}

void rip_output_finish(struct rip_rip_output *output)
{
	rip_tiff_plates_finish(&output->plates);
	rip_picture_file_finish(&output->picture);
	rip_sink_finish(&output->sink);
}
