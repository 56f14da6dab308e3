/*
 * rastertoriptide from end to end: rasters of every kind go through the program,
 * and every dot that comes out is compared with the oracle's.
 */
#include "tests/tools/testing.h"

#include "tests/daemon/daemon_fixture.h"
#include "tests/tools/mask_dots.h"
#include "tests/tools/oracle.h"
#include "tests/tools/raster.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"

static const cups_cspace_t spaces[] = {
	CUPS_CSPACE_W, CUPS_CSPACE_SW, CUPS_CSPACE_K, CUPS_CSPACE_RGB, CUPS_CSPACE_SRGB,
	CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_CMY, CUPS_CSPACE_CMYK, CUPS_CSPACE_KCMY,
	CUPS_CSPACE_DEVICE1, CUPS_CSPACE_DEVICE4, CUPS_CSPACE_DEVICE6, CUPS_CSPACE_DEVICEF,
};

/* Tone options, as values: what curves and ink limit a page must get. */
struct tones {
	const char *preset;
	double      gain; /* points; -1: the preset's */
	enum rip_target target;
	double      density, gamma;
	unsigned    limit; /* percent; 0: none */
	unsigned    toner; /* percent less; 0: none */
};

/* What a page must become. */
struct expected {
	unsigned    levels;
	const char *screen;
	bool        pwg;
	const struct tones *tones;
};

/* ---- reading what came out, with libcups ---- */

static bool turns_to_k(cups_cspace_t space)
{
	return space == CUPS_CSPACE_W || space == CUPS_CSPACE_SW;
}

static void check_header(const cups_page_header2_t *in, const cups_page_header2_t *out,
			 const struct expected *e, unsigned bits)
{
	const unsigned planes = raster_colors(in->cupsColorSpace);
	cups_order_t order = in->cupsColorOrder == CUPS_ORDER_PLANAR ? CUPS_ORDER_PLANAR :
			     planes > 1 ? CUPS_ORDER_BANDED : CUPS_ORDER_CHUNKED;

	if (e->pwg)
		order = CUPS_ORDER_CHUNKED;
	assert_int_equal(out->cupsWidth, in->cupsWidth);
	assert_int_equal(out->cupsHeight, in->cupsHeight);
	assert_int_equal(out->cupsColorSpace,
			 turns_to_k(in->cupsColorSpace) ? CUPS_CSPACE_K : in->cupsColorSpace);
	assert_int_equal(out->cupsColorOrder, order);
	assert_int_equal(out->cupsNumColors, planes);
	assert_int_equal(out->cupsBitsPerColor, bits);
	assert_int_equal(out->cupsBitsPerPixel, order == CUPS_ORDER_CHUNKED ? bits * planes : bits);
	assert_int_equal(out->cupsBytesPerLine,
			 order == CUPS_ORDER_CHUNKED ?
				 (in->cupsWidth * bits * planes + 7) / 8 :
				 (in->cupsWidth * bits + 7) / 8 *
					 (order == CUPS_ORDER_BANDED ? planes : 1));
	assert_int_equal(out->HWResolution[0], in->HWResolution[0]);
	assert_int_equal(out->NumCopies, in->NumCopies);
	assert_int_equal(out->PageSize[1], in->PageSize[1]);
	if (!e->pwg) {
		assert_memory_equal(out->cupsInteger, in->cupsInteger, sizeof in->cupsInteger);
		assert_memory_equal(out->cupsReal, in->cupsReal, sizeof in->cupsReal);
		assert_memory_equal(out->cupsString, in->cupsString, sizeof in->cupsString);
		assert_string_equal(out->cupsPageSizeName, in->cupsPageSizeName);
	}
}

/* Bits past the last dot of a row are 0. */
static void check_padding(const cups_page_header2_t *h, const uint8_t *pixels)
{
	const unsigned rows = h->cupsColorOrder == CUPS_ORDER_BANDED ? h->cupsNumColors : 1;
	const size_t bytes = h->cupsBytesPerLine / rows;
	const unsigned bits = h->cupsWidth * h->cupsBitsPerPixel % 8;

	if (bits)
		for (size_t i = 0; i < raster_page_lines(h) * rows; i++)
			assert_int_equal(pixels[i * bytes + bytes - 1] & (0xff >> bits), 0);
}

