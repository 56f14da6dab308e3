/* SIMD: every kernel of every instruction set that runs here gives the same bits as one pixel at
 * a time and stays inside its buffers, in bands and in several threads; and teams of threads. */
#define _GNU_SOURCE 1 /* for sets of processors */
#include "tests/tools/testing.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "halftone/arith.h"
#include "halftone/cpu.h"
#include "halftone/diffuse.h"
#include "halftone/simd_planes.h"
#include "tests/tools/guarded.h"
#include "simd_tests.h"

#define MANY(n) (SIMD_EMULATED ? (n) / 4 + 1 : (n))
#define STRIDE  (SIMD_EMULATED ? 3 : 1)

#define CARRY_MAX 18432

/* --- a page, and what it must become ------------------------------------------------- */

struct page {
	struct rip_simd_strip strip; /* all of it; carry is the one before */
	struct rip_guarded in, out, carry;
	uint8_t  *dots;            /* what out must be, with what is between rows */
	int16_t  *carry_after;
	struct rip_tone tone;
};

#define GAP 0xa5 /* what is between rows of dots */

static uint32_t sample_of(const struct page *page, uint32_t row, uint32_t column)
{
	const uint8_t *from = (const uint8_t *)page->strip.in + (ptrdiff_t)row * page->strip.in_pitch;

	return page->tone.sample_bits == 8 ? from[column] :
		((const uint16_t *)(const void *)from)[column];
}

static uint32_t random_sample(unsigned picture, uint32_t i, uint32_t full)
{
	switch (picture) {
	case 0: return rip_test_below(full + 1);
	case 1: return rip_test_below(2) ? full : 0;
	case 2: return 1 + rip_test_below(full - 1); /* no white, no black */
	case 3: return i / 97 % 5 == 0 ? full : i / 31 % 7 == 0 ? 0 : rip_test_below(full + 1);
	case 4: return full;
	case 5: return rip_test_below(3) ? full / 2 + 1 : full - rip_test_below(2);
	default: return rip_test_below(200) ? 1 + rip_test_below(full - 1) : full;
	}
}

/* Pixel by pixel, as arith.h says. */
static void expect(struct page *page)
{
	const struct rip_simd_strip *r = &page->strip;
	const uint32_t levels = page->tone.levels, bits = rip_dot_bits(levels);
	const size_t dot_bytes = rip_dot_bytes(r->width, levels);
	const ptrdiff_t pitch = r->out_pitch < 0 ? -r->out_pitch : r->out_pitch;
	uint8_t *out = page->dots + (r->out_pitch < 0 ? pitch * (ptrdiff_t)(r->rows - 1) : 0);
	int16_t *below_row = malloc((r->width + 2) * sizeof *below_row);

	memset(page->dots, GAP, (size_t)pitch * (r->rows - 1) + dot_bytes);
	memcpy(page->carry_after, r->carry[0], r->width * sizeof *page->carry_after);
	for (uint32_t i = 0; i < r->rows; i++, out += r->out_pitch) {
		int32_t e = 0;

		memset(out, 0, dot_bytes);
		memset(below_row, 0, (r->width + 2) * sizeof *below_row);
		for (uint32_t j = 0; j < r->width; j++) {
			const uint32_t v = sample_of(page, i, j);
			const uint16_t *curve = page->tone.curve;
			const uint32_t x = curve ? curve[v] : page->tone.sample_bits == 8 ? 257 * v : v;
			const int32_t s = rip_target(x, levels) + page->carry_after[j] +
					  rip_mulr(e, 14335);

			e = rip_error(s);
			out[j * bits / 8] |= (uint8_t)(rip_level(s) << (8 - bits - j * bits % 8));
			below_row[j] += (int16_t)rip_mulr(e, 6144);
			below_row[j + 1] += (int16_t)rip_mulr(e, 10240);
			below_row[j + 2] += (int16_t)rip_mulr(e, 2048);
		}
		memcpy(page->carry_after, below_row + 1, r->width * sizeof *page->carry_after);
	}
	free(below_row);
}

enum curve { NO_CURVE, ANY_CURVE, ENDS, CONSTANT, FALLING, SMOOTH, CURVES };

/* x of the sample v, which is at most `full`. */
static uint32_t curve_at(enum curve curve, uint32_t v, uint32_t full, uint32_t constant)
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

