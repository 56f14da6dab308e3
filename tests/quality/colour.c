/* Colours of three inks. */
#include "colour.h"
#include "colour_seen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "halftone/engine_cpu.h"
#include "halftone/screen/blue_noise_colour.h"
#include "image/png_file.h"
#include "picture.h"
#include "tests/engine/peers.h"
#include "tests/tools/memory.h"

#define SETTLE    288 /* rows above the field that is measured, */
#define BESIDE    64  /* and columns beside it */
#define FIELDS    4   /* below each other */
#define ROWS(fields) (SETTLE + (fields) * SIDE)
#define COLUMNS   (SIDE + 2 * BESIDE)

static const double errors[] = { 0, 0.35, 0.7, 1, 2 };

#define ERRORS (int)(sizeof errors / sizeof *errors)

/* Of 255; least: the bar of colour_gains(), dB, 0 for none. */
static const struct flat {
	const char *name;
	uint8_t ink[INKS];
	double  least;
} flats[] = {
	{ "grey 5 %", { 13, 13, 13 }, 7 },    { "grey 10 %", { 26, 26, 26 }, 7 },
	{ "grey 20 %", { 51, 51, 51 }, 7 },   { "light skin", { 18, 38, 38 }, 5 },
	{ "skin", { 38, 89, 89 }, 3 },        { "sky", { 115, 41, 5 }, 3 },
	{ "grey 30 %", { 77, 77, 77 }, 0 },   { "grey 50 %", { 128, 128, 128 }, 0 },
};

#define FLATS (int)(sizeof flats / sizeof *flats)

/* ---- dots ---- */

static void page_new(struct page *page, uint32_t width, uint32_t height)
{
	*page = (struct page){ .width = width, .height = height };
	for (int p = 0; p < INKS; p++) {
		page->ink[p] = need(malloc((size_t)width * height));
		page->dots[p] = need(malloc((size_t)width * height));
	}
}

static void page_finish(struct page *page)
{
	for (int p = 0; p < INKS; p++) {
		free(page->ink[p]);
		free(page->dots[p]);
	}
}

/* Each row must be grey somewhere: others never reach an engine. */
static bool run_engine(struct rip_engine *engine, const struct rip_screen *screen, uint32_t fade,
		       struct page *page)
{
	const size_t pitch = rip_dot_bytes(page->width, 2);
	struct rip_page_spec spec = {
		.width = page->width,
		.planes = INKS,
		.levels = 2,
		.sample_bits = 8,
		.screen = screen,
		.coupling = { .fade = fade },
	};
	AUTO_FREE uint8_t *packed = need(malloc(INKS * pitch * page->height));
	AUTO_FREE uint32_t *numbers = need(malloc(page->height * sizeof *numbers));
	struct rip_strip strips[INKS];
	struct rip_page *open;
	int r;

	memcpy(spec.coupling.inks, colour_inks, sizeof colour_inks);
	for (uint32_t i = 0; i < page->height; i++)
		numbers[i] = i;
	for (uint32_t p = 0; p < INKS; p++)
		strips[p] = (struct rip_strip){
			.plane = p,
			.rows = page->height,
			.in = page->ink[p],
			.in_pitch = (ptrdiff_t)page->width,
			.out = packed + p * pitch * page->height,
			.out_pitch = (ptrdiff_t)pitch,
			.row_numbers = numbers,
		};
	r = rip_engine_open_page(engine, &spec, RIP_START_NOISE, &open);
	if (r < 0)
		return false;
	r = engine->ops->push(open, strips, INKS);
	if (r == 0)
		r = engine->ops->pull(open);
	engine->ops->close(open);
	for (size_t i = 0; r == 0 && i < INKS * page->height; i++)
		for (uint32_t j = 0; j < page->width; j++)
			page->dots[i / page->height][i % page->height * page->width + j] =
				packed[i * pitch + j / 8] >> (7 - j % 8) & 1;
	return r == 0;
}

static bool run_apart(struct rip_engine *engine, struct page *page)
{
	return run_engine(engine, &rip_screens[RIP_BLUE_NOISE], 0, page);
}

/* As a printer gets it whose registration is so many micrometres. */
static bool run_with(unsigned registration, struct rip_engine *engine, struct page *page)
{
	uint32_t fade;
	const struct rip_screen *screen = rip_colour_screen(registration, DPI, DPI, &fade);

	return run_engine(engine, screen, fade, page);
}

static bool run_together(struct rip_engine *engine, struct page *page)
{
	return run_with(15, engine, page);
}

