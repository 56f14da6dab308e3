#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/json.h"
#include "image/complain.h"

/* The method's name in Table I of the paper. */
static const char *label(const struct rip_bench_method *method)
{
	static const char *const names[RIP_METHODS] = {
		[RIP_METHOD_PWED] = "PWED", [RIP_METHOD_PWEC] = "PWEC",
		[RIP_METHOD_BWED] = "BWED", [RIP_METHOD_BWEC] = "BWEC",
		[RIP_METHOD_ED] = "ED(CPU)", [RIP_METHOD_EC] = "EC(CPU)",
		[RIP_METHOD_SIMD] = "SIMD",
	};

	if (rip_bench_has_sync(method) && method->sync == RIP_CUDA_LAUNCH)
		return method->method == RIP_METHOD_BWED ? "BWED, launches" : "BWEC, launches";
	return names[method->method];
}

static double mpixels_per_s(const struct rip_bench *bench, const struct rip_bench_size *size,
			    const struct rip_bench_result *result)
{
	const double pixels = (double)size->width * size->height * bench->planes;

	return result->median_ms > 0 ? pixels / result->median_ms / 1e3 : 0;
}

enum column { MEDIAN, SPREAD, RATE, APART };

static void print_cell(const struct rip_bench *bench, const struct rip_bench_method *method,
		       unsigned s, enum column column)
{
	const struct rip_bench_result *result = &method->results[s];
	char text[32] = "-";

	if (result->runs && column == MEDIAN)
		snprintf(text, sizeof text, "%.*f", result->median_ms < 100 ? 2 : 1,
			 result->median_ms);
	else if (result->runs && column == SPREAD)
		snprintf(text, sizeof text, "%.1f",
			 (result->max_ms - result->min_ms) / result->median_ms * 100);
	else if (result->runs && column == APART)
		snprintf(text, sizeof text, "%.2f", result->median_ms / result->apart_ms);
	else if (result->runs)
		snprintf(text, sizeof text, "%.0f", mpixels_per_s(bench, &bench->sizes[s], result));
	printf(" %*s", (int)(strlen(bench->sizes[s].name) < 8 ? 8 : strlen(bench->sizes[s].name)),
	       text);
}

static void print_table(const struct rip_bench *bench, const char *title, enum column column)
{
	printf("\n%-18s", title);
	for (unsigned s = 0; s < bench->size_count; s++)
		printf(" %8s", bench->sizes[s].name);
	putchar('\n');
	for (unsigned m = 0; m < bench->method_count; m++) {
		const struct rip_bench_method *method = &bench->methods[m];

		printf("%-18s", label(method));
		for (unsigned s = 0; s < bench->size_count; s++)
			print_cell(bench, method, s, column);
		putchar('\n');
	}
}

static const char *screen_name(const struct rip_bench *bench)
{
	return bench->labels ? RIP_SCREEN_LABELS : bench->screen->name;
}

void rip_bench_print(const struct rip_bench *bench)
{
	printf("%s, %u levels, %u bits%s, %u plane%s, %u run%s of each after warming up;\n"
	       "all methods gave the dots of plain C\n",
	       screen_name(bench), bench->levels, bench->sample_bits,
	       bench->curve ? ", tone curve" : "", bench->planes, bench->planes == 1 ? "" : "s",
	       bench->runs, bench->runs == 1 ? "" : "s");
	print_table(bench, "median, ms", MEDIAN);
	print_table(bench, "max - min, % of it", SPREAD);
	print_table(bench, "Mpixel/s", RATE);
	if (rip_screen_couples(bench->screen) && bench->planes > 1)
		print_table(bench, "planes apart = 1", APART);
	putchar('\n');
	for (unsigned m = 0; m < bench->method_count; m++) {
		const struct rip_bench_method *method = &bench->methods[m];

		if (method->engine)
			printf("%-14s %s, %u thread%s\n", label(method),
			       method->engine->device, method->threads,
			       method->threads == 1 ? "" : "s");
		else
			printf("%-14s - %s\n", label(method), method->why);
	}
	for (unsigned s = 0; s < bench->size_count; s++)
		if (bench->sizes[s].why[0])
			printf("%-14s - it %s\n", bench->sizes[s].name, bench->sizes[s].why);
}

