/* Reading PGM, JPEG and PNG: what comes out, and what is said of what is wrong. */
#include "tests/tools/testing.h"

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include "image/image.h"
#include "tests/tools/run.h"

/* An input of bytes in memory. */
static int open_bytes(struct rip_input *input, char path[32], const void *bytes, size_t size)
{
	int fd = rip_run_file(bytes, size);

	snprintf(path, 32, "/proc/self/fd/%d", fd);
	assert_int_equal(rip_input_open(input, path), 0);
	return fd;
}

/* Reads all images of the bytes.  Returns how many, or the error; *text is what
 * was said. */
static int read_all(const void *bytes, size_t size, char **text)
{
	struct rip_capture capture;
	AUTO(rip_input_close) struct rip_input input;
	char path[32];
	int images = 0, r, fd = open_bytes(&input, path, bytes, size);

	rip_capture_begin(&capture);
	r = rip_image_kind(&input);
	while (r > 0) {
		struct rip_image *image;
		void *row;

		if (r == RIP_IMAGE_JPEG && images == 0)
			r = rip_image_jpeg_open(&input, -1, &image);
		else if (r == RIP_IMAGE_PNG && images == 0)
			r = rip_image_png_open(&input, -1, &image);
		else
			r = rip_image_pnm_open(&input, &image);
		if (r < 0)
			break;
		row = malloc((size_t)image->width * 2);
		for (uint32_t i = 0; r == 0 && i < image->height; i++)
			r = image->ops->row(image, row);
		free(row);
		if (r == 0)
			r = image->ops->end(image);
		image->ops->close(image);
		images++;
	}
	*text = rip_capture_end(&capture);
	close(fd);
	return r < 0 ? r : images;
}

/* The bytes are refused with one line that has these words in it. */
static void refused(const void *bytes, size_t size, const char *words)
{
	AUTO_FREE char *text;
	int r = read_all(bytes, size, &text);
	const char *newline = strchr(text, '\n');

	if (r >= 0 || !strstr(text, words) || !newline || newline[1])
		fail_msg("\"%.40s\" gave %d and \"%s\", not \"%s\"", (const char *)bytes, r, text,
			 words);
}

#define REFUSED(string, words) refused(string, sizeof(string) - 1, words)

static void accepted(const void *bytes, size_t size, int images)
{
	AUTO_FREE char *text;
	int r = read_all(bytes, size, &text);

	if (r != images || *text)
		fail_msg("\"%.40s\" gave %d and \"%s\"", (const char *)bytes, r, text);
}

#define ACCEPTED(string, images) accepted(string, sizeof(string) - 1, images)

TEST(pgm_headers)
{
	ACCEPTED("P5 2 2 255\nabcd", 1);
	ACCEPTED("P5\n2\t2\r255\vabcd", 1);
	ACCEPTED("P5#one\n 2#two\n2 #three\n# four\n255#five\nabcd", 1);
	ACCEPTED("P5 1 1 1 \1", 1);
	ACCEPTED("P5 1 1 256\n\1\0", 1);
	ACCEPTED("P5 1 1 65535\n\377\377", 1);
	ACCEPTED("P5 1 1 255\na  \n", 1);
	ACCEPTED("P5 1 1 255\naP5 1 1 255\nb\nP5 1 1 65535\nbb", 3);
}

