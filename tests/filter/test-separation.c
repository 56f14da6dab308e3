/* halftone-inks: an RGB page becomes the dots of the CMYK page that libcupsfilters makes of it, with
 * and without the PPD's cupsBlackGeneration or cupsRGBProfile; what cannot be separated is refused. */
#include "config.h"

#include "tests/tools/testing.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
typedef cf_rgb_t    cups_rgb_t;
typedef cf_sample_t cups_sample_t;
#define cupsRGBNew    cfRGBNew
#define cupsRGBDoRGB  cfRGBDoRGB
#define cupsRGBDelete cfRGBDelete
#endif
#if defined CUPS_MAX_LUT || defined CF_MAX_LUT
#define HAVE_PEER 1
#else
#define HAVE_PEER 0
#endif

/* A file for a PPD with these lines; unlink() it. */
static FILE *new_ppd(char path[40], char env[64])
{
	int fd;
	FILE *file;

	snprintf(path, 40, "/tmp/test-separation-XXXXXX");
	fd = mkstemp(path);
	file = fdopen(fd, "w");
	assert_non_null(file);
	fputs("*PPD-Adobe: \"4.3\"\n", file);
	snprintf(env, 64, "PPD=%s", path);
	return file;
}

#if HAVE_PEER
/* What the library makes CMYK with. */
struct peer {
	const float *black; /* or NULL */
	cups_rgb_t  *profile; /* or NULL */
};

/* The CMYK page of an RGB page, as the library makes it. */
static uint8_t *separate(const cups_page_header2_t *rgb, const uint8_t *pixels, bool kcmy,
			 const struct peer *peer, cups_page_header2_t *header)
{
	const size_t count = (size_t)rgb->cupsWidth * rgb->cupsHeight;
	const size_t stride = rgb->cupsBitsPerPixel / 8;
	uint8_t *inks = malloc(4 * count);
	cups_cmyk_t *cmyk = cupsCMYKNew(4);

	assert_non_null(inks);
	assert_non_null(cmyk);
	if (peer->black)
		cupsCMYKSetBlack(cmyk, peer->black[0], peer->black[1]);
	for (size_t i = 0; i < count; i++) {
		const unsigned char one[3] = { pixels[i * stride], pixels[i * stride + 1],
					       pixels[i * stride + 2] };
		unsigned char bytes[4];
		short out[4];

		if (peer->profile)
			cupsRGBDoRGB(peer->profile, one, bytes, 1);
		else
			cupsCMYKDoRGB(cmyk, one, out, 1);
		for (unsigned ink = 0; ink < 4; ink++)
			inks[4 * i + (kcmy ? (ink + 1) % 4 : ink)] =
				peer->profile ? bytes[ink] : (uint8_t)((out[ink] * 255 + 2047) / 4095);
	}
	cupsCMYKDelete(cmyk);
	*header = *rgb;
	header->cupsColorSpace = kcmy ? CUPS_CSPACE_KCMY : CUPS_CSPACE_CMYK;
	header->cupsNumColors = 4;
	header->cupsBitsPerPixel = 32;
	header->cupsBytesPerLine = 4 * rgb->cupsWidth;
	return inks;
}

static void filter_page(struct run *run, enum raster_format format, const cups_page_header2_t *header,
			const uint8_t *pixels)
{
	struct bytes stream = { 0 };

	raster_begin(&stream, format, false);
	raster_header(&stream, format, false, header);
	raster_lines(&stream, format, false, header, pixels, raster_page_lines(header));
	run_filter(run, &stream);
	bytes_free(&stream);
	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 0)
		fail_msg("status %x: %s", run->status, (char *)run->err.data);
	assert_int_equal(run_count(run, "WARNING:"), 0);
}