/* ---- tones ---- */

/* The pattern of a plane at 600 dpi. */
static const struct rip_pattern *pattern_of(const char *screen, cups_cspace_t space, unsigned plane)
{
	const char *inks = space == CUPS_CSPACE_KCMY ? "kccy" :
			   raster_colors(space) == 1 ? "k" :
						       "ccyk";

	if (strcmp(screen, "clustered"))
		return rip_pattern_find(screen);
	/* With colours it is black of the rosette, and yellow that goes with it. */
	return rip_pattern_find(!inks[1]           ? "cells-4-black" :
				inks[plane] == 'k' ? "rosette-4-black" :
				inks[plane] == 'y' ? "cells-5-yellow" :
						     "cells-4-cyan");
}

static bool is_light(cups_cspace_t space)
{
	return space == CUPS_CSPACE_W || space == CUPS_CSPACE_SW || space == CUPS_CSPACE_RGB ||
	       space == CUPS_CSPACE_SRGB || space == CUPS_CSPACE_ADOBERGB;
}

/* A sample after toner save at 600 dpi: one step from full ink if it has full ink on two pixels to
 * all sides. */
static unsigned thinned_sample(const cups_page_header2_t *in, const uint8_t *pixels, unsigned p,
			       int x, int y)
{
	const unsigned last = in->cupsBitsPerColor == 8 ? 255 : 65535;
	const unsigned full = is_light(in->cupsColorSpace) ? 0 : last;

	if (raster_sample(in, pixels, p, (unsigned)x, (unsigned)y) != full)
		return raster_sample(in, pixels, p, (unsigned)x, (unsigned)y);
	for (int j = y - 2; j <= y + 2; j++)
		for (int i = x - 2; i <= x + 2; i++)
			if (i >= 0 && j >= 0 && i < (int)in->cupsWidth && j < (int)in->cupsHeight &&
			    raster_sample(in, pixels, p, (unsigned)i, (unsigned)j) != full)
				return full;
	return full ? full - 1 : 1;
}

/* What toner save leaves of a curve's ink: all of full ink, and a share of all other samples, of
 * which the one next to full ink counts as full. */
static void save_toner(uint16_t *curve, unsigned last, bool light, unsigned percent)
{
	const unsigned full = light ? 0 : last;

	for (unsigned v = 0; v <= last; v++) {
		const bool next = v + 1 == full || v == full + 1;
		const unsigned x = curve[next ? full : v], ink = light ? 65535 - x : x;
		const unsigned less = (ink * (100 - percent) + 50) / 100;

		if (v != full)
			curve[v] = (uint16_t)(light ? 65535 - less : less);
	}
}

/* Areas of full ink, so that toner save has something to do. */
static void add_areas(const cups_page_header2_t *in, uint8_t *pixels)
{
	const size_t lines = raster_page_lines(in), bytes = in->cupsBytesPerLine;

	for (int i = 0; i < 6; i++) {
		const size_t top = rip_test_below((uint32_t)lines),
			     left = rip_test_below((uint32_t)bytes);
		const size_t wide = 1 + rip_test_below((uint32_t)(bytes - left));

		for (size_t y = top; y < top + 3 + (size_t)i * 3 && y < lines; y++)
			memset(pixels + y * bytes + left, is_light(in->cupsColorSpace) ? 0 : 255,
			       wide);
	}
}

/* The largest sample up to v whose curve, which ascends, is not above `most`; or 0. */
static unsigned limited(const uint16_t *curve, unsigned v, long most)
{
	unsigned least = 0;

	if (curve[v] <= most)
		return v;
	while (v - least > 1) {
		const unsigned middle = (least + v) / 2;

		if (curve[middle] <= most)
			least = middle;
		else
			v = middle;
	}
	return least;
}

/* The planes of samples through their curves, and no pixel with more ink than the limit, sample by
 * sample.  Black stays; another ink gets the largest sample whose curve is not above its part. */
