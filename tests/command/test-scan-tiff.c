/* Scans in TIFF: every layout gives the channel that shows the ink. */
#include "tests/tools/testing.h"

#include "command/measure/calibrate.h"
#include "tests/tools/run.h"
#include "tests/tools/tiff_file.h"

static char path[] = "/tmp/riptide-test-XXXXXX";

static struct tiff_picture new_picture(uint32_t planes, uint32_t bits)
{
	struct tiff_picture picture = { 1 + rip_test_below(60), 1 + rip_test_below(60), planes,
					bits, NULL };
	const size_t count = (size_t)picture.width * picture.height * planes;

	picture.samples = malloc(count * sizeof *picture.samples);
	for (size_t i = 0; i < count; i++)
		picture.samples[i] = (uint16_t)(rip_test_random() & ((1u << bits) - 1));
	return picture;
}

static void write_file(const struct tiff_picture *picture, const struct tiff_layout *layout)
{
	TIFF *tiff = TIFFOpen(path, "w");

	assert_non_null(tiff);
	assert_true(tiff_picture_write(tiff, picture, layout));
	TIFFClose(tiff);
}

static int read_file(struct rip_scan *scan, char ink)
{
	AUTO(rip_input_close) struct rip_input input;
	int r;

	assert_int_equal(rip_input_open(&input, path), 0);
	assert_int_equal(rip_scan_is_picture(&input), 1);
	r = rip_scan_read(scan, &input, ink);
	return r;
}

/* What a pixel becomes: the channel, or a mixture if it is negative. */
static double expected(const struct tiff_picture *picture, size_t i, int channel, bool inverted)
{
	const size_t pixels = (size_t)picture->width * picture->height;
	const double most = (1u << picture->bits) - 1;
	const uint16_t *v = picture->samples;
	double light;

	if (picture->planes == 1)
		light = v[i];
	else if (channel >= 0)
		light = v[(size_t)channel * pixels + i];
	else
		light = .299 * v[i] + .587 * v[pixels + i] + .114 * v[2 * pixels + i];
	return 255 * (inverted ? most - light : light) / most;
}

TEST(layouts)
{
	static const char inks[] = "CMYK";

	for (int i = 0; i < 64; i++) {
		struct tiff_picture picture = new_picture(i % 3 ? 3 : 1, i / 2 % 2 ? 16 : 8);
		const struct tiff_layout layout = {
			.photometric = picture.planes == 3 ? PHOTOMETRIC_RGB :
				       i % 2               ? PHOTOMETRIC_MINISWHITE :
							     PHOTOMETRIC_MINISBLACK,
			.separate = i / 4 % 2,
			.strip = 7,
			.tile = { i / 8 % 2 * 16, i / 8 % 2 * 32 },
			.compression = i / 16 % 2 ? COMPRESSION_LZW : COMPRESSION_NONE,
		};
		const int channel = (int)rip_test_below(4);
		const char ink = picture.planes == 1 ? 'K' : inks[channel];
		AUTO(rip_scan_finish) struct rip_scan scan;

		write_file(&picture, &layout);
		assert_int_equal(read_file(&scan, ink), 0);
		assert_int_equal(scan.width, picture.width);
		assert_int_equal(scan.height, picture.height);
		for (size_t j = 0; j < (size_t)scan.width * scan.height; j++) {
			const double want = expected(&picture, j, channel < 3 ? channel : -1,
						     layout.photometric == PHOTOMETRIC_MINISWHITE);

			/* A mixture of 16 bits is rounded twice. */
			if (scan.grey[j] - want > 1.01 || want - scan.grey[j] > 1.01)
				fail_msg("picture %d, pixel %zu: %u for %f", i, j, scan.grey[j],
					 want);
		}
		free(picture.samples);
	}
}

/* One line, and no scan. */
static void refuses(const struct tiff_picture *picture, const struct tiff_layout *layout, char ink,
		    const char *words)
{
	struct rip_capture capture;
	struct rip_scan scan;
	AUTO_FREE char *said;
	int r;

	write_file(picture, layout);
	rip_capture_begin(&capture);
	r = read_file(&scan, ink);
	said = rip_capture_end(&capture);
	if (r != -EBADMSG || !strstr(said, words) || strchr(said, '\n') != said + strlen(said) - 1)
		fail_msg("%d, not one line with \"%s\": %s", r, words, said);
	assert_null(scan.grey);
}

TEST(refused)
{
	struct tiff_picture inks = new_picture(4, 8), grey = new_picture(1, 8),
			    dots = new_picture(1, 1);
	struct tiff_picture colours = new_picture(3, 8);
	const struct tiff_layout separated = { .photometric = PHOTOMETRIC_SEPARATED };
	const struct tiff_layout plain = { .photometric = PHOTOMETRIC_MINISBLACK };
	const struct tiff_layout video = { .photometric = PHOTOMETRIC_YCBCR };
	const struct tiff_layout lab = { .photometric = PHOTOMETRIC_CIELAB };

	refuses(&inks, &separated, 'K', "grey or RGB");
	refuses(&dots, &plain, 'K', "grey or RGB");
	refuses(&grey, &plain, 'Y', "does not show yellow");
	refuses(&colours, &video, 'K', "YCbCr");
	/* What is asked for is taken: CMYK is not. */
	refuses(&colours, &lab, 'K', "convert it to RGB");
	free(inks.samples);
	free(grey.samples);
	free(dots.samples);
	free(colours.samples);
}

BEFORE_TESTS
{
	close(mkstemp(path));
}

AFTER_TESTS
{
	unlink(path);
}
