/* The real riptided over its socket: pages, its socket's file, and its end. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon_fixture.h"
#include "tests/tools/testing.h"

/* Kilobytes that a daemon may grow by in 100 sessions; the rings alone would be
 * 2,400,000.  Sanitizers keep what was freed for a while. */
#define MEMORY_SLACK (RIP_TEST_SANITIZED ? 65536 : 2048)

static const char *const cpu[] = { "--device", "cpu", NULL };

static const struct rip_page_spec a4 = {
	.width = 4961, .planes = 1, .levels = 2, .sample_bits = 8,
	.screen = &rip_screens[RIP_FLOYD_STEINBERG]
};

/* Random pages of all kinds, several in a session, have the dots of the engine. */
TEST(pages)
{
	struct daemon daemon;

	daemon_init(&daemon);
	daemon_start(&daemon, cpu);
	for (int job = 1; job <= 12; job++) {
		struct rip_client client;

		assert_int_equal(rip_client_open(&client, daemon.socket, job, "q",
						 (enum rip_method)rip_test_below(RIP_METHODS)), 0);
		for (uint32_t number = 1; number <= 4; number++) {
			struct page page;
			unsigned wrong;
			int fault;

			page_init(&page, NULL, 1 + rip_test_below(300), rip_test_random());
			page_send(&page, &client, number, 1 + rip_test_below(rip_test_below(2) ? 5 : 200), &fault,
				  &wrong);
			assert_int_equal(fault, 0);
			assert_int_equal(wrong, 0);
			page_finish(&page);
		}
		rip_client_finish(&client);
	}
	assert_true(daemon_await_sessions(&daemon, 0));
	assert_int_equal(daemon_stop(&daemon, SIGTERM), 0);
	assert_int_equal(daemon_said(&daemon, "session-end"), 12);
	assert_int_equal(access(daemon.socket, F_OK), -1);
	daemon_finish(&daemon);
}

/* A page that begins with a carry goes on where another engine stopped; a carry
 * that no engine can have sent ends the session. */
TEST(start_carry)
{
	struct daemon daemon;
	struct rip_client client;
	struct page page;
	int16_t *carry = calloc(a4.width, sizeof *carry);

	daemon_init(&daemon);
	daemon_start(&daemon, cpu);
	page_init(&page, &a4, 10, rip_test_random());
	rip_carry_start(&a4, 0, RIP_START_NOISE, carry);
	assert_int_equal(rip_client_open(&client, daemon.socket, 1, "q", RIP_METHOD_EC), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 10, RIP_START_ZERO, carry), 0);
	carry[a4.width - 1] = 18433;
	assert_int_equal(rip_client_page(&client, &a4, 2, 10, RIP_START_ZERO, carry), -ECONNRESET);
	assert_non_null(strstr(client.reason, "carry"));
	rip_client_finish(&client);
	assert_int_equal(daemon_stop(&daemon, SIGTERM), 0);
	page_finish(&page);
	free(carry);
	daemon_finish(&daemon);
}

/* A page whose line does not fit is refused, and the session goes on. */
TEST(too_large)
{
	const struct rip_page_spec wide = {
		.width = RIP_WIDTH_MAX, .planes = 1, .levels = 2, .sample_bits = 8,
		.screen = &rip_screens[RIP_FLOYD_STEINBERG]
	};
	struct rip_message message = { .type = RIP_PAGE };
	struct daemon daemon;
	struct rip_client client;
	struct page page;
	unsigned wrong;
	int fault;

	daemon_init(&daemon);
	daemon_start(&daemon, cpu);
	page_init(&page, &a4, 50, rip_test_random());
	assert_int_equal(rip_client_open(&client, daemon.socket, 1, "q", RIP_METHOD_AUTO), 0);
	/* The client knows by itself; so it is said by hand. */
	assert_int_equal(rip_client_page(&client, &wide, 1, 1, RIP_START_NOISE, NULL),
			 RIP_CLIENT_REFUSED);
	message.page = (struct rip_page_message){ .page = 1, .width = RIP_WIDTH_MAX, .planes = 16,
						  .levels = 2, .sample_bits = 8 };
	assert_int_equal(rip_connection_send(&client.connection, &message, NULL), 0);
	do
		fault = rip_connection_receive(&client.connection, &message);
	while (fault == -EAGAIN);
	assert_int_equal(fault, 0);
	assert_int_equal(message.type, RIP_PAGE_REFUSED);
	page_send(&page, &client, 2, 16, &fault, &wrong);
	assert_int_equal(fault, 0);
	assert_int_equal(wrong, 0);
	rip_client_finish(&client);
	assert_int_equal(daemon_stop(&daemon, SIGTERM), 0);
	page_finish(&page);
	daemon_finish(&daemon);
}

/* SIGTERM with bands at work: bands that run are answered, the rest hears GOODBYE,
 * and the daemon ends well and soon. */
