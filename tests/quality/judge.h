/*
 * All measures of one source of dots.
 */
#ifndef RIP_JUDGE_H
#define RIP_JUDGE_H

#include <stdbool.h>

#include "dot_source.h"
#include "paper.h"
#include "picture.h"
#include "printer_data.h"
#include "texture.h"

#define PHOTOS_MAX 8
#define STARTS 5
extern const int judged_starts[STARTS]; /* inks, of 255, that begin below white */

#define TINTS 4 /* the inks whose area on a laser is measured */

extern const int judged_tints[TINTS]; /* of 255 */

struct grey_verdict {
	int grey; /* light, of 255 */
	double tone_error; /* of 255, absolute */
	struct texture texture;
	double jump; /* from the grey before, percent */
	struct ink_on_paper paper;
};

struct verdict {
	const char *name;
	struct grey_verdict greys[254];
	int count; /* of greys */
	double late[STARTS]; /* rows that their ink comes late */
	double laser[TINTS][LASER_THRESHOLDS];
	struct fidelity ramp, photo[PHOTOS_MAX];
	struct printer_data data; /* of the first photo */
};

struct assignment {
	int first, step; /* the greys: first, first + step, ... up to 254 */
	const struct picture *ramp; /* or NULL: none */
	const struct picture *photos;
	int photo_count;
};

/* false: reported on stderr. */
bool judge(const struct dot_source *source, const struct assignment *assignment,
	   struct verdict *verdict);

/* What of the greys' values goes into a summary. */
struct summary {
	double tone_mean, tone_max;
	double noise_600, noise_600_worst, noise_300, noise_300_worst; /* worst: 98th percentile */
	double anisotropy, worms, worms_worst;
	int    crystals; /* greys with more than 1 % of the power in one frequency */
	double jump;     /* the largest, but for the first and last three greys */
	int    jump_grey;
	double grain, grain_worst;
};

void summarize(const struct verdict *verdict, struct summary *summary);

/* The mean of the dots of a flat grey and its texture, measured after the first 256 rows. */
bool judge_grey(const struct dot_source *source, int grey, struct grey_verdict *verdict);

#endif
