/*
 * Blue noise: error diffusion with weights that depend on the tone, in the arithmetic of
 * arith.h.
 *
 * Constant weights lock into patterns at some tones and form chains of dots at others.  Here
 * each of 16 zones of tones has a set of weights that was optimised for it.
 *
 *   Distance  f = A mod 65536; g = f or 65535 - f, the less: how far the tone is from the
 *             nearest level, 0..32767.
 *   Zone      z = (min(floor(g*21760 / 65536), 732 + floor(g*6218 / 65536)) + (D & 255)) >> 8.
 *             Zones 0 to 4 are 3/255 apart, those after them 10.5/255.  D is the carry of the
 *             pixel's column, complete, as the row finds it.  Its low 8 bits are as good as
 *             random numbers: they dither the zone, so that nothing is seen of the borders.
 *   Sum       u = sat(sat(D + P2) + P1), s = A + u.  P1 and P2 are what the two pixels to the
 *             left send; sat() limits to -32768..32767.
 *   Level, error, r and e, as in arith.h.
 *   Shares    mulr(e, 256*T) with the pixel's own zone's T: to columns j+1 and j+2 of the row,
 *             and to columns j-4, j-2, j-1, j and j+1 of the next row.
 *
 * The weights are those of the pixel that sends.  So what it sends sums to its error, but for
 * the rounding, and the tone is exact.
 *
 * Why nothing overflows.  What a pixel receives comes from different zones: its weights may
 * sum to more than 1, and arith.h's bound of u does not hold.  Two other ones take its place:
 *
 * - D is the sum of at most one product of each column of the table below.  A product is at
 *   most its weight, so |D| is at most 256 times the sum of the columns' largest shares
 *   (RIP_BLUE_NOISE_CARRY).  That is less than 32768, and a bound of every partial sum too:
 *   the products may be added in any order.
 * - u is limited by the two saturating additions (x86 PADDSW, Arm SQADD).  Both operands are
 *   in int16.  Their order matters where they limit, which is rare but happens: what comes
 *   from two columns away is added first.
 *
 * Why there are no stray dots.  u is in -32768..32767 and 0 <= A <= 65536*(n-1), so
 * 0 <= s + 32768 < 65536*n, hence 0 <= r <= n-1.  A = 0 gives s + 32768 < 65536: level 0 only;
 * A = full gives level n-1 only.  So does every tone that is a level: with A = 65536*h any u
 * gives level h.
 *
 * Limiting loses error, and so tone: on photographs 1 to 2 pixels in 10000.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_BLUE_NOISE_H
#define RIP_BLUE_NOISE_H

#include "arith.h"
#include "blue_noise_table.h"

#define RIP_BLUE_NOISE_ZONES 16

/* The largest absolute value of the carry. */
#define RIP_BLUE_NOISE_CARRY (256 * RIP_BLUE_NOISE_DOWN)

/* Columns to the left that a pixel sends errors to: the carry of a column is complete when the
 * pixel so far to the right is done. */
#define RIP_BLUE_NOISE_LEFT 4

/* The constants of the zone. */
#define RIP_BLUE_NOISE_TINTS 21760 /* slope beside levels, in 65536ths */
#define RIP_BLUE_NOISE_START 732
#define RIP_BLUE_NOISE_SLOPE 6218

/* Weights in Q15. */
struct rip_blue_noise_weights {
	int16_t right, right2; /* columns j+1, j+2 of the same row */
	int16_t below[5];      /* columns j-4, j-2, j-1, j, j+1 of the next row */
};

/* By zone. */
extern const struct rip_blue_noise_weights rip_blue_noise[RIP_BLUE_NOISE_ZONES];

/* The target's part of the zone, in 256ths: 0..3840. */
RIP_EVERYWHERE static inline uint32_t rip_blue_noise_tone(int32_t target)
{
	const uint32_t f = (uint32_t)target & 0xffff, g = f < 32768 ? f : 65535 - f;
	const uint32_t tint = (g * RIP_BLUE_NOISE_TINTS) >> 16;
	const uint32_t tone = RIP_BLUE_NOISE_START + ((g * RIP_BLUE_NOISE_SLOPE) >> 16);

	return tint < tone ? tint : tone;
}

/* The zone of a pixel with this target and carry. */
RIP_EVERYWHERE static inline uint32_t rip_blue_noise_zone(int32_t target, int32_t carry)
{
	return (rip_blue_noise_tone(target) + ((uint32_t)carry & 255)) >> 8;
}

/* The sum of two int16 numbers, limited to int16. */
RIP_EVERYWHERE static inline int32_t rip_saturated_sum(int32_t a, int32_t b)
{
	const int32_t sum = a + b;

	return sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
}

#endif
