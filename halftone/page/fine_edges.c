/* Fine edges. */
#include "around_ring.h"

#define MARGIN (RIP_FINE_EDGE_MAX * RIP_PLANES_MAX)
#define BLOCK  64 /* samples that are compared at a time */

/* What is found along the row of a tile: the most and the least of the samples around each one, and
 * of all of them. */
struct range {
	uint8_t most[RIP_TILE], least[RIP_TILE]; /* undefined past the tile's samples */
	uint8_t all_most, all_least;
};

/* Memory for a tile and what is beside it, and for what is read past that and not used. */
#define ROOM (2 * MARGIN + RIP_TILE + BLOCK)

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

/* Whole blocks, and at least `count` samples.  The compiler makes vectors of the inner loops. */
static void take_most(uint8_t *restrict to, const uint8_t *restrict a, const uint8_t *restrict b,
		      uint32_t count)
{
	for (uint32_t j = 0; j < count; j += BLOCK)
		for (uint32_t i = 0; i < BLOCK; i++)
			to[j + i] = a[j + i] > b[j + i] ? a[j + i] : b[j + i];
}

static void take_least(uint8_t *restrict to, const uint8_t *restrict a, const uint8_t *restrict b,
		       uint32_t count)
{
	for (uint32_t j = 0; j < count; j += BLOCK)
		for (uint32_t i = 0; i < BLOCK; i++)
			to[j + i] = a[j + i] < b[j + i] ? a[j + i] : b[j + i];
}

/* The most or the least of `window` samples, `stride` apart, from each sample on.  Of 1, 2, 4 and
 * so on samples first; what is left overlaps. */
static void along(void (*take)(uint8_t *restrict, const uint8_t *restrict, const uint8_t *restrict,
			       uint32_t),
		  const uint8_t *samples, uint32_t window, uint32_t stride, uint8_t *to)
{
	uint8_t memory[2][ROOM + MARGIN];
	const uint8_t *from = samples;
	uint32_t count = 1, turn = 0, left = RIP_TILE + (window - 1) * stride;

	for (; 2 * count <= window; count *= 2, turn ^= 1) {
		left -= count * stride;
		take(memory[turn], from, from + count * stride, left);
		from = memory[turn];
	}
	take(to, from, from + (window - count) * stride, RIP_TILE);
}

static bool
find_range(const struct rip_around *around, const void *row, struct rip_tile tile, uint8_t *found)
{
	const uint32_t stride = around->lines.stride, margin = around->edge * stride;
	const uint32_t right = around->lines.samples - tile.from - tile.count;
	const uint32_t before = tile.from < margin ? tile.from : margin;
	const uint32_t behind = right < margin ? right : margin;
	struct range *range = (struct range *)found;
	uint8_t samples[ROOM + MARGIN] = { 0 }, *at = samples + margin;

	copy_samples(around, row, tile.from - before, before + tile.count + behind, at - before);
	/* Beyond the border, the outermost samples again. */
	for (uint32_t i = before; i < margin; i++)
		at[-1 - (int)i] = at[(int)stride - 1 - (int)i];
	for (uint32_t i = tile.count + behind; i < tile.count + margin; i++)
		at[i] = at[(int)i - (int)stride];
	along(take_most, samples, around->window, stride, range->most);
	along(take_least, samples, around->window, stride, range->least);
	range->all_most = 0;
	range->all_least = 255;
	for (uint32_t i = 0; i < tile.count; i++) {
		const uint8_t most = range->most[i], least = range->least[i];

		range->all_most = most > range->all_most ? most : range->all_most;
		range->all_least = least < range->all_least ? least : range->all_least;
	}
	return true;
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
	const struct rip_edges_rule *rule = &around->edges;
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
	const uint32_t stride = around->lines.stride;

	for (uint32_t j = 0; j < tile.count; j += sizeof(rip_bytes)) {
		const uint32_t end = j + 16 < tile.count ? j + 16 : tile.count;
		uint32_t column = (tile.from + j) / stride, plane = (tile.from + j) % stride;

		for (uint32_t i = j; rip_has_any(rip_load(at + j)) && i < end; i++) {
			const uint32_t v = sample_at(around, row, tile.from + i);
			const uint32_t p = first_plane + plane;

			if (at[i] && v != 0 && v != full && around->edges.masks[p])
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
	const struct range *range = (const struct range *)found[0];
	uint8_t most[RIP_TILE], least[RIP_TILE], all_most = 0, all_least = 255;

	for (uint32_t k = 0; k < lines; k++) {
		range = (const struct range *)found[k];
		all_most = range->all_most > all_most ? range->all_most : all_most;
		all_least = range->all_least < all_least ? range->all_least : all_least;
	}
	if (all_most - all_least < RIP_EDGE_STEP_ENDS)
		return;
	memset(most, 0, sizeof most);
	memset(least, 255, sizeof least);
	for (uint32_t k = 0; k < lines; k++) {
		range = (const struct range *)found[k];
		for (uint32_t i = 0; i < RIP_TILE; i++)
			most[i] = range->most[i] > most[i] ? range->most[i] : most[i];
		for (uint32_t i = 0; i < RIP_TILE; i++)
			least[i] = range->least[i] < least[i] ? range->least[i] : least[i];
	}
	for (uint32_t i = 0; i < RIP_TILE; i++) {
		const uint8_t step = most[i] == 255 || least[i] == 0 ? RIP_EDGE_STEP_ENDS :
								       RIP_EDGE_STEP;

		most[i] = (uint8_t)(most[i] - least[i]) >= step ? 255 : 0;
	}
	make_dots(around, rip_around_row(around, n, row), n,
		  around->lines.rows > 1 ? row : around->plane,
		  rip_tile_at(around, t % around->tiles), most);
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
