/* The covered areas of full dots are the same by patterns as place by place. */
#include "tone/dot_cover.h"

#include <string.h>

#include "tests/tools/testing.h"

#define WIDTH_MAX 150
#define ROWS      12

static double between(double low, double high)
{
	return low + (high - low) * (double)rip_test_below(1001) / 1000;
}

/* Rows of random dots: of none, of full ones, sometimes of smaller ones. */
static void fill(float *tones, uint32_t width)
{
	const uint32_t ink = rip_test_below(101), small = rip_test_below(3) ? 0 : 2;

	for (uint32_t j = 0; j < width; j++)
		tones[j] = rip_test_below(100) >= ink ? 0 : rip_test_below(100) < small ? 0.5f : 1;
}

static void test_patterns(void **state)
{
	static float tones[WIDTH_MAX], shares[WIDTH_MAX * 8], expected[WIDTH_MAX * 8];
	unsigned with_patterns = 0;

	for (int turn = 0; turn < 200; turn++) {
		const uint32_t width = 1 + rip_test_below(WIDTH_MAX);
		const unsigned cells = 1 + rip_test_below(8), places = cells * (1 + rip_test_below(6));
		const struct rip_printer printer = {
			.kind = RIP_PRINTER_DISCS, .radius = between(0.5, 1.35), .jitter = between(0, 0.25),
		};
		struct rip_dot_cover cover, plain;

		assert_int_equal(rip_dot_cover_init(&cover, &printer, width, cells, places), 0);
		assert_int_equal(rip_dot_cover_init(&plain, &printer, width, cells, places), 0);
		with_patterns += cover.patterns != NULL;
		free(plain.patterns);
		plain.patterns = NULL;
		for (unsigned y = 0; y < ROWS; y++) {
			fill(tones, width);
			rip_dot_cover_push(&cover, tones);
			rip_dot_cover_push(&plain, tones);
			for (unsigned row = 0; row < cells; row++) {
				rip_dot_cover_cells(&cover, row, shares);
				rip_dot_cover_cells(&plain, row, expected);
				assert_memory_equal(shares, expected, width * cells * sizeof *shares);
			}
		}
		rip_dot_cover_finish(&cover);
		rip_dot_cover_finish(&plain);
	}
	printf("# %u of 200 printers have patterns\n", with_patterns);
	assert_in_range(with_patterns, 50, 199); /* the largest discs reach too far */
}

/* Dots far apart cover their discs; a pixel between them is paper. */
static void test_one_dot(void **state)
{
	const struct rip_printer printer = { .kind = RIP_PRINTER_DISCS, .radius = 0.8, .jitter = 0.05 };
	const float tones[9] = { 0, 0, 0, 0, 1, 0, 0, 0, 0 };
	struct rip_dot_cover cover;
	float shares[9];
	double area = 0;

	assert_int_equal(rip_dot_cover_init(&cover, &printer, 9, 1, 12), 0);
	assert_non_null(cover.patterns);
	for (unsigned y = 0; y < 5 + RIP_COVER_REACH; y++) {
		rip_dot_cover_push(&cover, y == 2 ? tones : NULL);
		if (y < RIP_COVER_REACH)
			continue;
		rip_dot_cover_cells(&cover, 0, shares);
		assert_true(y == 4 ? shares[4] > 0.99 : shares[4] < 0.5);
		assert_true(shares[0] == 0 && shares[2] == 0 && shares[6] == 0 && shares[8] == 0);
		for (int j = 0; j < 9; j++)
			area += shares[j];
	}
	/* pi (radius^2 + jitter^2) */
	assert_true(area > 2.00 && area < 2.04);
	rip_dot_cover_finish(&cover);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns), cmocka_unit_test(test_one_dot),
	};

	return rip_test_run(tests);
}
