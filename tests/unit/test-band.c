/* Bands, transparent rows, and the splitting of chunked lines. */
#include "tests/tools/testing.h"

#include "halftone/page/band.h"
#include "halftone/page/rows.h"
#include "halftone/page/transparent.h"
#include "tests/tools/define_dots.h"

/* A dot of a packed row. */
static uint32_t dot(const uint8_t *dots, uint32_t bits, uint32_t j)
{
	return dots[j * bits / 8] >> (8 - bits - j * bits % 8) & ((1u << bits) - 1);
}

/* Fills a row: kind 0: any samples; 1: only 0 and full; 2: that, but one spot. */
static void fill(const struct rip_page_spec *spec, void *row, int kind)
{
	const uint32_t full = (1u << spec->sample_bits) - 1;
	const uint32_t spot = rip_test_below(spec->width);

	for (uint32_t j = 0; j < spec->width; j++) {
		uint32_t v = kind == 0 ? rip_test_below(full + 1) : rip_test_below(2) * full;

		if (kind == 2 && j == spot)
			v = rip_test_below(2) ? 1 : full - 1;
		if (spec->sample_bits == 8)
			((uint8_t *)row)[j] = (uint8_t)v;
		else
			((uint16_t *)row)[j] = (uint16_t)v;
	}
}

static uint32_t x_of(const struct rip_page_spec *spec, const void *row, uint32_t j)
{
	const uint32_t v = spec->sample_bits == 8 ? ((const uint8_t *)row)[j]
						  : ((const uint16_t *)row)[j];

	return spec->curve ? spec->curve[v] : spec->sample_bits == 8 ? v * 257 : v;
}

/* A curve that is steep enough to make 0 and full out of many samples. */
static uint16_t *new_curve(uint32_t sample_bits)
{
	const uint32_t n = 1u << sample_bits;
	uint16_t *curve = malloc(n * sizeof *curve);

	assert_non_null(curve);
	for (uint32_t v = 0; v < n; v++)
		curve[v] = (uint16_t)(rip_test_below(3) ? rip_test_below(65536) :
				      rip_test_below(2) ? 0 :
							  65535);
	return curve;
}

static bool is_transparent(const struct rip_page_spec *spec, const void *row)
{
	for (uint32_t j = 0; j < spec->width; j++)
		if (x_of(spec, row, j) != 0 && x_of(spec, row, j) != RIP_FULL)
			return false;
	return true;
}

/* Puts rows into a plane of an empty band, some at a time, and into the copy. */
static void put_rows(const struct rip_page_spec *spec, struct rip_band *band, uint32_t plane,
		     uint32_t rows, uint8_t *copy)
{
	const size_t bytes = (size_t)spec->width * spec->sample_bits / 8;

	for (uint32_t i = 0, n; i < rows; i += n) {
		const uint32_t room = rip_band_room(band, plane);
		uint8_t *at = rip_band_row(band, plane);

		assert_in_range(room, 1, rip_band_capacity(band) - i);
		if (bytes % 1024)
			assert_int_equal(room, rip_band_capacity(band) - i);
		n = 1 + rip_test_below(room < rows - i ? room : rows - i);
		for (uint32_t k = 0; k < n; k++)
			fill(spec, at + k * bytes, (int)rip_test_below(3));
		memcpy(copy + i * bytes, at, n * bytes);
		if (n == 1)
			rip_band_commit(band, plane);
		else
			rip_band_commit_rows(band, plane, n);
	}
	if (rows == rip_band_capacity(band))
		assert_int_equal(rip_band_room(band, plane), 0);
}

/* Puts rows into all planes of an empty band, whose copies are copy_bytes apart: some as lines of
 * pixels that stay so until the band moves back, the others then as lines or as rows. */
static void put_pixels(const struct rip_page_spec *spec, struct rip_band *band, uint32_t rows,
		       uint8_t *copy, size_t copy_bytes)
{
	const size_t sample = spec->sample_bits / 8, bytes = spec->width * sample;
	const uint32_t step = spec->planes + rip_test_below(2), away = rip_test_below(rows + 1);
	const size_t pitch = step * bytes + 2 * rip_test_below(3);
	const size_t room = rip_band_pixels_size(spec, rip_band_capacity(band), pitch);
	AUTO_FREE uint8_t *memory = aligned_alloc(64, (room + 63) / 64 * 64);
	AUTO_FREE uint8_t *line = calloc(1, pitch);

	rip_band_move_to_pixels(band, memory, pitch, step, NULL);
	for (uint32_t i = 0; i < rows; i++) {
		if (i == away)
			rip_band_move_back(band);

		const bool apart = i >= away && rip_test_below(2);

		for (uint32_t p = 0; p < spec->planes; p++) {
			uint8_t *row = copy + p * copy_bytes + i * bytes;

			fill(spec, row, (int)rip_test_below(5) % 3);
			for (uint32_t j = 0; j < spec->width; j++)
				memcpy(line + (j * step + p) * sample, row + j * sample, sample);
			if (!apart)
				continue;
			memcpy(rip_band_row(band, p), row, bytes);
			rip_band_commit(band, p);
		}
		if (!apart)
			rip_band_commit_lines(band, line, pitch, step, 1);
	}
	rip_band_move_back(band);
}

