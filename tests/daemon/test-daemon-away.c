/* The scheduler: work items that are on their way to a device, which completes them, or fails. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "tests/daemon/scheduler_test.h"

#define AWAY_WORKERS 3

struct deferred {
	struct rip_work  work; /* first */
	struct away     *flow;
	int              number;
	bool             again;
	struct deferred *next;
};

/* A flow of them, and what the device has of it. */
struct away {
	struct rip_flow  flow;
	struct deferred  works[WORKS];
	struct deferred *first, *last;
	int              begun, done, count;
	int              open; /* of which the scheduler has not heard yet */
	bool             fails; /* one has failed: so do those after it, until it is run again */
};

static struct {
	pthread_mutex_t lock;
	struct away     flows[FLOWS];
	int             count, most; /* on their way, of all flows */
	unsigned        wrong, again;
	bool            ends;
} device = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Not an assertion: it is not the test's thread. */
static void check_away(bool right)
{
	device.wrong += !right;
}

static void come_back(struct deferred *item, bool again)
{
	item->again = again;
	device.again += again;
	if (!again)
		check_away(item->number == item->flow->done++);
	pthread_mutex_unlock(&device.lock);
	rip_work_complete(&item->work, again);
	pthread_mutex_lock(&device.lock);
	item->flow->open--;
}

/* Mostly hands the item to the device.  Some are done at once, where none is on its way. */
static void give_away(struct rip_work *base)
{
	struct deferred *item = (struct deferred *)base;
	struct away *flow = item->flow;

	pthread_mutex_lock(&device.lock);
	check_away(flow->count < RIP_ON_THEIR_WAY);
	if (item->again) {
		check_away(flow->count == 0 && item->number == flow->done);
		flow->fails = false;
	} else {
		check_away(item->number == flow->begun++);
	}
	rip_work_defer(base, true);
	flow->open++;
	if (flow->fails) {
		come_back(item, true);
	} else if (flow->open == 1 && item->number % 5 == 1) {
		flow->open--;
		check_away(item->number == flow->done++);
		rip_work_defer(base, false);
	} else if (flow->open == 1 && item->number % 5 == 2) {
		come_back(item, false);
	} else {
		item->next = NULL;
		if (flow->first)
			flow->last->next = item;
		else
			flow->first = item;
		flow->last = item;
		flow->count++;
		device.most = ++device.count > device.most ? device.count : device.most;
	}
	pthread_mutex_unlock(&device.lock);
}

/* Items come back in order of their flow; some fail, and those after them. */
static void *be_device(void *argument)
{
	unsigned seed = *(unsigned *)argument;

	pthread_mutex_lock(&device.lock);
	while (!device.ends) {
		struct away *flow = &device.flows[rand_r(&seed) % FLOWS];
		struct deferred *item = flow->first;

		if (item && rand_r(&seed) % 2) {
			flow->first = item->next;
			flow->count--;
			device.count--;
			flow->fails = flow->fails || rand_r(&seed) % 10 == 0;
			come_back(item, flow->fails);
		}
		pthread_mutex_unlock(&device.lock);
		if (rand_r(&seed) % 16 == 0)
			usleep(100);
		pthread_mutex_lock(&device.lock);
	}
	pthread_mutex_unlock(&device.lock);
	return NULL;
}

/* Items of a flow are on their way in order, are done in order, and are run again in order; and the
 * device has not more of them than it needs. */
