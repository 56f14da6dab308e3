/* What costs more than an ordinary page: a tone curve, deep samples, more levels, other
 * screens. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"

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

static void print_row(const struct rip_bench *bench, const char *name,
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
			printf(" %14s", rip_bench_label(&other->methods[m]));
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
			print_row(other, costs[i].name, ordinary);
	}
	if (r == 0 && other->sizes[0].why[0])
		r = rip_complain(-ENOMEM, SIZE " %s", other->sizes[0].why);
	free(other);
	return r;
}