static void test_same_dots(void **state)
{
	static const char *const more[] = {
		"", "halftone-screen=clustered halftone-dot-gain=laser halftone-ink-limit=180",
		"toner-save=2 halftone-levels=4",
	};
	static const float range[2] = { 0.25f, 0.75f };
	char ppd[40], env[64];
	FILE *file = new_ppd(ppd, env);

	(void)state;
	fputs("*cupsBlackGeneration: \"0.25 0.75\"\n", file);
	fclose(file);
	for (unsigned i = 0; i < 12; i++) {
		/* Some lines are longer than what is separated at once. */
		cups_page_header2_t rgb = raster_page(i % 3 ? CUPS_CSPACE_SRGB : CUPS_CSPACE_RGB, 0, 8,
						      i % 4 == 3 ? 9001 : 401, 40), inks;
		const bool kcmy = i % 2, black = i % 4 < 2;
		const struct peer peer = { black ? range : NULL, NULL };
		struct run a = { .options = NULL }, b = { .options = more[i / 4] };
		char options[200];
		uint8_t *pixels, *made;

		if (i % 4 == 2) { /* padded pixels */
			rgb.cupsBitsPerPixel = 32;
			rgb.cupsBytesPerLine = 4 * rgb.cupsWidth;
		}
		pixels = raster_pixels(&rgb);
		made = separate(&rgb, pixels, kcmy, &peer, &inks);
		snprintf(options, sizeof options, "halftone-inks=%s %s", kcmy ? "KCMY" : "cmyk", more[i / 4]);
		a.options = options;
		if (black)
			a.env[0] = b.env[0] = env;
		filter_page(&a, i % 3 == 1 ? RASTER_V2 : RASTER_V3, &rgb, pixels);
		filter_page(&b, RASTER_V3, &inks, made);
		assert_int_equal(a.out.size, b.out.size);
		assert_memory_equal(a.out.data, b.out.data, b.out.size);
		run_free(&a);
		run_free(&b);
		free(pixels);
		free(made);
	}
	unlink(ppd);
}

/* A share of 255 for a line of a PPD. */
static double share(unsigned v)
{
	return v / 255.0;
}

/* Writes a random profile, its points in random order, and makes the library's object of it. */
static cups_rgb_t *new_profile(FILE *ppd, const char *spec, unsigned size)
{
	const unsigned count = size * size * size, first = rip_test_below(count);
	cups_sample_t *samples = calloc(count, sizeof *samples);
	cups_rgb_t *profile;

	assert_non_null(samples);
	fprintf(ppd, "*cupsRGBProfile %s: \"%u 4 %u\"\n", spec, size, count);
	for (unsigned i = 0; i < count; i++) {
		/* 7 has no divisor in common with a power of a size from 2 to 6 */
		const unsigned place = (first + 7 * i) % count;
		cups_sample_t *s = &samples[i];

		for (unsigned c = 0, left = place; c < 3; c++, left /= size)
			s->rgb[2 - c] = (unsigned char)((left % size * 255 + size - 2) / (size - 1));
		for (unsigned ink = 0; ink < 4; ink++)
			s->colors[ink] = (unsigned char)rip_test_random();
		fprintf(ppd, "*cupsRGBSample %s: \"%f %f %f %f %f %f %f\"\n", spec, share(s->rgb[0]),
			share(s->rgb[1]), share(s->rgb[2]), share(s->colors[0]), share(s->colors[1]),
			share(s->colors[2]), share(s->colors[3]));
	}
	profile = cupsRGBNew((int)count, samples, (int)size, 4);
	assert_non_null(profile);
	free(samples);
	return profile;
}

