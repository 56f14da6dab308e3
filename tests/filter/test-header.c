/* A page's header: what is taken, what is refused and how, what is written. */
#include "tests/tools/testing.h"

#include <math.h>

#include "filter/page/header.h"
#include "halftone/screen/arith.h"
#include "tests/tools/raster.h"

static char why[256];

static int check(const cups_page_header2_t *h, struct rip_geometry *g)
{
	why[0] = '\0';
	return rip_header_check(h, g, why, sizeof why);
}

static cups_page_header2_t good(void)
{
	return raster_page(CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 8, 100, 50);
}

/* Every space that there may be: taken, or refused by name. */
TEST(spaces)
{
	static const struct {
		unsigned    space, planes;
		bool        light;
		const char *inks;
	} taken[] = {
		{ 0, 1, true, "K" },     { 1, 3, true, "CMY" },   { 3, 1, false, "K" },
		{ 4, 3, false, "CMY" },  { 6, 4, false, "CMYK" }, { 8, 4, false, "KCMY" },
		{ 18, 1, true, "K" },    { 19, 3, true, "CMY" },  { 20, 3, true, "CMY" },
		{ 9, 4, false, "KCMY" }, { 48, 1, false, NULL },  { 49, 2, false, NULL },
		{ 62, 15, false, NULL },
	};
	unsigned accepted = 0;

	for (unsigned space = 0; space < 70; space++) {
		const bool device = space >= 48 && space <= 62;
		cups_page_header2_t h = raster_page(space, CUPS_ORDER_CHUNKED, 8, 10, 10);
		struct rip_geometry g;
		int r = check(&h, &g);
		const char *inks = NULL, *said = rip_color_space_inks(space);
		bool known = device;

		for (size_t i = 0; i < COUNT(taken); i++)
			if (taken[i].space == space) {
				known = true;
				inks = taken[i].inks;
				assert_int_equal(g.planes, taken[i].planes);
				assert_int_equal(g.light, taken[i].light);
			}
		assert_string_equal(said ? said : "none", inks ? inks : "none");
		assert_int_equal(r, known ? 0 : -EINVAL);
		accepted += known;
		if (!known)
			assert_non_null(strstr(why, "cupsColorSpace is "));
	}
	assert_int_equal(accepted, 10 + 15);
	{
		cups_page_header2_t h = raster_page(CUPS_CSPACE_CIELab, CUPS_ORDER_CHUNKED, 8, 10,
						    10);
		struct rip_geometry g;

		assert_int_equal(check(&h, &g), -EINVAL);
		assert_non_null(strstr(why, "16 (CIELab)"));
	}
}

TEST(orders_and_depths)
{
	for (int order = 0; order < 3; order++)
		for (unsigned bits = 0; bits <= 17; bits++) {
			cups_page_header2_t h = raster_page(CUPS_CSPACE_RGB, order, bits, 13, 7);
			struct rip_geometry g;
			int r = check(&h, &g);

			if (bits != 1 && bits != 8 && bits != 16) {
				assert_int_equal(r, -EINVAL);
				assert_non_null(strstr(why, "cupsBitsPerColor is "));
				continue;
			}
			assert_int_equal(r, 0);
			assert_int_equal(g.planes, 3);
			assert_int_equal(g.sample_bits, bits);
			assert_int_equal(g.order, order);
			assert_int_equal(g.stride, order == CUPS_ORDER_CHUNKED ? 3 : 1);
			assert_int_equal(g.first, 0);
			assert_int_equal(g.lines, order == CUPS_ORDER_PLANAR ? 21 : 7);
		}
	{
		cups_page_header2_t h = raster_page(CUPS_CSPACE_K, CUPS_ORDER_BANDED, 8, 13, 7);
		struct rip_geometry g;

		assert_int_equal(check(&h, &g), 0);
		assert_int_equal(g.order, CUPS_ORDER_CHUNKED);
	}
}

/* KCMYcm: six colours of 1 bit, in bytes if they are chunked; of more bits, four, and two light
 * inks in the dots. */
