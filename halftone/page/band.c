/* A band: rows in, strips for an engine, dots out. */
#include "band.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transparent.h"

#define ALIGN 64

/* In `where`: the row is grey. */
#define GREY 0x80000000u

struct plane {
	uint8_t  *own;    /* memory for all rows */
	uint8_t  *in;     /* grey rows, and behind them the next row: there or elsewhere */
	uint8_t  *dots;   /* transparent rows from the front, grey rows from the end:
			     together they are never more than all rows */
	uint32_t *where;  /* for each row: its number among the grey or the other rows */
	uint32_t *numbers; /* for each grey row: its number on the page */
	const uint8_t *lent; /* the caller's rows instead of `in`; NULL: none */
	ptrdiff_t lent_pitch;
	uint32_t  first;  /* number of its first row on the page */
	uint32_t  rows;   /* committed */
	uint32_t  grey;   /* of these, in `in`: grey; of coupled planes, all until sift() */
};

struct rip_band {
	struct rip_page_spec spec;
	struct rip_tone      tone;
	uint32_t             capacity;
	bool                 couples; /* the screen couples the planes, */
	bool                 sifted;  /* and rows that are transparent in all of them are dropped */
	size_t               in_pitch, out_pitch;
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
	for (uint32_t i = 0; i < band->spec.planes; i++) {
		band->planes[i].in = band->planes[i].own;
		rip_band_start_plane(band, i, first_row);
	}
}

void rip_band_start_plane(struct rip_band *band, uint32_t plane, uint32_t first_row)
{
	band->sifted = false;
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

void rip_band_move_back(struct rip_band *band)
{
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

/* Moves row `row` of a plane to where it stays. */
static void place(const struct rip_band *band, struct plane *p, uint32_t row, bool grey,
		  uint32_t number)
{
	uint8_t *rows = grey ? p->in : p->dots;
	const size_t pitch = grey ? band->in_pitch : band->out_pitch;

	if (number != row)
		memcpy(rows + number * pitch, rows + row * pitch,
		       grey ? row_bytes(&band->spec) : band->out_pitch);
	if (grey)
		p->numbers[number] = p->first + row;
	p->where[row] = (grey ? GREY : 0) | number;
}

/* Drops the rows of coupled planes that are transparent in all of them. */
static void sift(struct rip_band *band)
{
	uint32_t rows = band->capacity, grey = 0;

	for (uint32_t i = 0; i < band->spec.planes; i++)
		rows = band->planes[i].rows < rows ? band->planes[i].rows : rows;
	for (uint32_t row = 0; row < rows; row++) {
		const bool kept = is_grey_in_any(band, row);

		for (uint32_t i = 0; i < band->spec.planes; i++)
			place(band, &band->planes[i], row, kept, kept ? grey : row - grey);
		grey += kept;
	}
	for (uint32_t i = 0; i < band->spec.planes; i++)
		band->planes[i].grey = grey;
	band->sifted = true;
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

	if (band->couples && !band->sifted)
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
