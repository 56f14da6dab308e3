/*
 * What comes in: the same as libcups reads, from streams of our writer and of
 * libcups', in every format, byte order, colour space and order; and the place
 * where a stream is truncated is always reported.
 */
#include "tests/tools/testing.h"

#include "filter/page/header.h"
#include "filter/page/source.h"
#include "tests/tools/raster.h"
#include "tests/tools/run.h"

static const cups_cspace_t spaces[] = {
	CUPS_CSPACE_W, CUPS_CSPACE_SW, CUPS_CSPACE_K, CUPS_CSPACE_RGB, CUPS_CSPACE_SRGB,
	CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_CMY, CUPS_CSPACE_CMYK, CUPS_CSPACE_KCMY,
	CUPS_CSPACE_DEVICE1, CUPS_CSPACE_DEVICE2, CUPS_CSPACE_DEVICE5, CUPS_CSPACE_DEVICEF,
};
static const unsigned depths[] = { 1, 8, 16 };

static cups_page_header2_t random_page(void)
{
	cups_page_header2_t h = raster_page(spaces[rip_test_random() % COUNT(spaces)],
					    rip_test_random() % 3,
					    depths[rip_test_random() % COUNT(depths)],
					    1 + rip_test_random() % 70, 1 + rip_test_random() % 9);

	/* More lines than a record of equal ones may have. */
	if (rip_test_random() % 8 == 0)
		h = raster_page(h.cupsColorSpace, h.cupsColorOrder, h.cupsBitsPerColor,
				1 + rip_test_random() % 3, 200 + rip_test_random() % 1200);

	for (int i = 0; i < 16; i++)
		h.cupsInteger[i] = rip_test_random();
	h.cupsReal[3] = 0.25f;
	snprintf(h.cupsString[15], sizeof h.cupsString[15], "riptide:ec");
	return h;
}

/* Lines that libcups takes whole pixels for. */
static bool even(const cups_page_header2_t *h)
{
	const unsigned bits = h->cupsColorOrder == CUPS_ORDER_CHUNKED ? h->cupsBitsPerPixel :
									 h->cupsBitsPerColor;

	return h->cupsBytesPerLine % ((bits + 7) / 8) == 0;
}

/* ---- libcups on memory ---- */

static ssize_t write_memory(void *context, unsigned char *from, size_t n)
{
	bytes_add(context, from, n);
	return n;
}

/* ---- ours on memory ---- */

/* Reads the lines of a page: 0 or what the source says. */
static int read_lines(struct rip_source *s, const cups_page_header2_t *h, uint8_t *pixels)
{
	const uint32_t lines = raster_page_lines(h);
	int r = rip_source_begin(s, h, lines);

	for (uint32_t i = 0; r == 0 && i < lines; i++) {
		uint8_t *line = pixels + (size_t)i * h->cupsBytesPerLine;

		if (rip_test_random() % 2) {
			uint32_t n = 1 + rip_test_random() % (rip_test_random() % 2 ? lines : 4);

			n = n < lines - i ? n : lines - i;
			r = rip_source_read(s, line, (size_t)n * h->cupsBytesPerLine);
			i += n - 1;
			continue;
		}
		for (uint32_t done = 0; r == 0 && done < h->cupsBytesPerLine;) {
			uint32_t left = h->cupsBytesPerLine - done;
			uint32_t n = 2 * (1 + rip_test_random() % 20);

			n = n < left ? n : left;
			r = rip_source_read(s, line + done, n);
			done += n;
		}
	}
	return r;
}

static void compare(struct bytes *stream, bool apple)
{
	struct bytes_reader reader = { stream, 0 };
	cups_raster_t *theirs = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	struct rip_source ours;
	AUTO_CLOSE int fd = rip_run_file(stream->data, stream->size);
	cups_page_header2_t a, b;
	unsigned pages = 0;
	uint8_t *expected;

	assert_non_null(theirs);
	assert_int_equal(rip_source_open(&ours, fd), 0);
	while ((expected = raster_read(theirs, &a))) {
		const size_t size = raster_page_lines(&a) * a.cupsBytesPerLine;
		AUTO_FREE uint8_t *pixels = malloc(size);

		assert_int_equal(rip_source_header(&ours, &b), 0);
		assert_int_equal(ours.page, ++pages);
		if (!b.cupsNumColors)
			b.cupsNumColors = a.cupsNumColors; /* libcups fills it in */
		if (apple)
			b.cupsInteger[0] = a.cupsInteger[0];
		assert_memory_equal(&a, &b, sizeof a);
		assert_int_equal(read_lines(&ours, &b, pixels), 0);
		assert_memory_equal(expected, pixels, size);
		free(expected);
	}
	assert_int_equal(rip_source_header(&ours, &b), RIP_SOURCE_END);
	assert_true(pages > 0);
	rip_source_close(&ours);
	cupsRasterClose(theirs);
}

