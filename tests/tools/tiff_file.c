/* TIFF files for tests. */
#include "tests/tools/tiff_file.h"

#include <stdlib.h>
#include <string.h>

bool tiff_has_compression(uint16_t compression, uint32_t bits)
{
	switch (compression) {
	case COMPRESSION_CCITTRLE:
	case COMPRESSION_CCITTFAX3:
	case COMPRESSION_CCITTFAX4:
		return bits == 1 && TIFFIsCODECConfigured(compression);
	case COMPRESSION_JPEG:
		return bits == 8 && TIFFIsCODECConfigured(compression);
	case COMPRESSION_LERC:
		return bits >= 8 && TIFFIsCODECConfigured(compression);
	default:
		return TIFFIsCODECConfigured(compression);
	}
}

/* A rectangle of the page: a tile or a strip. */
struct block {
	uint32_t x, y, width, height;
	uint32_t first, planes;
	size_t   line; /* bytes */
};

static uint16_t *sample_of(const struct tiff_picture *picture, uint32_t plane, uint32_t y,
			   uint32_t x)
{
	return &picture->samples[((size_t)plane * picture->height + y) * picture->width + x];
}

static void put(uint8_t *line, size_t index, uint32_t bits, uint16_t value)
{
	if (bits == 16)
		memcpy(line + 2 * index, &value, 2);
	else if (bits == 8)
		line[index] = (uint8_t)value;
	else
		line[index * bits / 8] |= (uint8_t)(value << (8 - bits - index * bits % 8));
}

static uint16_t take(const uint8_t *line, size_t index, uint32_t bits)
{
	uint16_t value;

	if (bits == 16) {
		memcpy(&value, line + 2 * index, 2);
		return value;
	}
	if (bits == 8)
		return line[index];
	return (uint16_t)(line[index * bits / 8] >> (8 - bits - index * bits % 8) &
			  ((1u << bits) - 1));
}

/* Copies a block to or from the picture. */
static void copy_block(const struct tiff_picture *picture, const struct block *block,
		       uint8_t *bytes, bool to_file)
{
	for (uint32_t i = 0; i < block->height && block->y + i < picture->height; i++)
		for (uint32_t j = 0; j < block->width && block->x + j < picture->width; j++)
			for (uint32_t p = 0; p < block->planes; p++) {
				uint16_t *sample = sample_of(picture, block->first + p,
							     block->y + i, block->x + j);
				const size_t index = (size_t)j * block->planes + p;

				if (to_file)
					put(bytes + i * block->line, index, picture->bits, *sample);
				else
					*sample = take(bytes + i * block->line, index,
						       picture->bits);
			}
}

/* Writes or reads all blocks. */
static bool copy_all(TIFF *tiff, const struct tiff_picture *picture, bool separate, bool to_file)
{
	struct block block = { .width = picture->width, .planes = separate ? 1 : picture->planes };
	const uint32_t groups = separate ? picture->planes : 1;
	const bool tiled = TIFFIsTiled(tiff);
	const size_t size = (size_t)(tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff));
	uint8_t *bytes = malloc(size);
	bool ok = bytes != NULL;

	if (tiled) {
		TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &block.width);
		TIFFGetField(tiff, TIFFTAG_TILELENGTH, &block.height);
	} else {
		TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &block.height);
		block.height = block.height < picture->height ? block.height : picture->height;
	}
	block.line = ((size_t)block.width * block.planes * picture->bits + 7) / 8;
	for (block.first = 0; block.first < groups; block.first++)
		for (block.y = 0; block.y < picture->height; block.y += block.height)
			for (block.x = 0; ok && block.x < picture->width; block.x += block.width) {
				const uint32_t left = picture->height - block.y;
				const uint32_t rows = tiled || left > block.height ? block.height :
										     left;
				const tmsize_t want = (tmsize_t)(rows * block.line);
				const uint16_t plane = (uint16_t)block.first;
				tmsize_t n;

				memset(bytes, 0, size);
				if (to_file)
					copy_block(picture, &block, bytes, true);
				if (tiled && to_file)
					n = TIFFWriteEncodedTile(tiff,
								 TIFFComputeTile(tiff, block.x,
										 block.y, 0, plane),
								 bytes, want);
				else if (tiled)
					n = TIFFReadEncodedTile(tiff,
								TIFFComputeTile(tiff, block.x,
										block.y, 0, plane),
								bytes, want);
				else if (to_file)
					n = TIFFWriteEncodedStrip(tiff,
								  TIFFComputeStrip(tiff, block.y,
										   plane),
								  bytes, want);
				else
					n = TIFFReadEncodedStrip(tiff,
								 TIFFComputeStrip(tiff, block.y,
										  plane),
								 bytes, want);
				ok = n == want;
				if (ok && !to_file)
					copy_block(picture, &block, bytes, false);
			}
	free(bytes);
	return ok;
}

