/* A band: rows in, strips for an engine, dots out. */
#include "band.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ink_limit.h"
#include "rows.h"
#include "transparent.h"

#define ALIGN 64

/* Pixels that are split at once, to see in which planes a line is grey: these blocks of all planes
 * stay in the nearest cache. */
#define BLOCK 256

/* In `where`: the row is grey. */
#define GREY 0x80000000u

struct plane {
	uint8_t  *own;    /* memory for all rows */
	uint8_t  *in;     /* grey rows, and behind them the next row: there or elsewhere */
	uint8_t  *dots;   /* transparent rows from the front, grey rows from the end:
			     together they are never more than all rows */
	uint32_t *where;  /* for each row: its number among the grey or the other rows */
	uint32_t *numbers; /* for each grey row: its number on the page, */
	uint16_t *lines;   /* and with pixels its line */
	const uint8_t *lent; /* the caller's rows instead of `in`; NULL: none */
	ptrdiff_t lent_pitch;
	uint32_t  first;  /* number of its first row on the page */
	uint32_t  rows;   /* committed */
	uint32_t  grey;   /* of these, in `in`: grey; of coupled planes also those after `sifted` */
};

struct rip_band {
	struct rip_page_spec spec;
	struct rip_tone      tone;
	uint32_t             capacity;
	bool                 couples; /* the screen couples the planes: */
	uint32_t             sifted;  /* of so many rows, those that are transparent in all planes
					 are dropped, */
	uint32_t             kept;    /* and so many are left */
	size_t               in_pitch, out_pitch;
	uint8_t             *lines;  /* of pixels; NULL: there are rows of planes */
	struct rip_pixels    pixels; /* of these lines, count of which are kept */
	struct plane         planes[];
};

static size_t row_bytes(const struct rip_page_spec *spec)
{
	return (size_t)spec->width * (spec->sample_bits / 8);
}

/* Rows have no gaps, so that many can be read at once; but rows at multiples of 1024 bytes
 * would share few sets of the caches. */
size_t rip_band_pitch(const struct rip_page_spec *spec)
{
	const size_t bytes = row_bytes(spec);

	return bytes % 1024 == 0 ? bytes + ALIGN : bytes;
}

static size_t plane_room(const struct rip_page_spec *spec, uint32_t rows)
{
	return rip_round_up(rows * rip_band_pitch(spec));
}

size_t rip_band_room_size(const struct rip_page_spec *spec, uint32_t rows)
{
	return spec->planes * plane_room(spec, rows);
}

static uint64_t plane_size(const struct rip_page_spec *spec, uint32_t rows)
{
	return (uint64_t)rows * (rip_band_pitch(spec) + rip_dot_bytes(spec->width, spec->levels) +
			       2 * sizeof(uint32_t));
}

uint64_t rip_band_size(const struct rip_page_spec *spec, uint32_t rows)
{
	return sizeof(struct rip_band) +
	       spec->planes * (sizeof(struct plane) + plane_size(spec, rows));
}

int rip_band_new(const struct rip_page_spec *spec, uint32_t rows, struct rip_band **out)
{
	struct rip_band *band;
	int r = rip_page_spec_check(spec);

	*out = NULL;
	if (r < 0 || rows < 1 || rows > RIP_WIDTH_MAX)
		return -EINVAL;
	/* On 32 bits; all products below are part of it. */
	if (rip_band_size(spec, rows) > PTRDIFF_MAX)
		return -ENOMEM;
	band = calloc(1, sizeof *band + spec->planes * sizeof band->planes[0]);
	if (!band)
		return -ENOMEM;
	band->spec = *spec;
	band->spec.curve = NULL;
	band->couples = rip_screen_couples(spec->screen) && spec->planes > 1;
	band->capacity = rows;
	band->in_pitch = rip_band_pitch(spec);
	band->out_pitch = rip_dot_bytes(spec->width, spec->levels);
	r = rip_tone_init(&band->tone, spec);
	for (uint32_t i = 0; r == 0 && i < spec->planes; i++) {
		struct plane *plane = &band->planes[i];

		plane->own = plane->in = aligned_alloc(ALIGN, plane_room(spec, rows));
		plane->dots = malloc(rows * band->out_pitch);
		plane->where = malloc(rows * sizeof *plane->where);
		plane->numbers = malloc(rows * sizeof *plane->numbers);
		if (!plane->own || !plane->dots || !plane->where || !plane->numbers)
			r = -ENOMEM;
	}
	if (r < 0) {
		rip_band_free(band);
		return r;
	}
	*out = band;
	return 0;
}