/* The PPD's profile, before its cupsBlackGeneration; one for another medium is not taken. */
static void test_profile(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		cups_page_header2_t rgb = raster_page(CUPS_CSPACE_SRGB, 0, 8, i == 3 ? 9001 : 301, 30), inks;
		const bool kcmy = i % 2;
		struct run a = { .options = kcmy ? "halftone-inks=kcmy" : "halftone-inks=cmyk" },
			   b = { .options = "" };
		char path[40], env[64];
		FILE *ppd = new_ppd(path, env);
		struct peer peer = { NULL, NULL };
		uint8_t *pixels = raster_pixels(&rgb), *made;

		snprintf(rgb.MediaType, sizeof rgb.MediaType, "Glossy");
		fputs("*cupsBlackGeneration: \"0.25 0.75\"\n", ppd);
		cupsRGBDelete(new_profile(ppd, "Plain", 2));
		peer.profile = new_profile(ppd, "Glossy", 2 + i % 5);
		fclose(ppd);
		made = separate(&rgb, pixels, kcmy, &peer, &inks);
		a.env[0] = b.env[0] = env;
		filter_page(&a, RASTER_V3, &rgb, pixels);
		filter_page(&b, RASTER_V3, &inks, made);
		assert_int_equal(a.out.size, b.out.size);
		assert_memory_equal(a.out.data, b.out.data, b.out.size);
		cupsRGBDelete(peer.profile);
		run_free(&a);
		run_free(&b);
		free(pixels);
		free(made);
		unlink(path);
	}
}
#else
static void test_same_dots(void **state)
{
	(void)state;
	print_message("libcupsfilters with its headers is not installed: not compared\n");
	skip();
}

static void test_profile(void **state)
{
	test_same_dots(state);
}
#endif

/* Runs the filter with a page of these pixels. */
static void run_pixels(struct run *run, cups_page_header2_t header, const uint8_t *pixels)
{
	struct bytes stream = { 0 };

	raster_begin(&stream, RASTER_V3, false);
	raster_header(&stream, RASTER_V3, false, &header);
	raster_lines(&stream, RASTER_V3, false, &header, pixels, raster_page_lines(&header));
	run_filter(run, &stream);
	bytes_free(&stream);
}

static void run_page(struct run *run, cups_page_header2_t header)
{
	uint8_t *pixels = raster_pixels(&header);

	run_pixels(run, header, pixels);
	free(pixels);
}

/* The rest of a profile whose black is `black`, with `more` behind it. */
static const char *profile_lines(char lines[1024], const char *first, const char *black, const char *more)
{
	int used = snprintf(lines, 1024, "*cupsRGBProfile: \"%s\"\n*cupsRGBSample: \"0 0 0 %s\"\n", first, black);

	for (unsigned i = 1; i < 8; i++)
		used += snprintf(lines + used, 1024 - used, "*cupsRGBSample: \"%u %u %u %u %u %u 0\"\n", i >> 2,
				 i >> 1 & 1, i & 1, !(i >> 2), !(i >> 1 & 1), !(i & 1));
	snprintf(lines + used, 1024 - used, "%s", more);
	return lines;
}

