/*
 * A job, and a real riptided that is killed, restarted, stopped or frozen at every
 * message of its session: the pages come out right, and nobody waits for long.
 *
 * The job is a process of its own.  This one carries its messages to the daemon and
 * back, so that it can do something to the daemon at any of them.
 */
#include "tests/tools/testing.h"

#include <poll.h>

#include "daemon_job.h"
#include "system/clock.h"
#include "tests/tools/unix_socket.h"

static const char *const cpu[] = { "--device", "cpu", "--threads", "1", NULL };

enum act { NOTHING, KILL, KILL_AND_RESTART, TERMINATE, FREEZE };

static struct page page[2];
static const struct page *const pages[] = { &page[0], &page[1] };

static void start(void)
{
	daemon_init(&riptided);
	daemon_start(&riptided, cpu);
	for (int i = 0; i < 2; i++)
		page_init(&page[i], NULL, 120, rip_test_random());
}

static void finish(void)
{
	for (int i = 0; i < 2; i++)
		page_finish(&page[i]);
	daemon_finish(&riptided);
}

/* --- the carrier --------------------------------------------------------------- */

static void do_it(enum act act)
{
	switch (act) {
	case NOTHING:
		break;
	case KILL:
	case KILL_AND_RESTART:
		assert_int_equal(daemon_stop(&riptided, SIGKILL), -SIGKILL);
		if (act == KILL_AND_RESTART)
			daemon_start(&riptided, cpu);
		break;
	case TERMINATE:
		assert_int_equal(kill(riptided.pid, SIGTERM), 0);
		break;
	case FREEZE:
		assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
		break;
	}
}

/* Carries messages between the two ends until one of them is closed, and does
 * something before it passes on the one of number `when`.  How many it carried. */
static unsigned carry(int client, int daemon, enum act act, unsigned when)
{
	struct rip_connection ends[2];
	unsigned count = 0;
	bool open = true;

	rip_connection_init(&ends[0], client);
	rip_connection_init(&ends[1], daemon);
	while (open) {
		struct pollfd pfds[2] = { { client, POLLIN, 0 }, { daemon, POLLIN, 0 } };
		bool idle = true;

		for (int i = 0; i < 2 && open; i++) {
			static struct rip_message message;
			int r = rip_connection_receive(&ends[i], &message), *fds = ends[i].in_fds;

			if (r == -EAGAIN)
				continue;
			idle = false;
			if (r < 0) {
				open = false;
				break;
			}
			if (count++ == when)
				do_it(act);
			/* To one that is gone nothing can be said. */
			(void)rip_connection_send(&ends[!i], &message, fds[0] >= 0 ? fds : NULL);
			if (fds[0] >= 0) {
				close(fds[0]);
				close(fds[1]);
				fds[0] = fds[1] = -1;
			}
		}
		if (open && idle)
			assert_true(poll(pfds, 2, 20000) > 0);
	}
	rip_connection_finish(&ends[0]);
	rip_connection_finish(&ends[1]);
	return count;
}

/* A job of two pages through the carrier.  How many messages there were. */
static unsigned job_with(enum act act, unsigned when, unsigned warnings)
{
	char path[sizeof riptided.socket + 8];
	struct job job = { .socket = path, .number = when + 1, .rows = 20 };
	int listener, client, daemon;
	struct pollfd pfd;
	unsigned count;
	pid_t pid;

	snprintf(path, sizeof path, "%s.way", riptided.socket);
	listener = unix_listen(path);
	pid = job_fork(&job, pages, 2, warnings);
	pfd = (struct pollfd){ listener, POLLIN, 0 };
	assert_int_equal(poll(&pfd, 1, 10000), 1);
	client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	assert_true(client >= 0);
	close(listener);
	unlink(path);
	daemon = daemon_connect(&riptided);
	count = carry(client, daemon, act, when);
	assert_true(job_ended(pid));
	return count;
}

/* --- the tests ----------------------------------------------------------------- */

/* At each message of a job, from HELLO to END. */
static void at_every_message(enum act act)
{
	unsigned all;

	start();
	all = job_with(NOTHING, 0, 0);
	assert_in_range(all, 2 + 2 * 2 + 2 * 2 * 5 + 1, 2 + 2 * 2 + 2 * 2 * 6 + 1);
	for (unsigned when = 0; when < all; when++) {
		job_with(act, when, 1);
		if (act == KILL_AND_RESTART)
			daemon_await_sessions(&riptided, 0);
		if (act == TERMINATE)
			assert_int_equal(daemon_wait(&riptided), 0);
		if (act == KILL || act == TERMINATE)
			daemon_start(&riptided, cpu);
	}
	/* A job does not go back to a daemon that it has left. */
	if (act == KILL_AND_RESTART)
		assert_int_equal(daemon_said(&riptided, "session-end"), 1);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	finish();
}

TEST(killed)
{
	at_every_message(KILL);
}

TEST(killed_and_restarted)
{
	at_every_message(KILL_AND_RESTART);
}

TEST(terminated)
{
	at_every_message(TERMINATE);
}

/* Frozen in each state: two seconds of silence, once.  Thawed, it has forgotten the
 * job, and serves the next one. */
TEST(frozen)
{
	static const unsigned whens[] = { 0, 1, 2, 4, 7 };

	start();
	for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++) {
		const double began = rip_clock_s();

		job_with(FREEZE, whens[i], 1);
		/* Two, on a machine that has nothing else to do; twenty if it waited for the job's
		 * end. */
		assert_true(rip_test_repeated() || rip_clock_s() - began < 15);
		assert_int_equal(kill(riptided.pid, SIGCONT), 0);
		daemon_await_sessions(&riptided, 0);
		page_check(&page[0], riptided.socket, 100, 20);
	}
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	finish();
}

/* Frozen for ten seconds, with jobs that were there, and jobs that come. */
TEST(frozen_for_long)
{
	struct job job = { .socket = riptided.socket, .number = 1, .rows = 3 };
	double began;
	pid_t pids[6];

	start();
	for (unsigned i = 0; i < 3; i++)
		pids[i] = job_fork(&job, pages, 2, 1);
	usleep(20000);
	began = rip_clock_s();
	assert_int_equal(kill(riptided.pid, SIGSTOP), 0);
	for (unsigned i = 3; i < 6; i++)
		pids[i] = job_fork(&job, pages, 2, 1);
	for (unsigned i = 0; i < 6; i++)
		assert_true(job_ended(pids[i]));
	while (rip_clock_s() - began < 10)
		usleep(50000);
	assert_int_equal(kill(riptided.pid, SIGCONT), 0);
	daemon_await_sessions(&riptided, 0);
	page_check(&page[1], riptided.socket, 7, 20);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	finish();
}
