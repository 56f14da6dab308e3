/* The SIMD kernels of Floyd and Steinberg's filter: each one of every instruction set that runs
 * here gives the same bits as one pixel at a time and stays inside its buffers, in bands, in
 * several threads, and with carries that arrive column by column. */
#include "tests/tools/testing.h"

#include "halftone/simd/simd.h"
#include "simd_page.h"
#include "simd_tests.h"

/* --- kernels ------------------------------------------------------------------------------ */

/* The i-th kernel for an instruction set, of KERNELS; NULL: there is none. */
#define KERNELS 2

static const struct rip_simd_kernel *kernel_of(const struct rip_isa *isa, int i, const char **which)
{
	*which = i == 0 ? "wavefront" : "single";
	return !simd_usable(isa) ? NULL :
	       i == 0            ? simd_kernels(isa)->wavefront :
				   simd_kernels(isa)->single;
}

/* A page by every kernel, in bands of at most `band` rows (0: at once). */
static void check_page(struct simd_page *page, uint32_t band)
{
	AUTO_FREE struct rip_simd_task *task = simd_task_new();

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS; i++) {
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i, &which);
			void *memory;

			if (!kernel || (kernel->width_max && page->strip.width > kernel->width_max))
				continue;
			memory = simd_memory_new(kernel);
			simd_page_clear(page);
			for (uint32_t row = 0, n; row < page->strip.rows; row += n) {
				const uint32_t left = page->strip.rows - row;
				struct rip_simd_strip rows;

				n = band ? 1 + rip_test_below(band) : left;
				n = n < left ? n : left;
				rows = simd_strip_part(&page->strip, row, n);
				rows.kernel = kernel;
				rip_simd_task_init(task, isa, &rows, 1);
				kernel->run(memory, task);
			}
			simd_page_check(page, isa->name, which);
			free(memory);
		}
}

/* A new page by every kernel. */
static void check_new(uint32_t width, uint32_t rows, uint32_t bytes, enum simd_curve curve,
		      uint32_t levels, uint32_t band)
{
	AUTO(simd_page_finish) struct simd_page page;

	simd_fs_page_init(&page, width, rows, bytes, curve, levels);
	check_page(&page, band);
}

TEST(every_width)
{
	for (uint32_t width = 1; width <= 600; width += SIMD_STRIDE)
		check_new(width, 1 + rip_test_below(rip_test_below(4) ? 40 : 200), 1,
				  NO_CURVE, 2, rip_test_below(3) ? 0 : 30);
}

TEST(heights)
{
	for (uint32_t rows = 1; rows <= 200; rows += SIMD_STRIDE)
		check_new(1 + rip_test_below(400), rows, 1, NO_CURVE, 2, 0);
}

TEST(wide_rows)
{
	static const uint32_t widths[] = { 832, 1023, 1024, 1025, 1088, 2048, 4961, 8191, 32767,
					   32768, 32769, 65536 };
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
		check_new(widths[i], widths[i] > 30000 ? 3 : 1 + rip_test_below(150), 1, NO_CURVE,
			  i % 3 == 0 ? 2 : 2 + rip_test_below(15), i % 2 ? 64 : 0);
}

TEST(curves_and_words)
{
	for (int i = 0; i < SIMD_ROUNDS(120); i++) {
		const uint32_t bytes = 1 + rip_test_below(2);

		check_new(1 + rip_test_below(700), 1 + rip_test_below(150), bytes,
			  bytes == 1 ? 1 + rip_test_below(CURVES - 1) : rip_test_below(CURVES), 2,
			  rip_test_below(2) ? 0 : 40);
	}
}

/* Every number of levels with every kind of samples and curve. */
TEST(levels)
{
	for (uint32_t levels = 3; levels <= RIP_LEVELS_MAX; levels++)
		for (uint32_t bytes = 1; bytes <= 2; bytes++)
			for (enum simd_curve curve = NO_CURVE; curve < CURVES;
			     curve += SIMD_STRIDE) {
				const uint32_t width = 1 + rip_test_below(rip_test_below(2) ? 1400 :
											      200);

				check_new(width, 1 + rip_test_below(150), bytes, curve, levels,
					  rip_test_below(2) ? 0 : 40);
			}
}

/* Widths around those of whole vectors of dots. */
TEST(widths_with_levels)
{
	for (uint32_t width = 1; width <= 1100;
	     width += width % 128 > 2 && width % 128 < 120 ? 11 : 1)
		check_new(width, 1 + rip_test_below(70), 1 + width % 2,
			  rip_test_below(2) ? NO_CURVE :
					      FALLING, /* the end of a row adds nothing */
			  3 + rip_test_below(14), 0);
}

/* --- carries that arrive column by column ------------------------------------------------ */

/* Feeds a page's carry to a kernel in random parts.  Columns that have not arrived, and those
 * that are ready, hold a value that must not matter. */