TEST(stop_at_work)
{
	struct rip_message message;
	struct daemon daemon;
	struct rip_client client;
	struct rip_band *band;
	struct pollfd pfd;
	unsigned done = 0, goodbye = 0;

	daemon_init(&daemon);
	daemon_start(&daemon, (const char *const[]){ "--device", "cpu", "--threads", "1", NULL });
	assert_int_equal(rip_client_open(&client, daemon.socket, 1, "q", RIP_METHOD_ED), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 4000, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&a4, 800, &band), 0);
	for (int row = 0; row < 800; row++) {
		memset(rip_band_row(band, 0), 77, a4.width);
		rip_band_commit(band, 0);
	}
	while (rip_client_bands(&client) > client.sent)
		assert_int_equal(rip_client_send(&client, band, 800 * (client.sent + 1)), 0);
	assert_int_equal(kill(daemon.pid, SIGTERM), 0);
	pfd = (struct pollfd){ .fd = client.connection.fd, .events = POLLIN };
	for (;;) {
		int r = rip_connection_receive(&client.connection, &message);

		if (r == -EAGAIN) {
			assert_true(poll(&pfd, 1, 5000) > 0);
			continue;
		}
		if (r < 0)
			break;
		if (message.type == RIP_BAND_DONE) {
			assert_int_equal(message.state.seq, done);
			assert_int_equal(goodbye, 0);
			done++;
		}
		goodbye += message.type == RIP_GOODBYE;
	}
	assert_int_equal(goodbye, 1);
	assert_int_equal(daemon_wait(&daemon), 0);
	client.faulty = true;
	rip_client_finish(&client);
	rip_band_free(band);
	daemon_finish(&daemon);
}

/* One job after the other: nothing grows. */
TEST(many_sessions)
{
	struct daemon daemon;
	unsigned descriptors, memory;
	struct page page;

	daemon_init(&daemon);
	daemon_start(&daemon, cpu);
	page_init(&page, &(struct rip_page_spec){ .width = 1000, .planes = 4, .levels = 2,
						  .sample_bits = 8, .screen = &rip_screens[RIP_FLOYD_STEINBERG] },
		  64, rip_test_random());
	for (int job = 1; job <= 20; job++)
		page_check(&page, daemon.socket, job, 20);
	assert_true(daemon_await_sessions(&daemon, 0));
	descriptors = daemon_descriptors(&daemon);
	memory = daemon_memory(&daemon);
	for (int job = 21; job <= 120; job++)
		page_check(&page, daemon.socket, job, 20);
	assert_true(daemon_await_sessions(&daemon, 0));
	assert_true(daemon_await_descriptors(&daemon, descriptors));
	assert_true(daemon_memory(&daemon) < memory + MEMORY_SLACK);
	page_finish(&page);
	assert_int_equal(daemon_stop(&daemon, SIGTERM), 0);
	daemon_finish(&daemon);
}

/* The file that a dead daemon left is replaced; a live daemon's is not, nor is
 * a file that is no socket. */
TEST(socket_file)
{
	struct daemon daemon, second;
	struct page page;
	struct stat st;
	int fd;

	daemon_init(&daemon);
	daemon_start(&daemon, cpu);
	assert_int_equal(stat(daemon.socket, &st), 0);
	assert_int_equal(st.st_mode & 07007, 0);
	second = daemon;
	second.pid = fork();
	if (second.pid == 0) {
		int log = open(daemon.log, O_WRONLY | O_APPEND);

		dup2(log, STDERR_FILENO);
		execl(getenv("RIPTIDED") ? getenv("RIPTIDED") : "./riptided", "riptided", "--config",
		      "/dev/null", "--socket", daemon.socket, NULL);
		_exit(127);
	}
	assert_int_equal(daemon_wait(&second), 1);
	assert_int_equal(daemon_said(&daemon, "another riptided listens on"), 1);

	assert_int_equal(daemon_stop(&daemon, SIGKILL), -SIGKILL);
	assert_int_equal(access(daemon.socket, F_OK), 0);
	daemon_start(&daemon, cpu);
	page_init(&page, NULL, 20, rip_test_random());
	page_check(&page, daemon.socket, 1, 7);
	page_finish(&page);
	/* A file that somebody else put there in the meantime is left alone. */
	assert_int_equal(unlink(daemon.socket), 0);
	fd = open(daemon.socket, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(daemon_stop(&daemon, SIGTERM), 0);
	assert_int_equal(access(daemon.socket, F_OK), 0);

	second.pid = fork();
	if (second.pid == 0) {
		int log = open(daemon.log, O_WRONLY | O_APPEND);

		dup2(log, STDERR_FILENO);
		execl(getenv("RIPTIDED") ? getenv("RIPTIDED") : "./riptided", "riptided", "--config",
		      "/dev/null", "--socket", daemon.socket, NULL);
		_exit(127);
	}
	assert_int_equal(daemon_wait(&second), 1);
	assert_int_equal(daemon_said(&daemon, "is no socket"), 1);
	daemon_finish(&daemon);
}

/* --device auto without a GPU says so at once. */
TEST(no_accelerator)
{
	struct rip_client client;
	struct daemon daemon;

	daemon_init(&daemon);
	daemon_start(&daemon, NULL);
	if (rip_client_open(&client, daemon.socket, 1, "q", RIP_METHOD_AUTO) == 0) {
		rip_client_finish(&client);
		print_message("this machine has a GPU\n");
	} else {
		assert_int_equal(rip_client_open(&client, daemon.socket, 1, "q", RIP_METHOD_BWEC),
				 RIP_CLIENT_NO_ACCELERATOR);
		assert_true(strlen(client.reason) > 0);
	}
	assert_int_equal(daemon_stop(&daemon, SIGINT), 0);
	daemon_finish(&daemon);
}

BEFORE_TESTS
{
	signal(SIGPIPE, SIG_IGN);
	alarm(1200); /* nothing here may hang */
}