TEST(six_inks)
{
	cups_page_header2_t h = raster_page(CUPS_CSPACE_KCMYcm, CUPS_ORDER_CHUNKED, 8, 11, 5);
	struct rip_geometry g;

	assert_int_equal(check(&h, &g), 0);
	assert_int_equal(g.lights, 2);
	assert_int_equal(g.light_planes[0].source, 1);
	assert_int_equal(g.light_planes[1].source, 2);
	h.cupsColorOrder = CUPS_ORDER_PLANAR;
	h.cupsBitsPerPixel = 8;
	h.cupsBytesPerLine = 11;
	assert_int_equal(check(&h, &g), -EINVAL);
	assert_non_null(strstr(why, "cupsColorOrder is 2 (planar): light inks"));
	for (int order = 0; order < 3; order++) {
		h.cupsColorOrder = (cups_order_t)order;
		h.cupsBitsPerColor = 1;
		h.cupsBitsPerPixel = order == 0 ? 8 : 1;
		h.cupsBytesPerLine = order == 0 ? 11 : order == 1 ? 12 : 2;
		h.cupsNumColors = 6;
		assert_int_equal(check(&h, &g), 0);
		assert_int_equal(g.planes, 6);
		assert_int_equal(g.lights, 0);
		assert_int_equal(g.stride, order == 0 ? 8 : 1);
		assert_int_equal(g.first, order == 0 ? 2 : 0);
		assert_int_equal(g.lines, order == 2 ? 30 : 5);
	}
	h = raster_page(CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 1, 11, 5);
	h.cupsBitsPerPixel = 8; /* only for six colours */
	h.cupsBytesPerLine = 11;
	assert_int_equal(check(&h, &g), -EINVAL);
}

/* Ghostscript's ways with three colours. */
TEST(four_of_three)
{
	struct rip_geometry g;
	cups_page_header2_t h = raster_page(CUPS_CSPACE_CMY, CUPS_ORDER_CHUNKED, 8, 10, 10);

	h.cupsNumColors = 4;
	h.cupsBitsPerPixel = 32;
	h.cupsBytesPerLine = 40;
	assert_int_equal(check(&h, &g), 0);
	assert_int_equal(g.planes, 3);
	assert_int_equal(g.stride, 4);
	assert_int_equal(g.first, 0);
	h = raster_page(CUPS_CSPACE_CMY, CUPS_ORDER_BANDED, 8, 10, 10);
	h.cupsNumColors = 4;
	assert_int_equal(check(&h, &g), 0);
	assert_int_equal(g.line_bytes, 30);
	h = raster_page(CUPS_CSPACE_RGB, CUPS_ORDER_CHUNKED, 1, 10, 10);
	h.cupsBitsPerPixel = 4;
	h.cupsBytesPerLine = 5;
	assert_int_equal(check(&h, &g), 0);
	assert_int_equal(g.first, 1);
	h.cupsNumColors = 0; /* version 1 has none */
	assert_int_equal(check(&h, &g), 0);
}

