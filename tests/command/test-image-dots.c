/* riptide halftone against the oracle: PGM in, PBM or PGM out, every plan that
 * changes the dots and every plan that must not. */
#include "tests/tools/testing.h"

#include "tests/command/halftone_plan.h"

struct image {
	unsigned  width, height, maxval;
	uint16_t *samples; /* 0..maxval */
};

static const struct plan plain = { .levels = 2, .screen = "floyd-steinberg" };

static const char *const filters[] = { "floyd-steinberg", "jarvis-judice-ninke", "stucki",
				       "burkes", "sierra", "atkinson", "blue-noise" };

/* A picture with white, black and flat parts, and rows of one tone. */
static struct image make_image(unsigned width, unsigned height, unsigned maxval)
{
	struct image image = { width, height, maxval, NULL };

	image.samples = malloc(sizeof *image.samples * width * height);
	assert_non_null(image.samples);
	for (unsigned i = 0; i < height; i++)
		for (unsigned j = 0; j < width; j++) {
			unsigned v = (unsigned)(rip_test_random() % (maxval + 1));

			if (i % 11 == 3)
				v = maxval;
			else if (i % 11 == 4)
				v = rip_test_random() & 1 ? maxval : 0;
			else if (j > width / 2 && i % 5 == 0)
				v = maxval / 3;
			image.samples[(size_t)i * width + j] = (uint16_t)v;
		}
	return image;
}

static uint8_t *pgm_of(const struct image *image, size_t *size)
{
	const size_t count = (size_t)image->width * image->height;
	uint8_t *bytes = malloc(count * 2 + 100), *end = bytes;

	end += sprintf((char *)bytes, "P5\n# a test\n%u %u\n%u\n", image->width, image->height,
		       image->maxval);
	for (size_t i = 0; i < count; i++) {
		if (image->maxval > 255)
			*end++ = (uint8_t)(image->samples[i] >> 8);
		*end++ = (uint8_t)image->samples[i];
	}
	*size = (size_t)(end - bytes);
	return bytes;
}

/* What the command has to write. */
static uint8_t *expect(const struct image *image, const struct plan *plan, size_t *size)
{
	const size_t count = (size_t)image->width * image->height;
	AUTO_FREE uint16_t *x = malloc(count * sizeof *x);
	AUTO_FREE uint8_t *level = malloc(count);
	uint8_t *bytes = calloc(1, count + 100), *end = bytes;
	static const unsigned dpi[2] = { 600, 600 };

	for (size_t i = 0; i < count; i++)
		x[i] = plan_tone(plan, oracle_x_of(image->samples[i], image->maxval));
	plan_levels(plan, x, image->width, image->height, CUPS_CSPACE_W, dpi, 0, level);
	if (plan->levels == 2) {
		end += sprintf((char *)bytes, "P4\n%u %u\n", image->width, image->height);
		for (unsigned i = 0; i < image->height; i++, end += (image->width + 7) / 8)
			for (unsigned j = 0; j < image->width; j++)
				if (!level[(size_t)i * image->width + j])
					end[j / 8] |= (uint8_t)(0x80 >> j % 8);
	} else {
		end += sprintf((char *)bytes, "P5\n%u %u\n%u\n", image->width, image->height,
			       plan->levels - 1);
		memcpy(end, level, count);
		end += count;
	}
	*size = (size_t)(end - bytes);
	return bytes;
}

/* Runs the command on the image; it must write just that, and say nothing. */
static void check(const struct image *image, const struct plan *plan)
{
	size_t in_size, expected_size;
	AUTO_FREE uint8_t *in = pgm_of(image, &in_size);
	AUTO_FREE uint8_t *expected = expect(image, plan, &expected_size);
	struct rip_run run;

	plan_run(plan, &run, in, in_size);
	if (run.status || run.err[0] || run.out_size != expected_size ||
	    memcmp(run.out, expected, expected_size)) {
		size_t at = 0;

		while (at < run.out_size && at < expected_size && run.out[at] == expected[at])
			at++;
		fail_msg("%u x %u, maxval %u, %u levels, %s: status %d, %zu bytes for %zu, "
			 "the first difference at byte %zu; \"%s\"",
			 image->width, image->height, image->maxval, plan->levels, plan->screen,
			 run.status, run.out_size, expected_size, at, run.err);
	}
	free(run.out);
}

static void check_new(unsigned width, unsigned height, unsigned maxval, const struct plan *plan)
{
	struct image image = make_image(width, height, maxval);

	check(&image, plan);
	free(image.samples);
}

static const unsigned widths[] = { 1, 7, 63, 64, 65, 4961 };
static const unsigned maxvals[] = { 1, 7, 255, 1023, 65535 };

TEST(sizes)
{
	const struct plan zero = { .levels = 2, .screen = "floyd-steinberg", .zero = true };

	for (size_t w = 0; w < COUNT(widths); w++)
		for (size_t m = 0; m < COUNT(maxvals); m++) {
			check_new(widths[w], 1, maxvals[m], &plain);
			check_new(widths[w], 2 + (unsigned)(rip_test_random() % 90), maxvals[m],
				  m % 2 ? &zero : &plain);
		}
}