static void page_init(struct page *page, uint32_t width, uint32_t count, uint32_t sample_bytes,
		      enum curve curved, uint32_t levels)
{
	const size_t row_bytes = (size_t)width * sample_bytes, dot_bytes = rip_dot_bytes(width, levels);
	const ptrdiff_t in_pitch = (ptrdiff_t)(row_bytes + rip_test_below(70) * sample_bytes);
	const ptrdiff_t out_pitch = (ptrdiff_t)(dot_bytes + rip_test_below(20));
	const size_t in_size = (size_t)in_pitch * (count - 1) + row_bytes;
	const size_t out_size = (size_t)out_pitch * (count - 1) + dot_bytes;
	const uint32_t full = sample_bytes == 1 ? 255 : 65535;
	const unsigned picture = rip_test_below(7);
	const bool up = rip_test_below(2);
	struct rip_simd_strip *r = &page->strip;
	uint16_t *curve = NULL;

	page->in = rip_guarded_new(in_size, rip_test_below(2));
	page->out = rip_guarded_new(out_size, rip_test_below(2));
	page->carry = rip_guarded_new((RIP_SIMD_PAD + width + RIP_SIMD_PAD) * sizeof(int16_t),
				      rip_test_below(2));
	for (size_t i = 0; i < in_size / sample_bytes; i++) {
		const uint32_t v = random_sample(picture, (uint32_t)i, full);

		if (sample_bytes == 1)
			page->in.bytes[i] = (uint8_t)v;
		else
			((uint16_t *)(void *)page->in.bytes)[i] = (uint16_t)v;
	}
	if (curved) {
		curve = malloc((full + 1) * sizeof *curve);
		for (uint32_t v = 0, constant = rip_test_below(65536); v <= full; v++)
			curve[v] = (uint16_t)curve_at(curved, v, full, constant);
	}
	assert_int_equal(rip_tone_init(&page->tone, &(struct rip_page_spec){
		.screen = &rip_screens[RIP_FLOYD_STEINBERG], .levels = levels,
		.sample_bits = 8 * sample_bytes, .curve = curve }), 0);
	free(curve);
	page->dots = malloc(out_size);
	page->carry_after = malloc(width * sizeof *page->carry_after);
	*r = (struct rip_simd_strip){
		.in = page->in.bytes + (up ? (size_t)in_pitch * (count - 1) : 0),
		.in_pitch = up ? -in_pitch : in_pitch,
		.out = page->out.bytes + (up ? (size_t)out_pitch * (count - 1) : 0),
		.out_pitch = up ? -out_pitch : out_pitch,
		.width = width,
		.rows = count,
		.tone = &page->tone,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG],
		.kernel = rip_isa_best()->has_simd ? simd_kernels(rip_isa_best())->wide
						   : &rip_simd_plain,
		.ns = (uint64_t)width * count / 8,
		.carry = { (int16_t *)(void *)page->carry.bytes + RIP_SIMD_PAD },
	};
	for (uint32_t j = 0; j < width; j++)
		r->carry[0][j] = (int16_t)((int32_t)rip_test_below(2 * CARRY_MAX + 1) - CARRY_MAX);
	expect(page);
}

static void page_finish(struct page *page)
{
	rip_guarded_free(&page->in);
	rip_guarded_free(&page->out);
	rip_guarded_free(&page->carry);
	rip_tone_finish(&page->tone);
	free(page->dots);
	free(page->carry_after);
}

static void page_clear(const struct page *page, int16_t *carry_before)
{
	const struct rip_simd_strip *r = &page->strip;
	const ptrdiff_t pitch = r->out_pitch < 0 ? -r->out_pitch : r->out_pitch;

	memset(page->out.bytes, GAP, (size_t)pitch * (r->rows - 1) +
	       rip_dot_bytes(r->width, page->tone.levels));
	if (carry_before)
		memcpy(r->carry[0], carry_before, r->width * sizeof *r->carry[0]);
}

