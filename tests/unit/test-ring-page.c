/* Bands in pieces: the dots are those of the whole, whatever stops or fails between. */
#include "tests/tools/testing.h"

#include "wire/check.h"
#include "daemon/ring_page.h"
#include "tests/daemon/failing_engine.h"
#include "halftone/engine_cpu.h"

#define IN  (16 << 20) /* bytes of the ring's areas, as the server makes them */
#define OUT (8 << 20)
#define UNTOUCHED 0xa5

static struct rip_engine *cpu;
static struct failing_engine failing;
static struct rip_ring_page ring_page;
static uint8_t *expected; /* as out, without pieces */

/* Between pieces: how often, and after which one nobody wants the rest. */
static unsigned asked, wanted;

static bool goes_on(void *context)
{
	assert_ptr_equal(context, &asked);
	return ++asked < wanted;
}

/* A page whose strips fill the ring: strip i has rows[i] rows. */
struct layout {
	struct rip_page_spec    spec;
	struct rip_band_message band;
	unsigned                pieces; /* that it is done in */
};

static struct layout layout_of(uint32_t width, uint32_t planes, const uint32_t *rows,
			       unsigned pieces)
{
	struct layout layout = {
		.spec = { .width = width, .planes = planes, .levels = 2, .sample_bits = 8,
			  .screen = &rip_screens[planes == 3 ? RIP_STUCKI : RIP_FLOYD_STEINBERG] },
		.band = { .count = planes },
		.pieces = pieces,
	};
	const struct rip_ring_sizes room = { IN, OUT };
	const uint32_t dots = (width + 7) / 8;
	char reason[RIP_REASON_MAX + 1];
	uint64_t in = 0, out = 0, samples;

	for (uint32_t i = 0; i < planes; i++) {
		struct rip_band_strip *strip = &layout.band.strips[i];

		*strip = (struct rip_band_strip){ .plane = i, .rows = rows[i], .in_pitch = width,
						  .out_pitch = dots, .in_offset = in };
		in += (uint64_t)rows[i] * width;
		strip->carry_offset = out;
		out += rip_carry_values(&layout.spec) * sizeof(int16_t);
		strip->out_offset = out;
		out = (out + (uint64_t)rows[i] * dots + 1) & ~UINT64_C(1);
	}
	assert_int_equal(rip_check_band(&layout.band, &layout.spec, layout.spec.sample_bits, &room,
					&samples, reason),
			 RIP_VERDICT_GOOD);
	return layout;
}

static void begin(const struct layout *layout, struct rip_engine *engine)
{
	const struct rip_page_message message = { .page = 1, .start = RIP_PAGE_NOISE };

	asked = 0;
	wanted = 1000;
	memset(ring_page.ring.out, UNTOUCHED, OUT);
	ring_page.engine = engine;
	ring_page.fallback = cpu;
	ring_page.goes_on = goes_on;
	ring_page.context = &asked;
	assert_int_equal(rip_ring_page_begin(&ring_page, &message, &layout->spec), 0);
}

/* What an engine makes of the band at once. */
static void expect(const struct layout *layout)
{
	const struct rip_engine_ops *ops = cpu->ops;
	struct rip_page *page;

	memset(expected, UNTOUCHED, OUT);
	assert_int_equal(rip_engine_open_page(cpu, &layout->spec, RIP_START_NOISE, &page), 0);
	for (uint32_t i = 0; i < layout->band.count; i++) {
		const struct rip_band_strip *at = &layout->band.strips[i];
		const struct rip_strip strip = {
			.plane = at->plane, .rows = at->rows,
			.in = ring_page.ring.in + at->in_offset, .in_pitch = at->in_pitch,
			.out = expected + at->out_offset, .out_pitch = at->out_pitch,
		};

		assert_int_equal(ops->push(page, &strip, 1), 0);
		assert_int_equal(ops->pull(page), 0);
		assert_int_equal(ops->export_carry(page, at->plane,
				 (int16_t *)(void *)(expected + at->carry_offset)), 0);
	}
	ops->close(page);
}

static struct layout layouts[6];