static void apply_tones(const cups_page_header2_t *in, const uint8_t *pixels,
			const struct expected *e, uint16_t *x)
{
	static uint16_t curves[4][65536];
	const unsigned planes = raster_colors(in->cupsColorSpace), width = in->cupsWidth;
	const size_t count = (size_t)width * in->cupsHeight;
	const unsigned last = in->cupsBitsPerColor == 8 ? 255 : 65535;
	const bool light = is_light(in->cupsColorSpace);
	const int black = in->cupsColorSpace == CUPS_CSPACE_CMYK ? 3 :
			  in->cupsColorSpace == CUPS_CSPACE_KCMY ? 0 : -1;
	struct rip_printer printer;

	assert_true(rip_printer_preset(&printer, e->tones->preset, 600));
	if (e->tones->gain >= 0)
		rip_printer_set_gain(&printer, e->tones->gain);
	for (unsigned p = 0; p < planes; p++) {
		struct rip_wish wish = {
			.gamma = e->tones->gamma, .density = e->tones->density,
			.target = e->tones->target, .solid = printer.solid,
		};
		struct rip_response response;

		if (printer.kind != RIP_PRINTER_NONE) {
			rip_response_of(&response, &printer,
					pattern_of(e->screen, in->cupsColorSpace, p), e->levels);
			wish.response = &response;
		}
		rip_curve_for(&wish, light, last + 1, curves[p]);
		if (e->tones->toner)
			save_toner(curves[p], last, light, e->tones->toner);
		for (size_t v = 1; !light && v <= last; v++)
			if (curves[p][v] < curves[p][v - 1])
				fail_msg("the curve of plane %u falls at %zu", p, v);
	}
	for (size_t i = 0; i < count; i++) {
		long rest = 65535l * e->tones->limit / 100, sum = 0;
		unsigned v[4];

		for (int p = 0; p < (int)planes; p++) {
			v[p] = e->tones->toner ?
				       thinned_sample(in, pixels, (unsigned)p, (int)(i % width),
						      (int)(i / width)) :
				       raster_sample(in, pixels, (unsigned)p, (unsigned)(i % width),
						     (unsigned)(i / width));
			*(p == black ? &rest : &sum) += curves[p][v[p]] * (p == black ? -1l : 1l);
		}
		rest = rest < 0 ? 0 : rest;
		for (int p = 0; p < (int)planes; p++) {
			const long most = sum > rest ?
						  curves[p][v[p]] * (rest * 65536 / sum) / 65536 :
						  65535;

			if (e->tones->limit > 0 && !light && p != black)
				v[p] = limited(curves[p], v[p], most);
			x[(size_t)p * count + i] = curves[p][v[p]];
		}
	}
}

static void check_page(const cups_page_header2_t *in, const uint8_t *pixels,
		       const struct expected *e, cups_raster_t *raster)
{
	const size_t width = in->cupsWidth, height = in->cupsHeight;
	const unsigned levels = in->cupsBitsPerColor == 1 ? 2 : e->levels;
	AUTO_FREE uint16_t *xs =
		malloc(raster_colors(in->cupsColorSpace) * width * height * sizeof *xs);
	AUTO_FREE uint8_t *level = malloc(width * height), *dots;
	cups_page_header2_t out;

	dots = raster_read(raster, &out);
	assert_non_null(dots);
	check_header(in, &out, e, oracle_bits(levels));
	check_padding(&out, dots);
	for (unsigned p = 0; p < out.cupsNumColors; p++)
		for (size_t i = 0; i < width * height; i++) {
			unsigned v = raster_sample(in, pixels, p, i % width, i / width);

			xs[p * width * height + i] = in->cupsBitsPerColor == 16 ? v :
						     in->cupsBitsPerColor == 8  ? oracle_x8(v) :
										  v * 65535;
		}
	if (e->tones)
		apply_tones(in, pixels, e, xs);
	for (unsigned p = 0; p < out.cupsNumColors; p++) {
		const uint16_t *x = xs + p * width * height;

		assert_true(oracle_halftone(x, width, height, levels, e->screen, p, true, level) ||
			    mask_dots(x, width, height, levels, e->screen, in->cupsColorSpace,
				      in->HWResolution, p, level));
		for (size_t i = 0; i < width * height; i++) {
			unsigned dot = raster_sample(&out, dots, p, i % width, i / width);

			if (turns_to_k(in->cupsColorSpace))
				dot = levels - 1 - dot;
			if (dot != level[i])
				fail_msg("plane %u, row %zu, column %zu: %u, not %u", p, i / width,
					 i % width, dot, level[i]);
		}
	}
}

