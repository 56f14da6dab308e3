/*
 * Error filters: which neighbour gets how much of a pixel's error.
 *
 * A filter with numerators k over a denominator becomes Q15 weights
 * w = floor(32768*k/den + 1/2).  The right neighbour takes the rest, so that the
 * weights sum to 32767 (arith.h says why).  Atkinson drops a quarter of the error:
 * six times 4096, which sum to 24576.
 *
 * Each filter is written once, here: as the reach, the sum, and the numerators of
 * the second right neighbour, of columns j-2 .. j+2 one row below and of the same
 * columns two rows below, and the denominator.  The macro that is passed to
 * it builds what is needed; the results are constant expressions.
 */
#ifndef RIP_ERROR_FILTER_H
#define RIP_ERROR_FILTER_H

#include <stdint.h>

struct rip_error_filter {
	int     reach;     /* rows below that get a share: 1 or 2 */
	int16_t right[2];  /* columns j+1, j+2 of the same row */
	int16_t below[5];  /* columns j-2 .. j+2, one row below */
	int16_t below2[5]; /* columns j-2 .. j+2, two rows below */
};

/* Floyd and Steinberg 1976; the papers' filter */
#define RIP_FILTER_FLOYD_STEINBERG(MAKE) \
	MAKE(1, 32767, 0, 0, 3, 5, 1, 0, 0, 0, 0, 0, 0, 16)
/* Jarvis, Judice and Ninke 1976 */
#define RIP_FILTER_JARVIS_JUDICE_NINKE(MAKE) \
	MAKE(2, 32767, 5, 3, 5, 7, 5, 3, 1, 3, 5, 3, 1, 48)
/* Stucki 1981 */
#define RIP_FILTER_STUCKI(MAKE) \
	MAKE(2, 32767, 4, 2, 4, 8, 4, 2, 1, 2, 4, 2, 1, 42)
/* Burkes 1988 */
#define RIP_FILTER_BURKES(MAKE) \
	MAKE(1, 32767, 4, 2, 4, 8, 4, 2, 0, 0, 0, 0, 0, 32)
/* Sierra 1989 */
#define RIP_FILTER_SIERRA(MAKE) \
	MAKE(2, 32767, 3, 2, 4, 5, 4, 2, 0, 2, 3, 2, 0, 32)
/* Atkinson, for the Macintosh */
#define RIP_FILTER_ATKINSON(MAKE) \
	MAKE(2, 24576, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 8)

/* floor(32768*k/den + 1/2), and five of them summed. */
#define RIP_WEIGHT(k, den) ((int16_t)((32768 * 2 * (k) + (den)) / (2 * (den))))
#define RIP_WEIGHTS(a, b, c, d, e, den)                                                 \
	(RIP_WEIGHT(a, den) + RIP_WEIGHT(b, den) + RIP_WEIGHT(c, den) +                 \
	 RIP_WEIGHT(d, den) + RIP_WEIGHT(e, den))

/* The weight of the right neighbour. */
#define RIP_RIGHT(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)                    \
	((sum) - RIP_WEIGHT(r2, den) - RIP_WEIGHTS(a, b, c, d, e, den) -                \
	 RIP_WEIGHTS(f, g, h, i, j, den))

/* The initialiser of a struct rip_error_filter. */
#define RIP_ERROR_FILTER(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)             \
	{                                                                               \
		reach,                                                                  \
		{ RIP_RIGHT(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den),         \
		  RIP_WEIGHT(r2, den) },                                                \
		{ RIP_WEIGHT(a, den), RIP_WEIGHT(b, den), RIP_WEIGHT(c, den),           \
		  RIP_WEIGHT(d, den), RIP_WEIGHT(e, den) },                             \
		{ RIP_WEIGHT(f, den), RIP_WEIGHT(g, den), RIP_WEIGHT(h, den),           \
		  RIP_WEIGHT(i, den), RIP_WEIGHT(j, den) },                             \
	}

/* The largest absolute values of the carry (engine.h): of what goes to the next row,
 * from this row and the one above, and of what goes two rows down. */
#define RIP_CARRY_BOUND_1(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)            \
	(RIP_WEIGHTS(a, b, c, d, e, den) + RIP_WEIGHTS(f, g, h, i, j, den))
#define RIP_CARRY_BOUND_2(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)            \
	(RIP_WEIGHTS(f, g, h, i, j, den))

/* Weights one by one, for kernels of Floyd and Steinberg's filter. */
#define RIP_BELOW_LEFT(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)  RIP_WEIGHT(b, den)
#define RIP_BELOW(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den)       RIP_WEIGHT(c, den)
#define RIP_BELOW_RIGHT(reach, sum, r2, a, b, c, d, e, f, g, h, i, j, den) RIP_WEIGHT(d, den)

#define RIP_FS_RIGHT       RIP_FILTER_FLOYD_STEINBERG(RIP_RIGHT)
#define RIP_FS_BELOW_LEFT  RIP_FILTER_FLOYD_STEINBERG(RIP_BELOW_LEFT)
#define RIP_FS_BELOW       RIP_FILTER_FLOYD_STEINBERG(RIP_BELOW)
#define RIP_FS_BELOW_RIGHT RIP_FILTER_FLOYD_STEINBERG(RIP_BELOW_RIGHT)

#endif
