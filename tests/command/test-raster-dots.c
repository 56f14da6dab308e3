/* riptide halftone against the oracle: CUPS raster, written and read by libcups. */
#include "tests/tools/testing.h"

#include <cups/raster.h>

#include "tests/command/halftone_plan.h"

/* A kind of page. */
struct kind {
	cups_cspace_t space;
	cups_order_t  order;
	unsigned      colours, bits, width, height;
	bool          inverted; /* one light comes in, one ink goes out */
};

static const struct kind kinds[] = {
	{ CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 1, 8, 65, 40, false },
	{ CUPS_CSPACE_W, CUPS_ORDER_CHUNKED, 1, 8, 63, 17, true },
	{ CUPS_CSPACE_SW, CUPS_ORDER_CHUNKED, 1, 16, 7, 33, true },
	{ CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 1, 8, 1, 9, false },
	{ CUPS_CSPACE_RGB, CUPS_ORDER_CHUNKED, 3, 8, 64, 21, false },
	{ CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 4, 16, 31, 22, false },
	{ CUPS_CSPACE_CMYK, CUPS_ORDER_BANDED, 4, 8, 130, 23, false },
	{ CUPS_CSPACE_KCMY, CUPS_ORDER_PLANAR, 4, 8, 77, 24, false },
	{ CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 1, 8, 4961, 12, false },
};

static const unsigned resolution[2] = { 300, 600 }; /* of all pages */

#define KINDS (sizeof kinds / sizeof kinds[0])

/* Samples of a page: [plane][row][column]. */
static uint16_t *make_samples(const struct kind *kind)
{
	const size_t rows = (size_t)kind->colours * kind->height;
	const unsigned full = (1u << kind->bits) - 1;
	uint16_t *samples = malloc(rows * kind->width * sizeof *samples);

	assert_non_null(samples);
	for (size_t i = 0; i < rows; i++)
		for (unsigned j = 0; j < kind->width; j++)
			samples[i * kind->width + j] =
				(uint16_t)(i % 7 == 2 ? 0
					   : i % 7 == 5 ? full
							: rip_test_random() % (full + 1));
	return samples;
}

static ssize_t write_fd(void *context, unsigned char *bytes, size_t size)
{
	return write(*(int *)context, bytes, size);
}

static ssize_t read_fd(void *context, unsigned char *bytes, size_t size)
{
	return read(*(int *)context, bytes, size);
}

static void put_page(cups_raster_t *raster, const struct kind *kind, const uint16_t *samples)
{
	const bool chunked = kind->order == CUPS_ORDER_CHUNKED;
	const size_t size = kind->bits / 8;
	cups_page_header2_t header = {
		.HWResolution = { resolution[0], resolution[1] },
		.PageSize = { 100, 100 },
		.NumCopies = 3,
		.cupsWidth = kind->width,
		.cupsHeight = kind->height,
		.cupsBitsPerColor = kind->bits,
		.cupsBitsPerPixel = kind->bits * (chunked ? kind->colours : 1),
		.cupsColorOrder = kind->order,
		.cupsColorSpace = kind->space,
		.cupsNumColors = kind->colours,
		.cupsInteger = { 1, 2, 3 },
	};
	const unsigned in_line = kind->order == CUPS_ORDER_PLANAR ? 1 : kind->colours;
	const size_t plane = (size_t)kind->width * kind->height;
	AUTO_FREE uint8_t *line;

	header.cupsBytesPerLine = (unsigned)(kind->width * size * in_line);
	line = malloc(header.cupsBytesPerLine);
	assert_true(cupsRasterWriteHeader2(raster, &header));
	for (unsigned i = 0; i < kind->height * (kind->colours / in_line); i++) {
		for (unsigned p = 0; p < in_line; p++)
			for (unsigned j = 0; j < kind->width; j++) {
				size_t at = chunked ? (size_t)j * in_line + p :
						      (size_t)p * kind->width + j;
				uint16_t v = samples[p * plane + (size_t)i * kind->width + j];

				if (size == 2)
					memcpy(line + at * 2, &v, 2);
				else
					line[at] = (uint8_t)v;
			}
		assert_int_equal(cupsRasterWritePixels(raster, line, header.cupsBytesPerLine),
				 header.cupsBytesPerLine);
	}
}

