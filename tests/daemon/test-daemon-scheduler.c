/* The scheduler: order within a flow, fairness between processes and between the flows of
 * one, drop, progress, busy time. */
#include "tests/tools/testing.h"

#include <stdatomic.h>

#include "tests/daemon/scheduler_test.h"

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

/* Work items of a flow run in order and one at a time, with any number of workers.  These come and
 * go meanwhile: no work item is lost or done twice, and workers that leave end theirs first. */
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