/* ---- a job ---- */

struct sheet {
	cups_page_header2_t header;
	uint8_t            *pixels;
};

static void job(enum raster_format format, bool foreign, struct sheet *pages, unsigned count,
		struct run *run, const struct expected *e)
{
	AUTO(bytes_free) struct bytes stream = { 0 };
	struct bytes_reader reader = { &run->out, 0 };
	cups_page_header2_t after;
	cups_raster_t *raster;
	unsigned dots = 0;

	raster_begin(&stream, format, foreign);
	for (unsigned i = 0; i < count; i++) {
		dots += pages[i].header.cupsBitsPerColor == 1;
		pages[i].pixels = raster_pixels(&pages[i].header);
		if (e->tones && e->tones->toner)
			add_areas(&pages[i].header, pages[i].pixels);
		raster_add(&stream, format, foreign, pages[i].header, pages[i].pixels);
	}
	run_filter(run, &stream);
	/* One warning says that dots are not halftoned again, with the remedy. */
	run_succeeded(run, dots > 0);
	assert_int_equal(run_count(run, "ERROR:"), 0);
	if (dots)
		assert_non_null(strstr((char *)run->err.data, "cupsBitsPerColor 8"));
	assert_memory_equal(run->out.data, e->pwg ? "RaS2" : "3SaR", 4);
	raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	assert_non_null(raster);
	for (unsigned i = 0; i < count; i++) {
		check_page(&pages[i].header, pages[i].pixels, e, raster);
		free(pages[i].pixels);
	}
	assert_false(cupsRasterReadHeader2(raster, &after));
	assert_int_equal(reader.at, run->out.size);
	cupsRasterClose(raster);
	run_free(run);
}

static void one(enum raster_format format, bool foreign, cups_page_header2_t h)
{
	struct sheet page = { h, NULL };

	/* What these formats have no place for. */
	if (format == RASTER_V1 || format == RASTER_APPLE)
		page.header.cupsPageSizeName[0] = '\0';
	if (format == RASTER_APPLE) {
		page.header.PageSize[1] = h.cupsHeight * 72 / h.HWResolution[1];
		page.header.NumCopies = 0;
		page.header.cupsInteger[CUPS_RASTER_PWG_AlternatePrimary] = 0xffffff;
		page.header.cupsInteger[CUPS_RASTER_PWG_PrintQuality] = 4;
	}
	if (!rip_test_left_out())
		job(format, foreign, &page, 1, &(struct run){ 0 },
		    &(struct expected){ 2, "floyd-steinberg", false, NULL });
}

TEST(spaces_orders_depths)
{
	static const unsigned depths[] = { 1, 8, 16 };

	for (size_t s = 0; s < COUNT(spaces); s++)
		for (int order = 0; order < 3; order++)
			for (size_t d = 0; d < COUNT(depths); d++)
				one(RASTER_V3, false,
				    raster_page(spaces[s], order, depths[d], 65, 40));
}

TEST(widths)
{
	static const unsigned widths[] = { 1, 2, 7, 8, 9, 63, 64, 65, 4961 };

	for (size_t w = 0; w < COUNT(widths); w++) {
		one(RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, widths[w], 33));
		one(RASTER_V2, true, raster_page(CUPS_CSPACE_SW, 0, 8, widths[w], 33));
		one(RASTER_V3, true, raster_page(CUPS_CSPACE_CMYK, 0, 16, widths[w], 17));
		one(RASTER_V3, false, raster_page(CUPS_CSPACE_RGB, 1, 1, widths[w], 9));
		one(RASTER_V1, false, raster_page(CUPS_CSPACE_KCMY, 2, 8, widths[w], 9));
	}
}

