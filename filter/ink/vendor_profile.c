/* The colour profile of a vendor's PPD. */
#include "vendor_profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/report.h"
#include "system/number.h"

#define NEAR 0.2f /* of the distance of two points: how far from a point its colour may be */

/* A profile while its samples are read. */
struct reading {
	struct rip_colour_cube *cube;
	unsigned wanted, count;
	bool     filled[RIP_CUBE_MAX * RIP_CUBE_MAX * RIP_CUBE_MAX]; /* of each point of the cube */
};

void rip_vendor_profile_find(struct rip_vendor_profile *profile, const struct rip_queue *queue,
			     const struct rip_vendor_page *page)
{
	char spec[RIP_VENDOR_SPEC];

	memset(profile, 0, sizeof *profile); /* with its padding: it is compared as bytes */
	profile->line = rip_vendor_find(queue, "cupsRGBProfile", page, spec);
	if (profile->line)
		strcpy(profile->spec, spec);
}

/* The inks of a point, from a line.  false: it is not valid. */
static bool take_sample(struct reading *reading, const char *value)
{
	const unsigned size = reading->cube->size;
	unsigned point = 0;
	float v[7];

	if (rip_number_scan(value, "%f%f%f%f%f%f%f", v, v + 1, v + 2, v + 3, v + 4, v + 5,
			    v + 6) != 7)
		return false;
	for (int i = 0; i < 7; i++)
		if (!(v[i] >= 0 && v[i] <= 1)) /* NaN is neither */
			return false;
	for (int i = 0; i < 3; i++) {
		const float place = v[i] * (float)(size - 1), nearest = rintf(place);

		if (fabsf(place - nearest) > NEAR)
			return false;
		point = point * size + (unsigned)nearest;
	}
	for (int i = 0; i < RIP_CUBE_INKS; i++)
		reading->cube->samples[point][i] = (uint8_t)(255. * v[3 + i] + 0.5);
	reading->filled[point] = true;
	reading->count++;
	return true;
}

/* Whether all points have inks. */
static bool is_whole(const struct reading *reading)
{
	for (unsigned i = 0; i < reading->wanted; i++)
		if (!reading->filled[i])
			return false;
	return true;
}

/* 0, -EINVAL or -ENOMEM. */
static int read_profile(struct reading *reading, const struct rip_vendor_profile *profile,
			const struct rip_queue *queue)
{
	const char *value;
	unsigned size, inks;

	if (sscanf(profile->line, "%u%u%u", &size, &inks, &reading->wanted) != 3 ||
	    inks != RIP_CUBE_INKS || size < RIP_CUBE_MIN || size > RIP_CUBE_MAX ||
	    reading->wanted != size * size * size)
		return -EINVAL;
	reading->cube = rip_colour_cube_new(size);
	if (!reading->cube)
		return -ENOMEM;
	while (reading->count < reading->wanted &&
	       (value = rip_queue_line(queue, "cupsRGBSample", profile->spec, reading->count > 0)))
		if (!take_sample(reading, value))
			return -EINVAL;
	return is_whole(reading) ? 0 : -EINVAL;
}

int rip_vendor_profile_read(struct rip_colour_cube **cube, const struct rip_vendor_profile *profile,
			    const struct rip_queue *queue, bool *warned)
{
	struct reading reading = { .cube = NULL };
	const int r = read_profile(&reading, profile, queue);

	*cube = NULL;
	if (r == 0) {
		*cube = reading.cube;
		return 0;
	}
	if (r == -EINVAL && !*warned) {
		rip_warning("cupsRGBProfile \"%.40s\" in the queue's PPD is ignored: it needs "
			    "4 inks and a valid cupsRGBSample for each point of a cube of 2 to "
			    "16 points a side; %u lines are valid", profile->line, reading.count);
		*warned = true;
	}
	free(reading.cube);
	return r;
}
