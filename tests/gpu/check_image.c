/* Images that a GPU engine and the CPU engine halftone, to compare their dots. */
#include "check_image.h"

#include <errno.h>
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
		im->spec.screen = &rip_screens[pick(0, 1) ? RIP_FLOYD_STEINBERG : pick(0, RIP_SCREENS - 1)];
		curve = pick(0, 3) == 0;
	} while (!gpu->ops->takes(gpu, &im->spec) || (other && !same_kernel(&im->spec, curve, other)));
	im->rows = rows;

	if (curve)
		image_curve(im);
	image_fill(im);
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

bool image_same(const struct image *im, const char *what)
{
	char why[300];

	if (image_equal(im, why, sizeof why))
		return true;
	printf("%s, %s\n", what, why);
	return false;
}
