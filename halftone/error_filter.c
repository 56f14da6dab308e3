/* Error filters: the tables, and their bounds. */
#include "error_filter.h"

#include <strings.h>

/* floor(32768*k/den + 1/2) */
#define W(k, den) ((int16_t)((32768 * 2 * (k) + (den)) / (2 * (den))))

#define SUM5(a, b, c, d, e, den) (W(a, den) + W(b, den) + W(c, den) + W(d, den) + W(e, den))

const struct rip_error_filter rip_error_filters[RIP_ERROR_FILTERS] = {
	[RIP_FLOYD_STEINBERG] = {
		"floyd-steinberg", 1,
		{ 32767 - SUM5(0, 3, 5, 1, 0, 16), 0 },
		{ 0, W(3, 16), W(5, 16), W(1, 16), 0 },
		{ 0 },
	},
	[RIP_JARVIS_JUDICE_NINKE] = {
		"jarvis-judice-ninke", 2,
		{ 32767 - W(5, 48) - SUM5(3, 5, 7, 5, 3, 48) - SUM5(1, 3, 5, 3, 1, 48), W(5, 48) },
		{ W(3, 48), W(5, 48), W(7, 48), W(5, 48), W(3, 48) },
		{ W(1, 48), W(3, 48), W(5, 48), W(3, 48), W(1, 48) },
	},
	[RIP_STUCKI] = {
		"stucki", 2,
		{ 32767 - W(4, 42) - SUM5(2, 4, 8, 4, 2, 42) - SUM5(1, 2, 4, 2, 1, 42), W(4, 42) },
		{ W(2, 42), W(4, 42), W(8, 42), W(4, 42), W(2, 42) },
		{ W(1, 42), W(2, 42), W(4, 42), W(2, 42), W(1, 42) },
	},
	[RIP_BURKES] = {
		"burkes", 1,
		{ 32767 - W(4, 32) - SUM5(2, 4, 8, 4, 2, 32), W(4, 32) },
		{ W(2, 32), W(4, 32), W(8, 32), W(4, 32), W(2, 32) },
		{ 0 },
	},
	[RIP_SIERRA] = {
		"sierra", 2,
		{ 32767 - W(3, 32) - SUM5(2, 4, 5, 4, 2, 32) - SUM5(0, 2, 3, 2, 0, 32), W(3, 32) },
		{ W(2, 32), W(4, 32), W(5, 32), W(4, 32), W(2, 32) },
		{ 0, W(2, 32), W(3, 32), W(2, 32), 0 },
	},
	[RIP_ATKINSON] = { /* drops a quarter of the error: all six keep 1/8 */
		"atkinson", 2,
		{ W(1, 8), W(1, 8) },
		{ 0, W(1, 8), W(1, 8), W(1, 8), 0 },
		{ 0, 0, W(1, 8), 0, 0 },
	},
};

int rip_error_filter_find(const char *name)
{
	for (int i = 0; i < RIP_ERROR_FILTERS; i++)
		if (!strcasecmp(name, rip_error_filters[i].name))
			return i;
	return -1;
}

int32_t rip_error_filter_carry_bound(const struct rip_error_filter *filter, int row)
{
	int32_t sum = 0;

	for (int k = 0; k < 5; k++)
		sum += filter->below2[k] + (row == 0 ? filter->below[k] : 0);
	return sum;
}
