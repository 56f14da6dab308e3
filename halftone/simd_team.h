/*
 * Threads that run SIMD tasks: planes side by side, groups of a plane in a wavefront.
 *
 * A team has `threads` - 1 helpers; the thread that waits for its tasks is the last one.
 * Each takes the task that has the fewest threads and can use one more, runs it until no
 * group is left to draw, and looks for the next.  Who finds nothing looks again for some
 * microseconds (SPIN_NS), and then sleeps.
 *
 * Engines that want as many threads share a team, so that a process has no more threads
 * at work than it asked for.
 *
 * All functions may be called by any thread; a queue belongs to one thread at a time.
 */
#ifndef RIP_SIMD_TEAM_H
#define RIP_SIMD_TEAM_H

#include "simd.h"

struct rip_simd_team;

/* The team of that many threads (1 or more) for an instruction set.  Its threads start
 * with its first task.  -ENOMEM. */
int  rip_simd_team_get(const struct rip_simd_isa *isa, unsigned threads,
		       struct rip_simd_team **team);
void rip_simd_team_put(struct rip_simd_team *team); /* its queues are finished; NULL is allowed */

/* What a thread needs to run tasks: memory for each kernel, and whether it is set up. */
struct rip_simd_memory {
	void *kernels[2];
	bool  ready[2];
};

/* The tasks of a page. */
struct rip_simd_queue {
	struct rip_simd_team  *team;
	struct rip_simd_memory memory; /* of the thread that waits */
	struct rip_team_task **tasks;  /* `room` of them, reused */
	uint32_t               room, count;
	atomic_uint            open;   /* tasks that are not done */
	struct rip_simd_queue *next;   /* in the team, while any is open */
};

int  rip_simd_queue_init(struct rip_simd_queue *queue, struct rip_simd_team *team); /* -ENOMEM */
void rip_simd_queue_finish(struct rip_simd_queue *queue); /* waits; may be called twice */

/* Starts on some rows of planes.  Those with the same carry follow each other.  What they
 * point to is the caller's, and in use until rip_simd_queue_wait() returns.  0, or -ENOMEM
 * and nothing is started. */
int rip_simd_queue_push(struct rip_simd_queue *queue, const struct rip_simd_strip *strips,
			uint32_t count);

/* Works on the queue's tasks until all are done. */
void rip_simd_queue_wait(struct rip_simd_queue *queue);

#endif
