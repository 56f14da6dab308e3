/*
 * checkengine: holds every engine, method and instruction set that runs here
 * against the oracle, dot for dot, on random pages: odd sizes, pitches of both
 * signs, band splits, planes, levels, curves, filters, hostile images, carries
 * exported and imported in mid-page, also into another engine.  Buffers end at
 * pages of memory that nobody may touch.
 *
 *	checkengine [--seed N] [--rounds N] [--method NAME] [--isa NAME]
 *	checkengine --bench [--screen NAME] [--levels N] [--bits 8|16] [--curve]
 *	            [--size LIST | --page FILE.pgm] [--runs N]
 *	checkengine --quality [--step N]
 */
#include "checkengine.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/engine_cuda.h"
#include "halftone/cpu.h"
#include "halftone/engine_cpu.h"
#include "halftone/simd/isa.h"
#include "halftone/screen/mask_screen.h"
#include "tests/tools/guarded.h"
#include "tests/tools/oracle.h"

#define ENGINES_MAX 64

static uint64_t random_state;

static uint64_t next_random(void)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(next_random() % n);
}

/* --- engines ------------------------------------------------------------------ */

static struct candidate candidates[ENGINES_MAX];
static unsigned candidate_count;

static void add_cpu(enum rip_method method, const char *isa, unsigned threads)
{
	const struct rip_cpu_config config = { .method = method, .isa = isa, .threads = threads };
	struct candidate *c = &candidates[candidate_count];

	if (rip_engine_cpu_new(&config, &c->engine) < 0) {
		fprintf(stderr, "checkengine: cannot make the CPU engine %s/%s\n",
			rip_method_name(method), isa);
		exit(2);
	}
	snprintf(c->name, sizeof c->name, "%s %s x%u", rip_method_name(method), isa, threads);
	c->isa = isa;
	candidate_count++;
}

static void add_gpu(enum rip_method method)
{
	const struct rip_cuda_config config = { .method = method, .device = -1 };
	struct candidate *c = &candidates[candidate_count];
	char why[128];
	int r = rip_engine_cuda_new(&config, &c->engine, why, sizeof why);

	if (r == -ENODEV) {
		if (method == RIP_METHOD_PWED)
			printf("no GPU engine here: %s\n", why);
		return;
	}
	if (r < 0) {
		fprintf(stderr, "checkengine: GPU engine %s: %s\n", rip_method_name(method), why);
		exit(2);
	}
	snprintf(c->name, sizeof c->name, "%s gpu", rip_method_name(method));
	c->isa = "gpu";
	candidate_count++;
}

/* SIMD in one thread and in `threads`. */
static void find_candidates(const char *only_method, const char *only_isa, unsigned threads)
{
	for (int m = RIP_METHOD_ED; m < RIP_METHODS; m++) {
		if (only_method && rip_method_find(only_method) != m)
			continue;
		if (rip_method_wants_gpu(m)) {
			if (!only_isa)
				add_gpu((enum rip_method)m);
			continue;
		}
		for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
			/* ed and ec are plain C on every machine */
			if ((m != RIP_METHOD_SIMD && isa != rip_isas) ||
			    (only_isa && strcmp(isa->name, only_isa)) || !rip_isa_usable(isa))
				continue;
			add_cpu((enum rip_method)m, isa->name, 1);
			if (isa->has_simd && threads > 1)
				add_cpu((enum rip_method)m, isa->name, threads);
		}
	}
}

/* --- one random page ----------------------------------------------------------- */

struct image {
	struct rip_page_spec spec;
	uint32_t height;
	uint16_t *curve;
	uint16_t *x;      /* [plane][row][column], 0..65535 */
	uint8_t  *levels; /* the same, what the oracle says */
	uint16_t *samples; /* the same, as they go in */
	bool noise;
	char inks[RIP_PLANES_MAX + 1]; /* of coupled planes; else empty */
};

static uint32_t random_width(void)
{
	switch (below(4)) {
	case 0:
		return 1 + below(20);
	case 1:
		return 1 + below(300);
	case 2:
		return (uint32_t[]){ 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
				     513, 832, 1023, 1025 }[below(18)];
	default:
		return 1 + below(2500);
	}
}

