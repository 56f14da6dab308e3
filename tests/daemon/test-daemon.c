/* The real riptided over its socket: pages, its socket's file, and its end. */
#include "tests/tools/testing.h"

#include <poll.h>
#include <sys/socket.h>

#include "daemon_fixture.h"

/* Random pages of all kinds, several in a session, have the dots of the engine. */
TEST(pages)
{
	riptided_start("cpu", "", "");
	for (int job = 1; job <= 12; job++) {
		struct rip_client client;

		assert_int_equal(rip_client_open(&client, riptided.socket, job, "q",
						 (enum rip_method)rip_test_below(RIP_METHODS)), 0);
		for (uint32_t number = 1; number <= 4; number++) {
			AUTO(page_finish) struct page page;
			unsigned wrong;
			int fault;

			page_init(&page, NULL, 1 + rip_test_below(300), rip_test_random());
			page_send(&page, &client, number,
				  1 + rip_test_below(rip_test_below(2) ? 5 : 200), &fault, &wrong);
			assert_int_equal(fault, 0);
			assert_int_equal(wrong, 0);
		}
		rip_client_finish(&client);
	}
	daemon_await_sessions(&riptided, 0);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, "session-end"), 12);
	assert_int_equal(access(riptided.socket, F_OK), -1);
	riptided_finish(0);
}

/* A page that begins with a carry goes on where another engine stopped; a carry
 * that no engine can have sent ends the session. */
TEST(start_carry)
{
	struct rip_client client;
	AUTO(page_finish) struct page page;
	AUTO_FREE int16_t *carry = calloc(a4.width, sizeof *carry);

	riptided_start("cpu", "", "");
	page_init(&page, &a4, 10, rip_test_random());
	rip_carry_start(&a4, 0, RIP_START_NOISE, carry);
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_EC), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 10, RIP_START_ZERO, carry), 0);
	carry[a4.width - 1] = 18433;
	assert_int_equal(rip_client_page(&client, &a4, 2, 10, RIP_START_ZERO, carry), -ECONNRESET);
	assert_non_null(strstr(client.reason, "carry"));
	rip_client_finish(&client);
	riptided_finish(0);
}

/* SIGTERM with bands at work: bands that run are answered, the rest hears GOODBYE,
 * and the daemon ends well and soon. */
TEST(stop_at_work)
{
	/* What runs must end within five seconds: a sanitizer and a loaded machine take long. */
	enum { ROWS = RIP_TEST_SANITIZED ? 100 : 800 };
	struct rip_message message;
	struct rip_client client;
	struct rip_band *band;
	struct pollfd pfd;
	unsigned done = 0, goodbye = 0;

	riptided_start("cpu", "threads = 1\n", "");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_ED), 0);
	assert_int_equal(rip_client_page(&client, &a4, 1, 4000, RIP_START_NOISE, NULL), 0);
	assert_int_equal(rip_band_new(&a4, ROWS, &band), 0);
	for (int row = 0; row < ROWS; row++) {
		memset(rip_band_row(band, 0), 77, a4.width);
		rip_band_commit(band, 0);
	}
	while (rip_client_bands(&client) > client.sent)
		assert_int_equal(rip_client_send(&client, band, ROWS * (client.sent + 1)), 0);
	assert_int_equal(kill(riptided.pid, SIGTERM), 0);
	pfd = (struct pollfd){ .fd = client.connection.fd, .events = POLLIN };
	for (;;) {
		int r = rip_connection_receive(&client.connection, &message);

		if (r == -EAGAIN) {
			assert_true(poll(&pfd, 1, 60000) > 0);
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
	assert_int_equal(daemon_wait(&riptided), 0);
	client.faulty = true;
	rip_client_finish(&client);
	rip_band_free(band);
	riptided_finish(0);
}

/* The file that a dead daemon left is replaced; a live daemon's is not, nor is
 * a file that is no socket. */
TEST(socket_file)
{
	struct daemon second;
	struct stat st;
	int fd;

	riptided_start("cpu", "", "");
	assert_int_equal(stat(riptided.socket, &st), 0);
	assert_int_equal(st.st_mode & 07007, 0);
	second = riptided;
	assert_false(daemon_try(&second, NULL));
	assert_int_equal(daemon_wait(&second), 1);
	assert_int_equal(daemon_said(&riptided, "another riptided listens on"), 1);

	assert_int_equal(daemon_stop(&riptided, SIGKILL), -SIGKILL);
	assert_int_equal(access(riptided.socket, F_OK), 0);
	daemon_start(&riptided, (const char *const[]){ "--device", "cpu", NULL });
	page_check_random(rip_test_random(), 20, riptided.socket, 1);
	/* A file that somebody else put there in the meantime is left alone. */
	assert_int_equal(unlink(riptided.socket), 0);
	fd = open(riptided.socket, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(access(riptided.socket, F_OK), 0);

	assert_false(daemon_try(&second, NULL));
	assert_int_equal(daemon_wait(&second), 1);
	assert_int_equal(daemon_said(&riptided, "is no socket"), 1);
	riptided_finish(0);
}

/* --device auto without a GPU says so at once. */
TEST(no_accelerator)
{
	struct rip_client client;

	riptided_start("auto", "", "");
	if (rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_AUTO) == 0) {
		rip_client_finish(&client);
		print_message("this machine has a GPU\n");
	} else {
		assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", RIP_METHOD_BWEC),
				 RIP_CLIENT_NO_ACCELERATOR);
		assert_true(strlen(client.reason) > 0);
	}
	assert_int_equal(daemon_stop(&riptided, SIGINT), 0);
	riptided_finish(0);
}
