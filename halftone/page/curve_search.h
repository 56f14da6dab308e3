/*
 * The samples of a tone curve by their x, which needs curves that never fall; programs and --curve
 * may give any curve.  Pure functions; any thread.
 */
#ifndef RIP_CURVE_SEARCH_H
#define RIP_CURVE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

static inline bool rip_curve_never_falls(const uint16_t *curve, uint32_t count)
{
	for (uint32_t v = 0; v + 1 < count; v++)
		if (curve[v] > curve[v + 1])
			return false;
	return true;
}

/* The number of samples, from 0 on, whose curve is at most x.  curve: `count` values that never
 * fall. */
static inline uint32_t rip_curve_samples_up_to(const uint16_t *curve, uint32_t count, uint32_t x)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (curve[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