static void page_check(const struct page *page, const char *isa, const char *which)
{
	const struct rip_simd_strip *r = &page->strip;
	const ptrdiff_t pitch = r->out_pitch < 0 ? -r->out_pitch : r->out_pitch;
	const size_t size = (size_t)pitch * (r->rows - 1) +
			    rip_dot_bytes(r->width, page->tone.levels);
	size_t i = 0;
	uint32_t j = 0;

	while (i < size && page->out.bytes[i] == page->dots[i])
		i++;
	while (j < r->width && r->carry[0][j] == page->carry_after[j])
		j++;
	if (i < size || j < r->width)
		print_message("%s %s: %u x %u, pitches %td %td, %u levels, %u bytes a sample%s: ", isa,
			      which, r->width, r->rows, r->in_pitch, r->out_pitch, page->tone.levels,
			      page->tone.sample_bits / 8, page->tone.curve ? ", curve" : "");
	if (i < size)
		print_message("row %zu of memory, byte %zu is %02x, not %02x\n", i / (size_t)pitch,
			      i % (size_t)pitch, page->out.bytes[i], page->dots[i]);
	else if (j < r->width)
		print_message("carry of column %u is %d, not %d\n", j, r->carry[0][j],
			      page->carry_after[j]);
	assert_true(i == size && j == r->width);
}

/* The rows from `first` on. */
static struct rip_simd_strip part(const struct rip_simd_strip *strip, uint32_t first,
				  uint32_t rows)
{
	struct rip_simd_strip p = *strip;

	p.in = (const uint8_t *)p.in + (ptrdiff_t)first * p.in_pitch;
	p.out += (ptrdiff_t)first * p.out_pitch;
	p.rows = rows;
	return p;
}

/* --- kernels ------------------------------------------------------------------------------ */

/* The i-th kernel for an instruction set, of KERNELS; NULL: there is none. */
#define KERNELS 3

static const struct rip_simd_kernel *kernel_of(const struct rip_isa *isa, int i, const char **which)
{
	static const char *const names[KERNELS] = { "wide", "narrow", "plain" };

	*which = names[i];
	return !simd_usable(isa) ? NULL : i == 0 ? simd_kernels(isa)->wide :
	       i == 1 ? simd_kernels(isa)->narrow : &rip_simd_plain;
}

static void *kernel_new(const struct rip_simd_kernel *kernel)
{
	void *memory = kernel->size > 0 ? aligned_alloc(64, kernel->size) : NULL;

	if (kernel->size == 0)
		return NULL;
	assert_non_null(memory);
	memset(memory, 0xdb, kernel->size);
	kernel->init(memory);
	return memory;
}

static struct rip_simd_task *task_new(void)
{
	return aligned_alloc(_Alignof(struct rip_simd_task), sizeof(struct rip_simd_task));
}

/* A page by every kernel, in bands of at most `band` rows (0: at once). */
static void check_page(struct page *page, uint32_t band)
{
	const size_t carry_size = page->strip.width * sizeof(int16_t);
	int16_t *before = malloc(carry_size);
	struct rip_simd_task *task = task_new();

	memcpy(before, page->strip.carry[0], carry_size);
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS; i++) {
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i, &which);
			void *memory;

			if (!kernel)
				continue;
			memory = kernel_new(kernel);
			page_clear(page, before);
			for (uint32_t row = 0, n; row < page->strip.rows; row += n) {
				const uint32_t left = page->strip.rows - row;
				struct rip_simd_strip rows;

				n = band ? 1 + rip_test_below(band) : left;
				n = n < left ? n : left;
				rows = part(&page->strip, row, n);
				rows.kernel = kernel;
				rip_simd_task_init(task, isa, &rows, 1);
				kernel->run(memory, task);
			}
			page_check(page, isa->name, which);
			free(memory);
		}
	free(task);
	free(before);
}

static void test_every_width(void **state)
{
	struct page page;

	for (uint32_t width = 1; width <= 600; width += STRIDE) {
		page_init(&page, width, 1 + rip_test_below(rip_test_below(4) ? 40 : 200), 1, NO_CURVE,
			  2);
		check_page(&page, rip_test_below(3) ? 0 : 30);
		page_finish(&page);
	}
}

static void test_heights(void **state)
{
	struct page page;

	for (uint32_t rows = 1; rows <= 200; rows += STRIDE) {
		page_init(&page, 1 + rip_test_below(400), rows, 1, NO_CURVE, 2);
		check_page(&page, 0);
		page_finish(&page);
	}
}

static void test_wide_rows(void **state)
{
	static const uint32_t widths[] = { 832, 1023, 1024, 1025, 1088, 2048, 4961, 8191, 65536 };
	struct page page;

	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		page_init(&page, widths[i], widths[i] > 60000 ? 3 : 1 + rip_test_below(150), 1,
			  NO_CURVE, i % 3 == 0 ? 2 : 2 + rip_test_below(15));
		check_page(&page, i % 2 ? 64 : 0);
		page_finish(&page);
	}
}