/* Samples of one plane; some images are made to hurt. */
static void random_samples(struct image *image, uint16_t *samples)
{
	const uint32_t width = image->spec.width, full = (1u << image->spec.sample_bits) - 1;
	const uint32_t kind = below(6), tone = below(full + 1);

	for (uint32_t i = 0; i < image->height; i++)
		for (uint32_t j = 0; j < width; j++) {
			uint32_t v;

			switch (kind) {
			case 0: v = below(full + 1); break;                  /* noise */
			case 1: v = below(2) * full; break;                  /* text */
			case 2: v = tone; break;                             /* flat */
			case 3: v = (i + j) % 2 ? full : 0; break;           /* checks */
			case 4: v = (j + 7 * i) * full / (width + 7 * image->height); break;
			default:
				v = below(16) ? full / 2 : below(2) * full; /* near the threshold */
			}
			samples[i * width + j] = (uint16_t)v;
		}
}

static uint32_t x_of(const struct rip_page_spec *spec, uint32_t v)
{
	return spec->curve ? spec->curve[v] : spec->sample_bits == 8 ? oracle_x8(v) : v;
}

/* The dots of planes that are halftoned together: their inks and all else at random. */
static bool expect_colour(struct image *image)
{
	static const char letters[] = "KCMYcmkrs", *const whole[] = { "CMY", "CMYK", "KCMYcm" };
	static const enum rip_ink inks[] = {
		RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW, RIP_INK_LIGHT_CYAN,
		RIP_INK_LIGHT_MAGENTA, RIP_INK_LIGHT_BLACK, RIP_INK_OTHER, RIP_INK_OTHER,
	};
	struct rip_coupling *coupling = &image->spec.coupling;
	const char *set = whole[below(3)];

	coupling->light = below(4) == 0;
	coupling->fade = below(2) ? 0 : 1 + below(below(2) ? 65535 : 20000);
	for (uint32_t p = 0; p < image->spec.planes; p++) {
		const bool named = strlen(set) >= image->spec.planes && image->noise;
		const uint32_t ink = named ? (uint32_t)(strchr(letters, set[p]) - letters) :
					     below(9);

		image->inks[p] = letters[ink];
		coupling->inks[p] = inks[ink];
	}
	return oracle_colour(image->x, image->spec.width, image->height, image->inks,
			     image->spec.levels, coupling->fade ? coupling->fade : 65535,
			     coupling->light, image->noise, image->levels);
}

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "checkengine: out of memory\n");
		exit(2);
	}
	return p;
}

static void image_new(struct image *image)
{
	struct rip_page_spec *spec = &image->spec;
	size_t plane;

	memset(image, 0, sizeof *image);
	spec->width = random_width();
	spec->planes = 1 + below(4);
	spec->levels = below(2) ? 2 : 2 + below(15);
	spec->sample_bits = below(3) ? 8 : 16;
	spec->screen = &rip_screens[(uint32_t[]){ RIP_FLOYD_STEINBERG, RIP_BLUE_NOISE,
						   RIP_BLUE_NOISE_COLOUR, RIP_BLUE_NOISE_COLOUR,
						   below(RIP_SCREENS) }[below(5)]];
	if (rip_screen_couples(spec->screen))
		spec->planes = 1 + below(below(3) ? 4 : 8);
	image->height = 1 + below(below(4) ? 40 : 200);
	image->noise = below(4);
	if (below(3) == 0) {
		image->curve = must(malloc(sizeof(uint16_t) << spec->sample_bits));
		for (uint32_t v = 0; v < 1u << spec->sample_bits; v++)
			image->curve[v] = (uint16_t)(below(8) ? below(65536) : below(2) * 65535);
		image->curve[1] = 30000; /* some sample is grey */
		spec->curve = image->curve;
	}
	plane = (size_t)spec->width * image->height;
	image->samples = must(malloc(spec->planes * plane * sizeof *image->samples));
	image->x = must(malloc(spec->planes * plane * sizeof *image->x));
	image->levels = must(malloc(spec->planes * plane));
	for (uint32_t p = 0; p < spec->planes; p++) {
		uint16_t *samples = image->samples + p * plane, *x = image->x + p * plane;

		random_samples(image, samples);
		/* Engines never see a row that is transparent in all planes. */
		for (uint32_t i = 0; i < image->height; i++)
			if (p == 0 || !rip_screen_couples(spec->screen) || below(2))
				samples[i * spec->width + below(spec->width)] = 1;
		for (size_t k = 0; k < plane; k++)
			x[k] = (uint16_t)x_of(spec, samples[k]);
		if (!rip_screen_couples(spec->screen) &&
		    !oracle_halftone(x, spec->width, image->height, spec->levels,
				     spec->screen->name, p, image->noise,
				     image->levels + p * plane)) {
			fprintf(stderr, "checkengine: the oracle failed\n");
			exit(2);
		}
	}
	if (rip_screen_couples(spec->screen) && !expect_colour(image)) {
		fprintf(stderr, "checkengine: the oracle failed\n");
		exit(2);
	}
}

