/* For the tests of the SIMD kernels: a random page of one plane, whose samples, dots and carries
 * are between pages that fault, and what it must become. */
#ifndef RIP_SIMD_PAGE_H
#define RIP_SIMD_PAGE_H

#include <pthread.h>

#include "halftone/screen/arith.h"
#include "halftone/diffuse.h"
#include "halftone/simd/simd.h"
#include "tests/tools/guarded.h"
#include "tests/tools/testing.h"

#define SIMD_PAGE_GAP 0xa5 /* what is between rows of dots */

struct simd_page {
	struct rip_page_spec  spec;  /* its curve is only in `tone` */
	struct rip_tone       tone;
	struct rip_simd_strip strip; /* all of it, for the best kernel; its carry is `carry` */
	struct rip_guarded    in, out, carry[RIP_REACH_MAX];
	size_t   out_size;
	int16_t *before[RIP_REACH_MAX]; /* the carry to begin with */
	uint8_t *dots;                  /* what `out` must become, with the gaps */
	int16_t *after[RIP_REACH_MAX];  /* what the carry must become */
};

/* --- its samples ----------------------------------------------------------------------------- */

enum simd_curve { NO_CURVE, ANY_CURVE, ENDS, CONSTANT, FALLING, SMOOTH, CURVES };

/* x of the sample v, which is at most `full`. */
static inline uint32_t simd_curve_at(enum simd_curve curve, uint32_t v, uint32_t full,
				     uint32_t constant)
{
	switch (curve) {
	case ENDS: /* many values are full or 0 */
		return rip_test_below(2) ? rip_test_below(65536) : rip_test_below(2) * 65535;
	case CONSTANT:
		return constant;
	case FALLING:
		return (uint32_t)(65535 - (uint64_t)v * 65535 / full);
	case SMOOTH:
		return (uint32_t)((uint64_t)v * v * 65535 / full / full);
	default:
		return rip_test_below(65536);
	}
}

#define SIMD_PICTURES 9

/* A sample of a picture that may be hostile: noise, flat with spots, text with greys. */
static inline uint32_t simd_sample(uint32_t picture, uint32_t i, uint32_t tone, uint32_t full)
{
	switch (picture) {
	case 0: return rip_test_below(full + 1);
	case 1: return rip_test_below(30) ? rip_test_below(2) * full : tone;
	case 2: return 1 + rip_test_below(full - 1); /* no white, no black */
	case 3: return i / 97 % 5 == 0 ? full : i / 31 % 7 == 0 ? 0 : rip_test_below(full + 1);
	case 4: return i / 97 % 5 == 0 ? full : i / 31 % 7 == 0 ? 0 : tone;
	case 5: return rip_test_below(3) ? full / 2 + 1 : full - rip_test_below(2);
	case 6: return rip_test_below(200) ? 1 + rip_test_below(full - 1) : full;
	case 7: return rip_test_below(90) ? tone : full;
	default: return full;
	}
}

static inline uint32_t simd_page_sample(const struct simd_page *page, uint32_t row, uint32_t column)
{
	const uint8_t *from = (const uint8_t *)page->strip.in +
			      (ptrdiff_t)row * page->strip.in_pitch;

	return page->spec.sample_bits == 8 ? from[column] :
		((const uint16_t *)(const void *)from)[column];
}

/* --- what it must become --------------------------------------------------------------------- */

/* With the filter of Floyd and Steinberg: pixel by pixel, as arith.h says. */
static inline void simd_page_expect_pixels(struct simd_page *page)
{
	const struct rip_simd_strip *strip = &page->strip;
	const uint32_t levels = page->spec.levels, bits = rip_dot_bits(levels);
	uint8_t *out = page->dots + (strip->out - page->out.bytes);
	int16_t *above = page->after[0];
	AUTO_FREE int16_t *below = malloc((strip->width + 2) * sizeof *below);

	memcpy(above, page->before[0], strip->width * sizeof *above);
	for (uint32_t i = 0; i < strip->rows; i++, out += strip->out_pitch) {
		int32_t e = 0;

		memset(out, 0, rip_dot_bytes(strip->width, levels));
		memset(below, 0, (strip->width + 2) * sizeof *below);
		for (uint32_t j = 0; j < strip->width; j++) {
			const uint32_t v = simd_page_sample(page, i, j);
			const uint16_t *curve = page->tone.curve;
			const uint32_t x = curve                       ? curve[v] :
					   page->spec.sample_bits == 8 ? 257 * v :
									 v;
			const int32_t s = rip_target(x, levels) + above[j] + rip_mulr(e, 14335);

			e = rip_error_left(s);
			out[j * bits / 8] |= (uint8_t)(rip_level(s) << (8 - bits - j * bits % 8));
			below[j] += (int16_t)rip_mulr(e, 6144);
			below[j + 1] += (int16_t)rip_mulr(e, 10240);
			below[j + 2] += (int16_t)rip_mulr(e, 2048);
		}
		memcpy(above, below + 1, strip->width * sizeof *above);
	}
}

