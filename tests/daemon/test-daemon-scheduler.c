/* The scheduler: order within a flow, fairness between processes and between the flows of
 * one, drop, progress, busy time. */
#include "tests/tools/testing.h"

#include <poll.h>
#include <stdatomic.h>

#include "daemon/scheduler.c" /* its order, without threads */

#define FLOWS 4
#define WORKS 200

/* What the workers did, in order. */
static atomic_uint log_used;
static struct { int flow, number; } logged[FLOWS * WORKS + 16];

static atomic_int gate; /* work items wait while it is 0 */

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

/* Flows that are processes of their own: share i is flow i's. */
static struct rip_share shares[WORKS];

static void init_flow(struct rip_flow *flow, unsigned share)
{
	rip_share_init(&shares[share]);
	rip_flow_init(flow, &shares[share]);
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
	/* A worker may tell a moment later of what was collected already. */
	while (poll(&pfd, 1, 0) == 1)
		assert_null(rip_scheduler_collect(scheduler));
}

/* Holds the only worker with a work of a share of its own, until release(). */
static struct numbered holder;
static struct rip_flow holding;

static void hold(struct rip_scheduler *scheduler)
{
	init_flow(&holding, WORKS - 1);
	atomic_store(&gate, 0);
	submit(scheduler, &holding, &holder, -1, 0, 1);
	while (!rip_scheduler_started(scheduler, &holder.work))
		usleep(1000);
}

static void release(void)
{
	atomic_store(&log_used, 0);
	atomic_store(&gate, 1);
}

/* Flows whose work items cost differently get the same number of samples, not of items. */
TEST(fair)
{
	static struct numbered items[2][WORKS];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2];
	uint64_t served[2] = { 0, 0 };

	setup(1, &scheduler);
	init_flow(&flows[0], 0);
	init_flow(&flows[1], 1);
	hold(scheduler);
	for (int i = 0; i < WORKS; i++)
		submit(scheduler, &flows[0], &items[0][i], 0, i, 1000);
	for (int i = 0; i < WORKS / 4; i++)
		submit(scheduler, &flows[1], &items[1][i], 1, i, 4000);
	release();
	collect(scheduler, 1 + WORKS + WORKS / 4);
	rip_scheduler_free(scheduler);
	for (unsigned i = 1; i < 1 + WORKS + WORKS / 4; i++) {
		int flow = logged[i].flow;

		served[flow] += flow ? 4000 : 1000;
		assert_true(served[0] <= served[1] + 4000 && served[1] <= served[0] + 4000);
	}
}

/* Who was idle has saved nothing up: it shares from now on. */
TEST(idle_flow)
{
	static struct numbered items[2][WORKS], early;
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2];

	setup(1, &scheduler);
	init_flow(&flows[0], 0);
	init_flow(&flows[1], 1);
	submit(scheduler, &flows[1], &early, 1, -1, 1);
	collect(scheduler, 1);
	for (int i = 0; i < WORKS / 2; i++)
		submit(scheduler, &flows[0], &items[0][i], 0, i, 1000);
	collect(scheduler, WORKS / 2);
	hold(scheduler);
	for (int i = 0; i < 50; i++) {
		submit(scheduler, &flows[0], &items[0][i], 0, i, 1000);
		submit(scheduler, &flows[1], &items[1][i], 1, i, 1000);
	}
	release();
	collect(scheduler, 101);
	rip_scheduler_free(scheduler);
	for (unsigned i = 1, lead = 0; i < 21; i++) {
		lead += logged[i].flow == 1;
		assert_true(lead <= i / 2 + 2 && lead + 2 >= i / 2);
	}
}

