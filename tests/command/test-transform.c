/* riptide-transform's objects: the call, headers of pages, places on the sheet. */
#include "tests/tools/testing.h"

#include <math.h>
#include <zlib.h>

#include "command/transform/transform.h"
#include "tests/tools/run.h"

/* A call with these arguments, which end with NULL.  Returns what the request's reader does. */
static int call(struct rip_transform_request *request, const char *const arguments[])
{
	static char name[] = "ipptransform";
	char *argv[40] = { name };
	int argc = 1;

	while (*arguments)
		argv[argc++] = (char *)*arguments++;
	optind = 0;
	return rip_transform_request_read(request, argc, argv);
}
#define CALL(request, ...) call(request, (const char *const[]){ __VA_ARGS__, NULL })

#define A4 "media-col={media-size={x-dimension=21000 y-dimension=29700} media-bottom-margin=423 " \
	   "media-left-margin=423 media-right-margin=423 media-top-margin=423}"

/* ---- headers ---- */

struct bytes {
	uint8_t data[4096];
	size_t  size;
};

static ssize_t collect(void *context, unsigned char *from, size_t n)
{
	struct bytes *bytes = context;

	assert_true(bytes->size + n <= sizeof bytes->data);
	memcpy(bytes->data + bytes->size, from, n);
	bytes->size += n;
	return (ssize_t)n;
}

/* The header of a page as it is in PWG raster. */
static void write_header(cups_page_header2_t *header, struct bytes *bytes)
{
	cups_raster_t *raster;

	bytes->size = 0;
	raster = cupsRasterOpenIO(collect, bytes, CUPS_RASTER_WRITE_PWG);
	assert_non_null(raster);
	assert_true(cupsRasterWriteHeader2(raster, header));
	cupsRasterClose(raster);
	assert_int_equal(bytes->size, 4 + 1796);
}

static const char *const resolutions[] = { "203dpi", "300dpi", "600dpi", "600x1200dpi" };
static const char *const types[] = { "black_1", "black_8", "sgray_8", "srgb_8", "cmyk_8" };

/*
 * CRC-32 of the 1796 bytes of each header that libcups 3.0.3 (commit a932cb9c8) makes: recorded
 * from its own ippOptionsNew(), cupsRasterInitHeader() and cupsRasterWriteHeader(), which were
 * called as xform_setup() of its ipptransform calls them, for a document of three pages.
 */
