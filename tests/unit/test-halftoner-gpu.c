/* Whatever happens to the GPU, the page comes out with the same dots, and the log says what it
 * promises and nothing else. */
#include "tests/tools/testing.h"

#include "gpu/engine_cuda.h"
#include "lib/halftoner.h"
#include "tests/unit/fake_daemon.h"
#include "tests/unit/halftoner_test.h"

/* --- a GPU: the CPU's engine, that can fail ---------------------------------- */

static struct {
	bool here, fails_open, only_floyd_steinberg;
	int  fails_push, fails_export; /* in so many pushes or exports; 0: never */
} gpu;
static const struct rip_engine_ops *cpu_ops;
static struct rip_engine_ops gpu_ops;

static bool gpu_takes(const struct rip_engine *engine, const struct rip_page_spec *spec)
{
	return cpu_ops->takes(engine, spec) &&
	       (!gpu.only_floyd_steinberg || spec->screen == &rip_screens[RIP_FLOYD_STEINBERG]);
}

static int gpu_open(struct rip_engine *engine, const struct rip_page_spec *spec,
		    struct rip_page **page)
{
	*page = NULL;
	return gpu.fails_open ? -EIO : cpu_ops->open(engine, spec, page);
}

static int gpu_push(struct rip_page *page, const struct rip_strip *strips, unsigned count)
{
	int r = cpu_ops->push(page, strips, count);

	/* What failed may have left anything where the dots go. */
	if (gpu.fails_push && --gpu.fails_push == 0) {
		for (unsigned i = 0; i < count; i++)
			strips[i].out[0] ^= 0xff;
		return -EIO;
	}
	return r;
}

static int gpu_export(struct rip_page *page, uint32_t plane, int16_t *carry)
{
	int r = cpu_ops->export_carry(page, plane, carry);

	return gpu.fails_export && --gpu.fails_export == 0 ? -EIO : r;
}

/* Instead of the one in libnogpu.la. */
int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size)
{
	const struct rip_cpu_config cpu = { .method = RIP_METHOD_EC };

	*engine = NULL;
	if (!gpu.here) {
		snprintf(why, size, "there is none in this test");
		return -ENODEV;
	}
	if (rip_engine_cpu_new(&cpu, engine) < 0)
		return -ENOMEM;
	cpu_ops = (*engine)->ops;
	gpu_ops = *cpu_ops;
	gpu_ops.takes = gpu_takes;
	gpu_ops.open = gpu_open;
	gpu_ops.push = gpu_push;
	gpu_ops.export_carry = gpu_export;
	(*engine)->ops = &gpu_ops;
	snprintf((*engine)->device, sizeof (*engine)->device, "Test GPU");
	return 0;
}

/* --- tests --------------------------------------------------------------------- */

TEST(gpus)
{
	struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_BWEC);
	struct rip_halftoner *h;

	/* A GPU method without a GPU. */
	memset(&gpu, 0, sizeof gpu);
	h = halftoner(&config);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	assert_int_equal(print(h, &mono, 100, 16, RIP_START_NOISE, NULL), 0);
	rip_halftoner_free(h);
	assert_logged(RIPTIDE_LOG_DEBUG, "no GPU for bwec: there is none in this test; "
		      "continuing on the CPU");
	config.want_gpu = true;
	assert_refused(&config, -ENODEV, "no GPU: there is none in this test");

	gpu.here = true;
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

		gpu = (typeof(gpu)){ .here = true, .only_floyd_steinberg = true };
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
	memset(&gpu, 0, sizeof gpu);
}

TEST(gpus_that_fail)
{
	for (int i = 0; i < 31; i++) { /* of 40 bands 31 have grey rows */
		struct rip_halftoner_config config = config_of(NULL, RIP_METHOD_BWEC);
		struct rip_halftoner *h;

		memset(&gpu, 0, sizeof gpu);
		gpu.here = true;
		gpu.fails_open = i == 0;
		gpu.fails_push = i % 2 ? i : 0;
		gpu.fails_export = i % 2 ? 0 : 3 * i; /* of colour's 6 planes: in mid-band */
		h = halftoner(&config);
		assert_int_equal(print(h, &colour, 320, 8, RIP_START_NOISE, NULL), 0);
		assert_memory_equal(rip_halftoner_device(h), "CPU", 3);
		assert_int_equal(print(h, &mono, 30, 8, RIP_START_NOISE, NULL), 0);
		rip_halftoner_free(h);
		assert_logged(RIPTIDE_LOG_WARNING, "Test GPU failed: Input/output error; "
			      "continuing on the CPU");
	}
	memset(&gpu, 0, sizeof gpu);
}

/* First the daemon goes, then there is no GPU here: the page comes out. */
TEST(daemon_lost_and_no_gpu)
{
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