TEST(pgm_wrong)
{
	REFUSED("", "is empty");
	REFUSED("P", "neither PGM");
	REFUSED("hello", "neither PGM");
	REFUSED("P4 1 1 \1", "PBM");
	REFUSED("P2 1 1 255 7", "plain-text");
	REFUSED("P6 1 1 255\nabc", "colour");
	REFUSED("P5", "ends before its width");
	REFUSED("P51 1 255\na", "width");
	REFUSED("P5 ", "ends before its width");
	REFUSED("P5 1", "ends before its width");
	REFUSED("P5 1 # 2 255\n", "ends before its height");
	REFUSED("P5 x 1 255\na", "width in the PGM header is not a number");
	REFUSED("P5 1 -1 255\na", "height in the PGM header is not a number");
	REFUSED("P5 1 1x255\na", "height in the PGM header is not a number");
	REFUSED("P5 1 1 255", "ends before its maxval");
	REFUSED("P5 1 1 255x", "maxval in the PGM header is not a number");
	REFUSED("P5 0 0 255\n", "nothing to halftone");
	REFUSED("P5 0 1 255\n", "nothing to halftone");
	REFUSED("P5 1 0 255\n", "nothing to halftone");
	REFUSED("P5 16777216 1 255\n", "at most 16777215");
	REFUSED("P5 1 99999999999999999999999 255\n", "at most 16777215");
	REFUSED("P5 99999999999 1 255\n", "99999999999 x 1 pixels");
	REFUSED("P5 1 1 0\n\0", "maxval in the PGM header is 0");
	REFUSED("P5 1 1 65536\n\0\0\0", "maxval in the PGM header is 65536");
	REFUSED("P5 1 1 99999999999999999999\n", "maxval");
	REFUSED("P5 2 2 255\nabc", "ends in row 2 of 2");
	REFUSED("P5 2 2 255\n", "ends in row 1 of 2");
	REFUSED("P5 2 1 300\n\0\1\0", "ends in row 1 of 1");
	REFUSED("P5 2 2 9\n\0\1\2\12", "row 2 has a sample of 10, above the maxval of 9");
	REFUSED("P5 2 1 1000\n\3\350\3\351",
		"row 1 has a sample of 1001, above the maxval of 1000");
	REFUSED("P5 1 1 255\nab", "what follows the image");
	REFUSED("P5 1 1 255\na P6 1 1 255\nabc", "what follows the image");
	REFUSED("P5 1 1 255\naP5 1 1 0\n", "maxval");
}

TEST(pgm_samples)
{
	static const uint8_t bytes[] = "P5 3 2 65535\n\0\1\2\3\377\376\4\5\6\7\1\0";
	static const uint16_t rows[2][3] = { { 0x0001, 0x0203, 0xfffe },
					     { 0x0405, 0x0607, 0x0100 } };
	AUTO(rip_input_close) struct rip_input input;
	struct rip_image *image;
	uint16_t row[3];
	char path[32];
	int fd = open_bytes(&input, path, bytes, sizeof bytes - 1);

	assert_int_equal(rip_image_kind(&input), RIP_IMAGE_PNM);
	assert_int_equal(rip_image_pnm_open(&input, &image), 0);
	assert_int_equal(image->width, 3);
	assert_int_equal(image->height, 2);
	assert_int_equal(image->maxval, 65535);
	assert_int_equal(image->sample_bits, 16);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(image->ops->row(image, row), 0);
		assert_memory_equal(row, rows[i], sizeof row);
	}
	assert_int_equal(image->ops->end(image), 0);
	image->ops->close(image);
	close(fd);
}

