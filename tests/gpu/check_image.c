/* Images that a GPU engine and the CPU engine halftone, to compare their dots. */
#include "check_image.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/engine_cuda.h"

const struct rip_engine *image_production;

static uint64_t random_state;

void pick_seed(uint64_t seed)
{
	random_state = seed;
}

uint32_t pick(uint32_t from, uint32_t to)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return from + (uint32_t)(z % ((uint64_t)to - from + 1));
}

void *need(void *pointer)
{
	if (!pointer) {
		fprintf(stderr, "gpu-check: out of memory\n");
		exit(1);
	}
	return pointer;
}

static uint32_t sample(uint32_t full, uint32_t flat, bool noisy)
{
	const uint32_t kind = noisy ? pick(0, 3) : 4;

	return kind == 0 ? 0 : kind == 1 ? full : kind < 4 ? pick(0, full) : flat;
}

/* Whether one kernel of the wavefront computes both pages (rip_wave_kernel()).  Only whether there
 * is a curve counts. */
static bool same_kernel(const struct rip_page_spec *a, bool a_curve, const struct rip_page_spec *b)
{
	return a->screen == b->screen && a->sample_bits == b->sample_bits &&
	       rip_dot_bits(a->levels) == rip_dot_bits(b->levels) &&
	       (a->sample_bits == 16 || (a_curve || a->levels > 2) == (b->curve || b->levels > 2));
}

/* Memory that shares no page with other, so that it can be page-locked. */
static void *whole_pages(size_t size)
{
	return need(aligned_alloc(4096, (size + 4095) / 4096 * 4096));
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
		im->spec.screen = &rip_screens[pick(0, 1) ? RIP_FLOYD_STEINBERG : pick(0, RIP_SCREENS - 1)];
		curve = pick(0, 3) == 0;
	} while (!gpu->ops->takes(gpu, &im->spec) || (other && !same_kernel(&im->spec, curve, other)));
	im->rows = rows;

	const uint32_t bytes = im->spec.sample_bits / 8, full = bytes == 1 ? 255 : 65535;
	const size_t values = planes * rip_carry_values(&im->spec);

	if (curve) {
		im->curve = need(malloc((full + 1) * sizeof *im->curve));
		for (uint32_t v = 0; v <= full; v++)
			im->curve[v] = (uint16_t)sample(65535, 0, true);
		im->spec.curve = im->curve;
	}
	im->dots = rip_dot_bytes(width, im->spec.levels);
	im->in_pitch = (size_t)width * bytes + pick(0, 3) * 16 + pick(0, 1) * bytes;
	if (pick(0, 1))
		im->in_pitch = (im->in_pitch + 15) / 16 * 16;
	im->out_pitch = im->dots + pick(0, 9);
	im->in = whole_pages(im->in_pitch * rows * planes);
	im->want = need(malloc(im->out_pitch * rows * planes));
	im->got = whole_pages(im->out_pitch * rows * planes);
	im->start = need(malloc(values * 2));
	im->want_carry = need(malloc(values * 2));
	im->got_carry = need(malloc(values * 2));
	memset(im->want, 0x5a, im->out_pitch * rows * planes);
	memset(im->got, 0x5a, im->out_pitch * rows * planes);
	for (size_t i = 0; i < (size_t)rows * planes; i++) {
		const uint32_t flat = pick(0, full);
		const bool noisy = pick(0, 1);

		for (uint32_t j = 0; j < width; j++) {
			const uint32_t v = sample(full, flat, noisy);

			if (bytes == 1)
				im->in[i * im->in_pitch + j] = (uint8_t)v;
			else
				memcpy(im->in + i * im->in_pitch + 2 * j, &v, 2);
		}
	}
	for (size_t j = 0; j < values; j++) {
		const int32_t bound = im->spec.screen->carry_bound[j / width % (size_t)im->spec.screen->reach];

		im->start[j] = (int16_t)((int32_t)pick(0, 2 * (uint32_t)bound) - bound);
	}
}

void image_free(struct image *im)
{
	free(im->in);
	free(im->want);
	free(im->got);
	free(im->curve);
	free(im->start);
	free(im->want_carry);
	free(im->got_carry);
}

