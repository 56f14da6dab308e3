/* Colour profiles of PPDs: the interpolation in their cubes, and RGB pages that become inks by
 * them. */
#include "tests/tools/testing.h"

#include <math.h>

#include "filter/ink/colour_cube.h"
#include "tests/tools/raster.h"

/* ---- cubes ---- */

static struct rip_colour_cube *random_cube(unsigned size)
{
	struct rip_colour_cube *cube = rip_colour_cube_new(size);

	assert_non_null(cube);
	for (unsigned i = 0; i < size * size * size; i++)
		for (unsigned ink = 0; ink < 4; ink++)
			cube->samples[i][ink] = (uint8_t)rip_test_random();
	return cube;
}

static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* An ink of a colour, 0 to 255, axis after axis. */
static double expect(const struct rip_colour_cube *cube, const uint8_t rgb[3], unsigned ink)
{
	const unsigned size = cube->size;
	double values[8];
	unsigned cell[3];
	double share[3];

	for (int axis = 0; axis < 3; axis++) {
		const double place = linear(rgb[axis] / 255.) * (size - 1);

		cell[axis] = place >= size - 1 ? size - 2 : (unsigned)place;
		share[axis] = place - cell[axis];
	}
	for (unsigned i = 0; i < 8; i++)
		values[i] = cube->samples[((cell[0] + (i >> 2)) * size + cell[1] + (i >> 1 & 1)) *
						  size +
					  cell[2] + (i & 1)][ink];
	for (unsigned axis = 3, n = 4; axis-- > 0; n /= 2)
		for (unsigned i = 0; i < n; i++)
			values[i] = values[2 * i] +
				    share[axis] * (values[2 * i + 1] - values[2 * i]);
	return values[0];
}

TEST(interpolation)
{
	for (unsigned size = RIP_CUBE_MIN; size <= RIP_CUBE_MAX; size++) {
		AUTO_FREE struct rip_colour_cube *cube = random_cube(size);
		uint8_t rgb[3 * 500], inks[4 * 500];

		for (size_t i = 0; i < sizeof rgb;
		     i++) /* some that are equal, and the ends of axes */
			rgb[i] = rip_test_below(4) ? (uint8_t)rip_test_random() :
				 rip_test_below(2) ? 255 :
						     0;
		memset(rgb + 300, 77, 30);
		rip_colour_cube_do(cube, rgb, inks, 500);
		for (unsigned i = 0; i < 500; i++)
			for (unsigned ink = 0; ink < 4; ink++) {
				const double want = expect(cube, rgb + 3 * i, ink);

				if (fabs(inks[4 * i + ink] - want) > 0.7)
					fail_msg("size %u, %u %u %u: ink %u is %u, not %f", size,
						 rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], ink,
						 inks[4 * i + ink], want);
			}
	}
}

/* Corners are exactly their samples, and a cube of one colour is that colour everywhere. */
TEST(exact)
{
	for (unsigned size = RIP_CUBE_MIN; size <= RIP_CUBE_MAX; size++) {
		AUTO_FREE struct rip_colour_cube *cube = random_cube(size);
		uint8_t rgb[3], inks[4];

		for (unsigned i = 0; i < 8; i++) {
			unsigned point = 0;

			for (unsigned axis = 0; axis < 3; axis++) {
				rgb[axis] = i >> axis & 1 ? 255 : 0;
				point = point * size + (i >> axis & 1) * (size - 1);
			}
			rip_colour_cube_do(cube, rgb, inks, 1);
			assert_memory_equal(inks, cube->samples[point], 4);
		}
		for (unsigned i = 1; i < size * size * size; i++)
			memcpy(cube->samples[i], cube->samples[0], 4);
		for (unsigned i = 0; i < 2000; i++) {
			for (unsigned axis = 0; axis < 3; axis++)
				rgb[axis] = (uint8_t)rip_test_random();
			rip_colour_cube_do(cube, rgb, inks, 1);
			assert_memory_equal(inks, cube->samples[0], 4);
		}
	}
}

/* ---- pages ---- */

/* Writes a random profile, its points in random order with so many digits, and makes its cube. */
static struct rip_colour_cube *write_profile(FILE *ppd, const char *spec, unsigned size, int digits)
{
	const unsigned count = size * size * size, first = rip_test_below(count);
	struct rip_colour_cube *cube = rip_colour_cube_new(size);

