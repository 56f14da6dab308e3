/* Worker threads, and whose turn it is. */
#include "config.h"

#include "scheduler.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "system/clock.h"

struct worker {
	struct rip_scheduler *scheduler;
	pthread_t        thread;
	bool             started; /* and not joined yet */
	bool             left;    /* it takes no more work, and ends */
	struct rip_work *work;    /* that it runs, or NULL */
};

struct rip_scheduler {
	pthread_mutex_t  lock;     /* guards all below, and all shares, flows and work items held */
	pthread_cond_t   wake;
	bool             stopping;
	struct rip_fair_queue shares;
	struct rip_work *done, *done_last;
	uint64_t         busy_us;
	int64_t          progress_ms; /* when a work last ended */
	int              fd;
	unsigned         large;    /* works of more than RIP_LARGE that run */
	unsigned         on_their_way;      /* works */
	uint64_t         on_their_way_cost; /* of them all */
	int64_t          way_ms;   /* when one was last completed, or the first of them began */
	atomic_uint      completing; /* calls that still use this struct without the lock */
	unsigned         workers;  /* those from this number on leave */
	unsigned         most;     /* workers that there ever were */
	struct worker    worker[RIP_WORKERS_MAX];
};

int64_t rip_now_ms(void)
{
	return rip_clock_ms();
}

uint64_t rip_now_us(void)
{
	return (uint64_t)rip_clock_us();
}

/* --- a fair queue -------------------------------------------------------------- */

static struct rip_fair_node new_node(void)
{
	return (struct rip_fair_node){ .fresh = RIP_FRESH };
}

/* A work of the node was submitted. */
static void node_begins(struct rip_fair_queue *queue, struct rip_fair_node *node)
{
	if (node->work_count++)
		return;
	queue->busy++;
	if (node->served < queue->present)
		node->served = queue->present;
}

/* A work of the node was done or dropped. */
static void node_ends(struct rip_fair_queue *queue, struct rip_fair_node *node)
{
	if (--node->work_count == 0)
		queue->busy--;
}

/* The node has a work that could begin. */
static void enqueue(struct rip_fair_queue *queue, struct rip_fair_node *node)
{
	if (node->queued)
		return;
	if (node->served + RIP_CREDIT < queue->present)
		node->served = queue->present - RIP_CREDIT;
	node->queued = true;
	node->next = queue->nodes;
	queue->nodes = node;
}

static void dequeue(struct rip_fair_queue *queue, struct rip_fair_node *node)
{
	struct rip_fair_node **at = &queue->nodes;

	if (!node->queued)
		return;
	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	node->queued = false;
}

/* What a work of this cost is charged to the node. */
static uint64_t charged(const struct rip_fair_node *node, uint64_t cost)
{
	return cost - (cost < node->fresh ? cost : node->fresh) / 2;
}

/* The node's virtual time after its next work. */
static uint64_t finish(const struct rip_fair_node *node)
{
	return node->served + charged(node, node->cost);
}

/* Which works may begin now. */
struct limits {
	uint64_t most;    /* that cost at most this */
	bool     devices; /* also those for a device */
};

static const struct limits no_limits = { UINT64_MAX, true };

static bool may_begin(const struct rip_fair_node *node, struct limits limits)
{
	return node->cost <= limits.most && (limits.devices || !node->follows);
}

/* The node whose turn it is, or NULL.  Sessions are few (a thousand at the very most), so the
 * list is searched.  It has the newest first, so among equals the last one seen has waited
 * longest. */
static struct rip_fair_node *best_node(const struct rip_fair_queue *queue, struct limits limits)
{
	struct rip_fair_node *best = NULL;

	for (struct rip_fair_node *node = queue->nodes; node; node = node->next)
		if (may_begin(node, limits) && (!best || finish(node) <= finish(best)))
			best = node;
	return best;
}

/* The node is about to do its next work: the present goes on by its part of that.  It is
 * never behind all that wait. */