static void image_free(struct image *image)
{
	free(image->curve);
	free(image->samples);
	free(image->x);
	free(image->levels);
}

/* --- the check ----------------------------------------------------------------- */

static void complain(const struct image *image, const char *name, uint32_t p, uint32_t i,
		     const char *what)
{
	const struct rip_page_spec *s = &image->spec;

	fprintf(stderr,
		"checkengine: %s: %s: plane %u row %u of %ux%u, %u levels, %u-bit samples, "
		"%s%s%s%s\n",
		name, what, p, i, s->width, image->height, s->levels, s->sample_bits,
		s->screen->name, s->curve ? ", curve" : "", *image->inks ? ", inks " : "",
		image->inks);
}

/* Rows [first, first + rows) of plane p, in buffers. */
struct piece {
	uint32_t first;
	struct rip_guarded in, out;
	bool down; /* negative pitches */
	struct rip_strip strip;
};

static void piece_new(struct piece *piece, const struct image *image, uint32_t p, uint32_t first,
		      uint32_t rows)
{
	const struct rip_page_spec *spec = &image->spec;
	const uint32_t bytes = spec->sample_bits / 8;
	const size_t dot_bytes = rip_dot_bytes(spec->width, spec->levels);
	const size_t in_pitch = ((size_t)spec->width + below(70)) * bytes;
	const size_t out_pitch = dot_bytes + below(70);
	const size_t plane = (size_t)spec->width * image->height;
	const bool down = below(4) == 0;

	/* The last row ends, or the first begins, at the guard. */
	piece->in = rip_guarded_new((rows - 1) * in_pitch + (size_t)spec->width * bytes, below(2));
	piece->out = rip_guarded_new((rows - 1) * out_pitch + dot_bytes, below(2));
	piece->first = first;
	piece->down = down;
	piece->strip = (struct rip_strip){
		.plane = p, .rows = rows,
		.in = piece->in.bytes + (down ? (rows - 1) * in_pitch : 0),
		.in_pitch = down ? -(ptrdiff_t)in_pitch : (ptrdiff_t)in_pitch,
		.out = piece->out.bytes + (down ? (rows - 1) * out_pitch : 0),
		.out_pitch = down ? -(ptrdiff_t)out_pitch : (ptrdiff_t)out_pitch,
	};
	memset(piece->out.bytes, 0xa5, (rows - 1) * out_pitch + dot_bytes);
	for (uint32_t i = 0; i < rows; i++) {
		const uint16_t *from = image->samples + p * plane +
				       (size_t)(first + i) * spec->width;
		uint8_t *to = (uint8_t *)piece->strip.in + i * piece->strip.in_pitch;

		for (uint32_t j = 0; j < spec->width; j++)
			if (bytes == 1)
				to[j] = (uint8_t)from[j];
			else
				memcpy(to + 2 * j, from + j, 2);
	}
}

/* Whether its dots are wrong. */
static bool piece_is_bad(const struct piece *piece, const struct image *image, const char *name)
{
	const struct rip_page_spec *spec = &image->spec;
	const struct rip_strip *strip = &piece->strip;
	const uint32_t bits = rip_dot_bits(spec->levels), p = strip->plane;
	const size_t dot_bytes = rip_dot_bytes(spec->width, spec->levels);
	const size_t plane = (size_t)spec->width * image->height;
	const size_t out_pitch = (size_t)(piece->down ? -strip->out_pitch : strip->out_pitch);
	bool bad = false;

	for (uint32_t i = 0; i < strip->rows && !bad; i++) {
		const uint32_t row = piece->first + i;
		const uint8_t *dots = strip->out + i * strip->out_pitch;
		const uint8_t *want = image->levels + p * plane + (size_t)row * spec->width;

		for (uint32_t j = 0; j < spec->width && !bad; j++)
			if (oracle_unpack(dots, j, bits) != want[j]) {
				char what[64];

				snprintf(what, sizeof what, "column %u is %u, not %u", j,
					 oracle_unpack(dots, j, bits), want[j]);
				complain(image, name, p, row, what);
				bad = true;
			}
		for (size_t k = (size_t)spec->width * bits; k < dot_bytes * 8 && !bad; k++)
			if (oracle_unpack(dots, k, 1)) {
				complain(image, name, p, row, "unused bits are not 0");
				bad = true;
			}
		for (size_t k = dot_bytes; k < out_pitch && i + 1 < strip->rows && !bad; k++)
			if (dots[(piece->down ? -(ptrdiff_t)out_pitch : 0) + (ptrdiff_t)k] !=
			    0xa5) {
				complain(image, name, p, row, "bytes past the row were written");
				bad = true;
			}
	}
	return bad;
}

