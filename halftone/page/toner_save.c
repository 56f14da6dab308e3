/* Toner save. */
#include "toner_save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/engine.h"
#include "rows.h"

#define HALF_BYTES (64u << 10) /* of the ring, unless a few lines are longer */

/* Samples that are looked at together. */
#define TILE 512
#define MARGIN (RIP_TONER_EDGE_MAX * RIP_PLANES_MAX)

struct rip_toner_save {
	struct rip_toner_rule  rule;
	struct rip_toner_lines lines;
	uint32_t window;     /* 2 edge + 1 */
	size_t   line_bytes;
	uint32_t tiles;      /* of a row */
	uint8_t *ring;       /* line n is at n % capacity */
	uint32_t capacity;   /* lines; each half of it is read at once */
	uint32_t next, have; /* lines given out, and read */
	/* For the lines around the next one, line n at n % window: 255 for each sample that is
	 * inside its row, else 0; and for each tile, 1 + n if this is known. */
	uint8_t  *inside;
	uint32_t *known;
	uint32_t  probe;     /* a line, or UINT32_MAX */
	bool     *found;     /* for each tile, whether the probe has something inside */
};

uint32_t rip_toner_edge(double dpi)
{
	const double edge = dpi / 300 + .5;

	return edge < 1 ? 1 : edge > RIP_TONER_EDGE_MAX ? RIP_TONER_EDGE_MAX : (uint32_t)edge;
}

/* ---- the curve ---- */

bool rip_toner_full_is_0(const uint16_t *curve, uint32_t count, bool light)
{
	if (!curve)
		return light;
	return light ? curve[0] < curve[count - 1] : curve[0] > curve[count - 1];
}

void rip_toner_save_curve(uint16_t *curve, uint32_t count, bool light, unsigned percent)
{
	const bool full_is_0 = rip_toner_full_is_0(curve, count, light);
	const uint32_t full = full_is_0 ? 0 : count - 1, next = full_is_0 ? 1 : count - 2;

	curve[next] = curve[full];
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t ink = light ? 65535u - curve[v] : curve[v];
		const uint32_t less = (ink * (100 - percent) + 50) / 100;

		if (v != full)
			curve[v] = (uint16_t)(light ? 65535u - less : less);
	}
}

/* ---- tiles ---- */

/* Some samples of a row. */
struct tile {
	uint32_t from, count;
};

static struct tile tile_at(const struct rip_toner_save *save, uint32_t t)
{
	const uint32_t from = t * TILE, left = save->lines.samples - from;

	return (struct tile){ from, left < TILE ? left : TILE };
}

/* A vector that every 64-bit processor has. */
typedef uint8_t bytes __attribute__((vector_size(16)));

static inline bytes load(const uint8_t *from)
{
	bytes v;

	memcpy(&v, from, sizeof v);
	return v;
}

static inline bytes all_bytes(uint8_t byte)
{
	bytes v;

	memset(&v, byte, sizeof v);
	return v;
}

static inline bool has_any(bytes v)
{
	uint64_t words[sizeof v / 8], any = 0;

	memcpy(words, &v, sizeof v);
	for (size_t i = 0; i < sizeof v / 8; i++)
		any |= words[i];
	return any != 0;
}

/* The samples of a row from one on: 255 where full, else 0. */
static void find_full(const struct rip_toner_save *save, const void *row, uint32_t from,
		      uint32_t count, uint8_t *to)
{
	const uint16_t full = save->rule.full_is_0 ? 0 : 65535;
	uint32_t i = 0;

	if (save->lines.sample_bits == 16) {
		for (; i < count; i++)
			to[i] = ((const uint16_t *)row)[from + i] == full ? 255 : 0;
		return;
	}
	for (; i + sizeof(bytes) <= count; i += sizeof(bytes)) {
		const bytes samples = load((const uint8_t *)row + from + i);
		const bytes v = (bytes)(samples == all_bytes((uint8_t)full));

		memcpy(to + i, &v, sizeof v);
	}
	for (; i < count; i++)
		to[i] = ((const uint8_t *)row)[from + i] == (uint8_t)full ? 255 : 0;
}

/* Whether a tile has full samples; true also where this is not checked. */
static bool may_have_full(const struct rip_toner_save *save, const void *row, struct tile tile)
{
	const uint8_t *at = (const uint8_t *)row + tile.from;
	bytes any = all_bytes(0);

	if (save->lines.sample_bits == 16 || tile.count < TILE)
		return true;
	for (uint32_t i = 0; i < TILE; i += sizeof any)
		any |= (bytes)(load(at + i) == all_bytes(save->rule.full_is_0 ? 0 : 255));
	return has_any(any);
}

/* Finds the samples of a tile that are inside their row; returns whether there are any.  inside:
 * TILE bytes, of which those past the tile's samples are undefined. */
