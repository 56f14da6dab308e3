/* Rows of packed dots against one dot after the other. */
#include "tests/tools/testing.h"

#include <stdbool.h>
#include <string.h>

#include "filter/dots.h"

#define WIDTH_MAX  300
#define PLANES_MAX 15
#define CANARY     0xc3
#define ROOM       (WIDTH_MAX * 4 * PLANES_MAX / 8 + 64)

static uint32_t below(uint32_t n)
{
	return (uint32_t)(rip_test_random() % n);
}

static uint32_t dot(const uint8_t *row, uint32_t bits, uint32_t j)
{
	return row[j * bits / 8] >> (8 - bits - j * bits % 8) & ((1u << bits) - 1);
}

/* A row of dots below `levels`; the unused bits are such dots, too. */
static void fill(uint8_t *row, uint32_t width, uint32_t bits, uint32_t levels)
{
	memset(row, 0, rip_dots_bytes(width, bits));
	for (uint32_t j = 0; j < rip_dots_bytes(width, bits) * 8 / bits; j++)
		row[j * bits / 8] |= (uint8_t)(below(levels) << (8 - bits - j * bits % 8));
}

/* The bits behind the last dot are 0, and the byte behind them was left alone. */
static void check_end(const uint8_t *row, uint32_t width, uint32_t bits)
{
	for (uint32_t j = width * bits; j < rip_dots_bytes(width, bits) * 8; j++)
		assert_int_equal(dot(row, 1, j), 0);
	assert_int_equal(row[rip_dots_bytes(width, bits)], CANARY);
}

static void copied(void **state)
{
	uint8_t from[ROOM], to[ROOM];

	(void)state;
	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (int round = 0; round < 8; round++) {
			const uint32_t bits = 1u << below(3), levels = 2 + below((1u << bits) - 1);
			const bool invert = below(2);

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

static void joined(void **state)
{
	static uint8_t from[PLANES_MAX][ROOM], to[ROOM];
	const uint8_t *planes[PLANES_MAX];

	(void)state;
	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (uint32_t count = 2; count <= PLANES_MAX; count++) {
			const uint32_t bits = 1u << below(3);

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

static void split(void **state)
{
	static uint8_t from[ROOM], to[PLANES_MAX][ROOM];
	uint8_t *planes[PLANES_MAX];

	(void)state;
	for (uint32_t width = 1; width <= WIDTH_MAX; width++)
		for (uint32_t stride = 2; stride <= PLANES_MAX; stride++) {
			const uint32_t count = 1 + below(stride), first = below(stride - count + 1);

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copied), cmocka_unit_test(joined), cmocka_unit_test(split),
	};

	return rip_test_run(tests);
}