/* A reader that gets its bytes in pieces, through a pipe. */
TEST(pgm_in_pieces)
{
	enum { WIDTH = 50001, HEIGHT = 20 };
	AUTO(rip_input_close) struct rip_input input;
	struct rip_image *image;
	AUTO_FREE uint8_t *row = malloc(WIDTH);
	char path[32];
	int fds[2], pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork_child();
	if (pid == 0) {
		static const char header[] = "P5 50001 20 255\n";
		uint64_t j = 0;

		close(fds[0]);
		for (size_t i = 0; i < sizeof header - 1; i++)
			if (write(fds[1], header + i, 1) != 1)
				_exit(1);
		while (j < (uint64_t)WIDTH * HEIGHT) {
			uint8_t piece[4099];
			size_t n = 1 + j % sizeof piece;

			if (n > (uint64_t)WIDTH * HEIGHT - j)
				n = (uint64_t)WIDTH * HEIGHT - j;
			for (size_t i = 0; i < n; i++)
				piece[i] = (uint8_t)((j + i) % 251);
			if (write(fds[1], piece, n) != (ssize_t)n)
				_exit(1);
			j += n;
		}
		_exit(0);
	}
	close(fds[1]);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
	assert_int_equal(rip_input_open(&input, path), 0);
	assert_int_equal(rip_image_kind(&input), RIP_IMAGE_PNM);
	assert_int_equal(rip_image_pnm_open(&input, &image), 0);
	for (uint64_t i = 0; i < HEIGHT; i++) {
		assert_int_equal(image->ops->row(image, row), 0);
		for (uint64_t j = 0; j < WIDTH; j++)
			assert_int_equal(row[j], (i * WIDTH + j) % 251);
	}
	assert_int_equal(image->ops->end(image), 0);
	image->ops->close(image);
	close(fds[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* ---- JPEG ---- */

#define JPEG_WIDTH  61
#define JPEG_HEIGHT 47

struct jpeg_kind {
	J_COLOR_SPACE from, to;
	int           components;
	bool          progressive;
	unsigned      restarts; /* a marker after so many rows of blocks; 0: none */
	unsigned      unit, x, y; /* its density, if unit is not 0 */
};

static uint8_t *make_jpeg(const struct jpeg_kind *kind, unsigned long *size)
{
	struct jpeg_compress_struct encoder;
	struct jpeg_error_mgr errors;
	unsigned char *bytes = NULL;
	uint8_t row[JPEG_WIDTH * 4];
	JSAMPROW line = row;

	encoder.err = jpeg_std_error(&errors);
	jpeg_create_compress(&encoder);
	jpeg_mem_dest(&encoder, &bytes, size);
	encoder.image_width = JPEG_WIDTH;
	encoder.image_height = JPEG_HEIGHT;
	encoder.input_components = kind->components;
	encoder.in_color_space = kind->from;
	jpeg_set_defaults(&encoder);
	jpeg_set_colorspace(&encoder, kind->to);
	if (kind->progressive)
		jpeg_simple_progression(&encoder);
	if (kind->unit) {
		encoder.density_unit = (UINT8)kind->unit;
		encoder.X_density = (UINT16)kind->x;
		encoder.Y_density = (UINT16)kind->y;
	}
	encoder.restart_in_rows = (int)kind->restarts;
	jpeg_start_compress(&encoder, TRUE);
	for (int i = 0; i < JPEG_HEIGHT; i++) {
		for (int j = 0; j < JPEG_WIDTH * kind->components; j++)
			row[j] = (uint8_t)((i * 5 + j * 3) ^ (rip_test_random() & 31));
		jpeg_write_scanlines(&encoder, &line, 1);
	}
	jpeg_finish_compress(&encoder);
	jpeg_destroy_compress(&encoder);
	return bytes;
}

static const struct jpeg_kind grey_jpeg = { JCS_GRAYSCALE, JCS_GRAYSCALE, 1, false, 0, 0, 0, 0 };
static const struct jpeg_kind colour_jpeg = { JCS_RGB, JCS_YCbCr, 3, false, 0, 0, 0, 0 };
static const struct jpeg_kind rgb_jpeg = { JCS_RGB, JCS_RGB, 3, false, 0, 0, 0, 0 };
static const struct jpeg_kind progressive_jpeg = { JCS_RGB, JCS_YCbCr, 3, true, 0, 0, 0, 0 };
static const struct jpeg_kind cmyk_jpeg = { JCS_CMYK, JCS_CMYK, 4, false, 0, 0, 0, 0 };
static const struct jpeg_kind ycck_jpeg = { JCS_CMYK, JCS_YCCK, 4, false, 0, 0, 0, 0 };

/* The rows are what libjpeg gives from memory, grey with the accurate DCT. */
static void same_as_libjpeg(const struct jpeg_kind *kind)
{
	unsigned long size = 0;
	AUTO_FREE uint8_t *bytes = make_jpeg(kind, &size);
	struct jpeg_decompress_struct decoder;
	struct jpeg_error_mgr errors;
	AUTO(rip_input_close) struct rip_input input;
	struct rip_image *image;
	char path[32];
	int fd = open_bytes(&input, path, bytes, size);

	assert_int_equal(rip_image_kind(&input), RIP_IMAGE_JPEG);
	assert_int_equal(rip_image_jpeg_open(&input, -1, &image), 0);
	assert_int_equal(image->width, JPEG_WIDTH);
	assert_int_equal(image->height, JPEG_HEIGHT);
	assert_int_equal(image->maxval, 255);
	decoder.err = jpeg_std_error(&errors);
	jpeg_create_decompress(&decoder);
	jpeg_mem_src(&decoder, bytes, size);
	jpeg_read_header(&decoder, TRUE);
	decoder.out_color_space = JCS_GRAYSCALE;
	decoder.dct_method = JDCT_ISLOW;
	jpeg_start_decompress(&decoder);
	for (int i = 0; i < JPEG_HEIGHT; i++) {
		uint8_t expected[JPEG_WIDTH], row[JPEG_WIDTH];
		JSAMPROW line = expected;

		jpeg_read_scanlines(&decoder, &line, 1);
		assert_int_equal(image->ops->row(image, row), 0);
		assert_memory_equal(row, expected, JPEG_WIDTH);
	}
	assert_int_equal(image->ops->end(image), 0);
	jpeg_destroy_decompress(&decoder);
	image->ops->close(image);
	close(fd);
}

TEST(jpeg_rows)
{
	same_as_libjpeg(&grey_jpeg);
	same_as_libjpeg(&colour_jpeg);
	same_as_libjpeg(&rgb_jpeg);
	same_as_libjpeg(&progressive_jpeg);
}

/* The resolution, where the file has one that is for paper. */
TEST(jpeg_density)
{
	static const struct {
		unsigned unit, x, y, x_dpi, y_dpi;
	} cases[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 600, 600, 600, 600 }, { 1, 300, 150, 300, 150 },
		{ 1, 149, 300, 0, 0 }, { 1, 300, 72, 0, 0 }, { 1, 65535, 65535, 65535, 65535 },
		{ 2, 236, 118, 599, 300 }, { 2, 38, 38, 0, 0 }, { 2, 65535, 65535, 166459, 166459 },
		{ 7, 600, 600, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct jpeg_kind kind = grey_jpeg;
		unsigned long size = 0;
		AUTO(rip_input_close) struct rip_input input;
		struct rip_image *image;
		char path[32];
		AUTO_FREE uint8_t *bytes;
		int fd;

		kind.unit = cases[i].unit;
		kind.x = cases[i].x;
		kind.y = cases[i].y;
		bytes = make_jpeg(&kind, &size);
		fd = open_bytes(&input, path, bytes, size);
		assert_int_equal(rip_image_kind(&input), RIP_IMAGE_JPEG);
		assert_int_equal(rip_image_jpeg_open(&input, -1, &image), 0);
		assert_int_equal(image->x_dpi, cases[i].x_dpi);
		assert_int_equal(image->y_dpi, cases[i].y_dpi);
		image->ops->close(image);
		close(fd);
	}
}

TEST(jpeg_refused)
{
	unsigned long size = 0;
	uint8_t *bytes = make_jpeg(&cmyk_jpeg, &size);

	refused(bytes, size, "CMYK JPEG");
	free(bytes);
	size = 0;
	bytes = make_jpeg(&ycck_jpeg, &size);
	refused(bytes, size, "YCCK");
	free(bytes);
	REFUSED("\xff\xd8", "truncated");
	REFUSED("\xff\xd8\xff\xd9", "JPEG");
}

/* Truncated anywhere, it is reported as truncated, in one line and for no other reason. */
TEST(jpeg_cut)
{
	static const struct jpeg_kind *const kinds[] = { &grey_jpeg, &colour_jpeg,
							 &progressive_jpeg };

	for (int k = 0; k < 3; k++) {
		unsigned long size = 0;
		AUTO_FREE uint8_t *bytes = make_jpeg(kinds[k], &size);

		accepted(bytes, size, 1);
		for (unsigned long cut = 2; cut < size; cut += 1 + rip_test_random() % 37)
			refused(bytes, cut, "is truncated");
		refused(bytes, size - 1, "is truncated");
	}
}

/* Where a marker begins, from a place on: the byte 0xff. */
static unsigned long find_marker(const uint8_t *bytes, unsigned long size, unsigned long from,
				 uint8_t marker)
{
	for (unsigned long i = from; i + 1 < size; i++)
		if (bytes[i] == 0xff && bytes[i + 1] == marker)
			return i;
	fail_msg("no marker %02x", marker);
	return 0;
}

/* Bytes that belong to no segment, in front of each one: where libjpeg skips them, nothing
 * says what was there before. */
TEST(jpeg_extraneous_bytes)
{
	static const struct jpeg_kind *const kinds[] = { &grey_jpeg, &colour_jpeg,
							 &progressive_jpeg };
	static const uint8_t frames[] = { 0xc0, 0xc0, 0xc2 };

	for (int k = 0; k < 3; k++) {
		unsigned long size = 0;
		AUTO_FREE uint8_t *bytes = make_jpeg(kinds[k], &size), *longer = malloc(size + 64);
		const unsigned long places[] = {
			2,
			find_marker(bytes, size, 2, 0xdb), /* quantisation */
			find_marker(bytes, size, 2, frames[k]),
			find_marker(bytes, size, 2, 0xc4), /* Huffman */
			find_marker(bytes, size, 2, 0xda), /* the first scan */
			size - 2, /* the end */
		};

		for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
			static const char between[] = "bytes that belong to no segment of the file";
			/* Of those behind the last scan the decoder takes up to 8 for pixels. */
			const size_t n = i < 5 ? 7 : sizeof between;

			memcpy(longer, bytes, places[i]);
			memcpy(longer + places[i], between, n);
			memcpy(longer + places[i] + n, bytes + places[i], size - places[i]);
			refused(longer, size + n, i < 5 ? "Corrupt JPEG data: 7 extraneous bytes"
							: "Corrupt JPEG data: ");
		}
	}
}

/* Where libjpeg goes on with pixels of its own: the end comes too early, a code that does
 * not exist, a restart marker out of turn. */
TEST(jpeg_made_up_pixels)
{
	const struct jpeg_kind restarts = { JCS_GRAYSCALE, JCS_GRAYSCALE, 1, false, 1, 0, 0, 0 };
	unsigned long size = 0;
	uint8_t *bytes = make_jpeg(&grey_jpeg, &size);

	memcpy(bytes + size / 2 + 200, "\xff\xd9", 2);
	refused(bytes, size, "Corrupt JPEG data: premature end");
	free(bytes);

	size = 0;
	bytes = make_jpeg(&grey_jpeg, &size);
	/* All bits 1: no code is that long.  Near the end, where libjpeg-turbo looks at each
	 * code; before, it takes this for a 0, and then too many bytes are left at the end. */
	for (int i = 0; i < 40; i += 2)
		memcpy(bytes + size - 60 + i, "\xff\x00", 2);
	refused(bytes, size, "Corrupt JPEG data: bad Huffman code");
	for (int i = 0; i < 40; i += 2)
		memcpy(bytes + size / 2 + i, "\xff\x00", 2);
	refused(bytes, size, "Corrupt JPEG data: ");
	free(bytes);

	size = 0;
	bytes = make_jpeg(&restarts, &size);
	accepted(bytes, size, 1);
	bytes[find_marker(bytes, size, 2, 0xd1) + 1] = 0xd4;
	refused(bytes, size, "Corrupt JPEG data: found marker 0xd4 instead of RST1");
	free(bytes);
}

/* A JFIF version that nobody knows may mean anything. */
TEST(jpeg_other_version)
{
	unsigned long size = 0;
	AUTO_FREE uint8_t *bytes = make_jpeg(&grey_jpeg, &size);

	bytes[11] = 9; /* SOI, APP0, its length, "JFIF", NUL */
	refused(bytes, size, "unknown JFIF revision number 9.01");
}

/* Damage is either not to be seen, or an error; in both cases at most a line is
 * said, and nothing is read out of bounds (this is for the sanitizers). */
TEST(jpeg_damaged)
{
	static const struct jpeg_kind *const kinds[] = { &grey_jpeg, &colour_jpeg,
							 &progressive_jpeg };
	int errors = 0;

	for (int n = 0; n < 600; n++) {
		unsigned long size = 0;
		AUTO_FREE uint8_t *bytes = make_jpeg(kinds[n % 3], &size);
		const char *newline;
		AUTO_FREE char *text;
		int r;

		for (uint64_t i = 0; i <= rip_test_random() % 4; i++)
			bytes[2 + rip_test_random() % (size - 2)] = (uint8_t)rip_test_random();
		r = read_all(bytes, size, &text);
		newline = strchr(text, '\n');
		if (r != 1 && r != -EBADMSG && r != -EFBIG && r != -ENOMEM)
			fail_msg("damage %d gave %d and \"%s\"", n, r, text);
		if ((r < 0) > (newline != NULL) || (newline && newline[1]))
			fail_msg("damage %d gave %d and \"%s\"", n, r, text);
		errors += r < 0;
	}
	assert_true(errors > 100);
}

/* A header of a few bytes that asks for 65500 x 65500 coefficients. */
TEST(jpeg_bomb)
{
	unsigned long size = 0;
	AUTO_FREE uint8_t *bytes = make_jpeg(&progressive_jpeg, &size);

	for (unsigned long i = 2; i + 8 < size; i++)
		if (bytes[i] == 0xff && bytes[i + 1] == 0xc2) {
			memcpy(bytes + i + 5, "\xff\xdc\xff\xdc", 4);
			break;
		}
	refused(bytes, size, "takes");
}

#define PNG_WIDTH 53
#define PNG_HEIGHT 31

/* A picture of noise by libpng, in a format of its: freed by the caller. */
static uint8_t *make_png(png_uint_32 format, size_t *size, uint8_t **pixels)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = PNG_WIDTH, .height = PNG_HEIGHT,
			    .format = format, .colormap_entries = 200 };
	const bool palette = format & PNG_FORMAT_FLAG_COLORMAP;
	png_alloc_size_t bytes = 1 << 20;
	uint8_t colours[4 * 256], *png = malloc(bytes);

	*pixels = malloc(PNG_IMAGE_SIZE(image));
	for (size_t i = 0; i < PNG_IMAGE_SIZE(image); i++)
		(*pixels)[i] = (uint8_t)(palette ? rip_test_random() % 200 : rip_test_random());
	for (size_t i = 0; i < sizeof colours; i++)
		colours[i] = (uint8_t)rip_test_random();
	assert_true(png_image_write_to_memory(&image, png, &bytes, 0, *pixels, 0, colours));
	*size = bytes;
	return png;
}