struct rip_strip image_strip(const struct image *im, uint32_t plane, uint32_t rows, size_t at,
			     uint8_t *out)
{
	return (struct rip_strip){
		.plane = plane, .rows = rows,
		.in = im->in + at * im->in_pitch, .in_pitch = (ptrdiff_t)im->in_pitch,
		.out = out + at * im->out_pitch, .out_pitch = (ptrdiff_t)im->out_pitch,
	};
}

int16_t *image_carry(const struct image *im, int16_t *carries, uint32_t plane)
{
	return carries + plane * rip_carry_values(&im->spec);
}

/* Opens a page, and checks that it takes no more page-locked memory than announced.  *pinned: what
 * the process holds then. */
static int open_page(struct rip_engine *engine, const struct rip_page_spec *spec,
		     struct rip_page **page, uint64_t *pinned)
{
	const uint64_t before = rip_engine_cuda_pinned_bytes();
	int r = engine->ops->open(engine, spec, page);

	*pinned = rip_engine_cuda_pinned_bytes();
	if (r == 0 && image_production && *pinned > before + rip_engine_cuda_page_bytes(image_production, spec)) {
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
		const uint32_t even = thin ? thin : pick(0, 1) ? pick(1, 300) : 0; /* the same of each plane */
		unsigned n = 0;

		for (uint32_t k = 0; k < (whole ? 1u : 2u) * im->spec.planes; k++) {
			const uint32_t p = k % im->spec.planes, left = im->rows - done[p];
			const uint32_t rows = whole ? left : even ? even : pick(0, 7) == 0 ? 1 : pick(0, 3) ? pick(1, 200) : pick(1, im->rows);
			const size_t at = (size_t)p * im->rows + done[p];

			if (left == 0)
				continue;
			strips[n] = image_strip(im, p, rows < left ? rows : left, at, out);
			if (strips[n].rows == 1) /* then pitches mean nothing */
				strips[n].in_pitch = strips[n].out_pitch = (ptrdiff_t)pick(0, 1) * -16;
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
		memcpy(image_carry(im, carry, one->planes[i]), one->carries + i * values, values * 2);
		done[one->planes[i]] += one->rows[i];
	}
	free(one->carries);
	return before < 0 ? before : one->result;
}

/* Submits some of the rows that are left of each plane; *left: whether there are any. */
static int send(const struct image *im, struct rip_page *page, struct away *one, uint8_t *out,
		uint32_t *sent, bool *left)
{
	const size_t values = rip_carry_values(&im->spec);
	const bool all = pick(0, 1);
	struct rip_strip strips[RIP_PLANES_MAX];

	one->count = 0;
	one->ended = false;
	one->submission.done = ended;
	one->carries = need(malloc((im->spec.planes * values + 1) * sizeof *one->carries));
	for (uint32_t p = 0; p < im->spec.planes; p++) {
		const uint32_t more = im->rows - sent[p], rows = pick(1, pick(0, 3) ? 40 : im->rows);

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
	return page->engine->ops->submit(page, strips, one->count, &one->submission);
}

int image_submit(const struct image *im, struct rip_engine *engine, uint8_t *out, int16_t *carry,
		 uint32_t *done)
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
			sending = send(im, page, &away[next % AWAY_MAX], out, sent, &left);
			if (sending == 0)
				next++;
			else
				free(away[next % AWAY_MAX].carries);
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

bool image_same(const struct image *im, const char *what)
{
	const size_t bytes = im->out_pitch * im->rows * im->spec.planes;
	const size_t values = im->spec.planes * rip_carry_values(&im->spec);

	for (size_t i = 0; i < bytes; i++)
		if (im->got[i] != im->want[i]) {
			const size_t row = i / im->out_pitch;

			printf("%s, %s: %ux%u, %u planes, %u levels, %u bits%s: plane %zu row %zu byte %zu is "
			       "%02x, not %02x\n",
			       what, im->spec.screen->name, im->spec.width, im->rows, im->spec.planes, im->spec.levels,
			       im->spec.sample_bits, im->curve ? ", curve" : "", row / im->rows,
			       row % im->rows, i % im->out_pitch, im->got[i], im->want[i]);
			return false;
		}
	for (size_t j = 0; j < values; j++)
		if (im->got_carry[j] != im->want_carry[j]) {
			printf("%s, %s: %ux%u: value %zu of the carries is %d, not %d\n", what,
			       im->spec.screen->name, im->spec.width, im->rows, j, im->got_carry[j],
			       im->want_carry[j]);
			return false;
		}
	return true;
}