void rip_bench_print_json(const struct rip_bench *bench, unsigned s)
{
	const struct rip_bench_size *size = &bench->sizes[s];

	for (unsigned m = 0; m < bench->method_count; m++) {
		const struct rip_bench_method *method = &bench->methods[m];
		const struct rip_bench_result *result = &method->results[s];

		if (!result->runs)
			continue;
		putchar('{');
		rip_json_string("method", rip_method_name((int)method->method));
		if (rip_bench_has_sync(method))
			rip_json_string("sync",
					method->sync == RIP_CUDA_LAUNCH ? "launch" : "flags");
		rip_json_string("isa", method->isa);
		rip_json_string("device", method->engine->device);
		rip_json_string("size", size->name);
		rip_json_string("screen", screen_name(bench));
		printf("\"curve\":%s,", bench->curve ? "true" : "false");
		printf("\"width\":%u,\"height\":%u,\"planes\":%u,\"levels\":%u,\"sample_bits\":%u,"
		       "\"threads\":%u,\"runs\":%u,\"ms_median\":%.4f,\"ms_min\":%.4f,"
		       "\"ms_max\":%.4f,\"ms_apart\":%.4f,\"mpixels_per_s\":%.1f}\n",
		       size->width, size->height, bench->planes, bench->levels, bench->sample_bits,
		       method->threads, result->runs, result->median_ms, result->min_ms,
		       result->max_ms, result->apart_ms, mpixels_per_s(bench, size, result));
	}
	fflush(stdout);
}

/* ---- what costs more than an ordinary page: a curve, deep samples, levels, other screens ---- */

#define SIZE "2K"

static const struct cost {
	const char *name;
	uint32_t    levels, sample_bits;
	bool        curve;
	enum rip_screen_id screen;
} costs[] = {
	{ "8 bits to 1", 2, 8, false, RIP_FLOYD_STEINBERG },
	{ "tone curve", 2, 8, true, RIP_FLOYD_STEINBERG },
	{ "16 bits", 2, 16, false, RIP_FLOYD_STEINBERG },
	{ "16 bits, tone curve", 2, 16, true, RIP_FLOYD_STEINBERG },
	{ "4 levels", 4, 8, false, RIP_FLOYD_STEINBERG },
	{ "16 levels", 16, 8, false, RIP_FLOYD_STEINBERG },
	{ "jarvis-judice-ninke", 2, 8, false, RIP_JARVIS_JUDICE_NINKE },
	{ "stucki", 2, 8, false, RIP_STUCKI },
	{ "burkes", 2, 8, false, RIP_BURKES },
	{ "sierra", 2, 8, false, RIP_SIERRA },
	{ "atkinson", 2, 8, false, RIP_ATKINSON },
	{ "blue-noise", 2, 8, false, RIP_BLUE_NOISE },
};

#define COSTS (sizeof costs / sizeof costs[0])

/* The methods of the processor, to be measured with something else. */
static void take_methods(struct rip_bench *to, const struct rip_bench *bench)
{
	for (unsigned m = 0; m < bench->method_count; m++)
		if (bench->methods[m].engine &&
		    !rip_method_wants_gpu((int)bench->methods[m].method))
			to->methods[to->method_count++] = bench->methods[m];
}

static void print_costs(const struct rip_bench *bench, const char *name,
		      double ordinary[RIP_METHODS])
{
	printf("%-20s", name);
	for (unsigned m = 0; m < bench->method_count; m++) {
		const double ms = bench->methods[m].results[0].median_ms;
		const double pixels = (double)bench->sizes[0].width * bench->sizes[0].height;

		if (ordinary[m] == 0)
			ordinary[m] = ms;
		printf(" %7.0f %6.2f", ms > 0 ? pixels * bench->planes / ms / 1e3 : 0,
		       ordinary[m] > 0 ? ms / ordinary[m] : 0);
	}
	putchar('\n');
}

int rip_bench_costs(const struct rip_bench *bench, bool json)
{
	struct rip_bench *other = calloc(1, sizeof *other);
	double ordinary[RIP_METHODS] = { 0 };
	int r = 0;

	if (!other)
		return rip_complain(-ENOMEM, "out of memory");
	take_methods(other, bench);
	other->planes = bench->planes;
	other->runs = bench->runs;
	rip_bench_add_size(other, SIZE);
	if (!json && other->method_count > 0) {
		printf("\ncosts at " SIZE ": Mpixel/s, and time relative to 8 bits to 1\n"
		       "%-20s", "");
		for (unsigned m = 0; m < other->method_count; m++)
			printf(" %14s", label(&other->methods[m]));
		putchar('\n');
	}
	for (size_t i = 0; r == 0 && other->method_count > 0 && i < COSTS; i++) {
		other->levels = costs[i].levels;
		other->sample_bits = costs[i].sample_bits;
		other->curve = costs[i].curve;
		other->screen = &rip_screens[costs[i].screen];
		r = rip_bench_run(other, 0);
		if (r == 0 && json)
			rip_bench_print_json(other, 0);
		else if (r == 0)
			print_costs(other, costs[i].name, ordinary);
	}
	if (r == 0 && other->sizes[0].why[0])
		r = rip_complain(-ENOMEM, SIZE " %s", other->sizes[0].why);
	free(other);
	return r;
}
