/*
 * Error filters: who gets how much of a pixel's error.
 *
 * A filter with numerators k over a denominator becomes Q15 weights
 * w = floor(32768*k/den + 1/2); the right neighbour takes 32767 less the rest,
 * so that the weights sum to 32767 (arith.h says why).  Atkinson, which drops a
 * quarter of the error, is six times 4096.
 *
 * Constant tables; any thread may read them.
 */
#ifndef RIP_ERROR_FILTER_H
#define RIP_ERROR_FILTER_H

#include <stdint.h>

enum rip_error_filter_id {
	RIP_FLOYD_STEINBERG, /* Floyd and Steinberg 1976; the papers' filter */
	RIP_JARVIS_JUDICE_NINKE,
	RIP_STUCKI,
	RIP_BURKES,
	RIP_SIERRA,
	RIP_ATKINSON,
	RIP_ERROR_FILTERS /* how many there are */
};

struct rip_error_filter {
	const char *name;  /* as options and commands spell it */
	int         reach; /* rows below that get a share: 1 or 2 */
	int16_t     right[2];  /* columns j+1, j+2 of the same row */
	int16_t     below[5];  /* columns j-2 .. j+2, one row below */
	int16_t     below2[5]; /* columns j-2 .. j+2, two rows below */
};

/* floor(32768*k/den + 1/2), and five of them summed. */
#define RIP_WEIGHT(k, den) ((int16_t)((32768 * 2 * (k) + (den)) / (2 * (den))))
#define RIP_WEIGHTS(a, b, c, d, e, den)                                                 \
	(RIP_WEIGHT(a, den) + RIP_WEIGHT(b, den) + RIP_WEIGHT(c, den) +                 \
	 RIP_WEIGHT(d, den) + RIP_WEIGHT(e, den))

/* One filter as an initialiser, so that kernels can have it as a constant: its
 * second right neighbour, the two rows below, and the denominator. */
#define RIP_FILTER(name, reach, r2, a, b, c, d, e, f, g, h, i, j, den)                  \
	{                                                                               \
		name, reach,                                                            \
		{ 32767 - RIP_WEIGHT(r2, den) - RIP_WEIGHTS(a, b, c, d, e, den) -       \
			  RIP_WEIGHTS(f, g, h, i, j, den),                              \
		  RIP_WEIGHT(r2, den) },                                                \
		{ RIP_WEIGHT(a, den), RIP_WEIGHT(b, den), RIP_WEIGHT(c, den),           \
		  RIP_WEIGHT(d, den), RIP_WEIGHT(e, den) },                             \
		{ RIP_WEIGHT(f, den), RIP_WEIGHT(g, den), RIP_WEIGHT(h, den),           \
		  RIP_WEIGHT(i, den), RIP_WEIGHT(j, den) },                             \
	}

#define RIP_FILTER_FLOYD_STEINBERG \
	RIP_FILTER("floyd-steinberg", 1, 0, 0, 3, 5, 1, 0, 0, 0, 0, 0, 0, 16)
#define RIP_FILTER_JARVIS_JUDICE_NINKE \
	RIP_FILTER("jarvis-judice-ninke", 2, 5, 3, 5, 7, 5, 3, 1, 3, 5, 3, 1, 48)
#define RIP_FILTER_STUCKI RIP_FILTER("stucki", 2, 4, 2, 4, 8, 4, 2, 1, 2, 4, 2, 1, 42)
#define RIP_FILTER_BURKES RIP_FILTER("burkes", 1, 4, 2, 4, 8, 4, 2, 0, 0, 0, 0, 0, 32)
#define RIP_FILTER_SIERRA RIP_FILTER("sierra", 2, 3, 2, 4, 5, 4, 2, 0, 2, 3, 2, 0, 32)
#define RIP_FILTER_ATKINSON /* drops a quarter: its right neighbour takes no rest */     \
	{                                                                               \
		"atkinson", 2, { 4096, 4096 }, { 0, 4096, 4096, 4096, 0 },              \
		{ 0, 0, 4096, 0, 0 },                                                   \
	}

extern const struct rip_error_filter rip_error_filters[RIP_ERROR_FILTERS];

/* The id of a name, without regard to case; -1 if there is no such filter. */
int rip_error_filter_find(const char *name);

/* The largest value that a carry may have: carry row 0 (D1, what goes to the
 * next row) or row 1 (D2, what goes two rows down). */
int32_t rip_error_filter_carry_bound(const struct rip_error_filter *filter, int row);

#endif