/* Reads a page that came out, and compares every dot. */
static void check_page(cups_raster_t *raster, const struct kind *kind, const struct plan *plan,
		       const uint16_t *samples)
{
	const size_t count = (size_t)kind->width * kind->height;
	const unsigned bits = oracle_bits(plan->levels);
	const size_t plane_bytes = ((size_t)kind->width * bits + 7) / 8;
	const bool planar = kind->order == CUPS_ORDER_PLANAR;
	AUTO_FREE uint16_t *x = malloc(count * sizeof *x);
	AUTO_FREE uint8_t *level = malloc(count * kind->colours);
	AUTO_FREE uint8_t *line;
	cups_page_header2_t header;

	for (unsigned p = 0; p < kind->colours; p++) {
		for (size_t i = 0; i < count; i++)
			x[i] = plan_tone(plan, kind->bits == 8 ? oracle_x8(samples[p * count + i]) :
					 samples[p * count + i]);
		plan_levels(plan, x, kind->width, kind->height, kind->space, resolution, p,
			    level + p * count);
	}
	assert_true(cupsRasterReadHeader2(raster, &header));
	assert_int_equal(header.cupsWidth, kind->width);
	assert_int_equal(header.cupsHeight, kind->height);
	assert_int_equal(header.cupsBitsPerColor, bits);
	assert_int_equal(header.cupsBitsPerPixel, bits);
	assert_int_equal(header.cupsNumColors, kind->colours);
	assert_int_equal(header.cupsColorSpace, kind->inverted ? CUPS_CSPACE_K : kind->space);
	assert_int_equal(header.cupsColorOrder, kind->colours == 1 ? CUPS_ORDER_CHUNKED
						: planar	   ? CUPS_ORDER_PLANAR
								   : CUPS_ORDER_BANDED);
	assert_int_equal(header.cupsBytesPerLine, plane_bytes * (planar ? 1 : kind->colours));
	assert_int_equal(header.NumCopies, 3);
	assert_int_equal(header.cupsInteger[2], 3);
	line = malloc(header.cupsBytesPerLine);
	for (unsigned i = 0; i < kind->height * (planar ? kind->colours : 1); i++) {
		assert_int_equal(cupsRasterReadPixels(raster, line, header.cupsBytesPerLine),
				 header.cupsBytesPerLine);
		for (unsigned p = 0; p < (planar ? 1 : kind->colours); p++)
			for (unsigned j = 0; j < kind->width; j++) {
				unsigned dot = oracle_unpack(line + p * plane_bytes, j, bits);
				unsigned expected = level[p * count + (size_t)i * kind->width + j];

				if (kind->inverted)
					expected = plan->levels - 1 - expected;
				if (dot != expected)
					fail_msg(
						"space %d order %d, %u levels, %s: plane %u row %u "
						"column %u is %u, not %u",
						kind->space, kind->order, plan->levels,
						plan->screen, p, i, j, dot, expected);
			}
	}
}

/* All kinds of pages in one stream, through the command. */
static void check(const struct plan *plan)
{
	uint16_t *samples[KINDS];
	size_t size;
	int in = rip_run_file("", 0), out;
	cups_raster_t *raster = cupsRasterOpenIO(write_fd, &in, CUPS_RASTER_WRITE);
	AUTO_FREE uint8_t *bytes;
	struct rip_run run;

	for (size_t k = 0; k < KINDS; k++) {
		samples[k] = make_samples(&kinds[k]);
		put_page(raster, &kinds[k], samples[k]);
	}
	cupsRasterClose(raster);
	bytes = rip_run_contents(in, &size);
	plan_run(plan, &run, bytes, size);
	assert_string_equal(run.err, "");
	assert_int_equal(run.status, 0);
	out = rip_run_file(run.out, run.out_size);
	raster = cupsRasterOpenIO(read_fd, &out, CUPS_RASTER_READ);
	assert_non_null(raster);
	for (size_t k = 0; k < KINDS; k++) {
		check_page(raster, &kinds[k], plan, samples[k]);
		free(samples[k]);
	}
	cupsRasterClose(raster);
	close(in);
	close(out);
	free(run.out);
}

