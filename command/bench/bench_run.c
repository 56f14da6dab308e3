#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "halftone/engine_cpu.h"
#include "halftone/page/around_rules.h"
#include "image/complain.h"
#include "system/clock.h"

/* The pages of one size: every plane has its own picture and its own dots. */
struct pages {
	struct rip_page_spec spec;
	uint32_t height;
	size_t   in_pitch, out_pitch; /* bytes */
	uint8_t *in, *out;            /* plane after plane */
	uint16_t *curve;              /* or NULL */
	uint32_t *rows;               /* their numbers */
	bool     labels;              /* barcodes are looked for */
	struct rip_engine *gpu;       /* that has them page-locked, or NULL */
};

/* Bytes that can be had without swapping; 0: not known. */
static uint64_t free_memory(void)
{
	char line[128];
	unsigned long long kib = 0;
	FILE *file = fopen("/proc/meminfo", "re");

	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	fclose(file);
	return (uint64_t)kib * 1024;
}

/* Never a power of two: rows of a power of two fall on the same cache sets. */
static size_t pitch_for(size_t bytes)
{
	size_t pitch = (bytes + 63) / 64 * 64 + 64;

	return (pitch & (pitch - 1)) ? pitch : pitch + 64;
}

/* x by sample: a gamma of 2. */
static uint16_t *curve_new(uint32_t sample_bits)
{
	const uint64_t full = (1u << sample_bits) - 1;
	uint16_t *curve = malloc((full + 1) * sizeof *curve);

	for (uint64_t v = 0; curve && v <= full; v++)
		curve[v] = (uint16_t)(v * v * 65535 / (full * full));
	return curve;
}

/* Says why there is no memory: the size does not fit, or, if it does, a limit of the process. */
static int lacks_memory(struct rip_bench_size *size, uint64_t needed, uint64_t available)
{
	const unsigned long long mib = needed >> 20;
	struct rlimit limit;

	if (needed > available / 4 * 3 && available)
		snprintf(size->why, sizeof size->why, "needs %llu MiB of memory,"
			 " but only %llu MiB may be used",
			 mib, (unsigned long long)(available / 4 * 3 >> 20));
	else if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		snprintf(size->why, sizeof size->why, "needs %llu MiB of memory,"
			 " but ulimit -v allows the whole process only %llu MiB",
			 mib, (unsigned long long)limit.rlim_cur >> 20);
	else
		snprintf(size->why, sizeof size->why, "needs %llu MiB of memory,"
			 " which cannot be allocated", mib);
	return -ENOMEM;
}

/* Makes and touches everything.  0, or -errno with why filled. */
static int pages_init(struct pages *pages, const struct rip_bench *bench,
		      struct rip_bench_size *size)
{
	const uint64_t available = free_memory();
	uint64_t in, out;

	*pages = (struct pages){
		.spec = { .width = size->width,
			  .planes = bench->planes,
			  .levels = bench->levels,
			  .sample_bits = bench->sample_bits,
			  .screen = bench->screen,
			  .coupling = bench->coupling },
		.height = size->height,
		.labels = bench->labels && bench->planes == 1,
		.in_pitch = pitch_for((size_t)size->width * (bench->sample_bits / 8)),
		.out_pitch = pitch_for(rip_dot_bytes(size->width, bench->levels)),
	};
	in = (uint64_t)pages->in_pitch * pages->height * bench->planes;
	out = (uint64_t)pages->out_pitch * pages->height * bench->planes;
	/* A GPU engine may keep a copy of its own, and the machine does other things. */
	if (available == 0 || in + out <= available / 4 * 3) {
		pages->in = aligned_alloc(64, in);
		pages->out = aligned_alloc(64, out);
		pages->curve = bench->curve ? curve_new(bench->sample_bits) : NULL;
		pages->spec.curve = pages->curve;
		pages->rows = malloc(pages->height * sizeof *pages->rows);
	}
	if (!pages->in || !pages->out || !pages->rows || (bench->curve && !pages->curve))
		return lacks_memory(size, in + out, available);
	for (uint32_t plane = 0; plane < bench->planes; plane++)
		rip_bench_picture(pages->in + plane * pages->in_pitch * pages->height, size->width,
				  size->height, pages->in_pitch, bench->sample_bits, plane);
	memset(pages->out, 0xa5, out);
	for (uint32_t row = 0; row < pages->height; row++)
		pages->rows[row] = row;
	for (unsigned m = 0; m < bench->method_count && !pages->gpu; m++)
		if (bench->methods[m].engine && rip_method_wants_gpu((int)bench->methods[m].method))
			pages->gpu = bench->methods[m].engine;
	/* If it cannot be page-locked, it is copied in between: slower, with the same dots. */
	if (pages->gpu) {
		rip_engine_cuda_pin(pages->gpu, pages->in, in);
		rip_engine_cuda_pin(pages->gpu, pages->out, out);
	}
	return 0;
}