static void charge(struct rip_fair_queue *queue, struct rip_fair_node *node)
{
	const uint64_t fresh = node->cost < node->fresh ? node->cost : node->fresh;
	const uint64_t cost = charged(node, node->cost);
	uint64_t first = UINT64_MAX;

	for (const struct rip_fair_node *other = queue->nodes; other; other = other->next)
		if (other->served < first)
			first = other->served;
	if (queue->present < first)
		queue->present = first;
	queue->present += cost / queue->busy;
	node->fresh -= fresh;
	node->served += cost;
}

/* --- shares and flows ---------------------------------------------------------- */

void rip_share_init(struct rip_share *share)
{
	*share = (struct rip_share){ .node = new_node() };
}

void rip_flow_init(struct rip_flow *flow, struct rip_share *share)
{
	*flow = (struct rip_flow){ .node = new_node(), .share = share };
}

/* What the share would do next. */
static void note_next(struct rip_share *share)
{
	const struct rip_fair_node *flow = best_node(&share->flows, no_limits);

	if (!flow)
		return;
	share->node.cost = flow->cost;
	share->node.follows = flow->follows;
}

/* Whether the next work of a flow could begin, as far as the flow is concerned. */
static bool can_begin(const struct rip_flow *flow)
{
	const struct rip_work *work = flow->first;

	if (!work || flow->running)
		return false;
	return flow->on_their_way == 0 ||
	       (work->follows && !work->again && flow->on_their_way < RIP_ON_THEIR_WAY);
}

static void dequeue_locked(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	dequeue(&flow->share->flows, &flow->node);
	note_next(flow->share);
	if (!flow->share->flows.nodes)
		dequeue(&scheduler->shares, &flow->share->node);
}

/* Has a flow queued if its next work can begin; whether it can. */
static bool enqueue_locked(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	if (!can_begin(flow)) {
		dequeue_locked(scheduler, flow);
		return false;
	}
	flow->node.cost = flow->first->cost;
	flow->node.follows = flow->first->follows && !flow->first->again; /* a CPU may do it */
	enqueue(&flow->share->flows, &flow->node);
	note_next(flow->share);
	enqueue(&scheduler->shares, &flow->share->node);
	return true;
}

static void ends_locked(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	node_ends(&flow->share->flows, &flow->node);
	node_ends(&scheduler->shares, &flow->share->node);
}

/* One worker is kept free of large works, and the devices get no more than they need. */
static struct limits limits_now(const struct rip_scheduler *scheduler)
{
	const bool full = scheduler->workers > 1 && scheduler->large >= scheduler->workers - 1;

	return (struct limits){
		.most = full ? RIP_LARGE : UINT64_MAX,
		.devices = scheduler->on_their_way_cost < RIP_ON_THEIR_WAY_COST,
	};
}

/* The next work to run, taken out of its flow, or NULL. */
static struct rip_work *next_locked(struct rip_scheduler *scheduler)
{
	struct rip_share *share =
		(struct rip_share *)best_node(&scheduler->shares, limits_now(scheduler));
	struct rip_flow *flow;
	struct rip_work *work;

	if (!share)
		return NULL;
	flow = (struct rip_flow *)best_node(&share->flows, no_limits);
	charge(&scheduler->shares, &share->node);
	charge(&share->flows, &flow->node);
	dequeue_locked(scheduler, flow);
	work = flow->first;
	flow->first = work->next;
	flow->running = work;
	scheduler->large += work->cost > RIP_LARGE;
	return work;
}

/* Puts a work back into its flow, before those that follow it. */
static void put_back(struct rip_flow *flow, struct rip_work *work)
{
	struct rip_work **at = &flow->first;

	atomic_store(&work->progress_us, 0); /* it waits */
	while (*at && (*at)->number < work->number)
		at = &(*at)->next;
	work->next = *at;
	*at = work;
	if (!work->next)
		flow->last = work;
}

/* Adds a work to those that wait to be collected.  Returns whether the descriptor has to become
 * readable; it is while others wait. */
static bool done_locked(struct rip_scheduler *scheduler, struct rip_work *work)
{
	const bool first = !scheduler->done;

	ends_locked(scheduler, work->flow);
	work->next = NULL;
	if (first)
		scheduler->done = work;
	else
		scheduler->done_last->next = work;
	scheduler->done_last = work;
	return first;
}

