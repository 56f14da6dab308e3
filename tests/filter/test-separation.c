/* halftone-inks: an RGB page becomes the dots of the CMYK page that libcupsfilters makes of it,
 * with and without the PPD's cupsBlackGeneration; what cannot be separated is refused. */
#include "tests/tools/testing.h"

#include "tests/tools/raster.h"

#if HAVE_CUPSFILTERS
#include <cupsfilters/driver.h>
#endif
#ifdef CF_MAX_LUT /* libcupsfilters 2 has other names for the same */
typedef cf_cmyk_t cups_cmyk_t;
#define cupsCMYKNew    cfCMYKNew
#define cupsCMYKDelete cfCMYKDelete
#define cupsCMYKDoRGB  cfCMYKDoRGB
#define cupsCMYKSetBlack(cmyk, lower, upper) cfCMYKSetBlack(cmyk, lower, upper, NULL, NULL)
#endif
#if defined CUPS_MAX_LUT || defined CF_MAX_LUT
#define HAVE_PEER 1
#else
#define HAVE_PEER 0
#endif

#if HAVE_PEER
/* The CMYK page of an RGB page, as the library makes it. */
static uint8_t *separate(const cups_page_header2_t *rgb, const uint8_t *pixels, bool kcmy,
			 const float *black, cups_page_header2_t *header)
{
	const size_t count = (size_t)rgb->cupsWidth * rgb->cupsHeight;
	const size_t stride = rgb->cupsBitsPerPixel / 8;
	uint8_t *inks = malloc(4 * count);
	cups_cmyk_t *cmyk = cupsCMYKNew(4);

	assert_non_null(inks);
	assert_non_null(cmyk);
	if (black)
		cupsCMYKSetBlack(cmyk, black[0], black[1]);
	for (size_t i = 0; i < count; i++) {
		const unsigned char one[3] = { pixels[i * stride], pixels[i * stride + 1],
					       pixels[i * stride + 2] };
		short out[4];

		cupsCMYKDoRGB(cmyk, one, out, 1);
		for (unsigned ink = 0; ink < 4; ink++)
			inks[4 * i + (kcmy ? (ink + 1) % 4 : ink)] =
				(uint8_t)((out[ink] * 255 + 2047) / 4095);
	}
	cupsCMYKDelete(cmyk);
	*header = *rgb;
	header->cupsColorSpace = kcmy ? CUPS_CSPACE_KCMY : CUPS_CSPACE_CMYK;
	header->cupsNumColors = 4;
	header->cupsBitsPerPixel = 32;
	header->cupsBytesPerLine = 4 * rgb->cupsWidth;
	return inks;
}

TEST(same_dots)
{
	static const char *const more[] = {
		"", "halftone-screen=clustered halftone-dot-gain=laser halftone-ink-limit=180",
		"toner-save=2 halftone-levels=4",
	};
	static const float range[2] = { 0.25f, 0.75f };
	char ppd[40], env[64];
	FILE *file = new_ppd(ppd, env);

	fputs("*cupsBlackGeneration: \"0.25 0.75\"\n", file);
	fclose(file);
	for (unsigned i = 0; i < 12; i++) {
		/* Some lines are longer than what is separated at once. */
		cups_page_header2_t rgb = raster_page(i % 3 ? CUPS_CSPACE_SRGB : CUPS_CSPACE_RGB, 0,
						      8, i % 4 == 3 ? 9001 : 401, 40),
				    inks;
		const bool kcmy = i % 2, black = i % 4 < 2;
		AUTO(run_free) struct run a = { .options = NULL }, b = { .options = more[i / 4] };
		char options[200];
		AUTO_FREE uint8_t *pixels, *made;

		if (i % 4 == 2) { /* padded pixels */
			rgb.cupsBitsPerPixel = 32;
			rgb.cupsBytesPerLine = 4 * rgb.cupsWidth;
		}
		pixels = raster_pixels(&rgb);
		made = separate(&rgb, pixels, kcmy, black ? range : NULL, &inks);
		snprintf(options, sizeof options, "halftone-inks=%s %s", kcmy ? "KCMY" : "cmyk",
			 more[i / 4]);
		a.options = options;
		if (black)
			a.env[0] = b.env[0] = env;
		run_pages(&a, i % 3 == 1 ? RASTER_V2 : RASTER_V3, rgb, pixels, 1);
		run_pages(&b, RASTER_V3, inks, made, 1);
		assert_int_equal(a.out.size, b.out.size);
		assert_memory_equal(a.out.data, b.out.data, b.out.size);
	}
	unlink(ppd);
}
#else
TEST(same_dots)
{
	print_message("libcupsfilters with its headers is not installed: not compared\n");
	skip();
}
#endif

