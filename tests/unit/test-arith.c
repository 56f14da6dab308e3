/* The claims of halftone/screen/arith.h, error_filter.h and screen.h, by brute force. */
#include "tests/tools/testing.h"

#include "halftone/engine.h"

TEST(products_stay_within_their_weight)
{
	for (int32_t w = 0; w <= 32767; w += w < 64 ? 1 : 61) {
		assert_int_equal(rip_mulr(-32768, w), -w);
		for (int32_t e = -32768; e <= 32767; e++) {
			const int32_t m = rip_mulr(e, w);

			if (m < -w || m > w)
				fail_msg("mulr(%d, %d) = %d", e, w, m);
		}
	}
}

/* floor(32768*k/den + 1/2) by another road: doubles hold it exactly. */
static int weight_of(int k, int den)
{
	return (int)(32768.0 * k / den + 0.5);
}

TEST(filters_are_what_the_literature_says)
{
	static const struct {
		const char *name;
		int den, right2, below[5], below2[5];
	} literature[] = {
		{ "floyd-steinberg", 16, 0, { 0, 3, 5, 1, 0 }, { 0 } },
		{ "jarvis-judice-ninke", 48, 5, { 3, 5, 7, 5, 3 }, { 1, 3, 5, 3, 1 } },
		{ "stucki", 42, 4, { 2, 4, 8, 4, 2 }, { 1, 2, 4, 2, 1 } },
		{ "burkes", 32, 4, { 2, 4, 8, 4, 2 }, { 0 } },
		{ "sierra", 32, 3, { 2, 4, 5, 4, 2 }, { 0, 2, 3, 2, 0 } },
		{ "atkinson", 8, 1, { 0, 1, 1, 1, 0 }, { 0, 0, 1, 0, 0 } },
	};

	assert_int_equal(sizeof literature / sizeof literature[0], RIP_ATKINSON + 1);
	for (int i = 0; i <= RIP_ATKINSON; i++) {
		const int id = rip_screen_find(literature[i].name);
		const struct rip_screen *screen;
		const struct rip_error_filter *f;
		int sum, down = 0, far = 0;

		assert_int_equal(id, i);
		screen = &rip_screens[id];
		f = screen->filter;
		assert_int_equal(screen->kind, RIP_SCREEN_ERROR_FILTER);
		assert_int_equal(rip_screen_id(screen), id);
		assert_int_equal(f->right[1], weight_of(literature[i].right2, literature[i].den));
		sum = f->right[0] + f->right[1];
		for (int k = 0; k < 5; k++) {
			assert_int_equal(f->below[k],
					 weight_of(literature[i].below[k], literature[i].den));
			assert_int_equal(f->below2[k],
					 weight_of(literature[i].below2[k], literature[i].den));
			down += f->below[k] + f->below2[k];
			far += f->below2[k];
		}
		sum += down;
		assert_int_equal(sum, strcmp(screen->name, "atkinson") ? 32767 : 24576);
		assert_int_equal(f->reach, far ? 2 : 1);
		assert_int_equal(screen->reach, f->reach);
		assert_int_equal(screen->carry_bound[0], down);
		assert_int_equal(screen->carry_bound[1], far);
		assert_true(down >= 16384); /* the start noise can be imported */
	}
	/* as constants of kernels */
	assert_int_equal(RIP_FS_RIGHT, 14335);
	assert_int_equal(RIP_FS_BELOW_LEFT, 6144);
	assert_int_equal(RIP_FS_BELOW, 10240);
	assert_int_equal(RIP_FS_BELOW_RIGHT, 2048);
	assert_int_equal(rip_screens[RIP_FLOYD_STEINBERG].filter->right[0], 14335);
	assert_int_equal(rip_screens[RIP_FLOYD_STEINBERG].carry_bound[0], 18432);
	assert_int_equal(rip_screens[RIP_ATKINSON].filter->right[0], 4096);
	assert_int_equal(rip_screen_find("Stucki"), RIP_STUCKI);
	assert_int_equal(rip_screen_find("stuck"), -1);
}

TEST(targets_are_exact_at_levels_and_rise)
{
	for (uint32_t n = 2; n <= 16; n++) {
		int32_t before = -1;

		for (uint32_t x = 0; x <= RIP_FULL; x++) {
			const int32_t a = rip_target(x, n);

			assert_true(a > before);
			before = a;
			if (x * (n - 1) % RIP_FULL == 0)
				assert_int_equal(a, 65536 * (x * (n - 1) / RIP_FULL));
		}
		assert_int_equal(before, 65536 * (n - 1));
	}
	for (uint32_t x = 0; x < RIP_FULL; x++)
		assert_int_equal(rip_target(x, 2), x);
}