static const png_uint_32 png_formats[] = {
	PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA, PNG_FORMAT_RGBA_COLORMAP
};
#define PNG_FORMATS (sizeof png_formats / sizeof png_formats[0])

/* Grey is as it is in the file; colours have JPEG's weights; alpha is over white. */
TEST(png_rows)
{
	for (size_t f = 0; f < 4; f++) {
		const unsigned channels = PNG_IMAGE_SAMPLE_CHANNELS(png_formats[f]);
		AUTO_FREE uint8_t *pixels, *bytes;
		uint8_t row[PNG_WIDTH];
		AUTO(rip_input_close) struct rip_input input;
		struct rip_image *image;
		size_t size;
		char path[32];
		int fd;

		bytes = make_png(png_formats[f], &size, &pixels);
		fd = open_bytes(&input, path, bytes, size);
		assert_int_equal(rip_image_kind(&input), RIP_IMAGE_PNG);
		assert_int_equal(rip_image_png_open(&input, -1, &image), 0);
		assert_int_equal(image->width, PNG_WIDTH);
		assert_int_equal(image->height, PNG_HEIGHT);
		assert_int_equal(image->maxval, 255);
		for (int y = 0; y < PNG_HEIGHT; y++) {
			assert_int_equal(image->ops->row(image, row), 0);
			for (int x = 0; x < PNG_WIDTH; x++) {
				const uint8_t *p = pixels + (size_t)(y * PNG_WIDTH + x) * channels;
				const double grey = channels < 3 ? p[0] :
						    .299 * p[0] + .587 * p[1] + .114 * p[2];
				const double alpha = channels % 2 ? 1 : p[channels - 1] / 255.;
				const double wrong = row[x] - (alpha * grey + (1 - alpha) * 255);

				assert_true(wrong > -1.01 && wrong < 1.01 &&
					    (channels > 1 || wrong == 0));
			}
		}
		assert_int_equal(image->ops->end(image), 0);
		image->ops->close(image);
		close(fd);
	}
}