	assert_non_null(cube);
	fprintf(ppd, "*cupsRGBProfile %s: \"%u 4 %u\"\n", spec, size, count);
	for (unsigned i = 0; i < count; i++) {
		const unsigned point = (first + 17 * i) % count; /* 17 divides no power of a size */
		unsigned inks[4];

		for (unsigned ink = 0; ink < 4; ink++) {
			inks[ink] = rip_test_below(101); /* percent */
			cube->samples[point][ink] =
				(uint8_t)(255. * (float)(inks[ink] / 100.) + 0.5);
		}
		fprintf(ppd, "*cupsRGBSample %s: \"%.*f %.*f %.*f %.2f %.2f %.2f %.2f\"\n", spec,
			digits, point / size / size / (size - 1.), digits,
			point / size % size / (size - 1.), digits, point % size / (size - 1.),
			inks[0] / 100., inks[1] / 100., inks[2] / 100., inks[3] / 100.);
	}
	return cube;
}

/* The page of inks that a cube makes of an RGB page. */
static uint8_t *separate(const struct rip_colour_cube *cube, const cups_page_header2_t *rgb,
			 const uint8_t *pixels, bool kcmy, cups_page_header2_t *header)
{
	const size_t count = (size_t)rgb->cupsWidth * rgb->cupsHeight;
	uint8_t *inks = malloc(4 * count);

	assert_non_null(inks);
	rip_colour_cube_do(cube, pixels, inks, count);
	for (size_t i = 0; kcmy && i < count; i++) {
		const uint8_t black = inks[4 * i + 3];

		memmove(inks + 4 * i + 1, inks + 4 * i, 3);
		inks[4 * i] = black;
	}
	*header = *rgb;
	header->cupsColorSpace = kcmy ? CUPS_CSPACE_KCMY : CUPS_CSPACE_CMYK;
	header->cupsNumColors = 4;
	header->cupsBitsPerPixel = 32;
	header->cupsBytesPerLine = 4 * rgb->cupsWidth;
	return inks;
}

/* The PPD's profile, before its cupsBlackGeneration; one for another medium is not taken. */
TEST(pages)
{
	for (unsigned size = RIP_CUBE_MIN; size <= RIP_CUBE_MAX; size++) {
		cups_page_header2_t rgb = raster_page(CUPS_CSPACE_SRGB, 0, 8,
						      size == 3 ? 9001 : 301, 20),
				    inks;
		const bool kcmy = size % 2;
		AUTO(run_free)
		struct run a = { .options = kcmy ? "halftone-inks=kcmy" : "halftone-inks=cmyk" },
			   b = { .options = "" };
		char path[40], env[64];
		FILE *ppd = new_ppd(path, env);
		AUTO_FREE uint8_t *pixels = raster_noise(&rgb), *made;
		AUTO_FREE struct rip_colour_cube *cube;

		snprintf(rgb.MediaType, sizeof rgb.MediaType, "Glossy");
		fputs("*cupsBlackGeneration: \"0.25 0.75\"\n", ppd);
		free(write_profile(ppd, "Plain", 2, 6));
		cube = write_profile(ppd, "Glossy", size, 2 + (int)size % 5);
		fclose(ppd);
		made = separate(cube, &rgb, pixels, kcmy, &inks);
		a.env[0] = b.env[0] = env;
		run_pages(&a, RASTER_V3, rgb, pixels, 1);
		run_pages(&b, RASTER_V3, inks, made, 1);
		run_succeeded(&a, 0);
		run_succeeded(&b, 0);
		assert_int_equal(a.out.size, b.out.size);
		assert_memory_equal(a.out.data, b.out.data, b.out.size);
		unlink(path);
	}
}

/* A profile of 2 x 2 x 2 points, whose first and last lines are these. */
static void write_lines(FILE *ppd, const char *profile, const char *black, const char *last)
{
	fprintf(ppd, "*cupsRGBProfile: \"%s\"\n*cupsRGBSample: \"%s\"\n", profile, black);
	for (unsigned i = 1; i < 8; i++)
		fprintf(ppd, "*cupsRGBSample: \"%u %u %u %u %u %u 0\"\n", i >> 2, i >> 1 & 1, i & 1,
			!(i >> 2), !(i >> 1 & 1), !(i & 1));
	fputs(last, ppd);
}

