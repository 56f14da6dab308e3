/*
 * The GPU engines against the CPU engine, on a GPU: the same dots and the same carry for
 * every method, with random widths, heights, planes, levels, depths, curves, pitches and
 * bands.  It needs no library, so that it runs wherever CUDA does.
 *
 *	gpu-check [OPTION...] [PAGES [SEED]]	all methods
 *	gpu-check [OPTION...] --crowd [0 [SEED]]	several jobs at once, on all GPUs
 *	gpu-check [OPTION...] --failure [0 [SEED]]	the engine fails, as RIPTIDE_CUDA_FAIL
 *				says: the page is finished on the CPU, with the same dots
 *	gpu-check [OPTION...] --failover [0 [SEED]]	the same with two GPUs: the page is
 *				finished on the second one, and the first one works again; but if a
 *				kernel fails, CUDA refuses both to this process, and the CPU
 * finishes
 *
 *	gpu-check [OPTION...] --submitted [0 [SEED]]	the same with several bands on their way
 *
 *	--small		small pages, for sanitizers (fewer than ten) and emulated GPUs
 *	--flags		only the wavefront, once
 *	--pixels	the same, and all bands are submitted, as pixels
 *	--launch	only the published methods
 *	--colour	only the wavefront, pages whose planes are halftoned together
 *
 * Exit status: 0 passed, 1 failed, 77 no GPU.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check_image.h"
#include "gpu/engine_cuda.h"
#include "halftone/engine_cpu.h"

static bool small, pixels;

/* Small pages in small chunks: so they have several, and little memory; but bands of pixels have to
 * fit into one. */
static struct rip_cuda_config config_of(enum rip_method method, enum rip_cuda_sync sync)
{
	return (struct rip_cuda_config){ .method = method,
					 .device = -1,
					 .sync = sync,
					 .chunk_bytes = small ? pick(2, 16) << (pixels ? 14 : 10) :
								0,
					 .chunks = small ? pick(1, 6) : 0 };
}

static const struct {
	const char        *name;
	enum rip_method    method;
	enum rip_cuda_sync sync;
	uint32_t           width, rows; /* at most, at random */
} ways[] = {
	{ "pwed", RIP_METHOD_PWED, RIP_CUDA_LAUNCH, 300, 300 },
	{ "pwec", RIP_METHOD_PWEC, RIP_CUDA_LAUNCH, 300, 300 },
	{ "bwed, a launch a diagonal", RIP_METHOD_BWED, RIP_CUDA_LAUNCH, 1500, 1000 },
	{ "bwec, a launch a diagonal", RIP_METHOD_BWEC, RIP_CUDA_LAUNCH, 1500, 1000 },
	{ "bwed", RIP_METHOD_BWED, RIP_CUDA_FLAGS, 3000, 1500 },
	{ "bwec", RIP_METHOD_BWEC, RIP_CUDA_FLAGS, 3000, 1500 },
};

static bool pin(struct rip_engine *gpu, uint8_t *memory, size_t size)
{
	const bool pinned = rip_engine_cuda_pin(gpu, memory, size) == 0;

	if (!pinned)
		printf("# memory could not be page-locked\n");
	return pinned;
}

/* All of some memory, or a part of it: the ring of a session is page-locked in part. */
static size_t some(size_t bytes)
{
	return pick(0, 3) ? bytes : bytes / 1000 * pick(0, 1000) + 1;
}

/* fast: the samples are page-locked, and come in thin bands. */
static int check(struct rip_engine *cpu, struct rip_engine *gpu, unsigned way, uint32_t width,
		 uint32_t rows, uint32_t planes, bool fast)
{
	uint32_t done[RIP_PLANES_MAX];
	struct image im;
	int r;

	image_make(&im, gpu, width, rows, planes, NULL);
	im.thin = !fast ? 0 : pick(0, 1) ? pick(1, rows / 20 + 1) : pick(1, rows / 2 + 1);
	r = image_run(&im, cpu, im.want, im.want_carry, true);
	if (r == 0) {
		const size_t samples = im.in_pitch * rows * planes,
			     dots = im.out_pitch * rows * planes;
		const bool in = (fast || pick(0, 1)) &&
				pin(gpu, im.in, fast ? samples : some(samples));
		const bool out = pick(0, 1) && pin(gpu, im.got, some(dots));

		if (gpu->ops->submit && (pixels || pick(0, 2) == 0))
			r = image_submit(&im, gpu, im.got, im.got_carry, done, pixels);
		else
			r = image_run(&im, gpu, im.got, im.got_carry, false);
		if (in)
			rip_engine_cuda_unpin(gpu, im.in);
		if (out)
			rip_engine_cuda_unpin(gpu, im.got);
	}
	if (r < 0)
		printf("%s: %ux%u: %s\n", ways[way].name, width, rows, strerror(-r));
	r = r == 0 && image_same(&im, ways[way].name) ? 0 : 1;
	image_free(&im);
	return r;
}