static const struct {
	const char *media;
	uint32_t    crcs[4][5];
} recorded[] = {
	{ A4,
	  { { 0xd48c4a5b, 0xbb244c4d, 0xd7ba272f, 0x2e40b52a, 0x6f1c0163 },
	    { 0x35169199, 0x82fcd25d, 0xee62b93f, 0x55a293f5, 0xacdc4720 },
	    { 0x414b4d80, 0x3e9126ba, 0x520f4dd8, 0x77f6b281, 0x0bb05c6c },
	    { 0xa9d3ca9f, 0xd609a1a5, 0xba97cac7, 0x9f6e359e, 0xe328db73 } } },
	{ "media-col={media-size={x-dimension=21590 y-dimension=27940} "
	  "media-bottom-margin=635 media-left-margin=635 media-right-margin=635 "
	  "media-top-margin=635}",
	  { { 0x00667659, 0x9c87f20c, 0xf019996e, 0x1b0130b4, 0x01909da3 },
	    { 0xd6267542, 0x8e292bb8, 0xe2b740da, 0xdef3c815, 0xbebc76ee },
	    { 0xc5b0fe43, 0xbed1a944, 0xd24fc226, 0x8cd5bb4a, 0xb69b43c4 },
	    { 0x7d744466, 0x06151361, 0x6a8b7803, 0x3411016f, 0x0e5ff9e1 } } },
	{ "media=na_legal_8.5x14in",
	  { { 0x10fbaab4, 0x8c1a2ee1, 0xe0844583, 0x0b9cec59, 0x110d414e },
	    { 0x364639ca, 0x6e496730, 0x02d70c52, 0x3e93849d, 0x5edc3a66 },
	    { 0xac406dad, 0xd7213aaa, 0xbbbf51c8, 0xe52528a4, 0xdf6bd02a },
	    { 0x30de7844, 0x4bbf2f43, 0x27214421, 0x79bb3d4d, 0x43f5c5c3 } } },
	{ "media=iso_a3_297x420mm",
	  { { 0x001a2868, 0xbf408631, 0xd3deed53, 0x38c64489, 0xcc7d5207 },
	    { 0xc32ab297, 0xbd070947, 0xd1996225, 0x11eecb43, 0x80791454 },
	    { 0x7adb9556, 0xf24382a6, 0x9edde9c4, 0x7da2c2a2, 0x257a5158 },
	    { 0xc1779e23, 0x49ef89d3, 0x2571e2b1, 0xc60ec9d7, 0x9ed65a2d } } },
	{ "media-col={media-size={x-dimension=10160 y-dimension=15240} "
	  "media-bottom-margin=0 media-left-margin=0 media-right-margin=0 "
	  "media-top-margin=0 media-type=photographic-glossy media-source=photo}",
	  { { 0xab8dbfb3, 0xcae28f96, 0xa67ce4f4, 0x75b89040, 0x5a428228 },
	    { 0xdc3684ee, 0x3493b26c, 0x580dd90e, 0xc95496ce, 0xf5957eb9 },
	    { 0xb261a62d, 0xdc3ee3e5, 0xb0a08887, 0xc06bbdca, 0xec222c22 },
	    { 0x3c6d2ae8, 0x52326f20, 0x3eac0442, 0x4e67310f, 0x622ea0e7 } } },
	{ "media=iso_dl_110x220mm",
	  { { 0x6932b5d7, 0xc6f60576, 0xaa686e14, 0xb090435b, 0x28329245 },
	    { 0x922b2217, 0xad29946f, 0xc1b7ff0d, 0xf02167a2, 0x69d3e5ed },
	    { 0xf8955a6d, 0xb8a3b6fd, 0xd43ddd9f, 0x91038433, 0x83460394 },
	    { 0x17f9d68d, 0x57cf3a1d, 0x3b51517f, 0x7e6f08d3, 0x6c2a8f74 } } },
	{ "media-col={media-size={x-dimension=10217 y-dimension=15233} "
	  "media-bottom-margin=300 media-left-margin=300 media-right-margin=300 "
	  "media-top-margin=300 media-type=labels media-source=main-roll "
	  "media-color=yellow}",
	  { { 0xe962c943, 0x6ee42940, 0x027a4222, 0x93230de2, 0x35e8b8c2 },
	    { 0x856bc0c5, 0xb9cc016e, 0xd5526a0c, 0x317a250f, 0x8e845340 },
	    { 0x4d5a1ce8, 0xb59a957d, 0xd904fe1f, 0x538a8409, 0x76cfd8f9 },
	    { 0xd0c7fb1f, 0x2807728a, 0x449919e8, 0xce1763fe, 0xeb523f0e } } },
	{ "media-col={media-size-name=jis_b5_182x257mm media-source=tray-3}",
	  { { 0x55585294, 0x0b3796cf, 0x67a9fdad, 0xfd274add, 0xe9b32033 },
	    { 0x7042d75e, 0x7fd7630e, 0x1349086c, 0x1a2d5c87, 0x950e6dd3 },
	    { 0x5c3bb31e, 0xc29fd17d, 0xae01ba1f, 0xbd910e51, 0xce82e720 },
	    { 0x3e5434fa, 0xa0f05699, 0xcc6e3dfb, 0xdffe89b5, 0xaced60c4 } } },
};

TEST(headers_are_those_of_libcups_3)
{
	for (size_t m = 0; m < sizeof recorded / sizeof recorded[0]; m++)
		for (int r = 0; r < 4; r++)
			for (int t = 0; t < 5; t++) {
				struct rip_transform_request request;
				cups_page_header2_t header;
				struct bytes bytes;

				assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-i",
						      "application/pdf", "-o", recorded[m].media,
						      "-o", "copies=2", "-o", "print-quality=5",
						      "-o", "print-content-optimize=photo", "-o",
						      "print-rendering-intent=perceptual", "-o",
						      "orientation-requested=4", "-o",
						      "sides=two-sided-long-edge", "-s", "rotated",
						      "-r", resolutions[r], "-t", types[t], "file"),
						 RIP_TRANSFORM_GO_ON);
				assert_string_equal(request.type->name, types[t]);
				rip_transform_header(&request, 3, 8, false, &header);
				write_header(&header, &bytes);
				if (crc32(0, bytes.data + 4, 1796) != recorded[m].crcs[r][t])
					fail_msg("%s, %s, %s: 0x%08lx is another header",
						 recorded[m].media, resolutions[r], types[t],
						 (unsigned long)crc32(0, bytes.data + 4, 1796));
				rip_transform_request_finish(&request);
			}
}

