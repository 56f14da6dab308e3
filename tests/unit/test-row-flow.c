/* The bands of a page that flows through a halftoner: however wide its rows, they take little
 * memory. */
#include "tests/tools/testing.h"

#include "halftone/page/ink_limit.h"
#include "halftone/page/tone.h"
#include "lib/row_flow.h"
#include "tests/unit/fake_daemon.h"
#include "tests/unit/sample_page.h"

#define BANDS_BYTES (10u << 20) /* row_flow.c's goal */

static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	print_error("%s\n", text);
}

/* Pages of one to four planes, up to the widest, with bands of a chosen number of rows (0: any). */
TEST(little_memory)
{
	const struct rip_halftoner_config config = { .method = RIP_METHOD_AUTO,
						     .device = -1,
						     .log = log_line };
	struct rip_halftoner *halftoner;
	struct rip_row_flow flow = { 0 };

	assert_int_equal(rip_halftoner_new(&config, &halftoner), 0);
	for (unsigned i = 0; i < 40; i++) {
		const struct rip_page_spec spec = {
			.width = 1 + rip_test_below(1u << (10 + i % 12)),
			.planes = 1 + i % 4,
			.levels = 2,
			.sample_bits = i % 3 ? 8 : 16,
			.screen = &rip_screens[RIP_FLOYD_STEINBERG],
		};
		const size_t row = rip_band_size(&spec, 2) - rip_band_size(&spec, 1);
		const uint32_t wanted = i % 2 ? 1 + rip_test_below(200) : 0;
		uint64_t bytes;

		assert_int_equal(rip_row_flow_begin(&flow, halftoner, &spec, 10000, RIP_START_ZERO,
						    wanted),
				 0);
		bytes = (uint64_t)flow.goal * flow.band_rows * row;
		assert_true(flow.goal >= 1 && flow.band_rows >= 1);
		/* What somebody wants, or one row, is one band. */
		if (bytes > BANDS_BYTES &&
		    (flow.goal > 1 || flow.band_rows > (wanted ? wanted : 1)))
			fail_msg("%u planes of %u: %u bands of %u rows (%u wanted)", spec.planes,
				 spec.width, flow.goal, flow.band_rows, wanted);
	}
	rip_halftoner_free(halftoner);
	rip_row_flow_reset(&flow);
}

/* ---- through the ring of a daemon ---- */

/* How rows get into the flow, and when their dots are taken. */
struct way {
	bool planar;  /* plane after plane */
	bool pixels;  /* lines of pixels, unless the band takes rows; */
	bool limited; /* of 8 bits, under an ink limit, with a curve of each plane */
	bool pushed;  /* from elsewhere, and not placed */
	bool later;   /* dots are taken when the page is complete, else as soon as they are ready */
	uint32_t rows; /* of a band; 0: any */
};

struct flow_test {
	struct rip_row_flow flow;
	const struct rip_page_spec *spec;
	struct rip_band *want; /* the page, or NULL: its dots are not compared */
	uint32_t taken;        /* rows of all planes */
	uint32_t lines;        /* of pixels that were put */
	const struct rip_ink_limit *limit; /* or NULL */
};

/* The row of a plane that comes of the limit, if there is one. */
static void make_row(const struct flow_test *test, uint32_t plane, uint32_t y, uint8_t *row)
{
	static uint8_t samples[RIP_PLANES_MAX][65536];
	static uint32_t made; /* the row that they are of, from plane 0 on */
	struct rip_page_spec narrow = *test->spec;
	void *rows[RIP_PLANES_MAX];

	if (!test->limit) {
		sample_page_row(test->spec, plane, y, row);
		return;
	}
	narrow.sample_bits = 8;
	for (uint32_t p = 0; p < narrow.planes; p++)
		rows[p] = samples[p];
	if (plane == 0 || made != y) {
		for (uint32_t p = 0; p < narrow.planes; p++)
			sample_page_row(&narrow, p, y, rows[p]);
		if (test->limit->most > 0)
			rip_ink_limit_apply(test->limit, rows, narrow.width);
		made = y;
	}
	if (test->spec->sample_bits == 8)
		memcpy(row, rows[plane], narrow.width);
	else
		rip_tone_row(test->limit->curves[plane], 8, rows[plane], narrow.width,
			     (uint16_t *)(void *)row);
}

/* What must come of the page. */
static struct rip_band *make_dots(const struct flow_test *test, uint32_t height)
{
	struct rip_band *band;

	assert_int_equal(rip_band_new(test->spec, height, &band), 0);
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t p = 0; p < test->spec->planes; p++) {
			make_row(test, p, y, rip_band_row(band, p));
			rip_band_commit(band, p);
		}
	define_dots(test->spec, RIP_START_NOISE, band, NULL);
	return band;
}

/* The next dots of a plane, as they must be. */
static const uint8_t *wanted(const struct flow_test *test, uint32_t plane)
{
	return rip_band_dots(test->want, plane, test->flow.taken[plane]);
}

