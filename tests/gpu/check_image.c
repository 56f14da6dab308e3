/* Images that a GPU engine and the CPU engine halftone, to compare their dots. */
#include "check_image.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/engine_cuda.h"
#include "halftone/page/band.h"
#include "halftone/page/ink_limit.h"

const struct rip_engine *image_production;
bool image_colour;

static uint64_t random_state;

void pick_seed(uint64_t seed)
{
	random_state = seed;
}

/* As the tests with cmocka have it. */
uint64_t rip_test_random(void)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Whether one kernel of the wavefront computes both pages (rip_wave_kernel()).  Only whether there
 * is a curve counts. */
static bool same_kernel(const struct rip_page_spec *a, bool a_curve, const struct rip_page_spec *b)
{
	return a->screen == b->screen && a->sample_bits == b->sample_bits &&
	       rip_dot_bits(a->levels) == rip_dot_bits(b->levels) &&
	       (a->sample_bits == 16 || (a_curve || a->levels > 2) == (b->curve || b->levels > 2));
}

void image_make(struct image *im, const struct rip_engine *gpu, uint32_t width,
		uint32_t rows, uint32_t planes, const struct rip_page_spec *other)
{
	bool curve;

	memset(im, 0, sizeof *im);
	im->spec.width = width;
	im->spec.planes = planes;
	do {
		im->spec.levels = pick(0, 2) ? 2 : pick(2, 16);
		im->spec.sample_bits = pick(0, 3) ? 8 : 16;
		im->spec.screen = &rip_screens[pick(0, 1) ? RIP_FLOYD_STEINBERG :
							    pick(0, RIP_SCREENS_APART - 1)];
		if (image_colour)
			im->spec.screen = &rip_screens[RIP_BLUE_NOISE_COLOUR];
		curve = pick(0, 3) == 0;
		for (uint32_t p = 0; p < planes; p++)
			im->spec.coupling.inks[p] = pick(0, RIP_INK_LIGHT_BLACK);
		im->spec.coupling.light = pick(0, 1);
		im->spec.coupling.fade = pick(0, 1) * pick(1, pick(0, 1) ? 8192 : 65535);
	} while (!gpu->ops->takes(gpu, &im->spec) ||
		 (other && !same_kernel(&im->spec, curve, other)));
	im->rows = rows;

	if (curve)
		image_curve(im);
	image_fill(im);
}

/* Whether pushes have the same rows of all planes. */
static bool together(const struct image *im)
{
	return rip_screen_couples(im->spec.screen) && im->spec.planes > 1;
}

/* Opens a page, and checks that it takes no more page-locked memory than announced.  *pinned: what
 * the process holds then. */
static int open_page(struct rip_engine *engine, const struct rip_page_spec *spec,
		     struct rip_page **page, uint64_t *pinned)
{
	const uint64_t before = rip_engine_cuda_pinned_bytes();
	int r = engine->ops->open(engine, spec, page);

	*pinned = rip_engine_cuda_pinned_bytes();
	if (r == 0 && image_production &&
	    *pinned > before + rip_engine_cuda_page_bytes(image_production, spec)) {
		printf("a page takes %llu bytes of page-locked memory, not %llu\n",
		       (unsigned long long)(*pinned - before),
		       (unsigned long long)rip_engine_cuda_page_bytes(image_production, spec));
		r = -EPROTO;
	}
	return r;
}

