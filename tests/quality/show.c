/* Verdicts and dots, for people and programs. */
#include "show.h"
#include "tests/tools/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the table ------------------------------------------------------------------ */

void show_heading(bool json, const struct assignment *a)
{
	if (json) {
		printf("{\"greys\": {\"first\": %d, \"step\": %d}, \"photos\": [", a->first,
		       a->step);
		for (int k = 0; k < a->photo_count; k++)
			printf("%s\"%s\"", k ? ", " : "", a->photos[k].name);
		printf("], \"sources\": [\n");
		return;
	}
	printf("greys %d to 254, each %d; photos", a->first, a->step);
	for (int k = 0; k < a->photo_count; k++)
		printf(" %s %ux%u", a->photos[k].name, a->photos[k].width, a->photos[k].height);
	printf("\n"
	       "tone: error of 255, mean and maximum.  n600, n300: noise that the eye sees at 600 "
	       "and 300 dpi,\n"
	       "mean and 98th percentile, dB.  aniso: anisotropy, dB.  worms: mean and 98th "
	       "percentile, dB.\n"
	       "cry: greys with crystals.  jump: largest between neighbouring greys, %%, and "
	       "where.\n"
	       "grain: of ink on paper, mean and 98th percentile, %% of reflectance.\n");
	printf("%-20s %5s %6s %6s %7s %6s %7s %5s %5s %5s %4s %4s %4s %5s %5s\n", "", "tone", "max",
	       "n600", "98%", "n300", "98%", "aniso", "worms", "98%", "cry", "jump", "at", "grain",
	       "98%");
}

/* Of a picture, in a table. */
static void show_fidelity(const char *name, const struct fidelity *f)
{
	printf("    %-16s PSNR %.2f, %.2f dB at 600, 300 dpi; without a displacement of %.2f "
	       "down, %.2f right: "
	       "%.2f, %.2f\n",
	       name, f->psnr_600, f->psnr_300, f->down, f->right, f->still_600, f->still_300);
}

static void show_row(const struct assignment *a, const struct verdict *v, const struct summary *s)
{
	printf("%-20s %5.3f %6.3f %6.2f %7.2f %6.2f %7.2f %5.1f %5.2f %5.2f %4d %4.0f %4d %5.2f "
	       "%5.2f\n",
	       v->name, s->tone_mean, s->tone_max, s->noise_600, s->noise_600_worst, s->noise_300,
	       s->noise_300_worst, s->anisotropy, s->worms, s->worms_worst, s->crystals, s->jump,
	       s->jump_grey, s->grain, s->grain_worst);
	if (a->ramp)
		show_fidelity("ramp", &v->ramp);
	for (int k = 0; k < a->photo_count; k++)
		show_fidelity(a->photos[k].name, &v->photo[k]);
	printf("    start: rows that ink comes late below white:");
	for (int k = 0; k < STARTS; k++)
		printf("  %d/255: %.1f", judged_starts[k], v->late[k]);
	printf("\n    laser: area of ink at thresholds .45 .50 .55:");
	for (int t = 0; t < TINTS; t++)
		printf("  %.0f%%: %.1f %.1f %.1f", judged_tints[t] * 100 / 255.0, v->laser[t][0],
		       v->laser[t][1], v->laser[t][2]);
	printf("\n");
	if (a->photo_count > 0)
		printf("    printer data of %s: %.0f transitions a row; PackBits %.0f %%, Group 4 "
		       "%.0f %% of plain bits\n",
		       a->photos[0].name, (double)v->data.transitions / a->photos[0].height,
		       100.0 * (double)v->data.packbits / (double)v->data.plain,
		       100.0 * (double)v->data.group4 / (double)v->data.plain);
}

/* --- JSON ----------------------------------------------------------------------- */

static void json_fidelity(const char *name, const struct fidelity *f)
{
	printf("{\"picture\": \"%s\", \"psnr_600\": %.3f, \"psnr_300\": %.3f, \"down\": %.4f, "
	       "\"right\": %.4f, "
	       "\"still_600\": %.3f, \"still_300\": %.3f}",
	       name, f->psnr_600, f->psnr_300, f->down, f->right, f->still_600, f->still_300);
}

