/* What halftone/engine.h promises of every engine and screen. */
#include "tests/tools/testing.h"

#include "halftone/page/band.h"
#include "halftone/engine_cpu.h"
#include "lib/engine_thread.h"
#include "tests/unit/sample_page.h"
#include "wire/client.h"

static struct rip_engine *cpu_engine(enum rip_method method, const char *isa, unsigned threads)
{
	const struct rip_cpu_config config = { .method = method, .isa = isa, .threads = threads };
	struct rip_engine *engine;

	assert_int_equal(rip_engine_cpu_new(&config, &engine), 0);
	return engine;
}

/* A spec of everything that engines take. */
static struct rip_page_spec random_spec(void)
{
	return (struct rip_page_spec){
		.width = 1 + rip_test_below(3000),
		.planes = 1 + rip_test_below(4),
		.levels = rip_test_below(2) ? 2 : 2 + rip_test_below(15),
		.sample_bits = rip_test_below(2) ? 8 : 16,
		.screen = &rip_screens[rip_test_below(2) ? RIP_FLOYD_STEINBERG :
							   rip_test_below(RIP_SCREENS)],
	};
}

/* Pushes the same rows into every plane. */
static void push_rows(struct rip_page *page, const struct rip_page_spec *spec, const uint8_t *in,
		      uint8_t *out, uint32_t rows)
{
	const size_t in_pitch = (size_t)spec->width * (spec->sample_bits / 8);
	const size_t out_pitch = rip_dot_bytes(spec->width, spec->levels);
	struct rip_strip strips[RIP_PLANES_MAX];

	for (uint32_t p = 0; p < spec->planes; p++)
		strips[p] = (struct rip_strip){
			.plane = p, .rows = rows, .in = in, .in_pitch = (ptrdiff_t)in_pitch,
			.out = out + p * rows * out_pitch, .out_pitch = (ptrdiff_t)out_pitch,
		};
	assert_int_equal(page->engine->ops->push(page, strips, spec->planes), 0);
}

/* An export waits for all rows that were pushed, without a pull; so does an import. */
TEST(export_and_import_wait)
{
	static const struct { enum rip_method method; const char *isa; } kinds[] = {
		{ RIP_METHOD_ED, NULL }, { RIP_METHOD_EC, NULL }, { RIP_METHOD_AUTO, "c" },
		{ RIP_METHOD_AUTO, NULL },
	};

	for (int round = 0; round < (RIP_TEST_SANITIZED ? 20 : 60); round++) {
		const struct rip_page_spec spec = random_spec();
		const uint32_t rows = 1 + rip_test_below(300);
		const size_t values = rip_carry_values(&spec);
		const size_t in_size = (size_t)spec.width * (spec.sample_bits / 8) * rows;
		const size_t out_size = spec.planes * rows * rip_dot_bytes(spec.width, spec.levels);
		AUTO_FREE uint8_t *in = malloc(in_size), *want = malloc(out_size),
				  *got = malloc(out_size);
		AUTO_FREE int16_t *first = rip_carry_new(&spec, spec.planes);
		AUTO_FREE int16_t *second = rip_carry_new(&spec, spec.planes);
		AUTO_FREE int16_t *carry = rip_carry_new(&spec, spec.planes);

		for (size_t i = 0; i < in_size; i++)
			in[i] = (uint8_t)rip_test_random();
		for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
			struct rip_engine *engine = cpu_engine(kinds[k].method, kinds[k].isa,
							       1 + rip_test_below(3));
			const struct rip_engine_ops *ops = engine->ops;
			struct rip_page *page;

			/* The plain way, with a pull after each push, in the first kind. */
			assert_int_equal(rip_engine_open_page(engine, &spec, RIP_START_NOISE,
							      &page),
					 0);
			push_rows(page, &spec, in, got, rows);
			if (k == 0)
				assert_int_equal(ops->pull(page), 0);
			for (uint32_t p = 0; p < spec.planes; p++)
				assert_int_equal(ops->export_carry(page, p, carry + p * values), 0);
			if (k == 0)
				memcpy(first, carry, spec.planes * values * sizeof *carry);
			assert_memory_equal(carry, first, spec.planes * values * sizeof *carry);
			push_rows(page, &spec, in, got, rows);
			if (k == 0)
				assert_int_equal(ops->pull(page), 0);
			/* The carry after the rows just pushed is replaced, not they. */
			for (uint32_t p = 0; p < spec.planes; p++)
				assert_int_equal(ops->import_carry(page, p, first + p * values), 0);
			push_rows(page, &spec, in, got, rows);
			if (k == 0)
				assert_int_equal(ops->pull(page), 0);
			for (uint32_t p = 0; p < spec.planes; p++)
				assert_int_equal(ops->export_carry(page, p, carry + p * values), 0);
			if (k == 0) {
				memcpy(second, carry, spec.planes * values * sizeof *carry);
				memcpy(want, got, out_size);
			}
			assert_memory_equal(carry, second, spec.planes * values * sizeof *carry);
			assert_memory_equal(got, want, out_size);
			ops->close(page);
			ops->free(engine);
		}
	}
}

TEST(engines_say_what_they_take)
{
	const struct rip_screen unknown = { .name = "unknown", .kind = (enum rip_screen_kind)99 };
	struct rip_page_spec spec = { .width = 100, .planes = 1, .levels = 2, .sample_bits = 8 };
	struct rip_engine *cpu = cpu_engine(RIP_METHOD_AUTO, NULL, 1);
	struct rip_page *page;

	for (int i = 0; i < RIP_SCREENS; i++) {
		spec.screen = &rip_screens[i];
		assert_true(cpu->ops->takes(cpu, &spec));
	}
	spec.screen = &unknown;
	assert_false(cpu->ops->takes(cpu, &spec));
	page = (struct rip_page *)cpu;
	assert_int_equal(rip_engine_open_page(cpu, &spec, RIP_START_NOISE, &page), -EINVAL);
	assert_null(page);
	cpu->ops->free(cpu);
}

