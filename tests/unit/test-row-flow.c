/* The bands of a page that flows through a halftoner: however wide its rows, they take little memory. */
#include "config.h"

#include "lib/row_flow.h"
#include "tests/tools/testing.h"

#define BANDS_BYTES (10u << 20) /* row_flow.c's goal */

static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	(void)context;
	(void)level;
	print_error("%s\n", text);
}

/* Pages of one to four planes, up to the widest, with bands of a chosen number of rows (0: any). */
static void little_memory(void **state)
{
	const struct rip_halftoner_config config = { .method = RIP_METHOD_AUTO, .device = -1, .log = log_line };
	struct rip_halftoner *halftoner;
	struct rip_row_flow flow = { 0 };

	(void)state;
	assert_int_equal(rip_halftoner_new(&config, &halftoner), 0);
	for (unsigned i = 0; i < 40; i++) {
		const struct rip_page_spec spec = {
			.width = 1 + rip_test_below(1u << (10 + i % 12)), .planes = 1 + i % 4, .levels = 2,
			.sample_bits = i % 3 ? 8 : 16, .screen = &rip_screens[RIP_FLOYD_STEINBERG],
		};
		const size_t row = rip_band_size(&spec, 2) - rip_band_size(&spec, 1);
		const uint32_t wanted = i % 2 ? 1 + rip_test_below(200) : 0;
		uint64_t bytes;

		assert_int_equal(rip_row_flow_begin(&flow, halftoner, &spec, 10000, RIP_START_ZERO, wanted), 0);
		bytes = (uint64_t)flow.goal * flow.band_rows * row;
		assert_true(flow.goal >= 1 && flow.band_rows >= 1);
		/* What somebody wants, or one row, is one band. */
		if (bytes > BANDS_BYTES && (flow.goal > 1 || flow.band_rows > (wanted ? wanted : 1)))
			fail_msg("%u planes of %u: %u bands of %u rows (%u wanted)", spec.planes, spec.width,
				 flow.goal, flow.band_rows, wanted);
	}
	rip_halftoner_free(halftoner);
	rip_row_flow_reset(&flow);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(little_memory) };

	return rip_test_run(tests);
}