/* Runs the filter with a page of any pixels. */
static void run_any(struct run *run, cups_page_header2_t header)
{
	run_pages(run, RASTER_V3, header, NULL, 1);
}

/* RGB that cannot be separated would reach a driver that wants inks: it is refused.  Other spaces
 * are not touched. */
TEST(refused)
{
	const struct {
		cups_page_header2_t header;
		bool refused;
	} pages[] = {
		{ raster_page(CUPS_CSPACE_RGB, 1, 8, 33, 9), true },
		{ raster_page(CUPS_CSPACE_RGB, 0, 16, 33, 9), true },
		{ raster_page(CUPS_CSPACE_K, 0, 8, 33, 9), false },
		{ raster_page(CUPS_CSPACE_CMY, 0, 8, 33, 9), false },
	};

	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		AUTO(run_free) struct run run = { .options = "halftone-inks=cmyk" };
		const bool failed = (run_any(&run, pages[i].header),
				     !WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0);

		assert_int_equal(failed, pages[i].refused);
		assert_int_equal(run_count(&run, "ERROR:"), pages[i].refused);
		if (failed)
			assert_non_null(strstr((char *)run.err.data,
					       "page 1: halftone-inks separates only"));
	}
}

/* Where the library cannot be loaded, RGB is refused, and a PPD's curves are ignored with a
 * WARNING. */
TEST(without_library)
{
	char folder[] = "/tmp/test-separation-XXXXXX", env[80], path[2][64], ppd[40], ppd_env[64];
	struct run rgb = { .options = "halftone-inks=kcmy" }, grey = { .options = "" },
		   plain = { .options = "" };
	const cups_page_header2_t header = raster_page(CUPS_CSPACE_K, 0, 8, 33, 9);
	AUTO_FREE uint8_t *pixels = raster_noise(&header);
	FILE *file = new_ppd(ppd, ppd_env);

	fputs("*cupsAllGamma: \"2 1\"\n", file);
	fclose(file);
	assert_non_null(mkdtemp(folder));
	for (int i = 0; i < 2; i++) {
		snprintf(path[i], sizeof path[i], "%s/libcupsfilters.so.%d", folder, i + 1);
		fclose(fopen(path[i], "w"));
	}
	snprintf(env, sizeof env, "LD_LIBRARY_PATH=%s", folder);
	rgb.env[0] = grey.env[0] = env;
	grey.env[1] = ppd_env;
	run_any(&rgb, raster_page(CUPS_CSPACE_RGB, 0, 8, 33, 9));
	assert_true(!WIFEXITED(rgb.status) || WEXITSTATUS(rgb.status) != 0);
	assert_int_equal(run_count(&rgb, "ERROR:"), 1);
	assert_non_null(strstr((char *)rgb.err.data, "halftone-inks needs libcupsfilters"));
	run_pages(&grey, RASTER_V3, header, pixels, 1);
	assert_true(WIFEXITED(grey.status) && WEXITSTATUS(grey.status) == 0);
	assert_int_equal(run_count(&grey, "WARNING: cupsAllGamma in the queue's PPD is ignored"),
			 1);
	run_pages(&plain, RASTER_V3, header, pixels, 1);
	assert_int_equal(grey.out.size, plain.out.size);
	assert_memory_equal(grey.out.data, plain.out.data, plain.out.size);
	run_free(&rgb);
	run_free(&grey);
	run_free(&plain);
	unlink(path[0]);
	unlink(path[1]);
	unlink(ppd);
	rmdir(folder);
}