static void test_curves_and_words(void **state)
{
	struct page page;

	for (int i = 0; i < MANY(120); i++) {
		const uint32_t bytes = 1 + rip_test_below(2);

		page_init(&page, 1 + rip_test_below(700), 1 + rip_test_below(150), bytes,
			  bytes == 1 ? 1 + rip_test_below(CURVES - 1) : rip_test_below(CURVES), 2);
		check_page(&page, rip_test_below(2) ? 0 : 40);
		page_finish(&page);
	}
}

/* Every number of levels with every kind of samples and curve. */
static void test_levels(void **state)
{
	struct page page;

	for (uint32_t levels = 3; levels <= RIP_LEVELS_MAX; levels++)
		for (uint32_t bytes = 1; bytes <= 2; bytes++)
			for (enum curve curve = NO_CURVE; curve < CURVES; curve += STRIDE) {
				const uint32_t width = 1 + rip_test_below(rip_test_below(2) ? 1400 : 200);

				page_init(&page, width, 1 + rip_test_below(150), bytes, curve, levels);
				check_page(&page, rip_test_below(2) ? 0 : 40);
				page_finish(&page);
			}
}

/* Widths around those of whole vectors of dots. */
static void test_widths_with_levels(void **state)
{
	struct page page;

	for (uint32_t width = 1; width <= 1100; width += width % 128 > 2 && width % 128 < 120 ? 11 : 1) {
		page_init(&page, width, 1 + rip_test_below(70), 1 + width % 2,
			  rip_test_below(2) ? NO_CURVE : FALLING, /* the end of a row adds nothing */
			  3 + rip_test_below(14));
		check_page(&page, 0);
		page_finish(&page);
	}
}

/* --- carries that arrive column by column ------------------------------------------------ */

/* Feeds a page's carry to a kernel in random parts.  Columns that have not arrived, and those
 * that are ready, hold a value that must not matter. */
static void check_resume(struct page *page, const struct rip_isa *isa,
			 const struct rip_simd_kernel *kernel, const char *which, void *memory)
{
	enum { NONE = 32767 };
	const struct rip_simd_strip *r = &page->strip;
	const uint32_t most = 2 + rip_test_below(2 * r->width + 600); /* n is not always 0 */
	int16_t *before = malloc(r->width * sizeof *before), *after = malloc(r->width * sizeof *after);
	struct rip_simd_task *task = task_new();
	uint32_t arrived = 0, ready = 0;
	bool done = false;

	memcpy(before, r->carry[0], r->width * sizeof *before);
	for (uint32_t j = 0; j < r->width; j++)
		r->carry[0][j] = NONE;
	page_clear(page, NULL);
	page->strip.kernel = kernel;
	rip_simd_task_init(task, isa, r, 1);
	while (!done) {
		const uint32_t left = r->width - arrived, n = rip_test_below(most);

		for (uint32_t i = 0; i < n && i < left; i++, arrived++)
			r->carry[0][arrived] = before[arrived];
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
	page_check(page, isa->name, which);
	memcpy(r->carry[0], before, r->width * sizeof *before);
	free(before);
	free(after);
	free(task);
}

static void test_resume(void **state)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS; i++) {
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i, &which);
			void *memory;

			if (!kernel || !kernel->resume)
				continue;
			memory = kernel_new(kernel);
			for (int round = 0; round < MANY(120); round++) {
				const uint32_t bytes = 1 + rip_test_below(2);
				struct page page;

				page_init(&page, 1 + rip_test_below(rip_test_below(3) ? 900 : 5000),
					  1 + rip_test_below(rip_test_below(3) ? kernel->lanes : 4 * kernel->lanes),
					  bytes, rip_test_below(CURVES),
					  rip_test_below(2) ? 2 : 2 + rip_test_below(15));
				check_resume(&page, isa, kernel, which, memory);
				page_finish(&page);
			}
			free(memory);
		}
}

/* --- threads ------------------------------------------------------------------------------ */

struct runner {
	pthread_t thread;
	const struct rip_simd_kernel *kernel;
	struct rip_simd_task *task;
};

static void *run_job(void *argument)
{
	struct runner *runner = argument;
	void *memory = kernel_new(runner->kernel);

	runner->kernel->run(memory, runner->task);
	free(memory);
	return NULL;
}

/* As many threads as a task allows, also on pages on which they nearly block each other; and
 * more groups than there are counters. */
