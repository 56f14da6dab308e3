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

extern const struct rip_error_filter rip_error_filters[RIP_ERROR_FILTERS];

/* The id of a name, without regard to case; -1 if there is no such filter. */
int rip_error_filter_find(const char *name);

/* The largest value that a carry may have: carry row 0 (D1, what goes to the
 * next row) or row 1 (D2, what goes two rows down). */
int32_t rip_error_filter_carry_bound(const struct rip_error_filter *filter, int row);

#endif