TEST(formats)
{
	for (int format = 0; format < RASTER_APPLE; format++)
		for (int i = 0; i < (rip_test_repeated() ? 8 : 40); i++) {
			const cups_cspace_t space = spaces[rip_test_random() % COUNT(spaces)];

			one(format, i % 2, raster_page(space, rip_test_random() % 3,
						       rip_test_random() % 2 ? 8 : 16,
						       1 + rip_test_random() % 300,
						       1 + rip_test_random() % 60));
		}
	one(RASTER_APPLE, false, raster_page(CUPS_CSPACE_SRGB, 0, 8, 77, 30));
	one(RASTER_APPLE, true, raster_page(CUPS_CSPACE_W, 0, 16, 77, 30));
	one(RASTER_APPLE, true, raster_page(CUPS_CSPACE_CMYK, 0, 8, 77, 30));
}

/* More rows than a band has: bands, and the planes of planar pages, meet. */
TEST(bands)
{
	one(RASTER_V3, false, raster_page(CUPS_CSPACE_K, 0, 8, 30011, 300));
	one(RASTER_V2, true, raster_page(CUPS_CSPACE_KCMY, 0, 8, 20011, 130));
	one(RASTER_V3, false, raster_page(CUPS_CSPACE_CMY, 1, 16, 20011, 130));
	one(RASTER_V2, false, raster_page(CUPS_CSPACE_RGB, 2, 8, 20011, 200));
	one(RASTER_V3, false, raster_page(CUPS_CSPACE_W, 2, 8, 1000001, 9));
}

/* Pages of one job that have nothing in common; the input comes in small pieces. */
TEST(pages)
{
	struct sheet pages[7] = {
		{ raster_page(CUPS_CSPACE_K, 0, 8, 640, 200), NULL },
		{ raster_page(CUPS_CSPACE_K, 0, 8, 640, 200), NULL },
		{ raster_page(CUPS_CSPACE_CMYK, 0, 8, 65, 99), NULL },
		{ raster_page(CUPS_CSPACE_W, 0, 1, 131, 50), NULL },
		{ raster_page(CUPS_CSPACE_RGB, 2, 16, 33, 70), NULL },
		{ raster_page(CUPS_CSPACE_SW, 0, 8, 1, 1), NULL },
		{ raster_page(CUPS_CSPACE_DEVICE6, 1, 8, 3000, 150), NULL },
	};
	const struct expected e = { 2, "floyd-steinberg", false, NULL };

	job(RASTER_V3, false, pages, COUNT(pages), &(struct run){ .by_pipe = true }, &e);
	job(RASTER_V2, true, pages, COUNT(pages), &(struct run){ .by_pipe = true }, &e);
}

/* The same by a daemon with a GPU, which gets chunked pixels as they are; and an ink limit.  The
 * method is named, since such small pages would stay in the filter. */
TEST(through_a_gpu)
{
	static const char *const options[] = {
		"halftone=bwec halftone-screen=blue-noise", "halftone=bwec",
		"halftone=bwec halftone-screen=stucki halftone-ink-limit=150",
	};
	static const struct tones limited = { "none", -1, RIP_TARGET_PRINT, 1, 1, 150, 0 };
	char socket[128];
	struct run run = { .daemon = true, .env = { socket } };

	setenv("RIPTIDED", "./tests/daemon/riptided-faulty", 0);
	riptided_start("gpu", "", "every-screen");
	snprintf(socket, sizeof socket, "RIPTIDE_SOCKET=%s", riptided.socket);
	for (size_t i = 0; i < COUNT(options); i++) {
		struct sheet pages[] = {
			{ raster_page(CUPS_CSPACE_CMYK, 0, 8, 4961, 200), NULL },
			{ raster_page(CUPS_CSPACE_KCMY, 0, 16, 1000, 133), NULL },
			{ raster_page(CUPS_CSPACE_RGB, 0, 8, 1, 70), NULL },
			{ raster_page(i == 2 ? CUPS_CSPACE_CMY : CUPS_CSPACE_DEVICE6, 0, 8, 333,
				      70),
			  NULL },
			{ raster_page(CUPS_CSPACE_SRGB, 0, 8, 2048, 200), NULL },
			{ raster_page(CUPS_CSPACE_CMY, 0, 8, 30011, 60), NULL },
		};
		const struct expected e = { 2,
					    i == 2 ? "stucki" :
					    i == 1 ? "floyd-steinberg" :
						     "blue-noise",
					    false, i == 2 ? &limited : NULL };

		run.options = options[i];
		run.by_pipe = i == 1;
		job(RASTER_V3, i == 1, pages, COUNT(pages), &run, &e);
	}
	assert_true(daemon_status(&riptided).bands > 3 * 6); /* so some pages have several bands */
	riptided_finish(0);
}