int image_run(const struct image *im, struct rip_engine *engine, uint8_t *out, int16_t *carry,
	      bool whole)
{
	const struct rip_engine_ops *ops = engine->ops;
	uint32_t done[RIP_PLANES_MAX] = { 0 };
	struct rip_page *page;
	uint64_t pinned;
	int r = open_page(engine, &im->spec, &page, &pinned);
	const uint32_t thin = whole ? 0 : im->thin;

	if (r < 0)
		return r;
	for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
		r = ops->import_carry(page, p, image_carry(im, im->start, p));
	while (r == 0) {
		struct rip_strip strips[2 * RIP_PLANES_MAX];
		/* The same of each plane. */
		const uint32_t even = thin ? thin : together(im) || pick(0, 1) ? pick(1, 300) : 0;
		unsigned n = 0;

		for (uint32_t k = 0; k < (whole || together(im) ? 1u : 2u) * im->spec.planes; k++) {
			const uint32_t p = k % im->spec.planes, left = im->rows - done[p];
			const uint32_t rows = whole           ? left :
					      even            ? even :
					      pick(0, 7) == 0 ? 1 :
					      pick(0, 3)      ? pick(1, 200) :
								pick(1, im->rows);
			const size_t at = (size_t)p * im->rows + done[p];

			if (left == 0)
				continue;
			strips[n] = image_strip(im, p, rows < left ? rows : left, at, out);
			if (strips[n].rows == 1) /* then pitches mean nothing */
				strips[n].in_pitch = strips[n].out_pitch = (ptrdiff_t)pick(0, 1) *
									 -16;
			done[p] += strips[n++].rows;
		}
		if (n == 0)
			break;
		r = ops->push(page, strips, n);
		if (r == 0 && !thin && (whole || pick(0, 1)))
			r = ops->pull(page);
		if (r == 0 && !thin && !whole && pick(0, 9) == 0) { /* continue in another page */
			struct rip_page *next = NULL;

			r = ops->pull(page);
			for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
				r = ops->export_carry(page, p, image_carry(im, carry, p));
			if (r == 0)
				r = open_page(engine, &im->spec, &next, &pinned);
			for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
				r = ops->import_carry(next, p, image_carry(im, carry, p));
			ops->close(page);
			page = next;
		}
	}
	if (r == 0)
		r = ops->pull(page);
	for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
		r = ops->export_carry(page, p, image_carry(im, carry, p));
	if (r == 0 && image_production && rip_engine_cuda_pinned_bytes() != pinned) {
		printf("buffers are allocated while the page is halftoned\n");
		r = -EPROTO;
	}
	ops->close(page);
	return r;
}

/* Bands that are on their way, in order. */
#define AWAY_MAX 8

static struct away {
	struct rip_submission submission; /* first */
	uint32_t planes[RIP_PLANES_MAX], rows[RIP_PLANES_MAX], count;
	int16_t *carries;
	struct rip_pixels pixels;
	uint8_t *lines;  /* of pixels, or NULL; it begins some bytes before them */
	bool     pinned; /* they are */
	int      result;
	bool     ended;
} away[AWAY_MAX];
static pthread_mutex_t away_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t away_ended = PTHREAD_COND_INITIALIZER;

static void ended(struct rip_submission *submission, int result)
{
	struct away *one = (struct away *)submission;

	pthread_mutex_lock(&away_lock);
	one->result = result;
	one->ended = true;
	pthread_cond_broadcast(&away_ended);
	pthread_mutex_unlock(&away_lock);
}

unsigned image_pixel_bands, image_pixel_refusals;

/* Puts the rows of a band into lines of pixels, each plane's into other lines, among others.
 * numbers: of the lines, plane after plane. */
static void make_pixels(const struct image *im, struct rip_engine *engine, struct away *one,
			struct rip_strip *strips, uint16_t *numbers)
{
	const uint32_t bytes = im->spec.sample_bits / 8, step = im->spec.planes + pick(0, 2);
	const size_t row = (size_t)im->spec.width * bytes, line = row * step;
	uint32_t most = 0;
	size_t size;