/* Runs rows [first, first + rows) of `count` planes from p on through a page and compares. */
static int check_strips(struct rip_page *page, const struct image *image, const char *name,
			uint32_t p, uint32_t count, uint32_t first, uint32_t rows)
{
	struct rip_strip strips[RIP_PLANES_MAX];
	struct piece pieces[RIP_PLANES_MAX];
	int r, bad = 0;

	for (uint32_t i = 0; i < count; i++) {
		piece_new(&pieces[i], image, p + i, first, rows);
		strips[i] = pieces[i].strip;
	}
	r = page->engine->ops->push(page, strips, count);
	if (r == 0)
		r = page->engine->ops->pull(page);
	if (r < 0) {
		complain(image, name, p, first, strerror(-r));
		bad = 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		bad = bad || piece_is_bad(&pieces[i], image, name);
		rip_guarded_free(&pieces[i].in);
		rip_guarded_free(&pieces[i].out);
	}
	return bad;
}

static struct rip_page *open_page(const struct candidate *c, const struct image *image)
{
	struct rip_page *page;
	int r;

	if (!c->engine->ops->takes(c->engine, &image->spec))
		return NULL;
	r = rip_engine_open_page(c->engine, &image->spec,
				 image->noise ? RIP_START_NOISE : RIP_START_ZERO, &page);
	if (r < 0) {
		fprintf(stderr, "checkengine: %s: cannot open a page: %s\n", c->name, strerror(-r));
		exit(2);
	}
	return page;
}

/* One page through one engine, in random bands, sometimes handed to another
 * engine by its carry.  Planes advance on their own, or together. */
static int check_page(const struct candidate *c, const struct image *image)
{
	const struct rip_page_spec *spec = &image->spec;
	const bool together = rip_screen_couples(spec->screen);
	struct rip_page *page = open_page(c, image);
	int16_t *carry = must(malloc(rip_carry_values(spec) * sizeof *carry));
	uint32_t done[RIP_PLANES_MAX] = { 0 }, left = together ? 1 : spec->planes;
	int bad = 0;

	while (page && left > 0 && !bad) {
		const uint32_t p = together ? 0 : below(spec->planes);
		uint32_t rows = image->height - done[p];

		if (rows == 0)
			continue;
		if (below(3))
			rows = 1 + below(rows);
		bad = check_strips(page, image, c->name, p, together ? spec->planes : 1, done[p],
				   rows);
		done[p] += rows;
		left -= done[p] == image->height;
		if (!bad && below(4) == 0) {
			const struct candidate *to = &candidates[below(candidate_count)];
			struct rip_page *next = open_page(to, image);

			if (!next)
				continue;
			for (uint32_t q = 0; q < spec->planes && !bad; q++)
				if (page->engine->ops->export_carry(page, q, carry) < 0 ||
				    next->engine->ops->import_carry(next, q, carry) < 0) {
					complain(image, c->name, q, done[q],
						 "the carry was refused");
					bad = 1;
				}
			page->engine->ops->close(page);
			page = next;
		}
	}
	if (page)
		page->engine->ops->close(page);
	free(carry);
	return bad;
}

static int check_all(uint64_t seed, unsigned rounds)
{
	unsigned pages = 0;

	for (unsigned round = 0; round < rounds; round++) {
		struct image image;
		int bad = 0;

		random_state = seed + round;
		image_new(&image);
		for (unsigned i = 0; i < candidate_count && !bad; i++, pages++)
			bad = check_page(&candidates[i], &image);
		image_free(&image);
		if (bad) {
			fprintf(stderr, "checkengine: again with --seed %llu --rounds 1\n",
				(unsigned long long)(seed + round));
			return 1;
		}
	}
	for (unsigned i = 0; i < candidate_count; i++)
		printf("%-16s %s: same dots as the oracle\n", candidates[i].name,
		       candidates[i].engine->device);
	printf("%u pages, seeds from %llu\n", pages, (unsigned long long)seed);
	return 0;
}

