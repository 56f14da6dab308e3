/* The costs of kernels: measured, and compared. */
#include "simd_costs.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/clock.h"

/* --- measuring -------------------------------------------------------------------------- */

#define RUNS 3 /* of which the fastest counts; another process may disturb the others */

/* The strips: a few columns of some rows, and a few rows of some columns. */
#define NARROW_WIDTH 8
#define NARROW_GROUPS 3
#define MORE_BLOCKS 6
#define PLAIN_NARROW_ROWS 64
#define PLAIN_WIDE_ROWS 8
#define PLAIN_WIDTH 256
#define SINGLE_WIDE_ROWS 4
#define SINGLE_WIDTH 1024

/* What all runs use.  Rows may share memory: their contents do not matter. */
struct bench {
	struct rip_simd_task *task;
	const struct rip_isa *isa;
	const struct rip_screen *screen;
	const struct rip_tone *tone;
	void    *memory;
	uint8_t *in, *out;
	int16_t *carry;
	size_t   carry_pitch;
};

static uint32_t wide_width(const struct rip_simd_kernel *kernel)
{
	return (kernel->lag + 1 + MORE_BLOCKS) * kernel->block;
}

static double time_of(const struct bench *b, const struct rip_simd_kernel *kernel, uint32_t width,
		      uint32_t rows)
{
	const struct rip_simd_strip strip = {
		.in = b->in, .out = b->out, .width = width, .rows = rows,
		.tone = b->tone, .screen = b->screen, .kernel = kernel,
		.carry = { b->carry + RIP_SIMD_PAD, b->carry + b->carry_pitch + RIP_SIMD_PAD },
	};
	double best = 0;

	for (int i = 0; i < 1 + RUNS; i++) { /* the first one warms up */
		const int64_t start = rip_clock_ns();
		double ns;

		rip_simd_task_init(b->task, b->isa, &strip, 1);
		b->task->base.run(&b->task->base, b->memory);
		ns = (double)(rip_clock_ns() - start);
		if (i <= 1 || ns < best)
			best = ns;
	}
	return best;
}

/* Of a kernel that computes row by row: a single one, or plain C. */
static struct rip_simd_cost cost_of_rows(const struct bench *b, const struct rip_simd_kernel *kernel,
					 uint32_t width, uint32_t rows)
{
	const double narrow = time_of(b, kernel, NARROW_WIDTH, PLAIN_NARROW_ROWS);
	const double wide = time_of(b, kernel, width, rows);
	const double narrow_row = narrow / PLAIN_NARROW_ROWS, wide_row = wide / rows;
	const double pixel = (wide_row - narrow_row) / (width - NARROW_WIDTH);
	struct rip_simd_cost cost = { .block = pixel > 0 ? pixel : wide_row / width };

	cost.group = narrow_row - NARROW_WIDTH * cost.block;
	if (cost.group < 0)
		cost.group = 0;
	return cost;
}

/* On a page with few columns all blocks are alike: lag + 1 for each group, and lag more for
 * the lanes of the last one. */
static struct rip_simd_cost cost_of_kernel(const struct bench *b,
					   const struct rip_simd_kernel *kernel)
{
	const uint32_t lag = kernel->lag;
	const double narrow = time_of(b, kernel, NARROW_WIDTH, NARROW_GROUPS * kernel->lanes);
	const double wide = time_of(b, kernel, wide_width(kernel), kernel->lanes);
	const double edge = narrow / (NARROW_GROUPS * (lag + 1) + lag);
	struct rip_simd_cost cost = { .task = lag * edge, .group = (lag + 1) * edge };

	cost.block = (wide - cost.task - cost.group) / MORE_BLOCKS;
	if (cost.block <= 0)
		cost.block = edge;
	return cost;
}

