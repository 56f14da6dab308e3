/*
 * compare-dots EXPECTED PRINTED: whether two sets of pages (dots.h) have the same
 * dots.  White around a page, and a plane that is missing because nothing is in
 * it, are no difference: some languages tell neither.  An expected set that is
 * all white is refused, since it would prove nothing.
 *
 * Exit status: 0 the same, 1 they differ (with the first place), 2 trouble.
 */
#include "dot_planes.h"

#include <stdio.h>
#include <string.h>

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Counts what is not white. */
static uint64_t ink_of(const uint8_t *level, uint32_t width)
{
	uint64_t ink = 0;

	for (uint32_t x = 0; x < width; x++)
		ink += level[x] != 0;
	return ink;
}

/* A row that both pages have, and that is the same in both, with its ink. */
static bool same_row(const struct dots *a, const struct dots *b, uint32_t plane, uint32_t y,
		     uint64_t *ink)
{
	const uint32_t width = a->width < b->width ? a->width : b->width;
	const uint8_t *of_a, *of_b;

	if (plane >= a->planes || plane >= b->planes || y >= a->height || y >= b->height)
		return false;
	of_a = a->level[plane] + (size_t)y * a->pitch;
	of_b = b->level[plane] + (size_t)y * b->pitch;
	if (memcmp(of_a, of_b, width) || ink_of(of_a + width, a->width - width) ||
	    ink_of(of_b + width, b->width - width))
		return false;
	*ink += ink_of(of_a, width);
	return true;
}

/* How many dots differ; counts what is not white in *ink. */
static uint64_t compare(const struct dots *expected, const struct dots *printed, unsigned number,
			uint64_t *ink)
{
	uint32_t width = larger(expected->width, printed->width);
	uint32_t height = larger(expected->height, printed->height);
	uint32_t planes = larger(expected->planes, printed->planes);
	uint64_t differ = 0;

	for (uint32_t p = 0; p < planes; p++)
		for (uint32_t y = 0; y < height; y++) {
			if (same_row(expected, printed, p, y, ink))
				continue;
			for (uint32_t x = 0; x < width; x++) {
				unsigned a = dots_get(expected, p, x, y);
				unsigned b = dots_get(printed, p, x, y);

				*ink += a != 0;
				if (a == b)
					continue;
				if (!differ++)
					printf("page %u, plane %u, column %u, row %u: %u is "
					       "expected, "
					       "%u was printed\n",
					       number, p + 1, x, y, a, b);
			}
		}
	return differ;
}

int main(int argc, char **argv)
{
	uint64_t differ = 0, ink = 0;
	unsigned number = 1;

	if (argc != 3)
		die("usage: compare-dots EXPECTED PRINTED");
	for (;; number++) {
		struct dots expected, printed;
		bool have = dots_read(&expected, argv[1], number);

		if (have != dots_read(&printed, argv[2], number)) {
			printf("page %u is %s\n", number, have ? "missing" : "too much");
			return 1;
		}
		if (!have)
			break;
		differ += compare(&expected, &printed, number, &ink);
		dots_finish(&expected);
		dots_finish(&printed);
	}
	if (!ink)
		die("%s: no page, or nothing but white", argv[1]);
	if (differ)
		printf("%llu dots differ\n", (unsigned long long)differ);
	else
		printf("%u pages, %llu dots: the same\n", number - 1, (unsigned long long)ink);
	return differ != 0;
}
