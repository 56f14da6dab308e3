#include "target.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image/complain.h"
#include "image/out_file.h"

/* XYZ of the paper, relative to D50, and of what solid inks make of it: what Argyll's targen
 * expects of C, M, Y and K. */
static const double paper[3] = { 96.42, 100, 82.49 };
static const double solid[4][3] = {
	{ 12, 18, 48 }, { 38, 19, 20 }, { 76, 81, 11 }, { 1, 1, 1 },
};

/* A number with 4 places, whatever the locale. */
static void put_number(FILE *text, double number)
{
	const long long n = llrint(fabs(number) * 10000);

	fprintf(text, " %s%lld.%04lld", number < 0 && n ? "-" : "", n / 10000, n % 10000);
}

/* Argyll's order of inks is CMYK. */
static void sort_inks(const char *inks, char sorted[RIP_TARGET_INKS_MAX + 1])
{
	unsigned n = 0;

	for (const char *c = "CMYK"; *c; c++)
		if (strchr(inks, *c))
			sorted[n++] = *c;
	sorted[n] = '\0';
}

/* How a patch is expected to look: Yule and Nielsen with n = 2, which is dot gain of about 20
 * points.  The programs look for mistakes of the operator with it. */
static void put_xyz(FILE *text, char ink, double tone)
{
	const double *full = solid[strchr("CMYK", ink) - "CMYK"];

	for (unsigned i = 0; i < 3; i++) {
		const double root = (1 - tone) * sqrt(paper[i]) + tone * sqrt(full[i]);

		put_number(text, root * root);
	}
}

static void put_head(FILE *text, const char *type, const char *number)
{
	const time_t now = time(NULL);
	char created[32] = "";
	struct tm broken;

	if (localtime_r(&now, &broken))
		strftime(created, sizeof created, "%Y-%m-%d %H:%M:%S", &broken);
	fprintf(text, "%s\n\nDESCRIPTOR \"Argyll Calibration Target chart information %s\"\n"
		"ORIGINATOR \"riptide target\"\nCREATED \"%s\"\n", type, number, created);
}

/* What comes before the data of patches.  first: the `fields` fields before the inks. */
static void put_format(FILE *text, const char *inks, unsigned fields, const char *first,
		       unsigned sets)
{
	const bool grey = !strcmp(inks, "K");

	fprintf(text, "\nNUMBER_OF_FIELDS %u\nBEGIN_DATA_FORMAT\n%s",
		fields + (unsigned)strlen(inks) + 3, first);
	for (const char *c = inks; *c; c++)
		fprintf(text, " %s_%c", grey ? "GRAY" : inks, *c);
	fprintf(text, " XYZ_X XYZ_Y XYZ_Z\nEND_DATA_FORMAT\n\n"
		"NUMBER_OF_SETS %u\nBEGIN_DATA\n", sets);
}

static void put_amounts(FILE *text, const char *inks, char ink, double tone)
{
	for (const char *c = inks; *c; c++)
		put_number(text, *c == ink ? 100 * tone : 0);
	put_xyz(text, ink, tone);
	fprintf(text, "\n");
}

static double tone_of(int step)
{
	return (double)step / (RIP_PATCH_STEPS - 1);
}

/* ---- .ti1 ---- */

/* Colours from which printtarg chooses bars: eight of the corners of a cube, here paper, each ink,
 * and the middle of the last one. */
static void put_extremes(FILE *text, const char *inks, const char *keyword, unsigned count)
{
	const unsigned n = (unsigned)strlen(inks);

	put_head(text, "\nCTI1", "1");
	fprintf(text, "%s \"%u\"\n", keyword, count);
	put_format(text, inks, 1, "INDEX", count);
	for (unsigned i = 0; i < count; i++) {
		const unsigned part = i == 0 ? 0 : (i - 1) / n + 1, parts = (count - 2) / n + 1;

		fprintf(text, "%u", i);
		put_amounts(text, inks, inks[i == 0 ? 0 : (i - 1) % n], (double)part / parts);
	}
	fprintf(text, "END_DATA\n");
}

