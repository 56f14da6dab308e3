/* The kernels of all screens against plain C, on every instruction set that runs here: dots and
 * carries, in bands, by several threads, and with carries that arrive column by column.  Plain
 * C is compared with an independent implementation elsewhere (checkengine). */
#include "tests/tools/testing.h"

#include "halftone/simd/simd.h"
#include "halftone/threads/simd_planes.h"
#include "simd_page.h"
#include "simd_tests.h"

#define ROUNDS (SIMD_EMULATED || RIP_TEST_SANITIZED ? 12 : 60)

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

/* A page of any kind that the kernels take. */
static void page_init(struct simd_page *page, const struct rip_isa *isa,
		      const struct rip_screen *screen, uint32_t width, uint32_t rows)
{
	struct rip_page_spec spec = { .width = width, .planes = 1, .screen = screen,
				      .sample_bits = rip_test_below(3) ? 8 : 16,
				      .levels = 2 + rip_test_below(15) };

	if (rip_test_below(2) || !rip_simd_planes_takes(isa, &spec))
		spec.levels = 2;
	simd_page_init(page, (enum rip_screen_id)rip_screen_id(screen), width, rows,
		       spec.sample_bits / 8,
		       rip_test_below(3) ? NO_CURVE : 1 + rip_test_below(CURVES - 1), spec.levels);
}

static const char *name_of(const struct rip_simd_kernel *kernel)
{
	return kernel->kind == RIP_SIMD_SINGLE ? "single" : "wavefront";
}

/* Rows of a group: of a single kernel, which has no lanes, some. */
static uint32_t rows_of(const struct rip_simd_kernel *kernel)
{
	return kernel->kind == RIP_SIMD_SINGLE ? 16 : kernel->lanes;
}

/* --- all kernels ----------------------------------------------------------------------------- */

/* Calls a test for every kernel that runs here. */
static void each_kernel(void (*test)(const struct rip_isa *isa, const struct rip_screen *screen,
				     const struct rip_simd_kernel *kernel))
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int id = 0; id < RIP_SCREENS_APART && simd_usable(isa); id++) {
			const struct rip_simd_kernels *kernels = &isa->kernels[id];

			if (kernels->wavefront)
				test(isa, &rip_screens[id], kernels->wavefront);
			if (kernels->single)
				test(isa, &rip_screens[id], kernels->single);
		}
}

/* --- one thread, in bands -------------------------------------------------------------------- */

static void run_page(const struct rip_isa *isa, const struct rip_screen *screen,
		     const struct rip_simd_kernel *kernel, uint32_t width, uint32_t height,
		     void *memory, struct rip_simd_task *task)
{
	const uint32_t band = rip_test_below(2) ? height : 1 + rip_test_below(40);
	AUTO(simd_page_finish) struct simd_page page;

	page_init(&page, isa, screen, width, height);
	simd_page_clear(&page);
	for (uint32_t row = 0, rows; row < height; row += rows) {
		struct rip_simd_strip strip;

		rows = 1 + rip_test_below(band);
		if (rows > height - row || band == height)
			rows = height - row;
		strip = simd_strip_part(&page.strip, row, rows);
		strip.kernel = kernel;
		rip_simd_task_init(task, isa, &strip, 1);
		kernel->run(memory, task);
	}
	simd_page_check(&page, isa->name, name_of(kernel));
}

static void run_bands(const struct rip_isa *isa, const struct rip_screen *screen,
		      const struct rip_simd_kernel *kernel)
{
	AUTO_FREE struct rip_simd_task *task = simd_task_new();
	void *memory = simd_memory_new(kernel);

	for (int round = 0; round < ROUNDS; round++)
		run_page(isa, screen, kernel, random_width(),
			 1 + rip_test_below(rip_test_below(4) ? 40 : 250), memory, task);
	free(memory);
}

/* Every width up to where both ends of a row are in blocks of their own; and the widest. */
static void run_widths(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_simd_kernel *kernel)
{
	AUTO_FREE struct rip_simd_task *task = simd_task_new();
	void *memory = simd_memory_new(kernel);

	for (uint32_t width = 1; width <= 260; width += SIMD_EMULATED ? 3 : 1)
		run_page(isa, screen, kernel, width, 1 + rip_test_below(2 * rows_of(kernel)),
			 memory, task);
	for (uint32_t width = kernel->width_max - 1;
	     kernel->width_max && width <= kernel->width_max + 1; width++)
		run_page(isa, screen, kernel, width, 3, memory, task);
	free(memory);
}

TEST(bands)
{
	each_kernel(run_bands);
}

TEST(widths)
{
	each_kernel(run_widths);
}

/* Each instruction set has kernels for all error filters, for any levels. */
TEST(error_filters)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int id = 0; id < RIP_SCREENS_APART && simd_usable(isa); id++) {
			struct rip_page_spec spec = {
				.width = 16,
				.planes = 1,
				.sample_bits = 8,
				.levels = 2 + (uint32_t)id % 15,
				.screen = &rip_screens[id],
			};

			if (rip_screens[id].filter)
				assert_true(rip_simd_planes_takes(isa, &spec));
			spec.width = 15; /* plain C is faster */
			assert_false(rip_simd_planes_takes(isa, &spec));
		}
}

/* --- several threads ------------------------------------------------------------------------- */

/* As many threads as a task allows, on pages on which they nearly block each other. */
static void run_threads(const struct rip_isa *isa, const struct rip_screen *screen,
			const struct rip_simd_kernel *kernel)
{
	const uint32_t widths[] = { kernel->lag * kernel->block * 2, 832, 1500, 4000 };
	AUTO_FREE struct rip_simd_task *task = simd_task_new();

	for (int i = 0; i < 4; i++) {
		AUTO(simd_page_finish) struct simd_page page;

		page_init(&page, isa, screen, widths[i] + rip_test_below(100),
			  rows_of(kernel) * 7 + rip_test_below(100));
		simd_page_clear(&page);
		page.strip.kernel = kernel;
		rip_simd_task_init(task, isa, &page.strip, RIP_TEAM_THREADS_MAX);
		simd_task_run_threads(task);
		simd_page_check(&page, isa->name, name_of(kernel));
	}
}

TEST(threads)
{
	each_kernel(run_threads);
}

/* --- carries that arrive column by column ---------------------------------------------------- */

static void run_resume(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_simd_kernel *kernel)
{
	enum { NONE = 32767 }; /* must not matter */
	AUTO_FREE struct rip_simd_task *task = simd_task_new();
	void *memory = simd_memory_new(kernel);

	for (int round = 0; kernel->resume && round < ROUNDS; round++) {
		uint32_t arrived = 0;
		AUTO(simd_page_finish) struct simd_page page;
		bool done = false;

		page_init(&page, isa, screen, random_width(),
			  1 + rip_test_below(3 * rows_of(kernel)));
		simd_page_clear(&page);
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
		simd_page_check(&page, isa->name, name_of(kernel));
	}
	free(memory);
}

TEST(columns_that_arrive)
{
	each_kernel(run_resume);
}
