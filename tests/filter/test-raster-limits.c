/* How much memory and time rastertoriptide takes for the largest pages, and which it refuses. */
#include "tests/tools/testing.h"

#include "tests/tools/raster.h"

/* ---- memory ---- */

/* The angles of the masks give each ink another curve, and these do not end at full ink, so that
 * they cannot become part of the thresholds. */
#define CURVES_APPLIED "halftone-screen=clustered halftone-dot-gain=laser halftone-density=80"

#define LIGHT_INKS "halftone-levels=16 halftone-light-inks=cmk"

/* The first test: a child begins with our memory. */
TEST(memory)
{
	static const struct {
		enum raster_format format;
		bool          foreign;
		cups_cspace_t space;
		cups_order_t  order;
		unsigned      bits, width;
		const char   *options, *type;
	} pages[] = {
		{ RASTER_V3, false, CUPS_CSPACE_K, 0, 8, 100000, "", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_CMYK, 0, 8, 100000, "", NULL },
		{ RASTER_V2, true, CUPS_CSPACE_SRGB, 0, 16, 100000, "", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_KCMY, 2, 8, 100000,
		  "halftone-screen=stucki halftone-levels=16", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_DEVICEF, 1, 8, 100000, "", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_K, 0, 8, 16777215, "", NULL },
		{ RASTER_V2, false, CUPS_CSPACE_K, 0, 8, 13000000, "", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_CMYK, 0, 8, 4194304, "", NULL },
		{ RASTER_V2, false, CUPS_CSPACE_CMYK, 1, 8, 2600000, "halftone-levels=16", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_W, 0, 16, 8388608, "", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_RGB, 0, 16, 2796202,
		  "halftone-screen=jarvis-judice-ninke", NULL },
		{ RASTER_V3, false, CUPS_CSPACE_K, 0, 8, 15000000, "",
		  "FINAL_CONTENT_TYPE=image/pwg-raster" },
		{ RASTER_V2, true, CUPS_CSPACE_CMYK, 0, 8, 2600000, "halftone-levels=4",
		  "FINAL_CONTENT_TYPE=image/pwg-raster" },
		{ RASTER_V2, false, CUPS_CSPACE_CMYK, 0, 8, 3250000, CURVES_APPLIED, NULL },
		{ RASTER_V3, false, CUPS_CSPACE_CMYK, 2, 8, 4370000, CURVES_APPLIED, NULL },
		{ RASTER_V3, false, CUPS_CSPACE_CMYK, 0, 8, 1424000,
		  LIGHT_INKS " halftone-ink-limit=200 halftone-dot-gain=inkjet", NULL },
	};

	if (RIP_TEST_SANITIZED)
		skip();
	for (size_t i = 0; i < COUNT(pages); i++) {
		cups_page_header2_t h = raster_page(pages[i].space, pages[i].order, pages[i].bits,
						    pages[i].width, 100000);
		AUTO(bytes_free) struct bytes stream = { 0 };
		AUTO(run_free) struct run run = { .options = pages[i].options, .noise = 60 << 20,
				   .out_path = "/dev/null", .env = { pages[i].type } };

		if (pages[i].format == RASTER_V2) {
			run.tint_unit = h.cupsColorOrder ? pages[i].bits / 8 :
							   h.cupsBitsPerPixel / 8;
			run.tint_line = (h.cupsBytesPerLine / run.tint_unit + 127) / 128;
			run.tint_runs = run.tint_line * (pages[i].width > 1000000 ? 3 : 100);
			run.noise = 0;
		}
		raster_begin(&stream, pages[i].format, pages[i].foreign);
		raster_header(&stream, pages[i].format, pages[i].foreign, &h);
		run_filter(&run, &stream);
		FAILED(&run, "page 1: the raster ends in line ");
		printf("# %u columns of %u x %u bits: %.1f MiB, %.2f s\n", pages[i].width,
		       raster_colors(pages[i].space), pages[i].bits, run.max_rss_kib / 1024.0,
		       run.seconds);
		assert_true(run.max_rss_kib <= 64 << 10);
	}
}

/* ---- time ---- */

/* A few bytes can announce a page of gigabytes: clear lines that repeat.  It takes the time of
 * a few copies (about 2 s for both; a dot at a time took 70 s), and progress is reported. */
