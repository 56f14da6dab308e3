/* Planes in plain C by several threads: the dots and carries of one thread, for every screen,
 * number of levels, size, cut into strips and number of threads. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "halftone/threads/plain_planes.h"
#include "tests/tools/random_image.h"

#define MOST 9 /* strips of a plane */

struct page {
	struct image im;
	uint32_t cuts[RIP_PLANES_MAX][MOST + 1]; /* where strips begin; the last is `rows` */
};

static struct rip_strip strip_of(const struct page *page, uint32_t plane, uint32_t from,
				 uint32_t to)
{
	return image_strip(&page->im, plane, to - from, (size_t)plane * page->im.rows + from,
			   page->im.got);
}

/* What one thread makes of it, pushing errors in one strip. */
static void reference(struct page *page, const struct rip_tone *tone)
{
	struct image *im = &page->im;

	for (uint32_t p = 0; p < im->spec.planes; p++) {
		const struct rip_strip strip = image_strip(im, p, im->rows, (size_t)p * im->rows,
							   im->want);
		struct rip_diffuser diffuser;

		assert_int_equal(rip_diffuser_init(&diffuser, &im->spec, tone, false), 0);
		rip_diffuser_import(&diffuser, image_carry(im, im->start, p));
		rip_diffuser_run(&diffuser, &strip);
		rip_diffuser_export(&diffuser, image_carry(im, im->want_carry, p));
		rip_diffuser_finish(&diffuser);
	}
}

static void page_init(struct page *page, const struct rip_page_spec *spec, uint32_t rows)
{
	*page = (struct page){ .im = { .spec = *spec, .rows = rows } };
	image_fill(&page->im);
	for (uint32_t p = 0; p < spec->planes; p++) {
		uint32_t n = 0, at = 0;

		while (at < rows && n < MOST) {
			page->cuts[p][n++] = at;
			at += rip_test_below(3) ? 1 + rip_test_below(rows) : 1 + rip_test_below(4);
		}
		for (; n <= MOST; n++)
			page->cuts[p][n] = rows;
	}
}

static void page_finish(struct page *page)
{
	image_free(&page->im);
}

static void check(const struct page *page, const struct rip_plain_planes *planes, unsigned threads)
{
	char why[300];

	for (uint32_t p = 0; p < page->im.spec.planes; p++)
		rip_diffuser_export(rip_plain_planes_plane(planes, p),
				    image_carry(&page->im, page->im.got_carry, p));
	if (!image_equal(&page->im, why, sizeof why))
		fail_msg("%u threads: %s", threads, why);
}

/* Pushes the strips of all planes, some at a time; waits now and then. */
static void run_page(const struct page *page, const struct rip_tone *tone, struct rip_team *team,
		     bool collect, bool wait, unsigned threads)
{
	struct rip_plain_planes planes;
	struct rip_strip strips[RIP_PLANES_MAX];

	assert_int_equal(rip_plain_planes_init(&planes, &page->im.spec, tone, collect, team), 0);
	for (uint32_t p = 0; p < page->im.spec.planes; p++)
		rip_diffuser_import(rip_plain_planes_plane(&planes, p),
				    image_carry(&page->im, page->im.start, p));
	for (int i = 0; i < MOST; i++) {
		for (uint32_t p = 0; p < page->im.spec.planes; p++) /* also of no rows */
			strips[p] = strip_of(page, p, page->cuts[p][i], page->cuts[p][i + 1]);
		assert_int_equal(rip_plain_planes_push(&planes, strips, page->im.spec.planes), 0);
		if (wait && i % 3 == 1)
			rip_plain_planes_wait(&planes);
	}
	rip_plain_planes_wait(&planes);
	check(page, &planes, threads);
	rip_plain_planes_finish(&planes);
	rip_plain_planes_finish(&planes);
}

/* Every screen with every number of levels, all else at random. */
TEST(threads_change_no_dot)
{
	for (uint32_t round = 0; round < (RIP_TEST_SANITIZED ? 2 : 8) * RIP_SCREENS_APART * 15u;
	     round++) {
		static const uint32_t widest[] = { 20, 300, 1200, 5000 };
		const struct rip_page_spec spec = {
			.width = 1 + rip_test_below(widest[rip_test_below(4)]),
			.planes = 1 + rip_test_below(4),
			.levels = 2 + round % 15,
			.sample_bits = rip_test_below(2) ? 8 : 16,
			.screen = &rip_screens[round / 15 % RIP_SCREENS_APART],
		};
		const unsigned threads = rip_test_below(9);
		struct rip_team *team = NULL;
		AUTO(rip_tone_finish) struct rip_tone tone;
		AUTO(page_finish) struct page page;

		page_init(&page, &spec, 1 + rip_test_below(rip_test_below(2) ? 10 : 90));
		assert_int_equal(rip_tone_init(&tone, &spec), 0);
		reference(&page, &tone);
		if (threads > 0)
			assert_int_equal(rip_team_get(NULL, 0, threads, &team), 0);
		run_page(&page, &tone, team, rip_test_below(2), rip_test_below(2), threads);
		rip_team_put(team);
	}
}