void rip_band_free(struct rip_band *band)
{
	if (!band)
		return;
	for (uint32_t i = 0; i < band->spec.planes; i++) {
		free(band->planes[i].own);
		free(band->planes[i].dots);
		free(band->planes[i].where);
		free(band->planes[i].numbers);
	}
	rip_tone_finish(&band->tone);
	free(band);
}

void rip_band_reset(struct rip_band *band, uint32_t first_row)
{
	band->lines = NULL;
	band->pixels.limit = NULL;
	for (uint32_t i = 0; i < band->spec.planes; i++) {
		band->planes[i].in = band->planes[i].own;
		rip_band_start_plane(band, i, first_row);
	}
}

void rip_band_start_plane(struct rip_band *band, uint32_t plane, uint32_t first_row)
{
	band->sifted = band->kept = 0;
	band->planes[plane].first = first_row;
	band->planes[plane].rows = band->planes[plane].grey = 0;
	band->planes[plane].lent = NULL;
}

void rip_band_move_to(struct rip_band *band, void *memory)
{
	const size_t room = plane_room(&band->spec, band->capacity);

	for (uint32_t i = 0; i < band->spec.planes; i++)
		band->planes[i].in = (uint8_t *)memory + i * room;
}

size_t rip_band_pixels_size(const struct rip_page_spec *spec, uint32_t rows, size_t pitch)
{
	return rip_round_up(rows * pitch) + spec->planes * rip_round_up(rows * sizeof(uint16_t));
}

void rip_band_move_to_pixels(struct rip_band *band, void *memory, size_t pitch, uint32_t step,
			     const struct rip_ink_limit *limit)
{
	uint8_t *numbers = (uint8_t *)memory + rip_round_up(band->capacity * pitch);
	const size_t room = rip_round_up(band->capacity * sizeof(uint16_t));

	band->lines = memory;
	band->pixels = (struct rip_pixels){
		.lines = memory, .pitch = pitch, .step = step, .limit = limit,
	};
	for (uint32_t i = 0; i < band->spec.planes; i++)
		band->planes[i].lines = (uint16_t *)(void *)(numbers + i * room);
}

/* The bytes of a sample of pixels. */
static size_t pixel_bytes(const struct rip_page_spec *spec, const struct rip_ink_limit *limit)
{
	return limit ? 1 : spec->sample_bits / 8;
}

/* Takes at most BLOCK pixels apart, as the rows of planes have them: to[i] for plane i. */
static void split_block(const struct rip_page_spec *spec, const struct rip_ink_limit *limit,
			const uint8_t *at, uint32_t count, uint32_t step, void *const to[])
{
	const bool curves = limit && spec->sample_bits == 16;
	uint8_t samples[RIP_PLANES_MAX][BLOCK];
	void *places[RIP_PLANES_MAX];

	for (uint32_t i = 0; i < spec->planes; i++)
		places[i] = curves ? samples[i] : to[i];
	rip_split(at, count, step, limit ? 8 : spec->sample_bits, places, spec->planes);
	if (limit && limit->most > 0)
		rip_ink_limit_apply(limit, places, count);
	for (uint32_t i = 0; curves && i < spec->planes; i++)
		rip_tone_row(limit->curves[i], 8, samples[i], count, to[i]);
}

/* The same with a whole line. */
static void split_line(const struct rip_page_spec *spec, const struct rip_ink_limit *limit,
		       const uint8_t *line, uint32_t step, void *const to[])
{
	const size_t bytes = pixel_bytes(spec, limit);
	void *places[RIP_PLANES_MAX];

	if (!limit) {
		rip_split(line, spec->width, step, spec->sample_bits, to, spec->planes);
		return;
	}
	for (uint32_t j = 0; j < spec->width; j += BLOCK) {
		for (uint32_t i = 0; i < spec->planes; i++)
			places[i] = (uint8_t *)to[i] + j * (spec->sample_bits / 8);
		split_block(spec, limit, line + j * step * bytes,
			    spec->width - j < BLOCK ? spec->width - j : BLOCK, step, places);
	}
}

/* Rows of planes are taken out of pixels: those of planes[i], rows[i] of them, go to to[i], a pitch
 * apart.  There is room for one more row, unless a plane has one in each line. */
