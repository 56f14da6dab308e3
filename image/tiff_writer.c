/* Writes pages of dots as TIFF. */
#include "config.h"

#include "tiff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "halftone/engine.h"

#define STRIP_BYTES 262144 /* unless a row has more */

const char *const rip_tiff_compressions[] = {
	[RIP_TIFF_LZW] = "lzw", [RIP_TIFF_PACKBITS] = "packbits", [RIP_TIFF_G4] = "g4",
	[RIP_TIFF_DEFLATE] = "deflate", [RIP_TIFF_NONE] = "none",
	[RIP_TIFF_COMPRESSIONS] = NULL,
};

/* growth: how many times as large as the dots a file may become: a code of 12 bits for each byte
 * in LZW, 12 bits for two dots in G4. */
static const struct {
	uint16_t tag;
	unsigned growth;
} schemes[RIP_TIFF_COMPRESSIONS] = {
	[RIP_TIFF_LZW] = { COMPRESSION_LZW, 2 },
	[RIP_TIFF_PACKBITS] = { COMPRESSION_PACKBITS, 2 },
	[RIP_TIFF_G4] = { COMPRESSION_CCITTFAX4, 7 },
	[RIP_TIFF_DEFLATE] = { COMPRESSION_ADOBE_DEFLATE, 2 },
	[RIP_TIFF_NONE] = { COMPRESSION_NONE, 1 },
};

bool rip_tiff_writer_needs_big(enum rip_tiff_compression compression, uint64_t bytes)
{
	/* The rest is for the directories and the tables of strips. */
	return bytes > 0xf0000000 / schemes[compression].growth;
}

int rip_tiff_writer_open(struct rip_tiff_writer *writer, const struct rip_out_file *file,
			 enum rip_tiff_compression compression, bool big)
{
	*writer = (struct rip_tiff_writer){
		.io = { .name = file->name, .fd = file->fd, .output = file, .strict = true },
		.compression = compression,
	};
	if (!file->target)
		return rip_complain(-ESPIPE, "cannot write %s: TIFF needs a regular file,"
				    " named with -o", file->name);
	if (!TIFFIsCODECConfigured(schemes[compression].tag))
		return rip_complain(-ENOTSUP, "cannot write %s: this libtiff has no compression %s",
				    file->name, rip_tiff_compressions[compression]);
	writer->tiff = rip_tiff_io_open(&writer->io, big ? "wm8" : "wm");
	return writer->tiff ? 0 : writer->io.error;
}

/* The tags about inks.  0 if libtiff refuses one. */
static int set_inks(TIFF *tiff, const struct rip_tiff_dots *dots)
{
	char names[RIP_TIFF_INKS_MAX * RIP_TIFF_NAME_MAX];
	bool cmyk = dots->planes == 4;
	uint32_t size = 0;

	for (uint32_t p = 0; p < dots->planes; p++) {
		cmyk = cmyk && !strcmp(dots->names[p], rip_tiff_cmyk_names[p]);
		size += (uint32_t)(stpcpy(names + size, dots->names[p]) + 1 - (names + size));
	}
	return TIFFSetField(tiff, TIFFTAG_INKSET, cmyk ? INKSET_CMYK : INKSET_MULTIINK) &&
	       TIFFSetField(tiff, TIFFTAG_INKNAMES, size, names);
}

static int set_tags(TIFF *tiff, const struct rip_tiff_tags *tags)
{
	int ok = TIFFSetField(tiff, TIFFTAG_ORIENTATION, tags->orientation);

	if (tags->x_resolution > 0)
		ok = ok && TIFFSetField(tiff, TIFFTAG_XRESOLUTION, tags->x_resolution) &&
		     TIFFSetField(tiff, TIFFTAG_YRESOLUTION, tags->y_resolution) &&
		     TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, tags->unit);
	if (*tags->page_name)
		ok = ok && TIFFSetField(tiff, TIFFTAG_PAGENAME, tags->page_name);
	if (tags->page_number[0] || tags->page_number[1])
		ok = ok && TIFFSetField(tiff, TIFFTAG_PAGENUMBER, tags->page_number[0],
					tags->page_number[1]) &&
		     TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
	return ok;
}