/* A work is done, or comes back to be run again.  Returns as done_locked(). */
static bool finished_locked(struct rip_scheduler *scheduler, struct rip_work *work)
{
	struct rip_flow *flow = work->flow;
	bool readable = false;

	work->ended_us = rip_now_us();
	scheduler->progress_ms = (int64_t)(work->ended_us / 1000);
	if (work->again && !flow->dropped)
		put_back(flow, work);
	else
		readable = done_locked(scheduler, work);
	if (flow->first)
		flow->first->submitted_us = work->ended_us; /* it could not begin before */
	return readable;
}

/* The run of a work has ended.  The worker that calls this takes the next work itself, so no other
 * one is woken for that.  Returns as done_locked(). */
static bool ran_locked(struct rip_scheduler *scheduler, struct rip_work *work)
{
	struct rip_flow *flow = work->flow;
	const uint64_t now_us = rip_now_us();
	bool readable = false;

	scheduler->busy_us += now_us - work->started_us;
	flow->running = NULL;
	if (!work->completed)
		work->again = false;
	if (work->cost > RIP_LARGE) {
		scheduler->large--;
		/* Besides the next work of this flow, a large one that has waited may begin. */
		pthread_cond_signal(&scheduler->wake);
	}
	if (work->deferred && !work->completed) {
		work->on_its_way = true;
		flow->on_their_way++;
		if (scheduler->on_their_way++ == 0)
			scheduler->way_ms = (int64_t)(now_us / 1000);
		scheduler->on_their_way_cost += work->cost;
	} else {
		readable = finished_locked(scheduler, work);
	}
	enqueue_locked(scheduler, flow);
	return readable;
}

/* A work that was on its way has been completed.  Returns as done_locked(). */
static bool arrived_locked(struct rip_scheduler *scheduler, struct rip_work *work)
{
	struct rip_flow *flow = work->flow;
	const bool full = !limits_now(scheduler).devices;
	bool readable;

	work->on_its_way = false;
	flow->on_their_way--;
	scheduler->on_their_way--;
	scheduler->on_their_way_cost -= work->cost;
	readable = finished_locked(scheduler, work);
	scheduler->way_ms = scheduler->progress_ms;
	if (enqueue_locked(scheduler, flow) || full)
		pthread_cond_signal(&scheduler->wake);
	if (scheduler->stopping)
		pthread_cond_broadcast(&scheduler->wake);
	return readable;
}

/* Makes the descriptor readable.  Not with the lock: the event loop wakes up and wants it.  Fails
 * only if 2^64 - 2 work items wait to be collected. */
static void tell(struct rip_scheduler *scheduler)
{
	const uint64_t one = 1;

	(void)!write(scheduler->fd, &one, sizeof one);
}

void rip_work_defer(struct rip_work *work, bool deferred)
{
	work->deferred = deferred;
}

void rip_work_complete(struct rip_work *work, bool again)
{
	struct rip_scheduler *scheduler = work->scheduler;
	bool readable = false;

	pthread_mutex_lock(&scheduler->lock);
	atomic_fetch_add(&scheduler->completing, 1);
	work->completed = true;
	work->again = again;
	if (work->on_its_way)
		readable = arrived_locked(scheduler, work);
	pthread_mutex_unlock(&scheduler->lock);
	if (readable)
		tell(scheduler);
	atomic_fetch_sub(&scheduler->completing, 1);
}

/* --- workers ------------------------------------------------------------------- */

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct rip_scheduler *scheduler = worker->scheduler;

	pthread_mutex_lock(&scheduler->lock);
	while (!scheduler->stopping && worker - scheduler->worker < scheduler->workers) {
		struct rip_work *work = next_locked(scheduler);

		if (!work) {
			pthread_cond_wait(&scheduler->wake, &scheduler->lock);
			continue;
		}
		work->started_us = rip_now_us();
		work->deferred = work->completed = false;
		atomic_store(&work->progress_us, work->started_us);
		worker->work = work;
		pthread_mutex_unlock(&scheduler->lock);
		work->run(work);
		pthread_mutex_lock(&scheduler->lock);
		worker->work = NULL;
		if (ran_locked(scheduler, work)) {
			pthread_mutex_unlock(&scheduler->lock);
			tell(scheduler);
			pthread_mutex_lock(&scheduler->lock);
		}
	}
	worker->left = true;
	/* What this worker would have taken next is for another one. */
	pthread_cond_signal(&scheduler->wake);
	pthread_mutex_unlock(&scheduler->lock);
	return NULL;
}