static void show_object(const struct assignment *a, const struct verdict *v,
			const struct summary *s, bool first)
{
	printf("%s{\"name\": \"%s\",\n", first ? "" : ",\n", v->name);
	printf(" \"tone_mean\": %.4f, \"tone_max\": %.4f, \"noise_600\": %.3f, \"noise_600_98\": "
	       "%.3f, "
	       "\"noise_300\": %.3f, \"noise_300_98\": %.3f,\n",
	       s->tone_mean, s->tone_max, s->noise_600, s->noise_600_worst, s->noise_300,
	       s->noise_300_worst);
	printf(" \"anisotropy\": %.3f, \"worms\": %.3f, \"worms_98\": %.3f, \"crystals\": %d, "
	       "\"jump\": %.2f, "
	       "\"jump_grey\": %d, \"grain\": %.4f, \"grain_98\": %.4f,\n",
	       s->anisotropy, s->worms, s->worms_worst, s->crystals, s->jump, s->jump_grey,
	       s->grain, s->grain_worst);
	printf(" \"late\": [");
	for (int k = 0; k < STARTS; k++)
		printf(isfinite(v->late[k]) ? "%s{\"ink\": %d, \"rows\": %.2f}" : "%s{\"ink\": %d}",
		       k ? ", " : "", judged_starts[k], v->late[k]);
	printf("],\n \"laser\": [");
	for (int t = 0; t < TINTS; t++)
		printf("%s{\"ink\": %d, \"area\": [%.2f, %.2f, %.2f]}", t ? ", " : "",
		       judged_tints[t], v->laser[t][0], v->laser[t][1], v->laser[t][2]);
	printf("],\n \"pictures\": [");
	if (a->ramp)
		json_fidelity("ramp", &v->ramp);
	for (int k = 0; k < a->photo_count; k++) {
		printf("%s", k || a->ramp ? ", " : "");
		json_fidelity(a->photos[k].name, &v->photo[k]);
	}
	printf("],\n \"transitions\": %llu, \"packbits\": %llu, \"group4\": %llu, \"plain\": "
	       "%llu,\n \"each\": [",
	       (unsigned long long)v->data.transitions, (unsigned long long)v->data.packbits,
	       (unsigned long long)v->data.group4, (unsigned long long)v->data.plain);
	for (int i = 0; i < v->count; i++) {
		const struct grey_verdict *g = &v->greys[i];

		printf("%s\n  {\"grey\": %d, \"tone\": %.4f, \"noise_600\": %.2f, \"noise_300\": "
		       "%.2f, "
		       "\"anisotropy\": %.2f, \"worms\": %.2f, \"line\": %.3f, \"jump\": %.1f, "
		       "\"ink_area\": %.2f, \"grain\": %.3f}",
		       i ? "," : "", g->grey, g->tone_error, g->texture.noise_600,
		       g->texture.noise_300, g->texture.anisotropy, g->texture.worms,
		       g->texture.line, g->jump, g->paper.area, g->paper.grain);
	}
	printf("]}");
}

void show_verdict(bool json, const struct assignment *a, const struct verdict *v, bool first)
{
	struct summary s;

	summarize(v, &s);
	if (json)
		show_object(a, v, &s, first);
	else
		show_row(a, v, &s);
	fflush(stdout);
}

void show_end(bool json)
{
	if (json)
		printf("\n]}\n");
}

/* --- pages ---------------------------------------------------------------------- */

#define LABEL 14 /* pixels above a picture for its name */
#define GAP   8

/* What a page shows of each source. */
struct view {
	const char *file;
	int  scale;
	int  rows;    /* pictures below each other */
	int  columns; /* sources beside each other; more begin a new row */
	uint32_t width, height; /* of a picture's part that is shown, in dots */
};