static void split(const struct rip_page_spec *spec, const struct rip_pixels *pixels,
		  const uint16_t *const numbers[], const uint32_t rows[], uint8_t *const to[],
		  size_t pitch)
{
	uint32_t next[RIP_PLANES_MAX] = { 0 };
	void *places[RIP_PLANES_MAX];

	for (uint32_t line = 0; line < pixels->count; line++) {
		for (uint32_t i = 0; i < spec->planes; i++)
			places[i] = to[i] + next[i] * pitch;
		split_line(spec, pixels->limit,
			   (const uint8_t *)pixels->lines + line * pixels->pitch, pixels->step,
			   places);
		for (uint32_t i = 0; i < spec->planes; i++)
			next[i] += next[i] < rows[i] && numbers[i][next[i]] == line;
	}
}

/* Bytes for so many rows of a plane, and for one more. */
static size_t split_room(const struct rip_page_spec *spec, uint32_t rows)
{
	return plane_room(spec, rows + 1);
}

size_t rip_pixels_split_size(const struct rip_page_spec *spec, const struct rip_strip *strips,
			     unsigned count)
{
	size_t size = (spec->planes - count) * split_room(spec, 0);

	for (unsigned i = 0; i < count; i++)
		size += split_room(spec, strips[i].rows);
	return size;
}

void rip_pixels_split(const struct rip_page_spec *spec, struct rip_strip *strips, unsigned count,
		      void *memory)
{
	const struct rip_pixels *pixels = strips[0].pixels;
	const uint16_t *numbers[RIP_PLANES_MAX] = { NULL };
	uint32_t rows[RIP_PLANES_MAX] = { 0 };
	uint8_t *to[RIP_PLANES_MAX] = { NULL }, *at = memory;

	for (unsigned i = 0; i < count; i++) {
		rows[strips[i].plane] = strips[i].rows;
		numbers[strips[i].plane] = strips[i].line_numbers;
	}
	for (uint32_t p = 0; p < spec->planes; p++) {
		to[p] = at;
		at += split_room(spec, rows[p]);
	}
	split(spec, pixels, numbers, rows, to, rip_band_pitch(spec));
	for (unsigned i = 0; i < count; i++) {
		strips[i].in = to[strips[i].plane];
		strips[i].in_pitch = (ptrdiff_t)rip_band_pitch(spec);
		strips[i].pixels = NULL;
	}
}

/* Its lines become rows in its own memory. */
static void split_back(struct rip_band *band)
{
	const uint16_t *numbers[RIP_PLANES_MAX] = { NULL };
	uint32_t rows[RIP_PLANES_MAX] = { 0 };
	uint8_t *to[RIP_PLANES_MAX] = { NULL };

	for (uint32_t i = 0; i < band->spec.planes; i++) {
		numbers[i] = band->planes[i].lines;
		rows[i] = band->planes[i].grey;
		to[i] = band->planes[i].own;
	}
	split(&band->spec, &band->pixels, numbers, rows, to, band->in_pitch);
	band->lines = NULL;
}

void rip_band_move_back(struct rip_band *band)
{
	if (band->lines)
		split_back(band);
	for (uint32_t i = 0; i < band->spec.planes; i++) {
		struct plane *p = &band->planes[i];

		if (p->in != p->own)
			memcpy(p->own, p->in, p->grey * band->in_pitch);
		p->in = p->own;
	}
}

void *rip_band_row(struct rip_band *band, uint32_t plane)
{
	struct plane *p = &band->planes[plane];

	return p->in + p->grey * band->in_pitch;
}

uint32_t rip_band_room(const struct rip_band *band, uint32_t plane)
{
	const uint32_t room = band->capacity - band->planes[plane].rows;

	return band->in_pitch == row_bytes(&band->spec) || room == 0 ? room : 1;
}

/* Rows of coupled planes: all stay until sift().  The dots of row r are the r-th from the front, if
 * it is transparent. */
static void hold_rows(struct rip_band *band, uint32_t plane, const uint8_t *row, ptrdiff_t pitch,
		      uint32_t count)
{
	struct plane *p = &band->planes[plane];

	for (; count > 0; count--, row += pitch) {
		const bool transparent = rip_row_transparent(&band->tone, row, band->spec.width,
							     p->dots + p->rows * band->out_pitch);

		if (row != rip_band_row(band, plane))
			memcpy(rip_band_row(band, plane), row, row_bytes(&band->spec));
		p->where[p->rows++] = transparent ? 0 : GREY;
		p->grey++;
	}
}

