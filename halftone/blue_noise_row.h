/* Blue noise in plain C, pixel by pixel (blue_noise.h).  Only for diffuse.c and
 * diffuse_colour.c. */
#ifndef RIP_BLUE_NOISE_ROW_H
#define RIP_BLUE_NOISE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "halftone/screen/blue_noise.h"
#include "diffuse_row.h"

/* What a pixel gets from its neighbours. */
INLINE int32_t blue_noise_sum(const struct rip_diffuser_cache *c, int32_t carry)
{
	return rip_saturated_sum(rip_saturated_sum(carry, c->last2), c->last);
}

/* What it sends right goes into the cache. */
INLINE void blue_noise_right(struct rip_diffuser_cache *c, int32_t e, uint32_t zone)
{
	const struct rip_blue_noise_weights *w = &rip_blue_noise[zone];

	c->last2 = c->next;
	c->last = rip_mulr(e, w->right);
	c->next = rip_mulr(e, w->right2);
}

/* A pixel with this carry: its level; what it sends right goes into the cache, its error and
 * its zone to the caller. */
INLINE int32_t blue_noise_pixel(struct rip_diffuser_cache *c, int32_t target, int32_t carry,
				int32_t *error, uint32_t *zone)
{
	const int32_t s = target + blue_noise_sum(c, carry), e = rip_error_left(s);

	*zone = rip_blue_noise_zone(target, carry);
	*error = e;
	blue_noise_right(c, e, *zone);
	return rip_level(s);
}

/* near[] gathers what goes to columns j-4 .. j of the next row; column j-4 is complete after
 * this pixel. */
INLINE void blue_noise_down(int16_t *carry, struct rip_diffuser_cache *c, size_t j, int32_t e,
			    uint32_t zone)
{
	const struct rip_blue_noise_weights *w = &rip_blue_noise[zone];

	carry[(ptrdiff_t)j - 4] = (int16_t)(c->near[0] + rip_mulr(e, w->below[0]));
	c->near[2] += rip_mulr(e, w->below[1]);
	c->near[3] += rip_mulr(e, w->below[2]);
	c->near[4] += rip_mulr(e, w->below[3]);
	shift(c->near, rip_mulr(e, w->below[4]));
}

INLINE int32_t blue_noise_push(struct row *row, struct rip_diffuser_cache *c, size_t j,
			       int32_t target)
{
	uint32_t zone;
	int32_t e;
	const int32_t level = blue_noise_pixel(c, target, row->state1[j], &e, &zone);

	blue_noise_down(row->state1, c, j, e, zone);
	return level;
}

/* What a pixel of this error and zone of the row above sends to the k-th of its columns. */
INLINE int32_t blue_noise_share(int32_t error, int32_t zone, int k)
{
	return rip_mulr(error, rip_blue_noise[zone].below[k]);
}

/* near[] and far[] are the errors and the zones of columns j-1 .. j+3 of the row above; column
 * j+4 is loaded here. */
INLINE int32_t blue_noise_collect(int age, struct row *row, struct rip_diffuser_cache *c, size_t j,
				  int32_t target)
{
	int32_t carry = row->state1[j], e, level;
	uint32_t zone;

	if (age > 0) {
		const int32_t error4 = row->state1[j + 4], zone4 = row->state2[j + 4];

		carry = blue_noise_share(error4, zone4, 0) +
			blue_noise_share(c->near[3], c->far[3], 1) +
			blue_noise_share(c->near[2], c->far[2], 2) +
			blue_noise_share(c->near[1], c->far[1], 3) +
			blue_noise_share(c->near[0], c->far[0], 4);
		shift(c->near, error4);
		shift(c->far, zone4);
	}
	level = blue_noise_pixel(c, target, carry, &e, &zone);
	row->state1[j] = (int16_t)e;
	row->state2[j] = (int16_t)zone;
	return level;
}

/* Before the first pixel. */
INLINE void blue_noise_open(bool collect, int age, const struct row *row,
			    struct rip_diffuser_cache *c)
{
	memset(c, 0, sizeof *c);
	if (!collect || age == 0)
		return;
	for (int k = 0; k < 4; k++) {
		c->near[1 + k] = row->state1[k];
		c->far[1 + k] = row->state2[k];
	}
}

/* After the last pixel: the last four columns of a pushing row. */
INLINE void blue_noise_close(bool collect, struct row *row, struct rip_diffuser_cache *c,
			     size_t width)
{
	if (collect)
		return;
	for (ptrdiff_t j = (ptrdiff_t)width - 4; j < (ptrdiff_t)width; j++) {
		row->state1[j] = (int16_t)c->near[0];
		shift(c->near, 0);
	}
}

/* The carry of column j after a collected row. */
INLINE int32_t blue_noise_carry(const int16_t *errors, const int16_t *zones, ptrdiff_t j)
{
	static const int from[5] = { 4, 2, 1, 0, -1 };
	int32_t carry = 0;

	for (int k = 0; k < 5; k++) /* outside of the row they are 0 */
		carry += blue_noise_share(errors[j + from[k]], zones[j + from[k]], k);
	return carry;
}

#endif
