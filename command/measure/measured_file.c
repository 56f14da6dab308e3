#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"

#define D50_X 0.9642
#define D50_Z 0.8249

/* The mean of the patches with this tone; negative if there are none. */
static double mean_at(const struct rip_steps *patches, double tone)
{
	double sum = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < patches->count; i++)
		if (fabs(patches->step[i].tone - tone) < 1e-6) {
			sum += patches->step[i].area;
			count++;
		}
	return count ? sum / count : -1;
}

int rip_patches_to_steps(const struct rip_steps *patches, struct rip_calibration *calibration,
			 const char *name_of_ink, const char *screen, const char *name)
{
	const double paper = mean_at(patches, 0), solid = mean_at(patches, 1);
	struct rip_calibration_ink *ink;
	struct rip_steps *steps;

	if (paper < 0 || solid < 0)
		return rip_complain(-EBADMSG, "%s: ink %s: %s was not measured", name, name_of_ink,
				    paper < 0 ? "the paper (0 %)" : "solid ink (100 %)");
	if (paper == 0)
		return rip_complain(-EBADMSG, "%s: ink %s: the paper (0 %%) is black",
				    name, name_of_ink);
	if (solid > .7 * paper)
		return rip_complain(-EBADMSG, "%s: ink %s: solid ink"
				    " is hardly darker than the paper", name, name_of_ink);
	ink = rip_calibration_ink(calibration, name_of_ink);
	steps = ink ? rip_calibration_add_steps(calibration, ink, screen) : NULL;
	if (!steps)
		return -ENOMEM;
	ink->solid = solid / paper;
	for (unsigned i = 0; i < patches->count; i++)
		if (!rip_steps_add(steps, patches->step[i].tone,
				   (paper - patches->step[i].area) / (paper - solid)))
			return rip_complain(-E2BIG, "%s: more than %u steps", name, RIP_STEPS_MAX);
	return 0;
}

/* CIE's cube of a Lab coordinate. */
static double lab_cube(double f)
{
	return f > 6 / 29. ? f * f * f : (f - 4 / 29.) * 108 / 841;
}

/* The fields of a .ti3 table. */
struct ti3 {
	const struct rip_cgats_table *table;
	const char *name;
	int device[RIP_CALIBRATION_INKS]; /* fields of inks */
	char ink[RIP_CALIBRATION_INKS][4];
	unsigned inks;
	int xyz[3], lab[3], density[4]; /* X Y Z; L a b; red, green, blue, visual */
};

