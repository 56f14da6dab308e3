/* riptide_run(): the same dots from a stream, and what is refused. */
#include "tests/tools/testing.h"

#include "halftone/page/ink_limit.h"
#include "tests/library/random_page.h"

static const struct riptide_config overlap = {
	.size = sizeof overlap, .socket = "none", .threads = 1, .flags = RIPTIDE_OVERLAP
};

/* A stream of a picture's lines. */
struct tape {
	const struct picture *picture;
	bool     planar;
	uint64_t lines;         /* of the page */
	uint64_t read, written; /* lines */
	uint64_t reported;
	uint64_t fail_at;       /* the line whose read or write fails with `error` */
	bool     fails_to_read, fails_to_write;
	int      error;
};

/* The row of a plane in a line. */
static size_t row_of(const struct tape *tape, uint64_t line, uint32_t row)
{
	return (size_t)(tape->planar ? line : row * tape->picture->page.height + line);
}

static uint32_t rows_of_line(const struct tape *tape)
{
	return tape->planar ? 1 : tape->picture->page.planes;
}

static int read_lines(void *context, void *const rows[], uint32_t lines)
{
	struct tape *tape = context;
	const size_t bytes = picture_in_bytes(tape->picture);

	assert_true(lines > 0 && (lines == 1 || rows_of_line(tape) == 1));
	for (uint32_t i = 0; i < lines; i++, tape->read++) {
		assert_true(tape->read < tape->lines);
		if (tape->fails_to_read && tape->read == tape->fail_at)
			return tape->error;
		for (uint32_t row = 0; row < rows_of_line(tape); row++)
			memcpy((uint8_t *)rows[row] + i * bytes,
			       tape->picture->samples + row_of(tape, tape->read, row) * bytes,
			       bytes);
	}
	return 0;
}

static int write_line(void *context, const uint8_t *const dots[])
{
	struct tape *tape = context;
	const size_t bytes = picture_out_bytes(tape->picture);

	assert_true(tape->written < tape->read);
	if (tape->fails_to_write && tape->written == tape->fail_at)
		return tape->error;
	for (uint32_t row = 0; row < rows_of_line(tape); row++)
		assert_memory_equal(dots[row],
				    tape->picture->dots + row_of(tape, tape->written, row) * bytes,
				    bytes);
	tape->written++;
	return 0;
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct tape *tape = context;

	assert_true(lines == tape->lines && written == tape->written && written >= tape->reported);
	tape->reported = written;
}

static struct tape tape_of(const struct picture *picture, bool planar)
{
	return (struct tape){ .picture = picture,
			      .planar = planar,
			      .lines = (uint64_t)picture->page.height *
				       (planar ? picture->page.planes : 1) };
}

static struct riptide_stream stream_of(struct tape *tape)
{
	return (struct riptide_stream){
		.size = sizeof(struct riptide_stream), .flags = tape->planar ? RIPTIDE_PLANAR : 0,
		.read = read_lines, .write = write_line, .progress = progress, .context = tape,
	};
}

static void run_page(struct riptide *r, const struct picture *picture, bool planar)
{
	struct tape tape = tape_of(picture, planar);
	const struct riptide_stream stream = stream_of(&tape);

	assert_int_equal(riptide_run(r, &picture->page, &stream), 0);
	assert_int_equal(tape.read, tape.lines);
	assert_int_equal(tape.written, tape.lines);
	assert_int_equal(tape.reported, tape.lines);
}

/* Each screen, by line and by plane, with several threads, one, and one more; a page is run twice,
 * so that the second one finds its curves made. */
TEST(each_screen)
{
	const struct riptide_config *const configs[] = { &here, &alone, &overlap };
	static const char *const methods[] = { NULL, "ed", "ec", "simd" };
	struct picture p;

	for (unsigned i = 0; i < 3; i++) {
		AUTO(free_riptide) struct riptide *r = new_riptide(configs[i]);

		for (unsigned screen = 0; riptide_screen_name(screen); screen++) {
			const char *name = riptide_screen_name(screen);

			for (unsigned k = 0; k < 4; k++) {
				picture_make(&p,
					     strcmp(name, "clustered-LPI") ? name : "clustered-71");
				p.page.method = methods[k];
				run_page(r, &p, k % 2);
				run_page(r, &p, rip_test_below(2));
				picture_drop(&p);
			}
		}
	}
}