/* Rows by columns: a piece may end anywhere, also within a byte of dots. */
TEST(pieces_may_end_anywhere)
{
	for (uint32_t round = 0; round < 2 * RIP_SCREENS_APART * 15u; round++) {
		const struct rip_page_spec spec = {
			.width = 1 + rip_test_below(300),
			.planes = 1,
			.levels = 2 + round % 15,
			.sample_bits = rip_test_below(2) ? 8 : 16,
			.screen = &rip_screens[round / 15 % RIP_SCREENS_APART],
		};
		const uint32_t rows = 1 + rip_test_below(9), longest = 1 + rip_test_below(40);
		struct rip_plain_planes planes;
		struct rip_diffuser *diffuser, before;
		struct rip_strip strip;
		AUTO(rip_tone_finish) struct rip_tone tone;
		AUTO(page_finish) struct page page;

		page_init(&page, &spec, rows);
		assert_int_equal(rip_tone_init(&tone, &spec), 0);
		reference(&page, &tone);
		assert_int_equal(rip_plain_planes_init(&planes, &spec, &tone, rip_test_below(2),
						       NULL),
				 0);
		diffuser = rip_plain_planes_plane(&planes, 0);
		rip_diffuser_import(diffuser, page.im.start);
		before = *diffuser;
		strip = strip_of(&page, 0, 0, rows);
		for (uint32_t row = 0; row < rows; row++) {
			struct rip_diffuser_cache cache;

			for (uint32_t from = 0, to; from < spec.width; from = to) {
				to = from + 1 + rip_test_below(longest);
				to = to < spec.width ? to : spec.width;
				rip_diffuser_columns(&before, &strip, row, from, to, &cache);
			}
		}
		rip_diffuser_advance(diffuser, rows);
		check(&page, &planes, 0);
		rip_plain_planes_finish(&planes);
	}
}

/* Pages of several clients with one team at once. */
struct client {
	struct page      page;
	struct rip_tone  tone;
	struct rip_team *team;
	pthread_t        thread;
};

static void *run_client(void *argument)
{
	struct client *client = argument;

	for (int i = 0; i < 3; i++)
		run_page(&client->page, &client->tone, client->team, i % 2, true, 4);
	return NULL;
}

TEST(clients_share_a_team)
{
	enum { CLIENTS = 5 };
	struct client clients[CLIENTS];
	struct rip_team *team;

	assert_int_equal(rip_team_get(NULL, 0, 4, &team), 0);
	for (int i = 0; i < CLIENTS; i++) {
		const struct rip_page_spec spec = {
			.width = 1 + rip_test_below(3000),
			.planes = 1 + rip_test_below(3),
			.levels = 2 + rip_test_below(3),
			.sample_bits = 8,
			.screen = &rip_screens[rip_test_below(RIP_SCREENS_APART)],
		};

		page_init(&clients[i].page, &spec, 1 + rip_test_below(120));
		assert_int_equal(rip_tone_init(&clients[i].tone, &spec), 0);
		reference(&clients[i].page, &clients[i].tone);
		clients[i].team = team;
	}
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&clients[i].thread, NULL, run_client, &clients[i]),
				 0);
	for (int i = 0; i < CLIENTS; i++) {
		pthread_join(clients[i].thread, NULL);
		rip_tone_finish(&clients[i].tone);
		page_finish(&clients[i].page);
	}
	rip_team_put(team);
}

/* ---- all threads work ---- */

#define MEET_SECONDS 120 /* that threads take to come, at most; on a quiet machine microseconds */

/* Where threads wait until `wanted` of them are inside at once. */
struct meeting {
	pthread_mutex_t lock;
	pthread_cond_t  come;
	unsigned        wanted, inside;
	bool            failed;
};

struct meeting_task {
	struct rip_team_task base;
	struct meeting      *meeting;
};

