/* Toner save. */
#include "toner_save.h"

#include "halftone/engine.h"

#define MARGIN (RIP_TONER_EDGE_MAX * RIP_PLANES_MAX)

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

static bool full_is_0(const struct rip_around *around)
{
	return ((const struct rip_toner_rule *)around->rule)->full_is_0;
}

/* The samples of a row from one on: 255 where full, else 0. */
static void find_full(const struct rip_around *around, const void *row, uint32_t from,
		      uint32_t count, uint8_t *to)
{
	const uint16_t full = full_is_0(around) ? 0 : 65535;
	uint32_t i = 0;

	if (around->lines.sample_bits == 16) {
		for (; i < count; i++)
			to[i] = ((const uint16_t *)row)[from + i] == full ? 255 : 0;
		return;
	}
	for (; i + sizeof(rip_bytes) <= count; i += sizeof(rip_bytes)) {
		const rip_bytes samples = rip_load((const uint8_t *)row + from + i);
		const rip_bytes v = (rip_bytes)(samples == rip_all_bytes((uint8_t)full));

		memcpy(to + i, &v, sizeof v);
	}
	for (; i < count; i++)
		to[i] = ((const uint8_t *)row)[from + i] == (uint8_t)full ? 255 : 0;
}

/* Whether a tile has full samples; true also where this is not checked. */
static bool
may_have_full(const struct rip_around *around, const void *row, struct rip_tile tile)
{
	const uint8_t *at = (const uint8_t *)row + tile.from;
	const rip_bytes full = rip_all_bytes(full_is_0(around) ? 0 : 255);
	rip_bytes any = rip_all_bytes(0);

	if (around->lines.sample_bits == 16 || tile.count < RIP_TILE)
		return true;
	for (uint32_t i = 0; i < RIP_TILE; i += sizeof any)
		any |= (rip_bytes)(rip_load(at + i) == full);
	return rip_has_any(any);
}

/* Finds the samples of a tile that are inside their row; returns whether there are any.  inside:
 * RIP_TILE bytes, of which those past the tile's samples are undefined. */
static bool
find_inside(const struct rip_around *around, const void *row, struct rip_tile tile,
	    uint8_t *inside)
{
	const uint32_t edge = around->edge, stride = around->lines.stride;
	const uint32_t margin = edge * stride;
	const uint32_t right = around->lines.samples - tile.from - tile.count;
	const uint32_t before = tile.from < margin ? tile.from : margin;
	const uint32_t behind = right < margin ? right : margin;
	uint8_t full[MARGIN + RIP_TILE + MARGIN];
	rip_bytes any = rip_all_bytes(0);

	/* Beyond the border there is full ink. */
	memset(full, 255, margin);
	memset(full + margin + tile.count, 255, sizeof full - margin - tile.count);
	find_full(around, row, tile.from - before, before + tile.count + behind,
		  full + margin - before);
	for (uint32_t i = 0; i < RIP_TILE; i += sizeof any) {
		rip_bytes all = rip_load(full + i);

		for (uint32_t d = 1; d <= 2 * edge; d++)
			all &= rip_load(full + i + d * stride);
		memcpy(inside + i, &all, sizeof all);
		any |= i + sizeof all <= tile.count ? all : rip_all_bytes(0);
	}
	if (rip_has_any(any))
		return true;
	for (uint32_t i = tile.count / sizeof any * sizeof any; i < tile.count; i++)
		if (inside[i])
			return true;
	return false;
}

/* Thins the samples of a tile that are inside in all lines of a window. */
static void
thin(const struct rip_around *around, void *row, struct rip_tile tile,
     const uint8_t *const inside[], uint32_t lines)
{
	const int step = full_is_0(around) ? 1 : -1;
	uint8_t *at = (uint8_t *)row + tile.from, all[RIP_TILE];
	uint32_t i;

	for (i = 0; i < RIP_TILE; i += sizeof(rip_bytes)) {
		rip_bytes v = rip_load(inside[0] + i);

		for (uint32_t k = 1; k < lines; k++)
			v &= rip_load(inside[k] + i);
		memcpy(all + i, &v, sizeof v);
	}
	if (around->lines.sample_bits == 16) {
		for (i = 0; i < tile.count; i++)
			((uint16_t *)row)[tile.from + i] =
				(uint16_t)(((uint16_t *)row)[tile.from + i] + (all[i] ? step : 0));
		return;
	}
	for (i = 0; i + sizeof(rip_bytes) <= tile.count; i += sizeof(rip_bytes)) {
		const rip_bytes steps = rip_load(all + i) & rip_all_bytes((uint8_t)step);
		const rip_bytes v = rip_load(at + i) + steps;

		memcpy(at + i, &v, sizeof v);
	}
	for (; i < tile.count; i++)
		at[i] = (uint8_t)(at[i] + (all[i] ? step : 0));
}

/* ---- lines ---- */

/* The line of the window around line n that tells where nothing can be inside. */
static uint32_t probe_of(const struct rip_around *around, uint32_t n)
{
	const uint32_t probe = (n + around->edge) / around->window * around->window;

	return probe < around->lines.height ? probe : around->lines.height - 1;
}

/* Of the line that was probed last. */
struct probe {
	uint32_t line;  /* 1 + its number; 0: none */
	bool     has[]; /* for each tile, whether there is something inside */
};

static void find_in_probe(struct rip_around *around, uint32_t line)
{
	struct probe *probe = around->own;

	for (uint32_t row = 0, t = 0; row < around->lines.rows; row++)
		for (uint32_t i = 0; i < around->tiles; i++, t++) {
			probe->has[t] = may_have_full(around, rip_around_row(around, line, row),
						      rip_tile_at(around, i));
			if (probe->has[t])
				rip_around_found(around, line, row, t, &probe->has[t]);
		}
	probe->line = line + 1;
}

static void thin_line(struct rip_around *around, uint32_t n)
{
	const uint8_t *inside[2 * RIP_TONER_EDGE_MAX + 1];
	const struct probe *probe = around->own;
	const uint32_t line = probe_of(around, n);

	if (probe->line != line + 1)
		find_in_probe(around, line);
	for (uint32_t row = 0, t = 0; row < around->lines.rows; row++)
		for (uint32_t i = 0; i < around->tiles; i++, t++)
			if (probe->has[t]) {
				const uint32_t lines = rip_around_window(around, n, row, t, inside);

				thin(around, rip_around_row(around, n, row),
				     rip_tile_at(around, i), inside, lines);
			}
}

const struct rip_around_kind rip_toner_save_kind = {
	.found_bytes = RIP_TILE, .find = find_inside, .change = thin_line,
	.own_bytes = sizeof(struct probe), .own_tile_bytes = sizeof(bool),
};