static bool is_grey_in_any(const struct rip_band *band, uint32_t row)
{
	for (uint32_t i = 0; i < band->spec.planes; i++)
		if (band->planes[i].where[row] & GREY)
			return true;
	return false;
}

/* Moves a row to place number `to` of its kind, from place number `from`. */
static void move_row(uint8_t *rows, size_t pitch, size_t bytes, uint32_t to, uint32_t from)
{
	if (to != from)
		memcpy(rows + to * pitch, rows + from * pitch, bytes);
}

/* Drops the rows of coupled planes that are transparent in all of them. */
static void sift(struct rip_band *band)
{
	const uint32_t first = band->sifted, first_kept = band->kept;
	uint32_t rows = band->capacity;

	for (uint32_t i = 0; i < band->spec.planes; i++)
		rows = band->planes[i].rows < rows ? band->planes[i].rows : rows;
	for (uint32_t row = first; row < rows; row++) {
		const bool kept = is_grey_in_any(band, row);

		for (uint32_t i = 0; i < band->spec.planes; i++) {
			struct plane *p = &band->planes[i];

			if (kept) {
				move_row(p->in, band->in_pitch, row_bytes(&band->spec),
					 band->kept, first_kept + row - first);
				p->numbers[band->kept] = p->first + row;
				p->where[row] = GREY | band->kept;
			} else {
				move_row(p->dots, band->out_pitch, band->out_pitch,
					 row - band->kept, row);
				p->where[row] = row - band->kept;
			}
		}
		band->kept += kept;
	}
	for (uint32_t i = 0; i < band->spec.planes; i++)
		band->planes[i].grey = band->kept;
	band->sifted = rows;
}

void rip_band_put_rows(struct rip_band *band, uint32_t plane, const void *rows, ptrdiff_t pitch,
		       uint32_t count)
{
	const uint32_t width = band->spec.width;
	struct plane *p = &band->planes[plane];
	const uint8_t *row = rows;

	if (band->couples) {
		hold_rows(band, plane, rows, pitch, count);
		return;
	}
	for (; count > 0; count--, row += pitch) {
		const uint32_t transparent = p->rows - p->grey;
		uint8_t *dots = p->dots + transparent * band->out_pitch;

		/* The next transparent row's place for dots is free, also if this row is grey. */
		if (rip_row_transparent(&band->tone, row, width, dots)) {
			p->where[p->rows++] = transparent;
			continue;
		}
		if (row != rip_band_row(band, plane))
			memcpy(rip_band_row(band, plane), row, row_bytes(&band->spec));
		p->numbers[p->grey] = p->first + p->rows;
		p->where[p->rows++] = GREY | p->grey++;
	}
}

void rip_band_commit_rows(struct rip_band *band, uint32_t plane, uint32_t rows)
{
	rip_band_put_rows(band, plane, rip_band_row(band, plane), (ptrdiff_t)band->in_pitch, rows);
}

void *rip_band_line(struct rip_band *band, uint32_t *room)
{
	*room = band->capacity - band->planes[0].rows;
	return band->lines ? band->lines + band->pixels.count * band->pixels.pitch : NULL;
}

/* The planes in which a line is grey, or all coupled ones: bits.  The others have their dots. */
static uint32_t find_grey(struct rip_band *band, const uint8_t *line)
{
	const struct rip_page_spec *spec = &band->spec;
	const struct rip_ink_limit *limit = band->pixels.limit;
	const size_t pixel = band->pixels.step * pixel_bytes(spec, limit);
	const uint32_t all = (UINT32_C(1) << spec->planes) - 1;
	const uint32_t bits = rip_dot_bits(spec->levels);
	uint16_t block[RIP_PLANES_MAX][BLOCK];
	void *places[RIP_PLANES_MAX];
	uint32_t grey = 0;

	for (uint32_t p = 0; p < spec->planes; p++)
		places[p] = block[p];
	for (uint32_t j = 0; j < spec->width && (band->couples ? !grey : grey != all); j += BLOCK) {
		const uint32_t n = spec->width - j < BLOCK ? spec->width - j : BLOCK;

		split_block(spec, limit, line + j * pixel, n, band->pixels.step, places);
		for (uint32_t p = 0; p < spec->planes; p++) {
			const struct plane *plane = &band->planes[p];
			uint8_t *dots = plane->dots + (plane->rows - plane->grey) * band->out_pitch;

			if (!(grey >> p & 1) && !rip_row_transparent(&band->tone, block[p], n,
								     dots + j * bits / 8))
				grey |= 1u << p;
		}
	}
	return band->couples && grey ? all : grey;
}