static void pages_finish(struct pages *pages)
{
	if (pages->gpu) {
		rip_engine_cuda_unpin(pages->gpu, pages->in);
		rip_engine_cuda_unpin(pages->gpu, pages->out);
	}
	free(pages->in);
	free(pages->out);
	free(pages->curve);
	free(pages->rows);
}

struct picture_lines {
	const struct pages *pages;
	uint32_t next;
};

static int read_lines(void *context, void *to, uint32_t lines)
{
	struct picture_lines *from = context;
	const size_t width = from->pages->spec.width;

	for (uint32_t i = 0; i < lines; i++, from->next++)
		memcpy((uint8_t *)to + i * width,
		       from->pages->in + from->next * from->pages->in_pitch, width);
	return 0;
}

/* Looks for barcodes, as a page with the screen `labels` does before it is halftoned.  The picture
 * has none, so that it stays as it is.  0 or -ENOMEM. */
static int look_for_barcodes(const struct pages *pages)
{
	const struct rip_around_rules rules = {
		.labels = { .edge = RIP_LABELS_EDGE, .full_is_0 = true },
	};
	struct picture_lines from = { .pages = pages };
	const struct rip_around_lines lines = {
		.samples = pages->spec.width, .stride = 1, .rows = 1,
		.sample_bits = pages->spec.sample_bits, .height = pages->height,
		.read = read_lines, .context = &from,
	};
	struct rip_around *around;
	const uint8_t *line;
	int r = rip_around_new(&rules, &lines, &around);

	for (uint32_t row = 0; r == 0 && around && row < pages->height; row++)
		r = rip_around_line(around, &line);
	rip_around_free(around);
	return r;
}

/* Halftones all planes.  *ms is what rows in and dots out took; opening the page
 * and its start are not counted.  0 or -errno. */
static int run_once(const struct pages *pages, struct rip_engine *engine, double *ms)
{
	struct rip_strip strips[RIP_PLANES_MAX];
	struct rip_page *page;
	const uint32_t planes = pages->spec.planes;
	int64_t start;
	int r = rip_engine_open_page(engine, &pages->spec, RIP_START_NOISE, &page);

	if (r < 0)
		return r;
	for (uint32_t i = 0; i < planes; i++)
		strips[i] = (struct rip_strip){
			.plane = i,
			.rows = pages->height,
			.in = pages->in + i * pages->in_pitch * pages->height,
			.in_pitch = (ptrdiff_t)pages->in_pitch,
			.out = pages->out + i * pages->out_pitch * pages->height,
			.out_pitch = (ptrdiff_t)pages->out_pitch,
			.row_numbers = pages->rows,
		};
	start = rip_clock_ns();
	r = pages->labels ? look_for_barcodes(pages) : 0;
	if (r == 0)
		r = engine->ops->push(page, strips, planes);
	if (r == 0)
		r = engine->ops->pull(page);
	*ms = (double)(rip_clock_ns() - start) / 1e6;
	engine->ops->close(page);
	return r;
}

/* A number for all the dots. */
static uint64_t dots_hash(const struct pages *pages)
{
	const size_t bytes = rip_dot_bytes(pages->spec.width, pages->spec.levels);
	const uint8_t *row = pages->out;
	uint64_t hash = 0xcbf29ce484222325u;

	for (uint64_t i = 0; i < (uint64_t)pages->height * pages->spec.planes;
	     i++, row += pages->out_pitch) {
		size_t k = 0;

		for (; k + 8 <= bytes; k += 8) {
			uint64_t word;

			memcpy(&word, row + k, 8);
			hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
			hash ^= hash >> 29;
		}
		for (; k < bytes; k++)
			hash = (hash ^ row[k]) * 0x100000001b3u;
	}
	return hash;
}

