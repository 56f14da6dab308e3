/*
 * rastertoriptide with a PPD that has riptideColorSpaces: pages in those spaces are halftoned, all
 * others come out byte for byte, whatever their colour space.
 */
#include "tests/tools/testing.h"

#include "tests/tools/raster.h"

static char ppd_path[40], ppd_env[64];

BEFORE_TESTS
{
	FILE *ppd = new_ppd(ppd_path, ppd_env);

	fputs("*cupsFilter: \"application/vnd.cups-raster 0 hpcups\"\n*riptideColorSpaces: \"K "
	      "CMYK\"\n",
	      ppd);
	fclose(ppd);
}

AFTER_TESTS
{
	unlink(ppd_path);
}

TEST(pages)
{
	cups_page_header2_t pages[] = {
		raster_page(CUPS_CSPACE_K, 0, 8, 333, 40),
		raster_page(CUPS_CSPACE_RGB, 0, 8, 1001, 300),
		raster_page(CUPS_CSPACE_SRGB, 2, 16, 77, 20),
		raster_page(CUPS_CSPACE_CMYK, 1, 8, 65, 9),
		raster_page(CUPS_CSPACE_SW, 0, 8, 5, 5),
		raster_page(CUPS_CSPACE_RGB, 1, 1, 1234, 30),
	};
	static const bool passes[] = { false, true, true, false, true, true };
	AUTO(run_free) struct run run = { .env = { ppd_env } };
	AUTO(bytes_free) struct bytes stream = { 0 };
	uint8_t *pixels[6], *out;
	struct bytes_reader reader = { &run.out, 0 };
	cups_page_header2_t header;
	cups_raster_t *raster;

	raster_begin(&stream, RASTER_V3, false);
	for (unsigned i = 0; i < 6; i++) {
		pixels[i] = raster_pixels(&pages[i]);
		raster_add(&stream, RASTER_V3, false, pages[i], pixels[i]);
	}
	run_filter(&run, &stream);
	run_succeeded(&run, 0);
	raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	assert_non_null(raster);
	for (unsigned i = 0; i < 6; i++) {
		const size_t size = raster_page_lines(&pages[i]) * pages[i].cupsBytesPerLine;

		out = raster_read(raster, &header);
		assert_non_null(out);
		assert_int_equal(header.cupsBitsPerColor,
				 passes[i] ? pages[i].cupsBitsPerColor : 1);
		if (passes[i]) {
			assert_memory_equal(&header, &pages[i], sizeof header);
			assert_memory_equal(out, pixels[i], size);
		}
		free(out);
		free(pixels[i]);
	}
	assert_false(cupsRasterReadHeader2(raster, &header));
	cupsRasterClose(raster);
}

/* The filter passes random pixels of a page, under another header: `sent`.  Returns the header that
 * comes out.  env: of the filter, or NULL. */
static cups_page_header2_t pass(const cups_page_header2_t *page, const cups_page_header2_t *sent,
				enum raster_format format, const char *env)
{
	const size_t size = raster_page_lines(page) * page->cupsBytesPerLine;
	AUTO_FREE uint8_t *pixels = raster_pixels(page), *out = malloc(size);
	AUTO(run_free) struct run run = { .env = { env } };
	AUTO(bytes_free) struct bytes stream = { 0 };
	struct bytes_reader reader = { &run.out, 0 };
	cups_page_header2_t header;
	cups_raster_t *raster;

	raster_begin(&stream, format, false);
	raster_header(&stream, format, false, sent);
	raster_lines(&stream, format, false, sent, pixels,
		     (uint32_t)(size / page->cupsBytesPerLine));
	run_filter(&run, &stream);
	if (!WIFEXITED(run.status) || WEXITSTATUS(run.status))
		fail_msg("%u colours, format %d: status %x: %s", sent->cupsNumColors, (int)format,
			 run.status, (char *)run.err.data);
	raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	assert_non_null(raster);
	assert_true(cupsRasterReadHeader2(raster, &header));
	assert_int_equal(cupsRasterReadPixels(raster, out, (unsigned)size), size);
	assert_memory_equal(out, pixels, size);
	cupsRasterClose(raster);
	return header;
}

/* Planar pages whose headers do not count the colours, as in version 1, or count none. */
TEST(uncounted)
{
	const cups_page_header2_t page = raster_page(CUPS_CSPACE_RGB, 2, 8, 31, 7);
	cups_page_header2_t sent = page;

	sent.cupsNumColors = 0;
	pass(&page, &sent, RASTER_V1, ppd_env);
	pass(&page, &sent, RASTER_V3, ppd_env);
}

/* KCMYcm has six planes of dots, one after the other, with a PPD and without one. */
TEST(six_planes)
{
	const cups_page_header2_t page = raster_page(CUPS_CSPACE_DEVICE6, 2, 1, 320, 7);
	cups_page_header2_t sent = page;

	sent.cupsColorSpace = CUPS_CSPACE_KCMYcm;
	for (unsigned i = 0; i < 12; i++) {
		sent.cupsNumColors = i / 6 ? 0 : 6;
		assert_int_equal(
			pass(&page, &sent, i % 3, i / 3 % 2 ? ppd_env : NULL).cupsNumColors, 6);
	}
}

/* A page that passes is not checked like one that is halftoned, but its size is. */
TEST(hostile)
{
	for (unsigned i = 0; i < 6; i++) {
		cups_page_header2_t page = raster_page(CUPS_CSPACE_RGB, 0, 8, 100, 10);
		AUTO(run_free) struct run run = { .env = { ppd_env } };
		AUTO(bytes_free) struct bytes stream = { 0 };

		if (i == 0)
			page.cupsBytesPerLine = 0;
		else if (i == 1)
			page.cupsBytesPerLine = 1u << 31;
		else if (i == 2)
			page.cupsHeight = 0xffffffff;
		else if (i == 3)
			page.cupsBitsPerColor = 0;
		else if (i == 4)
			page.cupsBitsPerPixel = 0;
		raster_begin(&stream, RASTER_V3, false);
		raster_header(&stream, RASTER_V3, false, &page);
		bytes_add(&stream, "cut off", 7);
		run_filter(&run, &stream);
		assert_true(WIFEXITED(run.status) && WEXITSTATUS(run.status) == 1);
		assert_int_equal(run_count(&run, "ERROR: page 1: "), 1);
		assert_int_equal(run_count(&run, "ERROR:"), 1);
	}
}
