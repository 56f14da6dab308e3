/*
 * SIMD wavefront: Floyd-Steinberg, 2 levels, many rows at a time.
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
 * blocks of a group: rip_simd_task.threads_max is the largest such T.
 */
#ifndef RIP_SIMD_H
#define RIP_SIMD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_SIMD_THREADS_MAX 32 /* that may run one task at once */

/* Values before and after a carry that a kernel may read and write: it computes whole
 * blocks, at least lag + 1 of them, and touches one value more on either side.
 * simd_block.inc asserts that this is enough for its geometry.  A multiple of 32 (a cache
 * line). */
#define RIP_SIMD_PAD 352

struct rip_simd_task;

/* A kernel: the wavefront code of one instruction set, with a certain number of lanes. */
struct rip_simd_kernel {
	uint32_t lanes; /* rows of a group */
	uint32_t block; /* columns that are computed at a time */
	uint32_t lag;   /* blocks that a group is behind the group above */
	uint32_t cost;  /* of a step of all lanes, relative to the set's other kernel */
	size_t   size;  /* bytes that a thread needs, aligned to 64 */
	void (*init)(void *memory);
	/* Draws groups and computes them until there are no more. */
	void (*run)(void *memory, struct rip_simd_task *task);
};

/* The kernels of an instruction set. */
struct rip_simd_isa {
	const char *name;     /* as --isa spells it */
	unsigned    features; /* of cpu.h that it needs */
	const struct rip_simd_kernel *wide;   /* for pages */
	const struct rip_simd_kernel *narrow; /* for few rows and narrow pages; may be NULL */
};

/* All that this build has for its processor, best last, ended by one without a name. */
extern const struct rip_simd_isa rip_simd_isas[];

/* Counts the columns of carry that a group has finished for the group below.  The group's
 * number is in the upper half: groups share RIP_SIMD_COUNTERS counters in turn, and the count
 * of a later group implies that the earlier one is done. */
struct rip_simd_progress {
	_Alignas(64) _Atomic uint64_t columns;
};

#define RIP_SIMD_COUNTERS 128 /* more groups than can be unfinished: two for each thread */

/* Some rows of a plane; buffers as in struct rip_strip (engine.h). */
struct rip_simd_strip {
	const void     *in;
	ptrdiff_t       in_pitch;
	uint8_t        *out;
	ptrdiff_t       out_pitch;
	uint32_t        width;
	uint32_t        rows; /* 1 or more */
	uint32_t        sample_bytes; /* 1 or 2 */
	const uint16_t *curve; /* 256 or 65536 values of x by sample, or NULL: 257*v, v */
	/* Replaced by the carry after these rows: width values, with RIP_SIMD_PAD values
	 * before and after them that may be overwritten. */
	int16_t        *carry;
};

struct rip_simd_task {
	struct rip_simd_strip strip;
	const struct rip_simd_kernel *kernel;
	uint32_t groups;
	uint32_t threads_max; /* that may run it at once */
	uint32_t threads;     /* that are likely to: decides which rows to prefetch */
	_Alignas(64) _Atomic uint32_t next; /* the next group to draw */
	struct rip_simd_progress progress[RIP_SIMD_COUNTERS];
};

/* Chooses the kernel, and prepares the task for a number of threads (1 or more). */
void rip_simd_task_init(struct rip_simd_task *task, const struct rip_simd_isa *isa,
			const struct rip_simd_strip *strip, uint32_t threads);

/* Whether all groups have been drawn. */
static inline bool rip_simd_task_is_drawn(struct rip_simd_task *task)
{
	return atomic_load_explicit(&task->next, memory_order_relaxed) >= task->groups;
}

/* The next group, or task->groups if there is none. */
static inline uint32_t rip_simd_task_draw(struct rip_simd_task *task)
{
	uint32_t n = task->groups;

	if (!rip_simd_task_is_drawn(task))
		n = atomic_fetch_add_explicit(&task->next, 1, memory_order_relaxed);
	return n < task->groups ? n : task->groups;
}

/* What a counter has at least when group n has finished that many columns. */
static inline uint64_t rip_simd_counter_value(uint32_t n, uint32_t columns)
{
	return (uint64_t)n << 32 | columns;
}

/* Reports that group n has finished that many columns. */
static inline void rip_simd_task_publish(struct rip_simd_task *task, uint32_t n, uint32_t columns)
{
	atomic_store_explicit(&task->progress[n % RIP_SIMD_COUNTERS].columns,
			      rip_simd_counter_value(n, columns), memory_order_release);
}

/* The counter of group n. */
static inline uint64_t rip_simd_task_published(struct rip_simd_task *task, uint32_t n)
{
	return atomic_load_explicit(&task->progress[n % RIP_SIMD_COUNTERS].columns,
				    memory_order_acquire);
}

/* Waits until group n has finished that many columns.  Returns its counter. */
uint64_t rip_simd_task_wait(struct rip_simd_task *task, uint32_t n, uint32_t columns);

/* Tells the processor that this is a waiting loop. */
static inline void rip_simd_pause(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

#endif
