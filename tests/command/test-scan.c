/*
 * Scans of the wedge: the chart as it is printed, with dots as large as their pixels, on a sheet
 * that lies askew in a scanner whose lamp is uneven.  Its steps then have the area of their
 * tone.
 */
#include "tests/tools/testing.h"

#include "tests/tools/run.h"

#include <math.h>

#include <jpeglib.h>
#include <png.h>

#include "command/measure/calibrate.h"
#include "command/measure/target.h"
#include "halftone/engine_cpu.h"
#include "image/png_file.h"

#define PRINTED 600 /* dpi */
#define PAPER   .80 /* light */
#define INK     .05

static struct rip_chart chart;

static int draw_chart(void)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .threads = 1 };
	struct rip_target_plan plan = {
		.command = "riptide",
		.chart = RIP_TARGET_WEDGE,
		.dpi = PRINTED,
		.levels = 2,
		.width = 4960,
		.height = 7016,
		.margin = 236,
		.inks = "K",
		.screens = 2,
		.screen = { "blue-noise-mask", "clustered" },
	};
	char why[200];

	if (rip_engine_cpu_new(&config, &plan.engine) < 0 ||
	    rip_target_prepare(&plan, why, sizeof why) < 0 || rip_target_page(&plan, 0, &chart) < 0)
		return -1;
	plan.engine->ops->free(plan.engine);
	return 0;
}

/* How a sheet is scanned. */
struct scanner {
	unsigned dpi;
	double   degrees; /* that the sheet is turned by */
	double   falloff; /* of the lamp, from the left to the right edge */
	double   noise;   /* standard deviation, of 255 */
	int      quality; /* of JPEG; 0: PGM; -1: PNG; -2: PNG with 16 bits */
	bool     covered; /* the first mark is not there */
};

static bool has_dot(double x, double y, bool covered)
{
	if (x < 0 || y < 0 || x >= chart.width || y >= chart.height ||
	    (covered && x < 500 && y < 900))
		return false;
	return chart.ink[(size_t)y * chart.pitch + (size_t)x / 8] & (0x80 >> ((size_t)x % 8));
}

/* The light of a place on the glass: the mean of some places in the pixel. */
static double light_at(const struct scanner *scanner, double x, double y, double c, double s)
{
	const double scale = (double)PRINTED / scanner->dpi;
	const int n = scanner->dpi >= 600 ? 2 : 4;
	double sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			const double px = (x + (j + .5) / n) * scale - 2600,
				     py = (y + (i + .5) / n) * scale - 2400;

			sum += has_dot(c * px + s * py + 2480, c * py - s * px + 2200,
				       scanner->covered) ?
				       INK :
				       PAPER;
		}
	return sum / (n * n);
}

static double noise(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += rip_test_below(1 << 20) / (double)(1 << 20);
	return sum;
}

static void write_jpeg(const char *path, const uint8_t *grey, unsigned width, unsigned height,
		       int quality)
{
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_compress(&jpeg);
	jpeg_stdio_dest(&jpeg, file);
	jpeg.image_width = width;
	jpeg.image_height = height;
	jpeg.input_components = 1;
	jpeg.in_color_space = JCS_GRAYSCALE;
	jpeg_set_defaults(&jpeg);
	jpeg_set_quality(&jpeg, quality, TRUE);
	jpeg_start_compress(&jpeg, TRUE);
	for (unsigned y = 0; y < height; y++) {
		JSAMPROW row = (JSAMPROW)(grey + (size_t)y * width);

		jpeg_write_scanlines(&jpeg, &row, 1);
	}
	jpeg_finish_compress(&jpeg);
	jpeg_destroy_compress(&jpeg);
	assert_int_equal(fclose(file), 0);
}

/* As a scanner's program writes it: nothing in the file says that its samples are sRGB. */
static void write_png16(const char *path, const uint8_t *grey, unsigned width, unsigned height)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	AUTO_FREE uint8_t *row = malloc(2 * (size_t)width);
	FILE *file = fopen(path, "wb");

	assert_non_null(info);
	assert_non_null(row);
	assert_non_null(file);
	if (setjmp(png_jmpbuf(png)))
		fail_msg("libpng fails");
	png_init_io(png, file);
	png_set_IHDR(png, info, width, height, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (unsigned y = 0; y < height; y++) {
		for (size_t x = 0; x < width; x++)
			row[2 * x] = row[2 * x + 1] = grey[(size_t)y * width + x];
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	assert_int_equal(fclose(file), 0);
}

static void write_other(const char *path, const uint8_t *grey, unsigned width, unsigned height,
			bool png)
{
	struct rip_out_file file;

	assert_int_equal(rip_out_file_open(&file, path), 0);
	if (png) {
		assert_int_equal(rip_png_write(&file, grey, width, height, 1, 300), 0);
	} else {
		char header[40];

		assert_int_equal(rip_out_file_write(&file, header,
						    (size_t)sprintf(header, "P5 %u %u 255\n", width,
								    height)),
				 0);
		assert_int_equal(rip_out_file_write(&file, grey, (size_t)width * height), 0);
	}
	assert_int_equal(rip_out_file_commit(&file), 0);
}

/* Scans the upper part of the sheet into a file. */
static void scan_to(const struct scanner *scanner, const char *path)
{
	const unsigned width = 5200 * scanner->dpi / PRINTED,
		       height = 4800 * scanner->dpi / PRINTED;
	const double angle = scanner->degrees * M_PI / 180, c = cos(angle), s = sin(angle);
	AUTO_FREE uint8_t *grey = malloc((size_t)width * height);

	assert_non_null(grey);
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++) {
			const double lamp = 1 - scanner->falloff * x / width;
			const double light = lamp * light_at(scanner, x, y, c, s);
			const double v = 255 * (light <= .0031308 ?
							12.92 * light :
							1.055 * pow(light, 1 / 2.4) - .055) +
					 (scanner->noise > 0 ? scanner->noise * noise() : 0);

			grey[(size_t)y * width + x] = (uint8_t)fmin(fmax(v + .5, 0), 255);
		}
	if (scanner->quality > 0)
		write_jpeg(path, grey, width, height, scanner->quality);
	else if (scanner->quality == -2)
		write_png16(path, grey, width, height);
	else
		write_other(path, grey, width, height, scanner->quality < 0);
}

