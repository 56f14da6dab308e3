/* Fine edges. */
#include "fine_edges.h"

#define MARGIN (RIP_FINE_EDGE_MAX * RIP_PLANES_MAX)
/* What is found along the row of a tile. */
struct range {
	uint8_t all_most, all_least; /* of all samples as far as `edge` beside the tile */
	bool    spread;              /* the most and the least around each sample are known; */
	/* Undefined past the tile's samples; rest: 255 less the least. */
	uint8_t most[RIP_TILE], rest[RIP_TILE];
};

/* Memory for a tile and what is beside it, and for what vectors read past that. */
#define ROOM (2 * MARGIN + RIP_TILE + 16)

/* ---- along a row ---- */

/* The higher 8 bits. */
static void copy_samples(const struct rip_around *around, const void *row, uint32_t from,
			 uint32_t count, uint8_t *to)
{
	if (around->lines.sample_bits == 8)
		memcpy(to, (const uint8_t *)row + from, count);
	else
		for (uint32_t i = 0; i < count; i++)
			to[i] = (uint8_t)(((const uint16_t *)row)[from + i] >> 8);
}

/* The most of `window` samples, `stride` apart, from each of `count` samples on: of 1, 2, 4 and so
 * on samples first, and then of two such groups, which overlap.  Changes what it reads. */
static void spread_most(uint8_t *samples, uint32_t window, uint32_t stride, uint8_t *to)
{
	uint32_t of = 1, left = RIP_TILE + (window - 1) * stride;

	for (; 2 * of <= window; of *= 2) {
		left -= of * stride;
		for (uint32_t i = 0; i < left; i += sizeof(rip_bytes)) {
			const rip_bytes v = rip_more_of(rip_load(samples + i),
						    rip_load(samples + i + of * stride));

			memcpy(samples + i, &v, sizeof v);
		}
	}
	for (uint32_t i = 0; i < RIP_TILE; i += sizeof(rip_bytes)) {
		const rip_bytes v = rip_more_of(rip_load(samples + i),
					    rip_load(samples + i + (window - of) * stride));

		memcpy(to + i, &v, sizeof v);
	}
}

/* How many samples beside a tile are in its row, up to `edge` of each plane. */
struct beside {
	uint32_t margin, before, behind;
};

static struct beside beside_of(const struct rip_around *around, struct rip_tile tile)
{
	const uint32_t margin = around->edge * around->lines.stride;
	const uint32_t right = around->lines.samples - tile.from - tile.count;

	return (struct beside){
		margin, tile.from < margin ? tile.from : margin, right < margin ? right : margin,
	};
}

static bool
find_range(const struct rip_around *around, const void *row, struct rip_tile tile, uint8_t *found)
{
	const struct beside beside = beside_of(around, tile);
	const uint32_t from = tile.from - beside.before;
	const uint32_t count = beside.before + tile.count + beside.behind;
	const uint8_t *samples = (const uint8_t *)row + from;
	struct range *range = (struct range *)found;
	rip_bytes most = rip_all_bytes(0), rest = rip_all_bytes(0); /* rest: 255 less the least */
	uint8_t memory[ROOM];
	uint32_t i = 0;

	if (around->lines.sample_bits == 16) {
		copy_samples(around, row, from, count, memory);
		samples = memory;
	}
	for (; i + sizeof(rip_bytes) <= count; i += sizeof(rip_bytes)) {
		most = rip_more_of(most, rip_load(samples + i));
		rest = rip_more_of(rest, ~rip_load(samples + i));
	}
	range->spread = false;
	range->all_most = range->all_least = samples[count - 1];
	for (uint32_t k = 0; k < sizeof(rip_bytes); k++) {
		const uint8_t last = samples[i + k < count ? i + k : count - 1];
		const uint8_t high = most[k] > last ? most[k] : last;
		const uint8_t low = 255 - rest[k] < last ? (uint8_t)(255 - rest[k]) : last;

		range->all_most = high > range->all_most ? high : range->all_most;
		range->all_least = low < range->all_least ? low : range->all_least;
	}
	return true;
}

/* Finds the most and the least around each sample of a tile. */
static void spread(const struct rip_around *around, uint32_t n, uint32_t row, uint32_t t,
		   const uint8_t *found)
{
	const struct rip_tile tile = rip_tile_at(around, t % around->tiles);
	const struct beside beside = beside_of(around, tile);
	const uint32_t stride = around->lines.stride, margin = beside.margin;
	uint8_t samples[ROOM], rest[ROOM], *at = samples + margin;
	struct range *range = (struct range *)(uintptr_t)found;

	if (range->spread)
		return;
	copy_samples(around, rip_around_row(around, n, row), tile.from - beside.before,
		     beside.before + tile.count + beside.behind, at - beside.before);
	/* Beyond the border, the outermost samples again; what is past that is not used. */
	for (uint32_t i = beside.before; i < margin; i++)
		at[-1 - (int)i] = at[(int)stride - 1 - (int)i];
	for (uint32_t i = tile.count + beside.behind; i < tile.count + margin; i++)
		at[i] = at[(int)i - (int)stride];
	memset(at + tile.count + margin, 0, sizeof samples - 2 * margin - tile.count);
	for (uint32_t i = 0; i < sizeof samples; i++)
		rest[i] = (uint8_t)~samples[i];
	spread_most(samples, around->window, stride, range->most);
	spread_most(rest, around->window, stride, range->rest);
	range->spread = true;
}

/* ---- the samples at edges ---- */

static uint32_t sample_at(const struct rip_around *around, const void *row, uint32_t i)
{
	return around->lines.sample_bits == 8 ? ((const uint8_t *)row)[i] :
						((const uint16_t *)row)[i];
}

