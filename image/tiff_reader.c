/*
 * There are three ways to the lines of a page.  Strips without compression are read directly, as
 * many lines at a time as the file has one after the other.  Compressed strips are decoded line
 * by line; each of several separate planes has a TIFF of its own, because libtiff starts
 * a strip again when it comes back from another.  Tiles are decoded a row of tiles at a time.
 */
#include "config.h"

#include "tiff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"

enum tiff_access { DIRECT, DECODED, TILED };

struct rip_tiff_reader {
	struct rip_input *input;
	struct rip_tiff_page page;
	bool     takes_rgb;
	bool     began;    /* the first page was returned */
	enum tiff_access access;
	bool     swap;     /* samples are in the other byte order */
	uint32_t groups;   /* planes that are separate, or 1 */
	size_t   line;     /* bytes in the file */
	uint8_t *narrow;   /* a line of samples of 2 or 4 bits; NULL: they have others */
	uint32_t block;    /* rows of a strip or tile */
	uint32_t row[RIP_TIFF_INKS_MAX]; /* the next one, of each group */
	uint32_t tile_width;
	uint8_t *tile;     /* decoded */
	uint8_t *tiles[RIP_TIFF_INKS_MAX]; /* a row of them, as lines, of each group */
	/* The file as the groups see it; without separate planes only the first one. */
	TIFF    *files[RIP_TIFF_INKS_MAX];
	struct rip_tiff_io io[RIP_TIFF_INKS_MAX];
};

int rip_tiff_reader_open(struct rip_input *input, bool takes_rgb, struct rip_tiff_reader **out)
{
	struct rip_tiff_reader *reader;

	*out = NULL;
	if (lseek(input->fd, 0, SEEK_CUR) < 0)
		return rip_complain(-ESPIPE, "%s: TIFF cannot be read from a pipe: name a file",
				    input->name);
	reader = calloc(1, sizeof *reader);
	if (!reader)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	reader->input = input;
	reader->takes_rgb = takes_rgb;
	for (int i = 0; i < RIP_TIFF_INKS_MAX; i++)
		reader->io[i] = (struct rip_tiff_io){ .name = input->name, .fd = input->fd };
	/* m: no mapping, because a file that shrinks would end the process.  O: offsets of strips
	 * are read when they are needed. */
	reader->files[0] = rip_tiff_io_open(&reader->io[0], "rmO");
	if (!reader->files[0]) {
		const int r = reader->io[0].error;

		rip_tiff_reader_close(reader);
		return r;
	}
	*out = reader;
	return 0;
}

static void finish_page(struct rip_tiff_reader *reader)
{
	for (int i = 0; i < RIP_TIFF_INKS_MAX; i++) {
		if (i > 0 && reader->files[i]) {
			TIFFClose(reader->files[i]);
			reader->files[i] = NULL;
		}
		free(reader->tiles[i]);
		reader->tiles[i] = NULL;
		reader->row[i] = 0;
	}
	free(reader->tile);
	reader->tile = NULL;
	free(reader->narrow);
	reader->narrow = NULL;
}

void rip_tiff_reader_close(struct rip_tiff_reader *reader)
{
	if (!reader)
		return;
	finish_page(reader);
	if (reader->files[0])
		TIFFClose(reader->files[0]);
	free(reader);
}

/* --- the three ways --------------------------------------------------------- */

static int no_memory(const struct rip_tiff_reader *reader)
{
	return rip_complain(-ENOMEM, "%s: out of memory", reader->input->name);
}

static int wrong_size(const struct rip_tiff_reader *reader)
{
	return rip_complain(-EBADMSG, "%s: the compression of this TIFF file gives other samples"
			    " than its tags say", reader->input->name);
}