/* PAPPL expects floor(W * dpi / 2540) of its own sizes, also of those that are nearly others. */
TEST(sizes_are_exact)
{
	static const struct {
		const char *media;
		unsigned width, height;
	} cases[] = {
		{ A4, 4960, 7015 },
		{ "media-col={media-size={x-dimension=21000 y-dimension=29690}}", 4960, 7013 },
		{ "media-col={media-size={x-dimension=10200 y-dimension=15200}}", 2409, 3590 },
		{ "media-col={media-size={x-dimension=21590 y-dimension=27940}}", 5100, 6600 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_transform_request request;
		cups_page_header2_t header;

		assert_int_equal(CALL(&request, "-m", "image/urf", "-o", cases[i].media, "-r",
				      "600dpi", "a.pdf"), RIP_TRANSFORM_GO_ON);
		rip_transform_header(&request, 1, 1, false, &header);
		assert_int_equal(header.cupsWidth, cases[i].width);
		assert_int_equal(header.cupsHeight, cases[i].height);
		rip_transform_request_finish(&request);
	}
}

/* PWG 5102.4: what the back of a sheet needs.  libcups 3.0.3 also writes -1, -1 for normal and
 * manual-tumble on long edges, and for rotated on short ones, but does not turn the pixels. */
TEST(backs_are_transformed)
{
	static const struct {
		const char *back, *sides;
		int x, y;
	} cases[] = {
		{ "normal", "two-sided-long-edge", 1, 1 },
		{ "normal", "two-sided-short-edge", 1, 1 },
		{ "flipped", "two-sided-long-edge", 1, -1 },
		{ "flipped", "two-sided-short-edge", -1, 1 },
		{ "rotated", "two-sided-long-edge", -1, -1 },
		{ "rotated", "two-sided-short-edge", 1, 1 },
		{ "manual-tumble", "two-sided-long-edge", 1, 1 },
		{ "manual-tumble", "two-sided-short-edge", -1, -1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_transform_request request;
		cups_page_header2_t front, back;
		char sides[64];
		double m[6], n[6];

		snprintf(sides, sizeof sides, "sides=%s", cases[i].sides);
		assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-o", sides, "-s",
				      cases[i].back, "a.pdf"), RIP_TRANSFORM_GO_ON);
		rip_transform_header(&request, 2, 2, false, &front);
		rip_transform_header(&request, 2, 2, true, &back);
		assert_int_equal(front.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform], 1);
		assert_int_equal(front.cupsInteger[CUPS_RASTER_PWG_FeedTransform], 1);
		assert_int_equal((int)back.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform],
				 cases[i].x);
		assert_int_equal((int)back.cupsInteger[CUPS_RASTER_PWG_FeedTransform], cases[i].y);
		assert_int_equal(back.Duplex, 1);
		assert_int_equal(back.Tumble, !strcmp(cases[i].sides, "two-sided-short-edge"));
		/* The pixels are mirrored as the header says. */
		rip_transform_place(&request, &front, 500, 700, false, m);
		rip_transform_place(&request, &front, 500, 700, true, n);
		for (int at = 0; at < 6; at++) {
			const int sign = at % 2 ? cases[i].y : cases[i].x;
			const double end = at < 4 ? 0 : at == 4 ? front.cupsWidth :
								  front.cupsHeight;

			assert_true(fabs(n[at] - (sign > 0 ? m[at] : end - m[at])) < 1e-9);
		}
		rip_transform_header(&request, 1, 1, false, &front);
		assert_int_equal(front.Duplex, 0); /* one page has no back */
		rip_transform_request_finish(&request);
	}
}

/* ---- places ---- */