TEST(levels_stay_in_range)
{
	for (uint32_t n = 2; n <= 16; n++)
		for (uint32_t x = 0; x <= RIP_FULL; x++)
			for (int32_t u = -32767; u <= 32767; u += 32767) {
				const int32_t s = rip_target(x, n) + u;
				const int32_t r = rip_level(s), e = rip_error_left(s);

				if (r < 0 || r >= (int32_t)n || e < -32768 || e > 32767 ||
				    s != 65536 * r + e)
					fail_msg("n %u x %u u %d: level %d error %d", n, x, u, r,
						 e);
				if ((x == 0 && r != 0) || (x == RIP_FULL && r != (int32_t)n - 1))
					fail_msg("a stray dot: n %u x %u u %d", n, x, u);
			}
}

TEST(start_noise_is_the_specified_one)
{
	/* From the formula, computed elsewhere with unbounded integers. */
	static const int16_t plane0[] = { -16130, 4008, -15409, -14395, -2690, 5002, 12003, -8212 };
	static const int16_t plane3[] = { 14919, -955, -188, 83, 4998, 15620, 9856, -13739 };
	double sum = 0;

	for (uint32_t j = 0; j < 8; j++) {
		assert_int_equal(rip_start_noise(j, 0), plane0[j]);
		assert_int_equal(rip_start_noise(j + 1000, 3), plane3[j]);
	}
	for (uint32_t j = 0; j < 1u << 20; j++) {
		const int16_t d = rip_start_noise(j, 1);

		assert_true(d >= -16384 && d <= 16383);
		sum += d;
	}
	assert_true(sum / (1 << 20) > -40 && sum / (1 << 20) < 40);
}

TEST(carries_out_of_range_are_refused)
{
	static const uint32_t widths[] = { 5, 64, 133 };

	for (int f = 0; f < 3 * RIP_SCREENS; f++) {
		const struct rip_page_spec spec = {
			.width = widths[f % 3], .planes = 1, .levels = 2, .sample_bits = 8,
			.screen = &rip_screens[f / 3],
		};
		int16_t carry[2 * 133];

		for (int row = 0; row < spec.screen->reach; row++)
			for (uint32_t j = 0; j < spec.width; j++)
				for (int sign = -1; sign <= 1; sign += 2) {
					const int32_t b = spec.screen->carry_bound[row];

					memset(carry, 0, sizeof carry);
					carry[row * spec.width + j] = (int16_t)(sign * b);
					assert_int_equal(rip_carry_check(&spec, carry), 0);
					carry[row * spec.width + j] = (int16_t)(sign * (b + 1));
					assert_true(rip_carry_check(&spec, carry) < 0);
					carry[row * spec.width + j] = INT16_MIN;
					assert_true(rip_carry_check(&spec, carry) < 0);
				}
	}
}

TEST(names_are_found)
{
	for (int m = 0; m < RIP_METHODS; m++)
		assert_int_equal(rip_method_find(rip_method_name(m)), m);
	assert_int_equal(rip_method_find("BWEC"), RIP_METHOD_BWEC);
	assert_int_equal(rip_method_find("bwe"), -1);
	assert_int_equal(rip_method_find(""), -1);
	assert_string_equal(rip_method_name(-1), "?");
	assert_string_equal(rip_method_name(RIP_METHODS), "?");
}

TEST(specs_out_of_range_are_refused)
{
	const struct rip_screen *const screen = &rip_screens[RIP_FLOYD_STEINBERG];
	const struct rip_screen too_far = { .name = "three rows", .reach = RIP_REACH_MAX + 1 };
	const struct {
		struct rip_page_spec spec;
		int ok;
	} cases[] = {
		{ { 1, 1, 2, 8, screen, NULL, { 0 } }, 1 },
		{ { RIP_WIDTH_MAX,
		    RIP_PLANES_MAX,
		    16,
		    16,
		    &rip_screens[RIP_ATKINSON],
		    NULL,
		    { 0 } },
		  1 },
		{ { 0, 1, 2, 8, screen, NULL, { 0 } }, 0 },
		{ { RIP_WIDTH_MAX + 1, 1, 2, 8, screen, NULL, { 0 } }, 0 },
		{ { 1, 0, 2, 8, screen, NULL, { 0 } }, 0 },
		{ { 1, RIP_PLANES_MAX + 1, 2, 8, screen, NULL, { 0 } }, 0 },
		{ { 1, 1, 1, 8, screen, NULL, { 0 } }, 0 },
		{ { 1, 1, 17, 8, screen, NULL, { 0 } }, 0 },
		{ { 1, 1, 2, 1, screen, NULL, { 0 } }, 0 },
		{ { 1, 1, 2, 8, NULL, NULL, { 0 } }, 0 },
		{ { 1, 1, 2, 8, &too_far, NULL, { 0 } }, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(rip_page_spec_check(&cases[i].spec) == 0, cases[i].ok);
}