/* A mask of the test's own, for all planes. */
#define MASK_HEIGHT 7
#define MASK_WIDTH  11

static uint16_t thresholds[MASK_HEIGHT * MASK_WIDTH];
static const struct rip_mask mask = { MASK_HEIGHT, MASK_WIDTH, thresholds };
static const struct rip_screen mask_screen = {
	.name = "mask", .kind = RIP_SCREEN_MASK, .masks = { &mask, &mask, &mask, &mask }
};

BEFORE_TESTS
{
	for (size_t i = 0; i < COUNT(thresholds); i++)
		thresholds[i] = (uint16_t)rip_test_below(65535);
}

/* A screen without a carry has no values to allocate, check, start, or hand over. */
TEST(no_carry_is_a_carry)
{
	const struct rip_page_spec spec = { .width = 100, .planes = 3, .levels = 2,
					    .sample_bits = 8, .screen = &mask_screen };
	AUTO_FREE int16_t *carry = rip_carry_new(&spec, 3);

	assert_int_equal(rip_page_spec_check(&spec), 0);
	assert_int_equal(rip_carry_values(&spec), 0);
	assert_non_null(carry);
	assert_int_equal(rip_carry_check(&spec, carry), 0);
	assert_int_equal(rip_carry_check(&spec, NULL), 0);
	rip_carry_start(&spec, 2, RIP_START_NOISE, carry);
	rip_carry_start(&spec, 2, RIP_START_ZERO, NULL);
}

/* Fills a band with rows of the page, some of them transparent. */
static void fill(const struct rip_page_spec *spec, struct rip_band *band, const uint8_t *page,
		 uint32_t height, uint32_t first, uint32_t rows)
{
	rip_band_reset(band, first);
	for (uint32_t i = first; i < first + rows; i++)
		for (uint32_t p = 0; p < spec->planes; p++) {
			memcpy(rip_band_row(band, p), page + (p * height + i) * spec->width,
			       spec->width);
			rip_band_commit(band, p);
		}
}

/* A mask through bands and a worker: the dots are those of the absolute rows, whatever rows
 * were dropped, and the page goes on in another engine from its carry of nothing. */
TEST(masks_know_their_rows)
{
	for (int round = 0; round < (RIP_TEST_SANITIZED ? 15 : 40); round++) {
		const struct rip_page_spec spec = { .width = 1 + rip_test_below(300),
						    .planes = 1 + rip_test_below(4),
						    .levels = 2,
						    .sample_bits = 8,
						    .screen = &mask_screen };
		const uint32_t height = 1 + rip_test_below(200), most = 1 + rip_test_below(40);
		AUTO_FREE uint8_t *page = malloc(spec.planes * height * spec.width);
		struct rip_engine_thread *worker, *next;
		struct rip_band *band, *want;

		for (size_t row = 0; row < spec.planes * height; row++) {
			const bool grey = rip_test_below(3);

			for (uint32_t j = 0; j < spec.width; j++)
				page[row * spec.width + j] = (uint8_t)(grey ? rip_test_random() :
								       rip_test_below(2) ? 0 :
											   255);
		}
		assert_int_equal(rip_band_new(&spec, height, &want), 0);
		fill(&spec, want, page, height, 0, height);
		define_dots(&spec, RIP_START_NOISE, want, NULL);
		assert_int_equal(rip_engine_thread_new(cpu_engine(RIP_METHOD_AUTO, NULL, 1), false,
						       &worker),
				 0);
		assert_true(rip_engine_thread_takes(worker, &spec));
		assert_int_equal(rip_engine_thread_begin(worker, &spec, RIP_START_NOISE, NULL,
							 true),
				 0);
		assert_int_equal(rip_band_new(&spec, most, &band), 0);
		for (uint32_t first = 0, rows; first < height; first += rows) {
			struct rip_strip strips[RIP_PLANES_MAX];

			rows = height - first < most ? height - first : most;
			fill(&spec, band, page, height, first, rows);
			if (rip_band_strips(band, strips) > 0) {
				rip_engine_thread_submit(worker, band);
				assert_int_equal(rip_engine_thread_collect(worker), 0);
			}
			assert_true(sample_page_same(&spec, want, band, first));
			if (rip_test_below(4))
				continue;
			assert_non_null(rip_engine_thread_carry(worker));
			assert_int_equal(rip_engine_thread_new(cpu_engine(RIP_METHOD_AUTO, NULL, 1),
							       false, &next),
					 0);
			assert_int_equal(rip_engine_thread_begin(next, &spec, RIP_START_NOISE,
								 rip_engine_thread_carry(worker),
								 true),
					 0);
			rip_engine_thread_free(worker);
			worker = next;
		}
		rip_engine_thread_free(worker);
		rip_band_free(band);
		rip_band_free(want);
	}
}

/* The wire has numbers for named screens only: others stay in this process. */
TEST(own_screens_stay_here)
{
	const struct rip_page_spec spec = { .width = 100, .planes = 3, .levels = 2,
					    .sample_bits = 8, .screen = &mask_screen };
	struct rip_client client = { .ready = { .max_width = 1000, .max_planes = 4 } };

	assert_int_equal(rip_client_page(&client, &spec, 1, 100, RIP_START_NOISE, NULL),
			 RIP_CLIENT_REFUSED);
	assert_string_equal(client.reason, "this screen is not sent to a daemon");
	assert_int_equal(rip_client_bands(&client), 0);
}