TEST(levels)
{
	for (unsigned levels = 2; levels <= 16; levels += rip_test_repeated() ? 7 : 1) {
		struct plan plan = plain;

		plan.levels = levels;
		check_new(65, 33, 255, &plan);
		check_new(63, 33, 65535, &plan);
		check_new(7, 9, levels - 1, &plan);
	}
}

TEST(filters)
{
	for (size_t f = 0; f < COUNT(filters); f++) {
		struct plan plan = plain;

		for (plan.levels = 2; plan.levels <= 16; plan.levels += 7) {
			plan.screen = filters[f];
			plan.zero = false;
			check_new(65, 40, 255, &plan);
			plan.zero = true;
			check_new(130, 40, 1023, &plan);
		}
	}
}

/* Masks, which need a resolution: 600 without the option. */
TEST(masks)
{
	static const char *const masks[] = { "clustered", "Clustered-106", "blue-noise-mask",
					     "bayer", "bi-level" };
	static const unsigned dpis[][2] = { { 0, 0 }, { 600, 600 }, { 1200, 1200 }, { 600, 1200 },
					    { 2400, 2400 }, { 203, 203 } };

	for (size_t m = 0; m < COUNT(masks); m++)
		for (size_t d = 0; d < COUNT(dpis); d++) {
			struct plan plan = plain;

			if (m == 1 && d != 0 && d != 1 && d != 3)
				continue; /* other resolutions have other lines an inch */
			if (rip_test_repeated() && d % 3 > 0)
				continue;
			plan.screen = masks[m];
			memcpy(plan.dpi, dpis[d], sizeof plan.dpi);
			for (plan.levels = 2; plan.levels <= 16; plan.levels += 7) {
				plan.options[0] = plan.levels == 9 ? "--method=bwec" : "--band=7";
				check_new(333, 200, 255, &plan);
				check_new(131, 40, 65535, &plan);
			}
		}
}

TEST(curve)
{
	uint16_t curve[256];
	struct plan plan = plain;

	plan.curve = curve;
	for (int k = 0; k < 3; k++) {
		for (unsigned i = 0; i < 256; i++)
			curve[i] = (uint16_t)(k == 0   ? 65535 - 257 * i
					      : k == 1 ? i * i * 65535 / (255 * 255)
						       : rip_test_random());
		for (size_t m = 0; m < COUNT(maxvals); m++)
			check_new(129, 23, maxvals[m], &plan);
	}
}

/* None of these may change a dot. */
TEST(who_makes_them)
{
	static const char *const options[][8] = {
		{ "--method=ed" },    { "--method=ec" },	 { "--method=simd" },
		{ "--method=bwec" },  { "--method", "PWED" },	 { "--device=cpu" },
		{ "--isa=c" },	      { "--threads=1" },	 { "--threads=3" },
		{ "--band=1" },	      { "--band=2" },		 { "--band=7" },
		{ "--band=64" },      { "--band=100000" },	 { "--socket=none" },
		{ "--device=auto", "--method=auto", "--band=33", "--threads=2", "-" },
	};
	struct image narrow = make_image(65, 200, 255), wide = make_image(777, 300, 65535);

	for (size_t i = 0; i < COUNT(options); i++) {
		struct plan plan = plain;

		memcpy(plan.options, options[i], sizeof plan.options);
		check(&narrow, &plan);
		plan.levels = 5;
		plan.screen = i % 2 ? "stucki" : "clustered";
		check(&wide, &plan);
	}
	free(narrow.samples);
	free(wide.samples);
}

/* Three images of one stream, of different sizes and depths, one after another:
 * what each gives alone. */
TEST(several_images)
{
	static const unsigned sizes[3][3] = { { 65, 40, 255 }, { 9, 700, 65535 }, { 300, 3, 7 } };
	const char *const arguments[] = { rip_run_program("riptide"), "halftone", NULL };
	uint8_t in[200000], expected[200000];
	size_t in_size = 0, expected_size = 0;
	struct rip_run run;

	for (int k = 0; k < 3; k++) {
		struct image image = make_image(sizes[k][0], sizes[k][1], sizes[k][2]);
		size_t size;
		uint8_t *bytes = pgm_of(&image, &size);

		memcpy(in + in_size, bytes, size);
		in_size += size;
		free(bytes);
		bytes = expect(&image, &plain, &size);
		memcpy(expected + expected_size, bytes, size);
		expected_size += size;
		free(bytes);
		free(image.samples);
	}
	rip_run(&run, arguments, in, in_size);
	assert_string_equal(run.err, "");
	assert_int_equal(run.status, 0);
	assert_int_equal(run.out_size, expected_size);
	assert_memory_equal(run.out, expected, expected_size);
	free(run.out);
}