static int find_fields(struct ti3 *ti3)
{
	static const char *const xyz[] = { "XYZ_X", "XYZ_Y", "XYZ_Z" };
	static const char *const lab[] = { "LAB_L", "LAB_A", "LAB_B" };
	static const char *const density[] = { "D_RED", "D_GREEN", "D_BLUE", "D_VIS" };
	const char *rep = rip_cgats_value(ti3->table, "COLOR_REP");
	const size_t length = rep ? strcspn(rep, "_") : 0;

	for (unsigned i = 0; i < 3; i++) {
		ti3->xyz[i] = rip_cgats_field(ti3->table, xyz[i]);
		ti3->lab[i] = rip_cgats_field(ti3->table, lab[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		ti3->density[i] = rip_cgats_field(ti3->table, density[i]);
	for (unsigned i = 0; length && i < ti3->table->field_count; i++) {
		const char *field = ti3->table->fields[i].text, *ink = NULL;

		if (!strncmp(field, rep, length) && field[length] == '_')
			ink = field + length + 1;
		else if (!strcmp(field, "GRAY_K"))
			ink = "K";
		if (!ink || strlen(ink) > 3 || !*ink)
			continue;
		if (ti3->inks == RIP_CALIBRATION_INKS)
			return rip_complain(-EBADMSG, "%s: there are more than %u inks", ti3->name,
					    RIP_CALIBRATION_INKS);
		ti3->device[ti3->inks] = (int)i;
		strcpy(ti3->ink[ti3->inks++], ink);
	}
	if (!ti3->inks)
		return rip_complain(-EBADMSG, "%s: it has no columns of inks: COLOR_REP is \"%s\"",
				    ti3->name, rep ? rep : "");
	if (!strncmp(rep, "RGB", 3) || !strncmp(rep, "iRGB", 4))
		return rip_complain(-EBADMSG, "%s: it has amounts of light (%s), not of ink",
				    ti3->name, rep);
	return 0;
}

/* Which of X, Y and Z an ink takes away most of. */
static unsigned light_of(const char *ink)
{
	const char last = ink[strlen(ink) - 1];

	return last == 'C' || last == 'c' ? 0 : last == 'Y' || last == 'y' ? 2 : 1;
}

static int number_at(const struct ti3 *ti3, unsigned row, int field, double *number)
{
	char why[160];
	int r = rip_cgats_number(ti3->table, row, (unsigned)field, number, why, sizeof why);

	return r < 0 ? rip_complain(r, "%s: %s", ti3->name, why) : 0;
}

/* The light of a row in which an ink shows. */
static int light_at(const struct ti3 *ti3, unsigned row, const char *ink, double *light)
{
	const unsigned axis = light_of(ink);
	const int density = ti3->density[ink[strlen(ink) - 1] == 'K' ||
					 ink[strlen(ink) - 1] == 'k' ? 3 : axis];
	double L, ab = 0;
	int r;

	if (ti3->xyz[axis] >= 0) {
		r = number_at(ti3, row, ti3->xyz[axis], light);
		return r == 0 && *light < 0 ?
		       rip_complain(-EBADMSG, "%s: a value of XYZ is negative", ti3->name) : r;
	}
	if (density >= 0) {
		r = number_at(ti3, row, density, &L);
		*light = pow(10, -L);
		return r;
	}
	if (ti3->lab[0] < 0 || ti3->lab[1] < 0 || ti3->lab[2] < 0)
		return rip_complain(-EBADMSG, "%s: it has neither XYZ nor Lab nor densities",
				    ti3->name);
	r = number_at(ti3, row, ti3->lab[0], &L);
	if (r == 0 && axis != 1)
		r = number_at(ti3, row, ti3->lab[axis == 0 ? 1 : 2], &ab);
	L = (L + 16) / 116;
	*light = axis == 0 ? D50_X * lab_cube(L + ab / 500) :
		 axis == 2 ? D50_Z * lab_cube(L - ab / 200) : lab_cube(L);
	return r;
}

/* The tone of an ink in a row; negative: other inks are there too. */
static int tone_at(const struct ti3 *ti3, unsigned row, unsigned ink, double *tone)
{
	for (unsigned i = 0; i < ti3->inks; i++) {
		double value;
		int r = number_at(ti3, row, ti3->device[i], &value);

		if (r < 0)
			return r;
		if (value < 0 || value > 100)
			return rip_complain(-EBADMSG,
					    "%s: an amount of ink is not between 0 and 100",
					    ti3->name);
		if (i == ink)
			*tone = value / 100;
		else if (value > 0) {
			*tone = -1;
			return 0;
		}
	}
	return 0;
}

/* Whether the filters print pages with this ink. */
static bool is_printed(const char *ink)
{
	return strlen(ink) == 1 && strchr("CMYK", *ink);
}

int rip_ti3_read(struct rip_calibration *calibration, const struct rip_cgats_table *table,
		 const char *screen, const char *name)
{
	struct ti3 ti3 = { .table = table, .name = name };
	struct rip_steps *patches = malloc(sizeof *patches);
	unsigned found = 0;
	int r = patches ? find_fields(&ti3) : rip_complain(-ENOMEM, "out of memory");

	for (unsigned ink = 0; r == 0 && ink < ti3.inks; ink++) {
		unsigned inked = 0;

		patches->count = 0;
		for (unsigned row = 0; r == 0 && row < table->rows; row++) {
			double tone = -1, light = 0;

			r = tone_at(&ti3, row, ink, &tone);
			if (r == 0 && tone >= 0)
				r = light_at(&ti3, row, ti3.ink[ink], &light);
			if (r == 0 && tone >= 0 && !rip_steps_add(patches, tone, light))
				r = rip_complain(-E2BIG, "%s: more than %u steps",
						 name, RIP_STEPS_MAX);
			inked += tone > 0;
		}
		if (r == 0 && inked >= 3 && !is_printed(ti3.ink[ink])) {
			rip_complain(0, "%s: ink %s is left out:"
				     " only C, M, Y and K can be calibrated", name, ti3.ink[ink]);
		} else if (r == 0 && inked >= 3) { /* fewer are corners of a colour chart */
			r = rip_patches_to_steps(patches, calibration, ti3.ink[ink], screen, name);
			found++;
		}
	}
	if (r == 0 && !found)
		r = rip_complain(-EBADMSG, "%s: none of C, M, Y and K"
				 " has 3 patches of its own or more", name);
	free(patches);
	return r;
}

/* What a value is as reflectance. */
static double light_of_value(enum rip_unit unit, double value)
{
	switch (unit) {
	case RIP_UNIT_DENSITY:
		return pow(10, -value);
	case RIP_UNIT_LIGHTNESS:
		return lab_cube((value + 16) / 116);
	case RIP_UNIT_REFLECTANCE:
		return value / 100;
	default:
		return 1 - .95 * value / 100; /* the area of an ink that reflects 5 % */
	}
}

static bool in_range(enum rip_unit unit, double value)
{
	return value >= 0 && value <= (unit == RIP_UNIT_DENSITY ? 5 :
				       unit == RIP_UNIT_AREA ? 100 : 120);
}

int rip_numbers_read(struct rip_calibration *calibration, const char *text, enum rip_unit unit,
		     const char *ink, const char *screen, const char *name)
{
	struct rip_steps *patches = calloc(1, sizeof *patches);
	char *copy = strdup(text), *rest = copy;
	int r = patches && copy ? 0 : rip_complain(-ENOMEM, "out of memory");
	unsigned number = 0;

	for (char *line; r == 0 && (line = strsep(&rest, "\n"));) {
		char *words = line, *word, *word_of[3] = { NULL };
		unsigned count = 0;
		double tone, value;

		number++;
		line[strcspn(line, "#")] = '\0';
		while ((word = strsep(&words, " \t\r,;")))
			if (*word && count < 3)
				word_of[count++] = word;
		if (count == 0)
			continue;
		if (count != 2 || !rip_cgats_decimal(word_of[0], &tone) ||
		    !rip_cgats_decimal(word_of[1], &value))
			r = rip_complain(-EBADMSG, "%s, line %u: a step is"
					 " a tone in percent and a measured value", name, number);
		else if (tone < 0 || tone > 100)
			r = rip_complain(-EBADMSG, "%s, line %u: the tone is not between 0 and 100",
					 name, number);
		else if (!in_range(unit, value))
			r = rip_complain(-EBADMSG, "%s, line %u: the value"
					 " cannot be right (see --unit)", name, number);
		else if (!rip_steps_add(patches, tone / 100, light_of_value(unit, value)))
			r = rip_complain(-E2BIG, "%s: more than %u steps", name, RIP_STEPS_MAX);
	}
	if (r == 0 && unit == RIP_UNIT_AREA) { /* paper and solid ink are so by definition */
		rip_steps_add(patches, 0, light_of_value(unit, 0));
		rip_steps_add(patches, 1, light_of_value(unit, 100));
	}
	if (r == 0)
		r = rip_patches_to_steps(patches, calibration, ink, screen, name);
	free(copy);
	free(patches);
	return r;
}
