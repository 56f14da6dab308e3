#include "command/commands.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "halftone/cpu.h"
#include "image/complain.h"
#include "command/terminal.h"

#define COMMAND "bench"

#define DEFAULT_SIZES "1K,2K,3K,4K,5K,6K,7K,8K,9K,10K,12K,14K,16K"
#define DEFAULT_RUNS  5
#define DPI           600 /* of masks */

static const char help[] =
	"Usage: riptide bench [OPTION]...\n"
	"Measures halftoning in memory: the median time of each method at each size.\n"
	"\n"
	"  --sizes LIST          sizes, separated by commas: 4K (4096 x 4096), 832x1218, a paper\n"
	"                        and its dots per inch: A4@600, Letter@300\n"
	"                        (" DEFAULT_SIZES ")\n"
	"  --methods LIST        methods, separated by commas (all); help lists them\n"
	"  --device DEVICE       auto, cpu, gpu or a GPU's number (auto: both)\n"
	"  --sync LIST           how bwed and bwec wait: flags (in one launch), launch (one for\n"
	"                        each diagonal, as published), or launch,flags (flags)\n"
	"  --isa NAME            the CPU's instruction set, for simd; help lists them\n"
	"  --threads N           threads, for simd (one for each processor that may be\n"
	"                        used)\n"
	"  --planes N            planes of a page, halftoned together, 1 to 16 (1)\n"
	"  --runs N              runs of each method at each size, after warming up (5)\n"
	"  --screen NAME         the screen (floyd-steinberg); help lists them; masks are those\n"
	"                        for 600 dots an inch\n"
	"  --levels N            output levels, 2 to 16 (2)\n"
	"  --bits 8|16           bits of a sample (8)\n"
	"  --curve               with a tone curve, of a gamma of 2\n"
	"  --costs               also measure what a tone curve, 16 bits, more levels and the\n"
	"                        other screens that diffuse errors cost: on the CPU, at 2K\n"
	"  --json                print one object a line for each method and size\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"The default sizes take half a minute to a minute and 300 MiB: --sizes 1K,4K,8K takes a\n"
	"few seconds.  A size that does not fit into free memory is left out.\n"
	"Exit status: 0 done, 1 failed (also when dots differ), 2 wrong usage.  See riptide-bench(1).\n";

/* The order of the paper's table. */
static const enum rip_method all_methods[] = {
	RIP_METHOD_PWED, RIP_METHOD_PWEC, RIP_METHOD_BWED, RIP_METHOD_BWEC,
	RIP_METHOD_ED,   RIP_METHOD_EC,   RIP_METHOD_SIMD,
};

#define METHODS (sizeof all_methods / sizeof all_methods[0])

struct bench_options {
	struct rip_common_options common;
	const char *sizes;
	const char *methods; /* NULL: all */
	bool        launch, flags; /* ways of waiting */
	unsigned    planes, runs, bits;
	bool        curve, costs, json;
};

enum { SIZES = RIP_OPTION_OWN, METHODS_OPTION, SYNC, PLANES, RUNS, BITS, CURVE, COSTS, JSON };

static const struct option long_options[] = {
	RIP_COMMON_LONG_OPTIONS,
	{ "sizes", required_argument, NULL, SIZES },
	{ "methods", required_argument, NULL, METHODS_OPTION },
	{ "sync", required_argument, NULL, SYNC },
	{ "planes", required_argument, NULL, PLANES },
	{ "runs", required_argument, NULL, RUNS },
	{ "bits", required_argument, NULL, BITS },
	{ "curve", no_argument, NULL, CURVE },
	{ "costs", no_argument, NULL, COSTS },
	{ "json", no_argument, NULL, JSON },
	{ NULL, 0, NULL, 0 }
};

static const char *const syncs[] = { "launch", "flags", "launch,flags", "flags,launch" };

static int parse_option(struct bench_options *options, int option, const char *value, char **argv)
{
	switch (option) {
	case SIZES:
		options->sizes = value;
		return RIP_GO_ON;
	case METHODS_OPTION:
		options->methods = value;
		return RIP_GO_ON;
	case SYNC:
		options->launch = strstr(value, "launch") != NULL;
		options->flags = strstr(value, "flags") != NULL;
		for (size_t i = 0; i < sizeof syncs / sizeof syncs[0]; i++)
			if (!strcmp(value, syncs[i]))
				return RIP_GO_ON;
		return rip_wrong_usage(COMMAND, "--sync \"%s\" must be launch, flags or "
				       "launch,flags", value);
	case PLANES:
		return rip_option_number(COMMAND, "--planes", value, 1, RIP_PLANES_MAX,
					 &options->planes);
	case RUNS:
		return rip_option_number(COMMAND, "--runs", value, 1, RIP_BENCH_RUNS_MAX,
					 &options->runs);
	case BITS:
		if (!strcmp(value, "8") || !strcmp(value, "16")) {
			options->bits = value[0] == '8' ? 8 : 16;
			return RIP_GO_ON;
		}
		return rip_wrong_usage(COMMAND, "--bits \"%s\" is neither 8 nor 16", value);
	case CURVE:
		options->curve = true;
		return RIP_GO_ON;
	case COSTS:
		options->costs = true;
		return RIP_GO_ON;
	case JSON:
		options->json = true;
		return RIP_GO_ON;
	default:
		return rip_option_common(COMMAND, option, value, argv, help, &options->common);
	}
}