static void test_threads(void **state)
{
	static const uint32_t widths[] = { 300, 700, 832, 1500, 5000, 70 };
	struct runner runners[RIP_TEAM_THREADS_MAX];
	struct rip_simd_task *task = task_new();

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int i = 0; i < KERNELS * 6; i++) {
			const uint32_t width = widths[i / KERNELS];
			const char *which;
			const struct rip_simd_kernel *kernel = kernel_of(isa, i % KERNELS, &which);
			const uint32_t lanes = kernel && kernel->lanes < 100 ? kernel->lanes : 1;
			struct page page;

			if (!kernel)
				continue;
			page_init(&page, width, width == 70 ? RIP_TEAM_COUNTERS * lanes + 77 :
				  lanes * 9 + rip_test_below(100), 1 + rip_test_below(2), NO_CURVE,
				  rip_test_below(2) ? 2 : 2 + rip_test_below(15));
			page.strip.kernel = kernel;
			page_clear(&page, NULL);
			rip_simd_task_init(task, isa, &page.strip, RIP_TEAM_THREADS_MAX);
			assert_in_range(task->base.threads_max, 1, RIP_TEAM_THREADS_MAX);
			for (uint32_t t = 0; t < task->base.threads_max; t++) {
				runners[t] = (struct runner){ .kernel = kernel, .task = task };
				assert_int_equal(pthread_create(&runners[t].thread, NULL, run_job,
								&runners[t]), 0);
			}
			for (uint32_t t = 0; t < task->base.threads_max; t++)
				pthread_join(runners[t].thread, NULL);
			page_check(&page, isa->name, which);
			page_finish(&page);
		}
	free(task);
}

/* The rule that keeps threads from waiting for each other in a circle. */
static void test_limit(void **state)
{
	struct rip_simd_task *task = task_new();

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
	free(task);
}

/* --- teams --------------------------------------------------------------------------------- */

static const struct rip_isa *best(void)
{
	const struct rip_isa *isa = rip_isa_best();

	return isa->has_simd ? isa : NULL;
}

/* One client of a team: pages of some planes, in bands, pushed in various ways. */
static void *use_team(void *argument)
{
	enum { PLANES = 4, PIECES = 5 };
	struct rip_team *team = argument;
	struct rip_team_queue queue;

	assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct rip_simd_task)), 0);
	for (int round = 0; round < MANY(12); round++) {
		const uint32_t width = 1 + rip_test_below(2000), count = 1 + rip_test_below(400);
		struct page pages[PLANES];
		struct rip_simd_strip pieces[PLANES * PIECES];
		uint32_t n = 0;

		for (int p = 0; p < PLANES; p++) {
			page_init(&pages[p], width, count, 1, NO_CURVE, 2 + rip_test_below(3));
			page_clear(&pages[p], NULL);
		}
		/* Some pieces of each plane, in order of rows, at once and one by one. */
		for (uint32_t row = 0, i = 0, rows; row < count; row += rows, i++) {
			rows = i == PIECES - 1 ? count - row : 1 + rip_test_below(count - row);
			for (int p = 0; p < PLANES; p++)
				pieces[n++] = part(&pages[p].strip, row, rows);
			if (rip_test_below(2)) {
				assert_int_equal(rip_simd_queue_push(&queue, best(), pieces, n), 0);
				n = 0;
				if (rip_test_below(2))
					rip_team_queue_wait(&queue);
			}
		}
		assert_int_equal(rip_simd_queue_push(&queue, best(), pieces, n), 0);
		rip_team_queue_wait(&queue);
		for (int p = 0; p < PLANES; p++) {
			page_check(&pages[p], "team", "");
			page_finish(&pages[p]);
		}
	}
	rip_team_queue_finish(&queue);
	rip_team_queue_finish(&queue);
	return NULL;
}

static void test_team(void **state)
{
	static const unsigned sizes[] = { 1, 2, 3, 8 };
	const struct rip_isa *isa = best();
	struct rip_team *team, *same, *other;

	if (!isa)
		skip();
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), sizes[i], &team), 0);
		use_team(team);
		rip_team_put(team);
	}
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 2, &team), 0);
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 2, &same), 0);
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &other), 0);
	assert_true(team == same && team != other);
	rip_team_put(other);
	rip_team_put(same);
	use_team(team);
	rip_team_put(team);
	rip_team_put(NULL);
}

