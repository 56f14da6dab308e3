/* The scheduler: order within a flow, fairness between flows, drop, busy time. */
#include "config.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "daemon/scheduler.h"
#include "tests/tools/testing.h"

#define FLOWS 4
#define WORKS 200

/* What the workers did, in order. */
static atomic_uint log_used;
static struct { int flow, number; } logged[FLOWS * WORKS + 16];

static atomic_int gate; /* works wait while it is 0 */

struct numbered {
	struct rip_work work; /* first */
	int             flow, number;
};

static void note(struct rip_work *base)
{
	const struct numbered *work = (const struct numbered *)base;
	unsigned at;

	while (!atomic_load(&gate))
		usleep(200);
	at = atomic_fetch_add(&log_used, 1);
	logged[at].flow = work->flow;
	logged[at].number = work->number;
}

static void setup(unsigned workers, struct rip_scheduler **scheduler)
{
	atomic_store(&log_used, 0);
	atomic_store(&gate, 1);
	assert_int_equal(rip_scheduler_new(workers, scheduler), 0);
	assert_int_equal(rip_scheduler_workers(*scheduler), workers);
}

static void submit(struct rip_scheduler *scheduler, struct rip_flow *flow, struct numbered *work,
		   int flow_number, int number, uint64_t cost)
{
	*work = (struct numbered){ .work = { .run = note, .cost = cost },
				   .flow = flow_number, .number = number };
	rip_scheduler_submit(scheduler, flow, &work->work);
}

static void collect(struct rip_scheduler *scheduler, unsigned count)
{
	struct pollfd pfd = { .fd = rip_scheduler_fd(scheduler), .events = POLLIN };

	while (count) {
		assert_int_equal(poll(&pfd, 1, 10000), 1);
		while (rip_scheduler_collect(scheduler))
			count--;
	}
	assert_int_equal(poll(&pfd, 1, 0), 0);
}

/* Works of a flow run in order and one at a time, with any number of workers. */
static void test_order(void **state)
{
	static struct numbered works[FLOWS][WORKS];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[FLOWS];
	int next[FLOWS] = { 0 };

	(void)state;
	setup(3, &scheduler);
	for (int f = 0; f < FLOWS; f++)
		rip_flow_init(&flows[f]);
	for (int i = 0; i < WORKS; i++)
		for (int f = 0; f < FLOWS; f++)
			submit(scheduler, &flows[f], &works[f][i], f, i, rip_test_random() % 100);
	collect(scheduler, FLOWS * WORKS);
	assert_int_equal(atomic_load(&log_used), FLOWS * WORKS);
	for (int f = 0; f < FLOWS; f++)
		assert_int_equal(flows[f].held, 0);
	rip_scheduler_free(scheduler);
	/* The log's order is that of the ends; within a flow it must be the works'. */
	for (unsigned i = 0; i < FLOWS * WORKS; i++)
		assert_int_equal(logged[i].number, next[logged[i].flow]++);
}

/* Flows whose works cost differently get the same number of samples, not of works. */
static void test_fair(void **state)
{
	static struct numbered works[2][WORKS], first;
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2], other;
	uint64_t served[2] = { 0, 0 };

	(void)state;
	setup(1, &scheduler);
	rip_flow_init(&flows[0]);
	rip_flow_init(&flows[1]);
	rip_flow_init(&other);
	atomic_store(&gate, 0);
	submit(scheduler, &other, &first, 9, 0, 1); /* holds the worker until all are there */
	for (int i = 0; i < WORKS; i++)
		submit(scheduler, &flows[0], &works[0][i], 0, i, 1000);
	for (int i = 0; i < WORKS / 4; i++)
		submit(scheduler, &flows[1], &works[1][i], 1, i, 4000);
	atomic_store(&gate, 1);
	collect(scheduler, 1 + WORKS + WORKS / 4);
	rip_scheduler_free(scheduler);
	for (unsigned i = 1; i < 1 + WORKS + WORKS / 4; i++) {
		int flow = logged[i].flow;

		served[flow] += flow ? 4000 : 1000;
		assert_true(served[0] <= served[1] + 4000 && served[1] <= served[0] + 4000);
	}
}

