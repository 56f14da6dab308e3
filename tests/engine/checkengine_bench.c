/* checkengine --bench: engines and peers in one run, in turn. */
#include "checkengine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/bench/bench.h"
#include "halftone/page/band.h"
#include "peers.h"
#include "system/clock.h"

#define ENTRIES_MAX 80

struct entry {
	const char *name;
	const struct candidate *engine; /* or */
	const struct peer *peer;        /* or neither: a copy of the samples */
	double *seconds;
};

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A picture like a photo: slopes, edges and some noise, no flat 0 or 255. */
static void paint(uint8_t *image, size_t pitch, uint32_t width, uint32_t height)
{
	uint32_t noise = 12345;

	for (uint32_t i = 0; i < height; i++)
		for (uint32_t j = 0; j < width; j++) {
			int v = (int)(((uint64_t)i * 200 / height + (uint64_t)j * 200 / width) / 2 +
				      28);

			noise = noise * 1664525u + 1013904223u;
			v += (int)(noise >> 27) - 16 + ((i / 400 + j / 300) % 2 ? 20 : -10);
			image[i * pitch + j] = (uint8_t)(v < 1 ? 1 : v > 254 ? 254 : v);
		}
}

#define BAND_ROWS 128

/* A page as a filter has it: rows come one by one, transparent ones never reach the engine. */
static int run_bands(struct rip_page *page, struct rip_band *band, const struct rip_page_spec *spec,
		     uint32_t height, const uint8_t *in, size_t pitch, uint8_t *out,
		     size_t out_pitch)
{
	const struct rip_engine_ops *ops = page->engine->ops;
	const size_t dot_bytes = rip_dot_bytes(spec->width, spec->levels);

	for (uint32_t first = 0; first < height; first += BAND_ROWS) {
		struct rip_strip strip;
		unsigned n;

		rip_band_reset(band, first);
		for (uint32_t i = first; i < height && i < first + BAND_ROWS; i++) {
			memcpy(rip_band_row(band, 0), in + i * pitch, spec->width);
			rip_band_commit(band, 0);
		}
		n = rip_band_strips(band, &strip);
		if (n > 0 && (ops->push(page, &strip, n) < 0 || ops->pull(page) < 0))
			return -1;
		for (uint32_t i = 0; i < rip_band_rows(band); i++)
			memcpy(out + (first + i) * out_pitch, rip_band_dots(band, 0, i), dot_bytes);
	}
	return 0;
}

static int run_engine(const struct candidate *c, const struct rip_page_spec *spec, uint32_t height,
		      bool bands, const uint8_t *in, size_t pitch, uint8_t *out, size_t out_pitch,
		      double *seconds)
{
	uint32_t *numbers = malloc(height * sizeof *numbers);
	const struct rip_strip strip = {
		.rows = height, .in = in, .in_pitch = (ptrdiff_t)pitch,
		.out = out, .out_pitch = (ptrdiff_t)out_pitch, .row_numbers = numbers,
	};
	struct rip_band *band = NULL;
	struct rip_page *page = NULL;
	int r = numbers ? rip_engine_open_page(c->engine, spec, RIP_START_NOISE, &page) : -ENOMEM;
	double start;

	if (r == 0 && bands)
		r = rip_band_new(spec, BAND_ROWS, &band);
	if (r < 0)
		goto end;
	for (uint32_t i = 0; i < height; i++)
		numbers[i] = i;
	start = rip_clock_s();
	if (bands)
		r = run_bands(page, band, spec, height, in, pitch, out, out_pitch);
	else
		r = c->engine->ops->push(page, &strip, 1);
	if (r == 0)
		r = c->engine->ops->pull(page);
	*seconds = rip_clock_s() - start;
end:
	c->engine->ops->close(page);
	rip_band_free(band);
	free(numbers);
	return r;
}

static int run_copy(const uint8_t *in, size_t bytes, size_t pitch, uint32_t height, uint8_t *to,
		    double *seconds)
{
	const double start = rip_clock_s();

	for (uint32_t i = 0; i < height; i++)
		memcpy(to + i * pitch, in + i * pitch, bytes);
	*seconds = rip_clock_s() - start;
	return 0;
}

/* A grey PGM of 8 bits as it is in memory, for people's own pages. */
static int read_pgm(FILE *file, uint8_t *image, size_t pitch, uint32_t width, uint32_t height)
{
	for (uint32_t i = 0; i < height; i++)
		if (fread(image + i * pitch, 1, width, file) != width)
			return -1;
	return 0;
}