static void check_resume(struct simd_page *page, const struct rip_isa *isa,
			 const struct rip_simd_kernel *kernel, const char *which, void *memory)
{
	enum { NONE = 32767 };
	const struct rip_simd_strip *r = &page->strip;
	const uint32_t most = 2 + rip_test_below(2 * r->width + 600); /* n is not always 0 */
	AUTO_FREE int16_t *after = malloc(r->width * sizeof *after);
	AUTO_FREE struct rip_simd_task *task = simd_task_new();
	uint32_t arrived = 0, ready = 0;
	bool done = false;

	simd_page_clear(page);
	for (uint32_t j = 0; j < r->width; j++)
		r->carry[0][j] = NONE;
	page->strip.kernel = kernel;
	rip_simd_task_init(task, isa, r, 1);
	while (!done) {
		const uint32_t left = r->width - arrived, n = rip_test_below(most);

		for (uint32_t i = 0; i < n && i < left; i++, arrived++)
			r->carry[0][arrived] = page->before[0][arrived];
		done = kernel->resume(memory, task, arrived);
		assert_in_range(rip_simd_carry_ready(task), ready, r->width);
		for (; ready < rip_simd_carry_ready(task); ready++) {
			after[ready] = r->carry[0][ready];
			r->carry[0][ready] = NONE;
		}
		/* It goes as far as it can. */
		assert_int_equal(done, arrived == r->width);
		if (task->base.groups == 1)
			assert_true(ready + (kernel->lag + 1) * kernel->block >= arrived);
	}
	assert_int_equal(ready, r->width);
	memcpy(r->carry[0], after, r->width * sizeof *after);
	simd_page_check(page, isa->name, which);
}

TEST(resume)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS; i++) {
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i, &which);
			void *memory;

			if (!kernel || !kernel->resume)
				continue;
			memory = simd_memory_new(kernel);
			for (int round = 0; round < SIMD_ROUNDS(120); round++) {
				const uint32_t bytes = 1 + rip_test_below(2);
				AUTO(simd_page_finish) struct simd_page page;

				simd_fs_page_init(&page,
						  1 + rip_test_below(rip_test_below(3) ? 900 :
											 5000),
						  1 + rip_test_below((rip_test_below(3) ? 1 : 4) *
								     kernel->lanes),
						  bytes, rip_test_below(CURVES),
						  rip_test_below(2) ? 2 : 2 + rip_test_below(15));
				check_resume(&page, isa, kernel, which, memory);
			}
			free(memory);
		}
}

/* --- threads ------------------------------------------------------------------------------ */

/* As many threads as a task allows, also on pages on which they nearly block each other; and
 * more groups than there are counters. */
TEST(threads)
{
	static const uint32_t widths[] = { 300, 700, 832, 1500, 5000, 70 };
	AUTO_FREE struct rip_simd_task *task = simd_task_new();

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS * 6; i++) {
			const uint32_t width = widths[i / KERNELS];
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i % KERNELS, &which);
			const uint32_t lanes = kernel && kernel->lanes < 100 ? kernel->lanes : 1;
			struct simd_page page;

			if (!kernel)
				continue;
			simd_fs_page_init(&page, width,
					  width == 70 ? RIP_TEAM_COUNTERS * lanes + 77 :
							lanes * 9 + rip_test_below(100),
					  1 + rip_test_below(2), NO_CURVE,
					  rip_test_below(2) ? 2 : 2 + rip_test_below(15));
			page.strip.kernel = kernel;
			simd_page_clear(&page);
			rip_simd_task_init(task, isa, &page.strip, RIP_TEAM_THREADS_MAX);
			simd_task_run_threads(task);
			simd_page_check(&page, isa->name, which);
			simd_page_finish(&page);
		}
}

/* The rule that keeps threads from waiting for each other in a circle. */
TEST(limit)
{
	AUTO_FREE struct rip_simd_task *task = simd_task_new();

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS; i++) {
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i, &which);

			for (uint32_t width = 1; kernel && width < 3000; width += 37) {
				const struct rip_simd_strip strip = { .width = width, .rows = 10000,
								      .kernel = kernel };
				const uint32_t blocks = (width + kernel->block - 1) / kernel->block;
				uint32_t most;

				rip_simd_task_init(task, isa, &strip, 1000);
				most = task->base.threads_max;
				assert_true(most == 1 || most * kernel->lag < blocks);
				assert_true(task->threads <= most);
			}
		}
}

/* Few rows are computed one by one, unless they are too wide for that; many in a wavefront. */
TEST(choice)
{
	const struct rip_tone tone = { .sample_bits = 8, .levels = 2 };

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
		const struct rip_simd_kernels *kernels = simd_kernels(isa);
		struct rip_simd_strip strip = { .width = 5000, .rows = 1, .tone = &tone };

		if (!kernels->wavefront)
			continue;
		rip_simd_strip_choose(&strip, kernels);
		assert_true(strip.kernel ==
			    (kernels->single ? kernels->single : kernels->wavefront));
		assert_true(strip.ns > 0);
		strip.rows = kernels->wavefront->lanes;
		rip_simd_strip_choose(&strip, kernels);
		assert_true(strip.kernel == kernels->wavefront);
		strip.width = 20; /* a row takes a wavefront several blocks */
		rip_simd_strip_choose(&strip, kernels);
		assert_true(strip.kernel ==
			    (kernels->single ? kernels->single : kernels->wavefront));
		strip.rows = 1;
		strip.width = kernels->single ? kernels->single->width_max + 1 : 1;
		rip_simd_strip_choose(&strip, kernels);
		assert_true(strip.kernel == kernels->wavefront);
		strip.width = strip.rows = 16777215;
		rip_simd_strip_choose(&strip, kernels);
		assert_true(strip.kernel == kernels->wavefront);
		assert_true(strip.ns > 1000000000);
	}
}