static int parse(struct bench_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct bench_options){ .common = RIP_COMMON_DEFAULTS, .sizes = DEFAULT_SIZES,
					   .flags = true, .planes = 1, .runs = DEFAULT_RUNS, .bits = 8 };
	while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	if (optind < argc)
		return rip_wrong_usage(COMMAND, "unexpected argument \"%s\"", argv[optind]);
	return RIP_GO_ON;
}

/* Calls `add` for each word between the commas of a list. */
static int for_each(const char *list, int (*add)(struct rip_bench *, const char *),
		    struct rip_bench *bench)
{
	char *words = strdup(list), *rest = words, *word;
	int status = RIP_GO_ON;

	if (!words) {
		rip_complain(-ENOMEM, "out of memory");
		return 1;
	}
	while (status == RIP_GO_ON && (word = strsep(&rest, ",")))
		status = add(bench, word);
	free(words);
	return status;
}

static int add_size(struct rip_bench *bench, const char *word)
{
	switch (rip_bench_add_size(bench, word)) {
	case 0:
		return RIP_GO_ON;
	case -E2BIG:
		return rip_wrong_usage(COMMAND, "at most %d sizes", RIP_BENCH_SIZES_MAX);
	default:
		return rip_wrong_usage(COMMAND, "\"%s\" is not a size like 4K, 832x1218, A4@600 or Letter@300",
				       word);
	}
}

static int add_method(struct rip_bench *bench, const char *word)
{
	enum rip_method method;
	int status = rip_option_method(COMMAND, word, &method);

	if (status != RIP_GO_ON)
		return status;
	if (method == RIP_METHOD_AUTO)
		return rip_wrong_usage(COMMAND, "auto stands for one of the other methods: name that one");
	for (unsigned m = 0; m < bench->method_count; m++)
		if (bench->methods[m].method == method)
			return RIP_GO_ON;
	bench->methods[bench->method_count++].method = method;
	return RIP_GO_ON;
}

/* "CPU (avx2)" -> "avx2" */
static void isa_of(struct rip_bench_method *method)
{
	const char *name = strchr(method->engine->device, '(');

	if (name)
		snprintf(method->isa, sizeof method->isa, "%.*s", (int)strcspn(name + 1, ",)"),
			 name + 1);
}

/* An engine that runs another method, for lack of this one, is not this one. */
static void refuse_other(struct rip_bench_method *method)
{
	struct rip_engine *engine = method->engine;

	if (!engine || !strcmp(engine->method, rip_method_name((int)method->method)))
		return;
	snprintf(method->why, sizeof method->why, "not in this build, which runs %s instead",
		 engine->method);
	engine->ops->free(engine);
	method->engine = NULL;
}

static void make_gpu(struct rip_bench_method *method, const struct bench_options *options)
{
	const struct rip_cuda_config config = { .method = method->method,
						.device = options->common.device.number,
						.sync = method->sync,
						.pins = true,
						.spins = true };

	if (options->common.device.choice == RIP_CHOOSE_CPU) {
		snprintf(method->why, sizeof method->why, "needs a GPU, but --device is cpu");
		return;
	}
	if (rip_engine_cuda_new(&config, &method->engine, method->why, sizeof method->why) < 0)
		method->engine = NULL;
	snprintf(method->isa, sizeof method->isa, "cuda");
	method->threads = 1;
	refuse_other(method);
}

static void make_cpu(struct rip_bench_method *method, const struct bench_options *options)
{
	const bool simd = method->method == RIP_METHOD_SIMD;
	const struct rip_cpu_config config = { .method = method->method,
					       .isa = simd ? options->common.isa : "c",
					       .threads = simd ? options->common.threads : 1 };
	int r;

	if (options->common.device.choice == RIP_CHOOSE_GPU) {
		snprintf(method->why, sizeof method->why, "runs on the CPU, but --device is a GPU");
		return;
	}
	r = rip_engine_cpu_new(&config, &method->engine);
	if (r < 0) {
		method->engine = NULL;
		snprintf(method->why, sizeof method->why, "%s", strerror(-r));
		return;
	}
	isa_of(method);
	method->threads = config.threads ? config.threads : rip_cpu_count();
	refuse_other(method);
}

/* Sets the screen.  0, or -errno (reported). */
static int choose_screen(struct rip_bench *bench, const struct bench_options *options)
{
	struct rip_mask_use use = { .x_dpi = DPI, .y_dpi = DPI, .planes = options->planes };
	char why[256];
	int r;

	bench->screen = options->common.screen.screen;
	if (bench->screen)
		return 0;
	for (uint32_t plane = 0; plane < options->planes; plane++)
		use.inks[plane] = options->planes == 1 ? RIP_INK_BLACK :
				  options->planes == 4 ? rip_inks_cmyk[plane] : RIP_INK_OTHER;
	r = rip_mask_screen_init(&bench->mask, options->common.screen.mask, &use, why, sizeof why);
	if (r < 0)
		return rip_complain(r, "%s", why);
	bench->screen = &bench->mask.base;
	return 0;
}