static int begin_tiles(struct rip_tiff_reader *reader)
{
	TIFF *tiff = reader->files[0];
	const struct rip_tiff_page *page = &reader->page;
	const uint64_t samples = page->separate ? 1 : page->planes;
	uint64_t line;

	if (!TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &reader->tile_width) ||
	    !TIFFGetField(tiff, TIFFTAG_TILELENGTH, &reader->block) ||
	    reader->tile_width == 0 || reader->tile_width % 16 || reader->block == 0)
		return rip_complain(-EBADMSG, "%s: damaged TIFF: it has no valid size of tiles",
				    reader->input->name);
	line = reader->tile_width * samples * page->file_bits / 8;
	if (line * reader->block > RIP_TIFF_BYTES_MAX ||
	    (uint64_t)reader->line * reader->groups * reader->block > RIP_TIFF_TILE_ROW_MAX)
		return rip_complain(-EFBIG, "%s has tiles of %u x %u pixels, which take too much"
				    " memory: make them smaller (tiffcp -t -w 256 -l 256)",
				    reader->input->name, reader->tile_width, reader->block);
	if (TIFFTileRowSize64(tiff) != line || TIFFTileSize64(tiff) != line * reader->block)
		return wrong_size(reader);
	reader->tile = malloc(line * reader->block);
	if (!reader->tile)
		return no_memory(reader);
	for (uint32_t i = 0; i < reader->groups; i++) {
		reader->tiles[i] = malloc(reader->line * reader->block);
		if (!reader->tiles[i])
			return no_memory(reader);
	}
	return 0;
}

/* Decodes the row of tiles that begins in this row. */
static int read_tiles(struct rip_tiff_reader *reader, uint32_t group, uint32_t row)
{
	struct rip_tiff_io *io = &reader->io[0];
	TIFF *tiff = reader->files[0];
	const struct rip_tiff_page *page = &reader->page;
	const uint32_t left = page->height - row;
	const uint32_t rows = left < reader->block ? left : reader->block;
	const size_t tile_line = (size_t)reader->tile_width * (page->separate ? 1 : page->planes) *
				 page->file_bits / 8;
	const tmsize_t size = (tmsize_t)tile_line * reader->block;
	size_t at = 0;

	for (uint64_t x = 0; x < page->width; x += reader->tile_width, at += tile_line) {
		const size_t bytes = reader->line - at < tile_line ? reader->line - at : tile_line;
		const uint32_t tile = TIFFComputeTile(tiff, (uint32_t)x, row, 0, (uint16_t)group);

		if (TIFFReadEncodedTile(tiff, tile, reader->tile, size) != size ||
		    rip_tiff_io_is_bad(io))
			return rip_tiff_io_failed(io);
		for (uint32_t i = 0; i < rows; i++)
			memcpy(reader->tiles[group] + i * reader->line + at,
			       reader->tile + i * tile_line, bytes);
	}
	return 0;
}

static int tiled_line(struct rip_tiff_reader *reader, uint32_t group, uint8_t *to)
{
	const uint32_t row = reader->row[group];
	int r = row % reader->block ? 0 : read_tiles(reader, group, row);

	if (r == 0)
		memcpy(to, reader->tiles[group] + row % reader->block * reader->line, reader->line);
	return r;
}

static int begin_decoding(struct rip_tiff_reader *reader)
{
	if (TIFFScanlineSize64(reader->files[0]) != reader->line)
		return wrong_size(reader);
	for (uint32_t i = 1; i < reader->groups; i++) {
		rip_tiff_io_set_strict(&reader->io[i], false);
		reader->files[i] = rip_tiff_io_open(&reader->io[i], "rmO");
		if (!reader->files[i] ||
		    !TIFFSetSubDirectory(reader->files[i], TIFFCurrentDirOffset(reader->files[0])))
			return rip_tiff_io_failed(&reader->io[i]);
		rip_tiff_io_set_strict(&reader->io[i], true);
	}
	return 0;
}

static int decoded_line(struct rip_tiff_reader *reader, uint32_t group, uint8_t *to)
{
	struct rip_tiff_io *io = &reader->io[group];
	TIFF *tiff = reader->files[group];

	if (TIFFReadScanline(tiff, to, reader->row[group], (uint16_t)group) != 1 ||
	    rip_tiff_io_is_bad(io))
		return rip_tiff_io_failed(io);
	return 0;
}