/* Makes sure that a worker runs, after scheduler->workers was set to include it. */
static int start(struct rip_scheduler *scheduler, struct worker *worker)
{
	sigset_t all, before;
	bool left;
	int r;

	pthread_mutex_lock(&scheduler->lock);
	left = worker->left;
	pthread_mutex_unlock(&scheduler->lock);
	if (worker->started && !left)
		return 0;
	if (worker->started)
		pthread_join(worker->thread, NULL);
	worker->scheduler = scheduler;
	worker->left = false;
	/* Signals are the event loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = -pthread_create(&worker->thread, NULL, worker_main, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	worker->started = r == 0;
	return r;
}

int rip_scheduler_resize(struct rip_scheduler *scheduler, unsigned workers)
{
	int r = 0;

	pthread_mutex_lock(&scheduler->lock);
	scheduler->workers = workers;
	if (workers > scheduler->most)
		scheduler->most = workers;
	pthread_cond_broadcast(&scheduler->wake);
	pthread_mutex_unlock(&scheduler->lock);
	for (unsigned i = 0; r == 0 && i < workers; i++) {
		r = start(scheduler, &scheduler->worker[i]);
		if (r < 0) {
			pthread_mutex_lock(&scheduler->lock);
			scheduler->workers = i;
			pthread_mutex_unlock(&scheduler->lock);
		}
	}
	return r;
}

int rip_scheduler_new(unsigned workers, struct rip_scheduler **out)
{
	struct rip_scheduler *scheduler = calloc(1, sizeof *scheduler);
	int r;

	*out = NULL;
	if (!scheduler)
		return -ENOMEM;
	scheduler->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (scheduler->fd < 0) {
		r = -errno;
		free(scheduler);
		return r;
	}
	pthread_mutex_init(&scheduler->lock, NULL);
	pthread_cond_init(&scheduler->wake, NULL);
	r = rip_scheduler_resize(scheduler, workers);
	if (r < 0 && scheduler->workers == 0) {
		rip_scheduler_free(scheduler);
		return r;
	}
	*out = scheduler;
	return 0;
}

void rip_scheduler_free(struct rip_scheduler *scheduler)
{
	if (!scheduler)
		return;
	pthread_mutex_lock(&scheduler->lock);
	scheduler->stopping = true;
	pthread_cond_broadcast(&scheduler->wake);
	pthread_mutex_unlock(&scheduler->lock);
	for (unsigned i = 0; i < scheduler->most; i++)
		if (scheduler->worker[i].started)
			pthread_join(scheduler->worker[i].thread, NULL);
	pthread_mutex_lock(&scheduler->lock);
	while (scheduler->on_their_way)
		pthread_cond_wait(&scheduler->wake, &scheduler->lock);
	pthread_mutex_unlock(&scheduler->lock);
	while (atomic_load(&scheduler->completing))
		sched_yield(); /* they are about to leave */
	pthread_cond_destroy(&scheduler->wake);
	pthread_mutex_destroy(&scheduler->lock);
	close(scheduler->fd);
	free(scheduler);
}

int rip_scheduler_fd(const struct rip_scheduler *scheduler)
{
	return scheduler->fd;
}

unsigned rip_scheduler_workers(const struct rip_scheduler *scheduler)
{
	return scheduler->workers;
}

/* --- what the event loop does -------------------------------------------------- */

void rip_scheduler_submit(struct rip_scheduler *scheduler, struct rip_flow *flow,
			  struct rip_work *work)
{
	bool begins;

