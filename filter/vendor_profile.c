/* The colour profile of a vendor's PPD. */
#include "filter/vendor_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/colour_library.h"
#include "filter/report.h"

#define SIZE_MAX_OF_CUBE 16 /* of libcupsfilters */
#define INKS             4

/* The samples of a profile while they are read. */
struct reading {
	struct rip_colour_sample *samples;
	bool    *filled; /* of each point of the grid */
	unsigned size, wanted, count;
};

void rip_vendor_profile_find(struct rip_vendor_profile *profile, const struct rip_queue *queue,
			     const struct rip_vendor_page *page)
{
	memset(profile, 0, sizeof *profile); /* with its padding: it is compared as bytes */
	profile->line = rip_vendor_find(queue, "cupsRGBProfile", page, profile->spec);
	if (!profile->line)
		memset(profile->spec, 0, sizeof profile->spec);
}

/* The place of a colour in the cube, as libcupsfilters puts it there. */
static unsigned place_of(const struct reading *reading, const unsigned char rgb[3])
{
	unsigned place = 0;

	for (int i = 0; i < 3; i++)
		place = place * reading->size + rgb[i] * (reading->size - 1) / 255;
	return place;
}

/* One sample.  false: it is not valid. */
static bool take_sample(void *context, const char *value)
{
	struct reading *reading = context;
	struct rip_colour_sample *sample = &reading->samples[reading->count];
	float v[7];
	char rest;

	if (reading->count == reading->wanted ||
	    sscanf(value, "%f%f%f%f%f%f%f %c", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, &rest) != 7)
		return false;
	for (int i = 0; i < 7; i++) {
		if (!(v[i] >= 0 && v[i] <= 1)) /* NaN is neither */
			return false;
		if (i < 3)
			sample->rgb[i] = (unsigned char)lrintf(255 * v[i]);
		else
			sample->inks[i - 3] = (unsigned char)lrintf(255 * v[i]);
	}
	reading->filled[place_of(reading, sample->rgb)] = true;
	reading->count++;
	return true;
}

/* Whether all points of the grid have a sample. */
static bool is_whole(const struct reading *reading)
{
	for (unsigned i = 0; i < reading->wanted; i++)
		if (!reading->filled[i])
			return false;
	return true;
}

/* Reads the first line, and makes room for the samples. */
static bool begin(struct reading *reading, const char *line)
{
	unsigned inks;

	if (sscanf(line, "%u%u%u", &reading->size, &inks, &reading->wanted) != 3 || inks != INKS ||
	    reading->size < 2 || reading->size > SIZE_MAX_OF_CUBE ||
	    reading->wanted != reading->size * reading->size * reading->size)
		return false;
	reading->samples = calloc(reading->wanted, sizeof *reading->samples);
	reading->filled = calloc(reading->wanted, sizeof *reading->filled);
	return reading->samples && reading->filled;
}

void *rip_vendor_profile_new(const struct rip_vendor_profile *profile, const struct rip_queue *queue,
			     bool *warned)
{
	struct reading reading = { .count = 0 };
	void *made = NULL;

	if (begin(&reading, profile->line) &&
	    rip_queue_each_line(queue, "cupsRGBSample", profile->spec, take_sample, &reading) &&
	    is_whole(&reading))
		made = rip_colour_profile_new(reading.size, reading.samples);
	else if (!*warned) {
		rip_warning("cupsRGBProfile \"%.40s\" in the queue's PPD is ignored: it needs 4 inks and a"
			    " valid cupsRGBSample for each point of its cube; %u read", profile->line,
			    reading.count);
		*warned = true;
	}
	free(reading.samples);
	free(reading.filled);
	return made;
}