TEST(same_as_libcups)
{
	for (int i = 0; i < 600; i++) {
		const enum raster_format format = rip_test_random() % (RASTER_FORMATS - 1);
		const bool foreign = rip_test_random() % 2;
		AUTO(bytes_free) struct bytes stream = { 0 };

		raster_begin(&stream, format, foreign);
		for (int page = 0; page < 3; page++) {
			cups_page_header2_t h = random_page();

			if (!even(&h) && page == 0)
				h = raster_page(CUPS_CSPACE_K, CUPS_ORDER_CHUNKED, 8, 7, 3);
			else if (!even(&h))
				continue;
			raster_add(&stream, format, foreign, h, NULL);
		}
		compare(&stream, false);
	}
}

/* More than the source reads at once for its buffer. */
TEST(large)
{
	for (int i = 0; i < 16; i++) {
		const enum raster_format format = i % (RASTER_FORMATS - 1);
		AUTO(bytes_free) struct bytes stream = { 0 };

		raster_begin(&stream, format, i % 3 == 0);
		for (int page = 0; page < 2; page++) {
			const cups_page_header2_t h = raster_page(
				page ? CUPS_CSPACE_CMYK : CUPS_CSPACE_K, 0, page ? 8 : 16,
				1000 + rip_test_random() % 1000, 200 + rip_test_random() % 200);

			raster_add(&stream, format, i % 3 == 0, h, NULL);
		}
		assert_true(format == RASTER_V2 || stream.size > 2 * RIP_SOURCE_BUFFER);
		compare(&stream, false);
	}
}

/* The shortest pages that there may be: 256 empty lines take two bytes. */
TEST(shortest)
{
	for (unsigned height = 254; height < 1030; height += height % 256 == 2 ? 252 : 1) {
		const cups_page_header2_t h = raster_page(CUPS_CSPACE_K, 0, 8, 1, height);
		AUTO(bytes_free) struct bytes stream = { 0 };

		raster_begin(&stream, RASTER_V2, false);
		for (int page = 0; page < 3; page++) {
			raster_header(&stream, RASTER_V2, false, &h);
			for (unsigned left = height; left > 0; left -= left < 256 ? left : 256)
				bytes_add(&stream, (uint8_t[]){ left < 256 ? left - 1 : 255, 128 },
					  2);
		}
		compare(&stream, false);
	}
}

TEST(apple)
{
	static const struct {
		cups_cspace_t space;
		unsigned      bits;
	} kinds[] = { { CUPS_CSPACE_SW, 8 }, { CUPS_CSPACE_SRGB, 8 }, { CUPS_CSPACE_ADOBERGB, 8 },
		      { CUPS_CSPACE_W, 8 }, { CUPS_CSPACE_W, 16 }, { CUPS_CSPACE_RGB, 16 },
		      { CUPS_CSPACE_CMYK, 8 } };

	for (int i = 0; i < 200; i++) {
		AUTO(bytes_free) struct bytes stream = { 0 };

		raster_begin(&stream, RASTER_APPLE, i % 2);
		for (int page = 0; page < 2; page++) {
			const int kind = rip_test_random() % COUNT(kinds);
			cups_page_header2_t h =
				raster_page(kinds[kind].space, CUPS_ORDER_CHUNKED, kinds[kind].bits,
					    1 + rip_test_random() % 99, 1 + rip_test_random() % 9);

			raster_add(&stream, RASTER_APPLE, i % 2, h, NULL);
		}
		compare(&stream, true);
	}
}