static bool
find_inside(const struct rip_toner_save *save, const void *row, struct tile tile, uint8_t *inside)
{
	const uint32_t edge = save->rule.edge, stride = save->lines.stride, margin = edge * stride;
	const uint32_t right = save->lines.samples - tile.from - tile.count;
	const uint32_t before = tile.from < margin ? tile.from : margin;
	const uint32_t behind = right < margin ? right : margin;
	uint8_t around[MARGIN + TILE + MARGIN];
	bytes any = all_bytes(0);

	/* Beyond the border there is full ink. */
	memset(around, 255, margin);
	memset(around + margin + tile.count, 255, sizeof around - margin - tile.count);
	find_full(save, row, tile.from - before, before + tile.count + behind,
		  around + margin - before);
	for (uint32_t i = 0; i < TILE; i += sizeof any) {
		bytes all = load(around + i);

		for (uint32_t d = 1; d <= 2 * edge; d++)
			all &= load(around + i + d * stride);
		memcpy(inside + i, &all, sizeof all);
		any |= i + sizeof all <= tile.count ? all : all_bytes(0);
	}
	if (has_any(any))
		return true;
	for (uint32_t i = tile.count / sizeof any * sizeof any; i < tile.count; i++)
		if (inside[i])
			return true;
	return false;
}

/* Thins the samples of a tile that are inside in all lines of a window. */
static void
thin(const struct rip_toner_save *save, void *row, struct tile tile, const uint8_t *const inside[],
     uint32_t lines)
{
	const int step = save->rule.full_is_0 ? 1 : -1;
	uint8_t *at = (uint8_t *)row + tile.from, all[TILE];
	uint32_t i;

	for (i = 0; i < TILE; i += sizeof(bytes)) {
		bytes v = load(inside[0] + i);

		for (uint32_t k = 1; k < lines; k++)
			v &= load(inside[k] + i);
		memcpy(all + i, &v, sizeof v);
	}
	if (save->lines.sample_bits == 16) {
		for (i = 0; i < tile.count; i++)
			((uint16_t *)row)[tile.from + i] =
				(uint16_t)(((uint16_t *)row)[tile.from + i] + (all[i] ? step : 0));
		return;
	}
	for (i = 0; i + sizeof(bytes) <= tile.count; i += sizeof(bytes)) {
		const bytes v = load(at + i) + (load(all + i) & all_bytes((uint8_t)step));

		memcpy(at + i, &v, sizeof v);
	}
	for (; i < tile.count; i++)
		at[i] = (uint8_t)(at[i] + (all[i] ? step : 0));
}

/* ---- lines ---- */

static uint8_t *line_at(const struct rip_toner_save *save, uint32_t n)
{
	return save->ring + (n % save->capacity) * save->line_bytes;
}

static void *row_at(const struct rip_toner_save *save, uint32_t n, uint32_t row)
{
	return line_at(save, n) + row * (save->line_bytes / save->lines.rows);
}

/* The line of the window around line n that tells where nothing can be inside. */
static uint32_t probe_of(const struct rip_toner_save *save, uint32_t n)
{
	const uint32_t probe = (n + save->rule.edge) / save->window * save->window;

	return probe < save->lines.height ? probe : save->lines.height - 1;
}

/* What is inside line n, in this tile; all tiles of all rows are counted by t. */
static const uint8_t *
inside_of(struct rip_toner_save *save, uint32_t n, uint32_t row, uint32_t t, bool *any)
{
	const uint32_t slot = n % save->window, all = save->tiles * save->lines.rows;
	const struct tile tile = tile_at(save, t % save->tiles);
	uint8_t *inside = save->inside + ((size_t)slot * all + t) * TILE;

	if (save->known[slot * all + t] == n + 1)
		return inside;
	*any = find_inside(save, row_at(save, n, row), tile, inside);
	save->known[slot * all + t] = n + 1;
	return inside;
}

static void find_in_probe(struct rip_toner_save *save, uint32_t probe)
{
	for (uint32_t row = 0, t = 0; row < save->lines.rows; row++)
		for (uint32_t i = 0; i < save->tiles; i++, t++) {
			save->found[t] = may_have_full(save, row_at(save, probe, row),
						       tile_at(save, i));
			if (save->found[t])
				inside_of(save, probe, row, t, &save->found[t]);
		}
	save->probe = probe;
}

/* Thins a tile of line n, whose window is some lines from the first one on. */
static void thin_tile(struct rip_toner_save *save, uint32_t n, uint32_t row, uint32_t t,
		      uint32_t first, uint32_t lines)
{
	const uint32_t i = t % save->tiles;
	const uint8_t *inside[2 * RIP_TONER_EDGE_MAX + 1];
	bool any;

	inside[0] = inside_of(save, first, row, t, &any);
	for (uint32_t k = 1; k < lines; k++)
		inside[k] = inside_of(save, first + k, row, t, &any);
	/* The tiles beside it look at its samples, so they come before these change. */
	if (i > 0)
		inside_of(save, n, row, t - 1, &any);
	if (i + 1 < save->tiles)
		inside_of(save, n, row, t + 1, &any);
	thin(save, row_at(save, n, row), tile_at(save, i), inside, lines);
}