/* Whether all steps are found with their area. */
static void understands(const struct scanner *scanner, double tolerance)
{
	double light[RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS], worst = 0;
	char path[] = "/tmp/riptide-scan-XXXXXX";
	const int fd = mkstemp(path);
	AUTO(rip_input_close) struct rip_input input;
	AUTO(rip_scan_finish) struct rip_scan scan;
	int r;

	assert_true(fd >= 0);
	close(fd);
	scan_to(scanner, path);
	assert_int_equal(rip_input_open(&input, path), 0);
	assert_int_equal(rip_scan_is_picture(&input), 1);
	r = rip_scan_read(&scan, &input, 'K');
	unlink(path);
	assert_int_equal(r, 0);
	assert_int_equal(rip_scan_wedge(&scan, light), 0);
	for (unsigned i = 0; i < RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS; i++) {
		const unsigned step = i % RIP_WEDGE_STEPS;
		const double solid = light[i - step + RIP_WEDGE_STEPS - 1], paper = light[i - step];
		const double area = (paper - light[i]) / (paper - solid);

		assert_true(fabs(paper - 1) < .01 && fabs(solid - INK / PAPER) < .01);
		worst = fmax(worst, fabs(area - step / (RIP_WEDGE_STEPS - 1.)));
	}
	printf("%u dpi, %g degrees, quality %d: off by %.4f at most\n", scanner->dpi,
	       scanner->degrees, scanner->quality, worst);
	if (worst > tolerance)
		fail_msg("%u dpi, %g degrees: a step is off by %.4f", scanner->dpi,
			 scanner->degrees, worst);
}

TEST(plain)
{
	understands(&(struct scanner){ .dpi = 300 }, .02);
	understands(&(struct scanner){ .dpi = 300, .quality = -1 }, .02);
	understands(&(struct scanner){ .dpi = 300, .quality = -2 }, .02);
}

TEST(bad_scans)
{
	static const unsigned dpis[] = { 200, 300, 600 };

	for (int i = 0; i < 3; i++) {
		const struct scanner scanner = {
			.dpi = dpis[i],
			.degrees = i % 2 ? 3 : -3,
			.falloff = .15,
			.noise = 2,
			.quality = 80,
		};

		understands(&scanner, .025);
	}
}

TEST(turned)
{
	understands(&(struct scanner){ .dpi = 200, .degrees = 90 + 2 }, .025);
	understands(&(struct scanner){ .dpi = 200, .degrees = 180 - 9 }, .025);
}

static void refuses(const struct scanner *scanner)
{
	double light[RIP_WEDGE_SCREENS * RIP_WEDGE_STEPS];
	char path[] = "/tmp/riptide-scan-XXXXXX", *text;
	const int fd = mkstemp(path);
	struct rip_capture capture;
	AUTO(rip_input_close) struct rip_input input;
	AUTO(rip_scan_finish) struct rip_scan scan;
	int r;

	assert_true(fd >= 0);
	close(fd);
	scan_to(scanner, path);
	assert_int_equal(rip_input_open(&input, path), 0);
	assert_int_equal(rip_scan_read(&scan, &input, 'K'), 0);
	unlink(path);
	rip_capture_begin(&capture);
	r = rip_scan_wedge(&scan, light);
	text = rip_capture_end(&capture);
	assert_int_equal(r, -EBADMSG);
	assert_non_null(strstr(text, "marks are not there"));
	free(text);
}

TEST(refused)
{
	refuses(&(struct scanner){ .dpi = 300, .covered = true });
	refuses(&(struct scanner){ .dpi = 60 });
}

BEFORE_TESTS
{
	if (draw_chart() < 0)
		exit(99);
}

AFTER_TESTS
{
	rip_chart_finish(&chart);
}