/* Bands that wait to be copied are joined, and the last ones are copied in panels: sooner or
 * later. */
static int check_waiting(struct rip_engine *cpu, unsigned way)
{
	const struct rip_cuda_config config = { .method = ways[way].method, .device = -1,
						.chunk_bytes = small ? 8 << 10 : 0 };
	struct rip_cuda_counts counts = { 0 };
	struct rip_engine *gpu;
	int failures = 0;

	if (rip_engine_cuda_new(&config, &gpu, NULL, 0) < 0)
		return 1;
	image_production = gpu;
	for (unsigned n = 0; n < 200 && (counts.joined == 0 || counts.panels == 0); n++) {
		failures += check(cpu, gpu, way, small ? pick(512, 700) : 16384,
				  small ? pick(50, 100) : 6000, 1, true);
		counts = rip_engine_cuda_counts(gpu);
	}
	if (counts.joined == 0 || counts.panels == 0) {
		printf("%s: %llu strips were joined, %llu chunks copied in panels: both should "
		       "occur\n",
		       ways[way].name, (unsigned long long)counts.joined,
		       (unsigned long long)counts.panels);
		failures++;
	}
	image_production = NULL;
	gpu->ops->free(gpu);
	return failures;
}

/* A push with a strip of a plane that the page does not have is refused as a whole: the
 * strips before it are not halftoned either. */
static int check_refusal(struct rip_engine *gpu, const char *way)
{
	const uint32_t wrong[] = { 2, 16, 31, 32, 33, 64, UINT32_MAX };
	struct image im;
	int failures = 0;

	image_make(&im, gpu, 70, 40, 2, NULL);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct rip_strip strips[2] = { image_strip(&im, 0, im.rows, 0, im.got) };
		struct rip_page *page = NULL;
		int r = gpu->ops->open(gpu, &im.spec, &page);

		if (r == 0) {
			strips[1] = strips[0];
			strips[1].plane = wrong[i];
			r = gpu->ops->push(page, strips, 2);
			gpu->ops->close(page);
		}
		/* Nothing was written: out is as image_make() filled it, like want. */
		if (r != -EINVAL || memcmp(im.got, im.want, im.out_pitch * im.rows) != 0) {
			printf("%s: a strip of plane %u of 2: push() returns %d%s\n", way, wrong[i],
			       r, r == -EINVAL ? ", but wrote dots" : "");
			failures++;
		}
	}
	image_free(&im);
	return failures;
}

/* Exports and imports of an engine, among them those that are refused: appends what each returns,
 * and the carry after it, to a record of `said`, of at most 64 steps. */
static unsigned carry_steps(struct rip_engine *engine, const struct image *im, int16_t *said)
{
	const struct rip_engine_ops *ops = engine->ops;
	const size_t values = rip_carry_values(&im->spec), step = values + 1;
	int16_t wrong[RIP_REACH_MAX * 70];
	struct rip_page *page = NULL;
	unsigned n = 0;

	if (ops->open(engine, &im->spec, &page) < 0)
		return 0;
	memcpy(wrong, im->start, values * 2);
	wrong[values - 1] = INT16_MIN;
#define STEP(CALL) (said[n * step] = (int16_t)(CALL), n++)
#define EXPORT(PLANE)                                                                        \
	(memset(said + n * step + 1, 0x5a, values * 2),                                     \
	 STEP(ops->export_carry(page, PLANE, said + n * step + 1)))
	EXPORT(0);
	EXPORT(1);
	EXPORT(2); /* there is none: the buffer stays as it is */
	EXPORT(UINT32_MAX);
	STEP(ops->import_carry(page, 2, im->start));
	STEP(ops->import_carry(page, 0, wrong));
	EXPORT(0);
	STEP(ops->import_carry(page, 0, im->start));
	EXPORT(0);
	for (uint32_t done = 0; done < im->rows; done += 10) {
		const struct rip_strip strips[2] = { image_strip(im, 0, 10, done, im->got),
						     image_strip(im, 1, 10, im->rows + done,
								 im->got) };

		STEP(ops->push(page, strips, 2));
		STEP(ops->import_carry(page, 1, wrong)); /* while rows are under way */
		EXPORT(1);
		EXPORT(0);
		EXPORT(0);
		STEP(ops->import_carry(page, 1, im->start));
		EXPORT(1);
	}
	STEP(ops->pull(page));
	STEP(ops->pull(page));
	EXPORT(1);
	ops->close(page);
	return n;
}

