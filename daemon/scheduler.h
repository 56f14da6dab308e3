/*
 * Worker threads, and whose turn it is.
 *
 * Every session has a flow: its works, done in order and one at a time.  Flows
 * share the workers by start-time fair queueing: each flow has a virtual time,
 * the samples that it was served, and the flow with the smallest one is next.  A
 * flow that comes back from idleness begins at the present, so that it can
 * neither save up nor be starved.  The first samples of a flow count half: a job of
 * a page gets twice the share of those that last, since it is that one's time that
 * somebody notices.  Urgent works (a page to open) go before all
 * others: a client waits for them.
 *
 * resize, submit, drop, collect and started belong to one thread, the event loop's; it
 * is told through a descriptor when works are done.  run() of a work happens in
 * a worker.
 */
#ifndef RIP_SCHEDULER_H
#define RIP_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct rip_scheduler;
struct rip_flow;

/* One thing to do.  Belongs to who submitted it, except between submit and the
 * collect that gives it back (or the drop that takes it back). */
struct rip_work {
	void          (*run)(struct rip_work *work); /* in a worker */
	uint64_t        cost;       /* samples */
	bool            urgent;
	/* the rest is the scheduler's */
	struct rip_flow *flow;
	struct rip_work *next;
	/* CLOCK_MONOTONIC, microseconds: since when it could have run, the works of its
	 * flow before it being done; when a worker began with it (0: it waits), and ended it */
	uint64_t        submitted_us, started_us, ended_us;
};

struct rip_flow {
	struct rip_flow *next;      /* of the flows that have works waiting */
	struct rip_work *first, *last;
	uint64_t         served;    /* the virtual time: samples */
	uint64_t         fresh;     /* samples to come that count half */
	bool             running;
	unsigned         held;      /* works submitted and not yet collected or dropped */
};

#define RIP_WORKERS_MAX 1024
#define RIP_FRESH       (UINT64_C(1) << 27) /* samples: a page of A4 in colour at 600 dpi */

/* Starts `workers` threads (1..RIP_WORKERS_MAX), or as many as the system gives.  0 or
 * -errno: not even one. */
int rip_scheduler_new(unsigned workers, struct rip_scheduler **scheduler);

/* From now on there are `workers` threads (1..RIP_WORKERS_MAX): more are started, or
 * some end after the work at hand.  0; -errno if the system gives fewer, which then
 * go on. */
int rip_scheduler_resize(struct rip_scheduler *scheduler, unsigned workers);

/* Waits for the works that run, leaves those that wait, ends the threads.  NULL
 * is allowed. */
void rip_scheduler_free(struct rip_scheduler *scheduler);

/* Readable when there is something to collect. */
int rip_scheduler_fd(const struct rip_scheduler *scheduler);

void rip_flow_init(struct rip_flow *flow);

/* Puts a work at the end of a flow. */
void rip_scheduler_submit(struct rip_scheduler *scheduler, struct rip_flow *flow,
			  struct rip_work *work);

/* Takes back all works of a flow that have not begun.  Returns how many are still
 * held by the scheduler: they will come out of collect. */
unsigned rip_scheduler_drop(struct rip_scheduler *scheduler, struct rip_flow *flow);

/* A work that is done, or NULL. */
struct rip_work *rip_scheduler_collect(struct rip_scheduler *scheduler);

/* When a worker began with a work that was submitted (CLOCK_MONOTONIC,
 * milliseconds), or 0 while it waits. */
int64_t rip_scheduler_started(struct rip_scheduler *scheduler, const struct rip_work *work);

/* How long the work that began first of those that run is running: milliseconds,
 * 0 if none runs. */
int64_t rip_scheduler_longest(struct rip_scheduler *scheduler);

/* When a work last came to its end: CLOCK_MONOTONIC, milliseconds; 0: never. */
int64_t rip_scheduler_progress(struct rip_scheduler *scheduler);

/* Time that all workers together have worked: microseconds. */
uint64_t rip_scheduler_busy_us(struct rip_scheduler *scheduler);

/* The threads that there are, those that are about to end not counted. */
unsigned rip_scheduler_workers(const struct rip_scheduler *scheduler);

/* CLOCK_MONOTONIC in milliseconds and microseconds. */
int64_t rip_now_ms(void);
uint64_t rip_now_us(void);

#endif