/* Truncated anywhere, it is reported as truncated, in one line. */
TEST(png_cut)
{
	for (size_t f = 0; f < PNG_FORMATS; f++) {
		AUTO_FREE uint8_t *pixels, *bytes;
		size_t size;

		bytes = make_png(png_formats[f], &size, &pixels);
		accepted(bytes, size, 1);
		for (size_t cut = 4; cut < size; cut += 1 + rip_test_random() % 37)
			refused(bytes, cut, "is truncated");
		refused(bytes, size - 1, "is truncated");
	}
}

/* Makes all CRCs right, as far as there are chunks. */
static void mend_png(uint8_t *bytes, size_t size)
{
	for (size_t at = 8; size - at >= 12;) {
		const size_t length = (size_t)bytes[at] << 24 | bytes[at + 1] << 16 |
				      bytes[at + 2] << 8 | bytes[at + 3];
		uint32_t crc;

		if (length > size - at - 12)
			return;
		crc = (uint32_t)crc32(0, bytes + at + 4, (unsigned)length + 4);
		for (int i = 0; i < 4; i++)
			bytes[at + 8 + length + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
		at += length + 12;
	}
}

/* Bytes by chance: refused in one line, or read, and nothing out of bounds (for the sanitizers).
 * With right CRCs the damage reaches the decoder. */
TEST(png_damaged)
{
	int errors = 0;

	for (int n = 0; n < 1000; n++) {
		AUTO_FREE uint8_t *pixels, *bytes;
		size_t size;
		const char *newline;
		AUTO_FREE char *text;
		int r;

		bytes = make_png(png_formats[(size_t)n % PNG_FORMATS], &size, &pixels);
		/* Half of it in the header. */
		for (uint64_t i = 0; i <= rip_test_random() % 3; i++)
			bytes[8 + rip_test_random() % (n % 2 ? 60 : size - 8)] =
				(uint8_t)rip_test_random();
		mend_png(bytes, size);
		r = read_all(bytes, size, &text);
		newline = strchr(text, '\n');
		if (r != 1 && r != -EBADMSG && r != -EFBIG && r != -ENOMEM)
			fail_msg("damage %d gave %d and \"%s\"", n, r, text);
		if ((r < 0) != (newline != NULL) || (newline && newline[1]))
			fail_msg("damage %d gave %d and \"%s\"", n, r, text);
		errors += r < 0;
	}
	assert_true(errors > 100);
}
