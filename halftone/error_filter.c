/* Error filters: the tables, and their bounds. */
#include "error_filter.h"

#include <strings.h>

const struct rip_error_filter rip_error_filters[RIP_ERROR_FILTERS] = {
	[RIP_FLOYD_STEINBERG] = RIP_FILTER_FLOYD_STEINBERG,
	[RIP_JARVIS_JUDICE_NINKE] = RIP_FILTER_JARVIS_JUDICE_NINKE,
	[RIP_STUCKI] = RIP_FILTER_STUCKI,
	[RIP_BURKES] = RIP_FILTER_BURKES,
	[RIP_SIERRA] = RIP_FILTER_SIERRA,
	[RIP_ATKINSON] = RIP_FILTER_ATKINSON,
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