/* A flow that comes anew gets twice as much as one that lasts, until it has lasted itself. */
TEST(fresh_flow)
{
	enum { OLD, NEW };
	const uint64_t cost = RIP_FRESH / 16;
	static struct numbered items[2][WORKS], early[2];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[2];
	unsigned got[2] = { 0, 0 };

	setup(1, &scheduler);
	init_flow(&flows[OLD], OLD);
	init_flow(&flows[NEW], NEW);
	submit(scheduler, &flows[OLD], &early[0], OLD, -2, RIP_FRESH);
	submit(scheduler, &flows[OLD], &early[1], OLD, -1, 1); /* the present is its */
	collect(scheduler, 2);
	hold(scheduler);
	for (int i = 0; i < 100; i++)
		for (int f = OLD; f <= NEW; f++)
			submit(scheduler, &flows[f], &items[f][i], f, i, cost);
	release();
	collect(scheduler, 201);
	rip_scheduler_free(scheduler);
	/* 16 work items are what is fresh, and 8 of the other flow go beside them. */
	for (unsigned i = 1; i <= 24; i++)
		got[logged[i].flow]++;
	assert_in_range(got[NEW], 15, 17);
	for (unsigned i = 25; i <= 124; i++)
		got[logged[i].flow]++;
	assert_in_range(got[NEW], 65, 67);
	assert_in_range(got[OLD], 57, 59);
}

/* What a process gets does not depend on how many sessions it has, and what a session
 * gets only on how many its own process has. */
TEST(shares)
{
	enum { PROCESSES = 3, SESSIONS = 16, EACH = 40, COST = 1000 };
	static const unsigned sessions[PROCESSES] = { 1, 3, 12 };
	static struct numbered items[SESSIONS][PROCESSES * EACH];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[SESSIONS];
	unsigned owner[SESSIONS], session = 0;
	unsigned of_process[PROCESSES] = { 0 }, of_session[SESSIONS] = { 0 };

	setup(1, &scheduler);
	hold(scheduler);
	for (unsigned p = 0; p < PROCESSES; p++) {
		rip_share_init(&shares[p]);
		for (unsigned i = 0; i < sessions[p]; i++, session++) {
			rip_flow_init(&flows[session], &shares[p]);
			owner[session] = p;
		}
	}
	for (unsigned n = 0; n < PROCESSES * EACH; n++)
		for (unsigned f = 0; f < SESSIONS; f++)
			if (n < PROCESSES * EACH / sessions[owner[f]])
				submit(scheduler, &flows[f], &items[f][n], (int)f, (int)n, COST);
	release();
	collect(scheduler, 1 + PROCESSES * PROCESSES * EACH);
	rip_scheduler_free(scheduler);
	for (unsigned i = 1; i <= PROCESSES * EACH; i++) {
		const unsigned f = (unsigned)logged[i].flow, p = owner[f];

		of_session[f]++;
		of_process[p]++;
		for (unsigned q = 0; q < PROCESSES; q++)
			assert_true(of_process[p] <= of_process[q] + 1);
		for (unsigned g = 0; g < SESSIONS; g++)
			assert_true(owner[g] != p || of_session[f] <= of_session[g] + 1);
	}
}

/* Takes long enough for the next one to be submitted meanwhile. */
static void note_later(struct rip_work *work)
{
	usleep(500);
	note(work);
}

static void newcomer(struct rip_scheduler *scheduler, struct rip_flow *flow, struct numbered *work,
		     int number)
{
	*work = (struct numbered){ .work = { .run = note_later, .cost = 10000 },
				   .flow = 1, .number = number };
	rip_scheduler_submit(scheduler, flow, &work->work);
}

/* Somebody new before each work item, with items ten times as long: who waits is not passed
 * by more than his share allows. */
