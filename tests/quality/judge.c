/* All measures of one source of dots. */
#include "judge.h"
#include "tests/tools/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A flat patch, and the place in it of the square that is measured: away from the edges, and
 * after the rows that error diffusion takes to settle. */
#define PATCH_WIDTH  704
#define PATCH_HEIGHT 768
#define SQUARE_ROW   256
#define SQUARE_COLUMN 96

const int judged_tints[TINTS] = { 13, 64, 128, 191 };

/* Halftones a flat grey.  Returns the square's first dot, or NULL. */
static const uint8_t *flat_dots(const struct dot_source *source, int grey, uint8_t *light,
				uint8_t *dots)
{
	memset(light, grey, PATCH_WIDTH * PATCH_HEIGHT);
	if (!source->halftone(source, light, PATCH_WIDTH, PATCH_HEIGHT, dots))
		return NULL;
	return dots + SQUARE_ROW * PATCH_WIDTH + SQUARE_COLUMN;
}

bool judge_grey(const struct dot_source *source, int grey, struct grey_verdict *v)
{
	AUTO_FREE uint8_t *light = need(malloc(PATCH_WIDTH * PATCH_HEIGHT));
	AUTO_FREE uint8_t *dots = need(malloc(PATCH_WIDTH * PATCH_HEIGHT));
	const uint8_t *square = flat_dots(source, grey, light, dots);

	if (!square)
		return false;
	measure_texture(square, PATCH_WIDTH, grey / 255.0, &v->texture);
	print_with_ink(square, PATCH_WIDTH, &v->paper);
	v->grey = grey;
	v->tone_error = fabs(v->texture.tone * 255 - grey);
	v->jump = 0;
	return true;
}

static bool judge_lasers(const struct dot_source *source, struct verdict *v)
{
	AUTO_FREE uint8_t *light = need(malloc(PATCH_WIDTH * PATCH_HEIGHT));
	AUTO_FREE uint8_t *dots = need(malloc(PATCH_WIDTH * PATCH_HEIGHT));

	for (int t = 0; t < TINTS; t++) {
		const uint8_t *square = flat_dots(source, 255 - judged_tints[t], light, dots);

		if (!square)
			return false;
		print_with_laser(square, PATCH_WIDTH, v->laser[t]);
	}
	return true;
}

static bool judge_picture(const struct dot_source *source, const struct picture *p,
			  struct fidelity *f, struct printer_data *data)
{
	AUTO_FREE uint8_t *dots = need(malloc((size_t)p->width * p->height));

	if (!source->halftone(source, p->light, p->width, p->height, dots))
		return false;
	measure_fidelity(p, dots, f);
	if (data)
		measure_printer_data(dots, p->width, p->height, data);
	return true;
}

const int judged_starts[STARTS] = { 1, 2, 3, 5, 8 };

/* The ink that the first rows below white lack, in rows of what later rows have. */
static bool judge_starts(const struct dot_source *source, struct verdict *v)
{
	enum { WIDTH = 2048, WHITE = 64, FIRST = 192, ROWS = WHITE + 4 * FIRST };
	AUTO_FREE uint8_t *light = need(malloc(WIDTH * ROWS)), *dots = need(malloc(WIDTH * ROWS));

	for (int k = 0; k < STARTS; k++) {
		double first = 0, later = 0;

		memset(light, 255, WIDTH * WHITE);
		memset(light + WIDTH * WHITE, 255 - judged_starts[k], WIDTH * (ROWS - WHITE));
		if (!source->halftone(source, light, WIDTH, ROWS, dots))
			return false;
		for (int i = WHITE * WIDTH; i < ROWS * WIDTH; i++)
			*(i < (WHITE + FIRST) * WIDTH ? &first : &later) += !dots[i];
		v->late[k] = later > 0 ? FIRST - first / later * (ROWS - WHITE - FIRST) : INFINITY;
	}
	return true;
}

bool judge(const struct dot_source *source, const struct assignment *a, struct verdict *v)
{
	*v = (struct verdict){ .name = source->name };
	for (int grey = a->first; grey < 255; grey += a->step) {
		struct grey_verdict *g = &v->greys[v->count++];

		if (!judge_grey(source, grey, g))
			return false;
		if (v->count > 1)
			g->jump = texture_jump(&g[-1].texture, &g->texture);
	}
	if (!judge_starts(source, v) || !judge_lasers(source, v))
		return false;
	if (a->ramp && !judge_picture(source, a->ramp, &v->ramp, NULL))
		return false;
	for (int k = 0; k < a->photo_count; k++)
		if (!judge_picture(source, &a->photos[k], &v->photo[k], k == 0 ? &v->data : NULL))
			return false;
	return true;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Mean, and the 98th percentile, interpolated. */
static void condense(double *values, int count, double *mean, double *worst)
{
	const double at = 0.98 * (count - 1);
	const int k = (int)at;

	*mean = 0;
	for (int i = 0; i < count; i++)
		*mean += values[i] / count;
	qsort(values, (size_t)count, sizeof *values, ascending);
	*worst = values[k] + (at - k) * ((k + 1 < count ? values[k + 1] : values[k]) - values[k]);
}

void summarize(const struct verdict *v, struct summary *s)
{
	double values[254], ignored;

	*s = (struct summary){ 0 };
#define CONDENSE(FIELD, MEAN, WORST)                     \
	do {                                             \
		for (int i = 0; i < v->count; i++)       \
			values[i] = v->greys[i].FIELD;   \
		condense(values, v->count, MEAN, WORST); \
	} while (0)
	CONDENSE(texture.noise_600, &s->noise_600, &s->noise_600_worst);
	CONDENSE(texture.noise_300, &s->noise_300, &s->noise_300_worst);
	CONDENSE(texture.anisotropy, &s->anisotropy, &ignored);
	CONDENSE(texture.worms, &s->worms, &s->worms_worst);
	CONDENSE(paper.grain, &s->grain, &s->grain_worst);
	CONDENSE(tone_error, &s->tone_mean, &ignored);
#undef CONDENSE
	for (int i = 0; i < v->count; i++) {
		const struct grey_verdict *g = &v->greys[i];

		s->tone_max = fmax(s->tone_max, g->tone_error);
		s->crystals += g->texture.line > 1;
		if (i >= 3 && i < v->count - 3 && g->jump > s->jump) {
			s->jump = g->jump;
			s->jump_grey = g->grey;
		}
	}
}