	for (uint32_t i = 0; i < one->count; i++)
		most = one->rows[i] > most ? one->rows[i] : most;
	one->pixels = (struct rip_pixels){ .pitch = line + pick(0, 20) * bytes, .step = step,
					   .count = most + pick(0, 1) * pick(0, most / 4 + 1) };
	if (pick(0, 2))
		one->pixels.pitch = (line + 15) / 16 * 16 + pick(0, 1) * 16 * pick(0, 20);
	size = one->pixels.pitch * one->pixels.count;
	one->lines = image_memory(size + 16);
	for (size_t i = 0; i < size + 16; i++)
		one->lines[i] = (uint8_t)(i * 151 ^ i >> 8);
	one->pixels.lines = one->lines + pick(0, 1) * 2 * pick(0, 8);
	for (uint32_t i = 0; i < one->count; i++) {
		uint32_t left = one->pixels.count, number = pick(0, 1) ? left - 1 : 0;
		const int way = number ? -1 : 1;

		strips[i].pixels = &one->pixels;
		strips[i].line_numbers = numbers;
		for (uint32_t j = 0; j < one->rows[i]; j++, left--, number += (uint32_t)way) {
			const uint8_t *from = (const uint8_t *)strips[i].in +
					      (ptrdiff_t)j * strips[i].in_pitch;
			uint8_t *to = (uint8_t *)one->pixels.lines;

			for (; left > one->rows[i] - j && pick(0, 1); left--)
				number += (uint32_t)way;
			to += number * one->pixels.pitch + one->planes[i] * bytes;
			for (size_t x = 0; x < row; x++)
				to[x / bytes * bytes * step + x % bytes] = from[x];
			*numbers++ = (uint16_t)number;
		}
		strips[i].in = NULL;
	}
	one->pinned = pick(0, 1) && rip_engine_cuda_pin(engine, one->lines,
							(size + 16 + 4095) / 4096 * 4096) == 0;
}

/* What has come back, or was never away. */
static void let_go(struct away *one)
{
	if (one->pinned)
		rip_engine_cuda_unpin(NULL, one->lines);
	free(one->lines);
	free(one->carries);
	one->lines = NULL;
	one->pinned = false;
}

/* Waits for a band.  What is good of it is kept: unless one before it has failed. */
static int receive(const struct image *im, struct away *one, int before, int16_t *carry,
		   uint32_t *done)
{
	const size_t values = rip_carry_values(&im->spec);

	pthread_mutex_lock(&away_lock);
	while (!one->ended)
		pthread_cond_wait(&away_ended, &away_lock);
	pthread_mutex_unlock(&away_lock);
	if (before < 0 && one->result == 0) {
		printf("a band is good although one before it was not\n");
		before = -EPROTO;
	}
	for (uint32_t i = 0; before == 0 && one->result == 0 && i < one->count; i++) {
		memcpy(image_carry(im, carry, one->planes[i]), one->carries + i * values,
		       values * 2);
		done[one->planes[i]] += one->rows[i];
	}
	let_go(one);
	return before < 0 ? before : one->result;
}

/* Submits some of the rows that are left of each plane; *left: whether there are any. */
static int send(const struct image *im, struct rip_page *page, struct away *one, uint8_t *out,
		uint32_t *sent, bool *left, bool pixels)
{
	const struct rip_engine_ops *ops = page->engine->ops;
	const size_t values = rip_carry_values(&im->spec);
	const bool all = together(im) || pick(0, 1);
	uint32_t even = 0; /* rows of each plane */
	struct rip_strip strips[RIP_PLANES_MAX], of_pixels[RIP_PLANES_MAX];
	uint16_t *numbers;
	int r = -E2BIG;

	one->count = 0;
	one->ended = false;
	one->submission.done = ended;
	one->carries = need(malloc((im->spec.planes * values + 1) * sizeof *one->carries));
	for (uint32_t p = 0; p < im->spec.planes; p++) {
		const uint32_t more = im->rows - sent[p];
		const uint32_t rows = even ? even : pick(1, pick(0, 3) ? 40 : im->rows);

		even = together(im) ? rows : 0;
		if (more == 0 || (!all && one->count > 0 && pick(0, 1)))
			continue;
		one->planes[one->count] = p;
		one->rows[one->count] = rows < more ? rows : more;
		strips[one->count] = image_strip(im, p, one->rows[one->count],
						 (size_t)p * im->rows + sent[p], out);
		one->submission.carry[one->count] = one->carries + one->count * values;
		sent[p] += one->rows[one->count++];
	}
	*left = false;
	for (uint32_t p = 0; p < im->spec.planes; p++)
		*left = *left || sent[p] < im->rows;
	if (ops->takes_pixels && (pixels || pick(0, 1))) {
		numbers = need(malloc(one->count * im->rows * sizeof *numbers));
		memcpy(of_pixels, strips, sizeof strips);
		make_pixels(im, page->engine, one, of_pixels, numbers);
		r = ops->submit(page, of_pixels, one->count, &one->submission);
		memset(numbers, 0xff, one->count * im->rows * sizeof *numbers);
		free(numbers);
		image_pixel_bands++;
		image_pixel_refusals += r == -E2BIG;
	}
	return r == -E2BIG ? ops->submit(page, strips, one->count, &one->submission) : r;
}