static void thin_line(struct rip_toner_save *save, uint32_t n)
{
	const uint32_t edge = save->rule.edge, probe = probe_of(save, n);
	const uint32_t first = n < edge ? 0 : n - edge;
	const uint32_t last = n + edge < save->lines.height ? n + edge : save->lines.height - 1;

	if (probe != save->probe)
		find_in_probe(save, probe);
	for (uint32_t row = 0, t = 0; row < save->lines.rows; row++)
		for (uint32_t i = 0; i < save->tiles; i++, t++)
			if (save->found[t])
				thin_tile(save, n, row, t, first, last - first + 1);
}

/* Fills the half of the ring that follows.  The lines around the next one may be in the other half,
 * and none of them in this one, because a half has at least 2 edge lines. */
static int read_half(struct rip_toner_save *save)
{
	const uint32_t half = save->capacity / 2, left = save->lines.height - save->have;
	const uint32_t count = left < half ? left : half;
	const int r = save->lines.read(save->lines.context, line_at(save, save->have), count);

	save->have += count;
	return r;
}

int rip_toner_save_line(struct rip_toner_save *save, const uint8_t **line)
{
	const uint32_t height = save->lines.height, edge = save->rule.edge;
	int r = 0;

	if (save->next == height) {
		save->next = save->have = 0;
		save->probe = UINT32_MAX;
		memset(save->known, 0, (size_t)save->window * save->tiles * save->lines.rows *
				       sizeof *save->known);
	}
	while (r == 0 && save->have < height && save->have <= save->next + edge)
		r = read_half(save);
	if (r < 0)
		return r;
	thin_line(save, save->next);
	*line = line_at(save, save->next++);
	return 0;
}

int rip_toner_save_rows(struct rip_toner_save *save, void *const rows[], uint32_t planes,
			uint32_t lines)
{
	const struct rip_toner_lines *l = &save->lines;
	const uint32_t bits = l->sample_bits;
	const size_t row_bytes = (size_t)l->samples * (bits / 8);

	for (uint32_t i = 0; i < lines; i++) {
		const uint8_t *line;
		int r = rip_toner_save_line(save, &line);

		if (r < 0)
			return r;
		if (l->stride > 1)
			rip_split(line, l->samples / l->stride, l->stride, bits, rows, planes);
		for (uint32_t p = 0; l->stride == 1 && p < planes; p++)
			memcpy((uint8_t *)rows[p] + i * row_bytes, line + p * row_bytes, row_bytes);
	}
	return 0;
}

/* ---- the object ---- */

static size_t line_size(const struct rip_toner_lines *lines)
{
	return (size_t)lines->rows * lines->samples * (lines->sample_bits / 8);
}

static uint32_t tiles_of(const struct rip_toner_lines *lines)
{
	return (lines->samples + TILE - 1) / TILE;
}

static uint32_t capacity_of(const struct rip_toner_rule *rule, const struct rip_toner_lines *lines)
{
	const uint32_t least = 2 * rule->edge, wanted = (uint32_t)(HALF_BYTES / line_size(lines));

	return 2 * (wanted > least ? wanted : least);
}

uint64_t rip_toner_save_size(const struct rip_toner_rule *rule, const struct rip_toner_lines *lines)
{
	const uint64_t tiles = (uint64_t)tiles_of(lines) * lines->rows;

	return sizeof(struct rip_toner_save) +
	       (uint64_t)capacity_of(rule, lines) * line_size(lines) +
	       tiles * ((2 * rule->edge + 1) * (TILE + sizeof(uint32_t)) + sizeof(bool));
}

int rip_toner_save_new(const struct rip_toner_rule *rule, const struct rip_toner_lines *lines,
		       struct rip_toner_save **out)
{
	struct rip_toner_save *save;
	size_t tiles;

	*out = NULL;
	/* On 32 bits; all products below are part of it. */
	if (rip_toner_save_size(rule, lines) > PTRDIFF_MAX)
		return -ENOMEM;
	save = calloc(1, sizeof *save);
	if (!save)
		return -ENOMEM;
	save->rule = *rule;
	save->lines = *lines;
	save->window = 2 * rule->edge + 1;
	save->line_bytes = line_size(lines);
	save->tiles = tiles_of(lines);
	save->capacity = capacity_of(rule, lines);
	save->probe = UINT32_MAX;
	tiles = (size_t)save->tiles * lines->rows;
	save->ring = malloc(save->capacity * save->line_bytes);
	save->inside = malloc(save->window * tiles * TILE);
	save->known = calloc(save->window * tiles, sizeof *save->known);
	save->found = calloc(tiles, sizeof *save->found);
	if (!save->ring || !save->inside || !save->known || !save->found) {
		rip_toner_save_free(save);
		return -ENOMEM;
	}
	*out = save;
	return 0;
}

void rip_toner_save_free(struct rip_toner_save *save)
{
	if (!save)
		return;
	free(save->ring);
	free(save->inside);
	free(save->known);
	free(save->found);
	free(save);
}