static int measure(const struct rip_isa *isa, const struct rip_screen *screen,
		   const struct rip_tone *tone, struct rip_simd_costs *costs)
{
	const struct rip_simd_kernels *kernels = &isa->kernels[rip_screen_id(screen)];
	const struct rip_simd_kernel *wide = kernels->wide, *narrow = kernels->narrow;
	const uint32_t columns = narrow && wide_width(narrow) > wide_width(wide) ?
				 wide_width(narrow) : wide_width(wide);
	const size_t width = columns > SINGLE_WIDTH ? columns : SINGLE_WIDTH;
	struct bench b = { .isa = isa, .screen = screen, .tone = tone,
			   .carry_pitch = RIP_SIMD_PAD + width + RIP_SIMD_PAD };
	uint32_t noise = 1;
	int r = -ENOMEM;

	b.task = aligned_alloc(_Alignof(struct rip_simd_task), sizeof *b.task);
	b.memory = aligned_alloc(64, rip_round_up(rip_simd_memory(isa)));
	b.in = malloc(2 * width);
	b.out = malloc(width); /* at least a row of dots */
	b.carry = calloc(RIP_REACH_MAX * b.carry_pitch, sizeof *b.carry);
	if (b.task && b.memory && b.in && b.out && b.carry) {
		memset(b.memory, 0, 64);
		for (size_t i = 0; i < 2 * width; i++) {
			noise = noise * 1664525u + 1013904223u;
			b.in[i] = (uint8_t)(noise >> 24);
		}
		costs->plain = cost_of_rows(&b, &rip_simd_plain, PLAIN_WIDTH, PLAIN_WIDE_ROWS);
		costs->wide = cost_of_kernel(&b, wide);
		if (narrow)
			costs->narrow = cost_of_kernel(&b, narrow);
		if (kernels->single)
			costs->single = cost_of_rows(&b, kernels->single, SINGLE_WIDTH, SINGLE_WIDE_ROWS);
		r = 0;
	}
	free(b.carry);
	free(b.out);
	free(b.in);
	free(b.memory);
	free(b.task);
	return r;
}

int rip_simd_costs_get(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_tone *tone, const struct rip_simd_costs **out)
{
	/* By the number in rip_isas, the screen, then 8 or 16 bits, then without or with a
	 * curve, then two levels or more. */
	static struct measured {
		bool known;
		struct rip_simd_costs costs;
	} cache[RIP_ISAS_MAX][RIP_SCREENS][2][2][2];
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct measured *c =
		&cache[isa - rip_isas][rip_screen_id(screen)][tone->sample_bits == 16]
		      [tone->curve != NULL][tone->levels > 2];
	int r = 0;

	pthread_mutex_lock(&lock);
	if (!c->known)
		r = measure(isa, screen, tone, &c->costs);
	c->known = r == 0;
	pthread_mutex_unlock(&lock);
	*out = &c->costs;
	return r;
}

/* --- choosing --------------------------------------------------------------------------- */

static const char *forced; /* NULL: none */

static void read_environment(void)
{
	const char *name = getenv("RIPTIDE_KERNEL");

	if (!name || !*name)
		return;
	if (!strcmp(name, "plain") || !strcmp(name, "single") || !strcmp(name, "narrow") ||
	    !strcmp(name, "wide"))
		forced = name;
	else
		fprintf(stderr, "RIPTIDE_KERNEL=%s is ignored: it must be plain, single, narrow or "
			"wide\n", name);
}

/* Row by row. */
static double rows_ns(const struct rip_simd_cost *cost, uint32_t width, uint32_t rows)
{
	return rows * (cost->group + width * cost->block);
}

static double kernel_ns(const struct rip_simd_cost *cost, const struct rip_simd_kernel *kernel,
			uint32_t width, uint32_t rows)
{
	const uint32_t groups = (rows - 1) / kernel->lanes + 1;
	const uint32_t blocks = rip_simd_blocks(kernel, width);

	return cost->task + groups * (cost->group + (blocks - kernel->lag - 1) * cost->block);
}

/* Takes a kernel instead of the best one so far, if it is faster, or if it is the forced one. */
static void prefer(const struct rip_simd_kernel **best, double *least, const struct rip_simd_kernel *kernel,
		   const char *name, double ns)
{
	if (forced ? strcmp(forced, name) != 0 : ns >= *least)
		return;
	*best = kernel;
	*least = ns;
}

const struct rip_simd_kernel *rip_simd_costs_choose(const struct rip_simd_costs *costs,
						    const struct rip_simd_kernels *kernels,
						    uint32_t width, uint32_t rows, uint64_t *ns)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct rip_simd_kernel *best = kernels->wide;
	double least = kernel_ns(&costs->wide, kernels->wide, width, rows);

	pthread_once(&once, read_environment);
	if (kernels->narrow)
		prefer(&best, &least, kernels->narrow, "narrow",
		       kernel_ns(&costs->narrow, kernels->narrow, width, rows));
	if (kernels->single && (!kernels->single->width_max || width <= kernels->single->width_max))
		prefer(&best, &least, kernels->single, "single", rows_ns(&costs->single, width, rows));
	prefer(&best, &least, &rip_simd_plain, "plain", rows_ns(&costs->plain, width, rows));
	*ns = (uint64_t)least;
	return best;
}