TEST(newcomers)
{
	enum { NEWCOMERS = 150, HIS = 100 };
	static struct numbered his[HIS], theirs[NEWCOMERS];
	static struct rip_flow flows[NEWCOMERS];
	struct rip_scheduler *scheduler;
	struct rip_flow flow;
	unsigned got = 0, theirs_got = 0;

	setup(1, &scheduler);
	hold(scheduler);
	init_flow(&flow, NEWCOMERS);
	for (int i = 0; i < HIS; i++)
		submit(scheduler, &flow, &his[i], 0, i, 1000);
	for (unsigned i = 0; i < NEWCOMERS; i++)
		init_flow(&flows[i], i);
	/* Two of them at any time: the next one comes when one is done. */
	for (int i = 0; i < 2; i++)
		newcomer(scheduler, &flows[i], &theirs[i], i);
	release();
	for (int came = 2, done = 0; done < NEWCOMERS;) {
		struct pollfd pfd = { .fd = rip_scheduler_fd(scheduler), .events = POLLIN };
		struct rip_work *work;

		assert_int_equal(poll(&pfd, 1, 10000), 1);
		while ((work = rip_scheduler_collect(scheduler))) {
			if (work->flow == &flow || work->flow == &holding)
				continue;
			done++;
			if (came < NEWCOMERS) {
				newcomer(scheduler, &flows[came], &theirs[came], came);
				came++;
			}
		}
	}
	/* He is one of three, and so gets ten items for two of theirs. */
	for (unsigned i = 1; i < atomic_load(&log_used) && got < HIS; i++) {
		got += logged[i].flow == 0;
		theirs_got += logged[i].flow == 1;
	}
	assert_int_equal(got, HIS);
	assert_true(theirs_got <= 3 * HIS / 10);
	while (flow.held)
		if (!rip_scheduler_collect(scheduler))
			usleep(1000);
	rip_scheduler_free(scheduler);
}

static atomic_int door; /* a work that is behind it waits while it is 0 */

static void wait_behind_door(struct rip_work *work)
{
	while (!atomic_load(&door))
		usleep(200);
}

/* A process whose only session cannot use two workers saves up no more than it may: when
 * it has more sessions, the others do not stand still. */
TEST(credit)
{
	enum { SERIAL, CROWD, FLOWS_EACH = 8, EACH = 5, LONG = 40 };
	const uint64_t cost = RIP_CREDIT / 4;
	static struct numbered items[2][FLOWS_EACH][EACH], crowd[LONG];
	struct rip_work serial = { .run = wait_behind_door, .cost = 1 };
	struct rip_flow flows[2][FLOWS_EACH], long_flow;
	struct rip_scheduler *scheduler;
	unsigned got = 0;

	setup(2, &scheduler);
	atomic_store(&door, 0);
	for (unsigned p = SERIAL; p <= CROWD; p++) {
		rip_share_init(&shares[p]);
		for (int f = 0; f < FLOWS_EACH; f++)
			rip_flow_init(&flows[p][f], &shares[p]);
	}
	rip_flow_init(&long_flow, &shares[CROWD]);
	rip_scheduler_submit(scheduler, &flows[SERIAL][0], &serial);
	while (!rip_scheduler_started(scheduler, &serial))
		usleep(1000);
	/* One worker is SERIAL's, the other one is the others' for long. */
	for (int i = 0; i < LONG; i++)
		submit(scheduler, &long_flow, &crowd[i], CROWD, i, RIP_CREDIT);
	collect(scheduler, LONG);
	hold(scheduler);
	for (int i = 0; i < EACH; i++)
		for (int f = 0; f < FLOWS_EACH; f++)
			for (int p = SERIAL; p <= CROWD; p++)
				submit(scheduler, &flows[p][f], &items[p][f][i], p, i, cost);
	release();
	atomic_store(&door, 1);
	collect(scheduler, 2 + 2 * FLOWS_EACH * EACH);
	rip_scheduler_free(scheduler);
	/* What it saved up is 4 items, and half of the others are its own. */
	for (unsigned i = 0; i < FLOWS_EACH * EACH; i++)
		got += logged[i].flow == SERIAL;
	assert_in_range(got, FLOWS_EACH * EACH / 2, FLOWS_EACH * EACH / 2 + 8);
}

/* A work that goes on in pieces, each of which waits for its turn. */
static atomic_int pieces_wanted, pieces_done;

static void in_pieces(struct rip_work *work)
{
	do {
		while (atomic_load(&pieces_wanted) <= atomic_load(&pieces_done))
			usleep(200);
		atomic_fetch_add(&pieces_done, 1);
	} while (rip_work_goes_on(work));
}

