/* One kernel from the inside: what a test through its interface would see only after
 * hours, or not at all. */
#include "tests/tools/testing.h"

#include "halftone/cpu.h"
#include "halftone/simd/isa.h"

/* The same code as in the library, under a name of its own. */
#if defined __x86_64__
#define rip_simd_avx2_floyd test_kernel
#define FEATURES            RIP_CPU_AVX2
#include "halftone/simd/x86/simd_avx2_floyd.c"
#elif RIP_CPU_HAS_NEON
#define rip_simd_neon test_kernel
#define FEATURES      RIP_CPU_NEON
#include "halftone/simd/arm/simd_neon_floyd.c"
#endif

#ifdef FEATURES

/* --- a plane ------------------------------------------------------------------------------ */

struct plane {
	struct rip_simd_strip strip;
	uint8_t *in, *out;
	int16_t *carry; /* all of it */
	struct rip_tone tone;
};

static void plane_init(struct plane *plane, uint32_t width, uint32_t count)
{
	const size_t dots = (width + 7) / 8, carry = RIP_SIMD_PAD + width + RIP_SIMD_PAD;

	assert_int_equal(rip_tone_init(&plane->tone, &(struct rip_page_spec){
		.screen = &rip_screens[RIP_FLOYD_STEINBERG], .levels = 2, .sample_bits = 8 }), 0);
	plane->in = malloc((size_t)width * count);
	plane->out = calloc(count, dots);
	plane->carry = calloc(carry, sizeof *plane->carry);
	for (size_t i = 0; i < (size_t)width * count; i++)
		plane->in[i] = (uint8_t)rip_test_random();
	plane->strip = (struct rip_simd_strip){
		.in = plane->in, .in_pitch = width, .out = plane->out, .out_pitch = (ptrdiff_t)dots,
		.width = width, .rows = count, .tone = &plane->tone,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG], .kernel = &test_kernel,
		.carry = { plane->carry + RIP_SIMD_PAD },
	};
}

static void plane_finish(struct plane *plane)
{
	free(plane->in);
	free(plane->out);
	free(plane->carry);
	rip_tone_finish(&plane->tone);
}

static struct state *kernel_new(void)
{
	struct state *st = aligned_alloc(64, test_kernel.size);

	test_kernel.init(st);
	return st;
}

static struct rip_simd_task *task_new(const struct plane *plane, uint32_t threads)
{
	static const struct rip_isa isa = {
		.name = "test", .has_simd = true,
		.kernels[RIP_FLOYD_STEINBERG] = { .wavefront = &test_kernel },
	};
	struct rip_simd_task *task = aligned_alloc(_Alignof(struct rip_simd_task), sizeof *task);

	rip_simd_task_init(task, &isa, &plane->strip, threads);
	return task;
}

/* --- tests -------------------------------------------------------------------------------- */

/* A thread that has drawn nearly 2^32 groups, as a daemon's may after weeks of narrow pages,
 * goes on like a new one. */
TEST(draws_wrap)
{
	enum { WIDTH = 300, COUNT = 400 };
	const size_t size = (WIDTH + 7) / 8 * COUNT;
	AUTO_FREE uint8_t *expected = malloc(size);
	AUTO(plane_finish) struct plane plane;
	struct rip_simd_task *task;
	AUTO_FREE struct state *st = NULL;

	if (FEATURES & ~rip_isa_features())
		skip();
	alarm(600); /* one that counts on hangs */
	st = kernel_new();
	plane_init(&plane, WIDTH, COUNT);
	task = task_new(&plane, 1);
	test_kernel.run(st, task);
	memcpy(expected, plane.out, size);
	free(task);
	for (uint32_t before = 1; before < 6; before++) {
		memset(plane.out, 0, size);
		memset(plane.carry, 0, (RIP_SIMD_PAD + WIDTH + RIP_SIMD_PAD) * sizeof *plane.carry);
		task = task_new(&plane, 1);
		st->drawn = UINT32_MAX - before;
		test_kernel.run(st, task);
		free(task);
		assert_memory_equal(plane.out, expected, size);
	}
	alarm(0);
}

/* What is fetched ahead are samples of the plane, also when its first group lacks rows. */
TEST(prefetch)
{
	static const uint32_t widths[] = { 1, 100, 257, 600, 5000 };

	if (FEATURES & ~rip_isa_features())
		skip();
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
		for (uint32_t count = 1; count < 4 * LANES; count += 5)
			for (uint32_t threads = 1; threads < 4; threads++) {
				static const struct group none;
				AUTO_FREE struct state *st = kernel_new();
				struct position at = { .before = &none };
				struct block_io io = { 0 };
				AUTO(plane_finish) struct plane plane;
				AUTO_FREE struct rip_simd_task *task;
				uintptr_t first, end;

				plane_init(&plane, widths[i], count);
				task = task_new(&plane, threads);
				start(st, task, &task->strip);
				first = (uintptr_t)plane.in;
				end = first + (uintptr_t)widths[i] * count;
				for (at.now = draw(st); at.now->here; advance(st, &at)) {
					find_samples(st, &at, &io);
					if (io.ahead == (uintptr_t)st->window)
						continue; /* nothing to fetch */
					/* The last lane always has a row: it is SKEW*(LANES-1)
					 * columns behind, and a short row is left. */
					assert_in_range(io.ahead + (LANES - 1) * io.ahead_pitch,
							first - LANES * SKEW,
							end + PREFETCH_COLUMNS + BLOCK);
				}
			}
}

#else
BEFORE_TESTS
{
	printf("no kernel for this architecture\n");
	exit(77);
}
#endif