static void put_ti1(FILE *text, const char *inks)
{
	const unsigned n = (unsigned)strlen(inks);
	unsigned id = 1;

	put_head(text, "CTI1", "1");
	fprintf(text, "APPROX_WHITE_POINT \"96.420000 100.000000 82.490000\"\nCOLOR_REP \"%s\"\n"
		"SINGLE_DIM_STEPS \"%u\"\n", inks, RIP_PATCH_STEPS);
	put_format(text, inks, 1, "SAMPLE_ID", n * RIP_PATCH_STEPS);
	for (unsigned i = 0; i < n; i++)
		for (int step = 0; step < RIP_PATCH_STEPS; step++) {
			fprintf(text, "%u", id++);
			put_amounts(text, inks, inks[i], tone_of(step));
		}
	fprintf(text, "END_DATA\n");
	put_extremes(text, inks, "DENSITY_EXTREME_VALUES", 8);
	put_extremes(text, inks, "DEVICE_COMBINATION_VALUES", 9);
}

/* ---- .ti2 ---- */

static void put_ti2(FILE *text, const struct rip_target_plan *plan, const char *inks)
{
	const struct rip_patch_layout *layout = &plan->patches;
	const unsigned pages = rip_target_pages(plan), patches = rip_patch_count(layout);

	put_head(text, "CTI2", "2");
	fprintf(text, "TARGET_INSTRUMENT \"GretagMacbeth i1 Pro\"\nSINGLE_DIM_STEPS \"%u\"\n"
		"APPROX_WHITE_POINT \"96.420000 100.000000 82.490000\"\nCOLOR_REP \"%s\"\n"
		"STEPS_IN_PASS \"%u\"\nPASSES_IN_STRIPS2 \"", RIP_PATCH_STEPS, inks, layout->rows);
	for (unsigned page = 0; page < pages; page++)
		fprintf(text, "%s%u", page ? "," : "", layout->strips);
	fprintf(text, "\"\nSTRIP_INDEX_PATTERN \"A-Z, A-Z\"\n"
		"PATCH_INDEX_PATTERN \"0-9,@-9,@-9;1-999\"\n"
		"INDEX_ORDER \"STRIP_THEN_PATCH\"\n");
	put_format(text, inks, 2, "SAMPLE_ID SAMPLE_LOC", pages * patches);
	for (unsigned page = 0; page < pages; page++) {
		const char ink = rip_target_page_ink(plan, page);
		const unsigned first = (unsigned)(strchr(inks, ink) - inks) * RIP_PATCH_STEPS + 1;

		for (unsigned i = 0; i < patches; i++) {
			const int step = rip_patch_step(i);
			char strip[RIP_PATCH_NAME_MAX];

			rip_patch_strip_name(page * layout->strips + i / layout->rows, strip);
			fprintf(text, "%u \"%s%u\"", step < 0 ? 0 : first + (unsigned)step,
				strip, i % layout->rows + 1);
			put_amounts(text, inks, ink, step < 0 ? 0 : tone_of(step));
		}
	}
	fprintf(text, "END_DATA\n");
}

/* ---- .cht ---- */

/* Pixels as points. */
static void put_points(FILE *text, const struct rip_target_plan *plan, uint32_t pixels)
{
	put_number(text, pixels * 72. / plan->dpi);
}

static void put_box(FILE *text, const struct rip_target_plan *plan, struct rip_patch_box box)
{
	fprintf(text, " _ _");
	put_points(text, plan, box.width);
	put_points(text, plan, box.height);
	put_points(text, plan, box.x);
	put_points(text, plan, box.y);
	fprintf(text, " 0 0\n");
}

static void put_edges(FILE *text, const struct rip_target_plan *plan)
{
	const struct rip_patch_layout *layout = &plan->patches;

	fprintf(text, "\nXLIST %u\n", 2 * layout->strips);
	for (unsigned s = 0; s < layout->strips; s++) {
		const uint32_t x = layout->x + s * layout->pitch;

		fprintf(text, " ");
		put_points(text, plan, x);
		fprintf(text, " 1.0 1.0\n ");
		put_points(text, plan, x + layout->width);
		fprintf(text, " 1.0 1.0\n");
	}
	fprintf(text, "\nYLIST %u\n", 2 * layout->rows + 2);
	for (unsigned row = 0; row <= layout->rows; row++) {
		const struct rip_patch_box bar = rip_patch_bar(layout, 0, row);

		fprintf(text, " ");
		put_points(text, plan, bar.y);
		fprintf(text, " 1.0 0.5\n ");
		put_points(text, plan, bar.y + bar.height);
		fprintf(text, " 1.0 0.5\n");
	}
}