/* A long work that makes progress is not held for one that hangs, and stops when it is
 * cancelled. */
TEST(pieces)
{
	struct rip_work work = { .run = in_pieces, .cost = 1 };
	struct rip_scheduler *scheduler;
	struct rip_flow flow;
	int64_t began, piece;

	setup(1, &scheduler);
	init_flow(&flow, 0);
	atomic_store(&pieces_wanted, 0);
	atomic_store(&pieces_done, 0);
	rip_scheduler_submit(scheduler, &flow, &work);
	while (!(began = rip_scheduler_started(scheduler, &work)))
		usleep(1000);
	assert_int_equal(rip_scheduler_progress(scheduler), 0);
	usleep(50000);
	assert_int_equal(rip_scheduler_started(scheduler, &work), began);
	assert_true(rip_scheduler_stalled(scheduler) >= 50);
	atomic_fetch_add(&pieces_wanted, 1);
	while ((piece = rip_scheduler_started(scheduler, &work)) == began)
		usleep(1000);
	assert_true(piece >= began + 50);
	assert_int_equal(rip_scheduler_progress(scheduler), piece);
	assert_true(rip_scheduler_stalled(scheduler) <= rip_now_ms() - piece);
	/* What runs is not stopped when others are dropped ... */
	assert_int_equal(rip_scheduler_drop(scheduler, &flow, false), 1);
	atomic_fetch_add(&pieces_wanted, 1);
	while (atomic_load(&pieces_done) < 2)
		usleep(1000);
	usleep(20000);
	assert_null(rip_scheduler_collect(scheduler));
	/* ... unless it shall. */
	assert_int_equal(rip_scheduler_drop(scheduler, &flow, true), 1);
	atomic_fetch_add(&pieces_wanted, 1);
	collect(scheduler, 1);
	assert_int_equal(atomic_load(&pieces_done), 3);
	rip_scheduler_free(scheduler);
}

/* Dropping takes back what waits, not what runs. */
TEST(drop)
{
	static struct numbered items[10];
	struct rip_scheduler *scheduler;
	struct rip_flow flow;
	struct rip_work *work;
	struct pollfd pfd;

	setup(2, &scheduler);
	init_flow(&flow, 0);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow, false), 0);
	atomic_store(&gate, 0);
	for (int i = 0; i < 10; i++)
		submit(scheduler, &flow, &items[i], 0, i, 1);
	while (!rip_scheduler_started(scheduler, &items[0].work))
		usleep(1000);
	usleep(20000);
	assert_true(rip_scheduler_stalled(scheduler) >= 20);
	assert_true(rip_scheduler_busy_us(scheduler) >= 20000);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow, false), 1);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow, false), 1);
	/* What comes after a drop runs after what ran. */
	submit(scheduler, &flow, &items[9], 0, 9, 1);
	atomic_store(&gate, 1);
	pfd = (struct pollfd){ .fd = rip_scheduler_fd(scheduler), .events = POLLIN };
	for (int i = 0; i < 2; i++) {
		while (!(work = rip_scheduler_collect(scheduler)))
			assert_int_equal(poll(&pfd, 1, 10000), 1);
		assert_ptr_equal(work, i ? &items[9] : &items[0]);
	}
	assert_int_equal(flow.held, 0);
	assert_int_equal(atomic_load(&log_used), 2);
	rip_scheduler_free(scheduler);
}

/* ---- work items that are on their way ---- */

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
	setup(AWAY_WORKERS, &scheduler);
	pthread_create(&thread, NULL, be_device, &seed);
	for (int f = 0; f < FLOWS; f++)
		init_flow(&device.flows[f].flow, (unsigned)f);
	for (int i = 0; i < WORKS; i++)
		for (int f = 0; f < FLOWS; f++) {
			device.flows[f].works[i] = (struct deferred){
				.work = { .run = give_away, .cost = cost, .follows = true },
				.flow = &device.flows[f], .number = i,
			};
			rip_scheduler_submit(scheduler, &device.flows[f].flow, &device.flows[f].works[i].work);
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

	setup(1, &scheduler);
	init_flow(&flow.flow, 0);
	*item = (struct deferred){ .work = { .run = give_away, .cost = 1, .follows = true }, .flow = &flow };
	rip_scheduler_submit(scheduler, &flow.flow, &item->work);
	while (rip_scheduler_stalled(scheduler) < 20)
		usleep(1000);
	assert_int_equal(rip_scheduler_drop(scheduler, &flow.flow, true), 1); /* it cannot be taken back */
	pthread_create(&thread, NULL, bring_back, item);
	rip_scheduler_free(scheduler);
	pthread_join(thread, NULL);
	assert_int_equal(flow.done, 1);
}