/* The curves are those of each page, although the ones before are kept. */
TEST(other_curves)
{
	struct picture p;
	AUTO(free_riptide) struct riptide *r = new_riptide(&alone);

	for (unsigned i = 0; i < 20;) {
		picture_make(&p, i % 2 ? "bayer" : "floyd-steinberg");
		if (p.page.curves && p.page.planes == 4 && !p.page.light) {
			struct rip_mask_use use = { .x_dpi = 300, .y_dpi = 300, .planes = 4 };
			struct rip_mask_screen mask;
			char why[256];

			run_page(r, &p, false);
			memcpy(use.inks, rip_inks_cmyk, sizeof rip_inks_cmyk);
			assert_int_equal(rip_mask_screen_init(&mask, "bayer", &use, why,
							      sizeof why),
					 0);
			for (uint32_t v = 40; v < 200; v++)
				p.curves[rip_test_below(4)][v] = 32768;
			free(p.dots);
			p.dots = calloc((size_t)p.page.planes * p.page.height,
					picture_out_bytes(&p));
			picture_define(&p, i % 2 ? &mask.base : &rip_screens[RIP_FLOYD_STEINBERG],
				       use.inks);
			run_page(r, &p, false);
			i++;
		}
		picture_drop(&p);
	}
}

/* What a function of the stream returns ends the page, which is lost; the next one is good. */
TEST(failing_streams)
{
	static const int errors[] = { -EIO, -ECANCELED, 7 };
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	for (unsigned i = 0; i < 60; i++) {
		AUTO(picture_drop) struct picture p;
		struct tape tape;
		struct riptide_stream stream;

		picture_make(&p, i % 2 ? "stucki" : "clustered");
		tape = tape_of(&p, i % 4 > 1);
		tape.error = errors[i % 3];
		tape.fail_at = rip_test_below((uint32_t)tape.lines);
		tape.fails_to_read = i % 5 > 1;
		tape.fails_to_write = !tape.fails_to_read;
		stream = stream_of(&tape);
		assert_int_equal(riptide_pull(r, 99, NULL, 0, 1), -EINVAL); /* an older reason */
		assert_int_equal(riptide_run(r, &p.page, &stream), tape.error);
		assert_string_equal(riptide_error(r), "");
		assert_int_equal(riptide_flush(r), tape.error < 0 ? tape.error : -ECANCELED);
		assert_non_null(strstr(riptide_error(r), "the page is lost"));
		assert_int_equal(tape.fails_to_read ? tape.read : tape.written, tape.fail_at);
		run_page(r, &p, rip_test_below(2));
	}
}

static void assert_refused(struct riptide *r, const struct riptide_page *page,
			   const struct riptide_stream *stream, int error, const char *text)
{
	assert_int_equal(riptide_run(r, page, stream), error);
	assert_non_null(strstr(riptide_error(r), text));
}

/* The dots of a stream's lines, in order. */
struct copy {
	struct tape tape; /* first */
	uint8_t *at;
};

static int copy_line(void *context, const uint8_t *const dots[])
{
	struct copy *copy = context;
	const size_t bytes = picture_out_bytes(copy->tape.picture);

	for (uint32_t row = 0; row < rows_of_line(&copy->tape); row++, copy->at += bytes)
		memcpy(copy->at, dots[row], bytes);
	return 0;
}