TEST(gigantic_white_page)
{
	static const uint8_t lines[] = { 255, 128, 255, 128 }; /* 256 times, clear to the end */
	const cups_page_header2_t pages[] = {
		raster_page(CUPS_CSPACE_CMYK, 0, 1, 16776960, 512),
		raster_page(CUPS_CSPACE_K, 0, 8, 13000000, 512),
	};

	for (size_t i = 0; i < COUNT(pages); i++) {
		AUTO(bytes_free) struct bytes stream = { 0 };
		AUTO(run_free) struct run run = { .out_path = "/dev/null" };

		raster_begin(&stream, RASTER_V2, false);
		raster_header(&stream, RASTER_V2, false, &pages[i]);
		bytes_add(&stream, lines, sizeof lines);
		run_filter(&run, &stream);
		printf("# %zu bytes for %u x %u pixels: %.2f s\n", stream.size, pages[i].cupsWidth,
		       pages[i].cupsHeight, run.seconds);
		assert_int_equal(run.status, 0);
		assert_true(run_count(&run, "ATTR: job-media-progress=") >= 8);
		if (!RIP_TEST_SANITIZED)
			assert_true(run.processor_seconds < 30);
	}
}

/* What a wide page took is given back before the next one takes as much in other
 * pieces. */
TEST(memory_of_pages)
{
	const cups_page_header2_t pages[] = {
		raster_page(CUPS_CSPACE_CMYK, 0, 8, 3000000, 1),
		raster_page(CUPS_CSPACE_DEVICEF, 1, 8, 1000000, 1),
		raster_page(CUPS_CSPACE_K, 0, 8, 16777215, 1),
	};
	const struct bytes nothing = { 0 };
	char path[64];
	AUTO(run_free) struct run run = { .file = path, .out_path = "/dev/null" };
	AUTO(bytes_free) struct bytes stream = { 0 };
	uint64_t noise[8192];
	int fd;

	if (RIP_TEST_SANITIZED)
		skip();
	snprintf(path, sizeof path, "/tmp/rip-wide-%d", (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	for (size_t i = 0; i < COUNT(noise); i++)
		noise[i] = rip_test_random();
	raster_begin(&stream, RASTER_V3, false);
	for (size_t i = 0; i < COUNT(pages); i++) {
		size_t left = pages[i].cupsBytesPerLine;

		raster_header(&stream, RASTER_V3, false, &pages[i]);
		assert_int_equal(write(fd, stream.data, stream.size), stream.size);
		stream.size = 0;
		while (left > 0) {
			size_t n = left < sizeof noise ? left : sizeof noise;

			assert_int_equal(write(fd, noise, n), n);
			left -= n;
		}
	}
	close(fd);
	run_filter(&run, &nothing);
	unlink(path);
	assert_int_equal(run.status, 0);
	printf("# three wide pages: %.1f MiB\n", run.max_rss_kib / 1024.0);
	assert_true(run.max_rss_kib <= 64 << 10);
}

/* What would not fit is refused before a line is read. */
TEST(too_wide)
{
	static const struct {
		enum raster_format format;
		cups_cspace_t      space;
		cups_order_t       order;
		unsigned           width;
		const char        *options, *columns, *what;
	} pages[] = {
		{ RASTER_V3, CUPS_CSPACE_K, 0, 16777215, "halftone-screen=stucki",
		  "16777215 columns", "MiB" },
		{ RASTER_V2, CUPS_CSPACE_K, 0, 16777215, "", "16777215 columns", "MiB" },
		{ RASTER_V2, CUPS_CSPACE_CMYK, 0, 4190000, CURVES_APPLIED, "4190000 columns",
		  "MiB" },
		{ RASTER_V3, CUPS_CSPACE_CMYK, 2, 5200000, CURVES_APPLIED, "5200000 columns",
		  "MiB" },
		{ RASTER_V3, CUPS_CSPACE_CMYK, 0, 1500000, LIGHT_INKS, "1500000 columns", "MiB" },
		/* At 600 dpi: 8 lines, and 5 bytes a sample. */
		{ RASTER_V3, CUPS_CSPACE_CMYK, 0, 1048576, "toner-save=2", "1048576 columns",
		  "MiB, 53 of them for toner-save, and at most 53 are possible" },
	};

	for (size_t i = 0; i < COUNT(pages); i++) {
		cups_page_header2_t h = raster_page(pages[i].space, pages[i].order, 8,
						    pages[i].width, 10);
		AUTO(bytes_free) struct bytes stream = { 0 };
		AUTO(run_free) struct run run = { .options = pages[i].options, .noise = 1 << 20 };

		h.HWResolution[0] = h.HWResolution[1] = 600;
		raster_begin(&stream, pages[i].format, false);
		raster_header(&stream, pages[i].format, false, &h);
		run_filter(&run, &stream);
		FAILED(&run, "page 1: ", pages[i].columns, pages[i].what);
		assert_int_equal(run.out.size, 0);
	}
}

BEFORE_TESTS
{
	signal(SIGPIPE, SIG_IGN);
}