/* Carries go in and out as with the CPU's engine. */
static int check_carries(struct rip_engine *cpu, struct rip_engine *gpu, const char *way)
{
	struct image im;
	size_t step;
	int16_t *want, *got;
	int failures = 0;

	image_make(&im, gpu, 70, 40, 2, NULL);
	step = rip_carry_values(&im.spec) + 1;
	want = need(calloc(64 * step, 2));
	got = need(calloc(64 * step, 2));

	const unsigned steps = carry_steps(cpu, &im, want), done = carry_steps(gpu, &im, got);

	for (unsigned n = 0; n < steps && !failures; n++)
		if (done != steps || memcmp(want + n * step, got + n * step, step * 2) != 0) {
			printf("%s: %u steps with carries, not %u; step %u returns %d, not %d, or "
			       "leaves another carry\n",
			       way, done, steps, n, got[n * step], want[n * step]);
			failures = 1;
		}
	free(want);
	free(got);
	image_free(&im);
	return failures;
}

/* One of several jobs: a page in bands, each of which it waits for. */
struct job {
	struct rip_engine *gpu;
	struct image       im;
	pthread_barrier_t *start;
	pthread_t          thread;
	int                result;
};

static void *job_main(void *argument)
{
	struct job *job = argument;
	struct image *im = &job->im;
	const struct rip_engine_ops *ops = job->gpu->ops;
	struct rip_page *page = NULL;
	int r = ops->open(job->gpu, &im->spec, &page);

	pthread_barrier_wait(job->start);
	for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
		r = ops->import_carry(page, p, image_carry(im, im->start, p));
	for (uint32_t done = 0, band = small ? 12 : 256; r == 0 && done < im->rows; done += band) {
		const uint32_t rows = im->rows - done < band ? im->rows - done : band;
		struct rip_strip strips[RIP_PLANES_MAX];

		for (uint32_t p = 0; p < im->spec.planes; p++)
			strips[p] = image_strip(im, p, rows, (size_t)p * im->rows + done, im->got);
		r = ops->push(page, strips, im->spec.planes);
		if (r == 0)
			r = ops->pull(page);
		for (uint32_t p = 0; r == 0 && p < im->spec.planes; p++)
			r = ops->export_carry(page, p, image_carry(im, im->got_carry, p));
	}
	ops->close(page);
	job->result = r;
	return NULL;
}

#define JOBS 8

/* Several jobs at once, each with a page of about A4.  The wavefront puts bands that wait at
 * the same time into one launch. */
