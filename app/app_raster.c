#include "config.h"

#include "app/app_raster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "system/refuse.h"

#define FAST 1 /* zlib's level */

int rip_app_raster_new(const char *folder, struct rip_app_raster **made)
{
	struct rip_app_raster *raster = calloc(1, sizeof *raster);
	int r;

	*made = NULL;
	if (!raster)
		return -ENOMEM;
	snprintf(raster->path, sizeof raster->path, "%s/" RIP_APP_RASTER_PREFIX "XXXXXX", folder);
	raster->fd = mkostemp(raster->path, O_CLOEXEC);
	r = raster->fd < 0 ? -errno :
	    rip_image_pdf_begin(&raster->pdf, FAST, rip_image_pdf_to_file, &raster->fd);
	if (r == 0)
		*made = raster;
	else
		rip_app_raster_free(raster);
	return r;
}

/* The colours of a PDF image; NULL: others. */
static const char *space_of(const rip_app_header *header)
{
	const bool grey = header->cupsBitsPerPixel == 8;

	if (header->cupsBitsPerColor != 8 || header->cupsColorOrder != CUPS_ORDER_CHUNKED)
		return NULL;
	switch (header->cupsColorSpace) {
	case CUPS_CSPACE_K:
		return grey ? "/DeviceGray /Decode [1 0]" : NULL;
	case CUPS_CSPACE_W:
	case CUPS_CSPACE_SW:
		return grey ? "/DeviceGray" : NULL;
	case CUPS_CSPACE_RGB:
	case CUPS_CSPACE_SRGB:
	case CUPS_CSPACE_ADOBERGB:
		return header->cupsBitsPerPixel == 24 ? "/DeviceRGB" : NULL;
	default:
		return NULL;
	}
}

int rip_app_raster_page(struct rip_app_raster *raster, const rip_app_header *header, char *why,
			size_t size)
{
	const struct rip_image_pdf_page page = {
		.width = header->cupsWidth, .height = header->cupsHeight,
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
		.bits = 8, .colours = space_of(header),
	};

	if (!page.colours || !page.width || !page.height || !page.x_dpi || !page.y_dpi ||
	    header->cupsBytesPerLine != page.width * (header->cupsBitsPerPixel / 8))
		return rip_refuse(why, size, "The raster has %u bits a pixel in colour space %d, "
				  "and %u pixels in a line of %u bytes; it must be grey or RGB of "
				  "8 bits a colour.", header->cupsBitsPerPixel,
				  (int)header->cupsColorSpace, page.width,
				  header->cupsBytesPerLine);
	raster->line = header->cupsBytesPerLine;
	return rip_image_pdf_page(&raster->pdf, &page);
}

void rip_app_raster_free(struct rip_app_raster *raster)
{
	if (!raster)
		return;
	rip_image_pdf_finish(&raster->pdf);
	if (raster->fd >= 0) {
		close(raster->fd);
		unlink(raster->path);
	}
	free(raster);
}