static void make_layouts(void)
{
	static const uint32_t narrow[] = { 30000, 20000 }, planes[] = { 100, 300, 200 };

	layouts[0] = layout_of(4961, 1, (const uint32_t[]){ 840 }, 1); /* a client's, of A4 */
	layouts[1] = layout_of(1, 1, (const uint32_t[]){ 65536 }, 2);
	layouts[2] = layout_of(3, 2, narrow, 2);
	layouts[3] = layout_of(100000, 1, (const uint32_t[]){ 160 }, 2);
	layouts[4] = layout_of(1500000, 1, (const uint32_t[]){ 11 }, 3);
	layouts[5] = layout_of(20000, 3, planes, 3); /* 128 rows of each at a time */
}

TEST(pieces)
{
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
		expect(&layouts[i]);
		begin(&layouts[i], cpu);
		assert_int_equal(rip_ring_page_band(&ring_page, &layouts[i].band, NULL, false), 0);
		assert_memory_equal(ring_page.ring.out, expected, OUT);
		assert_int_equal(asked, layouts[i].pieces - 1);
	}
}

/* A band of pixels has the dots and carries of one with these rows; numbers of lines that do not
 * ascend, or are too large, stand for some that do. */
TEST(pixels)
{
	enum { LINES = 200, WIDTH = 777, STEP = 4, PITCH = WIDTH * STEP + 5, NUMBERS = 15 << 20 };
	static const uint32_t rows[] = { LINES, 90, 1 };
	struct layout layout = layout_of(WIDTH, 3, rows, 1);
	AUTO_FREE uint8_t *lines = malloc(LINES * PITCH);
	uint8_t *in = ring_page.ring.in;

	assert_non_null(lines);
	for (int bad = 0; bad < 2; bad++) {
		struct rip_band_message pixels = layout.band;

		pixels.lines = LINES;
		pixels.step = STEP;
		pixels.line_pitch = PITCH;
		for (size_t i = 0; i < LINES * PITCH; i++)
			lines[i] = (uint8_t)rip_test_random();
		/* Plane 1 has the last rows or, as its numbers are bad, the first; plane 2 the
		 * last. */
		for (uint32_t p = 0; p < 3; p++) {
			const uint32_t first = p == 0 || (bad && p == 1) ? 0 : LINES - rows[p];

			for (uint32_t y = 0; y < rows[p]; y++)
				for (uint32_t x = 0; x < WIDTH; x++)
					in[layout.band.strips[p].in_offset + y * WIDTH + x] =
						lines[(first + y) * PITCH + x * STEP + p];
		}
		expect(&layout);
		memcpy(in, lines, LINES * PITCH);
		for (uint32_t p = 0; p < 3; p++) {
			uint16_t *numbers = (uint16_t *)(void *)(in + NUMBERS + p * 65536);

			pixels.strips[p].in_offset = NUMBERS + p * 65536;
			pixels.strips[p].in_pitch = 2;
			for (uint32_t y = 0; y < rows[p]; y++)
				numbers[y] = (uint16_t)(bad ? (p == 1 ? 0 : 65535) :
							LINES - rows[p] + y);
		}
		begin(&layout, cpu);
		assert_int_equal(rip_ring_page_band(&ring_page, &pixels, NULL, false), 0);
		assert_memory_equal(ring_page.ring.out, expected, OUT);
	}
}

/* A page whose pixels go through curves that fall, under an ink limit or not; and what is made of
 * the message is all that counts later, whatever the client does to its curves. */
TEST(falling_curves)
{
	const struct layout layout = layout_of(64, 2, (const uint32_t[]){ 3, 3 }, 1);
	struct rip_page_message message = { .page = 1,
					    .start = RIP_PAGE_NOISE,
					    .width = 64,
					    .planes = 2,
					    .sample_bits = 8,
					    .pixel_curves = 2,
					    .black = 1,
					    .pixel_offset = 4096 };
	uint16_t *curves = (uint16_t *)(void *)(ring_page.ring.in + message.pixel_offset);

	for (int falls = -1; falls < 512; falls = falls < 0 ? 0 : falls + 17) {
		for (int v = 0; v < 512; v++)
			curves[v] = (uint16_t)(1000 + 200 * (v % 256));
		if (falls >= 0)
			curves[falls] = falls % 256 ? curves[falls - 1] - 1 : 65535;
		ring_page.engine = ring_page.fallback = cpu;
		message.ink_limit = 70000;
		assert_int_equal(rip_ring_page_begin(&ring_page, &message, &layout.spec),
				 falls < 0 ? 0 : -ERANGE);
		message.ink_limit = 0;
		assert_int_equal(rip_ring_page_begin(&ring_page, &message, &layout.spec), 0);
		curves[7] = 9;
		assert_int_equal(ring_page.limit.limit.curves[0][7], falls == 7 ? 2199 : 2400);
		assert_ptr_equal(ring_page.limit.limit.curves[1],
				 ring_page.limit.curves[falls < 0 ? 0 : 1]);
	}
}