static int check_crowd(struct rip_engine *cpu, enum rip_cuda_sync sync)
{
	struct rip_cuda_config config = config_of(RIP_METHOD_BWEC, sync);
	struct rip_cuda_counts counts = { 0 };
	pthread_barrier_t start;
	struct job jobs[JOBS];
	struct rip_engine *gpus[JOBS];
	unsigned count = 0;
	char why[128];
	int failures = 0;

	do {
		config.device = (int)count;
		if (rip_engine_cuda_new(&config, &gpus[count], why, sizeof why) < 0) {
			printf("skipped: %s\n", why);
			for (unsigned i = 0; i < count; i++)
				gpus[i]->ops->free(gpus[i]);
			return 77;
		}
		count++;
	} while (count < JOBS && (int)count < rip_engine_cuda_devices());
	pthread_barrier_init(&start, NULL, JOBS);
	for (unsigned i = 0; i < JOBS; i++) {
		struct image *im = &jobs[i].im;

		jobs[i] = (struct job){ .gpu = gpus[i % count], .start = &start };
		/* Only jobs of one kernel can share a launch. */
		image_make(im, gpus[0], (small ? 61 : 4961) - i % 3,
			   small        ? 200 :
			   image_colour ? 1000 :
					  7016,
			   image_colour ? 4 : 1, i ? &jobs[0].im.spec : NULL);
		failures += image_run(&jobs[i].im, cpu, jobs[i].im.want, jobs[i].im.want_carry,
				      true) < 0;
	}
	for (unsigned i = 0; i < JOBS; i++)
		pthread_create(&jobs[i].thread, NULL, job_main, &jobs[i]);
	for (unsigned i = 0; i < JOBS; i++) {
		pthread_join(jobs[i].thread, NULL);
		if (jobs[i].result < 0)
			printf("job %u: %s\n", i, strerror(-jobs[i].result));
		failures += jobs[i].result < 0 || !image_same(&jobs[i].im, "one of several jobs");
		image_free(&jobs[i].im);
	}
	for (unsigned i = 0; i < count; i++) {
		const struct rip_cuda_counts of_one = rip_engine_cuda_counts(gpus[i]);

		counts.launches += of_one.launches;
		counts.chunks += of_one.chunks;
	}
	printf("%u jobs on %u GPUs: %llu bands in %llu launches, %d failures\n", JOBS, count,
	       (unsigned long long)counts.chunks, (unsigned long long)counts.launches, failures);
	if (rip_engine_cuda_pinned_bytes() == 0) {
		printf("pages are copied without page-locked memory\n");
		failures++;
	}
	for (unsigned i = 0; i < count; i++)
		rip_engine_cuda_trim(gpus[i]); /* all pages are closed */
	printf("%llu bytes page-locked by an idle engine\n",
	       (unsigned long long)rip_engine_cuda_pinned_bytes());
	failures += rip_engine_cuda_pinned_bytes() >
		    (uint64_t)count * (10 << 20); /* what launches need */
	for (unsigned i = 0; i < count; i++)
		gpus[i]->ops->free(gpus[i]);
	if (rip_engine_cuda_pinned_bytes() != 0) {
		printf("%llu bytes stay page-locked\n",
		       (unsigned long long)rip_engine_cuda_pinned_bytes());
		failures++;
	}
	pthread_barrier_destroy(&start);
	return failures > 0 || (sync == RIP_CUDA_FLAGS && counts.launches >= counts.chunks);
}

/* Halftones the image once more, after the failure; 0: its dots are right. */
static int run_again(struct image *im, struct rip_engine *engine, const char *what)
{
	memset(im->got, 0x5a, im->out_pitch * im->rows * im->spec.planes);
	return image_run(im, engine, im->got, im->got_carry, true) == 0 && image_same(im, what) ?
		       0 :
		       1;
}

/* The same with several bands on their way: what is good of them stays, and the CPU does the
 * rest. */