/* Who was idle has saved nothing up: it shares from now on. */
static void test_idle_flow(void **state)
{
	static struct numbered works[2][WORKS], first, early;
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2], other;

	(void)state;
	setup(1, &scheduler);
	rip_flow_init(&flows[0]);
	rip_flow_init(&flows[1]);
	rip_flow_init(&other);
	submit(scheduler, &flows[1], &early, 1, -1, 1);
	collect(scheduler, 1);
	for (int i = 0; i < WORKS / 2; i++)
		submit(scheduler, &flows[0], &works[0][i], 0, i, 1000);
	collect(scheduler, WORKS / 2);
	atomic_store(&gate, 0);
	submit(scheduler, &other, &first, 9, 0, 1);
	for (int i = 0; i < 50; i++) {
		submit(scheduler, &flows[0], &works[0][i], 0, i, 1000);
		submit(scheduler, &flows[1], &works[1][i], 1, i, 1000);
	}
	atomic_store(&log_used, 0);
	atomic_store(&gate, 1);
	collect(scheduler, 101);
	rip_scheduler_free(scheduler);
	for (unsigned i = 1, lead = 0; i < 21; i++) {
		lead += logged[i].flow == 1;
		assert_true(lead <= i / 2 + 2 && lead + 2 >= i / 2);
	}
}

/* A flow that comes anew gets twice as much as one that lasts, until it has lasted itself. */
static void test_fresh_flow(void **state)
{
	enum { OLD, NEW };
	const uint64_t cost = RIP_FRESH / 16;
	static struct numbered works[2][WORKS], first, early[2];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2], other;
	unsigned got[2] = { 0, 0 };

	(void)state;
	setup(1, &scheduler);
	rip_flow_init(&flows[OLD]);
	rip_flow_init(&flows[NEW]);
	rip_flow_init(&other);
	submit(scheduler, &flows[OLD], &early[0], OLD, -2, RIP_FRESH);
	submit(scheduler, &flows[OLD], &early[1], OLD, -1, 1); /* the present is its */
	collect(scheduler, 2);
	atomic_store(&gate, 0);
	submit(scheduler, &other, &first, 9, 0, 1);
	for (int i = 0; i < 100; i++)
		for (int f = OLD; f <= NEW; f++)
			submit(scheduler, &flows[f], &works[f][i], f, i, cost);
	atomic_store(&log_used, 0);
	atomic_store(&gate, 1);
	collect(scheduler, 201);
	rip_scheduler_free(scheduler);
	/* 16 works are what is fresh, and 8 of the other flow go beside them. */
	for (unsigned i = 1; i <= 24; i++)
		got[logged[i].flow]++;
	assert_in_range(got[NEW], 15, 17);
	for (unsigned i = 25; i <= 124; i++)
		got[logged[i].flow]++;
	assert_in_range(got[NEW], 65, 67);
	assert_in_range(got[OLD], 57, 59);
}

/* An urgent work goes before all that wait. */
static void test_urgent(void **state)
{
	static struct numbered works[10], first, urgent;
	struct rip_scheduler *scheduler;
	struct rip_flow flows[3];

	(void)state;
	setup(1, &scheduler);
	for (int f = 0; f < 3; f++)
		rip_flow_init(&flows[f]);
	atomic_store(&gate, 0);
	submit(scheduler, &flows[0], &first, 0, 0, 1);
	while (!rip_scheduler_started(scheduler, &first.work))
		usleep(1000);
	for (int i = 0; i < 10; i++)
		submit(scheduler, &flows[1], &works[i], 1, i, 1);
	urgent = (struct numbered){ .work = { .run = note, .urgent = true }, .flow = 2 };
	rip_scheduler_submit(scheduler, &flows[2], &urgent.work);
	assert_int_equal(rip_scheduler_started(scheduler, &urgent.work), 0);
	atomic_store(&gate, 1);
	collect(scheduler, 12);
	rip_scheduler_free(scheduler);
	assert_int_equal(logged[1].flow, 2);
}