static const unsigned resolutions[][2] = {
	{ 600, 600 }, { 300, 300 }, { 203, 203 }, { 1200, 1200 }, { 600, 300 }, { 600, 1200 },
	{ 360, 180 }, { 0, 0 }, { 1, 1 }, { 4294967295u, 4294967295u }, { 4294967295u, 1 },
};

/* Screens and levels, at all kinds of resolutions; a method changes nothing. */
TEST(options)
{
	static const char *const screens[] = {
		"floyd-steinberg", "jarvis-judice-ninke", "stucki",    "burkes",          "sierra",
		"atkinson",        "blue-noise",          "clustered", "blue-noise-mask", "bayer",
		"bi-level"
	};
	static const char *const methods[] = { "auto", "ed", "EC", "pwed", "pwec", "bwed", "BWEC",
					       "simd" };

	for (unsigned levels = 2; levels <= 16; levels += rip_test_repeated() ? 7 : 1)
		for (size_t s = 0; s < COUNT(screens); s++) {
			char options[128];
			struct sheet page = { raster_page(spaces[rip_test_random() % COUNT(spaces)],
							 rip_test_random() % 3,
							 rip_test_random() % 2 ? 8 : 16,
							 1 + rip_test_random() % 299, 37), NULL };

			memcpy(page.header.HWResolution,
			       resolutions[rip_test_random() % COUNT(resolutions)],
			       sizeof page.header.HWResolution);
			snprintf(options, sizeof options, "halftone=%s media=A4 "
				 "halftone-screen=%s halftone-levels=%u",
				 methods[rip_test_random() % COUNT(methods)],
				 screens[s], levels);
			job(RASTER_V3, false, &page, 1, &(struct run){ .options = options },
			    &(struct expected){ levels, screens[s], false, NULL });
		}
}

/* Tone curves and ink limits: every plane has its own curve where its pattern is another, light is
 * turned round, and none of it is there unless it was asked for. */
