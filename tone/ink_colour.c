/* What inks on paper do to light. */
#include "tone/ink_colour.h"

#include <math.h>

/* Reflectances of the primaries, by their inks: cyan 1, magenta 2, yellow 4. */
static const float primaries[8][RIP_COLOUR_CHANNELS] = {
	{ 1, 1, 1 },
	{ 0, .353f, .774f },
	{ .790f, .004f, .217f },
	{ .042f, .032f, .238f },
	{ 1, .852f, 0 },
	{ 0, .314f, .063f },
	{ .772f, .014f, .019f },
	{ .044f, .043f, .042f },
};

static bool is_coloured(enum rip_ink ink)
{
	return ink == RIP_INK_CYAN || ink == RIP_INK_MAGENTA || ink == RIP_INK_YELLOW;
}

/* The reflectances of a solid area of an ink that multiplies what the others let through. */
static double reflectance(enum rip_ink ink, double solid, double strength, unsigned channel)
{
	/* The part of the density that a light ink has. */
	const double thinned = log(1 - strength * (1 - solid)) / log(solid);

	switch (ink) {
	case RIP_INK_LIGHT_CYAN:
		return pow(fmax(primaries[1][channel], solid), thinned);
	case RIP_INK_LIGHT_MAGENTA:
		return pow(fmax(primaries[2][channel], solid), thinned);
	case RIP_INK_LIGHT_BLACK:
		return pow(solid, thinned);
	default:
		return solid;
	}
}

unsigned rip_ink_channels(const enum rip_ink inks[], unsigned planes)
{
	for (unsigned p = 0; p < planes; p++)
		if (is_coloured(inks[p]) || inks[p] == RIP_INK_LIGHT_CYAN ||
		    inks[p] == RIP_INK_LIGHT_MAGENTA)
			return RIP_COLOUR_CHANNELS;
	return 1;
}

/* The primaries' mean in one channel. */
static float mean_of(const float value[8], float c, float m, float y)
{
	const float w = value[0] + (value[1] - value[0]) * c;
	const float wm = value[2] + (value[3] - value[2]) * c;
	const float wy = value[4] + (value[5] - value[4]) * c;
	const float wmy = value[6] + (value[7] - value[6]) * c;
	const float a = w + (wm - w) * m, b = wy + (wmy - wy) * m;

	return a + (b - a) * y;
}

/* Coloured inks: at most one plane of each. */
static void absorb_coloured(const float *const cmy[3], bool through, unsigned channel, size_t n,
			    float *absorbed)
{
	float value[8];

	for (int i = 0; i < 8; i++)
		value[i] = through ? sqrtf(primaries[i][channel]) : primaries[i][channel];
	for (size_t j = 0; j < n; j++)
		absorbed[j] = 1 - mean_of(value, cmy[0] ? cmy[0][j] : 0, cmy[1] ? cmy[1][j] : 0,
					  cmy[2] ? cmy[2][j] : 0);
}

void rip_ink_absorb(const enum rip_ink inks[], unsigned planes, double solid,
		    const double strengths[], bool through,
		    const float *const areas[], size_t n, float *const absorbed[])
{
	const unsigned channels = rip_ink_channels(inks, planes);
	const float *cmy[3] = { NULL };

	for (unsigned p = 0; p < planes; p++)
		if (is_coloured(inks[p]))
			cmy[inks[p] - RIP_INK_CYAN] = areas[p];
	for (unsigned channel = 0; channel < channels; channel++) {
		float *to = absorbed[channel];

		if (channels == 1)
			for (size_t j = 0; j < n; j++)
				to[j] = 0;
		else
			absorb_coloured(cmy, through, channel, n, to);
		for (unsigned p = 0; p < planes; p++) {
			const double back = reflectance(inks[p], solid, strengths[p], channel);
			const float black = (float)(1 - (through ? sqrt(back) : back));

			for (size_t j = 0; !is_coloured(inks[p]) && j < n; j++)
				to[j] = 1 - (1 - to[j]) * (1 - black * areas[p][j]);
		}
	}
}
