/* A plane that is printed with two inks of one colour. */
#include "tone/light_ink.h"

#include <math.h>

void rip_light_split(const struct rip_light_ink *ink, double solid, double area, double *dark,
		     double *light)
{
	const double s = ink->strength, e = ink->end, q = 1 - solid;
	double half, most;

	area = fmin(fmax(area, 0), 1);
	*dark = area <= s ? 0 : area;
	*light = area <= s ? area / s : 0;
	if (area <= s || area >= e)
		return;
	if (ink->avoid) {
		*light = (e - area) / (e - s);
		*dark = area - s * *light;
		return;
	}
	/* The smaller root, without a difference of two large numbers. */
	half = (1 - s + s * q) / 2;
	most = s > 0.5 ? 1 : (1 - area) / (half + sqrt(fmax(half * half - s * q * (1 - area), 0)));
	*light = fmin((e - area) / (e - s), most);
	*dark = (1 - (1 - q * area) / (1 - s * q * *light)) / q;
}