/* Where a page's corners come, in pixels, on A4 with margins of 423. */
static void place(const char *scaling, const char *orientation, double width, double height,
		  double dpi, double box[4])
{
	struct rip_transform_request request;
	cups_page_header2_t header;
	char scale[64], turn[64], resolution[32];
	double m[6];

	snprintf(scale, sizeof scale, "print-scaling=%s", scaling);
	snprintf(turn, sizeof turn, "orientation-requested=%s", orientation);
	snprintf(resolution, sizeof resolution, "%.0fdpi", dpi);
	assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-o", A4, "-o", scale, "-o", turn,
			      "-r", resolution, "a.pdf"), RIP_TRANSFORM_GO_ON);
	rip_transform_header(&request, 1, 1, false, &header);
	rip_transform_place(&request, &header, width, height, false, m);
	/* lower left, upper right */
	box[0] = m[4];
	box[1] = m[5];
	box[2] = m[0] * width + m[2] * height + m[4];
	box[3] = m[1] * width + m[3] * height + m[5];
	rip_transform_request_finish(&request);
}

#define assert_box(box, ...) \
	do { \
		const double wanted[4] = { __VA_ARGS__ }; \
		for (int corner = 0; corner < 4; corner++) \
			if (fabs((box)[corner] - wanted[corner]) > .6) \
				fail_msg("corner %d is at %g, not at %g", corner, (box)[corner], \
					 wanted[corner]); \
	} while (0)

TEST(pages_are_placed)
{
	double b[4];

	/* The sheet has 595 x 841 pixels at 72 dpi; 12 are margins on each side. */
	place("auto", "7", 595, 842, 72, b); /* the sheet's size: at its lower left */
	assert_box(b, 0, 841, 595, -1);
	place("auto", "7", 300, 400, 72, b); /* smaller: in its middle */
	assert_box(b, 147.5, 620.5, 447.5, 220.5);
	place("auto", "7", 1190, 1684, 72, b); /* larger: within the margins */
	assert_box(b, 12, 824.3, 583.3, 15.8);
	place("auto-fit", "7", 1190, 1684, 72, b);
	assert_box(b, 12, 824.3, 583.3, 15.8);
	place("fit", "7", 300, 300, 72, b);
	assert_box(b, 12, 705.7, 583.3, 134.4);
	place("fill", "7", 300, 300, 72, b);
	assert_box(b, -123, 841, 718, 0);
	place("none", "7", 1190, 1684, 72, b); /* in its middle, cut off */
	assert_box(b, -297.5, 1262.5, 892.5, -421.5);
	place("none", "7", 595, 842, 144, b); /* twice as many pixels */
	assert_box(b, 0, 1683, 1190, -1);
	/* Landscape pages go on the sheet clockwise: their lower left is at its upper left. */
	place("none", "7", 842, 595, 72, b);
	assert_box(b, 0, -1, 595, 841);
	place("none", "3", 842, 595, 72, b);
	assert_box(b, 0, -1, 595, 841);
	/* As asked for: anticlockwise, clockwise, upside down. */
	place("none", "4", 842, 595, 72, b);
	assert_box(b, 595, 841, 0, -1);
	place("none", "5", 842, 595, 72, b);
	assert_box(b, 0, -1, 595, 841);
	place("none", "6", 595, 842, 72, b);
	assert_box(b, 595, -1, 0, 841);
	place("fit", "4", 595, 842, 72, b);
	assert_box(b, 583.3, 621.9, 12, 218.2);
}

TEST(small_sheets_have_no_margins)
{
	struct rip_transform_request request;
	const struct rip_transform_media *media = &request.media;

	CALL(&request, "-m", "image/pwg-raster", "-o",
	     "media-col={media-size={x-dimension=1250 y-dimension=9000}}", "a.pdf");
	assert_int_equal(media->left + media->right + media->top + media->bottom, 0);
	rip_transform_request_finish(&request);
	CALL(&request, "-m", "image/pwg-raster", "-o",
	     "media-col={media-size={x-dimension=1300 y-dimension=2600}}", "a.pdf");
	assert_int_equal(media->left + media->right + media->top + media->bottom, 3750);
	rip_transform_request_finish(&request);
}

/* ---- the call ---- */