/* What the dots have to be: plain C that pushes errors. */
static int reference_hash(const struct pages *pages, uint64_t *hash)
{
	const struct rip_cpu_config config = { .method = RIP_METHOD_ED, .isa = "c", .threads = 1 };
	struct rip_engine *engine;
	double ms;
	int r = rip_engine_cpu_new(&config, &engine);

	if (r == 0) {
		r = run_once(pages, engine, &ms);
		engine->ops->free(engine);
	}
	if (r < 0)
		return rip_complain(r, "the reference failed: %s", strerror(-r));
	*hash = dots_hash(pages);
	return 0;
}

static void set_apart(struct pages *pages, const struct rip_bench *bench, bool apart)
{
	pages->spec.screen = apart ? &rip_screens[RIP_BLUE_NOISE] : bench->screen;
}

/* One run of one method, its dots compared. */
static int run_checked(const struct pages *pages, const struct rip_bench_method *method,
		       const struct rip_bench_size *size, uint64_t expected, double *ms)
{
	const char *name = rip_method_name((int)method->method);
	int r = run_once(pages, method->engine, ms);

	if (r < 0)
		return rip_complain(r, "%s at %s: the engine failed: %s", name, size->name,
				    strerror(-r));
	if (dots_hash(pages) != expected)
		return rip_complain(-EILSEQ, "%s at %s: the dots are WRONG,"
				    " they differ from plain C's", name, size->name);
	return 0;
}

/* What is launched many times is recorded in the second run, and replayed from then on. */
static int warming_runs(const struct rip_bench_method *method)
{
	const bool one_launch = rip_bench_has_sync(method) && method->sync == RIP_CUDA_FLAGS;

	return rip_method_wants_gpu((int)method->method) && !one_launch ? 2 : 1;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void summarise(struct rip_bench_result *result, double *ms, unsigned runs)
{
	qsort(ms, runs, sizeof *ms, by_value);
	*result = (struct rip_bench_result){
		.runs = runs,
		.median_ms = runs % 2 ? ms[runs / 2] : (ms[runs / 2 - 1] + ms[runs / 2]) / 2,
		.min_ms = ms[0],
		.max_ms = ms[runs - 1],
	};
}

int rip_bench_run(struct rip_bench *bench, unsigned number)
{
	const bool couples = rip_screen_couples(bench->screen) && bench->planes > 1;
	struct rip_bench_size *size = &bench->sizes[number];
	/* Of each method, and behind all of them of each with the planes apart. */
	const unsigned entries = bench->method_count * (couples ? 2 : 1);
	double *ms = calloc((size_t)bench->runs * 2 * RIP_BENCH_METHODS_MAX, sizeof *ms);
	uint64_t expected[2] = { 0 };
	struct pages pages;
	int r;

	if (!ms)
		return rip_complain(-ENOMEM, "out of memory");
	r = pages_init(&pages, bench, size);
	if (r < 0) {
		r = 0; /* size->why says it */
		goto done;
	}
	r = reference_hash(&pages, &expected[0]);
	if (r == 0 && couples) {
		set_apart(&pages, bench, true);
		r = reference_hash(&pages, &expected[1]);
	}
	/* Runs before 0 warm up, with dots that are wrong before. */
	for (int run = -2; r == 0 && run < (int)bench->runs; run++)
		for (unsigned i = 0; r == 0 && i < entries; i++) {
			const bool apart = i >= bench->method_count;
			struct rip_bench_method *method = &bench->methods[i % bench->method_count];
			double once = 0;

			if (!method->engine || run < -warming_runs(method))
				continue;
			if (run < 0)
				memset(pages.out, 0xa5,
				       pages.out_pitch * pages.height * bench->planes);
			set_apart(&pages, bench, apart);
			r = run_checked(&pages, method, size, expected[apart], &once);
			if (run >= 0)
				ms[i * bench->runs + (unsigned)run] = once;
		}
	for (unsigned i = 0; r == 0 && i < entries; i++) {
		struct rip_bench_method *method = &bench->methods[i % bench->method_count];
		struct rip_bench_result result;

		if (!method->engine)
			continue;
		summarise(&result, ms + i * bench->runs, bench->runs);
		if (i < bench->method_count)
			method->results[number] = result;
		else
			method->results[number].apart_ms = result.median_ms;
	}
done:
	pages_finish(&pages);
	free(ms);
	return r;
}