/* One field wrong at a time: the message names it and its value. */
TEST(refused)
{
	static const struct raster_fault wrong[] = {
		{ RASTER_FIELD(cupsWidth), 0, "cupsWidth is 0" },
		{ RASTER_FIELD(cupsWidth), 101, "cupsBytesPerLine is 400" },
		{ RASTER_FIELD(cupsWidth), 16777216, "cupsWidth is 16777216" },
		{ RASTER_FIELD(cupsWidth), 0xffffffff, "cupsWidth is 4294967295" },
		{ RASTER_FIELD(cupsHeight), 0, "cupsHeight is 0" },
		{ RASTER_FIELD(cupsHeight), 16777216, "cupsHeight is 16777216" },
		{ RASTER_FIELD(cupsBitsPerColor), 0, "cupsBitsPerColor is 0" },
		{ RASTER_FIELD(cupsBitsPerColor), 4, "cupsBitsPerColor is 4" },
		{ RASTER_FIELD(cupsBitsPerColor), 16, "cupsBitsPerPixel is 32" },
		{ RASTER_FIELD(cupsBitsPerColor), 0x80000008, "cupsBitsPerColor is 2147483656" },
		{ RASTER_FIELD(cupsBitsPerPixel), 0, "cupsBitsPerPixel is 0" },
		{ RASTER_FIELD(cupsBitsPerPixel), 33, "cupsBitsPerPixel is 33" },
		{ RASTER_FIELD(cupsBitsPerPixel), 24, "cupsBitsPerPixel is 24" },
		{ RASTER_FIELD(cupsBitsPerPixel), 0xffffffe0, "cupsBitsPerPixel is 4294967264" },
		{ RASTER_FIELD(cupsBytesPerLine), 0, "cupsBytesPerLine is 0" },
		{ RASTER_FIELD(cupsBytesPerLine), 399, "cupsBytesPerLine is 399" },
		{ RASTER_FIELD(cupsBytesPerLine), 404, "cupsBytesPerLine is 404" },
		{ RASTER_FIELD(cupsBytesPerLine), 0x80000000, "cupsBytesPerLine is 2147483648" },
		{ RASTER_FIELD(cupsColorOrder), 1, "cupsBitsPerPixel is 32" },
		{ RASTER_FIELD(cupsColorOrder), 3, "cupsColorOrder is 3" },
		{ RASTER_FIELD(cupsColorOrder), 0xffffffff, "cupsColorOrder is 4294967295" },
		{ RASTER_FIELD(cupsColorSpace), 5, "cupsColorSpace is 5 (YMC)" },
		{ RASTER_FIELD(cupsColorSpace), 63, "cupsColorSpace is 63 (?)" },
		{ RASTER_FIELD(cupsColorSpace), 0xffffffff, "cupsColorSpace is 4294967295 (?)" },
		{ RASTER_FIELD(cupsColorSpace), 3,
		  "cupsBitsPerPixel is 32: 1 colour of 8 bits, chunked, takes 8" },
		{ RASTER_FIELD(cupsNumColors), 3, "cupsNumColors is 3: CMYK has 4" },
		{ RASTER_FIELD(cupsNumColors), 0xffffffff, "cupsNumColors is 4294967295" },
	};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		cups_page_header2_t h = good();
		struct rip_geometry g;

		raster_damage(&h, &wrong[i]);
		assert_int_equal(check(&h, &g), -EINVAL);
		if (!strstr(why, wrong[i].text))
			fail_msg("\"%s\" does not say \"%s\"", why, wrong[i].text);
	}
}

/* The largest pages, and one more. */
TEST(limits)
{
	struct rip_geometry g;
	cups_page_header2_t h = raster_page(CUPS_CSPACE_K, 0, 8, 16777215, 16777215);

	assert_int_equal(check(&h, &g), 0);
	h = raster_page(CUPS_CSPACE_K, 0, 16, 8388608, 1);
	assert_int_equal(check(&h, &g), 0);
	h = raster_page(CUPS_CSPACE_K, 0, 16, 8388609, 1);
	assert_int_equal(check(&h, &g), -EINVAL);
	assert_non_null(strstr(why, "cupsBytesPerLine is 16777218: at most 16777216"));
	h = raster_page(CUPS_CSPACE_DEVICEF, 2, 8, 16777215, 16777215);
	assert_int_equal(check(&h, &g), 0);
	assert_int_equal(g.lines, 16777215u * 15);
	h = raster_page(CUPS_CSPACE_CMYK, 1, 8, 4194304, 1);
	assert_int_equal(check(&h, &g), 0);
	h = raster_page(CUPS_CSPACE_CMYK, 1, 8, 4194305, 1);
	assert_int_equal(check(&h, &g), -EINVAL);
}

static int rewrite(const cups_page_header2_t *in, unsigned levels, bool pwg, bool from_pwg,
		   cups_page_header2_t *out, struct rip_output *o)
{
	struct rip_geometry g;

	assert_int_equal(check(in, &g), 0);
	return rip_header_rewrite(in, &g, levels, pwg, from_pwg, out, o, why, sizeof why);
}