TEST(tones)
{
	static const struct {
		const char  *options;
		struct tones tones;
	} jobs[] = {
		{ "halftone-dot-gain=none halftone-target=linear halftone-density=100 "
		  "halftone-gamma=1 "
		  "halftone-ink-limit=none toner-save=0",
		  { "none", -1, RIP_TARGET_LINEAR, 1, 1, 0, 0 } },
		{ "halftone-dot-gain=laser", { "laser-600", -1, RIP_TARGET_PRINT, 1, 1, 0, 0 } },
		{ "halftone-dot-gain=12 halftone-target=linear",
		  { "laser-600", 12, RIP_TARGET_LINEAR, 1, 1, 0, 0 } },
		{ "halftone-dot-gain=inkjet halftone-density=80% halftone-ink-limit=200",
		  { "inkjet-720", -1, RIP_TARGET_PRINT, 0.8, 1, 200, 0 } },
		{ "halftone-gamma=1.8 halftone-ink-limit=150%",
		  { "none", -1, RIP_TARGET_PRINT, 1, 1.8, 150, 0 } },
		{ "halftone-density=200", { "none", -1, RIP_TARGET_PRINT, 2, 1, 0, 0 } },
		{ "halftone-ink-limit=100", { "none", -1, RIP_TARGET_PRINT, 1, 1, 100, 0 } },
		{ "toner-save=1", { "none", -1, RIP_TARGET_PRINT, 1, 1, 0, 25 } },
		{ "toner-save=33% halftone-dot-gain=laser halftone-ink-limit=150",
		  { "laser-600", -1, RIP_TARGET_PRINT, 1, 1, 150, 33 } },
	};
	static const char *const screens[] = { "clustered", "blue-noise", "floyd-steinberg" };
	static const cups_cspace_t used[] = { CUPS_CSPACE_K, CUPS_CSPACE_KCMY, CUPS_CSPACE_CMYK,
					      CUPS_CSPACE_W, CUPS_CSPACE_RGB, CUPS_CSPACE_CMY };

	for (size_t j = 0; j < COUNT(jobs); j++)
		for (size_t s = 0; s < COUNT(screens); s++) {
			struct sheet pages[2 * COUNT(used)];
			char options[256];

			/* One screen is enough, because it gets other samples and does the same. */
			if (((jobs[j].tones.toner > 0 || rip_test_repeated()) && s != j % 2) ||
			    rip_test_left_out())
				continue;
			for (size_t i = 0; i < COUNT(pages); i++) {
				/* Of planar pages the inks come one after the other: no limit. */
				const unsigned order = (unsigned)(i + j + s) %
						       (jobs[j].tones.limit > 0 ? 2 : 3);

				pages[i] = (struct sheet){
					raster_page(used[i % COUNT(used)], order,
						    i % 4 == 1 ? 16 : 8,
						    101 + 250 * (unsigned)(i % 3), 40),
					NULL
				};
				pages[i].header.HWResolution[0] = pages[i].header.HWResolution[1] =
					600;
			}
			snprintf(options, sizeof options, "halftone-screen=%s %s", screens[s],
				 jobs[j].options);
			job(RASTER_V3, false, pages, COUNT(pages),
			    &(struct run){ .options = options },
			    &(struct expected){ 2, screens[s], false, &jobs[j].tones });
		}
}

/* An ink limit and a planar page: a warning, and dots without a limit. */
TEST(limit_of_planar_pages)
{
	AUTO(run_free) struct run run = { .options = "halftone-ink-limit=200" };

	run_pages(&run, RASTER_V3, raster_page(CUPS_CSPACE_CMYK, 2, 8, 64, 20), NULL, 2);
	run_succeeded(&run, 1);
	assert_non_null(strstr((char *)run.err.data, "no ink limit"));
}

/* Pages of one job that need different masks: each has its own, and rows count from the top of
 * each page and each plane.  The white and black rows among them are not counted out. */
TEST(masks)
{
	static const char *const screens[] = { "clustered", "clustered-106", "blue-noise-mask",
					       "bayer" };
	static const cups_cspace_t used[] = { CUPS_CSPACE_K, CUPS_CSPACE_KCMY, CUPS_CSPACE_CMYK,
					      CUPS_CSPACE_W, CUPS_CSPACE_RGB, CUPS_CSPACE_DEVICE6,
					      CUPS_CSPACE_K, CUPS_CSPACE_CMY };

	for (size_t s = 0; s < COUNT(screens); s++) {
		char options[64];
		struct sheet pages[COUNT(used)];

		for (size_t i = 0; i < COUNT(used); i++) {
			pages[i] = (struct sheet){ raster_page(used[i], (int)i % 3, 8, 400, 300),
						   NULL };
			pages[i].header.HWResolution[0] = i % 4 == 1 && s != 1 ? 300 : 600;
			pages[i].header.HWResolution[1] = 600;
		}
		snprintf(options, sizeof options, "halftone-screen=%s", screens[s]);
		job(RASTER_V3, false, pages, COUNT(used), &(struct run){ .options = options },
		    &(struct expected){ 2, screens[s], false, NULL });
	}
}

/* A screen that the page cannot have: one warning with those that it can have, and the next
 * place counts. */
