/* The tone curve of a plane. */
#include "tone/curve_for.h"

#include <math.h>

#define PRESS_GAIN 0.20 /* of an offset press, at 50 % */

const char *const rip_target_names[RIP_TARGETS] = {
	[RIP_TARGET_PRINT] = "print", [RIP_TARGET_LINEAR] = "linear",
};

double rip_target_area(enum rip_target target, double ink)
{
	return target == RIP_TARGET_PRINT ? ink + 4 * PRESS_GAIN * ink * (1 - ink) : ink;
}

/* The tone, 0 to 1, for an ink. */
static double tone_for(const struct rip_wish *wish, double ink)
{
	double area;

	if (wish->gamma != 1)
		ink = 1 - pow(1 - ink, 1 / wish->gamma);
	area = wish->response ? rip_target_area(wish->target, ink) : ink;
	if (wish->density != 1)
		area = (1 - pow(1 - area * (1 - wish->solid), wish->density)) / (1 - wish->solid);
	if (wish->part != RIP_PART_WHOLE) {
		double dark, light;

		rip_light_split(&wish->light_ink, wish->solid, area, &dark, &light);
		area = wish->part == RIP_PART_DARK ? dark : light;
	}
	return wish->response ? rip_response_tone(wish->response, area) : area;
}

void rip_curve_for(const struct rip_wish *wish, bool light, uint32_t count, uint16_t *curve)
{
	const double full = count - 1;

	for (uint32_t v = 0; v < count; v++) {
		const double tone = tone_for(wish, (light ? count - 1 - v : v) / full);
		const uint16_t x = (uint16_t)lrint(65535 * fmin(fmax(tone, 0), 1));

		curve[v] = light ? 65535 - x : x;
	}
}
