/* The kernels of all screens against plain C, on every instruction set that runs here: dots and
 * carries, in bands, by several threads, and with carries that arrive column by column.  Plain
 * C is compared with an independent implementation elsewhere (checkengine). */
#include "tests/tools/testing.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "halftone/diffuse.h"
#include "halftone/simd.h"
#include "halftone/simd_planes.h"
#include "simd_tests.h"
#include "tests/tools/guarded.h"

#define ROUNDS (SIMD_EMULATED ? 12 : 60)
#define GAP    0xa5 /* what is between rows of dots */

/* --- a page, and what it must become -------------------------------------------------------- */

struct page {
	struct rip_page_spec  spec;
	struct rip_tone       tone;
	struct rip_simd_strip strip;
	struct rip_guarded    in, out, carry[RIP_REACH_MAX];
	size_t   out_size;
	uint8_t *dots;                         /* what `out` must be */
	int16_t *before[RIP_REACH_MAX], *after[RIP_REACH_MAX];
};

static uint32_t random_width(void)
{
	switch (rip_test_below(4)) {
	case 0: return 1 + rip_test_below(20);
	case 1: return (uint32_t[]){ 63, 64, 65, 127, 128, 192, 256, 384, 448, 512, 513, 832,
				     1024 }[rip_test_below(13)];
	case 2: return 1 + rip_test_below(3000);
	default: return 1 + rip_test_below(600);
	}
}

/* A sample of a picture that may be hostile: flat with spots, text with greys, noise. */
static uint32_t random_sample(uint32_t picture, uint32_t i, uint32_t tone, uint32_t full)
{
	switch (picture) {
	case 0: return rip_test_below(full + 1);
	case 1: return rip_test_below(30) ? rip_test_below(2) * full : tone;
	case 2: return 1 + rip_test_below(full - 1);
	case 3: return i / 97 % 5 == 0 ? full : i / 31 % 7 == 0 ? 0 : tone;
	case 4: return rip_test_below(90) ? tone : full;
	default: return full;
	}
}

/* By plain C, pushing. */
static void expect(struct page *page)
{
	const struct rip_simd_strip *from = &page->strip;
	const ptrdiff_t offset = from->out - page->out.bytes;
	const struct rip_strip strip = {
		.rows = from->rows, .in = from->in, .in_pitch = from->in_pitch,
		.out = page->dots + offset, .out_pitch = from->out_pitch,
	};
	const size_t width = page->spec.width;
	int16_t *carry = rip_carry_new(&page->spec, 1);
	struct rip_diffuser diffuser;

	assert_int_equal(rip_diffuser_init(&diffuser, &page->spec, &page->tone, false), 0);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(carry + (size_t)i * width, page->before[i], width * sizeof *carry);
	assert_int_equal(rip_carry_check(&page->spec, carry), 0);
	rip_diffuser_import(&diffuser, carry);
	memset(page->dots, GAP, page->out_size);
	rip_diffuser_run(&diffuser, &strip);
	rip_diffuser_export(&diffuser, carry);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(page->after[i], carry + (size_t)i * width, width * sizeof *carry);
	rip_diffuser_finish(&diffuser);
	free(carry);
}

static void page_init(struct page *page, const struct rip_isa *isa, const struct rip_screen *screen,
		      uint32_t width, uint32_t rows)
{
	const uint32_t bytes = 1 + (rip_test_below(3) == 0), full = bytes == 1 ? 255 : 65535;
	const uint32_t picture = rip_test_below(6), tone = rip_test_below(full + 1);
	const bool up = rip_test_below(2);
	struct rip_page_spec *spec = &page->spec;
	struct rip_simd_strip *strip = &page->strip;
	uint16_t *curve = NULL;
	size_t in_pitch, out_pitch, in_size;

	memset(page, 0, sizeof *page);
	*spec = (struct rip_page_spec){ .width = width, .planes = 1, .sample_bits = 8 * bytes,
					.screen = screen, .levels = 2 + rip_test_below(15) };
	if (rip_test_below(2) || !rip_simd_planes_takes(isa, spec))
		spec->levels = 2;
	if (rip_test_below(3) == 0) {
		curve = malloc((full + 1) * sizeof *curve);
		for (uint32_t v = 0; v <= full; v++)
			curve[v] = (uint16_t)(rip_test_below(8) ? rip_test_below(65536)
								: rip_test_below(2) * 65535);
		spec->curve = curve;
	}
	assert_int_equal(rip_tone_init(&page->tone, spec), 0);
	free(curve);
	spec->curve = NULL;
	in_pitch = ((size_t)width + rip_test_below(70)) * bytes;
	out_pitch = rip_dot_bytes(width, spec->levels) + rip_test_below(20);
	in_size = in_pitch * (rows - 1) + (size_t)width * bytes;
	page->out_size = out_pitch * (rows - 1) + rip_dot_bytes(width, spec->levels);
	page->in = rip_guarded_new(in_size, rip_test_below(2));
	page->out = rip_guarded_new(page->out_size, rip_test_below(2));
	page->dots = malloc(page->out_size);
	for (size_t i = 0; i < in_size / bytes; i++) {
		const uint32_t v = random_sample(picture, (uint32_t)i, tone, full);

		if (bytes == 1)
			page->in.bytes[i] = (uint8_t)v;
		else
			((uint16_t *)(void *)page->in.bytes)[i] = (uint16_t)v;
	}
	*strip = (struct rip_simd_strip){
		.in = page->in.bytes + (up ? in_pitch * (rows - 1) : 0),
		.in_pitch = up ? -(ptrdiff_t)in_pitch : (ptrdiff_t)in_pitch,
		.out = page->out.bytes + (up ? out_pitch * (rows - 1) : 0),
		.out_pitch = up ? -(ptrdiff_t)out_pitch : (ptrdiff_t)out_pitch,
		.width = width, .rows = rows, .tone = &page->tone, .screen = screen,
	};
	for (int i = 0; i < screen->reach; i++) {
		const int32_t bound = screen->carry_bound[i];

		page->carry[i] = rip_guarded_new((RIP_SIMD_PAD + width + RIP_SIMD_PAD) *
						 sizeof(int16_t), rip_test_below(2));
		strip->carry[i] = (int16_t *)(void *)page->carry[i].bytes + RIP_SIMD_PAD;
		page->before[i] = malloc(width * sizeof(int16_t));
		page->after[i] = malloc(width * sizeof(int16_t));
		for (uint32_t j = 0; j < width; j++) /* often as large as can be */
			page->before[i][j] = (int16_t)(rip_test_below(3) == 0 ?
				(rip_test_below(2) ? bound : -bound) :
				(int32_t)rip_test_below(2 * (uint32_t)bound + 1) - bound);
	}
	expect(page);
}

