/* Blue noise for colour in plain C. */
#include "diffuse_colour.h"

#include <string.h>

#include "blue_noise_row.h"
#include "halftone/page/transparent.h"

#define COLUMNS 128 /* that are computed at a time */

/* Some columns of a row. */
struct piece {
	int32_t targets[RIP_PLANES_MAX][COLUMNS];
	int32_t weights[COLUMNS];
	uint8_t levels[RIP_PLANES_MAX][COLUMNS];
};

void rip_colour_planes_init(struct rip_colour_planes *planes, const struct rip_page_spec *spec)
{
	planes->coupling = spec->coupling;
	planes->planes = spec->planes;
	rip_colour_plan(spec->coupling.inks, spec->planes, planes->steps);
}

static const uint8_t *samples_of(const struct rip_strip *strip, uint32_t row)
{
	return (const uint8_t *)strip->in + (ptrdiff_t)row * strip->in_pitch;
}

static uint8_t *dots_of(const struct rip_strip *strip, uint32_t row)
{
	return strip->out + (ptrdiff_t)row * strip->out_pitch;
}

/* The weights of `count` columns from column `from` on. */
static void find_weights(const struct rip_colour_planes *planes, const struct rip_tone *tone,
			 const struct rip_strip strips[], uint32_t row, uint32_t from,
			 uint32_t count, int32_t *weights)
{
	const struct rip_coupling *coupling = &planes->coupling;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t total = 0;

		for (uint32_t p = 0; coupling->fade && p < planes->planes; p++)
			total += rip_colour_ink(rip_tone_x(tone, samples_of(&strips[p], row),
							   from + i), coupling->light);
		weights[i] = rip_colour_weight(total, coupling->fade);
	}
}

/* One pixel of all planes: column j, the i-th of the piece. */
static void pixel(const struct rip_colour_planes *planes, const struct rip_diffuser before[],
		  struct rip_colour_cache *cache, struct piece *piece, uint32_t i, uint32_t j)
{
	int32_t u[RIP_PLANES_MAX], seen = 0;

	for (uint32_t p = 0; p < planes->planes; p++)
		u[p] = blue_noise_sum(&cache->planes[p], before[p].rows[0][j]);
	for (const struct rip_colour_step *step = planes->steps;
	     step < planes->steps + planes->planes; step++) {
		const uint32_t p = step->plane, next = step->looks ? step[1].plane : p;
		struct rip_diffuser_cache *c = &cache->planes[p];
		int16_t *carry = before[p].rows[0];
		int32_t target, e, level;
		uint32_t zone;
		bool between; /* two levels */

		if (cache->passes[p])
			continue;
		target = piece->targets[p][i];
		between = (target & 0xffff) != 0;
		level = target >> 16;
		zone = rip_blue_noise_zone(target, carry[j]);
		if (step->alone) {
			level = rip_level(target + u[p]);
			e = rip_error_left(target + u[p]);
			seen = between ? e >> 1 : seen;
		} else {
			const int32_t half = rip_colour_half(target);
			int32_t sees = seen;
			bool dot;

			if (step->looks && !cache->passes[next] &&
			    (piece->targets[next][i] & 0xffff) != 0)
				sees = rip_saturated_sum(seen, u[next]);
			dot = between && rip_colour_dot(u[p], half, sees, piece->weights[i]);
			level += dot;
			e = half + u[p] - (dot ? 32768 : 0);
			seen = between ? rip_saturated_sum(seen, e) : seen;
		}
		piece->levels[p][i] = (uint8_t)level;
		blue_noise_right(c, e, zone);
		blue_noise_down(carry, c, j, e, zone);
	}
}

/* Packs levels; the first begins a byte. */
static void pack(const uint8_t *levels, uint32_t count, uint32_t bits, uint8_t *to)
{
	for (uint32_t i = 0; i < count; to++) {
		uint32_t byte = 0;

		for (uint32_t k = 0; k < 8; k += bits, i++)
			byte = byte << bits | (i < count ? levels[i] : 0);
		*to = (uint8_t)byte;
	}
}

/* Whether the row is transparent in each plane; then it has its dots. */
static void open_row(uint32_t planes, const struct rip_diffuser before[],
		     const struct rip_strip strips[], uint32_t row, struct rip_colour_cache *cache)
{
	for (uint32_t p = 0; p < planes; p++) {
		memset(&cache->planes[p], 0, sizeof cache->planes[p]);
		cache->passes[p] = rip_row_transparent(before[p].tone,
						       samples_of(&strips[p], row), before[p].width,
						       dots_of(&strips[p], row));
	}
}

static void close_row(uint32_t planes, const struct rip_diffuser before[],
		      struct rip_colour_cache *cache)
{
	for (uint32_t p = 0; p < planes; p++) {
		struct row row = { .state1 = before[p].rows[0] };

		if (!cache->passes[p])
			blue_noise_close(false, &row, &cache->planes[p], before[p].width);
	}
}

void rip_colour_columns(const struct rip_colour_planes *planes, const struct rip_diffuser before[],
			const struct rip_strip strips[], uint32_t row, uint32_t from, uint32_t to,
			struct rip_colour_cache *cache)
{
	const struct rip_tone *tone = before[0].tone;
	const uint32_t bits = rip_dot_bits(tone->levels);
	struct piece piece;

	if (from == 0)
		open_row(planes->planes, before, strips, row, cache);
	for (uint32_t count; from < to; from += count) {
		count = to - from < COLUMNS ? to - from : COLUMNS;
		for (uint32_t p = 0; p < planes->planes; p++)
			if (!cache->passes[p])
				rip_tone_targets(tone, samples_of(&strips[p], row), from, count,
						 piece.targets[p]);
		find_weights(planes, tone, strips, row, from, count, piece.weights);
		for (uint32_t i = 0; i < count; i++)
			pixel(planes, before, cache, &piece, i, from + i);
		for (uint32_t p = 0; p < planes->planes; p++)
			if (!cache->passes[p])
				pack(piece.levels[p], count, bits,
				     dots_of(&strips[p], row) + from * bits / 8);
	}
	if (to == before[0].width)
		close_row(planes->planes, before, cache);
}
