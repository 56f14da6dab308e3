/* Rows of packed dots against one dot after the other. */
#include "tests/tools/testing.h"

#include <math.h>

#include "filter/page/dots.h"

#define WIDTH_MAX  300
#define WIDE_MAX   3000
#define PLANES_MAX 15
#define CANARY     0xc3
#define ROOM       (WIDTH_MAX * 4 * PLANES_MAX / 8 + 64)

static uint32_t dot(const uint8_t *row, uint32_t bits, uint32_t j)
{
	return row[j * bits / 8] >> (8 - bits - j * bits % 8) & ((1u << bits) - 1);
}

/* A row of dots below `levels`; the unused bits are such dots, too. */
static void fill(uint8_t *row, uint32_t width, uint32_t bits, uint32_t levels)
{
	memset(row, 0, rip_dots_bytes(width, bits));
	for (uint32_t j = 0; j < rip_dots_bytes(width, bits) * 8 / bits; j++)
		row[j * bits / 8] |= (uint8_t)(rip_test_below(levels) << (8 - bits - j * bits % 8));
}

/* The bits behind the last dot are 0, and the byte behind them was left alone. */
static void check_end(const uint8_t *row, uint32_t width, uint32_t bits)
{
	for (uint32_t j = width * bits; j < rip_dots_bytes(width, bits) * 8; j++)
		assert_int_equal(dot(row, 1, j), 0);
	assert_int_equal(row[rip_dots_bytes(width, bits)], CANARY);
}

TEST(copied)
{
	uint8_t from[ROOM], to[ROOM];

	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (int round = 0; round < 8; round++) {
			const uint32_t bits = 1u << rip_test_below(3),
				       levels = 2 + rip_test_below((1u << bits) - 1);
			const bool invert = rip_test_below(2);

			fill(from, width, bits, levels);
			memset(to, CANARY, sizeof to);
			rip_dots_copy(from, width, bits, levels, invert, to);
			for (uint32_t j = 0; j < width; j++)
				assert_int_equal(dot(to, bits, j),
						 invert ? levels - 1 - dot(from, bits, j) :
							  dot(from, bits, j));
			check_end(to, width, bits);
		}
}

TEST(joined)
{
	static uint8_t from[PLANES_MAX][ROOM], to[ROOM];
	const uint8_t *planes[PLANES_MAX];

	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (uint32_t count = 2; count <= PLANES_MAX; count++) {
			const uint32_t bits = 1u << rip_test_below(3);

			for (uint32_t p = 0; p < count; p++) {
				fill(from[p], width, bits, 1u << bits);
				planes[p] = from[p];
			}
			memset(to, CANARY, sizeof to);
			rip_dots_join(planes, width, bits, count, to);
			for (uint32_t j = 0; j < width * count; j++)
				assert_int_equal(dot(to, bits, j),
						 dot(from[j % count], bits, j / count));
			check_end(to, width * count, bits);
		}
}

TEST(split)
{
	static uint8_t from[ROOM], to[PLANES_MAX][ROOM];
	uint8_t *planes[PLANES_MAX];

	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (uint32_t stride = 2; stride <= PLANES_MAX; stride++) {
			const uint32_t count = 1 + rip_test_below(stride),
				       first = rip_test_below(stride - count + 1);

			fill(from, width * stride, 1, 2);
			for (uint32_t p = 0; p < count; p++) {
				memset(to[p], CANARY, sizeof to[p]);
				planes[p] = to[p];
			}
			rip_dots_split(from, width, stride, first, count, planes);
			for (uint32_t p = 0; p < count; p++) {
				for (uint32_t j = 0; j < width; j++)
					assert_int_equal(dot(to[p], 1, j),
							 dot(from, 1, j * stride + first + p));
				check_end(to[p], width, 1);
			}
		}
}

/* Wide rows with long stretches of one value, which are filled and not taken apart.  Nothing
 * behind the row may be read. */
TEST(split_wide)
{
	static uint8_t to[PLANES_MAX][WIDE_MAX / 8 + 64];
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t room = (WIDE_MAX * PLANES_MAX / 8 / page + 1) * page;
	uint8_t *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *planes[PLANES_MAX];

	assert_true(memory != MAP_FAILED);
	assert_int_equal(mprotect(memory + room, page, PROT_NONE), 0);

	for (int round = 0; round < 1000; round++) {
		/* also just below and just above a multiple of what is filled at once */
		const uint32_t width = rip_test_below(2) ? 500 + rip_test_below(WIDE_MAX - 500) :
							   512 * (1 + rip_test_below(5)) +
								   rip_test_below(20) - 10;
		const uint32_t stride = 2 + rip_test_below(PLANES_MAX - 1);
		const uint32_t count = 1 + rip_test_below(stride),
			       first = rip_test_below(stride - count + 1);
		const uint32_t bytes = rip_dots_bytes(width, stride);
		uint8_t *const from = memory + room - bytes;

		memset(from, rip_test_below(2) ? 0xff : 0, bytes);
		for (uint32_t i = rip_test_below(4); i > 0;
		     i--) { /* other values, and stray dots */
			const uint32_t at = rip_test_below(bytes);

			memset(from + at, (int)rip_test_below(256), 1 + rip_test_below(bytes - at));
		}
		for (uint32_t i = rip_test_below(4); i > 0; i--)
			from[rip_test_below(bytes)] ^= 1u << rip_test_below(8);
		for (uint32_t p = 0; p < count; p++) {
			memset(to[p], CANARY, sizeof to[p]);
			planes[p] = to[p];
		}
		rip_dots_split(from, width, stride, first, count, planes);
		for (uint32_t p = 0; p < count; p++) {
			for (uint32_t j = 0; j < width; j++)
				assert_int_equal(dot(to[p], 1, j),
						 dot(from, 1, j * stride + first + p));
			check_end(to[p], width, 1);
		}
	}
	munmap(memory, room + page);
}

/* A white row costs its bytes, not its dots: a page that a few kilobytes of compressed lines
 * announce has a thousand times as many.  The bar is a copy of the row, far from both what
 * this takes (about 1 copy) and what a dot at a time takes (more than 100). */
TEST(split_white_fast)
{
	enum { PLANES = 4, WIDTH = 4 << 20, BYTES = WIDTH / 8 * PLANES };
	AUTO_FREE uint8_t *from = calloc(2, BYTES), *copy = calloc(2, BYTES);
	uint8_t *planes[PLANES];
	double split_s = 1e9, copy_s = 1e9;

	assert_non_null(from);
	assert_non_null(copy);
	for (int p = 0; p < PLANES; p++)
		planes[p] = copy + (size_t)p * WIDTH / 8;
	for (int run = 0; run < 7; run++) { /* the best of them: others work here, too */
		struct timespec a, b, c;

		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
		memcpy(copy, from + run, BYTES);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
		rip_dots_split(from, WIDTH, PLANES, 0, PLANES, planes);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &c);
		copy_s = fmin(copy_s, (double)(b.tv_sec - a.tv_sec) +
					      (double)(b.tv_nsec - a.tv_nsec) / 1e9);
		split_s = fmin(split_s, (double)(c.tv_sec - b.tv_sec) +
						(double)(c.tv_nsec - b.tv_nsec) / 1e9);
	}
	print_message("# a white row of 4 x %d dots: %.2f ms, a copy of it %.2f ms\n", WIDTH,
		      split_s * 1e3, copy_s * 1e3);
	if (!RIP_TEST_SANITIZED)
		assert_true(split_s < 20 * copy_s);
}
