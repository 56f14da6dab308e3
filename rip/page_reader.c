#include "page_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/rows.h"
#include "system/refuse.h"

/* Bytes of chunked pixels that are read at once and split while they are in the cache. */
#define CHUNKED_BYTES (128u << 10)

static unsigned samples_of(const struct rip_page_reader *reader)
{
	return reader->gs->samples;
}

int rip_page_reader_check(struct rip_gs *gs, const struct rip_placed_page *placed)
{
	const unsigned samples = gs->samples;
	bool valid = placed->contone || placed->page.planes == samples;
	unsigned used = 0; /* a bit for each sample */

	for (unsigned p = 0; valid && p < samples && !placed->contone; p++) {
		const unsigned sample = placed->sources[p].sample;

		valid = sample < samples && !(used & 1u << sample);
		used |= valid ? 1u << sample : 0;
	}
	return valid ? 0 : rip_refuse(gs->why, sizeof gs->why,
				      "%u planes cannot be made of %u samples",
				      placed->page.planes, samples);
}

/* From light to ink.  In words, because it touches every sample of a grey page. */
static void invert(uint8_t *row, size_t n)
{
	size_t i = 0;

	for (; n - i >= 32; i += 32) {
		uint64_t words[4];

		memcpy(words, row + i, 32);
		words[0] = ~words[0];
		words[1] = ~words[1];
		words[2] = ~words[2];
		words[3] = ~words[3];
		memcpy(row + i, words, 32);
	}
	for (; i < n; i++)
		row[i] = (uint8_t)~row[i];
}

static bool is_banded(const struct rip_page_reader *reader)
{
	return reader->gs->config.contone == RIP_CONTONE_SEPARATIONS;
}

/* Rows of each ink, into their places. */
static int read_separations(struct rip_page_reader *reader, uint8_t *to, uint32_t lines)
{
	const size_t width = reader->placed->page.width;
	const unsigned samples = samples_of(reader);
	int r = 0;

	for (uint32_t i = 0; i < lines; i++, to += width * samples)
		for (unsigned p = 0; r == 0 && p < samples; p++) {
			uint8_t *row = to + width * reader->gs->separations.order[p];

			r = rip_renderer_of(reader->gs)->read(reader->gs, row, width);
			if (r == 0)
				invert(row, width);
		}
	return r;
}

/* Reads lines of pixels as Ghostscript has drawn them, or with black ink alone. */
static int read_from_gs(void *context, void *to, uint32_t lines)
{
	struct rip_page_reader *reader = context;
	const uint32_t width = reader->placed->page.width;
	const size_t line = (size_t)width * samples_of(reader);
	uint8_t *at = to;
	int r = 0;

	if (is_banded(reader))
		return read_separations(reader, to, lines);
	for (; lines > 0 && reader->kept.rows > 0; lines--, at += line)
		rip_kept_rows_take(&reader->kept, at, width);
	if (lines > 0)
		r = rip_renderer_of(reader->gs)->read(reader->gs, at, lines * line);
	if (r == 0 && reader->grey)
		rip_greys_blacken(&reader->gs->greys, at, (size_t)lines * width);
	return r;
}

/* Makes what a page's samples go through, in place of that of the page before. */
static int begin_around(struct rip_page_reader *reader)
{
	const struct rip_placed_page *placed = reader->placed;
	const unsigned samples = samples_of(reader);
	const bool banded = is_banded(reader);
	const struct rip_around_lines lines = {
		.samples = placed->page.width * (banded ? 1 : samples),
		.stride = banded ? 1 : samples, .rows = banded ? samples : 1,
		.sample_bits = 8, .height = placed->page.height,
		.read = read_from_gs, .context = reader,
	};

	rip_around_free(reader->around);
	return rip_around_new(&placed->around, &lines, &reader->around);
}

int rip_page_reader_begin(struct rip_page_reader *reader, struct rip_gs *gs,
			  const struct rip_placed_page *placed)
{
	reader->gs = gs;
	reader->placed = placed;
	reader->ready = 0;
	reader->left = placed->page.height;
	rip_kept_rows_finish(&reader->kept);
	reader->chunked_size = (size_t)placed->page.width * samples_of(reader);
	if (reader->chunked_size < CHUNKED_BYTES)
		reader->chunked_size = CHUNKED_BYTES;
	free(reader->chunked);
	reader->chunked = malloc(reader->chunked_size);
	return reader->chunked ? begin_around(reader) : -ENOMEM;
}

/* The next line of pixels, which is read together with the next ones that fit. */
static int next_line(struct rip_page_reader *reader, const uint8_t **next)
{
	const size_t line = (size_t)reader->placed->page.width * samples_of(reader);

	if (reader->around)
		return rip_around_line(reader->around, next);
	if (reader->ready == 0) {
		const uint64_t most = reader->chunked_size / line;
		const uint32_t lines = (uint32_t)(reader->left < most ? reader->left : most);
		int r = read_from_gs(reader, reader->chunked, lines);

		if (r < 0)
			return r;
		reader->left -= lines;
		reader->ready = reader->fill = lines;
	}
	*next = reader->chunked + (reader->fill - reader->ready--) * line;
	return 0;
}