/* FACTS: bits 1, 2, 4; chunked or banded becomes banded; W and SW become K. */
TEST(rewrite)
{
	static const struct {
		cups_cspace_t space, to;
		cups_order_t  order, order_to;
		unsigned      levels, bits, pixel, line;
		bool          invert;
	} cases[] = {
		{ CUPS_CSPACE_K, CUPS_CSPACE_K, 0, 0, 2, 1, 1, 13, false },
		{ CUPS_CSPACE_W, CUPS_CSPACE_K, 0, 0, 2, 1, 1, 13, true },
		{ CUPS_CSPACE_SW, CUPS_CSPACE_K, 1, 0, 3, 2, 2, 25, true },
		{ CUPS_CSPACE_SW, CUPS_CSPACE_K, 2, 2, 4, 2, 2, 25, true },
		{ CUPS_CSPACE_RGB, CUPS_CSPACE_RGB, 0, 1, 2, 1, 1, 39, false },
		{ CUPS_CSPACE_SRGB, CUPS_CSPACE_SRGB, 1, 1, 5, 4, 4, 150, false },
		{ CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_ADOBERGB, 2, 2, 16, 4, 4, 50, false },
		{ CUPS_CSPACE_CMYK, CUPS_CSPACE_CMYK, 0, 1, 2, 1, 1, 52, false },
		{ CUPS_CSPACE_KCMY, CUPS_CSPACE_KCMY, 2, 2, 2, 1, 1, 13, false },
		{ CUPS_CSPACE_DEVICE5, CUPS_CSPACE_DEVICE5, 1, 1, 4, 2, 2, 125, false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		cups_page_header2_t in = raster_page(cases[i].space, cases[i].order, 8, 100, 9),
				    out;
		struct rip_output o;

		in.NumCopies = 3;
		strcpy(in.cupsString[3], "vendor's own");
		in.cupsInteger[7] = 7;
		in.cupsReal[15] = 1.5f;
		in.cupsCompression = 2;
		assert_int_equal(rewrite(&in, cases[i].levels, false, false, &out, &o), 0);
		assert_int_equal(out.cupsColorSpace, cases[i].to);
		assert_int_equal(out.cupsColorOrder, cases[i].order_to);
		assert_int_equal(out.cupsBitsPerColor, cases[i].bits);
		assert_int_equal(out.cupsBitsPerPixel, cases[i].pixel);
		assert_int_equal(out.cupsBytesPerLine, cases[i].line);
		assert_int_equal(out.cupsNumColors, raster_colors(cases[i].space));
		assert_int_equal(o.invert, cases[i].invert);
		assert_int_equal(o.line_bytes, cases[i].line);
		/* Nothing else has changed, but for the size in points. */
		out.cupsColorSpace = in.cupsColorSpace;
		out.cupsColorOrder = in.cupsColorOrder;
		out.cupsBitsPerColor = in.cupsBitsPerColor;
		out.cupsBitsPerPixel = in.cupsBitsPerPixel;
		out.cupsBytesPerLine = in.cupsBytesPerLine;
		assert_true(out.cupsPageSize[0] == 595 && out.cupsPageSize[1] == 842);
		memcpy(in.cupsPageSize, out.cupsPageSize, sizeof in.cupsPageSize);
		memcpy(in.cupsImagingBBox, out.cupsImagingBBox, sizeof in.cupsImagingBBox);
		assert_memory_equal(&in, &out, sizeof in);
	}
}

/* The size in points: kept, filled in, or put right. */
TEST(page_size)
{
	cups_page_header2_t in = good(), out;
	struct rip_output o;

	in.cupsPageSize[0] = 595.276f;
	in.cupsPageSize[1] = 841.89f;
	in.cupsImagingBBox[0] = 18;
	in.cupsImagingBBox[2] = 577.276f;
	in.cupsImagingBBox[3] = 800;
	assert_int_equal(rewrite(&in, 2, false, false, &out, &o), 0);
	assert_memory_equal(in.cupsPageSize, out.cupsPageSize, sizeof in.cupsPageSize);
	assert_memory_equal(in.cupsImagingBBox, out.cupsImagingBBox, sizeof in.cupsImagingBBox);

	in.cupsPageSize[0] = NAN;
	in.cupsPageSize[1] = -1;
	in.cupsImagingBBox[1] = INFINITY;
	assert_int_equal(rewrite(&in, 2, false, false, &out, &o), 0);
	assert_true(out.cupsPageSize[0] == 595 && out.cupsPageSize[1] == 842);
	assert_true(out.cupsImagingBBox[0] == 0 && out.cupsImagingBBox[3] == 842);
}

TEST(pwg)
{
	cups_page_header2_t in = raster_page(CUPS_CSPACE_SRGB, 0, 8, 2480, 3508), out;
	struct rip_output o;

	for (int i = 0; i < 16; i++)
		in.cupsInteger[i] = 1000 + i; /* a vendor's */
	assert_int_equal(rewrite(&in, 2, true, false, &out, &o), 0);
	assert_int_equal(out.cupsColorOrder, CUPS_ORDER_CHUNKED);
	assert_int_equal(out.cupsBitsPerPixel, 3);
	assert_int_equal(out.cupsInteger[0], 0);
	assert_int_equal(out.cupsInteger[1], 1);
	assert_int_equal(out.cupsInteger[2], 1);
	assert_string_equal(out.cupsPageSizeName, "iso_a4_210x297mm");
	in.cupsPageSizeName[0] = '\0'; /* then by its size */
	assert_int_equal(rewrite(&in, 2, true, false, &out, &o), 0);
	assert_string_equal(out.cupsPageSizeName, "iso_a4_210x297mm");
	memset(in.cupsPageSizeName, 'x', sizeof in.cupsPageSizeName); /* no NUL, no size */
	in.PageSize[0] = 0xffffffff;
	assert_int_equal(rewrite(&in, 2, true, false, &out, &o), 0);

	/* From PWG raster: what it says of itself is kept. */
	in = raster_page(CUPS_CSPACE_SW, 0, 8, 2480, 3508);
	strcpy(in.cupsPageSizeName, "om_small-photo_100x150mm");
	in.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] = 5;
	in.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] = 0xffffffff;
	in.cupsInteger[CUPS_RASTER_PWG_FeedTransform] = 7; /* nonsense */
	for (int i = 0; i < 4; i++)
		in.cupsInteger[CUPS_RASTER_PWG_ImageBoxLeft + i] = (unsigned[]){ 75, 100, 2405,
										 3408 }[i];
	assert_int_equal(rewrite(&in, 2, true, true, &out, &o), 0);
	assert_string_equal(out.cupsPageSizeName, "om_small-photo_100x150mm");
	assert_int_equal(out.cupsColorSpace, CUPS_CSPACE_K);
	assert_int_equal(out.cupsInteger[CUPS_RASTER_PWG_TotalPageCount], 5);
	assert_int_equal(out.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform], 0xffffffff);
	assert_int_equal(out.cupsInteger[CUPS_RASTER_PWG_FeedTransform], 1);
	for (int i = 0; i < 4; i++) /* as libcups' writer counts pixels */
		assert_int_equal((unsigned)(out.cupsImagingBBox[i] * out.HWResolution[0] / 72.0),
				 in.cupsInteger[CUPS_RASTER_PWG_ImageBoxLeft + i]);
}

TEST(not_in_pwg)
{
	cups_page_header2_t in = raster_page(CUPS_CSPACE_RGB, CUPS_ORDER_PLANAR, 8, 10, 10), out;
	struct rip_output o;

	assert_int_equal(rewrite(&in, 2, true, false, &out, &o), -EINVAL);
	assert_non_null(strstr(why, "cupsColorOrder is 2"));
	in = raster_page(CUPS_CSPACE_K, CUPS_ORDER_PLANAR, 8, 10, 10);
	assert_int_equal(rewrite(&in, 16, true, false, &out, &o), 0);
	in = raster_page(CUPS_CSPACE_CMYK, CUPS_ORDER_BANDED, 8, 10, 10);
	assert_int_equal(rewrite(&in, 4, true, false, &out, &o), 0);
	assert_int_equal(rewrite(&in, 5, true, false, &out, &o), -EINVAL);
	assert_non_null(strstr(why, "halftone-levels is 5"));
	in = raster_page(CUPS_CSPACE_DEVICE9, CUPS_ORDER_BANDED, 8, 10, 10);
	assert_int_equal(rewrite(&in, 2, true, false, &out, &o), -EINVAL);
}
