/* How a kernel is chosen: by costs, by measured costs, and by RIPTIDE_KERNEL. */
#include "tests/tools/testing.h"

#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "halftone/diffuse.h"
#include "halftone/simd_costs.h"
#include "halftone/simd_planes.h"
#include "simd_tests.h"

/* By costs that are given. */
static void test_choice(void **state)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
		struct rip_simd_costs costs = {
			.plain = { .group = 5, .block = 2 },
			.narrow = { .task = 1000, .group = 1000, .block = 200 },
			.wide = { .task = 2000, .group = 2000, .block = 320 },
			.single = { .group = 100, .block = 1.5 },
		};
		uint64_t ns;

		const struct rip_simd_kernels *kernels = simd_kernels(isa);

		if (!kernels->narrow)
			continue;
		assert_true(rip_simd_costs_choose(&costs, kernels, 5000, 5000, &ns) == kernels->wide);
		assert_true(rip_simd_costs_choose(&costs, kernels, 5000, kernels->narrow->lanes,
						  &ns) == kernels->narrow);
		assert_true(rip_simd_costs_choose(&costs, kernels, 5000, 1, &ns) == kernels->single);
		assert_int_equal(ns, 100 + 5000 * 1.5);
		assert_true(rip_simd_costs_choose(&costs, kernels, 100, 1, &ns) == &rip_simd_plain);
		assert_int_equal(ns, 5 + 100 * 2);
		/* Wide rows are left to plain C by the kernel for single ones. */
		if (kernels->single) {
			const uint32_t widest = kernels->single->width_max;

			assert_true(widest > 0);
			assert_true(rip_simd_costs_choose(&costs, kernels, widest, 1, &ns) == kernels->single);
			assert_true(rip_simd_costs_choose(&costs, kernels, widest + 1, 1, &ns) ==
				    &rip_simd_plain);
			assert_int_equal(ns, 5 + (widest + 1) * 2);
		}
		assert_true(rip_simd_costs_choose(&costs, kernels, 1, 5000, &ns) == &rip_simd_plain);
		/* On a processor that computes the vectors of the wide kernel one after the
		 * other it is never the better one; and plain C may be very slow. */
		costs.wide = (struct rip_simd_cost){ .task = 3000, .group = 3000, .block = 440 };
		assert_true(rip_simd_costs_choose(&costs, kernels, 5000, 5000, &ns) == kernels->narrow);
		costs.plain.group = costs.single.group = 1e6;
		assert_true(rip_simd_costs_choose(&costs, kernels, 1, 1, &ns) == kernels->narrow);
	}
}

/* The best time of some that a page takes; by plain C or as simd_planes.h does it. */
static double time_of(const struct rip_page_spec *spec, const struct rip_strip *strip, bool plain)
{
	const struct rip_isa *isa = rip_isa_best();
	struct rip_diffuser diffuser;
	struct rip_simd_planes planes;
	struct rip_team *team;
	struct rip_tone tone;
	double best = 1e9;

	assert_int_equal(rip_tone_init(&tone, spec), 0);
	assert_int_equal(rip_diffuser_init(&diffuser, spec, &tone, false), 0);
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 1, &team), 0);
	assert_int_equal(rip_simd_planes_init(&planes, spec, &tone, isa, team), 0);
	for (int i = 0; i < 12; i++) {
		const double start = simd_seconds(CLOCK_MONOTONIC);
		double took;

		if (plain) {
			rip_diffuser_run(&diffuser, strip);
		} else {
			assert_int_equal(rip_simd_planes_push(&planes, strip, 1), 0);
			rip_simd_planes_wait(&planes);
		}
		took = simd_seconds(CLOCK_MONOTONIC) - start;
		best = took < best ? took : best;
	}
	rip_simd_planes_finish(&planes);
	rip_team_put(team);
	rip_diffuser_finish(&diffuser);
	rip_tone_finish(&tone);
	return best;
}

/* By costs that are measured: narrow pages and few rows take no longer than in plain C.  (With
 * the wrong kernel a column of 16 bits took nine times as long.) */
