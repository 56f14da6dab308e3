/*
 * Worker threads, and the order of work items.
 *
 * Every session has a flow: its work items, done in order and one at a time.  The flows of
 * one process belong to its share.  Workers are divided among the shares, and what a
 * share gets among its flows, so a process gains nothing by opening more sessions.
 *
 * Both divisions are fair queueing by finish times.  Each node (a share or a flow) has a virtual
 * time, which is the total cost of its work so far.  A queue has a virtual time too, the
 * present: the virtual time of a node that was always busy.  With every work item it grows by
 * the cost divided by the number of busy nodes.  A node that was idle continues at the present,
 * so it neither gains nor loses by having been idle.
 *
 * The node whose virtual time would be smallest after its next work item is next.  So nobody
 * waits longer than if the workers could be divided into as many slow ones, apart from the
 * items that run just then.  Small items pass large ones: a client with a few bands, which
 * is idle whenever they are done, does not wait each time for a page of every other process.
 * And large items wait only until all others have been served as much: also when clients come
 * as new nodes before each item, as the present goes on.
 *
 * A work item that has begun is not interrupted.  So of two workers or more, one never takes large
 * items (RIP_LARGE): small items always find a worker that is free soon.
 *
 * No kind of work has precedence, and opening a page needs none: a new node begins at the
 * present, and the page of a print is small.
 *
 * run() may hand a work item to a device, which completes it later.  Meanwhile the item is on its
 * way, and the next ones of its flow may begin: up to RIP_ON_THEIR_WAY of a flow are on their way,
 * in order.  The cost of all of them is limited, so that these queues decide what the device does
 * next, and not a queue of its own.  If the device fails, its items come back.  They are run again,
 * in order, when none of their flow is on its way any more.
 *
 * The first samples of a node count half.  So a job of one page, whose user waits for it, gets
 * twice the share of longer jobs.
 *
 * resize, submit, drop, collect and started are for one thread, the event loop's.  A
 * descriptor becomes readable when work items are done.  run() of an item runs in a worker;
 * rip_work_complete() may be called by any thread.
 */
#ifndef RIP_SCHEDULER_H
#define RIP_SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rip_scheduler;
struct rip_flow;

/* A work item: one thing to do.  Belongs to the caller, except from submit until collect or drop
 * returns it. */
struct rip_work {
	void          (*run)(struct rip_work *work); /* in a worker */
	uint64_t        cost;       /* the time that it will take, in samples */
	bool            follows;    /* it is for a device: it may begin while items of its flow
				       before it are on their way */
	/* the rest is the scheduler's */
	struct rip_scheduler *scheduler;
	struct rip_flow *flow;
	struct rip_work *next;
	/* CLOCK_MONOTONIC, microseconds: since when it could run, because those before it
	 * in its flow are done; when a worker started it (0: it waits) and finished it */
	uint64_t        submitted_us, started_us, ended_us;
	/* when a piece of it was last done (rip_work_goes_on()), or when it started */
	_Atomic uint64_t progress_us;
	atomic_bool      cancelled; /* the rest of it is not needed */
	uint64_t         number;    /* in its flow */
	bool             deferred;  /* it will be completed: rip_work_defer() */
	bool             completed; /* it has been */
	bool             again;     /* it comes back to be run again, or that is now done */
	bool             on_its_way; /* its run has ended, and it is not completed */
};

/* A share or a flow among others of its kind. */
struct rip_fair_node {
	struct rip_fair_node *next; /* of those with a work item that could begin */
	bool             queued;    /* it is one of those */
	unsigned         work_count; /* that wait or run */
	uint64_t         served;    /* its virtual time: samples */
	uint64_t         cost;      /* of its next work item, while it is queued */
	bool             follows;   /* that item is for a device */
	uint64_t         fresh;     /* samples to come that count half */
};

struct rip_fair_queue {
	struct rip_fair_node *nodes; /* those with a work item that could begin */
	uint64_t         present;   /* its virtual time: samples */
	unsigned         busy;      /* nodes with work items that wait or run */
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
	unsigned          held;     /* items submitted and not yet collected or dropped */
	unsigned          on_their_way; /* items */
	bool              dropped;  /* what comes back is not run again */
	uint64_t          numbers;  /* that its items have got */
};

