/*
 * SIMD wavefront: screens that diffuse errors, many rows at a time.
 *
 * Error diffusion is a chain from pixel to pixel of a row, so a vector holds pixels of
 * different rows: each lane is a row, and runs a few columns behind the lane above, whose
 * errors it needs.  A group is as many rows as there are lanes.  A lane that reaches the end
 * of its row continues at once with its row of the next group, so only the first and the
 * last group of a task have lanes without work.  simd_kernel.inc explains the computation;
 * this header has what the rest of the engine sees.
 *
 * A task is one strip.  Several threads may run it at once, each with its own memory.  Each
 * thread draws the next group that no thread has, and follows the thread that computes the
 * group above by the columns that are done there.
 *
 * Why waiting ends.  Groups are drawn in order, by threads that run.  A block of a group
 * waits until the group above is `lag` blocks ahead.  Through T groups, that means until
 * the same thread's previous group is T*lag blocks ahead.  It is, if T*lag is less than the
 * blocks of a group: base.threads_max is the largest such T.
 */
#ifndef RIP_SIMD_H
#define RIP_SIMD_H

#include "halftone/diffuse_colour.h"
#include "isa.h"
#include "halftone/threads/team.h"
#include "halftone/page/tone.h"

/* Values before and after a carry that a kernel may read and write: it computes whole
 * blocks, at least lag + 1 of them, and touches one value more on either side.
 * simd_block.inc asserts that this is enough for its geometry.  A multiple of 32 (a cache
 * line). */
#define RIP_SIMD_PAD 480

struct rip_simd_strip;
struct rip_simd_task;

/* A kernel: the code of one screen and instruction set, which computes many rows at a time in a
 * wavefront, or a few one by one. */
struct rip_simd_kernel {
	uint32_t lanes; /* rows of a group */
	uint32_t block; /* columns that are computed at a time */
	uint32_t lag;   /* blocks that a group is behind the group above */
	uint32_t width_max; /* of the strips that it takes; 0: any */
	enum rip_simd_kind { RIP_SIMD_WAVEFRONT, RIP_SIMD_SINGLE } kind; /* as in isa.h */
	size_t   size;  /* bytes that a thread needs, aligned to 64; may be 0 */
	void (*init)(void *memory); /* NULL: it needs no preparation */
	/* Draws groups and computes them until there are no more. */
	void (*run)(void *memory, struct rip_simd_task *task);
	/* The same for a strip, without a task.  NULL for wavefronts.  Its kernel has no init(). */
	void (*run_rows)(void *memory, const struct rip_simd_strip *strip);
	/* The same for a thread that has the task to itself, whose first group's carry arrives
	 * from elsewhere, column by column.  Computes what the first `arrived` columns of the
	 * carry allow, and returns; never waits.  true: the task is done.  Until then the
	 * memory serves this task only.  rip_simd_carry_ready() says what the task has
	 * finished.  NULL where it computes row by row. */
	bool (*resume)(void *memory, struct rip_simd_task *task, uint32_t arrived);
};

/* Blocks of a group: it must be wider than its distance from the group above. */
static inline uint32_t rip_simd_blocks(const struct rip_simd_kernel *kernel, uint32_t width)
{
	const uint32_t blocks = (width - 1) / kernel->block + 1;

	return blocks > kernel->lag ? blocks : kernel->lag + 1;
}

/* Some rows of a plane; buffers as in struct rip_strip (engine.h). */
struct rip_simd_strip {
	const void     *in;
	ptrdiff_t       in_pitch;
	uint8_t        *out;
	ptrdiff_t       out_pitch;
	uint32_t        width;
	uint32_t        rows; /* 1 or more */
	const struct rip_tone *tone;
	const struct rip_screen *screen;
	/* Replaced by the carry after these rows: screen->reach rows of width values, each with
	 * RIP_SIMD_PAD values before and after them that may be overwritten. */
	int16_t        *carry[RIP_REACH_MAX];
	/* NULL: a plane apart.  Else the strips of all planes come together, with the same rows. */
	const struct rip_colour_planes *colour;
	/* What computes it, of the screen and the task's instruction set, and about how long one
	 * thread takes: rip_simd_strip_choose(). */
	const struct rip_simd_kernel *kernel;
	uint64_t        ns;
};

/* Chooses the kernel of a strip whose other members are set. */
void rip_simd_strip_choose(struct rip_simd_strip *strip, const struct rip_simd_kernels *kernels);

struct rip_simd_task {
	struct rip_team_task base;
	struct rip_simd_strip strip;
	struct rip_simd_strip planes[RIP_PLANES_MAX]; /* of coupled planes: all of them */
	const struct rip_isa *isa;
	uint32_t threads; /* that are likely to run it: decides which rows to prefetch */
};

/* Prepares a task for a number of threads (1 or more).  strip: the first of coupled ones. */
void rip_simd_task_init(struct rip_simd_task *task, const struct rip_isa *isa,
			const struct rip_simd_strip *strip, uint32_t threads);

/* How many columns of the carry after its last row a task has finished: at most the width.
 * They change no more, and resume() needs them no more. */
uint32_t rip_simd_carry_ready(struct rip_simd_task *task);

/* What a thread needs for the kernels of a set: the memory of its team (team.h). */
size_t rip_simd_memory(const struct rip_isa *isa);

/* Computes a strip whose kernel has run_rows(), in the caller's thread, with a thread's memory. */
void rip_simd_run_rows(void *memory, const struct rip_isa *isa, const struct rip_simd_strip *strip);

/* Starts tasks for some strips, or one for those of coupled planes, in a queue of tasks of
 * sizeof(struct rip_simd_task) bytes whose team has rip_simd_memory(isa).  0, or -ENOMEM and
 * nothing is started. */
int rip_simd_queue_push(struct rip_team_queue *queue, const struct rip_isa *isa,
			const struct rip_simd_strip *strips, uint32_t count);

#endif
