/* riptide halftone with TIFF: every layout against the oracle, and what the files say. */
#include "tests/tools/testing.h"

#include "tests/tools/mask_dots.h"
#include "tests/tools/oracle.h"
#include "tests/tools/run.h"
#include "tests/tools/tiff_file.h"

static char folder[64], in_path[128];

static const char *path_of(const char *name)
{
	static char paths[4][512];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

/* An empty folder for the files of a test. */
static int setup(void **state)
{
	snprintf(folder, sizeof folder, "/tmp/riptide-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(in_path, sizeof in_path, "%s/in.tif", folder);
	return 0;
}

static void empty_folder(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlink(path_of(entry->d_name));
	closedir(dir);
}

static int teardown(void **state)
{
	empty_folder();
	return rmdir(folder);
}

static struct tiff_picture new_picture(uint32_t width, uint32_t height, uint32_t planes,
				       uint32_t bits)
{
	struct tiff_picture picture = { width, height, planes, bits, NULL };
	const size_t count = (size_t)width * height * planes;

	picture.samples = malloc(count * sizeof *picture.samples);
	assert_non_null(picture.samples);
	for (size_t i = 0; i < count; i++)
		picture.samples[i] = (uint16_t)(i / width % 11 == 3 ? ~0 : (int)rip_test_random());
	for (size_t i = 0; i < count && bits < 16; i++)
		picture.samples[i] &= (uint16_t)((1 << bits) - 1);
	return picture;
}

static void write_pages(const char *mode, const struct tiff_picture *pictures,
			const struct tiff_layout *layouts, unsigned pages)
{
	TIFF *tiff = TIFFOpen(in_path, mode);

	assert_non_null(tiff);
	for (unsigned i = 0; i < pages; i++)
		assert_true(tiff_picture_write(tiff, &pictures[i], &layouts[i]));
	TIFFClose(tiff);
}

/* Runs riptide halftone on the input.  More arguments end with NULL. */
static void halftone(struct rip_run *run, const char *out, const char *const more[])
{
	const char *arguments[32] = { rip_run_program("riptide"), "halftone", in_path, "-o",
				      path_of(out) };
	size_t n = 5;

	while (*more)
		arguments[n++] = *more++;
	rip_run(run, arguments, "", 0);
	free(run->out);
}

static void halftone_well(const char *out, const char *const more[])
{
	struct rip_run run;

	halftone(&run, out, more);
	if (run.status || *run.err)
		fail_msg("status %d: %s", run.status, run.err);
}

static TIFF *open_out(const char *name)
{
	TIFF *tiff = TIFFOpen(path_of(name), "r");

	if (!tiff)
		fail_msg("there is no %s", name);
	return tiff;
}

/* A plane of the only page of an output. */
static struct tiff_picture read_out(const char *name)
{
	TIFF *tiff = open_out(name);
	struct tiff_picture picture;

	assert_true(tiff_picture_read(tiff, &picture));
	TIFFClose(tiff);
	return picture;
}

/* How a picture is halftoned. */
struct plan {
	const char *screen;
	unsigned    levels;
	bool        composite;
	cups_cspace_t space;
	unsigned    dpi[2];
};

/* The levels of a plane; free() them. */
static uint8_t *expect(const struct tiff_picture *picture, const struct tiff_layout *layout,
		       const struct plan *plan, uint32_t plane)
{
	const size_t count = (size_t)picture->width * picture->height;
	const uint16_t *samples = picture->samples + plane * count;
	AUTO_FREE uint16_t *x = malloc(count * sizeof *x);
	uint8_t *levels = malloc(count);

	for (size_t i = 0; i < count; i++) {
		const uint16_t v = picture->bits == 16 ? samples[i] :
				   oracle_x8(samples[i] * 255u / ((1u << picture->bits) - 1));

		x[i] = layout->photometric == PHOTOMETRIC_MINISWHITE ? (uint16_t)(65535 - v) : v;
	}
	assert_true(oracle_halftone(x, picture->width, picture->height, plan->levels, plan->screen,
				    plane, true, levels) ||
		    mask_dots(x, picture->width, picture->height, plan->levels, plan->screen,
			      plan->space, plan->dpi, plane, levels));
	return levels;
}

/* A plane of an output has these levels.  invert: it is of light, and they are of ink. */
static void check_plane(const struct tiff_picture *out, uint32_t plane, const uint8_t *levels,
			unsigned count, bool invert, const char *what)
{
	const size_t pixels = (size_t)out->width * out->height;

	for (size_t i = 0; i < pixels; i++) {
		const unsigned want = invert ? count - 1 - levels[i] : levels[i];

		if (out->samples[plane * pixels + i] != want)
			fail_msg("%s: plane %u, row %zu, column %zu: %u, not %u", what, plane,
				 i / out->width, i % out->width, out->samples[plane * pixels + i],
				 want);
	}
}

static void plate_name(char *name, size_t size, uint32_t planes, uint32_t plane, bool ink)
{
	static const char *const cmyk[] = { "Cyan", "Magenta", "Yellow", "Black" };

	if (!ink)
		snprintf(name, size, "out.tif");
	else if (planes >= 4 && plane < 4)
		snprintf(name, size, "out(%s).tif", cmyk[plane]);
	else
		snprintf(name, size, "out(Ink %u).tif", plane + 1);
}

/* The outputs of a page are what the oracle says. */
static void check_outputs(const struct tiff_picture *picture, const struct tiff_layout *layout,
			  const struct plan *plan, const char *what)
{
	const bool ink = layout->photometric == PHOTOMETRIC_SEPARATED;
	struct tiff_picture out = { 0 };

	if (plan->composite)
		out = read_out("out.tif");
	for (uint32_t p = 0; p < picture->planes; p++) {
		AUTO_FREE uint8_t *levels = expect(picture, layout, plan, p);
		char name[64];

		plate_name(name, sizeof name, picture->planes, p, ink && picture->planes > 1);
		if (!plan->composite)
			out = read_out(name);
		assert_int_equal(out.width, picture->width);
		assert_int_equal(out.height, picture->height);
		assert_int_equal(out.planes, plan->composite ? picture->planes : 1);
		assert_int_equal(out.bits, oracle_bits(plan->levels));
		check_plane(&out, plan->composite ? p : 0, levels, plan->levels,
			    ink && !plan->composite, what);
		if (!plan->composite)
			free(out.samples);
	}
	if (plan->composite)
		free(out.samples);
}

static void check(const char *mode, const struct tiff_picture *picture,
		  const struct tiff_layout *layout, const struct plan *plan,
		  const char *compression)
{
	const char *arguments[12] = { "--screen", plan->screen, "--compression", compression };
	char levels[24], what[256];
	size_t n = 4;

	snprintf(what, sizeof what,
		 "%u x %u, %u planes of %u bits, mode %s, compression %u, photometric %u,"
		 " separate %u, tile %u x %u, strip %u, order %u, predictor %u, %u levels, %s, %s",
		 picture->width, picture->height, picture->planes, picture->bits, mode,
		 layout->compression, layout->photometric, layout->separate, layout->tile[0],
		 layout->tile[1], layout->strip, layout->low_bit_first, layout->predictor,
		 plan->levels, plan->screen, compression);
	printf("# %s\n", what);
	write_pages(mode, picture, layout, 1);
	if (plan->levels != 2) {
		snprintf(levels, sizeof levels, "--levels=%u", plan->levels);
		arguments[n++] = levels;
	}
	if (plan->composite)
		arguments[n++] = "--composite";
	arguments[n] = NULL;
	halftone_well("out.tif", arguments);
	check_outputs(picture, layout, plan, what);
	empty_folder();
}

static const char *pick(const char *const names[], size_t count)
{
	return names[rip_test_below((uint32_t)count)];
}

/* One of everything, at random. */
TEST_WITH(setup, teardown, layouts)
{
	static const char *const modes[] = { "wl", "wb", "wl8", "wb8" };
	static const char *const screens[] = { "floyd-steinberg", "stucki",          "blue-noise",
					       "clustered",       "blue-noise-mask", "bi-level" };
	static const char *const compressions[] = { "lzw", "packbits", "deflate", "none", "g4" };
	static const uint16_t schemes[] = {
		COMPRESSION_NONE, COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS,
		COMPRESSION_DEFLATE, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD, COMPRESSION_LZMA,
		COMPRESSION_LERC,
	};
	static const uint32_t bits[] = { 16, 8, 4, 2 };
	static const uint16_t photometrics[] = { PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE,
						 PHOTOMETRIC_SEPARATED };

	for (int i = 0; i < 60; i++) {
		const uint16_t photometric = photometrics[i % 3];
		const bool ink = photometric == PHOTOMETRIC_SEPARATED;
		const uint32_t planes = !ink ? 1 : i % 2 ? 4 : 1 + rip_test_below(15);
		struct tiff_picture picture = new_picture(1 + rip_test_below(i % 5 ? 200 : 5000),
							  1 + rip_test_below(60), planes,
							  bits[i / 3 % 4]);
		struct tiff_layout layout = {
			.photometric = photometric,
			.separate = rip_test_below(2),
			.strip = rip_test_below(4) ? 1 + rip_test_below(picture.height) : 0,
			/* libtiff has none for fewer bits. */
			.predictor = rip_test_below(2) && picture.bits >= 8,
			.low_bit_first = rip_test_below(8) == 0,
		};
		struct plan plan = {
			.screen = pick(screens, COUNT(screens)),
			.levels = 2 + rip_test_below(15) * (i % 2),
			.composite = ink && planes > 1 && rip_test_below(2),
			.space = !ink        ? CUPS_CSPACE_W :
				 planes == 4 ? CUPS_CSPACE_CMYK :
					       CUPS_CSPACE_DEVICE1 + planes - 1,
			.dpi = { 600, 600 },
		};

		/* The inks after CMYK have no names, as for mask_dots(), which has no such
		 * space. */
		if (planes > 4 && !strstr("floyd-steinberg stucki blue-noise", plan.screen))
			plan.screen = "stucki";
		if (rip_test_below(2)) {
			layout.tile[0] = 16 * (1 + rip_test_below(4));
			layout.tile[1] = 16 * (1 + rip_test_below(3));
		}
		do
			layout.compression = schemes[rip_test_below(COUNT(schemes))];
		while (!tiff_has_compression(layout.compression, picture.bits));
		check(modes[rip_test_below(4)], &picture, &layout, &plan,
		      compressions[rip_test_below(plan.levels == 2 ? 5 : 4)]);
		free(picture.samples);
	}
}

/* JPEG changes samples: the dots are those of what libtiff decodes. */
TEST_WITH(setup, teardown, jpeg)
{
	const struct plan grey = { "floyd-steinberg", 2, false, CUPS_CSPACE_W, { 600, 600 } };
	const struct plan cmyk = { "floyd-steinberg", 2, false, CUPS_CSPACE_CMYK, { 600, 600 } };
	static const char *const arguments[] = { NULL };

	if (!TIFFIsCODECConfigured(COMPRESSION_JPEG))
		skip();
	for (int i = 0; i < 4; i++) {
		struct tiff_picture picture = new_picture(200, 90, i < 2 ? 1 : 4, 8), decoded;
		const struct tiff_layout layout = {
			.photometric = i < 2 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_SEPARATED,
			.compression = COMPRESSION_JPEG,
			.strip = 16,
			.tile = { i % 2 * 32, i % 2 * 32 },
		};
		TIFF *tiff;

		write_pages("w", &picture, &layout, 1);
		tiff = TIFFOpen(in_path, "r");
		assert_true(tiff_picture_read(tiff, &decoded));
		TIFFClose(tiff);
		halftone_well("out.tif", arguments);
		check_outputs(&decoded, &layout, i < 2 ? &grey : &cmyk, "jpeg");
		free(picture.samples);
		free(decoded.samples);
		empty_folder();
	}
}

/* Dots stay as they are. */
TEST_WITH(setup, teardown, dots)
{
	static const uint16_t schemes[] = { COMPRESSION_NONE, COMPRESSION_CCITTRLE,
					    COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
					    COMPRESSION_LZW };
	static const char *const arguments[] = { "--levels=5", "--screen=clustered", NULL };

	for (int i = 0; i < 30; i++) {
		const bool ink = i % 3 == 2;
		const uint16_t scheme = schemes[rip_test_below(COUNT(schemes))];
		/*
		 * libtiff 4.5 looks up to 13 bits ahead for a code.  Where the data end before
		 * that, it counts bits that are not there, and loses the byte at which the next row
		 * of run lengths begins.  A last row of fewer than two bytes, which narrow pictures
		 * and white tiles have, is therefore misread. */
		const bool run_lengths = scheme == COMPRESSION_CCITTRLE,
			   tiled = i % 2 && !run_lengths;
		struct tiff_picture picture =
			new_picture((run_lengths ? 64 : 1) + rip_test_below(300),
				    1 + rip_test_below(40), ink ? 2 + rip_test_below(14) : 1, 1);
		const struct tiff_layout layout = {
			.photometric = ink   ? PHOTOMETRIC_SEPARATED :
				       i % 3 ? PHOTOMETRIC_MINISBLACK :
					       PHOTOMETRIC_MINISWHITE,
			.compression = scheme,
			.strip = rip_test_below(2) ? 7 : 0,
			.low_bit_first = rip_test_below(4) == 0,
			/* fax codes are for one plane */
			.separate = scheme != COMPRESSION_NONE && scheme != COMPRESSION_LZW ? true :
											      i % 2,
			.tile = { tiled * 48, tiled * 16 },
		};
		const bool invert = layout.photometric != PHOTOMETRIC_MINISBLACK;

		write_pages("w", &picture, &layout, 1);
		halftone_well("out.tif", arguments);
		for (uint32_t p = 0; p < picture.planes; p++) {
			const size_t pixels = (size_t)picture.width * picture.height;
			struct tiff_picture out;
			char name[64];

			plate_name(name, sizeof name, picture.planes, p, ink);
			out = read_out(name);
			assert_int_equal(out.bits, 1);
			for (size_t j = 0; j < pixels; j++)
				assert_int_equal(out.samples[j],
						 picture.samples[p * pixels + j] ^ invert);
			free(out.samples);
		}
		free(picture.samples);
		empty_folder();
	}
}

/* Clusters at the angle of the ink and the resolution of the file, also in centimetres. */
TEST_WITH(setup, teardown, resolution)
{
	const struct plan plan = { "clustered", 2, false, CUPS_CSPACE_CMYK, { 2400, 2400 } };
	struct tiff_picture picture = new_picture(300, 100, 4, 8);
	struct tiff_layout layout = { .photometric = PHOTOMETRIC_SEPARATED,
				      .resolution = { 2400, 2400 },
				      .unit = RESUNIT_INCH };
	const struct plan low = { "clustered", 2, false, CUPS_CSPACE_CMYK, { 600, 600 } };

	check("w", &picture, &layout, &plan, "lzw");
	layout.resolution[0] = layout.resolution[1] = 2400 / 2.54f;
	layout.unit = RESUNIT_CENTIMETER;
	check("w", &picture, &layout, &plan, "lzw");
	/* These are not for paper. */
	layout.unit = RESUNIT_NONE;
	check("w", &picture, &layout, &low, "lzw");
	layout.unit = RESUNIT_INCH;
	layout.resolution[0] = layout.resolution[1] = 96;
	check("w", &picture, &layout, &low, "lzw");
	free(picture.samples);
}

/* --ink gives a plane that comes alone the angle of its ink, whatever the file calls it. */
TEST_WITH(setup, teardown, ink)
{
	static const char *const inks[] = {
		"cyan", "Magenta", "yellow", "Black", "C", "m", "Y", "k"
	};
	static const uint16_t photometrics[] = { PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_SEPARATED };
	struct tiff_picture picture = new_picture(200, 100, 1, 8);

	for (unsigned round = 0; round < 16; round++) {
		const struct tiff_layout layout = { .photometric = photometrics[round / 8] };
		const unsigned ink = round % 4;
		const char *const arguments[] = { "--screen=clustered", "--ink", inks[round % 8],
						  NULL };
		static const unsigned dpi[2] = { 600, 600 };
		const size_t count = (size_t)picture.width * picture.height;
		struct tiff_picture out;
		AUTO_FREE uint16_t *x = malloc(count * sizeof *x);
		AUTO_FREE uint8_t *levels = malloc(count);

		for (size_t i = 0; i < count; i++)
			x[i] = oracle_x8(picture.samples[i]);
		/* Black alone has cells of its own. */
		assert_true(mask_dots(x, picture.width, picture.height, 2, "clustered",
				      ink == 3 ? CUPS_CSPACE_K : CUPS_CSPACE_CMYK, dpi, ink % 3,
				      levels));
		write_pages("w", &picture, &layout, 1);
		halftone_well("out.tif", arguments);
		out = read_out("out.tif");
		check_plane(&out, 0, levels, 2, true, inks[round % 8]);
		free(out.samples);
	}
	free(picture.samples);
}

/* An area of this sample in every plane of a picture, for toner save. */
static void add_area(struct tiff_picture *picture, uint16_t sample)
{
	const size_t width = picture->width;

	for (uint32_t p = 0; p < picture->planes; p++)
		for (size_t y = 10 + p; y < 40; y++)
			for (size_t x = 20 + 3 * p; x < 90; x++)
				picture->samples[(p * picture->height + y) * width + x] = sample;
}

/* Curves, toner save and the ink limit give the same with every layout; and with one plane the same
 * as PGM. */
TEST_WITH(setup, teardown, tones)
{
	static const char *const arguments[] = { "--gamma=2",
						 "--printer=laser",
						 "--ink-limit=180",
						 "--toner-save=20",
						 "--compression=none",
						 "--composite",
						 NULL };
	struct tiff_picture picture = new_picture(120, 70, 4, 8), first = { 0 };
	const struct tiff_layout layouts[] = {
		{ .photometric = PHOTOMETRIC_SEPARATED },
		{ .photometric = PHOTOMETRIC_SEPARATED,
		  .separate = true,
		  .compression = COMPRESSION_LZW },
		{ .photometric = PHOTOMETRIC_SEPARATED, .separate = true, .tile = { 32, 32 } },
	};
	const size_t count = (size_t)picture.width * picture.height;
	size_t ink = 0;

	add_area(&picture, 255);
	for (size_t i = 0; i < COUNT(layouts); i++) {
		struct tiff_picture out;

		write_pages("w", &picture, &layouts[i], 1);
		halftone_well("out.tif", arguments);
		out = read_out("out.tif");
		if (i == 0) {
			first = out;
			continue;
		}
		assert_memory_equal(out.samples, first.samples, 4 * count * sizeof *out.samples);
		free(out.samples);
	}
	for (size_t i = 0; i < 4 * count; i++)
		ink += first.samples[i];
	assert_true(ink < count * 185 / 100); /* it was 200 without any of these */
	free(first.samples);
	free(picture.samples);
}

TEST_WITH(setup, teardown, tones_as_pgm)
{
	const char *const pgm[] = { rip_run_program("riptide"),
				    "halftone",
				    "--gamma=2",
				    "--dot-gain=25",
				    "--density=120",
				    "--levels=4",
				    "--toner-save=2",
				    NULL };
	struct tiff_picture picture = new_picture(120, 70, 1, 16), out;
	const struct tiff_layout layout = { .photometric = PHOTOMETRIC_MINISBLACK, .strip = 3 };
	const size_t count = (size_t)picture.width * picture.height;
	AUTO_FREE uint8_t *bytes = malloc(count * 2 + 64);
	int header = sprintf((char *)bytes, "P5 120 70 65535\n");
	struct rip_run run;

	add_area(&picture, 0);
	for (size_t i = 0; i < count; i++) {
		bytes[(size_t)header + 2 * i] = (uint8_t)(picture.samples[i] >> 8);
		bytes[(size_t)header + 2 * i + 1] = (uint8_t)picture.samples[i];
	}
	rip_run(&run, pgm, bytes, (size_t)header + 2 * count);
	assert_int_equal(run.status, 0);
	write_pages("w", &picture, &layout, 1);
	halftone_well("out.tif", pgm + 2);
	out = read_out("out.tif");
	assert_int_equal(run.out_size, strlen("P5\n120 70\n3\n") + count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(out.samples[i], run.out[run.out_size - count + i]);
	free(out.samples);
	free(run.out);
	free(picture.samples);
}