/* With any screen: by plain C, pushing. */
static inline void simd_page_expect_plain(struct simd_page *page)
{
	const struct rip_simd_strip *from = &page->strip;
	const struct rip_strip strip = {
		.rows = from->rows, .in = from->in, .in_pitch = from->in_pitch,
		.out = page->dots + (from->out - page->out.bytes), .out_pitch = from->out_pitch,
	};
	const size_t width = page->spec.width;
	AUTO_FREE int16_t *carry = rip_carry_new(&page->spec, 1);
	struct rip_diffuser diffuser;

	assert_int_equal(rip_diffuser_init(&diffuser, &page->spec, &page->tone, false), 0);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(carry + (size_t)i * width, page->before[i], width * sizeof *carry);
	assert_int_equal(rip_carry_check(&page->spec, carry), 0);
	rip_diffuser_import(&diffuser, carry);
	rip_diffuser_run(&diffuser, &strip);
	rip_diffuser_export(&diffuser, carry);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(page->after[i], carry + (size_t)i * width, width * sizeof *carry);
	rip_diffuser_finish(&diffuser);
}

/* --- the page -------------------------------------------------------------------------------- */

/* A page with a random picture and carry, and random pitches.  The strip's kernel is the
 * wavefront of this processor; NULL: it has none. */
static inline void simd_page_init(struct simd_page *page, enum rip_screen_id screen, uint32_t width,
				  uint32_t rows, uint32_t sample_bytes, enum simd_curve curved,
				  uint32_t levels)
{
	const size_t row_bytes = (size_t)width * sample_bytes,
		     dot_bytes = rip_dot_bytes(width, levels);
	const ptrdiff_t in_pitch = (ptrdiff_t)(row_bytes + rip_test_below(70) * sample_bytes);
	const ptrdiff_t out_pitch = (ptrdiff_t)(dot_bytes + rip_test_below(20));
	const size_t in_size = (size_t)in_pitch * (rows - 1) + row_bytes;
	const uint32_t full = sample_bytes == 1 ? 255 : 65535;
	const uint32_t picture = rip_test_below(SIMD_PICTURES), tone = rip_test_below(full + 1);
	const bool up = rip_test_below(2);
	AUTO_FREE uint16_t *curve = NULL;

	memset(page, 0, sizeof *page);
	page->spec = (struct rip_page_spec){ .width = width, .planes = 1,
					     .sample_bits = 8 * sample_bytes, .levels = levels,
					     .screen = &rip_screens[screen] };
	if (curved) {
		curve = malloc((full + 1) * sizeof *curve);
		for (uint32_t v = 0, constant = rip_test_below(65536); v <= full; v++)
			curve[v] = (uint16_t)simd_curve_at(curved, v, full, constant);
	}
	page->spec.curve = curve;
	assert_int_equal(rip_tone_init(&page->tone, &page->spec), 0);
	page->spec.curve = NULL;
	page->out_size = (size_t)out_pitch * (rows - 1) + dot_bytes;
	page->in = rip_guarded_new(in_size, rip_test_below(2));
	page->out = rip_guarded_new(page->out_size, rip_test_below(2));
	page->dots = malloc(page->out_size);
	memset(page->dots, SIMD_PAGE_GAP, page->out_size);
	for (size_t i = 0; i < in_size / sample_bytes; i++) {
		const uint32_t v = simd_sample(picture, (uint32_t)i, tone, full);

		if (sample_bytes == 1)
			page->in.bytes[i] = (uint8_t)v;
		else
			((uint16_t *)(void *)page->in.bytes)[i] = (uint16_t)v;
	}
	page->strip = (struct rip_simd_strip){
		.in = page->in.bytes + (up ? (size_t)in_pitch * (rows - 1) : 0),
		.in_pitch = up ? -in_pitch : in_pitch,
		.out = page->out.bytes + (up ? (size_t)out_pitch * (rows - 1) : 0),
		.out_pitch = up ? -out_pitch : out_pitch,
		.width = width,
		.rows = rows,
		.tone = &page->tone,
		.screen = page->spec.screen,
		.kernel = rip_isa_best()->kernels[screen].wavefront,
		.ns = (uint64_t)width * rows / 8,
	};
	for (int i = 0; i < page->spec.screen->reach; i++) {
		const int32_t bound = page->spec.screen->carry_bound[i];

		page->carry[i] = rip_guarded_new((RIP_SIMD_PAD + width + RIP_SIMD_PAD) *
						 sizeof(int16_t), rip_test_below(2));
		page->strip.carry[i] = (int16_t *)(void *)page->carry[i].bytes + RIP_SIMD_PAD;
		page->before[i] = malloc(width * sizeof(int16_t));
		page->after[i] = malloc(width * sizeof(int16_t));
		for (uint32_t j = 0; j < width; j++) /* often as large as can be */
			page->before[i][j] = (int16_t)(rip_test_below(3) == 0 ?
				(rip_test_below(2) ? bound : -bound) :
				(int32_t)rip_test_below(2 * (uint32_t)bound + 1) - bound);
	}
	if (screen == RIP_FLOYD_STEINBERG)
		simd_page_expect_pixels(page);
	else
		simd_page_expect_plain(page);
}

