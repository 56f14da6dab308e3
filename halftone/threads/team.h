/*
 * Teams of threads that compute tasks: planes side by side, each in a wavefront.
 *
 * A task is one strip.  The threads that run it draw its groups of rows in order.  A
 * thread computes its group from left to right, behind the thread that has the group
 * above, by the columns that are done there.
 *
 * A team has `threads` - 1 helpers; the thread that waits for its tasks is the last
 * member.  Each member takes the task that has the fewest threads and can use one more,
 * runs it until no group is left to draw, and looks for the next.  A member that finds
 * nothing looks again for some microseconds (SPIN_NS), then sleeps.
 *
 * Engines of the same kind that want as many threads share a team, so that a process has
 * no more threads at work than it asked for.
 *
 * All functions may be called by any thread; a queue belongs to one thread at a time.
 */
#ifndef RIP_TEAM_H
#define RIP_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_TEAM_THREADS_MAX 32 /* that may run one task at once */

/* Counts the columns that a group has finished for the group below.  The group's number is in
 * the upper half: groups share RIP_TEAM_COUNTERS counters in turn, and the count of a later
 * group implies that the earlier one is done. */
struct rip_team_progress {
	_Alignas(64) _Atomic uint64_t columns;
};

#define RIP_TEAM_COUNTERS 128 /* more groups than can be unfinished: two for each thread */

struct rip_team;
struct rip_team_queue;

/* The first member of a task. */
struct rip_team_task {
	/* Draws groups and computes them until there are no more.  Called by several threads
	 * at once, each with its own memory. */
	void      (*run)(struct rip_team_task *task, void *memory);
	uint32_t    groups;      /* 1 or more */
	uint32_t    threads_max; /* that may run it at once: 1 to RIP_TEAM_THREADS_MAX */
	uint64_t    ns;          /* about how long one thread takes */
	const void *carry;       /* tasks of a queue with the same carry follow each other */
	/* Used by the team only. */
	struct rip_team_queue *queue;
	struct rip_team_task  *after;   /* the last task with the same carry, or NULL */
	unsigned               workers; /* threads that run it */
	bool                   done;
	/* Used by the functions below. */
	_Alignas(64) _Atomic uint32_t next; /* the next group to draw */
	struct rip_team_progress progress[RIP_TEAM_COUNTERS];
};

/* No group is drawn; the members above `queue` are set. */
void rip_team_task_init(struct rip_team_task *task);

/* Whether all groups have been drawn. */
static inline bool rip_team_task_is_drawn(struct rip_team_task *task)
{
	return atomic_load_explicit(&task->next, memory_order_relaxed) >= task->groups;
}

/* The next group, or task->groups if there is none. */
static inline uint32_t rip_team_task_draw(struct rip_team_task *task)
{
	uint32_t n = task->groups;

	if (!rip_team_task_is_drawn(task))
		n = atomic_fetch_add_explicit(&task->next, 1, memory_order_relaxed);
	return n < task->groups ? n : task->groups;
}

/* What a counter has at least when group n has finished that many columns. */
static inline uint64_t rip_team_counter_value(uint32_t n, uint32_t columns)
{
	return (uint64_t)n << 32 | columns;
}

/* Reports that group n has finished that many columns. */
static inline void rip_team_task_publish(struct rip_team_task *task, uint32_t n, uint32_t columns)
{
	atomic_store_explicit(&task->progress[n % RIP_TEAM_COUNTERS].columns,
			      rip_team_counter_value(n, columns), memory_order_release);
}

/* The counter of group n. */
static inline uint64_t rip_team_task_published(struct rip_team_task *task, uint32_t n)
{
	return atomic_load_explicit(&task->progress[n % RIP_TEAM_COUNTERS].columns,
				    memory_order_acquire);
}

/* Waits until group n has finished that many columns.  Returns its counter. */
uint64_t rip_team_task_wait(struct rip_team_task *task, uint32_t n, uint32_t columns);

/* --- teams -------------------------------------------------------------------------------- */

/* The team of that many threads (1 or more) and kind (any address, or NULL).  A thread gets
 * `memory` bytes, aligned to 64, which it passes to all tasks; 64 of them are zeroed at
 * first.  The number is the same for the same kind.  Threads start with the first task.
 * -ENOMEM. */
int  rip_team_get(const void *kind, size_t memory, unsigned threads, struct rip_team **team);
void rip_team_put(struct rip_team *team); /* its queues are finished; NULL is allowed */

unsigned rip_team_threads(const struct rip_team *team);

/* The tasks of a page. */
struct rip_team_queue {
	struct rip_team       *team;
	void                  *memory;  /* of the thread that waits */
	size_t                 task_size;
	struct rip_team_task **tasks;   /* `room` of them, reused */
	uint32_t               room, count;
	atomic_uint            open;    /* tasks that are not done */
	struct rip_team_queue *next;    /* in the team, while any is open */
};

/* A queue of tasks of task_size bytes each.  -ENOMEM. */
int  rip_team_queue_init(struct rip_team_queue *queue, struct rip_team *team, size_t task_size);
void rip_team_queue_finish(struct rip_team_queue *queue); /* waits; may be called twice */

/* Makes a task of each of `count` pieces of work, and starts them.  fill() is called for each,
 * in order: it fills the task (task_size bytes, aligned to 64, which stay where they are) for
 * work number i and returns true, or returns false if there is nothing to do.  What tasks point
 * to is in use until rip_team_queue_wait() returns.  -ENOMEM: no task was filled. */
typedef bool rip_team_fill(struct rip_team_task *task, const void *context, uint32_t i);

int rip_team_queue_push(struct rip_team_queue *queue, uint32_t count, rip_team_fill *fill,
			const void *context);

/* Whether all tasks of the queue are done. */
static inline bool rip_team_queue_is_empty(struct rip_team_queue *queue)
{
	return atomic_load_explicit(&queue->open, memory_order_acquire) == 0;
}

/* Works on the queue's tasks until all are done. */
void rip_team_queue_wait(struct rip_team_queue *queue);

/* Tells the processor that this is a waiting loop. */
static inline void rip_team_pause(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

#endif