/* Reads a line and splits it. */
static int read_chunked(struct rip_page_reader *reader, void *const rows[])
{
	const struct rip_placed_page *placed = reader->placed;
	const unsigned samples = samples_of(reader);
	void *split[RIP_CONTONE_SAMPLES_MAX] = { NULL };
	const uint8_t *line = NULL;
	int r = next_line(reader, &line);

	if (r < 0)
		return r;
	for (uint32_t p = 0; p < placed->page.planes; p++)
		split[placed->sources[p].sample] = rows[p];
	if (is_banded(reader)) {
		for (unsigned i = 0; i < samples; i++)
			memcpy(split[i], line + i * (size_t)placed->page.width,
			       placed->page.width);
		return 0;
	}
	rip_split(line, placed->page.width, samples, 8, split, samples);
	return 0;
}

/* Reads lines of one plane into its rows. */
static int read_rows(struct rip_page_reader *reader, void *const rows[], uint32_t lines)
{
	return reader->around ? rip_around_rows(reader->around, rows, 1, lines) :
				read_from_gs(reader, rows[0], lines);
}

/* Whether a row that was read has no colours. */
static bool is_grey(struct rip_page_reader *reader)
{
	struct rip_gs *gs = reader->gs;

	return rip_renderer_of(gs) == &rip_overprint ? !gs->coloured :
	       rip_greys_row(&gs->greys, reader->row, reader->placed->page.width);
}

int rip_page_reader_decide(struct rip_page_reader *reader, size_t limit)
{
	const struct rip_gs_config *config = &reader->gs->config;
	const uint32_t width = reader->placed->page.width, height = reader->placed->page.height;
	const size_t line = (size_t)width * samples_of(reader);
	bool grey = true, keeps = true;
	int r = 0;

	if (!config->auto_monochrome || config->contone != RIP_CONTONE_CMYK || reader->decided)
		return 0;
	free(reader->row);
	reader->row = malloc(line);
	if (!reader->row)
		return rip_refuse_as(-ENOMEM, reader->gs->why, sizeof reader->gs->why, "%s",
				     strerror(ENOMEM));
	for (uint32_t y = 0; r == 0 && y < height && (grey || !keeps); y++) {
		r = rip_renderer_of(reader->gs)->read(reader->gs, reader->row, line);
		if (r == 0 && grey)
			grey = is_grey(reader);
		if (r == 0 && keeps) {
			r = rip_kept_rows_put(&reader->kept, reader->row, width, limit);
			keeps = r == 0;
			r = 0;
		}
	}
	reader->decided = r == 0;
	reader->grey = r == 0 && grey;
	if (reader->grey)
		rip_kept_rows_blacken(&reader->kept, &reader->gs->greys);
	return r < 0 ? r : keeps ? 0 : RIP_READER_AGAIN;
}

int rip_page_reader_lines(struct rip_page_reader *reader, void *const rows[], uint32_t lines)
{
	const struct rip_placed_page *placed = reader->placed;
	const size_t bytes = (size_t)lines * placed->page.width;
	int r = placed->page.planes > 1 ? read_chunked(reader, rows) :
					  read_rows(reader, rows, lines);

	for (uint32_t p = 0; r == 0 && p < placed->page.planes; p++)
		if (placed->sources[p].invert)
			invert(rows[p], bytes);
	return r;
}

int rip_page_reader_pixels(struct rip_page_reader *reader, void *pixels, uint32_t lines)
{
	reader->left -= lines;
	return read_from_gs(reader, pixels, lines);
}

int rip_page_reader_ink(struct rip_page_reader *reader, uint8_t *line)
{
	const size_t bytes = (size_t)reader->placed->page.width * samples_of(reader);
	const uint8_t *pixels = NULL;
	int r = next_line(reader, &pixels);

	if (r < 0)
		return r;
	memcpy(line, pixels, bytes);
	if (reader->gs->config.contone != RIP_CONTONE_CMYK)
		invert(line, bytes);
	return 0;
}

bool rip_page_reader_has_pixels(const struct rip_page_reader *reader)
{
	const struct rip_placed_page *placed = reader->placed;
	bool plain = placed->page.planes > 1 && !reader->around && !is_banded(reader);

	for (uint32_t p = 0; p < placed->page.planes; p++)
		plain &= placed->sources[p].sample == p && !placed->sources[p].invert;
	return plain;
}

void rip_page_reader_finish(struct rip_page_reader *reader)
{
	free(reader->chunked);
	free(reader->row);
	rip_kept_rows_finish(&reader->kept);
	rip_around_free(reader->around);
	memset(reader, 0, sizeof *reader);
}