#define RIP_WORKERS_MAX 1024
#define RIP_FRESH       (UINT64_C(1) << 27) /* samples: a page of A4 in colour at 600 dpi */

/* The most that a node can fall behind the present, in samples, while it has too few flows for
 * the workers. */
#define RIP_CREDIT      RIP_FRESH

/* So many items of a flow may be on their way.  No item for a device begins while those of all
 * flows that are on their way cost so much: a GPU copies as many samples in 3 ms. */
#define RIP_ON_THEIR_WAY      3
#define RIP_ON_THEIR_WAY_COST (UINT64_C(1) << 27)

/* Works that cost more than this are large: they take 5 ms on a fast machine, 60 ms in plain C.
 * The works of printers are not: a page of 1.6 m at 1200 dpi in 8 inks costs 19 million to open,
 * and half a ring holds a band of 8 million at most. */
#define RIP_LARGE       (UINT64_C(1) << 25)

/* Starts `workers` threads (1..RIP_WORKERS_MAX), or as many as the system allows.  0, or
 * -errno if it allows none. */
int rip_scheduler_new(unsigned workers, struct rip_scheduler **scheduler);

/* Changes the number of threads to `workers` (1..RIP_WORKERS_MAX): starts more, or lets some
 * end after their current work.  0, or -errno if the system allows fewer; the others keep
 * running. */
int rip_scheduler_resize(struct rip_scheduler *scheduler, unsigned workers);

/* Waits for the work items that run or are on their way, drops those that wait, and ends the
 * threads.  NULL is allowed. */
void rip_scheduler_free(struct rip_scheduler *scheduler);

/* A descriptor that is readable when there is something to collect. */
int rip_scheduler_fd(const struct rip_scheduler *scheduler);

void rip_share_init(struct rip_share *share);
void rip_flow_init(struct rip_flow *flow, struct rip_share *share);

/* Puts a work item at the end of a flow. */
void rip_scheduler_submit(struct rip_scheduler *scheduler, struct rip_flow *flow,
			  struct rip_work *work);

/* Takes back all work items of a flow that have not started; those that are to be run again are
 * done.  cancel: the one that runs stops at the end of its current piece.  Returns how many the
 * scheduler still holds; collect will return them. */
unsigned rip_scheduler_drop(struct rip_scheduler *scheduler, struct rip_flow *flow, bool cancel);

/* To be called in run() between two pieces of a long work item, to report progress.  Returns false
 * if it is cancelled and can stop. */
bool rip_work_goes_on(struct rip_work *work);

/* To be called in run(), before anybody can complete the item.  true: the item is done when
 * rip_work_complete() has been called and run() has ended.  false: nobody will call that, and it is
 * done when run() ends, as without this call. */
void rip_work_defer(struct rip_work *work, bool deferred);

/* Completes it.  again: it could not be done, and is to be run once more.  Any thread; items of a
 * flow in order, if they are done.  Does not wait. */
void rip_work_complete(struct rip_work *work, bool again);

/* A work item that is done, or NULL.  To be called until there is none: until then the descriptor
 * stays readable, and perhaps a moment longer. */
struct rip_work *rip_scheduler_collect(struct rip_scheduler *scheduler);

/* When a worker started a submitted work item, or its current piece (CLOCK_MONOTONIC,
 * milliseconds); 0 while it waits. */
int64_t rip_scheduler_started(struct rip_scheduler *scheduler, const struct rip_work *work);

/* The longest time that a running work item, or all that are on their way, have made no progress,
 * in milliseconds; 0 if there are none. */
int64_t rip_scheduler_stalled(struct rip_scheduler *scheduler);

/* When a work item, or a piece of one, was last done: CLOCK_MONOTONIC, milliseconds; 0:
 * never. */
int64_t rip_scheduler_progress(struct rip_scheduler *scheduler);

/* The total working time of all workers, in microseconds. */
uint64_t rip_scheduler_busy_us(struct rip_scheduler *scheduler);

/* The number of threads, without those that are about to end. */
unsigned rip_scheduler_workers(const struct rip_scheduler *scheduler);

/* CLOCK_MONOTONIC in milliseconds and microseconds. */
int64_t rip_now_ms(void);
uint64_t rip_now_us(void);

#endif