/* Where a line of an uncompressed strip begins.  0 or -errno. */
static int find_line(struct rip_tiff_reader *reader, uint32_t group, uint32_t row, uint32_t lines,
		     uint64_t *offset)
{
	const uint32_t strips = (reader->page.height - 1) / reader->block + 1;
	const uint64_t strip = (uint64_t)group * strips + row / reader->block;
	const uint64_t before = (uint64_t)(row % reader->block) * reader->line;
	TIFF *tiff = reader->files[0];
	int wrong = strip >= TIFFNumberOfStrips(tiff), more = 0;

	if (!wrong) {
		*offset = TIFFGetStrileOffsetWithErr(tiff, (uint32_t)strip, &wrong) + before;
		wrong |= TIFFGetStrileByteCountWithErr(tiff, (uint32_t)strip, &more) <
			 before + (uint64_t)lines * reader->line;
		wrong |= more || *offset < before || *offset > (uint64_t)INT64_MAX / 2;
	}
	if (rip_tiff_io_is_bad(&reader->io[0]))
		return rip_tiff_io_failed(&reader->io[0]);
	return !wrong ? 0 : rip_complain(-EBADMSG, "%s: damaged TIFF: row %u is not in the file",
					 reader->input->name, row + 1);
}

/* Reads at least one line, and as many of `most` as follow each other in the file.  Returns their
 * number or -errno. */
static int64_t direct_lines(struct rip_tiff_reader *reader, uint32_t group, uint32_t most,
			    uint8_t *to)
{
	struct rip_tiff_io *io = &reader->io[0];
	const uint32_t row = reader->row[group];
	uint32_t lines = 0;
	uint64_t start = 0;
	ssize_t n;

	while (lines < most) {
		const uint32_t in_strip = reader->block - (row + lines) % reader->block;
		const uint32_t more = most - lines < in_strip ? most - lines : in_strip;
		uint64_t offset = 0;
		int r = find_line(reader, group, row + lines, more, &offset);

		if (r < 0)
			return r;
		if (lines == 0)
			start = offset;
		else if (offset != start + (uint64_t)lines * reader->line)
			break;
		lines += more;
	}
	n = rip_input_read_at(io->fd, io->name, to, lines * reader->line, (off_t)start);
	if (n < 0)
		return n;
	if ((size_t)n < lines * reader->line)
		return rip_complain(-EBADMSG, "%s is truncated: it ends in row %u of %u", io->name,
				    row + 1 + (uint32_t)((size_t)n / reader->line),
				    reader->page.height);
	if (reader->swap)
		TIFFSwabArrayOfShort((uint16_t *)(void *)to, (tmsize_t)(lines * reader->line / 2));
	return lines;
}

/* --- pages ------------------------------------------------------------------- */

static size_t line_in_file(const struct rip_tiff_page *page)
{
	const uint64_t samples = (uint64_t)page->width * (page->separate ? 1 : page->planes);

	return (size_t)((samples * page->file_bits + 7) / 8);
}

static int begin_page(struct rip_tiff_reader *reader)
{
	TIFF *tiff = reader->files[0];
	struct rip_tiff_io *io = &reader->io[0];
	uint16_t compression = COMPRESSION_NONE, order = FILLORDER_MSB2LSB, photometric = 0;
	bool plain;
	int r = rip_tiff_page_describe(&reader->page, tiff, io, reader->takes_rgb);

	if (r < 0)
		return r;
	rip_tiff_io_set_strict(io, true);
	TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
	TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
	if (!TIFFIsCODECConfigured(compression))
		return rip_complain(-ENOTSUP, "%s: this libtiff cannot decode"
				    " TIFF's compression %u", io->name, compression);
	TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
	if (photometric == PHOTOMETRIC_YCBCR && compression != COMPRESSION_JPEG)
		return rip_complain(-EBADMSG, "%s has YCbCr colours: convert it to RGB", io->name);
	if (photometric == PHOTOMETRIC_YCBCR)
		TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
	reader->groups = reader->page.separate ? reader->page.planes : 1;
	reader->line = line_in_file(&reader->page);
	reader->swap = reader->page.bits == 16 && TIFFIsByteSwapped(tiff);
	if (!TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &reader->block) ||
	    reader->block > reader->page.height)
		reader->block = reader->page.height;
	plain = compression == COMPRESSION_NONE && order == FILLORDER_MSB2LSB && reader->block > 0;
	reader->access = TIFFIsTiled(tiff) ? TILED : plain ? DIRECT : DECODED;
	if (reader->page.bits != reader->page.file_bits) {
		reader->narrow = malloc(reader->line);
		if (!reader->narrow)
			return no_memory(reader);
	}
	r = reader->access == TILED ? begin_tiles(reader) :
	    reader->access == DECODED ? begin_decoding(reader) : 0;
	return r == 0 && rip_tiff_io_is_bad(io) ? rip_tiff_io_failed(io) : r;
}