static void meet(struct rip_team_task *base, void *memory)
{
	struct meeting *meeting = ((struct meeting_task *)base)->meeting;
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += MEET_SECONDS;
	while (rip_team_task_draw(base) < base->groups) {
		pthread_mutex_lock(&meeting->lock);
		meeting->inside += !meeting->failed;
		pthread_cond_broadcast(&meeting->come);
		while (meeting->inside < meeting->wanted && !meeting->failed)
			if (pthread_cond_timedwait(&meeting->come, &meeting->lock, &until)) {
				meeting->failed = true;
				pthread_cond_broadcast(&meeting->come);
			}
		pthread_mutex_unlock(&meeting->lock);
	}
}

/* To one task for all threads, or to one for each. */
struct invitation {
	struct meeting *meeting;
	uint32_t        tasks;
};

static bool invite(struct rip_team_task *base, const void *context, uint32_t i)
{
	const struct invitation *invitation = context;
	const unsigned each = invitation->meeting->wanted / invitation->tasks;

	base->run = meet;
	base->groups = base->threads_max = each;
	base->ns = 1000000000;
	base->carry = (const char *)context + i;
	rip_team_task_init(base);
	((struct meeting_task *)base)->meeting = invitation->meeting;
	return true;
}

/* Work that ends only when as many threads as the team has are in it at once. */
TEST(all_threads_work)
{
	static const unsigned threads[] = { 2, 3, 4, 7 };

	for (unsigned i = 0; i < 4 * 8; i++) {
		struct meeting meeting = {
			.lock = PTHREAD_MUTEX_INITIALIZER, .come = PTHREAD_COND_INITIALIZER,
			.wanted = threads[i / 8],
		};
		const struct invitation invitation = { &meeting, i & 1 ? meeting.wanted : 1 };
		struct rip_team_queue queue;
		struct rip_team *team;

		assert_int_equal(rip_team_get(meet, 0, meeting.wanted, &team), 0);
		assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct meeting_task)), 0);
		for (int round = 0; round < 3; round++) { /* the threads begin, spin or sleep */
			meeting.inside = 0;
			assert_int_equal(rip_team_queue_push(&queue, invitation.tasks, invite,
							     &invitation),
					 0);
			rip_team_queue_wait(&queue);
			if (meeting.failed)
				fail_msg("%u of %u threads came to %u tasks in %d s",
					 meeting.inside, meeting.wanted, invitation.tasks,
					 MEET_SECONDS);
			usleep(rip_test_below(2) ? 2000 : 0);
		}
		rip_team_queue_finish(&queue);
		rip_team_put(team);
	}
}

/* ---- waiting takes no processor ---- */

struct pause_task {
	struct rip_team_task base;
	int64_t             *waited_us, *worked_us; /* of the thread that waits */
};

static int64_t clock_us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* The first group takes its time, and no processor; the others wait for the group above. */
static void run_pause(struct rip_team_task *base, void *memory)
{
	const struct pause_task *task = (struct pause_task *)base;
	uint32_t group;

	while ((group = rip_team_task_draw(base)) < base->groups) {
		if (group == 0) {
			usleep(400000);
		} else {
			const int64_t start = clock_us(CLOCK_MONOTONIC);
			const int64_t work = clock_us(CLOCK_THREAD_CPUTIME_ID);

			rip_team_task_wait(base, group - 1, 1);
			*task->waited_us = clock_us(CLOCK_MONOTONIC) - start;
			*task->worked_us = clock_us(CLOCK_THREAD_CPUTIME_ID) - work;
		}
		rip_team_task_publish(base, group, 1);
	}
}

static bool fill_pause(struct rip_team_task *base, const void *context, uint32_t i)
{
	int64_t *const *times = context;

	base->run = run_pause;
	base->groups = base->threads_max = 2;
	base->ns = 1000000000;
	base->carry = NULL;
	rip_team_task_init(base);
	((struct pause_task *)base)->waited_us = times[0];
	((struct pause_task *)base)->worked_us = times[1];
	return true;
}

/* A thread that waits for one without a processor leaves alone what a control group has for
 * both. */
TEST(waiting_is_idle)
{
	int64_t waited = 0, worked = 0;
	int64_t *const times[] = { &waited, &worked };
	struct rip_team_queue queue;
	struct rip_team *team;

	assert_int_equal(rip_team_get(run_pause, 0, 2, &team), 0);
	assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct pause_task)), 0);
	assert_int_equal(rip_team_queue_push(&queue, 1, fill_pause, times), 0);
	rip_team_queue_wait(&queue);
	if (worked > waited / 3 + 10000)
		fail_msg("a thread that waited %lld us worked for %lld us", (long long)waited,
			 (long long)worked);
	rip_team_queue_finish(&queue);
	rip_team_put(team);
}
