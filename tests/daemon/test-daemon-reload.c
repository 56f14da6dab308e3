/* The real riptided, told to read its configuration again: what changes at once, what
 * does not, and a file that is wrong. */
#include "tests/tools/testing.h"

#include "daemon_fixture.h"

/* Reloads, and waits until the log has `text` once more. */
static void reload(const char *text, const char *said)
{
	const unsigned before = daemon_said(&riptided, said);

	if (text)
		daemon_configure(&riptided, text);
	assert_int_equal(kill(riptided.pid, SIGHUP), 0);
	AWAIT(daemon_said(&riptided, said) != before);
}

static unsigned workers(void)
{
	return daemon_status(&riptided).workers;
}

/* Limits count for who comes from then on, and the log's level for what is said. */
TEST(limits)
{
	struct rip_client first, second;
	AUTO(page_finish) struct page page;

	riptided_start("cpu", "threads = 1\n", "");
	assert_int_equal(workers(), 1);
	assert_int_equal(rip_client_open(&first, riptided.socket, 1, "q", 0), 0);
	reload("threads = 3\nmax-sessions = 1\nlog-level = debug\n", "configuration read again");
	assert_int_equal(workers(), 3);
	assert_int_equal(daemon_said(&riptided, "threads 3, max-sessions 1,"), 1);
	assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(second.reason, "1 session is open; the limit is 1 (max-sessions)"));
	/* Who is here stays, and is served by the new workers. */
	page_init(&page, NULL, 200, rip_test_random());
	page_print(&page, &first, 1, 10);
	assert_int_equal(daemon_said(&riptided, "session-begin"), 0);
	reload("max-memory = 64M\nthreads = 2\nlog-level = debug\n", "configuration read again");
	assert_int_equal(workers(), 2);
	assert_int_equal(rip_client_open(&second, riptided.socket, 3, "q", 0), 0);
	assert_int_equal(daemon_said(&riptided, "session-begin"), 1);
	rip_client_finish(&second);
	rip_client_finish(&first);
	riptided_finish(0);
}

/* A file that is wrong, or gone, changes nothing, and the log says where. */
TEST(wrong)
{
	char where[256];

	riptided_start("cpu", "threads = 2\n", "");
	snprintf(where, sizeof where, "%s:2: threads: 'none' is not", riptided.config);
	reload("max-sessions = 1\nthreads = none\n", where);
	assert_int_equal(workers(), 2);
	assert_int_equal(daemon_said(&riptided, "the configuration is unchanged"), 1);
	assert_int_equal(daemon_said(&riptided, "configuration read again"), 0);
	unlink(riptided.config);
	reload(NULL, "No such file or directory; the configuration is unchanged");
	assert_int_equal(workers(), 2);
	/* What needs a restart is reported, and the rest is applied. */
	reload("device = gpu\nsocket = /elsewhere\ngroup = users\nthreads = 1\n",
	       "configuration read again");
	assert_int_equal(workers(), 1);
	assert_int_equal(daemon_said(&riptided, "socket has changed; restart"), 0); /* --socket */
	assert_int_equal(daemon_said(&riptided, "device has changed; restart"), 0); /* --device */
	assert_int_equal(daemon_said(&riptided, "group has changed; restart"), 1);
	riptided_finish(0);
}

/* Reloads without end disturb no page.  How many there are is the scheduler's: pages follow
 * each other until there were some. */
TEST(at_work)
{
	riptided_start("cpu", "threads = 2\n", "");
	for (uint32_t job = 1; job <= 6 || daemon_said(&riptided, "configuration read again") < 7;
	     job++) {
		AUTO(page_finish) struct page page;
		pid_t pid;

		assert_true(job < 500);
		page_init(&page, NULL, 300, rip_test_random());
		pid = fork_child();
		if (pid == 0) {
			for (int i = 0; ; i++) {
				daemon_configure(&riptided,
						 i % 2 ? "threads = 1\n" : "threads = 4\n");
				kill(riptided.pid, SIGHUP);
				usleep(300);
			}
		}
		page_check(&page, riptided.socket, job, 7);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	riptided_finish(0);
}
