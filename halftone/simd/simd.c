/* SIMD wavefront: the kernels that there are, and tasks. */
#include "simd.h"

#include <string.h>

/* The memory of a thread begins with this.  What the wavefronts need follows, and what the
 * single kernels need: bands of a page may go to each in turn. */
#define KINDS (RIP_SIMD_SINGLE + 1)

/* The nanoseconds of a wavefront's step, for all lanes together; and how many times as long the
 * single kernel takes for as many pixels.  SLOW is for curves, samples of 16 bits and several
 * levels, of which less is done in vectors.  An EPYC (Zen 5) and two Xeons, 2026-11: over 1,980
 * combinations of width, rows, screen, samples and instruction set, this choice loses 1.3 to 1.5 %
 * beside the faster kernel. */
#define STEP_NS       4
#define SINGLE_RATIO  5
#define SLOW_STEP_NS  8
#define SLOW_RATIO    10

struct memory {
	_Alignas(64) const struct rip_simd_kernel *ready[KINDS]; /* that it was prepared for */
	size_t at[KINDS]; /* where the memory of each kind begins; 0: not known yet */
};

/* What the kernels of a set need that come before a kind. */
static size_t before(const struct rip_isa *isa, enum rip_simd_kind end)
{
	size_t most[KINDS] = { 0 }, sum = 0;

	for (int i = 0; i < RIP_SCREENS; i++) {
		const struct rip_simd_kernels *kernels = &isa->kernels[i];
		const struct rip_simd_kernel *const all[KINDS] = {
			kernels->wavefront, kernels->single,
		};

		for (int k = 0; k < KINDS; k++)
			if (all[k] && all[k]->size > most[all[k]->kind])
				most[all[k]->kind] = all[k]->size;
	}
	for (int k = 0; k < (int)end; k++)
		sum += rip_round_up(most[k]);
	return sum;
}

_Static_assert(sizeof(struct memory) == 64, "the team clears so much of a thread's memory");

size_t rip_simd_memory(const struct rip_isa *isa)
{
	return sizeof(struct memory) + before(isa, KINDS);
}

/* What a kernel needs, in the memory of a thread. */
static void *memory_of(void *data, const struct rip_isa *isa, const struct rip_simd_kernel *kernel)
{
	struct memory *memory = data;
	size_t *at = &memory->at[kernel->kind];

	if (!*at)
		*at = sizeof *memory + before(isa, kernel->kind);
	return (uint8_t *)memory + *at;
}

/* A wavefront takes as long for one row as for all its lanes, and at least lag + 1 blocks for a
 * row.  So for few rows, or narrow ones, row by row is faster. */
void rip_simd_strip_choose(struct rip_simd_strip *strip, const struct rip_simd_kernels *kernels)
{
	const struct rip_simd_kernel *wavefront = kernels->wavefront, *single = kernels->single;
	const struct rip_tone *tone = strip->tone;
	const bool is_fast = tone->sample_bits == 8 && !tone->curve && tone->levels == 2;
	const uint64_t groups = (strip->rows - 1) / wavefront->lanes + 1;
	const uint64_t blocks = groups * rip_simd_blocks(wavefront, strip->width);
	const uint64_t steps = (blocks + wavefront->lag) * wavefront->block;
	const uint64_t single_steps = (uint64_t)strip->rows * strip->width *
				      (is_fast ? SINGLE_RATIO : SLOW_RATIO) / wavefront->lanes;
	const bool is_single = single && strip->width <= single->width_max && single_steps < steps;

	strip->kernel = is_single ? single : wavefront;
	strip->ns = (is_single ? single_steps : steps) * (is_fast ? STEP_NS : SLOW_STEP_NS) *
		    (strip->colour ? strip->colour->planes : 1);
}

void rip_simd_run_rows(void *memory, const struct rip_isa *isa, const struct rip_simd_strip *strip)
{
	strip->kernel->run_rows(memory_of(memory, isa, strip->kernel), strip);
}

static void run(struct rip_team_task *base, void *data)
{
	struct rip_simd_task *task = (struct rip_simd_task *)base;
	const struct rip_simd_kernel *kernel = task->strip.kernel;
	struct memory *memory = data;
	uint8_t *at = memory_of(data, task->isa, kernel);

	if (kernel->init && memory->ready[kernel->kind] != kernel) {
		kernel->init(at);
		memory->ready[kernel->kind] = kernel;
	}
	kernel->run(at, task);
}

void rip_simd_task_init(struct rip_simd_task *task, const struct rip_isa *isa,
			const struct rip_simd_strip *strip, uint32_t threads)
{
	struct rip_team_task *base = &task->base;

	task->strip = *strip;
	if (strip->colour)
		memcpy(task->planes, strip, strip->colour->planes * sizeof *strip);
	task->isa = isa;
	base->run = run;
	base->carry = strip->carry[0];
	base->ns = strip->ns;
	base->groups = (strip->rows - 1) / strip->kernel->lanes + 1;
	base->threads_max = (rip_simd_blocks(strip->kernel, strip->width) - 1) / strip->kernel->lag;
	if (base->threads_max > base->groups)
		base->threads_max = base->groups;
	if (base->threads_max > RIP_TEAM_THREADS_MAX)
		base->threads_max = RIP_TEAM_THREADS_MAX;
	task->threads = threads < base->threads_max ? threads : base->threads_max;
	rip_team_task_init(base);
}

uint32_t rip_simd_carry_ready(struct rip_simd_task *task)
{
	const uint32_t last = task->base.groups - 1;
	const uint64_t counter = rip_team_task_published(&task->base, last);

	/* Groups share counters: this may still be that of an earlier one. */
	if (counter < rip_team_counter_value(last, 0))
		return 0;
	return (uint32_t)counter < task->strip.width ? (uint32_t)counter : task->strip.width;
}

struct simd_push {
	const struct rip_isa        *isa;
	const struct rip_simd_strip *strips;
	uint32_t                     threads;
};

static bool fill(struct rip_team_task *task, const void *context, uint32_t i)
{
	const struct simd_push *push = context;

	rip_simd_task_init((struct rip_simd_task *)task, push->isa, &push->strips[i],
			   push->threads);
	return true;
}

int rip_simd_queue_push(struct rip_team_queue *queue, const struct rip_isa *isa,
			const struct rip_simd_strip *strips, uint32_t count)
{
	const struct simd_push push = { isa, strips, rip_team_threads(queue->team) };

	return rip_team_queue_push(queue, count > 0 && strips->colour ? 1 : count, fill, &push);
}