/* A profile that is not valid is ignored, with one WARNING for all pages. */
static void test_bad_profiles(void **state)
{
	static const char *const bad[][3] = {
		{ "2 3 8", "0 0 0 1", "" }, { "2 4 9", "0 0 0 1", "" }, { "3 4 27", "0 0 0 1", "" },
		{ "17 4 4913", "0 0 0 1", "" }, { "2 4", "0 0 0 1", "" }, { "x", "0 0 0 1", "" },
		{ "2 4 8", "0 0 0", "" }, { "2 4 8", "0 0 0 1 0", "" }, { "2 4 8", "0 0 0 1.1", "" },
		{ "2 4 8", "0 0 0 nan", "" }, { "2 4 8", "0 -1 0 0", "" },
		{ "2 4 8", "0 0 0 1", "*cupsRGBSample: \"0 0 0 0 0 0 1\"\n" },
		{ "1 4 1", "0 0 0 1", "" }, { "-1 4 -1", "0 0 0 1", "" },
	};
	const cups_page_header2_t header = raster_page(CUPS_CSPACE_RGB, 0, 8, 33, 9);
	const size_t count = sizeof bad / sizeof *bad;
	struct bytes stream = { 0 };
	const size_t size = (size_t)header.cupsBytesPerLine * header.cupsHeight;
	uint8_t *pixels = malloc(size); /* not raster_pixels(), which may be white paper */
	struct run plain = { .options = "halftone-inks=cmyk" };

	(void)state;
	assert_non_null(pixels);
	for (size_t i = 0; i < size; i++)
		pixels[i] = (uint8_t)rip_test_random();
	raster_begin(&stream, RASTER_V3, false);
	for (int page = 0; page < 2; page++) {
		raster_header(&stream, RASTER_V3, false, &header);
		raster_lines(&stream, RASTER_V3, false, &header, pixels, raster_page_lines(&header));
	}
	run_filter(&plain, &stream);
	assert_true(WIFEXITED(plain.status) && WEXITSTATUS(plain.status) == 0);
	for (size_t i = 0; i <= count; i++) { /* the last one is valid */
		char path[40], env[64], lines[1024];
		FILE *ppd = new_ppd(path, env);
		struct run run = { .options = plain.options, .env = { env } };
		const char *const *const b = bad[i % count];

		fputs(i < count ? profile_lines(lines, b[0], b[1], b[2]) :
				  profile_lines(lines, "2 4 8", "0 0 0 1", ""), ppd);
		fclose(ppd);
		run_filter(&run, &stream);
		assert_true(WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0);
		if (run_count(&run, "WARNING: cupsRGBProfile") != (i < count))
			fail_msg("profile %zu: %s", i, (char *)run.err.data);
		assert_int_equal(run.out.size, plain.out.size);
		assert_int_equal(!memcmp(run.out.data, plain.out.data, plain.out.size), i < count);
		run_free(&run);
		unlink(path);
	}
	run_free(&plain);
	bytes_free(&stream);
	free(pixels);
}

/* RGB that cannot be separated would reach a driver that wants inks: it is refused.  Other spaces
 * are not touched. */
static void test_refused(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		struct run run = { .options = "halftone-inks=cmyk" };
		const bool failed = (run_page(&run, pages[i].header),
				     !WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0);

		assert_int_equal(failed, pages[i].refused);
		assert_int_equal(run_count(&run, "ERROR:"), pages[i].refused);
		if (failed)
			assert_non_null(strstr((char *)run.err.data, "page 1: halftone-inks separates only"));
		run_free(&run);
	}
}

/* Where the library cannot be loaded, RGB is refused, and a PPD's curves are ignored with a WARNING. */
static void test_without_library(void **state)
{
	char folder[] = "/tmp/test-separation-XXXXXX", env[80], path[2][64], ppd[40], ppd_env[64];
	struct run rgb = { .options = "halftone-inks=kcmy" }, grey = { .options = "" }, plain = { .options = "" };
	const cups_page_header2_t header = raster_page(CUPS_CSPACE_K, 0, 8, 33, 9);
	uint8_t *pixels = raster_pixels(&header);
	FILE *file = new_ppd(ppd, ppd_env);

	(void)state;
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
	run_page(&rgb, raster_page(CUPS_CSPACE_RGB, 0, 8, 33, 9));
	assert_true(!WIFEXITED(rgb.status) || WEXITSTATUS(rgb.status) != 0);
	assert_int_equal(run_count(&rgb, "ERROR:"), 1);
	assert_non_null(strstr((char *)rgb.err.data, "halftone-inks needs libcupsfilters"));
	run_pixels(&grey, header, pixels);
	assert_true(WIFEXITED(grey.status) && WEXITSTATUS(grey.status) == 0);
	assert_int_equal(run_count(&grey, "WARNING: cupsAllGamma in the queue's PPD is ignored"), 1);
	run_pixels(&plain, header, pixels);
	assert_int_equal(grey.out.size, plain.out.size);
	assert_memory_equal(grey.out.data, plain.out.data, plain.out.size);
	free(pixels);
	run_free(&rgb);
	run_free(&grey);
	run_free(&plain);
	unlink(path[0]);
	unlink(path[1]);
	unlink(ppd);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_dots), cmocka_unit_test(test_profile),
		cmocka_unit_test(test_bad_profiles), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_without_library),
	};

	raster_random = rip_test_random;
	return rip_test_run(tests);
}
