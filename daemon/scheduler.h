/*
 * Worker threads, and whose turn it is.
 *
 * Every session has a flow: its works, done in order and one at a time.  The flows of
 * one process belong to its share.  Workers are divided among the shares, and what a
 * share gets among its flows, so a process gains nothing by opening more sessions.
 *
 * Both divisions are start-time fair queueing.  Each node (a share or a flow) has a
 * virtual time, the cost of the works that it was served, and the node with the
 * smallest one is next.  A queue has a virtual time too, the present: what a node that
 * was always busy would have been served by now.  It grows with every work by the cost,
 * divided by the nodes that are busy.  A node that comes back from idleness begins at
 * the present: it has saved nothing up, and has nothing to catch up.  Nor does it help
 * to leave and come back as somebody new before each work, since the present soon
 * passes the virtual time of those who wait, and then it is their turn.
 *
 * No work passes others because of what it is.  A page to open needs no precedence:
 * who has just come begins at the present, and is next or nearly so.
 *
 * The first samples of a node count half: a job of one page gets twice the share of
 * those that last, because its user waits for that page.
 *
 * resize, submit, drop, collect and started belong to one thread, the event loop's; it
 * is told through a descriptor when works are done.  run() of a work happens in a
 * worker.
 */
#ifndef RIP_SCHEDULER_H
#define RIP_SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rip_scheduler;
struct rip_flow;

/* One thing to do.  Belongs to who submitted it, except between submit and the
 * collect that gives it back (or the drop that takes it back). */
struct rip_work {
	void          (*run)(struct rip_work *work); /* in a worker */
	uint64_t        cost;       /* the time that it will take, in samples */
	/* the rest is the scheduler's */
	struct rip_flow *flow;
	struct rip_work *next;
	/* CLOCK_MONOTONIC, microseconds: since when it could have run, the works of its
	 * flow before it being done; when a worker began with it (0: it waits), and ended it */
	uint64_t        submitted_us, started_us, ended_us;
	/* when a piece of it was last done (rip_work_goes_on()), or it began */
	_Atomic uint64_t progress_us;
	atomic_bool      cancelled; /* nobody wants the rest of it */
};

/* A share or a flow among others of its kind. */
struct rip_fair_node {
	struct rip_fair_node *next; /* of those with a work that could begin */
	bool             queued;    /* it is one of those */
	unsigned         works;     /* that wait or run */
	uint64_t         served;    /* its virtual time: samples */
	uint64_t         fresh;     /* samples to come that count half */
};

struct rip_fair_queue {
	struct rip_fair_node *nodes; /* those with a work that could begin */
	uint64_t         present;   /* its virtual time: samples */
	unsigned         busy;      /* nodes with works that wait or run */
};

/* A process.  It must live as long as the flows that belong to it. */
struct rip_share {
	struct rip_fair_node  node;  /* first; among the shares */
	struct rip_fair_queue flows; /* its own */
};

struct rip_flow {
	struct rip_fair_node node;  /* first; among the flows of its share */
	struct rip_share *share;
	struct rip_work  *first, *last; /* that wait */
	struct rip_work  *running;
	unsigned          held;     /* works submitted and not yet collected or dropped */
};

#define RIP_WORKERS_MAX 1024
#define RIP_FRESH       (UINT64_C(1) << 27) /* samples: a page of A4 in colour at 600 dpi */

/* What a node can save up while others are served more than it, because its flows are
 * too few for the workers: samples. */
#define RIP_CREDIT      RIP_FRESH

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

void rip_share_init(struct rip_share *share);
void rip_flow_init(struct rip_flow *flow, struct rip_share *share);

/* Puts a work at the end of a flow. */
void rip_scheduler_submit(struct rip_scheduler *scheduler, struct rip_flow *flow,
			  struct rip_work *work);

/* Takes back all works of a flow that have not begun.  cancel: the one that runs shall
 * stop at the end of the piece at hand.  Returns how many are still held by the
 * scheduler: they will come out of collect. */
unsigned rip_scheduler_drop(struct rip_scheduler *scheduler, struct rip_flow *flow, bool cancel);

/* In run(), between two pieces of a long work: tells that it makes progress.  false: it
 * is cancelled, and need not go on. */
bool rip_work_goes_on(struct rip_work *work);

/* A work that is done, or NULL. */
struct rip_work *rip_scheduler_collect(struct rip_scheduler *scheduler);

/* When a worker began with a work that was submitted, or with the piece of it that is
 * at hand (CLOCK_MONOTONIC, milliseconds); 0 while it waits. */
int64_t rip_scheduler_started(struct rip_scheduler *scheduler, const struct rip_work *work);

/* How long ago the work that runs and has made no progress for longest did so:
 * milliseconds, 0 if none runs. */
int64_t rip_scheduler_stalled(struct rip_scheduler *scheduler);

/* When a work, or a piece of one, was last done: CLOCK_MONOTONIC, milliseconds; 0:
 * never. */
int64_t rip_scheduler_progress(struct rip_scheduler *scheduler);

/* Time that all workers together have worked: microseconds. */
uint64_t rip_scheduler_busy_us(struct rip_scheduler *scheduler);

/* The threads that there are, those that are about to end not counted. */
unsigned rip_scheduler_workers(const struct rip_scheduler *scheduler);

/* CLOCK_MONOTONIC in milliseconds and microseconds. */
int64_t rip_now_ms(void);
uint64_t rip_now_us(void);

#endif