/* Samples whose inks are limited by the library, and those that were before. */
TEST(ink_limit)
{
	struct picture p;
	AUTO(free_riptide) struct riptide *r = new_riptide(&alone);

	for (unsigned i = 0; i < 20;) {
		const uint32_t percent = 100 + rip_test_below(150);

		picture_make(&p, i % 2 ? "bayer" : "floyd-steinberg");
		if (p.page.planes == 4 || p.page.planes == 2) {
			const size_t row = picture_in_bytes(&p), dots = picture_out_bytes(&p),
				     all = dots * p.page.planes * p.page.height,
				     black = p.page.planes - 1;
			AUTO_FREE uint8_t *got = malloc(all), *want = malloc(all);
			struct copy copy = { tape_of(&p, false), got };
			struct riptide_stream stream = stream_of(&copy.tape);
			uint16_t *curves[RIP_PLANES_MAX] = { NULL };
			struct rip_ink_limit limit;

			for (uint32_t k = 0; p.page.curves && k < p.page.planes; k++)
				curves[k] = (uint16_t *)p.page.curves[k];
			stream.progress = NULL;
			stream.write = copy_line;
			stream.ink_limit = percent;
			assert_int_equal(riptide_run(r, &p.page, &stream), 0);
			assert_int_equal(rip_ink_limit_init(&limit,
							    p.page.light ? 0 :
									   percent * 65535 / 100,
							    p.page.planes, p.page.sample_bits,
							    (int)black, curves),
					 0);
			for (uint32_t y = 0; limit.most > 0 && y < p.page.height; y++) {
				void *rows[RIP_PLANES_MAX];

				for (uint32_t k = 0; k < p.page.planes; k++)
					rows[k] = p.samples + (k * p.page.height + y) * row;
				rip_ink_limit_apply(&limit, rows, p.page.width);
			}
			rip_ink_limit_finish(&limit);
			copy = (struct copy){ tape_of(&p, false), want };
			stream.ink_limit = 0;
			assert_int_equal(riptide_run(r, &p.page, &stream), 0);
			assert_memory_equal(got, want, all);
			i++;
		}
		picture_drop(&p);
	}
}

/* Grey areas and thin lines, on a page that a laser prints. */
static void draw_edges(struct picture *p)
{
	const size_t bytes = p->page.sample_bits / 8, row = picture_in_bytes(p);

	memset(p->samples, 0, row * p->page.planes * p->page.height);
	for (uint32_t k = 0; k < 12 * p->page.planes; k++) {
		const uint32_t w = 1 + rip_test_below(k % 2 ? 3 : 90), h = 1 + rip_test_below(60);
		const uint32_t x = rip_test_below(p->page.width);
		const uint32_t y = rip_test_below(p->page.height);
		uint8_t *plane = p->samples + k % p->page.planes * row * p->page.height;
		const int v = (int)rip_test_below(256);

		for (uint32_t j = y; j < p->page.height && j < y + h; j++)
			for (uint32_t i = x; i < p->page.width && i < x + w; i++)
				memset(plane + j * row + i * bytes, v, bytes);
	}
}

/* A page with clustered cells at 600 dpi. */
static void make_edges_page(struct picture *p, uint32_t planes)
{
	memset(p, 0, sizeof *p);
	p->page = (struct riptide_page){
		.size = sizeof p->page, .width = 200 + rip_test_below(500),
		.height = 100 + rip_test_below(100), .planes = planes,
		.sample_bits = planes == 1 || rip_test_below(2) ? 8 : 16, .levels = 2,
		.light = planes == 1, .x_dpi = 600, .y_dpi = 600, .screen = "clustered-106",
		.preset = rip_test_below(2) ? "laser" : NULL,
		.band_rows = rip_test_below(2) ? 0 : 1 + rip_test_below(40),
	};
	picture_draw(p);
	draw_edges(p);
}

static int read_no_pixels(void *context, void *pixels, uint32_t lines)
{
	(void)context, (void)pixels, (void)lines;
	fail_msg("fine edges need rows of planes");
	return -EINVAL;
}

/* Runs a page and copies its dots, in the order of its lines. */
static void copy_dots(struct riptide *r, const struct picture *p, uint32_t flags, uint8_t *to)
{
	struct copy copy = { tape_of(p, flags & RIPTIDE_PLANAR), to };
	struct riptide_stream stream = stream_of(&copy.tape);

	stream.progress = NULL;
	stream.write = copy_line;
	stream.flags = flags;
	if (flags == RIPTIDE_FINE_EDGES) {
		stream.read_pixels = read_no_pixels;
		stream.step = p->page.planes;
		stream.pitch = picture_in_bytes(p) * p->page.planes;
	}
	assert_int_equal(riptide_run(r, &p->page, &stream), 0);
	assert_int_equal(copy.tape.read, copy.tape.lines);
}