TEST(ways)
{
	static const char *const filters[] = { "floyd-steinberg", "jarvis-judice-ninke", "stucki",
					       "burkes", "sierra", "atkinson", "blue-noise" };
	static const char *const who[][2] = { /* makes them, which changes no dot */
		{ "--band=1" }, { "--band=5", "--method=ed" }, { "--threads=2", "--band=100" },
	};

	for (unsigned i = 0; i < 7; i++) {
		struct plan plan = { .levels = 2 + i, .screen = filters[i], .zero = i % 2 };

		memcpy(plan.options, who[i % COUNT(who)], sizeof who[0]);
		check(&plan);
	}
	for (unsigned levels = 2; levels <= 16; levels += 7) {
		struct plan plan = { .levels = levels, .screen = "floyd-steinberg" };

		check(&plan);
	}
}

/* Masks for the resolution of the header, or for that of the command line. */
TEST(masks)
{
	static const char *const masks[] = { "clustered", "blue-noise-mask", "bayer", "bi-level" };

	for (unsigned i = 0; i < 4; i++) {
		struct plan plan = { .levels = 2 + i,
				     .screen = masks[i],
				     .options = { "--band=5" } };

		check(&plan);
		plan.dpi[0] = plan.dpi[1] = 1200;
		check(&plan);
	}
}

TEST(curve)
{
	uint16_t curve[256];
	struct plan plan = { .levels = 2, .screen = "floyd-steinberg", .curve = curve };

	for (unsigned i = 0; i < 256; i++)
		curve[i] = (uint16_t)(i * i * 65535 / (255 * 255));
	check(&plan);
	plan.levels = 4;
	check(&plan);
}

/* Cut anywhere, a stream is refused with one line. */
TEST(cut)
{
	const char *const arguments[] = { rip_run_program("riptide"), "halftone", NULL };
	const struct kind kind = { CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 1, 8, 20, 10, false };
	AUTO_CLOSE int in = rip_run_file("", 0);
	cups_raster_t *raster = cupsRasterOpenIO(write_fd, &in, CUPS_RASTER_WRITE);
	AUTO_FREE uint16_t *samples = make_samples(&kind);
	size_t size;
	AUTO_FREE uint8_t *bytes;

	put_page(raster, &kind, samples);
	put_page(raster, &kind, samples);
	cupsRasterClose(raster);
	bytes = rip_run_contents(in, &size);
	for (size_t cut = 1; cut < size; cut += 1 + rip_test_random() % 97) {
		const bool whole = cut == 4 || cut == 4 + (size - 4) / 2;
		struct rip_run run;

		rip_run(&run, arguments, bytes, cut);
		if (run.status != !whole || (strchr(run.err, '\n') != NULL) == whole ||
		    (!whole && strchr(run.err, '\n')[1]))
			fail_msg("%zu bytes of %zu: status %d, \"%s\"", cut, size, run.status,
				 run.err);
		free(run.out);
	}
}

/* An ink limit and planar pages: one warning, and the dots without a limit. */
TEST(limit_of_planar_pages)
{
	const struct kind kind = { CUPS_CSPACE_CMYK, CUPS_ORDER_PLANAR, 4, 8, 20, 10, false };
	const struct plan plan = { .levels = 2, .screen = "floyd-steinberg" };
	const char *const arguments[] = { rip_run_program("riptide"), "halftone", "--ink-limit=100",
					  NULL };
	int in = rip_run_file("", 0), out;
	cups_raster_t *raster = cupsRasterOpenIO(write_fd, &in, CUPS_RASTER_WRITE);
	AUTO_FREE uint16_t *samples = make_samples(&kind);
	struct rip_run run;
	AUTO_FREE uint8_t *bytes;
	size_t size;

	put_page(raster, &kind, samples);
	put_page(raster, &kind, samples);
	cupsRasterClose(raster);
	bytes = rip_run_contents(in, &size);
	rip_run(&run, arguments, bytes, size);
	assert_int_equal(run.status, 0);
	assert_non_null(strstr(run.err, "page 1: no ink limit"));
	assert_string_equal(strchr(run.err, '\n'), "\n"); /* one line */
	out = rip_run_file(run.out, run.out_size);
	raster = cupsRasterOpenIO(read_fd, &out, CUPS_RASTER_READ);
	check_page(raster, &kind, &plan, samples);
	check_page(raster, &kind, &plan, samples);
	cupsRasterClose(raster);
	close(in);
	close(out);
	free(run.out);
}
