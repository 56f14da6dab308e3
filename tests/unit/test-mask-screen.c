/* The screens with masks: their names, and what their thresholds promise. */
#include "tests/tools/testing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/mask_screen.h"

/* Black, cyan, magenta, yellow, and an ink without a name. */
static struct rip_mask_use use_of(uint32_t dpi, bool light)
{
	return (struct rip_mask_use){
		.x_dpi = dpi, .y_dpi = dpi, .light = light, .planes = 5,
		.inks = { RIP_INK_BLACK, RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
			  RIP_INK_OTHER },
	};
}

static void make(struct rip_mask_screen *screen, const char *name, uint32_t dpi, bool light)
{
	const struct rip_mask_use use = use_of(dpi, light);
	char why[256] = "";

	if (rip_mask_screen_init(screen, name, &use, why, sizeof why) != 0)
		fail_msg("%s at %u dpi: %s", name, dpi, why);
}

static void names(void **state)
{
	static const struct { uint32_t dpi; const char *name, *got; } cases[] = {
		{ 600, "clustered", "clustered-141" },
		{ 600, "Clustered-141", "clustered-141" },
		{ 600, "clustered-139", "clustered-141" },
		{ 600, "clustered-106", "clustered-106" },
		{ 1200, "clustered-212", "clustered-212" },
		{ 1200, "clustered-141", "clustered-141" },
		{ 300, "clustered", "clustered-71" },
		{ 203, "clustered", "clustered-72" },
		{ 2400, "clustered", "clustered-189" },
		{ 2400, "clustered-150", "clustered-154" },
		{ 2540, "clustered", "clustered-163" },
		{ 2540, "clustered-200", "clustered-200" },
		{ 600, "BAYER", "bayer" },
		{ 600, "Blue-Noise-Mask", "blue-noise-mask" },
		{ 600, "bi-level", "bi-level" },
		{ 1, "clustered", "clustered-0" },
		{ 0, "clustered", "clustered-141" },
		{ UINT32_MAX, "clustered", "clustered-3928" },
	};
	struct rip_mask_screen screen;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(rip_mask_screen_known(cases[i].name));
		make(&screen, cases[i].name, cases[i].dpi, false);
		assert_string_equal(screen.base.name, cases[i].got);
		assert_int_equal(screen.base.reach, 0);
		assert_int_equal(screen.base.kind, strcmp(cases[i].got, "bi-level") ?
						   RIP_SCREEN_MASK : RIP_SCREEN_BI_LEVEL);
	}
}

static void wrong_names(void **state)
{
	static const char *const unknown[] = { "", "cluster", "clustered-", "clustered-0",
					       "clustered-12x", "clustered--5", "clustered-12345",
					       "floyd-steinberg", "bayer " };
	const struct rip_mask_use use = use_of(600, false);
	struct rip_mask_screen screen;
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		assert_false(rip_mask_screen_known(unknown[i]));
		assert_int_equal(rip_mask_screen_init(&screen, unknown[i], &use, why, sizeof why),
				 -ENOENT);
	}
	assert_string_equal(why, "no mask bayer : choose clustered-LPI, clustered, "
				 "blue-noise-mask, bayer or bi-level");
	/* 133 is 8 away from the nearest. */
	assert_true(rip_mask_screen_known("clustered-133"));
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &use, why, sizeof why), -ENOENT);
	assert_string_equal(why, "no screen clustered-133 at 600 x 600 dpi: choose clustered-212, "
				 "clustered-141, clustered-106, clustered-71 or clustered-47");
	/* Little room is no reason to write past it. */
	memset(why, 'x', sizeof why);
	assert_int_equal(rip_mask_screen_init(&screen, "clustered-133", &use, why, 30), -ENOENT);
	assert_int_equal(strlen(why), 29);
	assert_int_equal(why[30], 'x');
}

/* A plane of light has the inverted dots of a plane of ink with inverted samples, for every
 * sample and every number of levels. */
static void light_is_inverted_ink(void **state)
{
	static const char *const all[] = { "clustered", "clustered-106", "blue-noise-mask", "bayer" };

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct rip_mask_screen ink, light;

		make(&ink, all[i], 600, false);
		make(&light, all[i], 600, true);
		for (uint32_t p = 0; p < 5; p++) {
			const struct rip_mask *a = ink.base.masks[p], *b = light.base.masks[p];

			assert_int_equal(a->height, b->height);
			assert_int_equal(a->width, b->width);
			for (int k = 0; k < 200000; k++) {
				const uint32_t at = rip_test_below(a->height * a->width);
				const uint32_t n = 2 + rip_test_below(15);
				const uint32_t x = rip_test_below(4) ? 257 * rip_test_below(256)
								     : rip_test_below(65536);
				const uint32_t of_light = (uint32_t)rip_target(x, n);
				const uint32_t of_ink = (uint32_t)rip_target(65535 - x, n);

				assert_int_equal(of_light / 65536 +
							 (of_light % 65536 > b->thresholds[at]) +
							 of_ink / 65536 +
							 (of_ink % 65536 > a->thresholds[at]),
						 n - 1);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(wrong_names),
		cmocka_unit_test(light_is_inverted_ink),
	};

	return rip_test_run(tests);
}