int image_submit(const struct image *im, struct rip_engine *engine, uint8_t *out, int16_t *carry,
		 uint32_t *done, bool pixels)
{
	const struct rip_engine_ops *ops = engine->ops;
	uint32_t sent[RIP_PLANES_MAX] = { 0 }, first = 0, next = 0;
	struct rip_page *page = NULL;
	bool left = true;
	uint64_t pinned;
	int r = 0, sending = 0;

	memset(done, 0, im->spec.planes * sizeof *done);
	memcpy(carry, im->start, im->spec.planes * rip_carry_values(&im->spec) * sizeof *carry);
	while (r == 0 && sending == 0 && left) {
		if (!page) { /* the first one, or another one goes on */
			sending = open_page(engine, &im->spec, &page, &pinned);
			for (uint32_t p = 0; sending == 0 && p < im->spec.planes; p++)
				sending = ops->import_carry(page, p, image_carry(im, carry, p));
		}
		if (sending == 0) {
			sending = send(im, page, &away[next % AWAY_MAX], out, sent, &left, pixels);
			if (sending == 0)
				next++;
			else
				let_go(&away[next % AWAY_MAX]);
		}
		while (r == 0 && next - first > pick(0, AWAY_MAX - 1))
			r = receive(im, &away[first++ % AWAY_MAX], r, carry, done);
		if (r == 0 && sending == 0 && left && pick(0, 9) == 0) {
			while (first != next)
				r = receive(im, &away[first++ % AWAY_MAX], r, carry, done);
			ops->close(page);
			page = NULL;
		}
	}
	while (first != next)
		r = receive(im, &away[first++ % AWAY_MAX], r, carry, done);
	ops->close(page);
	return r < 0 ? r : sending;
}

/* Curves that never fall, or none: the same for all planes, or others. */
static void make_curves(uint16_t (*curves)[256], uint16_t **of, uint32_t planes)
{
	const uint32_t way = pick(0, 3);

	for (uint32_t p = 0; p < planes; p++) {
		uint32_t x = pick(0, 1) * pick(0, 5000);

		for (uint32_t v = 0; v < 256; v++, x += pick(0, 2) ? pick(0, 600) : 0)
			curves[p][v] = (uint16_t)(x < 65535 ? x : 65535);
		of[p] = way == 0 || (way == 1 && pick(0, 1)) ? NULL : curves[way == 2 ? 0 : p];
	}
}

/* A band of random pixels: each plane has the rows of some of the lines.  expected: what the CPU
 * makes of it. */