static void test_measured_choice(void **state)
{
	static const struct { uint32_t width, rows; } sizes[] = {
		{ 1, 3000 }, { 2, 3000 }, { 5, 3000 }, { 10, 2000 }, { 30, 1000 }, { 100, 300 },
		{ 3000, 1 }, { 3000, 2 }, { 3000, 4 }, { 3000, 8 }, { 3000, 40 },
	};
	const struct rip_isa *best = rip_isa_best();

	if (!best->has_simd)
		skip();
	for (int kind = 0; kind < 4; kind++)
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			const uint32_t width = sizes[i].width, rows = sizes[i].rows;
			const uint32_t bits = kind % 2 ? 16 : 8, levels = kind < 2 ? 2 : 16;
			const size_t dot_bytes = rip_dot_bytes(width, levels);
			const struct rip_page_spec spec = {
				.width = width, .planes = 1, .levels = levels, .sample_bits = bits,
				.screen = &rip_screens[RIP_FLOYD_STEINBERG],
			};
			const size_t pitch = (size_t)width * bits / 8;
			uint8_t *in = malloc(pitch * rows), *out = malloc(dot_bytes * rows);
			const struct rip_strip strip = {
				.rows = rows, .in = in, .in_pitch = (ptrdiff_t)pitch, .out = out,
				.out_pitch = (ptrdiff_t)dot_bytes,
			};
			double plain, chosen;

			for (size_t n = 0; n < pitch * rows; n++)
				in[n] = (uint8_t)rip_test_below(256);
			plain = time_of(&spec, &strip, true);
			chosen = time_of(&spec, &strip, false);
			print_message("# %u x %u, %u bits, %u levels: %.1f us, %.2f times as in "
				      "plain C\n", width, rows, bits, levels, 1e6 * chosen,
				      chosen / plain);
			/* A push takes some of that.  An emulator or a sanitizer slows kernels down
			 * more than plain C. */
			assert_true(SIMD_EMULATED || RIP_TEST_SANITIZED || chosen < 2 * plain + 5e-6);
			free(in);
			free(out);
		}
}

/* What is measured, to be seen; it takes under 2 ms and is the same afterwards. */
static void test_costs(void **state)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		for (int n = 0; n < 8; n++) {
			uint16_t *curve = calloc(65536, sizeof *curve);
			const struct rip_page_spec spec = {
				.width = 100, .planes = 1, .levels = n < 4 ? 2 : 16,
				.sample_bits = n % 4 < 2 ? 8 : 16, .curve = n % 2 ? curve : NULL,
				.screen = &rip_screens[RIP_FLOYD_STEINBERG],
			};
			const struct rip_simd_costs *costs, *again;
			struct rip_tone tone;
			double start, took;

			if (simd_usable(isa)) {
				assert_int_equal(rip_tone_init(&tone, &spec), 0);
				start = simd_seconds(CLOCK_THREAD_CPUTIME_ID);
				assert_int_equal(rip_simd_costs_get(isa, spec.screen, &tone, &costs), 0);
				took = simd_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
				print_message("# %s, %u levels, %u bits%s, ns: plain %.1f + %.2f a pixel; "
					      "single %.1f + %.2f; "
					      "narrow %.0f + %.0f a group + %.1f a block; "
					      "wide %.0f + %.0f + %.1f; measured in %.0f us\n",
					      isa->name, spec.levels, spec.sample_bits, n % 2 ? ", curve" : "",
					      costs->plain.group, costs->plain.block,
					      costs->single.group, costs->single.block,
					      costs->narrow.task, costs->narrow.group,
					      costs->narrow.block, costs->wide.task,
					      costs->wide.group, costs->wide.block, 1e6 * took);
				assert_true(RIP_TEST_SANITIZED || took < 2e-3 || SIMD_EMULATED);
				assert_true(costs->plain.block > 0 && costs->wide.block > 0 &&
					    costs->wide.group > 0);
				assert_int_equal(rip_simd_costs_get(isa, spec.screen, &tone, &again), 0);
				assert_true(again == costs);
				rip_tone_finish(&tone);
			}
			free(curve);
		}
}

/* What a process chooses for a large page with RIPTIDE_KERNEL. */
static const struct rip_simd_kernel *choice_with(const struct rip_simd_kernels *kernels,
						 const char *name)
{
	static const struct rip_simd_costs costs = { { 0, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		const struct rip_simd_kernel *kernel;
		uint64_t ns;

		setenv("RIPTIDE_KERNEL", name, 1);
		kernel = rip_simd_costs_choose(&costs, kernels, 1000, 1000, &ns);
		_exit(kernel == kernels->wide ? 1 : kernel == kernels->narrow ? 2 :
		      kernel == kernels->single ? 3 : 4);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) == 1 ? kernels->wide :
	       WEXITSTATUS(status) == 2 ? kernels->narrow :
	       WEXITSTATUS(status) == 3 ? kernels->single : &rip_simd_plain;
}

/* The first test: a process reads the variable only once. */
static void test_forced_choice(void **state)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++) {
		const struct rip_simd_kernels *kernels = simd_kernels(isa);

		if (!kernels->wide)
			continue;
		assert_true(choice_with(kernels, "wide") == kernels->wide);
		assert_true(choice_with(kernels, "narrow") ==
			    (kernels->narrow ? kernels->narrow : kernels->wide));
		assert_true(choice_with(kernels, "single") ==
			    (kernels->single ? kernels->single : kernels->wide));
		assert_true(choice_with(kernels, "plain") == &rip_simd_plain);
		assert_true(choice_with(kernels, "") == kernels->wide);
		assert_true(choice_with(kernels, "no-such-kernel") == kernels->wide);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forced_choice),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_measured_choice),
	};

	return rip_test_run(tests);
}
