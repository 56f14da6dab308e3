#include "command/option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "halftone/cpu.h"
#include "halftone/screen/blue_noise_colour.h"
#include "image/complain.h"
#include "command/common_options.h"
#include "command/paper_size.h"
#include "command/terminal.h"

#define COMMAND "bench"

#define DEFAULT_SIZES "1K,2K,3K,4K,5K,6K,7K,8K,9K,10K,12K,14K,16K"
#define DEFAULT_RUNS  5
#define DPI           600 /* of masks, and of --registration */

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
	unsigned    planes, runs, registration;
	unsigned    bits;    /* in bits_names[] */
	bool        curve, costs, json;
};

static int set_sync(const char *value, void *options)
{
	static const char *const syncs[] = { "launch", "flags", "launch,flags", "flags,launch" };
	struct bench_options *o = options;

	o->launch = strstr(value, "launch") != NULL;
	o->flags = strstr(value, "flags") != NULL;
	for (size_t i = 0; i < sizeof syncs / sizeof syncs[0]; i++)
		if (!strcmp(value, syncs[i]))
			return RIP_GO_ON;
	return RIP_OPTION_INVALID;
}

static const char *const bits_names[] = { "8", "16", NULL };

#define AT(member) offsetof(struct bench_options, member)

static const struct rip_option_row rows[] = {
	{ RIP_ARGUMENT(TEXT, "sizes", "LIST", AT(sizes),
		       "sizes, separated by commas: 4K (4096 x 4096), 832x1218,"
		       " a paper and its dots per inch: A4@600, Letter@300 (" DEFAULT_SIZES ")"),
	  .basic = true, .many = true,
	  .proposed = "1K 2K 4K 8K 16K A4@600 A4@1200 A3@600 Letter@300 Letter@600" },
	{ RIP_ARGUMENT(TEXT, "methods", "LIST", AT(methods),
		       "methods, separated by commas (all); help lists them"), .basic = true,
	  .list = rip_method_choice, .many = true },
	RIP_DEVICE_ROW(AT(common.device)),
	{ RIP_VALUE("sync", "LIST", 0, set_sync, "launch, flags or launch,flags",
		    "how bwed and bwec wait: flags (in one launch), launch (one for each diagonal,"
		    " as published), or launch,flags (flags)"),
	  .proposed = "launch flags", .many = true },
	RIP_ISA_ROW(AT(common.isa)),
	RIP_THREADS_ROW(AT(common.threads),
			"threads, for simd (one for each processor that may be used)"),
	{ RIP_NUMBER("planes", "N", AT(planes), 1, RIP_PLANES_MAX,
		     "planes of a page, halftoned together, 1 to 16 (1)") },
	{ RIP_NUMBER("runs", "N", AT(runs), 1, RIP_BENCH_RUNS_MAX,
		     "runs of each method at each size, after warming up (5)") },
	RIP_SCREEN_ROW(AT(common.screen),
		       "the screen (floyd-steinberg); help lists them; masks are those for 600 dots"
		       " an inch"),
	RIP_LEVELS_ROW(AT(common.levels)),
	{ RIP_NUMBER("registration", "UM", AT(registration), 0, RIP_REGISTRATION_MAX,
		     "blue-noise-colour: the registration of the printer in micrometres, at 600"
		     " dots an inch, 0 to 1000 (0)") },
	{ RIP_NAME("bits", "8|16", AT(bits), bits_names, "bits of a sample (8)") },
	{ RIP_FLAG("curve", AT(curve), "with a tone curve, of a gamma of 2") },
	{ RIP_FLAG("costs", AT(costs),
		   "also measure what a tone curve, 16 bits, more levels and the other screens that"
		   " diffuse errors cost: on the CPU, at 2K") },
	{ RIP_FLAG("json", AT(json), "print one object a line for each method and size"),
	  .basic = true },
	{ .name = NULL }
};

static const char before[] =
	"Usage: riptide bench [OPTION]...\n"
	"Measures halftoning in memory: the median time of each method at each size.\n";

