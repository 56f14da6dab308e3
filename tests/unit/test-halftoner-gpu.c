/* Whatever happens to the GPU, the page comes out with the same dots, and the log says what it
 * promises and nothing else. */
#include "tests/tools/testing.h"

#include "gpu/engine_cuda.h"
#include "lib/halftoner.h"
#include "tests/unit/halftoner_test.h"

/* The GPU of fake_gpu.c, whose calls count anew with each engine. */
static void set_gpu(const char *what, int number)
{
	char text[64];

	snprintf(text, sizeof text, what, number);
	setenv("RIPTIDE_TEST_GPU", text, 1);
}

TEST(gpus)
{
	struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_BWEC);
	struct rip_halftoner *h;

	/* A GPU method without a GPU. */
	set_gpu("absent", 0);
	h = halftoner(&config);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	rip_halftoner_free(h);
	assert_logged(RIPTIDE_LOG_DEBUG, "no GPU for bwec: no GPU in this test; "
		      "continuing on the CPU");
	config.want_gpu = true;
	assert_refused(&config, -ENODEV, "no GPU: no GPU in this test");

	set_gpu("every-screen", 0);
	h = halftoner(&config);
	assert_memory_equal(rip_halftoner_device(h), "Test GPU", 8);
	all_kinds_of_pages(h);
	assert_memory_equal(rip_halftoner_device(h), "Test GPU", 8);
	rip_halftoner_free(h);
	assert_logged(0, NULL);
}

/* A page that the GPU does not take goes to the CPU, and so do those after it. */
TEST(gpus_that_take_one_screen)
{
	for (int want = 0; want < 2; want++) {
		struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_BWEC);
		struct rip_halftoner *h;

		set_gpu("", 0);
		config.want_gpu = want;
		h = halftoner(&config);
		assert_int_equal(print(h, &mono, 100, 9, RIP_START_NOISE, NULL), 0);
		assert_memory_equal(rip_halftoner_device(h), "Test GPU", 8);
		assert_logged(0, NULL);
		assert_int_equal(print(h, &colour, 100, 9, RIP_START_NOISE, NULL), 0);
		assert_memory_equal(rip_halftoner_device(h), "CPU (", 5);
		assert_int_equal(print(h, &mono, 100, 9, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		assert_logged(want ? RIPTIDE_LOG_WARNING : RIPTIDE_LOG_DEBUG,
			      "Test GPU does not support the screen sierra; continuing on the CPU");
	}
}

TEST(gpus_that_fail)
{
	for (int i = 0; i < 31; i++) { /* of 40 bands 31 have grey rows */
		struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_BWEC);
		struct rip_halftoner *h;

		/* An export is one of colour's 6 planes: in mid-band. */
		set_gpu(i == 0 ? "every-screen anew open=1" : i % 2 ? "every-screen anew push=%d" :
			"every-screen anew export=%d", i % 2 ? i : 3 * i);
		h = halftoner(&config);
		assert_int_equal(print(h, &colour, 320, 8, RIP_START_NOISE, NULL), 0);
		assert_memory_equal(rip_halftoner_device(h), "CPU", 3);
		assert_int_equal(print(h, &mono, 30, 8, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		assert_logged(RIPTIDE_LOG_WARNING, "Test GPU failed: Input/output error; "
			      "continuing on the CPU");
	}
}

/* First the daemon goes, then there is no GPU here: the page comes out. */
TEST(daemon_lost_and_no_gpu)
{
	set_gpu("absent", 0);
	for (int i = 0; i < 2; i++) {
		struct fake_daemon fake = { .act = FAKE_DIES, .at = 3 };
		struct rip_halftoner_config config;
		struct rip_halftoner *h;

		fake_start(&fake);
		config = config_of(fake.path, RIP_METHOD_BWED);
		config.want_gpu = i;
		h = halftoner(&config);
		assert_int_equal(print(h, &colour, 320, 8, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		fake_stop(&fake);
		assert_int_equal(logged.count, 2);
		assert_int_equal(logged.lines[0].level, RIPTIDE_LOG_WARNING);
		assert_int_equal(logged.lines[1].level, RIPTIDE_LOG_DEBUG);
	}
}