static void page_finish(struct page *page)
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

static void page_clear(const struct page *page)
{
	memset(page->out.bytes, GAP, page->out_size);
	for (int i = 0; i < page->spec.screen->reach; i++)
		memcpy(page->strip.carry[i], page->before[i], page->spec.width * sizeof(int16_t));
}

static void page_check(const struct page *page, const char *name)
{
	const struct rip_page_spec *s = &page->spec;
	const size_t pitch = (size_t)labs(page->strip.out_pitch);

	for (size_t i = 0; i < page->out_size; i++)
		if (page->out.bytes[i] != page->dots[i])
			fail_msg("%s: %s, %u x %u, %u levels, %u bits%s: row %zu of memory, byte %zu is "
				 "%02x, not %02x", name, s->screen->name, s->width, page->strip.rows,
				 s->levels, s->sample_bits, page->tone.curve ? ", curve" : "", i / pitch,
				 i % pitch, page->out.bytes[i], page->dots[i]);
	for (int i = 0; i < s->screen->reach; i++)
		for (uint32_t j = 0; j < s->width; j++)
			if (page->strip.carry[i][j] != page->after[i][j])
				fail_msg("%s: %s, %u x %u, %u levels: carry %d of column %u is %d, not %d",
					 name, s->screen->name, s->width, page->strip.rows, s->levels, i,
					 j, page->strip.carry[i][j], page->after[i][j]);
}

/* --- all kernels ----------------------------------------------------------------------------- */

static void *kernel_new(const struct rip_simd_kernel *kernel)
{
	void *memory = aligned_alloc(64, kernel->size);

	assert_non_null(memory);
	memset(memory, 0xdb, kernel->size);
	kernel->init(memory);
	return memory;
}

static struct rip_simd_task *task_new(void)
{
	return aligned_alloc(_Alignof(struct rip_simd_task), sizeof(struct rip_simd_task));
}

/* Calls a test for every kernel that runs here. */
static void each_kernel(void (*test)(const struct rip_isa *isa, const struct rip_screen *screen,
				     const struct rip_simd_kernel *kernel))
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int id = 0; id < RIP_SCREENS && simd_usable(isa); id++) {
			const struct rip_simd_kernels *kernels = &isa->kernels[id];

			if (kernels->wide)
				test(isa, &rip_screens[id], kernels->wide);
			if (kernels->narrow)
				test(isa, &rip_screens[id], kernels->narrow);
		}
}

/* --- one thread, in bands -------------------------------------------------------------------- */

static void run_page(const struct rip_isa *isa, const struct rip_screen *screen,
		     const struct rip_simd_kernel *kernel, uint32_t width, uint32_t height,
		     void *memory, struct rip_simd_task *task)
{
	const uint32_t band = rip_test_below(2) ? height : 1 + rip_test_below(40);
	struct page page;

	page_init(&page, isa, screen, width, height);
	page_clear(&page);
	for (uint32_t row = 0, rows; row < height; row += rows) {
		struct rip_simd_strip strip = page.strip;

		rows = 1 + rip_test_below(band);
		if (rows > height - row || band == height)
			rows = height - row;
		strip.in = (const uint8_t *)strip.in + (ptrdiff_t)row * strip.in_pitch;
		strip.out += (ptrdiff_t)row * strip.out_pitch;
		strip.rows = rows;
		/* Plain C takes over now and then. */
		strip.kernel = rip_test_below(6) ? kernel : &rip_simd_plain;
		rip_simd_task_init(task, isa, &strip, 1);
		strip.kernel->run(memory, task);
	}
	page_check(&page, isa->name);
	page_finish(&page);
}