/* A page to be timed: with any screen, as for black at 600 dpi; its curve is a gamma of 2. */
struct bench_page {
	const char            *name;
	struct rip_page_spec   spec;
	struct rip_mask_screen screen;
	uint16_t               curve[65536];
};

static bool bench_page_init(struct bench_page *page)
{
	const struct rip_mask_use use = { .planes = 1, .inks = { RIP_INK_BLACK } };
	const uint64_t last = page->spec.sample_bits == 8 ? 255 : 65535;
	const int id = rip_screen_find(page->name);
	char why[200];

	for (uint64_t v = 0; v <= last; v++)
		page->curve[v] = (uint16_t)(v * v * 65535 / (last * last));
	page->spec.width = 1;
	if (id >= 0)
		page->spec.screen = &rip_screens[id];
	else if (rip_mask_screen_init(&page->screen, page->name, &use, why, sizeof why) == 0)
		page->spec.screen = &page->screen.base;
	else
		fprintf(stderr, "checkengine: %s\n", why);
	return page->spec.screen && rip_page_spec_check(&page->spec) == 0;
}

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)time(NULL) * 1000003;
	unsigned rounds = 150, runs = 15, step = 1;
	const char *method = NULL, *isa = NULL, *size = "8192x8192", *page = NULL;
	bool bench = false, quality = false;
	static struct bench_page timed = { .name = "floyd-steinberg",
					   .spec = { .planes = 1, .levels = 2, .sample_bits = 8 } };
	int r;

	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(argv[i], "--bench")) {
			bench = true;
			continue;
		}
		if (!strcmp(argv[i], "--quality")) {
			quality = true;
			continue;
		}
		if (!strcmp(argv[i], "--curve")) {
			timed.spec.curve = timed.curve;
			continue;
		}
		if (value && !strcmp(argv[i], "--seed"))
			seed = strtoull(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--rounds"))
			rounds = (unsigned)strtoul(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--runs"))
			runs = (unsigned)strtoul(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--step"))
			step = (unsigned)strtoul(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--size"))
			size = value;
		else if (value && !strcmp(argv[i], "--page"))
			page = value;
		else if (value && !strcmp(argv[i], "--screen"))
			timed.name = value;
		else if (value && !strcmp(argv[i], "--levels"))
			timed.spec.levels = (uint32_t)strtoul(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--bits"))
			timed.spec.sample_bits = (uint32_t)strtoul(value, NULL, 0);
		else if (value && !strcmp(argv[i], "--method"))
			method = value;
		else if (value && !strcmp(argv[i], "--isa"))
			isa = value;
		else {
			fprintf(stderr,
				"usage: checkengine [--seed N] [--rounds N] [--method NAME] "
				"[--isa NAME]\n       checkengine --bench [--screen NAME] "
				"[--levels N] [--bits 8|16] "
				"[--curve]\n                   [--size LIST | --page FILE.pgm] "
				"[--runs N]\n"
				"       checkengine --quality [--step N]\n");
			return 2;
		}
		i++;
	}
	if (bench && !bench_page_init(&timed)) {
		fprintf(stderr, "checkengine: no such page: %s\n", timed.name);
		return 2;
	}
	/* The check wants threads that get in each other's way. */
	find_candidates(method, isa, bench ? rip_cpu_count() : 3);
	if (candidate_count == 0) {
		fprintf(stderr, "checkengine: no engine here matches\n");
		return 2;
	}
	if (bench && page)
		r = checkengine_bench_file(candidates, candidate_count, &timed.spec, page, runs);
	else if (bench)
		r = checkengine_bench(candidates, candidate_count, &timed.spec, size, runs);
	else if (quality) /* all candidates give the same dots: one speaks for them */
		r = checkengine_quality(&candidates[0], step > 0 ? (int)step : 1);
	else
		r = check_all(seed, rounds);
	for (unsigned i = 0; i < candidate_count; i++)
		candidates[i].engine->ops->free(candidates[i].engine);
	return r;
}
