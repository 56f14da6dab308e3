/* Floods of pages, as the scheduler orders them: an honest page is never late, and nobody who
 * floods gets more than its share. */
#include "tests/tools/testing.h"

#include "daemon/scheduler.c" /* its order, without threads */

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
} virtual = { .scheduler = { .lock = PTHREAD_MUTEX_INITIALIZER,
			     .wake = PTHREAD_COND_INITIALIZER,
			     .fd = -1 } };

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
		share = (uint64_t)BAND_US * (1 + flood.bands) * (flood.attackers + 1) /
			flood.workers;
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