static bool set_description(TIFF *tiff, const struct tiff_layout *layout)
{
	bool ok = true;

	if (layout->names)
		ok = TIFFSetField(tiff, TIFFTAG_INKSET, INKSET_MULTIINK) &&
		     TIFFSetField(tiff, TIFFTAG_INKNAMES, layout->names_size, layout->names);
	if (layout->extra) {
		uint16_t kinds[16] = { EXTRASAMPLE_UNASSALPHA };

		ok = ok && TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, layout->extra, kinds);
	}
	if (layout->resolution[0] > 0)
		ok = ok && TIFFSetField(tiff, TIFFTAG_XRESOLUTION, layout->resolution[0]) &&
		     TIFFSetField(tiff, TIFFTAG_YRESOLUTION, layout->resolution[1]) &&
		     TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, layout->unit);
	if (layout->page_name)
		ok = ok && TIFFSetField(tiff, TIFFTAG_PAGENAME, layout->page_name);
	if (layout->orientation)
		ok = ok && TIFFSetField(tiff, TIFFTAG_ORIENTATION, layout->orientation);
	return ok && TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, layout->kind);
}

bool tiff_picture_write(TIFF *tiff, const struct tiff_picture *picture,
			const struct tiff_layout *layout)
{
	const uint16_t compression = layout->compression ? layout->compression : COMPRESSION_NONE;
	const bool separate = layout->separate && picture->planes > 1;
	bool ok = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, picture->width) &&
		  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, picture->height) &&
		  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, picture->planes) &&
		  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, picture->bits) &&
		  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
			       separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG) &&
		  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, layout->photometric) &&
		  TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression) &&
		  set_description(tiff, layout);

	if (ok && layout->photometric == PHOTOMETRIC_YCBCR)
		ok = TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
	if (ok && layout->tile[0])
		ok = TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout->tile[0]) &&
		     TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout->tile[1]);
	else
		ok = ok && TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout->strip ? layout->strip :
										   picture->height);
	if (layout->predictor &&
	    (compression == COMPRESSION_LZW || compression == COMPRESSION_DEFLATE ||
	     compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_ZSTD ||
	     compression == COMPRESSION_LZMA))
		ok = ok && TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
	if (layout->low_bit_first)
		ok = ok && TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_LSB2MSB);
	return ok && copy_all(tiff, picture, separate, true) && TIFFWriteDirectory(tiff);
}

bool tiff_picture_read(TIFF *tiff, struct tiff_picture *picture)
{
	uint16_t planes = 1, bits = 1, config = PLANARCONFIG_CONTIG;

	TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &picture->width);
	TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &picture->height);
	TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &planes);
	TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
	TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &config);
	picture->planes = planes;
	picture->bits = bits;
	picture->samples = calloc((size_t)planes * picture->width * picture->height,
				  sizeof *picture->samples);
	return picture->samples &&
	       copy_all(tiff, picture, planes > 1 && config == PLANARCONFIG_SEPARATE, false);
}