/* What nobody wants is not done: no carry comes out, and the page is over. */
TEST(cancelled)
{
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		for (unsigned stop = 1; stop < layouts[i].pieces; stop++) {
			const struct rip_band_strip *strip = &layouts[i].band.strips[0];

			for (uint32_t k = 1; k < layouts[i].band.count; k++)
				if (layouts[i].band.strips[k].rows > strip->rows)
					strip = &layouts[i].band.strips[k]; /* the last at work */
			begin(&layouts[i], cpu);
			wanted = stop;
			assert_int_equal(rip_ring_page_band(&ring_page, &layouts[i].band, NULL,
							    false),
					 -ECANCELED);
			assert_int_equal(asked, stop);
			assert_int_equal(ring_page.ring.out[strip->carry_offset], UNTOUCHED);
			assert_int_equal(ring_page.ring.out[strip->out_offset +
				 (uint64_t)(strip->rows - 1) * strip->out_pitch], UNTOUCHED);
			assert_int_equal(ring_page.failure_count, 0);
			assert_int_equal(rip_ring_page_band(&ring_page, &layouts[i].band, NULL,
							    false),
					 -ENODEV);
		}
}

/* An engine that fails between the pieces: the other one does the whole band again. */
TEST(failing)
{
	static const enum fail kinds[] = { FAIL_PUSH, FAIL_PULL };

	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		for (unsigned good = 0; good < layouts[i].pieces; good++)
			for (int kind = 0; kind < 2; kind++) {
				if (rip_test_repeated() && (good + (unsigned)kind) % 2)
					continue;
				expect(&layouts[i]);
				failing_engine_init(&failing, cpu);
				failing.kind = kinds[kind];
				failing.good = (int)good;
				begin(&layouts[i], &failing.base);
				assert_int_equal(rip_ring_page_band(&ring_page, &layouts[i].band,
								    NULL, false),
						 0);
				assert_memory_equal(ring_page.ring.out, expected, OUT);
				assert_ptr_equal(ring_page.failures[0].engine, &failing.base);
				ring_page.failure_count = 0;
			}
}

/* What is charged: rows count where they are narrow, samples where they are wide, and
 * nothing is for free. */
TEST(costs)
{
	const struct rip_band_message row = { .count = 1, .strips[0].rows = 1 };
	struct rip_page_message page = { .width = 1, .planes = 1 };
	const uint64_t least = rip_ring_page_page_cost(&page);

	assert_true(least >= 10000);
	assert_int_equal(rip_ring_page_band_cost(&row, 1), least);
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
		const struct layout *layout = &layouts[i];
		const uint64_t cost = rip_ring_page_band_cost(&layout->band, layout->spec.width);
		uint64_t samples = 0, rows = 0;

		for (uint32_t k = 0; k < layout->band.count; k++)
			rows += layout->band.strips[k].rows;
		samples = rows * layout->spec.width;
		if (layout->spec.width >= 1000)
			assert_int_equal(cost, samples);
		else
			assert_true(cost >= 100 * rows);
	}
	/* A page of 3 million columns takes as long as several bands. */
	page.width = 3000000;
	assert_true(rip_ring_page_page_cost(&page) >= 20 * (uint64_t)page.width);
	page.planes = 4;
	assert_true(rip_ring_page_page_cost(&page) >= 80 * (uint64_t)page.width);
}

BEFORE_TESTS
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_SIMD, .threads = 1 };

	if (rip_engine_cpu_new(&config, &cpu) < 0)
		exit(99);
	ring_page.ring = (struct rip_ring){ .in = malloc(IN), .out = malloc(OUT), .in_fd = -1,
					  .out_fd = -1 };
	expected = malloc(OUT);
	for (size_t i = 0; i < IN; i++)
		ring_page.ring.in[i] = (uint8_t)(i * 2654435761u >> 24);
	make_layouts();
}

AFTER_TESTS
{
	free(ring_page.ring.in);
	free(ring_page.ring.out);
	free(expected);
	ring_page.ring.in = ring_page.ring.out = NULL;
	rip_ring_page_finish(&ring_page);
	cpu->ops->free(cpu);
}