static void take(struct flow_test *test)
{
	const size_t bytes = rip_dot_bytes(test->spec->width, test->spec->levels);
	const uint8_t *dots;

	for (uint32_t p = 0; p < test->spec->planes; p++)
		while ((dots = rip_row_flow_dots(&test->flow, p))) {
			if (test->want)
				assert_memory_equal(dots, wanted(test, p), bytes);
			rip_row_flow_take(&test->flow, p);
			test->taken++;
		}
}

static int put(struct flow_test *test, const struct way *way, uint32_t plane, uint32_t row)
{
	static uint8_t elsewhere[65536];
	void *at = elsewhere;
	uint32_t rows;
	int r;

	if (way->pushed) {
		make_row(test, plane, row, elsewhere);
		return rip_row_flow_put(&test->flow, plane, elsewhere, 0, 1);
	}
	while ((r = rip_row_flow_place(&test->flow, plane, way->later, &at, &rows)) == 1)
		take(test);
	if (r < 0)
		return r;
	assert_true(rows >= 1);
	make_row(test, plane, row, at);
	return rip_row_flow_commit(&test->flow, plane, 1);
}

/* The samples of a pixel, with one to spare. */
static uint32_t step_of(const struct rip_page_spec *spec)
{
	return spec->planes + 1;
}

static size_t pitch_of(const struct rip_page_spec *spec)
{
	return (size_t)spec->width * step_of(spec) * (spec->sample_bits / 8) + 2;
}

/* As they are before a limit. */
static void make_line(const struct flow_test *test, uint32_t y, uint8_t *line)
{
	struct rip_page_spec spec = *test->spec;
	static uint8_t row[65536];
	size_t bytes;

	spec.sample_bits = test->limit ? 8 : spec.sample_bits;
	bytes = spec.sample_bits / 8;
	for (uint32_t p = 0; p < spec.planes; p++) {
		sample_page_row(&spec, p, y, row);
		for (uint32_t x = 0; x < spec.width; x++)
			memcpy(line + (x * step_of(&spec) + p) * bytes, row + x * bytes, bytes);
	}
}

/* Puts a few lines of pixels, as many as fit and at most 1 + y % 5.  Returns how many; 0: the band
 * takes rows. */
static uint32_t put_lines(struct flow_test *test, uint32_t y)
{
	const size_t pitch = pitch_of(test->spec);
	uint32_t count, n;
	uint8_t *lines;
	void *at;
	int r;

	while ((r = rip_row_flow_place_lines(&test->flow, &at, &count)) == 1)
		take(test);
	assert_int_equal(r, 0);
	if (!at)
		return 0;
	lines = at;
	n = count < 1 + y % 5 ? count : 1 + y % 5;
	assert_true(n >= 1);
	for (uint32_t i = 0; i < n; i++)
		make_line(test, y + i, lines + i * pitch);
	assert_int_equal(rip_row_flow_commit_lines(&test->flow, at, pitch, step_of(test->spec), n),
			 0);
	test->lines += n;
	return n;
}

/* Puts a page of which rows come plane by plane after its lines.  0 or -errno. */
static int put_page(struct flow_test *test, const struct way *way, uint32_t height)
{
	const uint32_t planes = test->spec->planes;
	uint32_t lines = 0, n = way->pixels;
	int r = 0;

	for (; n > 0 && lines < height; lines += n) {
		n = put_lines(test, lines);
		if (!way->later)
			take(test);
	}
	for (uint32_t i = lines * planes; r == 0 && i < height * planes; i++) {
		r = way->planar ? put(test, way, i / height, i % height)
				: put(test, way, i % planes, i / planes);
		if (r == 0 && !way->later)
			take(test);
	}
	return r;
}

/* Most pixels exceed it, and black alone some of them.  Of planes that have x afterwards, each has
 * its curve, and full stays full. */
static void make_limit(struct rip_ink_limit *limit, const struct rip_page_spec *spec)
{
	static uint16_t curves[RIP_PLANES_MAX][256];
	uint16_t *of[RIP_PLANES_MAX] = { NULL };

	for (uint32_t p = 0; p < spec->planes && spec->sample_bits == 16; p++) {
		for (uint32_t v = 0; v < 256; v++)
			curves[p][v] = (uint16_t)(v < p       ? 0 :
						  v > 250 - p ? 65535 :
								v * v + 300 * p);
		of[p] = p == 1 ? NULL : curves[p];
	}
	assert_int_equal(rip_ink_limit_init(limit, spec->planes > 1 ? 60000 : 0, spec->planes, 8,
					    (int)spec->planes - 1, of), 0);
}

