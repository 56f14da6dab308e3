/* The benchmark itself: sizes, the picture, and that wrong dots are never a figure. */
#include "tests/tools/testing.h"

#include "command/bench/bench.h"
#include "tests/tools/run.h"

static void size_is(const char *text, uint32_t width, uint32_t height)
{
	struct rip_bench bench = { .size_count = 0 };

	if (rip_bench_add_size(&bench, text) != 0 || bench.sizes[0].width != width ||
	    bench.sizes[0].height != height)
		fail_msg("%s is %u x %u", text, bench.sizes[0].width, bench.sizes[0].height);
	assert_string_equal(bench.sizes[0].name, text);
}

TEST(sizes)
{
	static const char *const wrong[] = { "",
					     "K",
					     "0",
					     "0K",
					     "x",
					     "1x",
					     "x1",
					     "1x0",
					     "1K1",
					     "-1",
					     "+1",
					     " 1",
					     "1 ",
					     "A4",
					     "A4@",
					     "A4@0",
					     "A4@600x",
					     "@600",
					     "Nopaper@600",
					     "A\"4@600",
					     "A4 @600",
					     "iso_a4_210x297mm",
					     "16777216",
					     "1x16777216",
					     "99999999999999999999",
					     "1.5K" };
	struct rip_bench bench = { .size_count = 0 };

	size_is("1", 1, 1);
	size_is("4K", 4096, 4096);
	size_is("16k", 16384, 16384);
	size_is("2000", 2000, 2000);
	size_is("832x1218", 832, 1218);
	size_is("832X1", 832, 1);
	size_is("A4@600", 4961, 7016);
	size_is("a4@1200", 9921, 14031);
	size_is("A3@600", 7016, 9921);
	size_is("Letter@300", 2550, 3300);
	size_is("letter@300", 2550, 3300);
	size_is("LEGAL@600", 5100, 8400);
	size_is("Env10@203", 837, 1929);
	size_is("na-letter@600", 5100, 6600);
	size_is("iso_a4_210x297mm@600", 4961, 7016);
	size_is("na_index-4x6_4x6in@203", 812, 1218);
	size_is("16777215", 16777215, 16777215);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		if (rip_bench_add_size(&bench, wrong[i]) != -EINVAL)
			fail_msg("\"%s\" is taken for a size", wrong[i]);
	for (int i = 0; i < RIP_BENCH_SIZES_MAX; i++)
		assert_int_equal(rip_bench_add_size(&bench, "1K"), 0);
	assert_int_equal(rip_bench_add_size(&bench, "1K"), -E2BIG);
}

/* No row that an engine would not see, no two planes alike, nothing outside. */
TEST(picture)
{
	enum { WIDTH = 517, HEIGHT = 600, PITCH = 600 };
	AUTO_FREE uint8_t *one = malloc(PITCH * HEIGHT), *two = malloc(PITCH * HEIGHT);
	AUTO_FREE uint16_t *deep = malloc(2 * PITCH * HEIGHT);
	unsigned seen[256] = { 0 }, tones = 0;

	memset(one, 0xee, PITCH * HEIGHT);
	rip_bench_picture(one, WIDTH, HEIGHT, PITCH, 8, 0);
	rip_bench_picture(two, WIDTH, HEIGHT, PITCH, 8, 1);
	rip_bench_picture(deep, WIDTH, HEIGHT, 2 * PITCH, 16, 0);
	for (int i = 0; i < HEIGHT; i++) {
		for (int j = 0; j < WIDTH; j++) {
			assert_in_range(one[i * PITCH + j], 1, 254);
			assert_int_equal(deep[i * PITCH + j] >> 8, one[i * PITCH + j]);
			seen[one[i * PITCH + j]]++;
		}
		assert_memory_not_equal(one + i * PITCH, two + i * PITCH, WIDTH);
		if (i > 0)
			assert_memory_not_equal(one + i * PITCH, one + (i - 1) * PITCH, WIDTH);
		for (int j = WIDTH; j < PITCH; j++)
			assert_int_equal(one[i * PITCH + j], 0xee);
	}
	for (int v = 0; v < 256; v++)
		tones += seen[v] > 0;
	assert_true(tones > 120);
}

/* ---- an engine that makes a mistake ---- */

static const struct rip_engine_ops *real_ops;
static int pulls, mistake_at;

static int wrong_push(struct rip_page *page, const struct rip_strip *strips, unsigned count)
{
	int r = real_ops->push(page, strips, count);

	if (++pulls == mistake_at) {
		/* one dot, anywhere */
		const struct rip_strip *strip = &strips[rip_test_random() % count];
		uint8_t *row = strip->out +
			       (ptrdiff_t)(rip_test_random() % strip->rows) * strip->out_pitch;

		row[0] ^= 0x80;
	}
	return r;
}

static int run_with_mistake(int at, char **said)
{
	AUTO_FREE struct rip_bench *bench = calloc(1, sizeof *bench);
	struct rip_cpu_config config = { .method = RIP_METHOD_EC, .isa = "c", .threads = 1 };
	struct rip_engine_ops ops;
	struct rip_capture capture;
	int r;

	bench->planes = 2;
	bench->levels = 3;
	bench->screen = &rip_screens[RIP_FLOYD_STEINBERG];
	bench->sample_bits = 8;
	bench->runs = 4;
	bench->method_count = 1;
	bench->methods[0].method = RIP_METHOD_EC;
	assert_int_equal(rip_engine_cpu_new(&config, &bench->methods[0].engine), 0);
	real_ops = bench->methods[0].engine->ops;
	ops = *real_ops;
	ops.push = wrong_push;
	bench->methods[0].engine->ops = &ops;
	assert_int_equal(rip_bench_add_size(bench, "65x40"), 0);
	pulls = 0;
	mistake_at = at;
	rip_capture_begin(&capture);
	r = rip_bench_run(bench, 0);
	*said = rip_capture_end(&capture);
	if (r == 0) {
		const struct rip_bench_result *result = &bench->methods[0].results[0];

		assert_int_equal(result->runs, 4);
		assert_true(result->min_ms > 0 && result->min_ms <= result->median_ms &&
			    result->median_ms <= result->max_ms);
	}
	bench->methods[0].engine->ops = real_ops;
	real_ops->free(bench->methods[0].engine);
	return r;
}

TEST(wrong_dots)
{
	char *said;

	assert_int_equal(run_with_mistake(0, &said), 0);
	assert_string_equal(said, "");
	free(said);
	for (int at = 1; at <= 5; at++) { /* also when it warms up */
		assert_int_equal(run_with_mistake(at, &said), -EILSEQ);
		assert_non_null(strstr(said, "ec at 65x40: the dots are WRONG"));
		free(said);
	}
}
