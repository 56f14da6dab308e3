#include "config.h"

#include "app/app_raster.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define FIRST 3   /* object 1 is the catalog, 2 the list of pages */
#define OBJECTS 4 /* of a page: the page, what it draws, the image, and the image's length */

struct rip_app_raster {
	char    path[PATH_MAX];
	FILE   *file;
	long   *offsets; /* of the objects of all pages */
	unsigned pages;
	long    begin; /* of the image's data */
	bool    inside, failed;
	unsigned bytes; /* of a line */
	z_stream deflated;
	unsigned char out[32768];
};

struct rip_app_raster *rip_app_raster_new(const char *folder)
{
	struct rip_app_raster *raster = calloc(1, sizeof *raster);
	int fd = -1;

	if (raster) {
		snprintf(raster->path, sizeof raster->path, "%s/" RIP_APP_RASTER_PREFIX "XXXXXX",
			 folder);
		fd = mkostemp(raster->path, O_CLOEXEC);
		raster->file = fd < 0 ? NULL : fdopen(fd, "w+b");
	}
	if (!raster || !raster->file || fprintf(raster->file, "%%PDF-1.4\n") < 0) {
		fd = errno;
		rip_app_raster_free(raster);
		errno = fd;
		return NULL;
	}
	return raster;
}

/* ---- a page ---- */

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

/* Begins an object of the page; its number. */
static unsigned begin_object(struct rip_app_raster *raster, unsigned which)
{
	const unsigned index = (raster->pages - 1) * OBJECTS + which;

	raster->offsets[index] = ftell(raster->file);
	fprintf(raster->file, "%u 0 obj ", FIRST + index);
	return FIRST + index;
}

static bool grow(struct rip_app_raster *raster)
{
	const size_t count = ((size_t)raster->pages + 1) * OBJECTS;
	long *more = realloc(raster->offsets, count * sizeof *more);

	if (!more || deflateInit(&raster->deflated, 1) != Z_OK) {
		raster->offsets = more ? more : raster->offsets;
		return false;
	}
	raster->offsets = more;
	raster->pages++;
	return true;
}

bool rip_app_raster_page(struct rip_app_raster *raster, const rip_app_header *header, char *why,
			 size_t size)
{
	const char *space = space_of(header);
	double x, y;
	char draws[80];
	unsigned page;

	if (!space || !header->cupsWidth || !header->cupsHeight || !header->HWResolution[0] ||
	    !header->HWResolution[1] ||
	    header->cupsBytesPerLine != header->cupsWidth * (header->cupsBitsPerPixel / 8)) {
		snprintf(why, size, "The raster has %u bits a pixel in colour space %d, and %u "
			 "pixels in a line of %u bytes; it must be grey or RGB of 8 bits a colour.",
			 header->cupsBitsPerPixel, (int)header->cupsColorSpace, header->cupsWidth,
			 header->cupsBytesPerLine);
		return false;
	}
	if (!grow(raster)) {
		snprintf(why, size, "There is no memory for the page.");
		return false;
	}
	x = header->cupsWidth * 72.0 / header->HWResolution[0];
	y = header->cupsHeight * 72.0 / header->HWResolution[1];
	page = begin_object(raster, 0);
	fprintf(raster->file, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.5f %.5f] /Contents %u "
		"0 R /Resources << /XObject << /I %u 0 R >> >> >> endobj\n", x, y, page + 1,
		page + 2);
	snprintf(draws, sizeof draws, "%.5f 0 0 %.5f 0 0 cm /I Do", x, y);
	begin_object(raster, 1);
	fprintf(raster->file, "<< /Length %zu >> stream\n%s\nendstream endobj\n", strlen(draws),
		draws);
	begin_object(raster, 2);
	fprintf(raster->file, "<< /Type /XObject /Subtype /Image /Width %u /Height %u "
		"/BitsPerComponent 8 /ColorSpace %s /Filter /FlateDecode /Length %u 0 R >> "
		"stream\n", header->cupsWidth, header->cupsHeight, space, page + 3);
	raster->begin = ftell(raster->file);
	raster->bytes = header->cupsBytesPerLine;
	raster->inside = true;
	return true;
}

/* Writes what the compressor has; finish: all. */
static bool deflate_line(struct rip_app_raster *raster, const unsigned char *line, int finish)
{
	z_stream *z = &raster->deflated;
	size_t n;
	int r;

	z->next_in = (unsigned char *)line;
	z->avail_in = line ? raster->bytes : 0;
	do {
		z->next_out = raster->out;
		z->avail_out = sizeof raster->out;
		r = deflate(z, finish);
		n = sizeof raster->out - z->avail_out;
		if (fwrite(raster->out, 1, n, raster->file) != n)
			raster->failed = true;
	} while (!raster->failed && z->avail_out == 0);
	return !raster->failed && (finish != Z_FINISH || r == Z_STREAM_END);
}

bool rip_app_raster_line(struct rip_app_raster *raster, const unsigned char *line)
{
	return raster->inside && !raster->failed && deflate_line(raster, line, Z_NO_FLUSH);
}

bool rip_app_raster_end_page(struct rip_app_raster *raster)
{
	bool ok;
	long length;

	if (!raster->inside)
		return false;
	ok = deflate_line(raster, NULL, Z_FINISH);
	deflateEnd(&raster->deflated);
	raster->inside = false;
	length = ftell(raster->file) - raster->begin;
	fprintf(raster->file, "\nendstream endobj\n");
	begin_object(raster, 3);
	fprintf(raster->file, "%ld endobj\n", length);
	return ok && !ferror(raster->file);
}

/* ---- the file ---- */

bool rip_app_raster_end(struct rip_app_raster *raster)
{
	FILE *file = raster->file;
	const unsigned objects = raster->pages * OBJECTS;
	long catalog, pages, xref;
	unsigned i;

	if (raster->inside || raster->failed)
		return false;
	catalog = ftell(file);
	fprintf(file, "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n");
	pages = ftell(file);
	fprintf(file, "2 0 obj << /Type /Pages /Count %u /Kids [", raster->pages);
	for (i = 0; i < raster->pages; i++)
		fprintf(file, " %u 0 R", FIRST + i * OBJECTS);
	fprintf(file, " ] >> endobj\n");
	xref = ftell(file);
	fprintf(file, "xref\n0 %u\n0000000000 65535 f \n%010ld 00000 n \n%010ld 00000 n \n",
		FIRST + objects, catalog, pages);
	for (i = 0; i < objects; i++)
		fprintf(file, "%010ld 00000 n \n", raster->offsets[i]);
	fprintf(file, "trailer << /Root 1 0 R /Size %u >>\nstartxref\n%ld\n%%%%EOF\n",
		FIRST + objects, xref);
	return fflush(file) == 0 && !ferror(file);
}

unsigned rip_app_raster_pages(const struct rip_app_raster *raster)
{
	return raster ? raster->pages : 0;
}

const char *rip_app_raster_file(const struct rip_app_raster *raster)
{
	return raster->path;
}

void rip_app_raster_free(struct rip_app_raster *raster)
{
	if (!raster)
		return;
	if (raster->inside)
		deflateEnd(&raster->deflated);
	if (raster->file) {
		fclose(raster->file);
		unlink(raster->path);
	}
	free(raster->offsets);
	free(raster);
}