/* The random numbers of the clients' pages come from one place: each has its turn. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *client(void *argument)
{
	struct rip_team *team = argument;
	struct rip_team_queue queue;

	assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct rip_simd_task)), 0);
	for (int round = 0; round < MANY(20); round++) {
		struct page page;

		pthread_mutex_lock(&turn);
		page_init(&page, 1 + rip_test_below(3000), 1 + rip_test_below(300), 1, NO_CURVE,
			  2 + rip_test_below(3));
		pthread_mutex_unlock(&turn);
		page_clear(&page, NULL);
		assert_int_equal(rip_simd_queue_push(&queue, best(), &page.strip, 1), 0);
		rip_team_queue_wait(&queue);
		page_check(&page, "client", "");
		page_finish(&page);
	}
	rip_team_queue_finish(&queue);
	return NULL;
}

static void test_clients(void **state)
{
	enum { CLIENTS = 5 };
	const struct rip_isa *isa = best();
	struct rip_team *team;
	pthread_t threads[CLIENTS];

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &team), 0);
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, client, team), 0);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	rip_team_put(team);
}

/* Planes of a page: strips of any height, those of one row too, all of one push. */
static void test_planes(void **state)
{
	enum { PLANES = 3 };
	const struct rip_isa *isa = best();
	struct rip_team *team;

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &team), 0);
	for (int round = 0; round < MANY(40); round++) {
		const struct rip_page_spec spec = { .width = 1 + rip_test_below(2500), .planes = PLANES,
						    .levels = 2 + rip_test_below(15),
						    .sample_bits = 8,
						    .screen = &rip_screens[RIP_FLOYD_STEINBERG] };
		const uint32_t count = 1 + rip_test_below(300);
		struct rip_tone tone;
		struct rip_simd_planes planes;
		struct rip_strip strips[PLANES * 300];
		struct page pages[PLANES];
		unsigned n = 0;

		assert_int_equal(rip_tone_init(&tone, &spec), 0);
		assert_int_equal(rip_simd_planes_init(&planes, &spec, &tone, isa, team), 0);
		for (uint32_t p = 0; p < PLANES; p++) {
			const struct rip_simd_strip *r = &pages[p].strip;

			page_init(&pages[p], spec.width, count, 1, NO_CURVE, spec.levels);
			page_clear(&pages[p], NULL);
			rip_simd_planes_import(&planes, p, r->carry[0]);
			for (uint32_t row = 0, rows; row < count; row += rows) {
				const struct rip_simd_strip at = part(r, row, 1);

				rows = rip_test_below(3) ? 1 + rip_test_below(4) : 1 + rip_test_below(200);
				rows = rows < count - row ? rows : count - row;
				strips[n++] = (struct rip_strip){
					.plane = p, .rows = rows,
					.in = at.in, .in_pitch = at.in_pitch,
					.out = at.out, .out_pitch = at.out_pitch,
				};
			}
		}
		assert_int_equal(rip_simd_planes_push(&planes, strips, n), 0);
		rip_simd_planes_wait(&planes);
		for (uint32_t p = 0; p < PLANES; p++) {
			rip_simd_planes_export(&planes, p, pages[p].strip.carry[0]);
			page_check(&pages[p], "planes", "");
			page_finish(&pages[p]);
		}
		rip_simd_planes_finish(&planes);
		rip_tone_finish(&tone);
	}
	rip_team_put(team);
}

/* Threads without work sleep. */
static void test_idle(void **state)
{
	const struct timespec rest = { .tv_nsec = 300000000 };
	const struct rip_isa *isa = best();
	struct rip_team *team;
	double before;

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 8, &team), 0);
	use_team(team);
	before = simd_seconds(CLOCK_PROCESS_CPUTIME_ID);
	nanosleep(&rest, NULL);
	assert_true(simd_seconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.05);
	rip_team_put(team);
}

/* What is allowed counts, not what there is. */
static void test_processors(void **state)
{
	cpu_set_t before, one;
	int first = 0;

	assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
	assert_int_equal(rip_cpu_count(), CPU_COUNT(&before));
	while (!CPU_ISSET(first, &before))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_int_equal(rip_cpu_count(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_width),
		cmocka_unit_test(test_heights),
		cmocka_unit_test(test_wide_rows),
		cmocka_unit_test(test_curves_and_words),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_widths_with_levels),
		cmocka_unit_test(test_resume),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_team),
		cmocka_unit_test(test_clients),
		cmocka_unit_test(test_planes),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_processors),
	};

	return rip_test_run(tests);
}
