/*
 * libriptide on one core, against its engine and against the dithers of printer applications.
 *
 *	taskset -c 1 chrt -f 50 tests/bench/bench-library [ROUNDS [WIDTH]]
 *
 * The rounds alternate between the ways, and the medians are printed, in millions of pixels a
 * second.  Grey noise on a ramp, as many pixels as A4 at 600 dpi: no row is white.  "row by row"
 * pushes one row at a time and pulls the dots that are ready; "row, flushed" waits for the dots of
 * each row before the next one is pushed.
 *
 * PAPPL compares each pixel with a matrix of 16 by 16.  LPrint (2.0) does that only where no
 * neighbour is black or white, and copies each row first, with the dark and the light greys
 * set to black and white.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/page/band.h"
#include "halftone/engine_cpu.h"
#include "lib/riptide.h"
#include "halftone/screen/mask_screen.h"
#include "system/clock.h"

#define PIXELS (4960 * 7016)
#define WIDTH_MAX 32768
#define ROUNDS_MAX 99

static uint32_t width = 4960, height, bytes; /* bytes of a row of dots */
static uint8_t *page;
static uint8_t  dots[WIDTH_MAX / 8];
static uint8_t  matrix[16][16];
static volatile unsigned sink; /* so that no loop is left out */

/* ---- others ---- */

static void pappl(const char *unused)
{
	for (uint32_t y = 0; y < height; y++) {
		const uint8_t *row = page + (size_t)y * width, *thresholds = matrix[y & 15];
		uint8_t *to = dots, bit = 128, byte = 0;

		for (uint32_t x = 0; x < width; x++) {
			if (row[x] > thresholds[x & 15])
				byte |= bit;
			if (bit > 1) {
				bit /= 2;
			} else {
				*to++ = byte;
				byte = 0;
				bit = 128;
			}
		}
		sink += dots[y % bytes];
	}
}

static void lprint_row(const uint8_t *prev, const uint8_t *now, const uint8_t *next,
		       const uint8_t *thresholds)
{
	uint8_t *to = dots, bit = 128, byte = 0;

	for (uint32_t x = 0; x < width; x++) {
		if (now[x] == 255) {
			byte ^= bit;
		} else if (now[x]) {
			const int edge =
				(x > 0 && (now[x - 1] == 255 || now[x - 1] == 0)) ||
				(x + 1 < width && (now[x + 1] == 255 || now[x + 1] == 0)) ||
				prev[x] == 255 || prev[x] == 0 || next[x] == 255 || next[x] == 0;

			if (now[x] > (edge ? 127 : thresholds[x & 15]))
				byte ^= bit;
		}
		if (bit > 1) {
			bit /= 2;
		} else {
			*to++ = byte;
			byte = 0;
			bit = 128;
		}
	}
}

static void lprint(const char *unused)
{
	static uint8_t rows[4][WIDTH_MAX];

	for (uint32_t y = 0; y < height; y++) {
		const uint8_t *from = page + (size_t)y * width;
		uint8_t *to = rows[y & 3];

		for (uint32_t x = 0; x < width; x++)
			to[x] = from[x] < 56 ? 0 : from[x] > 199 ? 255 : from[x];
		lprint_row(rows[(y - 2) & 3], rows[(y - 1) & 3], to, matrix[y & 15]);
		sink += dots[y % bytes];
	}
}

/* ---- riptide ---- */

static struct rip_mask_screen mask;

static void engine(const char *name)
{
	const int id = rip_screen_find(name);
	const struct rip_page_spec spec = { .width = width,
					    .planes = 1,
					    .levels = 2,
					    .sample_bits = 8,
					    .screen = id < 0 ? &mask.base : &rip_screens[id] };
	const struct rip_cpu_config config = { .threads = 1 };
	static uint8_t out[128 * sizeof dots];
	uint32_t numbers[128];
	struct rip_engine *cpu;
	struct rip_page *open;

	if (rip_engine_cpu_new(&config, &cpu) < 0 ||
	    rip_engine_open_page(cpu, &spec, RIP_START_NOISE, &open) < 0)
		abort();
	for (uint32_t y = 0; y < height; y += 128) {
		const uint32_t rows = height - y < 128 ? height - y : 128;
		const struct rip_strip strip = { .rows = rows, .in = page + (size_t)y * width,
			.in_pitch = width, .out = out, .out_pitch = bytes, .row_numbers = numbers };

		for (uint32_t i = 0; i < rows; i++)
			numbers[i] = y + i;
		cpu->ops->push(open, &strip, 1);
		cpu->ops->pull(open);
		sink += out[y % bytes];
	}
	cpu->ops->close(open);
	cpu->ops->free(cpu);
}