static bool run_fade(struct rip_engine *engine, struct page *page)
{
	return run_with(30, engine, page);
}

static bool run_floyd_steinberg(struct rip_engine *engine, struct page *page)
{
	return run_engine(engine, &rip_screens[RIP_FLOYD_STEINBERG], 0, page);
}

static bool run_masks(struct rip_engine *engine, struct page *page)
{
	struct rip_mask_use use = { .x_dpi = DPI, .y_dpi = DPI, .planes = INKS };
	static struct rip_mask_screen mask;
	char why[200];

	memcpy(use.inks, colour_inks, sizeof colour_inks);
	return rip_mask_screen_init(&mask, "blue-noise-mask", &use, why, sizeof why) == 0 &&
	       run_engine(engine, &mask.base, 0, page);
}

static bool run_eventone(struct rip_engine *engine, struct page *page)
{
	return eventone_inks((const uint8_t *const *)page->ink, page->width, page->height,
			     page->dots) == 0;
}

/* Ghostscript's own screens, of a CMYK page without black. */
static bool run_ghostscript(struct rip_engine *engine, struct page *page)
{
	const size_t n = (size_t)page->width * page->height;
	char name[] = "/tmp/riptide-colour-XXXXXX", command[200];
	const int fd = mkstemp(name);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
	AUTO_FREE uint8_t *pixels = need(malloc(4 * n));
	bool ok = f;

	if (!f)
		return false;
	fprintf(f,
		"%%!\n<< /PageSize [%u 600 div 72 mul %u 600 div 72 mul] >> setpagedevice\n"
		"72 600 div dup scale %u %u scale /row %u string def\n"
		"%u %u 8 [%u 0 0 -%u 0 %u] {currentfile row readstring pop} bind false 4 "
		"colorimage\n",
		page->width, page->height, page->width, page->height, 4 * page->width, page->width,
		page->height, page->width, page->height, page->height);
	for (size_t k = 0; k < n; k++) {
		for (int p = 0; p < INKS; p++)
			putc(page->ink[p][k], f);
		putc(0, f);
	}
	fprintf(f, "\nshowpage\n");
	ok = fclose(f) == 0;
	snprintf(command, sizeof command, "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pamcmyk4 -r600"
		 " -sOutputFile=- %s 2>/dev/null", name);
	f = ok ? popen(command, "r") : NULL;
	ok = f;
	for (char line[80] = ""; ok && strcmp(line, "ENDHDR\n");)
		ok = fgets(line, sizeof line, f);
	ok = ok && fread(pixels, 4, n, f) == n;
	if (f)
		pclose(f);
	unlink(name);
	for (size_t k = 0; ok && k < n * INKS; k++)
		page->dots[k % INKS][k / INKS] = pixels[k / INKS * 4 + k % INKS] != 0;
	return ok;
}

static const struct method {
	const char *name;
	bool (*run)(struct rip_engine *engine, struct page *page);
} methods[] = {
	{ "blue-noise", run_apart },           { "blue-noise-colour", run_together },
	{ "the same, 30 um", run_fade },       { "EvenTone", run_eventone },
	{ "floyd-steinberg", run_floyd_steinberg }, { "blue-noise-mask", run_masks },
	{ "Ghostscript", run_ghostscript },
};

#define METHODS (int)(sizeof methods / sizeof *methods)

/* ---- flats ---- */

