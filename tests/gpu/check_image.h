/*
 * Images for gpu-check: random pages that both a GPU engine and the CPU engine halftone, so that
 * their dots and carries can be compared.
 *
 * All random numbers come from one generator.  One thread uses it.
 */
#ifndef TESTS_GPU_CHECK_IMAGE_H
#define TESTS_GPU_CHECK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/engine.h"
#include "tests/tools/random_image.h"

void     pick_seed(uint64_t seed);
/* The production engine while it is checked, or NULL: its pages may take no more page-locked
 * memory than announced, and none after they have opened. */
extern const struct rip_engine *image_production;

/* Only pages whose planes are halftoned together. */
extern bool image_colour;

/* Makes a page that the engine takes; if `other` is given, one that the same kernel of the
 * wavefront computes. */
void image_make(struct image *im, const struct rip_engine *gpu, uint32_t width, uint32_t rows,
		uint32_t planes, const struct rip_page_spec *other);

/* Halftones the image with an engine: in one push if `whole`, otherwise in random bands, and
 * sometimes continued in a new page, through its carry.  0 or -errno. */
int image_run(const struct image *im, struct rip_engine *engine, uint8_t *out, int16_t *carry,
	      bool whole);

/* The same with several bands submitted at once.  After one that has failed, all others must
 * fail.  *done: rows of each plane that are good, and carry is theirs.  Half of the bands are
 * pixels, or all of them if `pixels`, unless they are more than the engine takes at once. */
int image_submit(const struct image *im, struct rip_engine *engine, uint8_t *out, int16_t *carry,
		 uint32_t *done, bool pixels);

/* Submits a few bands, of at most so many lines of pixels, that go through an ink limit and curves,
 * to compare their dots with those of rows that rip_pixels_split() makes of them.  1: they differ,
 * or an engine failed. */
int image_limited(struct rip_engine *gpu, struct rip_engine *cpu, uint32_t width, uint32_t count);

/* How many bands of pixels were submitted so far, and how many of them refused. */
extern unsigned image_pixel_bands, image_pixel_refusals;

/* Whether got is as want; prints the first difference, after `what`. */
bool image_same(const struct image *im, const char *what);

#endif