/* The dots of `riptide halftone` for a grey picture, in a new file of this folder. */
static void command_dots(const struct picture *p, const char *folder, uint8_t *dots)
{
	const size_t row = picture_out_bytes(p);
	char command[512], name[64];
	unsigned width, height;
	FILE *file;

	snprintf(name, sizeof name, "%s/grey.pgm", folder);
	file = fopen(name, "w");
	assert_non_null(file);
	fprintf(file, "P5 %u %u 255\n", p->page.width, p->page.height);
	fwrite(p->samples, picture_in_bytes(p), p->page.height, file);
	assert_int_equal(fclose(file), 0);
	snprintf(command, sizeof command, "./riptide halftone --socket none --screen clustered-106 "
		 "--resolution 600 --printer %s --edges on -o %s/dots.pbm %s",
		 p->page.preset ? p->page.preset : "none", folder, name);
	assert_int_equal(system(command), 0);
	snprintf(name, sizeof name, "%s/dots.pbm", folder);
	file = fopen(name, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "P4 %u %u%*c", &width, &height), 2);
	assert_true(width == p->page.width && height == p->page.height);
	assert_int_equal(fread(dots, row, height, file), height);
	fclose(file);
	for (size_t i = 0; i < row * height; i++) /* 1 is black */
		dots[i] = (uint8_t)~dots[i] & (i % row == row - 1 && width % 8 ?
					       0xff00 >> width % 8 : 255);
}

/* The dots of the command for grey; of all inks the same by line and by plane, and with any bands;
 * and other dots than without. */