static int set_page(struct rip_tiff_writer *writer)
{
	const struct rip_tiff_dots *dots = &writer->dots;
	TIFF *tiff = writer->tiff;

	return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, dots->width) &&
	       TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, dots->height) &&
	       TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, dots->planes) &&
	       TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, rip_dot_bits(dots->levels)) &&
	       TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
			    dots->planes > 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG) &&
	       TIFFSetField(tiff, TIFFTAG_COMPRESSION, schemes[writer->compression].tag) &&
	       TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
			    dots->inks ? PHOTOMETRIC_SEPARATED : PHOTOMETRIC_MINISBLACK) &&
	       TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, writer->rows) &&
	       TIFFSetField(tiff, TIFFTAG_SOFTWARE, RIP_TIFF_SOFTWARE PACKAGE_VERSION) &&
	       (dots->levels == 2 ||
		TIFFSetField(tiff, TIFFTAG_MAXSAMPLEVALUE, dots->levels - 1)) &&
	       (!dots->inks || set_inks(tiff, dots)) && (!dots->tags || set_tags(tiff, dots->tags));
}

int rip_tiff_writer_begin(struct rip_tiff_writer *writer, const struct rip_tiff_dots *dots)
{
	uint32_t rows;

	writer->dots = *dots;
	writer->line = rip_dot_bytes(dots->width, dots->levels);
	rows = writer->line < STRIP_BYTES ? (uint32_t)(STRIP_BYTES / writer->line) : 1;
	writer->rows = rows < dots->height ? rows : dots->height;
	for (uint32_t p = 0; p < dots->planes; p++) {
		free(writer->strips[p]);
		writer->strips[p] = malloc(writer->rows * writer->line);
		if (!writer->strips[p])
			return rip_complain(-ENOMEM, "%s: out of memory", writer->io.name);
		writer->filled[p] = writer->strip[p] = 0;
	}
	if (!set_page(writer) || rip_tiff_io_is_bad(&writer->io))
		return rip_tiff_io_failed(&writer->io);
	writer->dots.names = NULL;
	writer->dots.tags = NULL;
	return 0;
}

uint8_t *rip_tiff_writer_place(struct rip_tiff_writer *writer, uint32_t plane)
{
	return writer->strips[plane] + writer->filled[plane] * writer->line;
}

static int write_strip(struct rip_tiff_writer *writer, uint32_t plane)
{
	const uint32_t strips = (writer->dots.height - 1) / writer->rows + 1;
	const tmsize_t size = (tmsize_t)(writer->filled[plane] * writer->line);

	if (TIFFWriteEncodedStrip(writer->tiff, plane * strips + writer->strip[plane],
				  writer->strips[plane], size) != size ||
	    rip_tiff_io_is_bad(&writer->io))
		return rip_tiff_io_failed(&writer->io);
	writer->strip[plane]++;
	writer->filled[plane] = 0;
	return 0;
}

int rip_tiff_writer_row(struct rip_tiff_writer *writer, uint32_t plane)
{
	writer->filled[plane]++;
	return writer->filled[plane] < writer->rows ? 0 : write_strip(writer, plane);
}

int rip_tiff_writer_end(struct rip_tiff_writer *writer)
{
	int r = 0;

	for (uint32_t p = 0; r == 0 && p < writer->dots.planes; p++)
		if (writer->filled[p] > 0)
			r = write_strip(writer, p);
	if (r == 0 && (!TIFFWriteDirectory(writer->tiff) || rip_tiff_io_is_bad(&writer->io)))
		r = rip_tiff_io_failed(&writer->io);
	return r;
}

void rip_tiff_writer_finish(struct rip_tiff_writer *writer)
{
	/* Before the end of a page TIFFClose() would write what is there. */
	writer->io.output = NULL;
	writer->io.error = -ECANCELED;
	if (writer->tiff)
		TIFFClose(writer->tiff);
	writer->tiff = NULL;
	for (int p = 0; p < RIP_TIFF_INKS_MAX; p++) {
		free(writer->strips[p]);
		writer->strips[p] = NULL;
	}
}