static void send_away(uint64_t cost, int most)
{
	struct rip_scheduler *scheduler;
	struct pollfd pfd = { .events = POLLIN };
	unsigned seed = (unsigned)rip_test_random();
	int collected[FLOWS] = { 0 };
	pthread_t thread;

	memset(device.flows, 0, sizeof device.flows);
	device.count = device.most = 0;
	device.again = 0;
	device.ends = false;
	assert_int_equal(rip_scheduler_new(AWAY_WORKERS, &scheduler), 0);
	pthread_create(&thread, NULL, be_device, &seed);
	for (int f = 0; f < FLOWS; f++)
		init_flow(&device.flows[f].flow, (unsigned)f);
	for (int i = 0; i < WORKS; i++)
		for (int f = 0; f < FLOWS; f++) {
			device.flows[f].works[i] = (struct deferred){
				.work = { .run = give_away, .cost = cost, .follows = true },
				.flow = &device.flows[f], .number = i,
			};
			rip_scheduler_submit(scheduler, &device.flows[f].flow,
					     &device.flows[f].works[i].work);
		}
	pfd.fd = rip_scheduler_fd(scheduler);
	for (int left = FLOWS * WORKS; left > 0;) {
		struct deferred *item;

		assert_int_equal(poll(&pfd, 1, 10000), 1);
		while ((item = (struct deferred *)rip_scheduler_collect(scheduler))) {
			assert_int_equal(item->number, collected[item->flow - device.flows]++);
			left--;
		}
	}
	pthread_mutex_lock(&device.lock);
	device.ends = true;
	pthread_mutex_unlock(&device.lock);
	pthread_join(thread, NULL);
	assert_int_equal(device.wrong, 0);
	assert_true(device.again > 0);
	assert_in_range(device.most, 2, most);
	for (int f = 0; f < FLOWS; f++)
		assert_int_equal(device.flows[f].flow.held, 0);
	rip_scheduler_free(scheduler);
}

TEST(on_their_way)
{
	send_away(RIP_ON_THEIR_WAY_COST / 2, 2 + AWAY_WORKERS);
	send_away(1, FLOWS * RIP_ON_THEIR_WAY);
}

/* One that stays away counts as no progress, and freeing the scheduler waits for it. */
static void *bring_back(void *argument)
{
	usleep(50000);
	pthread_mutex_lock(&device.lock);
	come_back(argument, false);
	pthread_mutex_unlock(&device.lock);
	return NULL;
}

TEST(stays_away)
{
	static struct away flow;
	struct deferred *item = &flow.works[0];
	struct rip_scheduler *scheduler;
	pthread_t thread;

	assert_int_equal(rip_scheduler_new(1, &scheduler), 0);
	init_flow(&flow.flow, 0);
	*item = (struct deferred){ .work = { .run = give_away, .cost = 1, .follows = true },
				   .flow = &flow };
	rip_scheduler_submit(scheduler, &flow.flow, &item->work);
	while (rip_scheduler_stalled(scheduler) < 20)
		usleep(1000);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow.flow, true),
			 1); /* it cannot be taken back */
	pthread_create(&thread, NULL, bring_back, item);
	rip_scheduler_free(scheduler);
	pthread_join(thread, NULL);
	assert_int_equal(flow.done, 1);
}

/* Items that come back, or will, when their flow is dropped: they are not run again, and are
 * collected, since they have begun. */
TEST(dropped_on_their_way)
{
	static struct away flow;
	struct rip_scheduler *scheduler;

	assert_int_equal(rip_scheduler_new(1, &scheduler), 0);
	init_flow(&flow.flow, 0);
	flow.open = 1; /* none is done at once */
	for (int i = 0; i < 2; i++) {
		flow.works[i] =
			(struct deferred){ .work = { .run = give_away, .cost = 1, .follows = true },
					   .flow = &flow,
					   .number = i };
		rip_scheduler_submit(scheduler, &flow.flow, &flow.works[i].work);
	}
	for (bool both = false; !both; usleep(1000)) {
		pthread_mutex_lock(&device.lock);
		both = flow.count == 2;
		pthread_mutex_unlock(&device.lock);
	}
	usleep(10000); /* the run of the second has ended */
	pthread_mutex_lock(&device.lock);
	come_back(&flow.works[0], true);
	pthread_mutex_unlock(&device.lock);
	assert_int_equal(rip_scheduler_started(scheduler, &flow.works[0].work), 0); /* it waits */
	assert_int_equal(rip_scheduler_drop(scheduler, &flow.flow, true), 2);
	collect(scheduler, 1);
	pthread_mutex_lock(&device.lock);
	come_back(&flow.works[1], true);
	pthread_mutex_unlock(&device.lock);
	collect(scheduler, 1);
	assert_int_equal(flow.flow.held, 0);
	assert_int_equal(flow.begun, 2);
	rip_scheduler_free(scheduler);
}