static void run_bands(const struct rip_isa *isa, const struct rip_screen *screen,
		      const struct rip_simd_kernel *kernel)
{
	struct rip_simd_task *task = task_new();
	void *memory = kernel_new(kernel);

	for (int round = 0; round < ROUNDS; round++)
		run_page(isa, screen, kernel, random_width(),
			 1 + rip_test_below(rip_test_below(4) ? 40 : 250), memory, task);
	free(memory);
	free(task);
}

/* Every width up to where both ends of a row are in blocks of their own. */
static void run_widths(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_simd_kernel *kernel)
{
	struct rip_simd_task *task = task_new();
	void *memory = kernel_new(kernel);

	for (uint32_t width = 1; width <= 260; width += SIMD_EMULATED ? 3 : 1)
		run_page(isa, screen, kernel, width, 1 + rip_test_below(2 * kernel->lanes), memory,
			 task);
	free(memory);
	free(task);
}

static void bands(void **state)
{
	(void)state;
	each_kernel(run_bands);
}

static void widths(void **state)
{
	(void)state;
	each_kernel(run_widths);
}

/* Each instruction set has kernels for all error filters, for any levels. */
static void error_filters(void **state)
{
	(void)state;
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int id = 0; id < RIP_SCREENS && simd_usable(isa); id++) {
			const struct rip_page_spec spec = {
				.width = 1, .planes = 1, .sample_bits = 8, .levels = 2 + (uint32_t)id % 15,
				.screen = &rip_screens[id],
			};

			if (rip_screens[id].filter)
				assert_true(rip_simd_planes_takes(isa, &spec));
		}
}

/* --- several threads ------------------------------------------------------------------------- */

struct runner {
	pthread_t thread;
	struct rip_simd_task *task;
};

static void *run_thread(void *argument)
{
	struct runner *runner = argument;
	const struct rip_simd_kernel *kernel = runner->task->strip.kernel;
	void *memory = kernel_new(kernel);

	kernel->run(memory, runner->task);
	free(memory);
	return NULL;
}

/* As many threads as a task allows, on pages on which they nearly block each other. */
static void run_threads(const struct rip_isa *isa, const struct rip_screen *screen,
			const struct rip_simd_kernel *kernel)
{
	const uint32_t widths[] = { kernel->lag * kernel->block * 2, 832, 1500, 4000 };
	struct rip_simd_task *task = task_new();

	for (int i = 0; i < 4; i++) {
		struct runner runners[RIP_TEAM_THREADS_MAX];
		struct page page;

		page_init(&page, isa, screen, widths[i] + rip_test_below(100),
			  kernel->lanes * 7 + rip_test_below(100));
		page_clear(&page);
		page.strip.kernel = kernel;
		rip_simd_task_init(task, isa, &page.strip, RIP_TEAM_THREADS_MAX);
		for (uint32_t t = 0; t < task->base.threads_max; t++) {
			runners[t].task = task;
			assert_int_equal(pthread_create(&runners[t].thread, NULL, run_thread,
							&runners[t]), 0);
		}
		for (uint32_t t = 0; t < task->base.threads_max; t++)
			pthread_join(runners[t].thread, NULL);
		page_check(&page, isa->name);
		page_finish(&page);
	}
	free(task);
}

static void threads(void **state)
{
	(void)state;
	each_kernel(run_threads);
}

/* --- carries that arrive column by column ---------------------------------------------------- */

static void run_resume(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_simd_kernel *kernel)
{
	enum { NONE = 32767 }; /* must not matter */
	struct rip_simd_task *task = task_new();
	void *memory = kernel_new(kernel);

	for (int round = 0; round < ROUNDS; round++) {
		uint32_t arrived = 0;
		struct page page;
		bool done = false;

		page_init(&page, isa, screen, random_width(), 1 + rip_test_below(3 * kernel->lanes));
		page_clear(&page);
		for (int i = 0; i < screen->reach; i++)
			for (uint32_t j = 0; j < page.spec.width; j++)
				page.strip.carry[i][j] = NONE;
		page.strip.kernel = kernel;
		rip_simd_task_init(task, isa, &page.strip, 1);
		while (!done) {
			uint32_t to = arrived + 1 + rip_test_below(page.spec.width);

			to = to < page.spec.width ? to : page.spec.width;
			for (; arrived < to; arrived++)
				for (int i = 0; i < screen->reach; i++)
					page.strip.carry[i][arrived] = page.before[i][arrived];
			done = kernel->resume(memory, task, arrived);
			assert_int_equal(done, arrived == page.spec.width);
		}
		page_check(&page, isa->name);
		page_finish(&page);
	}
	free(memory);
	free(task);
}

static void columns_that_arrive(void **state)
{
	(void)state;
	each_kernel(run_resume);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_filters),
		cmocka_unit_test(bands),
		cmocka_unit_test(widths),
		cmocka_unit_test(threads),
		cmocka_unit_test(columns_that_arrive),
	};

	return rip_test_run(tests);
}