static const int shown_greys[] = { 252, 243, 223, 191, 170, 149, 128 };

#define SHOWN_GREYS (int)(sizeof shown_greys / sizeof *shown_greys)
#define SETTLE 256 /* rows above what is shown of a grey */

static void put_dots(FILE *f, const uint8_t *dots, size_t pitch, uint32_t width, uint32_t height,
		     int x, int y, int scale)
{
	fprintf(f, "gsave %d %d translate %u %u scale /row %u string def\n", x, y,
		width * (unsigned)scale, height * (unsigned)scale, (width + 7) / 8);
	fprintf(f, "%u %u 1 [%u 0 0 -%u 0 %u] {currentfile row readhexstring pop} bind image\n",
		width, height, width, height, height);
	for (uint32_t i = 0; i < height; i++, dots += pitch) {
		for (uint32_t j = 0; j < width; j += 8) {
			unsigned byte = 0;

			for (uint32_t k = 0; k < 8; k++)
				byte = byte << 1 | (j + k < width && dots[j + k]);
			fprintf(f, "%02x", byte);
		}
		fprintf(f, "\n");
	}
	fprintf(f, "grestore\n");
}

/* One page: all sources, each with its name above its pictures. */
static bool show_page(const char *folder, const struct view *view, const struct dot_source *sources,
		      int count, const struct picture *p)
{
	const int across = count < view->columns ? count : view->columns;
	const int down = (count + across - 1) / across;
	const int wide = (int)view->width * view->scale + GAP;
	const int high = ((int)view->height * view->scale + GAP) * view->rows + LABEL;
	const uint32_t rows = p ? p->height : SETTLE + view->height, columns = p ? p->width : 512;
	AUTO_FREE uint8_t *light = need(malloc((size_t)rows * columns)),
			  *dots = need(malloc((size_t)rows * columns));
	char path[4096];
	bool ok = true;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, view->file);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		return false;
	}
	fprintf(f,
		"%%!\n<< /PageSize [%d %d] >> setpagedevice /Helvetica findfont 11 scalefont "
		"setfont\n"
		"0.85 setgray 0 0 %d %d rectfill 0 setgray\n",
		across * wide + GAP, down * high + GAP, across * wide + GAP, down * high + GAP);
	for (int k = 0; ok && k < count; k++) {
		const int x = GAP + k % across * wide, top = GAP + (down - k / across) * high - GAP;

		fprintf(f, "%d %d moveto (%s) show\n", x, top - LABEL + 5, sources[k].name);
		for (int r = 0; ok && r < view->rows; r++) {
			const int y = top - LABEL -
				      (r + 1) * ((int)view->height * view->scale + GAP) + GAP;
			/* Of a picture its middle, of a grey what has settled. */
			const size_t row = p ? (rows - view->height) / 2 : SETTLE;
			const size_t column = (columns - view->width) / 2;

			if (!p)
				memset(light, shown_greys[r], (size_t)rows * columns);
			ok = sources[k].halftone(&sources[k], p ? p->light : light, columns, rows,
						 dots);
			if (ok)
				put_dots(f, dots + row * columns + column, columns, view->width,
					 view->height, x, y, view->scale);
		}
	}
	fprintf(f, "showpage\n");
	if (fclose(f) != 0) {
		perror(path);
		ok = false;
	}
	return ok;
}

bool show_pictures(const char *folder, const struct dot_source *sources, int count,
		   const struct picture *ramp, const struct picture *photo)
{
	const struct view greys = { "greys.ps", 4, SHOWN_GREYS, 8, 64, 48 };
	const struct view ramps = { "ramp.ps", 1, 1, 1, 2048, 96 };
	const struct view photos = { "photo.ps", 1, 1, 4, photo->width < 480 ? photo->width : 480,
				     photo->height < 480 ? photo->height : 480 };

	return show_page(folder, &greys, sources, count, NULL) &&
	       show_page(folder, &ramps, sources, count, ramp) &&
	       show_page(folder, &photos, sources, count, photo);
}