/* Keeps a line, if it is grey in some plane. */
static void keep_line(struct rip_band *band, const uint8_t *line)
{
	const uint32_t grey = find_grey(band, line);
	uint8_t *place = band->lines + band->pixels.count * band->pixels.pitch;

	for (uint32_t i = 0; i < band->spec.planes; i++) {
		struct plane *p = &band->planes[i];

		if (!(grey >> i & 1)) {
			p->where[p->rows] = p->rows - p->grey;
			p->rows++;
			continue;
		}
		p->lines[p->grey] = (uint16_t)band->pixels.count;
		p->numbers[p->grey] = p->first + p->rows;
		p->where[p->rows++] = GREY | p->grey++;
	}
	band->sifted += band->couples;
	if (!grey)
		return;
	band->kept++;
	if (line != place)
		memcpy(place, line, band->pixels.pitch);
	band->pixels.count++;
}

void rip_band_commit_lines(struct rip_band *band, const void *lines, size_t pitch, uint32_t step,
			   uint32_t count)
{
	const uint8_t *line = lines;
	void *places[RIP_PLANES_MAX];

	for (; count > 0; count--, line += pitch) {
		if (band->lines) {
			keep_line(band, line);
			continue;
		}
		for (uint32_t i = 0; i < band->spec.planes; i++)
			places[i] = rip_band_row(band, i);
		split_line(&band->spec, band->pixels.limit, line, step, places);
		for (uint32_t i = 0; i < band->spec.planes; i++)
			rip_band_commit(band, i);
	}
}

bool rip_band_lend_rows(struct rip_band *band, uint32_t plane, const void *rows, ptrdiff_t pitch,
			uint32_t count)
{
	struct plane *p = &band->planes[plane];
	const uint8_t *row = rows;

	if (band->couples)
		return false;
	for (uint32_t i = 0; i < count; i++, row += pitch)
		if (rip_row_transparent(&band->tone, row, band->spec.width, p->dots))
			return false;
	for (uint32_t i = 0; i < count; i++) {
		p->numbers[i] = p->first + i;
		p->where[i] = GREY | i;
	}
	p->rows = p->grey = count;
	p->lent = rows;
	p->lent_pitch = pitch;
	return true;
}

void rip_band_commit(struct rip_band *band, uint32_t plane)
{
	rip_band_commit_rows(band, plane, 1);
}

uint32_t rip_band_rows(const struct rip_band *band)
{
	return band->planes[0].rows;
}

uint32_t rip_band_capacity(const struct rip_band *band)
{
	return band->capacity;
}

/* The dots of grey row g are the g-th from the end. */
static uint8_t *grey_dots(const struct rip_band *band, const struct plane *p, uint32_t g)
{
	return p->dots + (band->capacity - 1 - g) * band->out_pitch;
}

unsigned rip_band_strips(struct rip_band *band, struct rip_strip *strips)
{
	unsigned count = 0;

	if (band->couples)
		sift(band);
	for (uint32_t i = 0; i < band->spec.planes; i++) {
		const struct plane *p = &band->planes[i];

		if (p->grey == 0)
			continue;
		strips[count++] = (struct rip_strip){
			.plane = i,
			.rows = p->grey,
			.in = p->lent ? p->lent : p->in,
			.in_pitch = p->lent ? p->lent_pitch : (ptrdiff_t)band->in_pitch,
			.out = grey_dots(band, p, 0),
			.out_pitch = -(ptrdiff_t)band->out_pitch,
			.row_numbers = p->numbers,
			.pixels = band->lines ? &band->pixels : NULL,
			.line_numbers = p->lines,
		};
	}
	return count;
}

const uint8_t *rip_band_dots(const struct rip_band *band, uint32_t plane, uint32_t row)
{
	const struct plane *p = &band->planes[plane];
	const uint32_t where = p->where[row];

	return where & GREY ? grey_dots(band, p, where & ~GREY) : p->dots + where * band->out_pitch;
}