static const char *type_of(const char *mode, const char *quality, const char *list)
{
	struct rip_transform_request request;
	const char *name;
	char modes[64], qualities[64];

	snprintf(modes, sizeof modes, "print-color-mode=%s", mode);
	snprintf(qualities, sizeof qualities, "print-quality=%s", quality);
	name = CALL(&request, "-m", "image/pwg-raster", "-o", modes, "-o", qualities, "-t", list,
		    "a.pdf") == RIP_TRANSFORM_GO_ON ? request.type->name : "none";
	rip_transform_request_finish(&request);
	return name;
}

TEST(types_are_chosen_as_ipptransform_does)
{
	assert_string_equal(type_of("color", "4", "black_1,black_1"), "black_1");
	assert_string_equal(type_of("color", "4", "srgb_8,black_1"), "srgb_8");
	assert_string_equal(type_of("color", "4", "cmyk_8,black_8"), "cmyk_8");
	assert_string_equal(type_of("monochrome", "4", "srgb_8,black_1"), "black_1");
	assert_string_equal(type_of("monochrome", "4", "srgb_8,sgray_8,black_1"), "sgray_8");
	assert_string_equal(type_of("monochrome", "3", "srgb_8,sgray_8,black_1"), "black_1");
	assert_string_equal(type_of("auto-monochrome", "5", "srgb_8,sgray_8"), "sgray_8");
	assert_string_equal(type_of("bi-level", "5", "srgb_8,sgray_8,black_1"), "black_1");
	assert_string_equal(type_of("color", "4", "adobe-rgb_8,black_1"), "black_1");
	assert_string_equal(type_of("color", "4", "adobe-rgb_8,black_16"), "none");
	assert_string_equal(type_of("color", "4", "none,none"), "none");
}

TEST(resolutions_are_chosen_by_quality)
{
	static const struct {
		const char *quality;
		unsigned x, y;
	} cases[] = { { "3", 300, 300 }, { "4", 600, 600 }, { "5", 600, 1200 } };
	struct rip_transform_request request;

	for (size_t i = 0; i < 3; i++) {
		char quality[32];

		snprintf(quality, sizeof quality, "print-quality=%s", cases[i].quality);
		assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-o", quality, "-r",
				      "300dpi,600dpi,600x1200dpi", "a.pdf"), RIP_TRANSFORM_GO_ON);
		assert_int_equal(request.x_dpi, cases[i].x);
		assert_int_equal(request.y_dpi, cases[i].y);
		rip_transform_request_finish(&request);
	}
	assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "a.pdf"), RIP_TRANSFORM_GO_ON);
	assert_int_equal(request.x_dpi, 300);
	assert_string_equal(request.type->name, "sgray_8");
	rip_transform_request_finish(&request);
}

TEST(pages_are_found_in_ranges)
{
	struct rip_transform_request request;

	assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-o",
			      "page-ranges=2-3,7,9-2147483647", "a.pdf"), RIP_TRANSFORM_GO_ON);
	for (unsigned page = 1; page < 20; page++)
		assert_int_equal(rip_transform_has_page(&request, page),
				 page == 2 || page == 3 || page == 7 || page >= 9);
	assert_true(rip_transform_has_page(&request, 4000000000u) == (4000000000u <= 2147483647u));
	rip_transform_request_finish(&request);
}