/* Items that come back, or will, when their flow is dropped: they are not run again, and are collected, since they
 * have begun. */
TEST(dropped_on_their_way)
{
	static struct away flow;
	struct rip_scheduler *scheduler;

	setup(1, &scheduler);
	init_flow(&flow.flow, 0);
	flow.open = 1; /* none is done at once */
	for (int i = 0; i < 2; i++) {
		flow.works[i] = (struct deferred){ .work = { .run = give_away, .cost = 1, .follows = true },
						   .flow = &flow, .number = i };
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

/* Work items of a flow run in order and one at a time, with any number of workers.  These come and go
 * meanwhile: no work item is lost or done twice, and workers that leave end theirs first. */
TEST(resize)
{
	static struct numbered items[FLOWS][WORKS];
	struct rip_scheduler *scheduler;
	struct rip_flow flows[FLOWS];
	int next[FLOWS] = { 0 };

	setup(2, &scheduler);
	for (int f = 0; f < FLOWS; f++)
		init_flow(&flows[f], (unsigned)f);
	for (int i = 0; i < WORKS; i++) {
		const unsigned workers = 1 + (unsigned)(rip_test_random() % 6);

		for (int f = 0; f < FLOWS; f++)
			submit(scheduler, &flows[f], &items[f][i], f, i, rip_test_random() % 100);
		assert_int_equal(rip_scheduler_resize(scheduler, workers), 0);
		assert_int_equal(rip_scheduler_workers(scheduler), workers);
	}
	collect(scheduler, FLOWS * WORKS);
	assert_int_equal(atomic_load(&log_used), FLOWS * WORKS);
	for (int f = 0; f < FLOWS; f++)
		assert_int_equal(flows[f].held, 0);
	/* The log's order is that of the ends; within a flow it must be that of the work items. */
	for (unsigned i = 0; i < FLOWS * WORKS; i++)
		assert_int_equal(logged[i].number, next[logged[i].flow]++);

	/* All four at once, then two: the gate lets no work end before all run. */
	for (int workers = 4; workers; workers -= 2) {
		int running = 0;

		assert_int_equal(rip_scheduler_resize(scheduler, (unsigned)workers), 0);
		atomic_store(&gate, 0);
		atomic_store(&log_used, 0);
		for (int f = 0; f < FLOWS; f++)
			submit(scheduler, &flows[f], &items[f][0], f, 0, 1);
		usleep(100000);
		for (int f = 0; f < FLOWS; f++)
			running += rip_scheduler_started(scheduler, &items[f][0].work) != 0;
		assert_int_equal(running, workers);
		atomic_store(&gate, 1);
		collect(scheduler, FLOWS);
	}
	rip_scheduler_free(scheduler);
}

/* Freed in the midst of work: what runs ends, what waits does not begin. */
static atomic_int doors[2];

static void wait_at_door(struct rip_work *base)
{
	while (!atomic_load(&doors[((struct numbered *)base)->number]))
		usleep(200);
}

/* What a worker would have done next, another one does if it leaves. */
TEST(leaving)
{
	for (int tries = 0; tries < 20; tries++) { /* either of the two may have to leave */
		struct numbered items[2], next;
		struct rip_scheduler *scheduler;
		struct rip_flow flows[2];

		setup(2, &scheduler);
		for (int i = 0; i < 2; i++) {
			init_flow(&flows[i], (unsigned)i);
			atomic_store(&doors[i], 0);
			items[i] = (struct numbered){ .work = { .run = wait_at_door, .cost = 1 },
						      .number = i };
			rip_scheduler_submit(scheduler, &flows[i], &items[i].work);
		}
		for (int i = 0; i < 2; i++)
			while (!rip_scheduler_started(scheduler, &items[i].work))
				usleep(200);
		submit(scheduler, &flows[0], &next, 0, 1, 1);
		assert_int_equal(rip_scheduler_resize(scheduler, 1), 0);
		atomic_store(&doors[1], 1);
		collect(scheduler, 1);
		atomic_store(&doors[0], 1);
		collect(scheduler, 2);
		rip_scheduler_free(scheduler);
	}
}

TEST(free_at_work)
{
	static struct numbered items[10];
	struct rip_scheduler *scheduler;
	struct rip_flow flow;

	setup(1, &scheduler);
	init_flow(&flow, 0);
	for (int i = 0; i < 10; i++)
		submit(scheduler, &flow, &items[i], 0, i, 1);
	rip_scheduler_free(scheduler);
	rip_scheduler_free(NULL);
}

/* Nobody's work that is larger than the others' waits longer than for its share: ten others
 * each get as much as it costs meanwhile, and no more. */
TEST(large_work)
{
	enum { OTHERS = 10, EACH = 60, COST = 1000, LARGE = 20 };
	static struct numbered items[OTHERS][EACH], large;
	struct rip_flow flows[OTHERS], flow;
	struct rip_scheduler *scheduler;
	unsigned before = 0;

	setup(1, &scheduler);
	hold(scheduler);
	init_flow(&flow, OTHERS);
	submit(scheduler, &flow, &large, OTHERS, 0, LARGE * COST);
	for (unsigned f = 0; f < OTHERS; f++) {
		init_flow(&flows[f], f);
		for (int i = 0; i < EACH; i++)
			submit(scheduler, &flows[f], &items[f][i], (int)f, i, COST);
	}
	release();
	collect(scheduler, 2 + OTHERS * EACH);
	rip_scheduler_free(scheduler);
	while (logged[1 + before].flow != OTHERS)
		before++;
	assert_in_range(before, OTHERS * (LARGE - 1), OTHERS * LARGE);
}

/* --- floods -------------------------------------------------------------------- */

/* Workers and clients in virtual time, which need neither threads nor a clock.  Times are in
 * microseconds.  What a page of 1.8 million columns in 2 planes and a band of A4 at 600 dpi
 * take is measured. */
enum {
	PAGE_COST = 1800000 * 2 * 32, PAGE_US = 16000, BAND_COST = 500000, BAND_US = 200,
	BANDS_MAX = 4, CROWD_MAX = 101, VIRTUAL_WORKERS_MAX = 16, IDLE_US = 300000,
	LATE_US = 2000000
};
#define NEVER UINT64_MAX

static const char *const habits[] = { "", ", a new process for each page", ", with rests" };
enum habit { STEADY, ANEW, RESTING, HABITS };

/* Attackers that open pages, one at a time each, and an honest page of so many bands. */
struct flood {
	unsigned   attackers;
	enum habit habit;
	unsigned   workers, bands, in_flight;
	unsigned   width; /* of the attackers' pages, in 1.8 million columns */
};

struct virtual_client {
	struct rip_share share; /* first */
	struct rip_flow  flow;
	struct rip_work  work[BANDS_MAX];
	uint64_t         due[BANDS_MAX]; /* when it submits that one, or NEVER */
	unsigned         sent, done;
	uint64_t         done_us, longest_us; /* the last one; between one and the next */
};

static struct {
	struct rip_scheduler  scheduler; /* without workers */
	struct virtual_client clients[CROWD_MAX]; /* the first one is honest */
	struct { struct rip_work *work; uint64_t end; } workers[VIRTUAL_WORKERS_MAX];
	uint64_t now;
} virtual = {
	.scheduler = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .fd = -1 }
};

static uint64_t between(uint64_t low, uint64_t high)
{
	return low + rip_test_random() % (high - low + 1);
}

static void begin_share(struct virtual_client *client)
{
	rip_share_init(&client->share);
	rip_flow_init(&client->flow, &client->share);
}

static void begin_flood(const struct flood *flood, uint64_t honest_us)
{
	virtual.scheduler.shares = (struct rip_fair_queue){ 0 };
	virtual.scheduler.workers = flood->workers;
	virtual.scheduler.large = 0;
	memset(virtual.workers, 0, sizeof virtual.workers);
	virtual.now = 0;
	for (unsigned i = 0; i <= flood->attackers; i++) {
		struct virtual_client *client = &virtual.clients[i];

		memset(client, 0, sizeof *client);
		begin_share(client);
		for (unsigned k = 0; k < BANDS_MAX; k++)
			client->due[k] = NEVER;
		client->due[0] = i ? between(0, 500) : honest_us;
	}
}

/* A work of a client is done: the next one comes a round trip later. */
static void virtual_done(const struct flood *flood, struct virtual_client *client, unsigned k)
{
	const uint64_t gap = virtual.now - client->done_us;

	client->longest_us = gap > client->longest_us ? gap : client->longest_us;
	client->done_us = virtual.now;
	client->done++;
	if (client != &virtual.clients[0])
		client->due[0] = virtual.now + between(100, 500) +
				 (flood->habit == RESTING ? IDLE_US : 0);
	else if (client->done > 1)
		client->due[k] = virtual.now + between(1000, 3000);
	else /* its page is open */
		for (k = 0; k < flood->in_flight; k++)
			client->due[k] = virtual.now + between(1000, 3000);
}

static void virtual_submit(const struct flood *flood, struct virtual_client *client, unsigned k)
{
	const bool honest = client == &virtual.clients[0];

	client->due[k] = NEVER;
	if (honest && client->sent == 1 + flood->bands)
		return;
	if (!honest && flood->habit == ANEW)
		begin_share(client);
	client->work[k].cost = !honest ? flood->width * PAGE_COST :
			       client->sent ? BAND_COST : 4960 * 32;
	client->sent++;
	rip_scheduler_submit(&virtual.scheduler, &client->flow, &client->work[k]);
}

/* What happens now.  Returns when something happens next. */
static uint64_t virtual_step(const struct flood *flood)
{
	uint64_t next = NEVER;

	for (unsigned w = 0; w < flood->workers; w++) {
		struct rip_work *work = virtual.workers[w].work;
		struct virtual_client *client;

		if (!work || virtual.workers[w].end > virtual.now)
			continue;
		virtual.workers[w].work = NULL;
		ran_locked(&virtual.scheduler, work);
		assert_ptr_equal(rip_scheduler_collect(&virtual.scheduler), work);
		client = (struct virtual_client *)work->flow->share;
		virtual_done(flood, client, (unsigned)(work - client->work));
	}
	for (unsigned i = 0; i <= flood->attackers; i++)
		for (unsigned k = 0; k < BANDS_MAX; k++) {
			if (virtual.clients[i].due[k] <= virtual.now)
				virtual_submit(flood, &virtual.clients[i], k);
			if (virtual.clients[i].due[k] < next)
				next = virtual.clients[i].due[k];
		}
	for (unsigned w = 0; w < flood->workers; w++) {
		struct rip_work *work = virtual.workers[w].work;

		if (!work && (work = next_locked(&virtual.scheduler))) {
			virtual.workers[w].work = work;
			virtual.workers[w].end = virtual.now +
				(work->cost < PAGE_COST ? BAND_US :
				 flood->width * between(PAGE_US - 500, PAGE_US + 500));
		}
		if (work && virtual.workers[w].end < next)
			next = virtual.workers[w].end;
	}
	return next;
}

/* How long the honest page takes, which comes when every attacker has had a page. */
static uint64_t run_flood(const struct flood *flood)
{
	const uint64_t began = flood->attackers * flood->width * PAGE_US + between(0, 100000);
	const struct virtual_client *honest = &virtual.clients[0];

	begin_flood(flood, began);
	for (;;) {
		const uint64_t next = virtual_step(flood);

		if (honest->done == 1 + flood->bands)
			return virtual.now - began;
		virtual.now = next;
	}
}

/* Every attacker got its part, too: between two of its pages each of the others had one or two. */
static void check_attackers(const struct flood *flood)
{
	const uint64_t page_us = flood->width * PAGE_US;
	uint64_t limit = 2 * ((flood->attackers + 1) * page_us / flood->workers + page_us) +
			 (flood->habit == RESTING ? IDLE_US : 0);

	for (unsigned i = 1; i <= flood->attackers; i++) {
		const struct virtual_client *client = &virtual.clients[i];

		assert_true(client->longest_us <= limit);
		assert_true(virtual.now - client->done_us <= limit);
	}
}

/* The most by which an honest page is later than its share of the workers explains. */
static int64_t most_late(struct flood flood)
{
	int64_t most = INT64_MIN;

	for (flood.in_flight = 2; flood.in_flight <= BANDS_MAX; flood.in_flight++) {
		struct flood none = flood;
		uint64_t took, alone, share;

		none.attackers = 0;
		alone = run_flood(&none);
		took = run_flood(&flood);
		check_attackers(&flood);
		share = (uint64_t)BAND_US * (1 + flood.bands) * (flood.attackers + 1) / flood.workers;
		share = share > alone ? share : alone;
		most = (int64_t)(took - share) > most ? (int64_t)(took - share) : most;
	}
	return most;
}

/* However many processes open large pages, and however they come: a page whose bands are
 * small, and which waits for its client after every few of them, does not wait for a page of
 * each of the others every time. */
static int64_t most_late_of_crowds(struct flood flood)
{
	static const unsigned attackers[] = { 1, 6, 12, 37, 48, 100 };
	int64_t most = INT64_MIN;

	print_message("%3u bands, %2u workers%s: 1 to 100 attackers, late by", flood.bands,
		      flood.workers, habits[flood.habit]);
	for (size_t i = 0; i < sizeof attackers / sizeof attackers[0]; i++) {
		int64_t late;

		flood.attackers = attackers[i];
		late = most_late(flood);
		most = late > most ? late : most;
		print_message(" %.2f", (double)late / 1e6);
	}
	print_message(" s\n");
	return most;
}

TEST(floods)
{
	static const unsigned workers[] = { 1, 2, 16 }, bands[] = { 19, 150 };

	for (unsigned at = 0; at < 2 * 3 * HABITS; at++)
		assert_true(most_late_of_crowds((struct flood){
			.bands = bands[at / (3 * HABITS)], .habit = at / 3 % HABITS,
			.workers = workers[at % 3], .width = 1 }) <= LATE_US);
}

/* Pages so wide that one takes 0.2 s, which is longer than the honest client takes to send its
 * next bands: a worker must be left for these. */
TEST(floods_of_wide_pages)
{
	static const unsigned workers[] = { 2, 4, 16 };

	for (unsigned at = 0; at < 3 * HABITS; at++)
		assert_true(most_late_of_crowds((struct flood){
			.bands = 150, .habit = at / 3, .workers = workers[at % 3],
			.width = 12 }) <= LATE_US);
}

/* The last large work that ran where no other large one may begin: the next one begins then,
 * though the worker that did it leaves. */
TEST(large_and_resize)
{
	enum { COST = 1 << 26 };
	struct rip_scheduler *scheduler;
	struct numbered works[3];
	struct rip_flow flows[3];

	setup(3, &scheduler);
	atomic_store(&gate, 0);
	for (int i = 0; i < 3; i++) {
		init_flow(&flows[i], (unsigned)i);
		submit(scheduler, &flows[i], &works[i], i, 0, COST);
	}
	usleep(20000);
	assert_int_equal(rip_scheduler_resize(scheduler, 2), 0);
	atomic_store(&gate, 1);
	collect(scheduler, 3);
	rip_scheduler_free(scheduler);
}