static void put_cht(FILE *text, const struct rip_target_plan *plan, unsigned page)
{
	const struct rip_patch_layout *layout = &plan->patches;
	const uint32_t x[4] = { layout->left, layout->right, layout->right, layout->left };
	const uint32_t y[4] = { layout->top, layout->top, layout->bottom, layout->bottom };
	const char ink = rip_target_page_ink(plan, page);
	const unsigned patches = rip_patch_count(layout);
	const unsigned bars = layout->strips * (layout->rows + 1);
	char strip[RIP_PATCH_NAME_MAX];

	fprintf(text, "\n\nBOXES %u\n  F _ _", patches + bars);
	for (unsigned i = 0; i < 4; i++) {
		put_points(text, plan, x[i]);
		put_points(text, plan, y[i]);
	}
	fprintf(text, "\n");
	for (unsigned i = 0; i < bars; i++) {
		fprintf(text, "  D MARK%u MARK%u", i, i);
		put_box(text, plan,
			rip_patch_bar(layout, i / (layout->rows + 1), i % (layout->rows + 1)));
	}
	for (unsigned i = 0; i < patches; i++) {
		rip_patch_strip_name(page * layout->strips + i / layout->rows, strip);
		fprintf(text, "  X %s%u %s%u",
			strip, i % layout->rows + 1, strip, i % layout->rows + 1);
		put_box(text, plan, rip_patch_box(layout, i));
	}
	fprintf(text, "\nBOX_SHRINK 3.0\n\nREF_ROTATION 0.0\n");
	put_edges(text, plan);
	fprintf(text, "\n\nEXPECTED XYZ %u\n", patches);
	for (unsigned i = 0; i < patches; i++) {
		const int step = rip_patch_step(i);

		rip_patch_strip_name(page * layout->strips + i / layout->rows, strip);
		fprintf(text, "  %s%u", strip, i % layout->rows + 1);
		put_xyz(text, ink, step < 0 ? 0 : tone_of(step));
		fprintf(text, "\n");
	}
}

/* ---- files ---- */

/* OUT without the ending of its name. */
static size_t stem_of(const char *out)
{
	const char *slash = strrchr(out, '/');
	const char *name = slash ? slash + 1 : out, *dot = strrchr(name, '.');

	return dot && dot > name ? (size_t)(dot - out) : strlen(out);
}

/* One of the files, from 0: its text, and the ending of its name.  false: there are no more. */
static bool make_text(FILE *text, const struct rip_target_plan *plan, unsigned file,
		      char ending[16])
{
	char inks[RIP_TARGET_INKS_MAX + 1];

	sort_inks(plan->inks, inks);
	if (file >= 2 + rip_target_pages(plan))
		return false;
	if (file == 0)
		put_ti1(text, inks);
	else if (file == 1)
		put_ti2(text, plan, inks);
	else
		put_cht(text, plan, file - 2);
	if (file < 2)
		snprintf(ending, 16, ".ti%u", file + 1);
	else if (rip_target_pages(plan) == 1)
		snprintf(ending, 16, ".cht");
	else
		snprintf(ending, 16, "_%02u.cht", file - 1);
	return true;
}

int rip_argyll_files_open(struct rip_argyll_files *files, const struct rip_target_plan *plan,
			  const char *out, const char *ppd, struct rip_out_file opened[])
{
	const size_t stem = stem_of(out);
	bool more = true;
	int r = rip_out_name_check_regular(out);

	while (r == 0 && more) {
		char *bytes = NULL, **path = &files->paths[files->count];
		size_t size = 0;
		FILE *text = open_memstream(&bytes, &size);
		char ending[16];

		if (!text)
			return rip_complain(-ENOMEM, "out of memory");
		more = make_text(text, plan, files->count, ending);
		if (fclose(text) != 0 || (more && !(*path = malloc(stem + sizeof ending))))
			r = rip_complain(-ENOMEM, "out of memory");
		if (r == 0 && more) {
			snprintf(*path, stem + sizeof ending, "%.*s%s", (int)stem, out, ending);
			r = rip_out_name_check_file(*path, ppd, "PPD");
			if (r == 0)
				r = rip_out_file_open(&opened[files->count], *path);
			files->count++;
		}
		if (r == 0 && more)
			r = rip_out_file_write(&opened[files->count - 1], bytes, size);
		free(bytes);
	}
	return r;
}

void rip_argyll_files_finish(struct rip_argyll_files *files)
{
	while (files->count)
		free(files->paths[--files->count]);
}
