/* Sizes of printer data. */
#include "printer_data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t packbits_size(const uint8_t *bytes, size_t count)
{
	size_t size = 0, at = 0;

	while (at < count) {
		size_t run = 1;

		while (at + run < count && run < 128 && bytes[at + run] == bytes[at])
			run++;
		if (run > 1) {
			size += 2;
			at += run;
			continue;
		}
		/* Literals up to the next run of three: a run of two costs as much either way. */
		for (run = 1; at + run < count && run < 128; run++)
			if (at + run + 2 < count && bytes[at + run] == bytes[at + run + 1] &&
			    bytes[at + run] == bytes[at + run + 2])
				break;
		size += 1 + run;
		at += run;
	}
	return size;
}

/* Lengths of the codes of T.4, tables 2 and 3: runs of 0 to 63, and multiples of 64. */
static const uint8_t light_run[64] = {
	8, 6, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
};
static const uint8_t light_long[28] = {
	0, 5, 5, 6, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 6, 9,
};
static const uint8_t ink_run[64] = {
	10, 3,  2,  2,  3,  4,  4,  5,  6,  6,  7,  7,  7,  8,  8,  9,  10, 10, 10, 11, 11, 11,
	11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
};
static const uint8_t ink_long[28] = {
	0,  10, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13,
	13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
};

static uint64_t run_bits(uint32_t run, bool ink)
{
	uint64_t bits = 0;

	for (; run >= 2560 + 64; run -= 2560)
		bits += 12;
	if (run >= 1792) { /* the common codes of long runs */
		bits += run < 1984 ? 11 : 12;
		run %= 64;
	} else if (run >= 64) {
		bits += ink ? ink_long[run / 64] : light_long[run / 64];
		run %= 64;
	}
	return bits + (ink ? ink_run[run] : light_run[run]);
}

/* The next column after `at` where the colour changes; at is -1 before the row. */
static uint32_t change(const uint8_t *row, int64_t at, uint32_t width)
{
	const bool ink = at >= 0 && row[at];
	uint32_t j = (uint32_t)(at + 1);

	while (j < width && !row[j] == !ink)
		j++;
	return j;
}

uint64_t group4_bits(const uint8_t *above, const uint8_t *row, uint32_t width)
{
	int64_t a0 = -1;
	bool ink = false;
	uint64_t bits = 0;

	while (a0 < (int64_t)width) {
		const uint32_t from = a0 < 0 ? 0 : (uint32_t)a0;
		uint32_t a1 = from, b1 = (uint32_t)(a0 + 1), b2;

		while (a1 < width && !row[a1] == !ink)
			a1++;
		/* b1: above, right of a0, where a run of the other colour begins. */
		for (; b1 < width; b1++) {
			const bool here = above[b1], before = b1 > 0 && above[b1 - 1];

			if (here != ink && before == ink)
				break;
		}
		b2 = b1 < width ? change(above, b1, width) : width;
		if (b2 < a1) { /* pass */
			bits += 4;
			a0 = b2;
		} else if (a1 <= b1 + 3 && b1 <= a1 + 3) { /* vertical */
			const uint32_t d = a1 > b1 ? a1 - b1 : b1 - a1;

			bits += d == 0 ? 1 : d == 1 ? 3 : d == 2 ? 6 : 7;
			a0 = a1;
			ink = !ink;
			if (a1 >= width)
				break;
		} else { /* horizontal */
			uint32_t a2 = a1;

			while (a2 < width && !row[a2] != !ink)
				a2++;
			bits += 3 + run_bits(a1 - from, ink) + run_bits(a2 - a1, !ink);
			a0 = a2;
			if (a2 >= width)
				break;
		}
	}
	return bits;
}

void measure_printer_data(const uint8_t *dots, uint32_t width, uint32_t height,
			  struct printer_data *data)
{
	const size_t size = (width + 7) / 8;
	uint8_t *packed = malloc(size), *rows = calloc(2, width);
	uint64_t bits = 24; /* the end: EOFB */

	*data = (struct printer_data){ .plain = (uint64_t)size * height };
	if (!packed || !rows)
		abort();
	for (uint32_t i = 0; i < height; i++) {
		uint8_t *row = rows + (size_t)(i & 1) * width,
			*above = rows + (size_t)(~i & 1) * width;
		uint8_t last = 0;

		memset(packed, 0, size);
		for (uint32_t j = 0; j < width; j++) {
			row[j] = !dots[(size_t)i * width + j];
			packed[j / 8] |= (uint8_t)(row[j] << (7 - j % 8));
			data->transitions += row[j] != last;
			last = row[j];
		}
		data->transitions += last;
		data->packbits += packbits_size(packed, size);
		bits += group4_bits(above, row, width);
	}
	data->group4 = (bits + 7) / 8;
	free(packed);
	free(rows);
}
