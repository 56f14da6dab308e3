/*
 * Pages for tests: samples that depend on their position, with transparent rows and bands, and
 * the expected dots.
 */
#ifndef RIP_SAMPLE_PAGE_H
#define RIP_SAMPLE_PAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/define_dots.h"

/* A row of a plane. */
__attribute__((unused)) static void sample_page_row(const struct rip_page_spec *spec, uint32_t p,
						    uint32_t y, uint8_t *row)
{
	const uint32_t bytes = spec->width * (spec->sample_bits / 8);

	/* Text, margins of 24 rows, and a plane that is never used. */
	if ((y + p) % 5 == 3 || y / 24 % 4 == 2 || p == 5)
		memset(row, y & 1 ? 0xff : 0, bytes);
	else
		for (uint32_t x = 0; x < bytes; x++)
			row[x] = (uint8_t)((x * 7 + y * 13 + p * 101) ^ (x * y >> 4));
}

/* Commits the next `rows` rows of a page to a band; y: the first one's number. */
__attribute__((unused)) static void sample_page_fill(const struct rip_page_spec *spec,
						     struct rip_band *band, uint32_t y,
						     uint32_t rows)
{
	for (uint32_t end = y + rows; y < end; y++)
		for (uint32_t p = 0; p < spec->planes; p++) {
			sample_page_row(spec, p, y, rip_band_row(band, p));
			rip_band_commit(band, p);
		}
}

/* The whole page in one band, halftoned by the engine that defines the dots. */
__attribute__((unused)) static struct rip_band *sample_page_dots(const struct rip_page_spec *spec,
								 uint32_t height,
								 enum rip_start start)
{
	struct rip_band *band;

	if (rip_band_new(spec, height, &band) < 0)
		abort();
	sample_page_fill(spec, band, 0, height);
	define_dots(spec, start, band, NULL);
	return band;
}

/* Whether a band has the dots of the page's rows from y on. */
__attribute__((unused)) static int sample_page_same(const struct rip_page_spec *spec,
						    const struct rip_band *page,
						    const struct rip_band *band, uint32_t y)
{
	const size_t bytes = rip_dot_bytes(spec->width, spec->levels);

	for (uint32_t i = 0; i < rip_band_rows(band); i++)
		for (uint32_t p = 0; p < spec->planes; p++)
			if (memcmp(rip_band_dots(page, p, y + i), rip_band_dots(band, p, i), bytes))
				return 0;
	return 1;
}

#endif