static int limited_band(struct rip_page *page, struct rip_page *expected,
			const struct rip_page_spec *spec, struct rip_pixels *pixels)
{
	const size_t dots = rip_dot_bytes(spec->width, spec->levels), plane = dots * pixels->count;
	uint8_t *lines = image_memory(pixels->count * pixels->pitch), *rows;
	uint8_t *got = image_memory(plane * spec->planes),
		*want = image_memory(plane * spec->planes);
	int16_t *carries =
		need(malloc((spec->planes * rip_carry_values(spec) + 1) * sizeof *carries));
	uint16_t *numbers = need(malloc(spec->planes * pixels->count * sizeof *numbers)),
		 *number = numbers;
	const uint32_t least = pick(0, 255);
	struct rip_strip strips[RIP_PLANES_MAX];
	struct away one = { .submission.done = ended };
	int r;

	for (size_t i = 0; i < pixels->count * pixels->pitch; i++)
		lines[i] = (uint8_t)pick(pick(0, 2) ? least : 0, 255);
	memset(got, 0, plane * spec->planes);
	memset(want, 0, plane * spec->planes);
	pixels->lines = lines;
	for (uint32_t p = 0; p < spec->planes; p++) {
		const uint16_t *first = number;

		for (uint32_t y = 0; y < pixels->count; y++)
			if (y == p % pixels->count || pick(0, 2))
				*number++ = (uint16_t)y;
		strips[p] = (struct rip_strip){
			.plane = p, .rows = (uint32_t)(number - first), .out = got + p * plane,
			.out_pitch = (ptrdiff_t)dots, .pixels = pixels, .line_numbers = first,
		};
		one.submission.carry[p] = carries + p * rip_carry_values(spec);
	}
	r = page->engine->ops->submit(page, strips, spec->planes, &one.submission);
	pthread_mutex_lock(&away_lock);
	while (r == 0 && !one.ended)
		pthread_cond_wait(&away_ended, &away_lock);
	pthread_mutex_unlock(&away_lock);
	r = r < 0 ? r : one.result;
	rows = need(aligned_alloc(64, rip_pixels_split_size(spec, strips, spec->planes)));
	rip_pixels_split(spec, strips, spec->planes, rows);
	for (uint32_t p = 0; p < spec->planes; p++)
		strips[p].out = want + p * plane;
	if (r == 0)
		r = expected->engine->ops->push(expected, strips, spec->planes);
	if (r == 0)
		r = expected->engine->ops->pull(expected);
	if (r == 0 && memcmp(got, want, plane * spec->planes))
		r = -EPROTO;
	free(lines);
	free(rows);
	free(got);
	free(want);
	free(carries);
	free(numbers);
	return r;
}

int image_limited(struct rip_engine *gpu, struct rip_engine *cpu, uint32_t width, uint32_t count)
{
	static uint16_t curves[RIP_PLANES_MAX][256];
	uint16_t *of[RIP_PLANES_MAX] = { NULL };
	struct rip_page_spec spec = {
		.width = width,
		.planes = pick(0, 1) ? 4 : pick(1, 6),
		.levels = pick(0, 2) ? 2 : pick(2, 16),
		.sample_bits = pick(0, 1) ? 8 : 16,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG],
	};
	struct rip_page *page = NULL, *expected = NULL;
	struct rip_ink_limit limit;
	struct rip_pixels pixels = { .limit = &limit };
	int r;

	make_curves(curves, of, spec.planes);
	if (spec.sample_bits == 8 && pick(0, 1))
		spec.curve = curves[0];
	r = rip_ink_limit_init(&limit, pick(0, 5) ? pick(65535, 65535 * spec.planes) : 0,
			       spec.planes, 8, (int)pick(0, spec.planes) - 1, of);
	pixels.step = spec.planes + (pick(0, 2) ? 0 : pick(0, 2));
	pixels.pitch = width * pixels.step + pick(0, 20);
	if (r == 0)
		r = rip_engine_open_page(gpu, &spec, RIP_START_NOISE, &page);
	if (r == 0)
		r = rip_engine_open_page(cpu, &spec, RIP_START_NOISE, &expected);
	for (int i = 0; r == 0 && i < 3; i++) {
		pixels.count = pick(1, count);
		r = limited_band(page, expected, &spec, &pixels);
	}
	gpu->ops->close(page);
	cpu->ops->close(expected);
	if (r < 0)
		printf("limited pixels: %u columns, %u planes of %u, %u bits, limit %u, black %d: "
		       "%s\n",
		       width, spec.planes, pixels.step, spec.sample_bits, limit.most, limit.black,
		       r == -EPROTO ? "other dots" : strerror(-r));
	rip_ink_limit_finish(&limit);
	return r < 0;
}

bool image_same(const struct image *im, const char *what)
{
	char why[300];

	if (image_equal(im, why, sizeof why))
		return true;
	printf("%s, %s\n", what, why);
	return false;
}