/* picture: a PGM at its first row, to be halftoned as a filter does; or NULL: paint one. */
static int bench_size(struct candidate *candidates, unsigned count,
		      const struct rip_page_spec *page, uint32_t width, uint32_t height,
		      FILE *picture, unsigned runs)
{
	struct rip_page_spec spec = *page;
	const uint32_t bytes = width * (spec.sample_bits / 8);
	struct entry entries[ENTRIES_MAX];
	unsigned n = 0;
	size_t pitch, out_pitch;
	uint8_t *in, *out, *copy;
	double pixels, yardstick = 0;

	for (const struct peer *p = peers; p->name; p++)
		if (p->open(width, height) == 0)
			entries[n++] = (struct entry){ .name = p->name, .peer = p };
	for (unsigned i = 0; i < count && n < ENTRIES_MAX; i++) {
		struct rip_engine *engine = candidates[i].engine;

		if (!engine->ops->takes(engine, &spec))
			continue;
		entries[n++] = (struct entry){ .name = candidates[i].name,
					       .engine = &candidates[i] };
	}
	if (n < ENTRIES_MAX)
		entries[n++] = (struct entry){ .name = "copy of the samples" };
	spec.width = width;
	pitch = (bytes + 63) / 64 * 64 + 64; /* no power of two */
	out_pitch = rip_dot_bytes(width, spec.levels) + 64;
	in = aligned_alloc(64, pitch * height);
	out = malloc(out_pitch * height);
	copy = calloc(height, pitch);
	if (!in || !out || !copy) {
		fprintf(stderr, "checkengine: not enough memory for %ux%u\n", width, height);
		return 2;
	}
	if (!picture) {
		paint(in, pitch, bytes, height);
	} else if (read_pgm(picture, in, pitch, width, height) < 0) {
		fprintf(stderr, "checkengine: the PGM ends too early\n");
		return 1;
	}
	memset(out, 0, out_pitch * height);
	for (unsigned k = 0; k < n; k++)
		entries[k].seconds = calloc(runs, sizeof(double));
	for (unsigned run = 0; run <= runs; run++) /* the first one warms up */
		for (unsigned k = 0; k < n; k++) {
			double seconds = 0, start;
			int r;

			/* What is bound by memory must find the same caches. */
			run_copy(in, bytes, pitch, height, copy, &seconds);
			start = rip_clock_s();
			if (entries[k].peer) {
				r = entries[k].peer->run(in, pitch, NULL, 0);
				seconds = rip_clock_s() - start;
			} else if (entries[k].engine) {
				r = run_engine(entries[k].engine, &spec, height, picture, in, pitch,
					       out, out_pitch, &seconds);
			} else {
				r = run_copy(in, bytes, pitch, height, copy, &seconds);
			}
			if (r) {
				fprintf(stderr, "checkengine: %s failed\n", entries[k].name);
				return 1;
			}
			if (run > 0)
				entries[k].seconds[run - 1] = seconds;
		}
	pixels = (double)width * height;
	printf("%ux%u, %s, %u bits to %u levels%s, %u runs in turn; Mpixel/s; ratio: to the first "
	       "line\n",
	       width, height, spec.screen->name, spec.sample_bits, spec.levels,
	       spec.curve ? " through a curve" : "", runs);
	printf("%-20s %9s %9s %9s %7s\n", "", "median", "slowest", "fastest", "ratio");
	for (unsigned k = 0; k < n; k++) {
		double *s = entries[k].seconds, median;

		qsort(s, runs, sizeof *s, ascending);
		median = s[runs / 2];
		if (k == 0)
			yardstick = median;
		printf("%-20s %9.0f %9.0f %9.0f %7.2f\n", entries[k].name, pixels / median / 1e6,
		       pixels / s[runs - 1] / 1e6, pixels / s[0] / 1e6, yardstick / median);
		if (entries[k].peer)
			entries[k].peer->close();
		free(s);
	}
	free(in);
	free(out);
	free(copy);
	return 0;
}

int checkengine_bench_file(struct candidate *candidates, unsigned count,
			   const struct rip_page_spec *page, const char *name, unsigned runs)
{
	FILE *file = fopen(name, "re");
	uint32_t width, height;
	int r = 2;

	/* Ghostscript's pgmraw writes a comment line. */
	if (file && page->sample_bits == 8 &&
	    fscanf(file, "P5%*[ \n]#%*[^\n]%u%u%*u%*c", &width, &height) == 2 && width > 0 &&
	    height > 0 && runs > 0)
		r = bench_size(candidates, count, page, width, height, file, runs);
	else
		fprintf(stderr, "checkengine: %s is no PGM as Ghostscript's pgmraw makes it\n",
			name);
	if (file)
		fclose(file);
	return r;
}

int checkengine_bench(struct candidate *candidates, unsigned count,
		      const struct rip_page_spec *page, const char *sizes, unsigned runs)
{
	struct rip_bench bench = { .size_count = 0 };
	char *words = strdup(sizes), *rest = words, *word;
	int r = 0;

	while (words && r == 0 && (word = strsep(&rest, ",")))
		if (rip_bench_add_size(&bench, word) < 0)
			r = 2;
	free(words);
	if (r || bench.size_count == 0 || runs < 1) {
		fprintf(stderr,
			"checkengine: --size wants some of WxH, 8K, A4@600, with commas between\n");
		return 2;
	}
	for (unsigned s = 0; r == 0 && s < bench.size_count; s++)
		r = bench_size(candidates, count, page, bench.sizes[s].width,
			       bench.sizes[s].height, NULL, runs);
	return r;
}