/* Dropping takes back what waits, not what runs. */
static void test_drop(void **state)
{
	static struct numbered works[10];
	struct rip_scheduler *scheduler;
	struct rip_flow flow;
	struct rip_work *work;
	struct pollfd pfd;

	(void)state;
	setup(2, &scheduler);
	rip_flow_init(&flow);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow), 0);
	atomic_store(&gate, 0);
	for (int i = 0; i < 10; i++)
		submit(scheduler, &flow, &works[i], 0, i, 1);
	while (!rip_scheduler_started(scheduler, &works[0].work))
		usleep(1000);
	usleep(20000);
	assert_true(rip_scheduler_longest(scheduler) >= 20);
	assert_true(rip_scheduler_busy_us(scheduler) >= 20000);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow), 1);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow), 1);
	/* What comes after a drop runs after what ran. */
	submit(scheduler, &flow, &works[9], 0, 9, 1);
	atomic_store(&gate, 1);
	pfd = (struct pollfd){ .fd = rip_scheduler_fd(scheduler), .events = POLLIN };
	for (int i = 0; i < 2; i++) {
		while (!(work = rip_scheduler_collect(scheduler)))
			assert_int_equal(poll(&pfd, 1, 10000), 1);
		assert_ptr_equal(work, i ? &works[9] : &works[0]);
	}
	assert_int_equal(flow.held, 0);
	assert_int_equal(atomic_load(&log_used), 2);
	rip_scheduler_free(scheduler);
}

/* Workers come and go while works run: none is lost or done twice, and those that
 * leave end their work first. */
static void test_resize(void **state)
{
	static struct numbered works[FLOWS][WORKS];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[FLOWS];
	int next[FLOWS] = { 0 };

	(void)state;
	setup(2, &scheduler);
	for (int f = 0; f < FLOWS; f++)
		rip_flow_init(&flows[f]);
	for (int i = 0; i < WORKS; i++) {
		const unsigned workers = 1 + (unsigned)(rip_test_random() % 6);

		for (int f = 0; f < FLOWS; f++)
			submit(scheduler, &flows[f], &works[f][i], f, i, 10);
		assert_int_equal(rip_scheduler_resize(scheduler, workers), 0);
		assert_int_equal(rip_scheduler_workers(scheduler), workers);
	}
	collect(scheduler, FLOWS * WORKS);
	for (unsigned i = 0; i < FLOWS * WORKS; i++)
		assert_int_equal(logged[i].number, next[logged[i].flow]++);

	/* All four at once, then two: the gate lets no work end before all run. */
	for (int workers = 4; workers; workers -= 2) {
		int running = 0;

		assert_int_equal(rip_scheduler_resize(scheduler, (unsigned)workers), 0);
		atomic_store(&gate, 0);
		atomic_store(&log_used, 0);
		for (int f = 0; f < FLOWS; f++)
			submit(scheduler, &flows[f], &works[f][0], f, 0, 1);
		usleep(100000);
		for (int f = 0; f < FLOWS; f++)
			running += rip_scheduler_started(scheduler, &works[f][0].work) != 0;
		assert_int_equal(running, workers);
		atomic_store(&gate, 1);
		collect(scheduler, FLOWS);
	}
	rip_scheduler_free(scheduler);
}

/* Freed in the midst of work: what runs ends, what waits does not begin. */
static void test_free_at_work(void **state)
{
	static struct numbered works[10];
	struct rip_scheduler *scheduler;
	struct rip_flow flow;

	(void)state;
	setup(1, &scheduler);
	rip_flow_init(&flow);
	for (int i = 0; i < 10; i++)
		submit(scheduler, &flow, &works[i], 0, i, 1);
	rip_scheduler_free(scheduler);
	rip_scheduler_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),    cmocka_unit_test(test_fair),
		cmocka_unit_test(test_idle_flow), cmocka_unit_test(test_fresh_flow),
		cmocka_unit_test(test_urgent),
		cmocka_unit_test(test_drop),     cmocka_unit_test(test_resize),
		cmocka_unit_test(test_free_at_work),
	};

	alarm(60);
	return rip_test_run(tests);
}