/* Whether the current directory is a page, and not a preview or a mask of one. */
static bool is_page(const struct rip_tiff_reader *reader)
{
	uint32_t kind = 0;

	TIFFGetFieldDefaulted(reader->files[0], TIFFTAG_SUBFILETYPE, &kind);
	return !(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
}

int rip_tiff_reader_next(struct rip_tiff_reader *reader, const struct rip_tiff_page **page)
{
	struct rip_tiff_io *io = &reader->io[0];
	int r;

	finish_page(reader);
	*page = &reader->page;
	rip_tiff_io_set_strict(io, false);
	do {
		if (reader->began && TIFFLastDirectory(reader->files[0]))
			return 0;
		if (reader->began && !TIFFReadDirectory(reader->files[0]))
			return rip_tiff_io_failed(io);
		reader->began = true;
	} while (!is_page(reader));
	r = begin_page(reader);
	return r < 0 ? r : 1;
}

int rip_tiff_reader_rewind(struct rip_tiff_reader *reader)
{
	finish_page(reader);
	reader->began = false;
	rip_tiff_io_set_strict(&reader->io[0], false);
	return TIFFSetDirectory(reader->files[0], 0) ? 0 : rip_tiff_io_failed(&reader->io[0]);
}

void rip_tiff_reader_warn(struct rip_tiff_reader *reader)
{
	struct rip_tiff_io *io = &reader->io[0];

	if (*io->warning)
		rip_complain(0, "%s: warning: %s", io->name, io->warning);
	*io->warning = '\0';
}

static void invert(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)~bytes[i];
}

/* Makes samples of 2 or 4 bits bytes. */
static void widen(const uint8_t *from, uint32_t bits, uint8_t *to, size_t samples)
{
	const uint32_t in_byte = 8 / bits, most = (1u << bits) - 1;

	for (size_t i = 0; i < samples; i++) {
		const uint32_t right = 8 - bits * (uint32_t)(i % in_byte + 1);

		to[i] = (uint8_t)((from[i / in_byte] >> right & most) * (255 / most));
	}
}

/* Reads at most so many lines as they are in the file; returns how many, or -errno. */
static int64_t read_some(struct rip_tiff_reader *reader, uint32_t plane, uint32_t lines,
			 uint8_t *to)
{
	int r;

	if (reader->access == DIRECT)
		return direct_lines(reader, plane, lines, to);
	r = reader->access == TILED ? tiled_line(reader, plane, to) :
				      decoded_line(reader, plane, to);
	return r < 0 ? r : 1;
}

int rip_tiff_reader_lines(struct rip_tiff_reader *reader, uint32_t plane, uint32_t lines, void *to)
{
	const size_t line = rip_tiff_page_line(&reader->page);
	uint8_t *at = to;

	while (lines > 0) {
		const int64_t n = reader->narrow ? read_some(reader, plane, 1, reader->narrow) :
						   read_some(reader, plane, lines, at);

		if (n < 0)
			return (int)n;
		if (reader->narrow)
			widen(reader->narrow, reader->page.file_bits, at, line);
		if (reader->page.inverted)
			invert(at, (size_t)n * line);
		reader->row[plane] += (uint32_t)n;
		lines -= (uint32_t)n;
		at += (size_t)n * line;
	}
	return 0;
}