	work->scheduler = scheduler;
	work->flow = flow;
	work->next = NULL;
	work->number = flow->numbers++;
	work->again = work->on_its_way = false;
	work->started_us = work->ended_us = 0;
	work->submitted_us = rip_now_us();
	atomic_store(&work->progress_us, 0);
	atomic_store(&work->cancelled, false);
	pthread_mutex_lock(&scheduler->lock);
	flow->held++;
	flow->dropped = false;
	node_begins(&flow->share->flows, &flow->node);
	node_begins(&scheduler->shares, &flow->share->node);
	if (flow->first)
		flow->last->next = work;
	else
		flow->first = work;
	flow->last = work;
	begins = enqueue_locked(scheduler, flow);
	pthread_mutex_unlock(&scheduler->lock);
	if (begins)
		pthread_cond_signal(&scheduler->wake);
}

unsigned rip_scheduler_drop(struct rip_scheduler *scheduler, struct rip_flow *flow, bool cancel)
{
	bool readable = false;
	unsigned held;

	pthread_mutex_lock(&scheduler->lock);
	dequeue_locked(scheduler, flow);
	for (struct rip_work *work = flow->first, *next; work; work = next) {
		next = work->next;
		if (work->again) { /* it has begun */
			readable = done_locked(scheduler, work) || readable;
		} else {
			ends_locked(scheduler, flow);
			flow->held--;
		}
	}
	flow->first = NULL;
	flow->dropped = true;
	if (cancel && flow->running)
		atomic_store(&flow->running->cancelled, true);
	held = flow->held;
	pthread_mutex_unlock(&scheduler->lock);
	if (readable)
		tell(scheduler);
	return held;
}

bool rip_work_goes_on(struct rip_work *work)
{
	atomic_store(&work->progress_us, rip_now_us());
	return !atomic_load(&work->cancelled);
}

struct rip_work *rip_scheduler_collect(struct rip_scheduler *scheduler)
{
	struct rip_work *work;
	uint64_t count;

	pthread_mutex_lock(&scheduler->lock);
	work = scheduler->done;
	if (work) {
		scheduler->done = work->next;
		work->flow->held--;
	} else { /* the eventfd does not block: if a worker has yet to write, that is read later */
		(void)!read(scheduler->fd, &count, sizeof count);
	}
	pthread_mutex_unlock(&scheduler->lock);
	return work;
}

int64_t rip_scheduler_started(struct rip_scheduler *scheduler, const struct rip_work *work)
{
	(void)scheduler; /* and no lock: every heartbeat asks */
	return (int64_t)(atomic_load(&work->progress_us) / 1000);
}

int64_t rip_scheduler_stalled(struct rip_scheduler *scheduler)
{
	int64_t now = rip_now_ms(), first = now;

	pthread_mutex_lock(&scheduler->lock);
	for (unsigned i = 0; i < scheduler->most; i++) {
		const struct rip_work *work = scheduler->worker[i].work;
		const int64_t at = work ? (int64_t)(atomic_load(&work->progress_us) / 1000) : now;

		first = at < first ? at : first;
	}
	if (scheduler->on_their_way && scheduler->way_ms < first)
		first = scheduler->way_ms;
	pthread_mutex_unlock(&scheduler->lock);
	return now - first;
}

int64_t rip_scheduler_progress(struct rip_scheduler *scheduler)
{
	int64_t progress;

	pthread_mutex_lock(&scheduler->lock);
	progress = scheduler->progress_ms;
	for (unsigned i = 0; i < scheduler->most; i++) {
		const struct rip_work *work = scheduler->worker[i].work;
		const int64_t at = work ? (int64_t)(atomic_load(&work->progress_us) / 1000) : 0;

		/* a work that has just begun is no progress */
		if (work && atomic_load(&work->progress_us) > work->started_us && at > progress)
			progress = at;
	}
	pthread_mutex_unlock(&scheduler->lock);
	return progress;
}

uint64_t rip_scheduler_busy_us(struct rip_scheduler *scheduler)
{
	uint64_t busy, now = rip_now_us();

	pthread_mutex_lock(&scheduler->lock);
	busy = scheduler->busy_us;
	for (unsigned i = 0; i < scheduler->most; i++) {
		const struct rip_work *work = scheduler->worker[i].work;

		if (work && work->started_us < now)
			busy += now - work->started_us;
	}
	pthread_mutex_unlock(&scheduler->lock);
	return busy;
}