static void library(const char *screen, uint32_t at_once, bool flush)
{
	static const struct riptide_config config = { .size = sizeof config,
						      .socket = "none",
						      .threads = 1 };
	const struct riptide_page spec = { .size = sizeof spec, .width = width, .height = height,
					   .screen = screen };
	static struct riptide *riptide; /* kept, as by a job */
	uint32_t rows;

	if ((!riptide && riptide_new(&config, &riptide) < 0) || riptide_begin(riptide, &spec) < 0)
		abort();
	for (uint32_t y = 0; y < height; y += rows) {
		const void *from = page + (size_t)y * width;

		rows = height - y < at_once ? height - y : at_once;
		riptide_push(riptide, 0, from, 0, rows);
		if (flush)
			riptide_flush(riptide);
		while (riptide_pull(riptide, 0, dots, 0, 1) == 1)
			sink += dots[0];
	}
	riptide_flush(riptide);
	while (riptide_pull(riptide, 0, dots, 0, 1) == 1)
		sink += dots[0];
}

static void row_flushed(const char *screen) { library(screen, 1, true); }
static void row_by_row(const char *screen) { library(screen, 1, false); }
static void bands(const char *screen) { library(screen, 128, false); }

/* ---- times ---- */

static const struct {
	const char *name;
	void (*run)(const char *screen);
	const char *screen;
} ways[] = {
	{ "PAPPL's matrix", pappl, NULL },
	{ "LPrint's dither", lprint, NULL },
	{ "engine", engine, "floyd-steinberg" },
	{ "bands", bands, "floyd-steinberg" },
	{ "row by row", row_by_row, "floyd-steinberg" },
	{ "row, flushed", row_flushed, "floyd-steinberg" },
	{ "engine", engine, "blue-noise" },
	{ "bands", bands, "blue-noise" },
	{ "row by row", row_by_row, "blue-noise" },
	{ "row, flushed", row_flushed, "blue-noise" },
	{ "engine", engine, "clustered" },
	{ "bands", bands, "clustered" },
	{ "row by row", row_by_row, "clustered" },
	{ "row, flushed", row_flushed, "clustered" },
};
#define WAYS (sizeof ways / sizeof *ways)

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

int main(int argc, char **argv)
{
	const struct rip_mask_use use = {
		.x_dpi = 600, .y_dpi = 600, .planes = 1, .inks = { RIP_INK_BLACK }
	};
	const int rounds = argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) < ROUNDS_MAX ?
				   atoi(argv[1]) :
				   9;
	static double times[WAYS][ROUNDS_MAX];
	char why[200];

	if (argc > 2)
		width = (uint32_t)atoi(argv[2]);
	if (width < 1 || width > WIDTH_MAX)
		return 1;
	height = PIXELS / width;
	bytes = (width + 7) / 8;
	page = malloc((size_t)width * height);
	if (!page || rip_mask_screen_init(&mask, "clustered", &use, why, sizeof why) < 0)
		return 1;
	srand(1);
	for (size_t i = 0; i < (size_t)width * height; i++)
		page[i] = (uint8_t)(i % width * 220 / width + 4 + (unsigned)rand() % 28);
	for (int i = 0; i < 256; i++)
		matrix[i / 16][i % 16] = (uint8_t)(i * 167);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < WAYS; i++) {
			const double start = rip_clock_s();

			ways[i].run(ways[i].screen);
			times[i][round] = rip_clock_s() - start;
		}
	for (size_t i = 0; i < WAYS; i++) {
		qsort(times[i], (size_t)rounds, sizeof times[i][0], ascending);
		printf("%-16s %-16s %7.0f Mpixel/s\n", ways[i].screen ? ways[i].screen : "",
		       ways[i].name, width * (double)height / 1e6 / times[i][rounds / 2]);
	}
	free(page);
	return 0;
}
