/* The tone response of a printer on a screen. */
#include "tone/response.h"

#include <math.h>
#include <string.h>

#define LAST (RIP_RESPONSE_POINTS - 1)

/* Flat parts rise so much from point to point, so that there is only one tone for an area. */
#define LEAST_STEP 1e-7

void rip_response_straighten(struct rip_response *response)
{
	double up[RIP_RESPONSE_POINTS], down = 1;
	double *area = response->area;

	area[0] = 0;
	area[LAST] = 1;
	up[0] = 0;
	for (int i = 1; i <= LAST; i++)
		up[i] = fmin(fmax(up[i - 1], area[i]), 1);
	for (int i = LAST; i >= 0; i--) {
		down = fmin(down, area[i]);
		area[i] = ((up[i] + fmax(down, 0)) / 2 + LEAST_STEP * i) / (1 + LEAST_STEP * LAST);
	}
}

void rip_response_of(struct rip_response *response, const struct rip_printer *printer,
		     const struct rip_pattern *pattern, unsigned levels)
{
	int i = 0;

	/* From tone to tone of the tables. */
	for (unsigned level = 0; level + 1 < levels; level++)
		for (uint32_t index = 0; index + 1 < RIP_PATTERN_TONES; index++) {
			const double from = level + rip_pattern_tone(index) / 65535.0;
			const double to = level + rip_pattern_tone(index + 1) / 65535.0;
			const double last = to * LAST / (levels - 1);
			double a, b;

			if (i > last + 1e-9)
				continue;
			a = rip_area_at(printer, pattern, levels, level, index);
			b = rip_area_at(printer, pattern, levels, level, index + 1);
			for (; i <= LAST && i <= last + 1e-9; i++) {
				const double tone = (double)i * (levels - 1) / LAST;

				response->area[i] = a + (b - a) * (tone - from) / (to - from);
			}
		}
	rip_response_straighten(response);
}

double rip_response_area(const struct rip_response *response, double tone)
{
	const double at = tone * LAST;
	const int i = at < LAST - 1 ? (int)at : LAST - 1;

	return response->area[i] + (response->area[i + 1] - response->area[i]) * (at - i);
}

double rip_response_tone(const struct rip_response *response, double wanted)
{
	const double *area = response->area;
	int low = 0, high = LAST;

	if (wanted <= 0 || wanted >= 1)
		return wanted <= 0 ? 0 : 1;
	while (high - low > 1) {
		const int middle = (low + high) / 2;

		if (area[middle] <= wanted)
			low = middle;
		else
			high = middle;
	}
	return (low + (wanted - area[low]) / (area[high] - area[low])) / LAST;
}
