/* Worker threads, and whose turn it is. */
#include "config.h"

#include "scheduler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct worker {
	struct rip_scheduler *scheduler;
	pthread_t        thread;
	bool             started; /* and not joined yet */
	bool             left;    /* it takes no more works, and ends */
	struct rip_work *work;    /* that it runs, or NULL */
};

struct rip_scheduler {
	pthread_mutex_t  lock;     /* guards all below, and all flows and works held */
	pthread_cond_t   wake;
	bool             stopping;
	struct rip_flow *waiting;  /* flows with works waiting that have none running */
	uint64_t         present;  /* the virtual time of the flow that was served last */
	struct rip_work *done, *done_last;
	uint64_t         busy_us;
	int64_t          progress_ms; /* when a work last ended */
	int              fd;
	unsigned         workers;  /* those from this number on leave */
	struct worker    worker[RIP_WORKERS_MAX];
};

int64_t rip_now_ms(void)
{
	return (int64_t)(rip_now_us() / 1000);
}

uint64_t rip_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void rip_flow_init(struct rip_flow *flow)
{
	*flow = (struct rip_flow){ .fresh = RIP_FRESH };
}

static void enqueue_locked(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	flow->next = scheduler->waiting;
	scheduler->waiting = flow;
	pthread_cond_signal(&scheduler->wake);
}

static void dequeue_locked(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	for (struct rip_flow **at = &scheduler->waiting; *at; at = &(*at)->next)
		if (*at == flow) {
			*at = flow->next;
			return;
		}
}

/* Whether a goes before b.  The list has the newest flow first, so among equals
 * the last one seen has waited longest. */
static bool goes_before(const struct rip_flow *a, const struct rip_flow *b)
{
	if (a->first->urgent != b->first->urgent)
		return a->first->urgent;
	return a->served <= b->served;
}

/* What a flow is charged for a work. */
static uint64_t charge(struct rip_flow *flow, uint64_t cost)
{
	const uint64_t fresh = cost < flow->fresh ? cost : flow->fresh;

	flow->fresh -= fresh;
	return cost - fresh / 2;
}

/* The next work to run, taken out of its flow, or NULL.  Sessions are few (a
 * thousand at the very most), so the list is searched. */
static struct rip_work *next_locked(struct rip_scheduler *scheduler)
{
	struct rip_flow *best = scheduler->waiting;
	struct rip_work *work;

	if (!best)
		return NULL;
	for (struct rip_flow *flow = best->next; flow; flow = flow->next)
		if (goes_before(flow, best))
			best = flow;
	dequeue_locked(scheduler, best);
	work = best->first;
	best->first = work->next;
	best->running = true;
	if (best->served > scheduler->present)
		scheduler->present = best->served;
	best->served += charge(best, work->cost);
	return work;
}

static void finished_locked(struct rip_scheduler *scheduler, struct rip_work *work)
{
	const uint64_t one = 1;

	work->flow->running = false;
	if (work->flow->first) {
		work->flow->first->submitted_us = work->ended_us; /* it could not begin before */
		enqueue_locked(scheduler, work->flow);
	}
	work->next = NULL;
	if (scheduler->done)
		scheduler->done_last->next = work;
	else
		scheduler->done = work;
	scheduler->done_last = work;
	/* Fails only if 2^64 - 2 works wait to be collected. */
	(void)!write(scheduler->fd, &one, sizeof one);
}

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
		worker->work = work;
		pthread_mutex_unlock(&scheduler->lock);
		work->run(work);
		pthread_mutex_lock(&scheduler->lock);
		worker->work = NULL;
		work->ended_us = rip_now_us();
		scheduler->busy_us += work->ended_us - work->started_us;
		scheduler->progress_ms = (int64_t)(work->ended_us / 1000);
		finished_locked(scheduler, work);
	}
	worker->left = true;
	pthread_mutex_unlock(&scheduler->lock);
	return NULL;
}

/* Makes sure that a worker runs.  It was told before that it is wanted. */
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
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++)
		if (scheduler->worker[i].started)
			pthread_join(scheduler->worker[i].thread, NULL);
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

void rip_scheduler_submit(struct rip_scheduler *scheduler, struct rip_flow *flow,
			  struct rip_work *work)
{
	work->flow = flow;
	work->next = NULL;
	work->started_us = work->ended_us = 0;
	work->submitted_us = rip_now_us();
	pthread_mutex_lock(&scheduler->lock);
	flow->held++;
	if (flow->first) {
		flow->last->next = work;
	} else {
		flow->first = work;
		if (!flow->running) {
			if (flow->served < scheduler->present)
				flow->served = scheduler->present;
			enqueue_locked(scheduler, flow);
		}
	}
	flow->last = work;
	pthread_mutex_unlock(&scheduler->lock);
}

unsigned rip_scheduler_drop(struct rip_scheduler *scheduler, struct rip_flow *flow)
{
	unsigned held;

	pthread_mutex_lock(&scheduler->lock);
	if (flow->first && !flow->running)
		dequeue_locked(scheduler, flow);
	for (struct rip_work *work = flow->first; work; work = work->next)
		flow->held--;
	flow->first = NULL;
	held = flow->held;
	pthread_mutex_unlock(&scheduler->lock);
	return held;
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
	}
	if (!scheduler->done) /* the eventfd is not blocking: nothing to read is no harm */
		(void)!read(scheduler->fd, &count, sizeof count);
	pthread_mutex_unlock(&scheduler->lock);
	return work;
}

int64_t rip_scheduler_started(struct rip_scheduler *scheduler, const struct rip_work *work)
{
	int64_t started;

	pthread_mutex_lock(&scheduler->lock);
	started = (int64_t)(work->started_us / 1000);
	pthread_mutex_unlock(&scheduler->lock);
	return started;
}

int64_t rip_scheduler_longest(struct rip_scheduler *scheduler)
{
	int64_t now = rip_now_ms(), first = now;

	pthread_mutex_lock(&scheduler->lock);
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++) {
		const struct rip_work *work = scheduler->worker[i].work;

		if (work && (int64_t)(work->started_us / 1000) < first)
			first = (int64_t)(work->started_us / 1000);
	}
	pthread_mutex_unlock(&scheduler->lock);
	return now - first;
}

int64_t rip_scheduler_progress(struct rip_scheduler *scheduler)
{
	int64_t progress;

	pthread_mutex_lock(&scheduler->lock);
	progress = scheduler->progress_ms;
	pthread_mutex_unlock(&scheduler->lock);
	return progress;
}

uint64_t rip_scheduler_busy_us(struct rip_scheduler *scheduler)
{
	uint64_t busy, now = rip_now_us();

	pthread_mutex_lock(&scheduler->lock);
	busy = scheduler->busy_us;
	for (unsigned i = 0; i < RIP_WORKERS_MAX; i++) {
		const struct rip_work *work = scheduler->worker[i].work;

		if (work && work->started_us < now)
			busy += now - work->started_us;
	}
	pthread_mutex_unlock(&scheduler->lock);
	return busy;
}
