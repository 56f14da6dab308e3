/*
 * From a page's samples to targets: sample -> x -> target (arith.h), through the tone
 * curve if there is one.  A bi-level screen (screen.h) works here, as the last part of the
 * curve: every x becomes 0 or full.
 *
 * Read-only after rip_tone_init(); then any thread may use it.
 */
#ifndef RIP_TONE_H
#define RIP_TONE_H

#include <stdbool.h>

#include "halftone/engine.h"

struct rip_tone {
	uint32_t  levels;
	uint32_t  sample_bits;
	uint16_t *curve;        /* own, 256 or 65536 values; NULL: 257*v, v */
	int32_t   target8[256]; /* of 8-bit samples */
	/* The targets of samples as 65536*high + low: with more than two levels, of 8-bit samples
	 * and, if there is a curve, of 16-bit samples (65536 values); else NULL. */
	uint16_t *low;
	uint8_t  *high;
	bool      two_ends;     /* x is 0 up to the sample lo, full from hi on, and neither
				   in between; if false, lo and hi are undefined */
	uint16_t  lo, hi;
};

/* 0 or -ENOMEM.  Copies the curve. */
int  rip_tone_init(struct rip_tone *tone, const struct rip_page_spec *spec);
void rip_tone_finish(struct rip_tone *tone); /* may be called twice */

/* x of the sample at index j of a row: 0..65535. */
static inline uint32_t rip_tone_x(const struct rip_tone *tone, const void *row, size_t j)
{
	if (tone->sample_bits == 8) {
		uint32_t v = ((const uint8_t *)row)[j];

		return tone->curve ? tone->curve[v] : 257 * v;
	} else {
		uint32_t v = ((const uint16_t *)row)[j];

		return tone->curve ? tone->curve[v] : v;
	}
}

/* The targets of `count` samples from index j on. */
void rip_tone_targets(const struct rip_tone *tone, const void *row, size_t j, size_t count,
		      int32_t *targets);

/* Whether the curves of a page's planes (x by sample, 256 or 65536 values; NULL: none) can become
 * part of the thresholds of its masks, so that no sample goes through a curve: all planes have a
 * mask of two levels and a curve that never falls, from 0 to full. */
bool rip_tone_can_fold(const uint16_t *const curves[], const struct rip_page_spec *spec);

/* Takes a row of samples, `bits` bits each, through a curve (x by sample; NULL: none): makes width
 * values of x. */
void rip_tone_row(const uint16_t *curve, uint32_t bits, const void *samples, uint32_t width,
		  uint16_t *x);

#endif