/* The same, for the filter of Floyd and Steinberg. */
static inline void simd_fs_page_init(struct simd_page *page, uint32_t width, uint32_t rows,
				     uint32_t sample_bytes, enum simd_curve curve, uint32_t levels)
{
	simd_page_init(page, RIP_FLOYD_STEINBERG, width, rows, sample_bytes, curve, levels);
}

static inline void simd_page_finish(struct simd_page *page)
{
	rip_guarded_free(&page->in);
	rip_guarded_free(&page->out);
	for (int i = 0; i < page->spec.screen->reach; i++) {
		rip_guarded_free(&page->carry[i]);
		free(page->before[i]);
		free(page->after[i]);
	}
	rip_tone_finish(&page->tone);
	free(page->dots);
}

/* Before each run: no dots, and the carry to begin with. */
static inline void simd_page_clear(const struct simd_page *page)
{
	memset(page->out.bytes, SIMD_PAGE_GAP, page->out_size);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(page->strip.carry[i], page->before[i], page->spec.width * sizeof(int16_t));
}

/* After each run: the dots and the carry are as expected.  The names tell what ran. */
static inline void simd_page_check(const struct simd_page *page, const char *isa, const char *which)
{
	const struct rip_page_spec *s = &page->spec;
	const size_t pitch = (size_t)labs(page->strip.out_pitch);
	char what[200];

	snprintf(what, sizeof what, "%s %s: %s, %u x %u, pitches %td %td, %u levels, %u bits%s",
		 isa, which, s->screen->name, s->width, page->strip.rows, page->strip.in_pitch,
		 page->strip.out_pitch, s->levels, s->sample_bits,
		 page->tone.curve ? ", curve" : "");
	for (size_t i = 0; i < page->out_size; i++)
		if (page->out.bytes[i] != page->dots[i])
			fail_msg("%s: row %zu of memory, byte %zu is %02x, not %02x", what,
				 i / pitch, i % pitch, page->out.bytes[i], page->dots[i]);
	for (int i = 0; i < s->screen->reach; i++)
		for (uint32_t j = 0; j < s->width; j++)
			if (page->strip.carry[i][j] != page->after[i][j])
				fail_msg("%s: carry %d of column %u is %d, not %d", what, i, j,
					 page->strip.carry[i][j], page->after[i][j]);
}

/* Some rows of a strip, from `first` on. */
static inline struct rip_simd_strip simd_strip_part(const struct rip_simd_strip *strip,
						    uint32_t first, uint32_t rows)
{
	struct rip_simd_strip part = *strip;

	part.in = (const uint8_t *)part.in + (ptrdiff_t)first * part.in_pitch;
	part.out += (ptrdiff_t)first * part.out_pitch;
	part.rows = rows;
	return part;
}

/* --- what runs it ---------------------------------------------------------------------------- */

/* The memory that a thread needs for a kernel; NULL if it needs none.  To be freed. */
static inline void *simd_memory_new(const struct rip_simd_kernel *kernel)
{
	void *memory;

	if (kernel->size == 0)
		return NULL;
	memory = aligned_alloc(64, kernel->size);
	assert_non_null(memory);
	memset(memory, 0xdb, kernel->size);
	if (kernel->init)
		kernel->init(memory);
	return memory;
}

static inline struct rip_simd_task *simd_task_new(void)
{
	return aligned_alloc(_Alignof(struct rip_simd_task), sizeof(struct rip_simd_task));
}

static inline void *simd_task_thread(void *argument)
{
	struct rip_simd_task *task = argument;
	const struct rip_simd_kernel *kernel = task->strip.kernel;
	void *memory = simd_memory_new(kernel);

	kernel->run(memory, task);
	free(memory);
	return NULL;
}

/* A task in as many threads as it allows. */
static inline void simd_task_run_threads(struct rip_simd_task *task)
{
	pthread_t threads[RIP_TEAM_THREADS_MAX];
	const uint32_t count = task->base.threads_max;

	assert_in_range(count, 1, RIP_TEAM_THREADS_MAX);
	for (uint32_t t = 0; t < count; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, simd_task_thread, task), 0);
	for (uint32_t t = 0; t < count; t++)
		pthread_join(threads[t], NULL);
}

#endif