TEST(fine_edges)
{
	char folder[] = "/tmp/test-riptide-run.XXXXXX", command[64];
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	assert_non_null(mkdtemp(folder));
	for (unsigned i = 0; i < 12; i++) {
		AUTO(picture_drop) struct picture p;
		size_t row, plane;

		make_edges_page(&p, i % 2 ? 1 : 1 + rip_test_below(4));
		row = picture_out_bytes(&p);
		plane = row * p.page.height;

		AUTO_FREE uint8_t *got = malloc(plane * p.page.planes);
		AUTO_FREE uint8_t *other = malloc(plane * p.page.planes);

		copy_dots(r, &p, RIPTIDE_FINE_EDGES, got);
		copy_dots(r, &p, 0, other);
		assert_memory_not_equal(got, other, plane * p.page.planes);
		p.page.band_rows = 1 + rip_test_below(70);
		copy_dots(r, &p, RIPTIDE_FINE_EDGES | RIPTIDE_PLANAR, other);
		for (uint32_t y = 0; y < p.page.height; y++)
			for (uint32_t k = 0; k < p.page.planes; k++)
				assert_memory_equal(got + (y * p.page.planes + k) * row,
						    other + k * plane + y * row, row);
		if (p.page.planes == 1 && p.page.light) {
			command_dots(&p, folder, other);
			assert_memory_equal(got, other, plane);
		}
	}
	snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

static void count_warning(void *context, enum riptide_log_level level, const char *text)
{
	unsigned *count = context;

	*count += level == RIPTIDE_LOG_WARNING && strstr(text, "fine edges");
}

/* Where edges cannot be finer, a warning says so, and the dots are those without; on another screen
 * there is nothing to say.  What read() returns goes through. */
TEST(no_fine_edges)
{
	unsigned warnings = 0;
	struct riptide_config config = here;
	AUTO(picture_drop) struct picture p;
	AUTO(free_riptide) struct riptide *r = NULL;
	struct riptide_stream stream;
	struct copy copy;

	config.log = count_warning;
	config.context = &warnings;
	r = new_riptide(&config);
	make_edges_page(&p, 4);

	const size_t all = picture_out_bytes(&p) * p.page.planes * p.page.height;
	AUTO_FREE uint8_t *got = malloc(all), *want = malloc(all);

	p.page.density = 70;
	p.page.preset = "laser";
	copy_dots(r, &p, RIPTIDE_FINE_EDGES | RIPTIDE_PLANAR, got);
	assert_int_equal(warnings, 1);
	copy_dots(r, &p, RIPTIDE_PLANAR, want);
	assert_memory_equal(got, want, all);
	p.page.density = 0;
	p.page.screen = "blue-noise";
	copy_dots(r, &p, RIPTIDE_FINE_EDGES | RIPTIDE_PLANAR, got);
	copy_dots(r, &p, RIPTIDE_PLANAR, want);
	assert_memory_equal(got, want, all);
	assert_int_equal(warnings, 1);
	p.page.screen = "clustered-106";
	copy = (struct copy){ tape_of(&p, false), got };
	copy.tape.fails_to_read = true;
	copy.tape.fail_at = p.page.height / 2;
	copy.tape.error = 7;
	stream = stream_of(&copy.tape);
	stream.progress = NULL;
	stream.write = copy_line;
	stream.flags = RIPTIDE_FINE_EDGES;
	assert_int_equal(riptide_run(r, &p.page, &stream), 7);
}

/* A stream, and a page without a height, are refused before the page before ends. */
TEST(page_before_stays)
{
	struct riptide_stream stream;
	struct riptide_page page;
	AUTO(picture_drop) struct picture p;
	struct tape tape;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	picture_make(&p, "bayer");
	tape = tape_of(&p, false);
	stream = stream_of(&tape);
	assert_int_equal(riptide_begin(r, &p.page), 0);
	assert_int_equal(riptide_push(r, 0, p.samples, 0, 1), 0);
	page = p.page;
	page.height = 0;
	assert_refused(r, &page, &stream, -EINVAL, "height");
	page.height = p.page.height;
	page.width = 0;
	assert_refused(r, &page, &stream, -EINVAL, "");
	stream.write = NULL;
	assert_refused(r, &p.page, &stream, -EINVAL, "write()");
	assert_int_equal(riptide_flush(r), 0);
	assert_int_equal(riptide_pull(r, 0, NULL, 0, 2), 1);
	assert_int_equal(tape.read, 0);
}

TEST(refused)
{
	struct { struct riptide_stream stream; uint64_t later; } longer;
	struct riptide_stream stream;
	struct riptide_page page;
	AUTO(picture_drop) struct picture p;
	struct tape tape;
	AUTO(free_riptide) struct riptide *r = new_riptide(&here);

	picture_make(&p, "bayer");
	tape = tape_of(&p, false);
	page = p.page;
	stream = stream_of(&tape);

	page.height = 0;
	assert_refused(r, &page, &stream, -EINVAL, "height");
	page = p.page;
	page.method = "abacus";
	assert_refused(r, &page, &stream, -ENOENT, "abacus");
	page = p.page;
	stream.read = NULL;
	assert_refused(r, &page, &stream, -EINVAL, "read()");
	stream = stream_of(&tape);
	stream.write = NULL;
	assert_refused(r, &page, &stream, -EINVAL, "write()");
	stream = stream_of(&tape);
	stream.ink_limit = 99;
	assert_refused(r, &page, &stream, -EINVAL, "ink limit");
	stream.ink_limit = 1601;
	assert_refused(r, &page, &stream, -EINVAL, "ink limit");
	stream.ink_limit = 200;
	stream.flags |= RIPTIDE_PLANAR;
	assert_refused(r, &page, &stream, -EINVAL, "ink limit");
	stream = stream_of(&tape);
	stream.flags |= 4;
	assert_refused(r, &page, &stream, -E2BIG, "0x4");
	stream = stream_of(&tape);
	stream.size--;
	assert_refused(r, &page, &stream, -EINVAL, "riptide_stream");

	/* A later version's struct, without and with a value in its new field. */
	memset(&longer, 0, sizeof longer);
	longer.stream = stream_of(&tape);
	longer.stream.size = sizeof longer;
	longer.later = 1;
	assert_refused(r, &page, &longer.stream, -E2BIG, "riptide_stream");
	assert_int_equal(tape.read, 0);
	longer.later = 0;
	longer.stream.progress = NULL;
	assert_int_equal(riptide_run(r, &page, &longer.stream), 0);
	assert_int_equal(tape.written, tape.lines);
}