/* A page of 200 rows.  right: its dots are compared. */
static int page(struct flow_test *test, struct rip_halftoner *halftoner,
		const struct rip_page_spec *spec, const struct way *way, bool right)
{
	const uint32_t height = 200;
	struct rip_ink_limit limit;
	int r;

	make_limit(&limit, spec);
	test->limit = way->limited ? &limit : NULL;
	rip_halftoner_want_pixels(halftoner, way->pixels ? pitch_of(spec) : 0, step_of(spec),
				  test->limit);
	r = rip_row_flow_begin(&test->flow, halftoner, spec, height, RIP_START_NOISE, way->rows);
	test->spec = spec;
	test->taken = 0;
	test->want = right ? make_dots(test, height) : NULL;
	if (r == 0)
		r = put_page(test, way, height);
	if (r == 0)
		r = rip_row_flow_flush(&test->flow);
	if (r == 0)
		take(test);
	if (r == 0)
		assert_int_equal(test->taken, height * spec->planes);
	rip_band_free(test->want);
	rip_ink_limit_finish(&limit);
	return r < 0 ? r : rip_row_flow_end(&test->flow);
}

/* One to six planes of all widths; some rows have a gap behind them. */
static const struct rip_page_spec specs[] = {
	PLAIN_PAGE(1001, 1),
	{ .width = 333,
	  .planes = 6,
	  .levels = 4,
	  .sample_bits = 16,
	  .screen = &rip_screens[RIP_SIERRA] },
	{ .width = 2048,
	  .planes = 4,
	  .levels = 2,
	  .sample_bits = 8,
	  .screen = &rip_screens[RIP_BLUE_NOISE] },
	{ .width = 1,
	  .planes = 3,
	  .levels = 16,
	  .sample_bits = 8,
	  .screen = &rip_screens[RIP_STUCKI] },
	PLAIN_PAGE(8000, 3),
	{ .width = 700,
	  .planes = 4,
	  .levels = 2,
	  .sample_bits = 8,
	  .screen = &rip_screens[RIP_BLUE_NOISE_COLOUR],
	  .coupling = { .fade = 6554,
			.inks = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
				  RIP_INK_BLACK } } },
};

static const struct way ways[] = {
	{ .rows = 0 }, { .rows = 7 }, { .rows = 13, .planar = true },
	{ .rows = 16, .pushed = true }, { .rows = 16, .later = true },
	{ .rows = 5, .planar = true, .pushed = true, .later = true },
	{ .rows = 0, .pixels = true }, { .rows = 11, .pixels = true },
	{ .rows = 13, .pixels = true, .limited = true },
};

static void count_warnings(void *context, enum riptide_log_level level, const char *text)
{
	unsigned *warnings = context;

	*warnings += level == RIPTIDE_LOG_WARNING;
	assert_true(level <= RIPTIDE_LOG_WARNING);
}

/* Two pages in one session.  Whether the daemon was lost. */
static bool two_pages(enum fake_act act, uint32_t at, const struct rip_page_spec *spec,
		      const struct way *way)
{
	struct fake_daemon fake = { .act = act, .at = at };
	struct flow_test test = { .taken = 0 };
	unsigned warnings = 0;
	const struct rip_halftoner_config config = {
		.socket = fake.path, .method = RIP_METHOD_AUTO, .device = -1,
		.log = count_warnings, .context = &warnings,
	};
	struct rip_halftoner *halftoner;

	fake_start(&fake);
	assert_int_equal(rip_halftoner_new(&config, &halftoner), 0);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(page(&test, halftoner, spec, way, act != FAKE_SCRIBBLES), 0);
	rip_halftoner_free(halftoner);
	rip_row_flow_reset(&test.flow);
	fake_wait(&fake, 1);
	fake_stop(&fake);
	assert_string_equal(fake.fault, "");
	if (way->pixels && act == FAKE_WORKS)
		assert_int_equal(test.lines, 2 * 200);
	assert_true(warnings <= 1);
	return warnings > 0;
}

/* All pages in all ways.  How many percent of the daemons were lost. */
static unsigned all_pages(enum fake_act act, uint32_t at)
{
	unsigned lost = 0, tried = 0;

	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
		for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
			if ((rip_test_repeated() && (i + k) % 6 > 0) ||
			    (ways[k].limited && specs[i].width > 5000)) /* it takes long */
				continue;
			lost += two_pages(act, at, &specs[i], &ways[k]);
			tried++;
		}
	printf("# of %u daemons %u were lost\n", tried, lost);
	return 100 * lost / tried;
}

TEST(filled_in_the_ring)
{
	assert_int_equal(all_pages(FAKE_WORKS, 0), 0);
}

/* The daemon goes while bands are in flight and one is being filled in its ring: the page goes on
 * with the same dots. */
TEST(lost_with_bands_in_the_ring)
{
	static const struct { enum fake_act act; uint32_t at; } cases[] = {
		{ FAKE_DIES, 0 }, { FAKE_DIES, 3 }, { FAKE_GOODBYE, 2 }, { FAKE_BAD_CARRY, 1 },
	};

	/* Of a few daemons, on a loaded machine, fewer may be lost in time. */
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_true(all_pages(cases[i].act, cases[i].at) >=
			    (rip_test_repeated() ? 12 : 50));
}

/* Whatever a daemon writes into the ring, and whenever: the page ends, with some dots. */
TEST(a_daemon_that_scribbles)
{
	assert_true(all_pages(FAKE_SCRIBBLES, 9) >= 16);
}