static double distance(const double a[3], const double b[3])
{
	return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Halftones a flat colour; the largest error of an ink's tone, of 255.  -1: it failed. */
static double halftone_flat(const struct method *method, struct rip_engine *engine,
			    const struct flat *flat, struct page *page)
{
	double worst = 0;

	for (int p = 0; p < INKS; p++)
		memset(page->ink[p], flat->ink[p], (size_t)page->width * page->height);
	if (!method->run(engine, page))
		return -1;
	for (int p = 0; p < INKS; p++) {
		unsigned dots = 0;

		for (uint32_t i = SETTLE; i < page->height; i++)
			for (int j = 0; j < SIDE; j++)
				dots += page->dots[p][i * COLUMNS + BESIDE + (uint32_t)j];
		worst = fmax(worst,
			     fabs(255.0 * dots / SIDE / (page->height - SETTLE) - flat->ink[p]));
	}
	return worst;
}

/* The mean of all fields of a flat page. */
static struct seen look_at(const struct page *page, double error)
{
	AUTO_FREE struct light *light = need(malloc(sizeof *light));
	const int fields = (int)(page->height - SETTLE) / SIDE;
	struct seen mean = { 0 };

	for (int k = 0; k < fields; k++) {
		struct seen seen;

		print_field(page, SETTLE + (uint32_t)(k * SIDE), BESIDE, error, light);
		look(light, &seen);
		mean.luminance += seen.luminance / fields;
		mean.chroma += seen.chroma / fields;
		for (int c = 0; c < 3; c++)
			mean.mean[c] += seen.mean[c] / fields;
	}
	mean.luminance = 10 * log10(mean.luminance + 1e-12);
	mean.chroma = sqrt(mean.chroma);
	return mean;
}

bool colour_table(struct rip_engine *engine)
{
	bool ok = true;
	struct page page;

	page_new(&page, COLUMNS, ROWS(FIELDS));
	printf("Inks cyan, magenta, yellow, simulated paper, 600 dpi.  tone: the largest error, "
	       "of 255.\n"
	       "For errors of registration of 0, 0.35, 0.7, 1 and 2 pixels: luminance noise in dB "
	       "/\n"
	       "chroma noise in Delta E / how far the mean colour moves.  mean: from that of inks "
	       "apart,\n"
	       "Delta E.\n");
	for (const struct flat *flat = flats; flat < flats + FLATS; flat++) {
		double apart[3] = { 0 };

		for (const struct method *m = methods; m < methods + METHODS; m++) {
			const double tone = halftone_flat(m, engine, flat, &page);
			struct seen first = { 0 }, seen;

			if (tone < 0) {
				fprintf(stderr, "quality: %s: not installed, or it failed\n",
					m->name);
				ok &= m->run == run_eventone || m->run == run_ghostscript;
				continue;
			}
			printf("%-11s%-18s tone %6.3f", flat->name, m->name, tone);
			for (int e = 0; e < ERRORS; e++) {
				seen = look_at(&page, errors[e]);
				if (e == 0)
					first = seen;
				printf(" %6.1f/%.2f/%.1f", seen.luminance, seen.chroma,
				       distance(seen.mean, first.mean));
			}
			if (m == methods)
				memcpy(apart, first.mean, sizeof apart);
			printf(" mean %.1f\n", distance(first.mean, apart));
			fflush(stdout);
		}
	}
	page_finish(&page);
	return ok;
}

bool colour_gains(struct rip_engine *engine, struct colour_gain gains[COLOUR_GAINS])
{
	bool ok = true;
	struct page page;

	page_new(&page, COLUMNS, ROWS(1));
	for (int k = 0; ok && k < COLOUR_GAINS; k++) {
		struct seen seen[2];

		gains[k] = (struct colour_gain){ .name = flats[k].name, .least = flats[k].least };
		for (int m = 0; ok && m < 2; m++) {
			gains[k].tone = halftone_flat(&methods[m], engine, &flats[k], &page);
			ok = gains[k].tone >= 0;
			seen[m] = look_at(&page, 0.35);
		}
		gains[k].gain = seen[0].luminance - seen[1].luminance;
	}
	page_finish(&page);
	return ok;
}

/* ---- pictures ---- */

#define PANEL  170 /* pixels: a flat's */
#define SHOWN  3   /* flats */
#define GAP    6
#define WIDE   (2 * (SIDE + GAP) + 2 * (PANEL + GAP))
#define HIGH   (SIDE + GAP)
#define PICTURED 3

/* A place of the picture, from XYZ. */
static void put_pixel(uint8_t *at, const double xyz[3])
{
	static const double m[3][3] = {
		{ 3.2406, -1.5372, -0.4986 },
		{ -0.9689, 1.8758, 0.0415 },
		{ 0.0557, -0.2040, 1.0570 },
	};
	const double x[3] = { xyz[0] * 0.9505, xyz[1], xyz[2] * 1.089 };

	for (int c = 0; c < 3; c++) {
		const double l = fmin(1, fmax(0, m[c][0] * x[0] + m[c][1] * x[1] + m[c][2] * x[2]));

		at[c] = (uint8_t)lrint(
			255 * (l < 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055));
	}
}

/* Skin, sky and a grey ramp; or balls, in brown. */
static void draw(struct page *page, const struct picture *photo)
{
	for (uint32_t i = 0; i < page->height; i++)
		for (uint32_t j = 0; j < page->width; j++) {
			static const uint8_t most[INKS][INKS] = { { 90, 150, 150 },
								  { 160, 70, 20 },
								  { 200, 200, 200 } };
			static const unsigned brown[INKS] = { 110, 190, 200 };
			const size_t k = (size_t)i * page->width + j;

			for (int p = 0; p < INKS; p++)
				page->ink[p][k] =
					(uint8_t)(photo ? 1 + (255U -
							       photo->light[(i +
									     photo->height / 4) *
										    photo->width +
									    j + photo->width / 4]) *
									  brown[p] / 255 :
							  1 + most[i * INKS / page->height][p] * j /
									  page->width);
		}
}

static void show_field(const struct page *page, struct light *light, uint8_t *at)
{
	print_field(page, 0, 0, 0.35, light);
	for (int k = 0; k < SIDE * SIDE; k++)
		put_pixel(at + 3 * ((size_t)(k / SIDE) * WIDE + k % SIDE),
			  (const double[]){ light->xyz[k][0], light->xyz[k][1], light->xyz[k][2] });
}

/* Dots, twice as large; and beside them what is seen. */
static void show_flat(const struct page *page, struct light *light, uint8_t *at)
{
	static float complex field[3][SIDE * SIDE];
	double colour[1 << INKS][3], mean[3] = { 0 };

	overprints(colour);
	print_field(page, SETTLE, BESIDE, 0.35, light);
	for (int c = 0; c < 3; c++) {
		for (int k = 0; k < SIDE * SIDE; k++) {
			field[c][k] = light->xyz[k][c];
			mean[c] += light->xyz[k][c] / (SIDE * SIDE);
		}
		filter_two(field[c], EYE, EYE);
	}
	for (int i = 0; i < PANEL; i++)
		for (int j = 0; j < PANEL; j++) {
			const int k = (RIM + i) * SIDE + RIM + j;
			const size_t dot = (size_t)(SETTLE + i / 2) * COLUMNS + BESIDE + j / 2;
			uint8_t *to = at + 3 * ((size_t)i * WIDE + j);
			double xyz[3];

			put_pixel(to, colour[page->dots[0][dot] | page->dots[1][dot] << 1 |
					     page->dots[2][dot] << 2]);
			for (int c = 0; c < 3; c++)
				xyz[c] = mean[c] + 3 * (crealf(field[c][k]) - mean[c]);
			put_pixel(to + 3 * (PANEL + GAP), xyz);
		}
}

bool colour_pictures(const char *folder, struct rip_engine *engine)
{
	static const struct method *const shown[PICTURED] = { &methods[0], &methods[1],
							      &methods[3] };
	static const int flat[SHOWN] = { 2, 3, 5 };
	AUTO_FREE struct light *light = need(malloc(sizeof *light));
	AUTO_FREE uint8_t *pixels = need(malloc(3 * (size_t)WIDE * HIGH * PICTURED));
	struct rip_out_file file = { .fd = -1 };
	struct page field, page;
	struct picture photo;
	char path[4096];
	bool ok = true;

	memset(pixels, 255, 3 * (size_t)WIDE * HIGH * PICTURED);
	picture_synthetic(1, &photo);
	page_new(&field, SIDE, SIDE);
	page_new(&page, COLUMNS, ROWS(1));
	for (int m = 0; ok && m < PICTURED; m++) {
		uint8_t *at = pixels + 3 * (size_t)WIDE * HIGH * (size_t)m;

		for (int k = 0; ok && k < 2; k++) {
			draw(&field, k ? &photo : NULL);
			ok = shown[m]->run(engine, &field);
			if (ok)
				show_field(&field, light, at + (size_t)(3 * k * (SIDE + GAP)));
		}
		for (int k = 0; ok && k < SHOWN; k++) {
			ok = halftone_flat(shown[m], engine, &flats[flat[k]], &page) >= 0;
			if (ok)
				show_flat(&page, light,
					  at + 3 * ((size_t)(k * PANEL) * WIDE + 2 * (SIDE + GAP)));
		}
		if (!ok && m == PICTURED - 1) /* a peer that is not there: a row of paper */
			ok = true;
	}
	page_finish(&page);
	page_finish(&field);
	free(photo.light);
	snprintf(path, sizeof path, "%s/colour.png", folder);
	ok = ok && rip_out_file_open(&file, path) == 0 &&
	     rip_png_write(&file, pixels, WIDE, HIGH * PICTURED, 3, 0) == 0 &&
	     rip_out_file_commit(&file) == 0;
	rip_out_file_abandon(&file);
	if (ok)
		printf("%s\n", path);
	return ok;
}