/* The environment counts where the command line says nothing. */
TEST(the_environment_is_read)
{
	static const char *const set[][2] = {
		{ "CONTENT_TYPE", "application/pdf" }, { "OUTPUT_TYPE", "image/urf" },
		{ "IPP_PWG_RASTER_DOCUMENT_RESOLUTION_SUPPORTED", "1200dpi" },
		{ "IPP_PWG_RASTER_DOCUMENT_TYPE_SUPPORTED", "black_1" },
		{ "IPP_PWG_RASTER_DOCUMENT_SHEET_BACK", "flipped" }, { "IPP_COPIES", "3" },
		{ "IPP_SIDES", "two-sided-long-edge" },
		{ "IPP_MEDIA_COL_DEFAULT", "{media-size-name=na_letter_8.5x11in}" },
	};
	struct rip_transform_request request;

	for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
		setenv(set[i][0], set[i][1], 1);
	assert_int_equal(CALL(&request, "document"), RIP_TRANSFORM_GO_ON);
	assert_int_equal(request.format, RIP_TRANSFORM_APPLE);
	assert_int_equal(request.x_dpi, 1200);
	assert_string_equal(request.type->name, "black_1");
	assert_int_equal(request.back, RIP_BACK_FLIPPED);
	assert_int_equal(request.copies, 3);
	assert_true(request.duplex && !request.tumble);
	assert_string_equal(request.media.name, "na_letter_8.5x11in");
	rip_transform_request_finish(&request);
	assert_int_equal(CALL(&request, "-m", "image/pwg-raster", "-r", "600dpi", "-t", "sgray_8",
			      "-o", "copies=2", "-o", "media=iso_a5_148x210mm", "-s", "normal",
			      "document"), RIP_TRANSFORM_GO_ON);
	assert_int_equal(request.format, RIP_TRANSFORM_PWG);
	assert_int_equal(request.x_dpi, 600);
	assert_string_equal(request.type->name, "sgray_8");
	assert_int_equal(request.back, RIP_BACK_NORMAL);
	assert_int_equal(request.copies, 2);
	assert_string_equal(request.media.name, "iso_a5_148x210mm");
	rip_transform_request_finish(&request);
	for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
		unsetenv(set[i][0]);
}

/* What is wrong, and what others do. */
TEST(calls_are_refused_or_passed_on)
{
	static const char *const wrong[] = {
		"copies=0", "copies=many", "copies=2x", "page-ranges=3-1", "page-ranges=1,,2",
		"page-ranges=x", "print-quality=6", "print-scaling=huge", "sides=three-sided",
		"orientation-requested=8", "printer-resolution=0dpi", "printer-resolution=600",
		"printer-resolution=600x0dpi", "media=sheet", "media-col={media-size-name=sheet}",
		"media-col={media-size={x-dimension=0 y-dimension=10}}",
		"media-col={media-size={x-dimension=21000}}",
		"media-col={media-left-margin=-1}", "media-col={media-left-margin=21000}",
		"media-col={media-left-margin=11000 media-right-margin=11000}",
	};
	static const char *const next[] = {
		"number-up=2", "imposition-template=booklet", "job-sheets=standard",
		"page-delivery=reverse-order-face-down", "output-bin=face-up",
		"overrides={pages=1}", "x-image-shift=100",
	};
	struct rip_transform_request request;
	struct rip_capture capture;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char *text;
		int status;

		rip_capture_begin(&capture);
		status = CALL(&request, "-m", "image/pwg-raster", "-o", wrong[i], "a.pdf");
		text = rip_capture_end(&capture);
		if (status != 1 || !text[0] || strchr(text, '\n') != text + strlen(text) - 1)
			fail_msg("%s: %d, \"%s\"", wrong[i], status, text);
		free(text);
		rip_transform_request_finish(&request);
	}
	for (size_t i = 0; i < sizeof next / sizeof next[0]; i++) {
		if (CALL(&request, "-m", "image/pwg-raster", "-o", next[i], "a.pdf") !=
		    RIP_TRANSFORM_NEXT)
			fail_msg("%s is not passed on", next[i]);
		rip_transform_request_finish(&request);
	}
	assert_int_equal(CALL(&request, "-m", "application/PCLm", "a.pdf"), RIP_TRANSFORM_NEXT);
	assert_int_equal(CALL(&request, "-m", "image/urf", "a.txt"), RIP_TRANSFORM_NEXT);
	assert_int_equal(CALL(&request, "-m", "image/urf", "a.pdf", "b.pdf"), RIP_TRANSFORM_NEXT);
	assert_int_equal(CALL(&request, "-m", "image/urf", "-d", "ipp://localhost/ipp", "a.pdf"),
			 RIP_TRANSFORM_NEXT);
	assert_int_equal(CALL(&request, "-m", "application/vnd.hp-PCL", "a.PDF"),
			 RIP_TRANSFORM_GO_ON);
	assert_string_equal(request.type->name, "black_1");
	assert_int_equal(CALL(&request, "-f", "out.urf", "a.jpeg"), RIP_TRANSFORM_GO_ON);
	assert_int_equal(request.format, RIP_TRANSFORM_APPLE);
	assert_int_equal(request.image, RIP_IMAGE_JPEG);
}