TEST(refused_mask)
{
	AUTO(run_free) struct run run = { .options = "halftone-screen=clustered-999" };
	cups_page_header2_t h = raster_page(CUPS_CSPACE_K, 0, 8, 64, 20);

	h.HWResolution[0] = h.HWResolution[1] = 600;
	run_pages(&run, RASTER_V3, h, NULL, 3);
	run_succeeded(&run, 1);
	assert_non_null(strstr((char *)run.err.data,
			       "WARNING: halftone-screen=clustered-999 in the job's options is not "
			       "possible: "));
	assert_non_null(strstr((char *)run.err.data, " clustered-141"));
	assert_int_equal(run_count(&run,
				   "DEBUG: page 1: halftone=auto halftone-screen=floyd-steinberg "),
			 1);
}

/* Three colours in four: bytes behind them, or a bit before them. */
TEST(padded_pixels)
{
	static const cups_cspace_t three[] = { CUPS_CSPACE_CMY, CUPS_CSPACE_RGB };

	for (int i = 0; i < 2; i++)
		for (unsigned bits = 1; bits <= 16; bits += bits == 1 ? 7 : 8)
			for (unsigned colors = 3; colors <= 4; colors++) {
				cups_page_header2_t h = raster_page(three[i], 0, bits, 61, 30);

				h.cupsBitsPerPixel = 4 * bits;
				h.cupsBytesPerLine = (61 * 4 * bits + 7) / 8;
				h.cupsNumColors = colors;
				one(RASTER_V3, false, h);
			}
}

TEST(pwg)
{
	static const cups_cspace_t some[] = { CUPS_CSPACE_W, CUPS_CSPACE_SW, CUPS_CSPACE_K,
					      CUPS_CSPACE_SRGB, CUPS_CSPACE_CMYK,
					      CUPS_CSPACE_DEVICE6 };

	for (size_t s = 0; s < COUNT(some); s++)
		for (unsigned bits = 1; bits <= 16; bits += bits == 1 ? 7 : 8)
			for (int order = 0; order < 3; order++) {
				struct sheet page = { raster_page(some[s], order, bits, 133, 41),
						      NULL };

				if (order == CUPS_ORDER_PLANAR && raster_colors(some[s]) > 1)
					continue;
				job(order ? RASTER_V3 : RASTER_V2, true, &page, 1, &(struct run){
					.env = { "FINAL_CONTENT_TYPE=image/pwg-raster" } },
				    &(struct expected){ 2, "floyd-steinberg", true, NULL });
			}
}

/* No page is no error, and leaves nothing. */
TEST(empty)
{
	struct bytes stream = { 0 };

	for (int format = -1; format < RASTER_FORMATS; format++) {
		AUTO(run_free) struct run run = { 0 };

		if (format >= 0)
			raster_begin(&stream, format, format == RASTER_V2);
		run_filter(&run, &stream);
		assert_int_equal(run.status, 0);
		assert_int_equal(run.out.size, 0);
		assert_int_equal(run_count(&run, "ERROR:") + run_count(&run, "PAGE:"), 0);
		bytes_free(&stream);
	}
}

/* The largest pipe that this user may have, up to 256 KiB. */
static int largest_pipe(void)
{
	int fds[2], size = 256 << 10;

	assert_int_equal(pipe(fds), 0);
	while (size > fcntl(fds[0], F_GETPIPE_SZ) && fcntl(fds[0], F_SETPIPE_SZ, size) < 0)
		size /= 2;
	size = fcntl(fds[0], F_GETPIPE_SZ);
	close(fds[0]);
	close(fds[1]);
	return size;
}

/* The pipes at both ends become as large as they may be. */
TEST(pipes)
{
	const int largest = largest_pipe();
	int in[2], out[2], err;
	pid_t pid;

	assert_int_equal(pipe(in) | pipe(out), 0);
	assert_true(largest > fcntl(in[0], F_GETPIPE_SZ));
	close(in[1]);
	err = open("/dev/null", O_WRONLY);
	pid = fork_child();
	if (pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(err, 2);
		execl(filter_path(), "queue", "1", "user", "title", "1", "", NULL);
		_exit(127);
	}
	assert_int_equal(wait_child(pid), 0);
	assert_int_equal(fcntl(in[0], F_GETPIPE_SZ), largest);
	assert_int_equal(fcntl(out[0], F_GETPIPE_SZ), largest);
	close(err);
	close(in[0]);
	close(out[0]);
	close(out[1]);
}