/* What libcups writes, with its own runs. */
TEST(written_by_libcups)
{
	static const cups_mode_t modes[] = { CUPS_RASTER_WRITE, CUPS_RASTER_WRITE_COMPRESSED,
					     CUPS_RASTER_WRITE_PWG };

	for (int i = 0; i < 200; i++) {
		AUTO(bytes_free) struct bytes stream = { 0 };
		cups_raster_t *raster = cupsRasterOpenIO(write_memory, &stream, modes[i % 3]);

		assert_non_null(raster);
		for (int page = 0; page < 2; page++) {
			cups_page_header2_t h = random_page();
			AUTO_FREE uint8_t *pixels;

			if (!even(&h))
				h = raster_page(CUPS_CSPACE_SRGB, CUPS_ORDER_CHUNKED, 8, 9, 4);
			pixels = raster_pixels(&h);
			assert_true(cupsRasterWriteHeader2(raster, &h));
			for (size_t y = 0; y < raster_page_lines(&h); y++)
				assert_true(cupsRasterWritePixels(raster,
								  pixels + y * h.cupsBytesPerLine,
								  h.cupsBytesPerLine));
		}
		cupsRasterClose(raster);
		compare(&stream, false);
	}
}

/* Reads all of a stream that was cut after `size` bytes. */
static int read_all(const struct bytes *stream, size_t size, char why[200], unsigned *pages)
{
	struct rip_source s;
	cups_page_header2_t h;
	AUTO_CLOSE int fd = rip_run_file(stream->data, size);
	int r = rip_source_open(&s, fd);

	while (r == 0) {
		r = rip_source_header(&s, &h);
		if (r == 0) {
			AUTO_FREE uint8_t *pixels =
				malloc(raster_page_lines(&h) * h.cupsBytesPerLine);

			r = read_lines(&s, &h, pixels);
		}
	}
	*pages = s.page;
	memcpy(why, s.why, sizeof s.why);
	rip_source_close(&s);
	return r;
}

/* Every prefix of a stream: the end of a page is an end, all else is an error. */
TEST(cut_off)
{
	for (int format = 0; format < RASTER_FORMATS; format++) {
		AUTO(bytes_free) struct bytes stream = { 0 };
		size_t ends[3], headers[2];
		char why[200], line[80];
		unsigned pages;

		raster_begin(&stream, format, false);
		ends[0] = stream.size;
		for (int page = 0; page < 2; page++) {
			cups_page_header2_t h = raster_page(CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 8,
							    33, 5);
			AUTO_FREE uint8_t *pixels = raster_pixels(&h);

			raster_header(&stream, format, false, &h);
			headers[page] = stream.size;
			raster_lines(&stream, format, false, &h, pixels, 5);
			ends[page + 1] = stream.size;
		}
		for (size_t size = 0; size <= stream.size; size++) {
			int r = read_all(&stream, size, why, &pages);

			if (size == 0 || size == ends[0] || size == ends[1] || size == ends[2]) {
				assert_int_equal(r, RIP_SOURCE_END);
				continue;
			}
			assert_int_equal(r, -EPROTO);
			assert_true(strlen(why) > 10);
			if (size > ends[0]) {
				assert_int_equal(pages, size < ends[1] ? 1 : 2);
				assert_true(!strstr(why, "header") ==
					    (size >= headers[size > ends[1]]));
				/* 33 pixels of 4 bytes a line. */
				snprintf(line, sizeof line, "the raster ends in line %zu of 5",
					 (size - headers[size > ends[1]]) / 132 + 1);
				if (format == RASTER_V1 || format == RASTER_V3)
					assert_true(strstr(why, "header") || !strcmp(why, line));
			}
		}
	}
}

TEST(no_raster)
{
	static const char *const texts[] = { "%PDF-1.4\n", "RaS4aaaaaaaaaaaaaaaaaaaaaa",
					     "\0\0\0\0\0\0", "UNIRASX\0....", "R" };
	char why[200];
	unsigned pages;

	for (size_t i = 0; i < COUNT(texts); i++) {
		AUTO(bytes_free) struct bytes stream = { 0 };

		bytes_add(&stream, texts[i], i == 2 ? 6 : strlen(texts[i]));
		assert_int_equal(read_all(&stream, stream.size, why, &pages), -EPROTO);
		assert_int_equal(pages, 0);
		if (i == 0)
			assert_string_equal(why, "the input is no CUPS, PWG or Apple raster: "
					    "it begins with 25 50 44 46");
	}
}

TEST(unreadable)
{
	struct rip_source s;
	AUTO_CLOSE int fd = open("/", O_RDONLY | O_CLOEXEC);

	assert_int_equal(rip_source_open(&s, fd), -EISDIR);
	assert_string_equal(s.why, "cannot read the raster: Is a directory");
	rip_source_close(&s);
}
