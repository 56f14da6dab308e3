/* From a page's samples to targets. */
#include "tone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "curve_search.h"
#include "rows.h"

/* Finds the samples at both ends whose x is 0 or full. */
static void find_ends(struct rip_tone *tone)
{
	const uint32_t last = (1u << tone->sample_bits) - 1;
	const uint16_t *curve = tone->curve;
	uint32_t lo = 0, hi = last;

	tone->two_ends = !curve || (curve[0] == 0 && curve[last] == RIP_FULL);
	if (!tone->two_ends)
		return;
	if (curve) {
		while (curve[lo + 1] == 0)
			lo++;
		while (curve[hi - 1] == RIP_FULL)
			hi--;
		for (uint32_t v = lo + 1; v < hi; v++)
			tone->two_ends &= curve[v] != 0 && curve[v] != RIP_FULL;
	}
	tone->lo = (uint16_t)lo;
	tone->hi = (uint16_t)hi;
}

/* A bi-level screen is a curve to the two extremes: no sample is grey after it. */
static void make_bi_level(uint16_t *curve, uint32_t count)
{
	for (uint32_t v = 0; v < count; v++)
		curve[v] = curve[v] > 32767 ? RIP_FULL : 0;
}

/* The curve of the page, or the one without effect. */
static void copy_curve(uint16_t *to, const uint16_t *curve, uint32_t count)
{
	if (curve)
		memcpy(to, curve, count * sizeof *to);
	else
		for (uint32_t v = 0; v < count; v++)
			to[v] = (uint16_t)(count == 256 ? 257 * v : v);
}

/* -ENOMEM. */
static int split_targets(struct rip_tone *tone)
{
	const size_t count = (size_t)1 << tone->sample_bits;

	if (tone->levels == 2 || (tone->sample_bits == 16 && !tone->curve))
		return 0;
	tone->low = malloc(count * sizeof *tone->low);
	tone->high = malloc(count);
	if (!tone->low || !tone->high)
		return -ENOMEM;
	for (size_t v = 0; v < count; v++) {
		const int32_t target = tone->sample_bits == 8 ? tone->target8[v] :
				       rip_target(tone->curve[v], tone->levels);

		tone->low[v] = (uint16_t)target;
		tone->high[v] = (uint8_t)(target >> 16);
	}
	return 0;
}

int rip_tone_init(struct rip_tone *tone, const struct rip_page_spec *spec)
{
	const bool bi_level = spec->screen->kind == RIP_SCREEN_BI_LEVEL;
	const uint32_t count = 1u << spec->sample_bits;

	memset(tone, 0, sizeof *tone);
	tone->levels = spec->levels;
	tone->sample_bits = spec->sample_bits;
	if (spec->curve || bi_level) {
		tone->curve = malloc(count * sizeof *tone->curve);
		if (!tone->curve)
			return -ENOMEM;
		copy_curve(tone->curve, spec->curve, count);
		if (bi_level)
			make_bi_level(tone->curve, count);
	}
	if (spec->sample_bits == 8) {
		for (unsigned v = 0; v < 256; v++) {
			/* Two bytes, so that no compiler warns of a 16-bit load. */
			const uint8_t sample[2] = { (uint8_t)v };

			tone->target8[v] = rip_target(rip_tone_x(tone, sample, 0), spec->levels);
		}
	}
	find_ends(tone);
	if (split_targets(tone) < 0) {
		rip_tone_finish(tone);
		return -ENOMEM;
	}
	return 0;
}

void rip_tone_finish(struct rip_tone *tone)
{
	free(tone->curve);
	free(tone->low);
	free(tone->high);
	tone->curve = NULL;
	tone->low = NULL;
	tone->high = NULL;
}

void rip_tone_targets(const struct rip_tone *tone, const void *row, size_t j, size_t count,
		      int32_t *targets)
{
	if (tone->sample_bits == 8) {
		const uint8_t *samples = (const uint8_t *)row + j;

		for (size_t i = 0; i < count; i++)
			targets[i] = tone->target8[samples[i]];
	} else if (tone->curve) {
		const uint16_t *samples = (const uint16_t *)row + j;

		for (size_t i = 0; i < count; i++)
			targets[i] = rip_target(tone->curve[samples[i]], tone->levels);
	} else {
		const uint16_t *samples = (const uint16_t *)row + j;
		const uint32_t levels = tone->levels;

		for (size_t i = 0; i < count; i++)
			targets[i] = rip_target(samples[i], levels);
	}
}

void rip_tone_row(const uint16_t *curve, uint32_t bits, const void *samples, uint32_t width,
		  uint16_t *x)
{
	const uint16_t *wide = samples;
	const uint8_t *narrow = samples;

	if (bits == 8 && curve)
		rip_row_ops()->curve8(narrow, width, curve, x);
	else if (bits == 8)
		for (uint32_t j = 0; j < width; j++)
			x[j] = (uint16_t)(257 * narrow[j]);
	else if (curve)
		for (uint32_t j = 0; j < width; j++)
			x[j] = curve[wide[j]];
	else
		memcpy(x, wide, width * sizeof *x);
}

bool rip_tone_can_fold(const uint16_t *const curves[], const struct rip_page_spec *spec)
{
	const uint32_t last = (1u << spec->sample_bits) - 1;
	bool can = spec->levels == 2 && spec->screen->kind == RIP_SCREEN_MASK;

	/* Extreme samples never reach a mask. */
	for (uint32_t p = 0; can && p < spec->planes; p++)
		can = curves[p] && spec->screen->masks[p] && curves[p][0] == 0 &&
		      curves[p][last] == RIP_FULL && rip_curve_never_falls(curves[p], last + 1);
	return can;
}