/* Whether a tile has samples that are neither empty nor full. */
static bool has_grey(const struct rip_around *around, const void *row, struct rip_tile tile)
{
	const uint8_t *at = (const uint8_t *)row + tile.from;
	const uint32_t full = around->lines.sample_bits == 8 ? 255 : 65535;
	uint32_t i = 0;

	for (; full == 255 && i + sizeof(rip_bytes) <= tile.count; i += sizeof(rip_bytes)) {
		const rip_bytes v = rip_load(at + i);

		if (rip_has_any((rip_bytes)(v != rip_all_bytes(0)) &
				(rip_bytes)(v != rip_all_bytes(255))))
			return true;
	}
	for (; i < tile.count; i++) {
		const uint32_t v = sample_at(around, row, tile.from + i);

		if (v != 0 && v != full)
			return true;
	}
	return false;
}

/* Makes a dot of a sample. */
static void make_dot(const struct rip_around *around, void *row, uint32_t n, uint32_t plane,
		     uint32_t column, uint32_t i)
{
	const struct rip_edges_rule *rule = around->rule;
	const struct rip_mask *mask = rule->masks[plane];
	const uint32_t full = around->lines.sample_bits == 8 ? 255 : 65535;
	const uint32_t sample = sample_at(around, row, i);
	const uint32_t v = rule->inverted ? full - sample : sample;
	const uint32_t x = rule->curves[plane] ? rule->curves[plane][v] : v * (65535 / full);
	const bool dot = x == RIP_FULL ||
			 x > mask->thresholds[n % mask->height * mask->width +
					      column % mask->width];

	if (around->lines.sample_bits == 8)
		((uint8_t *)row)[i] = dot ^ rule->full_is_0 ? 255 : 0;
	else
		((uint16_t *)row)[i] = dot ^ rule->full_is_0 ? 65535 : 0;
}

/* Makes dots of the samples at edges: 255 in `at`.  first_plane: of the row's samples. */
static void make_dots(const struct rip_around *around, void *row, uint32_t n, uint32_t first_plane,
		      struct rip_tile tile, const uint8_t at[RIP_TILE])
{
	const uint32_t full = around->lines.sample_bits == 8 ? 255 : 65535;
	const struct rip_edges_rule *rule = around->rule;
	const uint32_t stride = around->lines.stride;

	for (uint32_t j = 0; j < tile.count; j += sizeof(rip_bytes)) {
		const uint32_t end = j + 16 < tile.count ? j + 16 : tile.count;
		uint32_t column = (tile.from + j) / stride, plane = (tile.from + j) % stride;

		if (!rip_has_any(rip_load(at + j)))
			continue;
		for (uint32_t i = j; i < end; i++) {
			const uint32_t v = sample_at(around, row, tile.from + i);
			const uint32_t p = first_plane + plane;

			if (at[i] && v != 0 && v != full && rule->masks[p])
				make_dot(around, row, n, p, column, tile.from + i);
			plane++;
			if (plane == stride) {
				plane = 0;
				column++;
			}
		}
	}
}

static void refine_tile(struct rip_around *around, uint32_t n, uint32_t row, uint32_t t)
{
	const uint8_t *found[2 * RIP_FINE_EDGE_MAX + 1];
	const uint32_t lines = rip_around_window(around, n, row, t, found);
	const uint32_t i = t % around->tiles;
	uint8_t edges[RIP_TILE], all_most = 0, all_least = 255;
	bool any;

	for (uint32_t k = 0; k < lines; k++) {
		const struct range *range = (const struct range *)found[k];

		all_most = range->all_most > all_most ? range->all_most : all_most;
		all_least = range->all_least < all_least ? range->all_least : all_least;
	}
	if (all_most - all_least < RIP_EDGE_STEP_ENDS)
		return;
	for (uint32_t k = 0; k < lines; k++)
		spread(around, rip_around_first(around, n) + k, row, t, found[k]);
	for (uint32_t j = 0; j < RIP_TILE; j += sizeof(rip_bytes)) {
		rip_bytes most = rip_all_bytes(0), rest = most, step, at_end;

		for (uint32_t k = 0; k < lines; k++) {
			const struct range *range = (const struct range *)found[k];

			most = rip_more_of(most, rip_load(range->most + j));
			rest = rip_more_of(rest, rip_load(range->rest + j));
		}
		at_end = (rip_bytes)(most == rip_all_bytes(255)) |
			 (rip_bytes)(rest == rip_all_bytes(255));
		step = rip_all_bytes(RIP_EDGE_STEP) -
		       (at_end & rip_all_bytes(RIP_EDGE_STEP - RIP_EDGE_STEP_ENDS));
		most = (rip_bytes)(most + rest - rip_all_bytes(255) >= step);
		memcpy(edges + j, &most, sizeof most);
	}
	/* Before this tile changes. */
	if (i > 0)
		spread(around, n, row, t - 1, rip_around_found(around, n, row, t - 1, &any));
	if (i + 1 < around->tiles)
		spread(around, n, row, t + 1, rip_around_found(around, n, row, t + 1, &any));
	make_dots(around, rip_around_row(around, n, row), n,
		  around->lines.rows > 1 ? row : around->plane, rip_tile_at(around, i), edges);
}

static void refine_line(struct rip_around *around, uint32_t n)
{
	for (uint32_t row = 0, t = 0; row < around->lines.rows; row++)
		for (uint32_t i = 0; i < around->tiles; i++, t++)
			if (has_grey(around, rip_around_row(around, n, row),
				     rip_tile_at(around, i)))
				refine_tile(around, n, row, t);
}

const struct rip_around_kind rip_fine_edges_kind = {
	.found_bytes = sizeof(struct range), .find = find_range, .change = refine_line,
};