static int check_submitted(struct rip_engine *cpu)
{
	const struct rip_cuda_config config = config_of(RIP_METHOD_BWEC, RIP_CUDA_FLAGS);
	uint32_t done[RIP_PLANES_MAX];
	struct rip_engine *gpu;
	struct image im;
	char why[128];
	int r, failure;

	if (rip_engine_cuda_new(&config, &gpu, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		return 77;
	}
	image_make(&im, gpu, small ? 200 : 3000, small ? 300 : 1500, 2, NULL);
	r = image_run(&im, cpu, im.want, im.want_carry, true);
	failure = image_submit(&im, gpu, im.got, im.got_carry, done, pixels);
	gpu->ops->free(gpu);
	if (failure == 0)
		printf("no failure\n");
	if (r == 0 && failure < 0) {
		struct rip_strip rest[2];
		struct rip_page *page;
		unsigned n = 0;

		r = cpu->ops->open(cpu, &im.spec, &page);
		for (uint32_t p = 0; r == 0 && p < 2; p++) {
			rest[n] = image_strip(&im, p, im.rows - done[p],
					      (size_t)p * im.rows + done[p], im.got);
			n += rest[n].rows > 0;
			r = cpu->ops->import_carry(page, p, image_carry(&im, im.got_carry, p));
		}
		if (r == 0)
			r = cpu->ops->push(page, rest, n);
		for (uint32_t p = 0; r == 0 && p < 2; p++)
			r = cpu->ops->export_carry(page, p, image_carry(&im, im.got_carry, p));
		cpu->ops->close(page);
	}
	r = r == 0 && failure < 0 && failure != -EPROTO && image_same(&im, "after a failure") ? 0 :
												1;
	printf("rows %u and %u: %s\n", done[0], done[1], strerror(-failure));
	image_free(&im);
	return r;
}

/* A page whose engine fails in the middle: which errors it returns, and the rest on the CPU
 * from the last good carry. */
static int check_failure(struct rip_engine *cpu, enum rip_cuda_sync sync, bool failover)
{
	struct rip_cuda_config config = config_of(RIP_METHOD_BWEC, sync);
	const uint32_t width = small ? 200 : 3000, rows = small ? 300 : 1500, band = rows / 5;
	struct rip_engine *gpu, *engine, *spare = cpu;
	struct rip_page *page = NULL;
	struct image im;
	char why[128];
	int r, failure = 0, after;
	const char *forced;
	bool may_lose,
		lost = false; /* all GPUs, for this process; an emulated stall ends so, too */
	uint32_t done = 0, failed_at = 0;
	static int16_t next[2][RIP_REACH_MAX * 3000];

	if (rip_engine_cuda_new(&config, &gpu, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		return 77;
	}
	forced = getenv("RIPTIDE_CUDA_FAIL");
	may_lose = forced &&
		   (!strncmp(forced, "trap", 4) || (small && !strncmp(forced, "stall", 5)));
	unsetenv("RIPTIDE_CUDA_FAIL"); /* only this engine fails */
	config.device = 1;
	if (failover && rip_engine_cuda_new(&config, &spare, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		gpu->ops->free(gpu);
		return 77;
	}
	image_make(&im, gpu, width, rows, 2, NULL);
	r = image_run(&im, cpu, im.want, im.want_carry, true);
	memcpy(im.got_carry, im.start,
	       im.spec.planes * rip_carry_values(&im.spec) * sizeof *im.start);
	engine = gpu;
	while (r == 0 && done < im.rows) {
		struct rip_strip strips[2];
		int16_t *carry = im.got_carry;

		if (!page)
			r = engine->ops->open(engine, &im.spec, &page);
		for (uint32_t p = 0; r == 0 && p < 2; p++) {
			const size_t at = (size_t)p * im.rows + done;

			if (done == failed_at) /* a new page in this engine */
				r = engine->ops->import_carry(page, p, image_carry(&im, carry, p));
			strips[p] = image_strip(&im, p, band, at, im.got);
		}
		if (r == 0)
			r = engine->ops->push(page, strips, 2);
		if (r == 0)
			r = engine->ops->pull(page);
		for (uint32_t p = 0; r == 0 && p < 2; p++)
			r = engine->ops->export_carry(page, p, next[p]);
		if (r == 0) {
			for (uint32_t p = 0; p < 2; p++)
				memcpy(image_carry(&im, carry, p), next[p],
				       rip_carry_values(&im.spec) * sizeof *carry);
			done += band;
		} else if (engine != cpu) {
			if (engine == gpu)
				failure = r;
			else
				lost = true;
			failed_at = done;
			engine->ops->close(page);
			page = NULL;
			engine = engine == gpu ? spare : cpu;
			r = 0;
		}
	}
	engine->ops->close(page);
	after = gpu->ops->open(gpu, &im.spec, &page);
	gpu->ops->close(page);
	if (r < 0 || failure == 0 || (after != 0) != (failure != -ENOMEM)) {
		printf("expected: an error, and the same one afterwards unless memory was full\n");
		r = -1;
	}
	r = r == 0 && image_same(&im, "after a failure") ? 0 : 1;
	if (r == 0 && after == 0) /* an engine that says that it is usable must be */
		r = run_again(&im, gpu, "the page after a failure");
	gpu->ops->free(gpu);
	config.device = 0;
	if (lost) {
		spare->ops->free(spare);
		failover = false;
		if (!may_lose) {
			printf("the other GPU has failed, too\n");
			r = 1;
		}
	}
	if (r == 0 && failover) { /* the other one is still there, and this one again */
		r = run_again(&im, spare, "the other GPU");
		spare->ops->free(spare);
	}
	if (r == 0 && failover) {
		r = rip_engine_cuda_new(&config, &gpu, why, sizeof why);
		if (r < 0)
			printf("the GPU does not come back: %s\n", why);
	}
	if (r == 0 && failover) {
		r = run_again(&im, gpu, "the GPU that failed");
		gpu->ops->free(gpu);
	}
	printf("row %u: %s; afterwards: %s\n", failed_at, strerror(-failure), strerror(-after));
	image_free(&im);
	return r;
}

int main(int argc, char **argv)
{
	bool failure = false, failover = false, launch = false, flags = false, crowd = false;
	bool submitted = false;
	const struct rip_cpu_config cpu_config = { RIP_METHOD_EC, "c", 1 };
	struct rip_engine *cpu;
	unsigned pages;
	uint64_t seed;
	int failures = 0;

	for (; argc > 1 && !strncmp(argv[1], "--", 2); argv++, argc--) {
		small = small || !strcmp(argv[1], "--small");
		failure = failure || !strcmp(argv[1], "--failure");
		failover = failover || !strcmp(argv[1], "--failover");
		launch = launch || !strcmp(argv[1], "--launch");
		flags = flags || !strcmp(argv[1], "--flags");
		crowd = crowd || !strcmp(argv[1], "--crowd");
		submitted = submitted || !strcmp(argv[1], "--submitted");
		pixels = pixels || !strcmp(argv[1], "--pixels");
		image_colour = image_colour || !strcmp(argv[1], "--colour");
	}
	flags = flags || pixels || image_colour;
	pages = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL);
	pick_seed(seed);
	printf("# seed %llu\n", (unsigned long long)seed);
	if (rip_engine_cpu_new(&cpu_config, &cpu) < 0)
		return 1;
	if (submitted) {
		failures = check_submitted(cpu);
		cpu->ops->free(cpu);
		return failures;
	}
	if (failure || failover || crowd) {
		const enum rip_cuda_sync sync = launch ? RIP_CUDA_LAUNCH : RIP_CUDA_FLAGS;

		failures = crowd ? check_crowd(cpu, sync) : check_failure(cpu, sync, failover);
		cpu->ops->free(cpu);
		return failures;
	}
	for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
		const struct rip_cuda_config config = config_of(ways[way].method, ways[way].sync);
		struct rip_engine *gpu;
		char why[128];

		if (ways[way].sync == RIP_CUDA_FLAGS ? launch : flags)
			continue;
		if (flags && ways[way].method != RIP_METHOD_BWEC)
			continue; /* bwed is the same there */
		if (rip_engine_cuda_new(&config, &gpu, why, sizeof why) < 0) {
			printf("skipped: %s\n", why);
			cpu->ops->free(cpu);
			return 77;
		}
		/* This and the fast pages take too long for sanitizers, which run fewer pages. */
		if (pages >= 10 && ways[way].sync == RIP_CUDA_FLAGS && !pixels && !image_colour)
			failures += check_waiting(cpu, way);
		image_production = ways[way].sync == RIP_CUDA_FLAGS ? gpu : NULL;
		failures += check_refusal(gpu, ways[way].name);
		failures += check_carries(cpu, gpu, ways[way].name);
		for (unsigned n = 0; n < pages; n++) {
			const uint32_t wide = small ? 250 : ways[way].width;
			const uint32_t high = small ? 300 : ways[way].rows;
			const uint32_t width = n % 2 ? pick(1, 130) : pick(1, wide);

			failures += check(cpu, gpu, way, width, pick(1, high),
					  image_colour ? pick(2, pick(0, 2) ? 4 : 8) :
							 pick(1, pixels ? 6 :
								 small  ? 2 :
									  5),
					  false);
			if (pixels && n % 3 == 0) /* wide enough for several thread blocks */
				failures += check(cpu, gpu, way, pick(1500, 4500), pick(1, 8),
						  pick(2, 4), false);
			if (pixels)
				failures += image_limited(gpu, cpu, pick(1, small ? 120 : 5000),
							  small ? 8 : 60);
			if (pages >= 10 &&
			    ways[way].sync == RIP_CUDA_FLAGS) /* mostly wide enough for panels */
				failures += check(cpu, gpu, way, pick(400, small ? 700 : 20000),
						  pick(1, high / 3), pick(0, 2) ? 1 : pick(1, 3),
						  true);
		}
		if (pages >= 20 && !small && ways[way].sync == RIP_CUDA_FLAGS)
			failures += check(cpu, gpu, way, 4961, 7016, 4, false) +
				    check(cpu, gpu, way, 16384, 3000, 1, false);
		if (pixels && image_pixel_bands - image_pixel_refusals <= pages / 4) {
			printf("only %u of %u bands of pixels were taken\n",
			       image_pixel_bands - image_pixel_refusals, image_pixel_bands);
			failures++;
		}
		printf("%s on %s: %d failures\n", ways[way].name, gpu->device, failures);
		fflush(stdout);
		image_production = NULL;
		gpu->ops->free(gpu);
	}
	cpu->ops->free(cpu);
	return failures > 0;
}