/* A profile that is not valid is ignored, with one WARNING for all pages. */
TEST(bad_profiles)
{
	static const struct {
		const char *profile, *black, *last;
		bool        valid;
	} cases[] = {
		{ "2 4 8", "0 0 0 0 0 0 1", "", true },
		/* more than is wanted */
		{ "2 4 8", "0 0 0 0 0 0 1 0", "", true },
		{ "2 4 8", "0 0 0 0 0 0 1", "*cupsRGBSample: \"x\"\n", true },
		{ "2 3 8", "0 0 0 0 0 0 1", "", false },
		{ "2 4 9", "0 0 0 0 0 0 1", "", false },
		{ "3 4 27", "0 0 0 0 0 0 1", "", false },
		{ "17 4 4913", "0 0 0 0 0 0 1", "", false },
		{ "2 4", "0 0 0 0 0 0 1", "", false },
		{ "x", "0 0 0 0 0 0 1", "", false },
		{ "1 4 1", "0 0 0 0 0 0 1", "", false },
		{ "-1 4 -1", "0 0 0 0 0 0 1", "", false },
		{ "1626 4 3990840", "0 0 0 0 0 0 1", "", false },
		{ "2 4 8", "0 0 0 0 0 0", "", false },
		{ "2 4 8", "0 0 0 0 0 0 1.1", "", false },
		{ "2 4 8", "0 0 0 0 0 0 nan", "", false },
		{ "2 4 8", "0 0 0 0 -1 0 0", "", false },
		{ "2 4 8", "0 0.4 0 0 0 0 1", "", false },
		{ "2 4 8", "0 0 1 0 0 0 1", "", false }, /* twice, and black is missing */
	};
	const cups_page_header2_t header = raster_page(CUPS_CSPACE_RGB, 0, 8, 33, 9);
	AUTO(run_free) struct run plain = { .options = "halftone-inks=cmyk" };
	AUTO_FREE uint8_t *pixels = raster_noise(&header);
	AUTO(bytes_free) struct bytes stream = { 0 };

	raster_begin(&stream, RASTER_V3, false);
	raster_add(&stream, RASTER_V3, false, header, pixels);
	raster_add(&stream, RASTER_V3, false, header, pixels);
	run_filter(&plain, &stream);
	run_succeeded(&plain, 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		char path[40], env[64];
		FILE *ppd = new_ppd(path, env);
		AUTO(run_free) struct run run = { .options = plain.options, .env = { env } };

		write_lines(ppd, cases[i].profile, cases[i].black, cases[i].last);
		fclose(ppd);
		run_filter(&run, &stream);
		run_succeeded(&run, !cases[i].valid);
		assert_int_equal(run.out.size, plain.out.size);
		if (memcmp(run.out.data, plain.out.data, plain.out.size) ? !cases[i].valid :
									   cases[i].valid)
			fail_msg("profile %zu: wrong dots", i);
		unlink(path);
	}
}

/* The pages of a job may have different profiles: each has the dots that it has alone. */
TEST(several)
{
	static const char *const media[] = { "Plain",  "Glossy", "Other", "Bad",
					     "Glossy", "Plain",  "Plain" };
	AUTO(run_free) struct run all = { .options = "halftone-inks=kcmy" };
	AUTO(bytes_free) struct bytes stream = { 0 };
	char path[40], env[64];
	FILE *ppd = new_ppd(path, env);
	AUTO_FREE uint8_t *dots = NULL;
	size_t size = 0;

	free(write_profile(ppd, "Plain", 2, 6));
	free(write_profile(ppd, "Glossy", 5, 6));
	fputs("*cupsRGBProfile Bad: \"5 4 125\"\n*cupsBlackGeneration Other: \"0.25 0.75\"\n", ppd);
	fclose(ppd);
	raster_begin(&stream, RASTER_V3, false);
	for (size_t i = 0; i < COUNT(media); i++) {
		cups_page_header2_t header = raster_page(CUPS_CSPACE_RGB, 0, 8, 333, 9);
		AUTO(run_free) struct run one = { .options = all.options, .env = { env } };
		AUTO_FREE uint8_t *pixels = raster_noise(&header);

		snprintf(header.MediaType, sizeof header.MediaType, "%s", media[i]);
		raster_add(&stream, RASTER_V3, false, header, pixels);
		run_pages(&one, RASTER_V3, header, pixels, 1);
		run_succeeded(&one, !strcmp(media[i], "Bad"));
		/* the stream's first four bytes once */
		dots = realloc(dots, size + one.out.size);
		assert_non_null(dots);
		memcpy(dots + size, one.out.data + (i > 0 ? 4 : 0), one.out.size - (i > 0 ? 4 : 0));
		size += one.out.size - (i > 0 ? 4 : 0);
	}
	all.env[0] = env;
	run_filter(&all, &stream);
	run_succeeded(&all, 1);
	assert_int_equal(all.out.size, size);
	assert_memory_equal(all.out.data, dots, size);
	unlink(path);
}