TEST(rows_find_their_dots)
{
	for (int round = 0; round < 400; round++) {
		struct rip_page_spec spec = {
			.width = rip_test_below(8) ? 1 + rip_test_below(200) :
						     512u << rip_test_below(3),
			.planes = 1 + rip_test_below(4),
			.levels = 2 + rip_test_below(15),
			.sample_bits = rip_test_below(2) ? 8 : 16,
			.screen = &rip_screens[rip_test_below(3) ? rip_test_below(RIP_SCREENS) :
								   RIP_BLUE_NOISE_COLOUR],
		};
		AUTO_FREE uint16_t *curve = rip_test_below(3) ? NULL : new_curve(spec.sample_bits);
		const uint32_t capacity = 1 + rip_test_below(40), bits = rip_dot_bits(spec.levels);
		const size_t row_bytes = (size_t)spec.width * spec.sample_bits / 8;
		const size_t dot_bytes = rip_dot_bytes(spec.width, spec.levels);
		struct rip_band *band;
		struct rip_strip strips[4];
		AUTO_FREE uint8_t *copy;

		spec.curve = curve;
		assert_int_equal(rip_band_new(&spec, capacity, &band), 0);
		copy = malloc(spec.planes * capacity * row_bytes);
		for (int again = 0; again < 2; again++) { /* a band is used many times */
			const uint32_t rows = 1 + rip_test_below(capacity);
			const uint32_t first_row = rip_test_below(100000);
			unsigned count;

			rip_band_reset(band, first_row);
			if (spec.planes > 1 && rip_test_below(2))
				put_pixels(&spec, band, rows, copy, capacity * row_bytes);
			else
				for (uint32_t p = 0; p < spec.planes; p++)
					put_rows(&spec, band, p, rows,
						 copy + p * capacity * row_bytes);
			assert_int_equal(rip_band_rows(band), rows);
			count = rip_band_strips(band, strips);
			/* Stand in for an engine: row g gets the byte g + 1. */
			for (unsigned s = 0; s < count; s++)
				for (uint32_t g = 0; g < strips[s].rows; g++)
					memset(strips[s].out + g * strips[s].out_pitch, (int)g + 1,
					       dot_bytes);
			for (uint32_t p = 0; p < spec.planes; p++) {
				uint32_t grey = 0;
				const struct rip_strip *strip = NULL;

				for (unsigned s = 0; s < count; s++)
					if (strips[s].plane == p)
						strip = &strips[s];
				for (uint32_t i = 0; i < rows; i++) {
					const uint8_t *in = copy + (p * capacity + i) * row_bytes;
					const uint8_t *dots = rip_band_dots(band, p, i);
					bool transparent = is_transparent(&spec, in);

					/* Coupled planes: only rows that are so in all are
					 * dropped. */
					for (uint32_t q = 0;
					     rip_screen_couples(spec.screen) && q < spec.planes;
					     q++)
						transparent &=
							is_transparent(&spec,
								       copy + (q * capacity + i) *
										       row_bytes);
					if (!transparent) {
						assert_non_null(strip);
						assert_int_equal(strip->row_numbers[grey],
								 first_row + i);
						assert_memory_equal((const uint8_t *)strip->in +
								    grey * strip->in_pitch,
								    in, row_bytes);
						for (size_t b = 0; b < dot_bytes; b++)
							assert_int_equal(dots[b],
									 (uint8_t)(grey + 1));
						grey++;
						continue;
					}
					for (uint32_t j = 0; j < spec.width; j++)
						assert_int_equal(dot(dots, bits, j),
								 x_of(&spec, in, j) ?
									 spec.levels - 1 :
									 0);
					for (uint32_t j = spec.width * bits; j < dot_bytes * 8; j++)
						assert_int_equal(dot(dots, 1, j), 0);
				}
				assert_int_equal(strip ? strip->rows : 0, grey);
			}
		}
		rip_band_free(band);
	}
}

TEST(chunked_lines_come_apart)
{
	for (int round = 0; round < 500; round++) {
		const uint32_t width = 1 + rip_test_below(300), stride = 1 + rip_test_below(6);
		const uint32_t count = 1 + rip_test_below(stride),
			       bytes = rip_test_below(2) ? 1 : 2;
		AUTO_FREE uint8_t *in = malloc((size_t)width * stride * bytes);
		void *planes[6];

		for (size_t i = 0; i < (size_t)width * stride * bytes; i++)
			in[i] = (uint8_t)rip_test_random();
		for (uint32_t c = 0; c < count; c++)
			planes[c] = malloc((size_t)width * bytes);
		rip_split(in, width, stride, bytes * 8, planes, count);
		for (uint32_t c = 0; c < count; c++) {
			for (uint32_t j = 0; j < width; j++)
				assert_memory_equal((uint8_t *)planes[c] + j * bytes,
						    in + ((size_t)j * stride + c) * bytes, bytes);
			free(planes[c]);
		}
	}
}

TEST(impossible_bands_are_refused)
{
	struct rip_page_spec spec = PLAIN_PAGE(10, 1);
	struct rip_band *band;

	assert_true(rip_band_new(&spec, 0, &band) < 0);
	assert_null(band);
	spec.width = 0;
	assert_true(rip_band_new(&spec, 4, &band) < 0);
	assert_null(band);
	rip_band_free(NULL);
}
