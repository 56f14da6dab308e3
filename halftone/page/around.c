/* The lines of a page, on their way through a ring. */
#include "around.h"

#include <errno.h>
#include <stdlib.h>

#define HALF_BYTES (64u << 10) /* of the ring, unless a few lines are longer */

/* ---- what is found ---- */

const uint8_t *rip_around_found(struct rip_around *around, uint32_t n, uint32_t row, uint32_t t,
				bool *any)
{
	const uint32_t slot = n % around->window, all = around->tiles * around->lines.rows;
	const struct rip_tile tile = rip_tile_at(around, t % around->tiles);
	uint8_t *found = around->found + ((size_t)slot * all + t) * around->kind->found_bytes;

	if (around->known[slot * all + t] == n + 1)
		return found;
	*any = around->kind->find(around, rip_around_row(around, n, row), tile, found);
	around->known[slot * all + t] = n + 1;
	return found;
}

uint32_t rip_around_window(struct rip_around *around, uint32_t n, uint32_t row, uint32_t t,
			   const uint8_t *found[])
{
	const uint32_t first = rip_around_first(around, n), last = rip_around_last(around, n);
	const uint32_t i = t % around->tiles;
	bool any;

	for (uint32_t k = first; k <= last; k++)
		found[k - first] = rip_around_found(around, k, row, t, &any);
	/* The tiles beside it look at its samples, so they come before these change. */
	if (i > 0)
		rip_around_found(around, n, row, t - 1, &any);
	if (i + 1 < around->tiles)
		rip_around_found(around, n, row, t + 1, &any);
	return last - first + 1;
}

/* ---- lines ---- */

/* Fills the half of the ring that follows.  The lines around the next one may be in the other half,
 * and none of them in this one, because a half has at least 2 edge lines. */
static int read_half(struct rip_around *around)
{
	const uint32_t half = around->capacity / 2, left = around->lines.height - around->have;
	const uint32_t count = left < half ? left : half;
	const int r = around->lines.read(around->lines.context,
					 rip_around_row(around, around->have, 0), count);

	around->have += count;
	return r;
}

/* Bytes of `own`; not 0, for which there may be no memory. */
static uint64_t own_size(const struct rip_around_kind *kind, uint64_t tiles)
{
	return kind->own_bytes + tiles * kind->own_tile_bytes + 1;
}

int rip_around_line(struct rip_around *around, const uint8_t **line)
{
	const uint32_t height = around->lines.height, edge = around->edge;
	const size_t tiles = (size_t)around->tiles * around->lines.rows;
	int r = 0;

	if (around->next == height) {
		around->next = around->have = 0;
		around->plane++;
		memset(around->known, 0, around->window * tiles * sizeof *around->known);
		memset(around->own, 0, own_size(around->kind, tiles));
	}
	while (r == 0 && around->have < height && around->have <= around->next + edge)
		r = read_half(around);
	if (r != 0)
		return r;
	around->kind->change(around, around->next);
	*line = rip_around_row(around, around->next++, 0);
	return 0;
}

int rip_around_rows(struct rip_around *around, void *const rows[], uint32_t planes, uint32_t lines)
{
	const struct rip_around_lines *l = &around->lines;
	const uint32_t bits = l->sample_bits;
	const size_t row_bytes = (size_t)l->samples * (bits / 8);

	for (uint32_t i = 0; i < lines; i++) {
		const uint8_t *line;
		int r = rip_around_line(around, &line);

		if (r != 0)
			return r;
		if (l->stride > 1)
			rip_split(line, l->samples / l->stride, l->stride, bits, rows, planes);
		for (uint32_t p = 0; l->stride == 1 && p < planes; p++)
			memcpy((uint8_t *)rows[p] + i * row_bytes, line + p * row_bytes, row_bytes);
	}
	return 0;
}

/* For a ring that reads the lines of another one. */
static int read_before(void *context, void *to, uint32_t lines)
{
	struct rip_around *before = context;

	for (uint32_t i = 0; i < lines; i++) {
		const uint8_t *line;
		int r = rip_around_line(before, &line);

		if (r != 0)
			return r;
		memcpy((uint8_t *)to + i * before->line_bytes, line, before->line_bytes);
	}
	return 0;
}

/* ---- the object ---- */

static size_t line_size(const struct rip_around_lines *lines)
{
	return (size_t)lines->rows * lines->samples * (lines->sample_bits / 8);
}

static uint32_t tiles_of(const struct rip_around_lines *lines)
{
	return (lines->samples + RIP_TILE - 1) / RIP_TILE;
}

/* Bytes of the ring, with some that may be read past its last row. */
static uint64_t ring_size(uint32_t capacity, size_t line_bytes)
{
	return (uint64_t)capacity * line_bytes + RIP_PAST;
}

static uint32_t capacity_of(uint32_t edge, const struct rip_around_lines *lines)
{
	const uint32_t least = 2 * edge, wanted = (uint32_t)(HALF_BYTES / line_size(lines));

	return 2 * (wanted > least ? wanted : least);
}

uint64_t rip_around_size(const struct rip_around_kind *kind, uint32_t edge,
			 const struct rip_around_lines *lines)
{
	const uint64_t tiles = (uint64_t)tiles_of(lines) * lines->rows;

	return edge == 0 ? 0 : sizeof(struct rip_around) +
	       ring_size(capacity_of(edge, lines), line_size(lines)) +
	       tiles * (2 * edge + 1) * (kind->found_bytes + sizeof(uint32_t)) +
	       own_size(kind, tiles);
}

int rip_around_add(struct rip_around **around, const struct rip_around_kind *kind,
		   const void *rule, uint32_t edge, const struct rip_around_lines *lines)
{
	struct rip_around *ring;
	size_t tiles;

	/* On 32 bits; all products below are part of it. */
	if (rip_around_size(kind, edge, lines) > PTRDIFF_MAX)
		return -ENOMEM;
	ring = calloc(1, sizeof *ring);
	if (!ring)
		return -ENOMEM;
	ring->kind = kind;
	ring->rule = rule;
	ring->lines = *lines;
	if (*around) {
		ring->lines.read = read_before;
		ring->lines.context = *around;
	}
	ring->edge = edge;
	ring->window = 2 * edge + 1;
	ring->line_bytes = line_size(lines);
	ring->tiles = tiles_of(lines);
	ring->capacity = capacity_of(edge, lines);
	tiles = (size_t)ring->tiles * lines->rows;
	ring->ring = malloc(ring_size(ring->capacity, ring->line_bytes));
	ring->found = malloc(ring->window * tiles * kind->found_bytes);
	ring->known = calloc(ring->window * tiles, sizeof *ring->known);
	ring->own = calloc(1, own_size(kind, tiles));
	if (!ring->ring || !ring->found || !ring->known || !ring->own) {
		rip_around_free(ring);
		return -ENOMEM;
	}
	ring->before = *around;
	*around = ring;
	return 0;
}

void rip_around_free(struct rip_around *around)
{
	while (around) {
		struct rip_around *before = around->before;

		free(around->ring);
		free(around->found);
		free(around->known);
		free(around->own);
		free(around);
		around = before;
	}
}