/* Methods that are to wait in both ways stand twice. */
static void add_syncs(struct rip_bench *bench, const struct bench_options *options)
{
	struct rip_bench_method *methods = bench->methods;

	for (unsigned m = 0; m < bench->method_count; m++) {
		if (!rip_bench_has_sync(&methods[m]))
			continue;
		methods[m].sync = options->launch ? RIP_CUDA_LAUNCH : RIP_CUDA_FLAGS;
		if (!options->launch || !options->flags)
			continue;
		memmove(&methods[m + 1], &methods[m], (bench->method_count++ - m) * sizeof *methods);
		methods[++m].sync = RIP_CUDA_FLAGS;
	}
}

/* An engine may leave a screen to others. */
static void refuse_screen(const struct rip_bench *bench, struct rip_bench_method *method)
{
	const struct rip_page_spec spec = { .width = 1024, .planes = bench->planes,
					    .levels = bench->levels,
					    .sample_bits = bench->sample_bits,
					    .screen = bench->screen };

	if (!method->engine || method->engine->ops->takes(method->engine, &spec))
		return;
	snprintf(method->why, sizeof method->why, "does not support %s, %u bits, %u levels",
		 bench->screen->name, bench->sample_bits, bench->levels);
	method->engine->ops->free(method->engine);
	method->engine = NULL;
}

/* Makes the engines that this machine has.  Exit status or RIP_GO_ON. */
static int make_engines(struct rip_bench *bench, const struct bench_options *options)
{
	unsigned here = 0;

	for (unsigned m = 0; m < bench->method_count; m++) {
		struct rip_bench_method *method = &bench->methods[m];

		if (rip_method_wants_gpu((int)method->method))
			make_gpu(method, options);
		else
			make_cpu(method, options);
		refuse_screen(bench, method);
		here += method->engine != NULL;
	}
	for (unsigned m = 0; here == 0 && m < bench->method_count; m++) {
		const struct rip_bench_method *method = &bench->methods[m];

		if (options->common.device.choice == RIP_CHOOSE_GPU &&
		    !rip_method_wants_gpu((int)method->method))
			continue;
		rip_complain(-ENODEV, "%s: %s", rip_method_name((int)method->method), method->why);
		return 1;
	}
	if (here > 0)
		return RIP_GO_ON;
	return rip_wrong_usage(COMMAND, "--device gpu needs a GPU method: pwed, pwec, bwed or bwec");
}

static int measure(struct rip_bench *bench, const struct bench_options *options)
{
	const bool watched = isatty(STDERR_FILENO);
	unsigned measured = 0;

	for (unsigned s = 0; s < bench->size_count; s++) {
		const struct rip_bench_size *size = &bench->sizes[s];
		int r;

		if (watched)
			fprintf(stderr, "\r%s\033[K", size->name);
		r = rip_bench_run(bench, s);
		if (watched)
			fputs("\r\033[K", stderr);
		if (r < 0)
			return 1;
		measured += !size->why[0];
		if (options->json)
			rip_bench_print_json(bench, s);
	}
	if (!measured) {
		rip_complain(-ENOMEM, "no size fits: %s %s", bench->sizes[0].name,
			     bench->sizes[0].why);
		return 1;
	}
	if (!options->json)
		rip_bench_print(bench);
	if (options->costs && rip_bench_costs(bench, options->json) < 0)
		return 1;
	for (unsigned s = 0; options->json && s < bench->size_count; s++)
		if (bench->sizes[s].why[0])
			rip_complain(0, "%s %s", bench->sizes[s].name, bench->sizes[s].why);
	return 0;
}

int rip_bench_command(int argc, char **argv)
{
	struct bench_options options;
	struct rip_bench *bench;
	int status = parse(&options, argc, argv);

	if (status != RIP_GO_ON)
		return status;
	bench = calloc(1, sizeof *bench);
	if (!bench) {
		rip_complain(-ENOMEM, "out of memory");
		return 1;
	}
	bench->planes = options.planes;
	bench->levels = options.common.levels;
	bench->sample_bits = options.bits;
	bench->curve = options.curve;
	bench->runs = options.runs;
	status = choose_screen(bench, &options) < 0 ? 1 : for_each(options.sizes, add_size, bench);
	if (status == RIP_GO_ON && options.methods)
		status = for_each(options.methods, add_method, bench);
	for (unsigned m = 0; status == RIP_GO_ON && !options.methods && m < METHODS; m++)
		bench->methods[bench->method_count++].method = all_methods[m];
	if (status == RIP_GO_ON) {
		add_syncs(bench, &options);
		status = make_engines(bench, &options);
	}
	if (status == RIP_GO_ON)
		status = measure(bench, &options);
	for (unsigned m = 0; m < bench->method_count; m++)
		if (bench->methods[m].engine)
			bench->methods[m].engine->ops->free(bench->methods[m].engine);
	free(bench);
	return status;
}