static int parse(struct bench_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = { { rows, options, NULL }, { 0 } };
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.before = before,
		.after = "The default sizes take half a minute to a minute and 300 MiB:"
			 " --sizes 1K,4K,8K takes a\n"
			 "few seconds.  A size that does not fit into free memory is left out.\n"
			 "Exit status: 0 done, 1 failed (also when dots differ), 2 wrong usage."
			 "  See riptide-bench(1).",
	};
	int status;

	*options = (struct bench_options){ .common = RIP_COMMON_DEFAULTS, .sizes = DEFAULT_SIZES,
					   .flags = true, .planes = 1, .runs = DEFAULT_RUNS };
	status = rip_options_parse(&line, argc, argv);
	if (status == RIP_GO_ON && optind < argc)
		return rip_wrong_usage(COMMAND, "unexpected argument \"%s\"", argv[optind]);
	return status;
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

/* Takes a number of at most 8 digits from the front of the text. */
static bool take_number(const char **text, uint64_t *number)
{
	const size_t length = strspn(*text, "0123456789");

	if (length < 1 || length > 8)
		return false;
	*number = strtoull(*text, NULL, 10);
	*text += length;
	return true;
}

int rip_bench_add_size(struct rip_bench *bench, const char *text)
{
	struct rip_bench_size *size = &bench->sizes[bench->size_count];
	const char *rest = strchr(text, '@');
	uint64_t width, height, dpi;

	if (bench->size_count == RIP_BENCH_SIZES_MAX)
		return -E2BIG;
	if (rest) {
		uint32_t paper_width, paper_height;

		if (!rip_paper_find(text, (size_t)(rest++ - text), &paper_width, &paper_height) ||
		    !take_number(&rest, &dpi))
			return -EINVAL;
		width = rip_paper_pixels(paper_width, dpi);
		height = rip_paper_pixels(paper_height, dpi);
	} else {
		rest = text;
		if (!take_number(&rest, &width))
			return -EINVAL;
		height = width;
		if (*rest == 'x' || *rest == 'X') {
			rest++;
			if (!take_number(&rest, &height))
				return -EINVAL;
		} else if (*rest == 'k' || *rest == 'K') {
			rest++;
			width = height = width * 1024;
		}
	}
	if (*rest || width < 1 || width > RIP_WIDTH_MAX || height < 1 || height > RIP_WIDTH_MAX)
		return -EINVAL;
	*size = (struct rip_bench_size){ .width = (uint32_t)width, .height = (uint32_t)height };
	snprintf(size->name, sizeof size->name, "%s", text);
	bench->size_count++;
	return 0;
}

static int add_size(struct rip_bench *bench, const char *word)
{
	switch (rip_bench_add_size(bench, word)) {
	case 0:
		return RIP_GO_ON;
	case -E2BIG:
		return rip_wrong_usage(COMMAND, "at most %d sizes", RIP_BENCH_SIZES_MAX);
	default:
		return rip_wrong_usage(COMMAND, "\"%s\" is not a size like 4K,"
				       " 832x1218, A4@600 or Letter@300", word);
	}
}

/* Each of --methods. */
static const struct rip_option_row method_row = {
	RIP_FOUND("methods", "LIST", 0, rip_method_find, NULL, NULL), .list = rip_method_choice
};

static int add_method(struct rip_bench *bench, const char *word)
{
	enum rip_method method;
	int status = rip_option_set(COMMAND, &method_row, word, &method);

	if (status != RIP_GO_ON)
		return status;
	if (method == RIP_METHOD_AUTO)
		return rip_wrong_usage(COMMAND, "auto stands for one of the other methods:"
				       " name that one");
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

	for (uint32_t plane = 0; plane < options->planes; plane++)
		use.inks[plane] = options->planes == 1 ? RIP_INK_BLACK :
				  options->planes == 3 || options->planes == 4 ?
				  rip_inks_cmyk[plane] : RIP_INK_OTHER;
	memcpy(bench->coupling.inks, use.inks, sizeof use.inks);
	bench->screen = options->common.screen.screen;
	bench->labels = options->common.screen.labels;
	if (bench->screen && rip_screen_couples(bench->screen))
		bench->screen = rip_colour_screen(options->registration, DPI, DPI,
						  &bench->coupling.fade);
	if (bench->screen)
		return 0;
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
		memmove(&methods[m + 1], &methods[m],
			(bench->method_count++ - m) * sizeof *methods);
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
	return rip_wrong_usage(COMMAND, "--device gpu needs a GPU method:"
			       " pwed, pwec, bwed or bwec");
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
	bench->sample_bits = options.bits ? 16 : 8;
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
