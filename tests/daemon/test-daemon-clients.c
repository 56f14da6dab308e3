/* The real riptided and its clients: crowds, garbage, limits, floods, and those who
 * go away. */
#include "tests/tools/testing.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "daemon_fixture.h"

static const char *const cpu[] = { "--device", "cpu", NULL };

/* Runs a function in `count` processes at once; all must exit 0 within a minute. */
static void crowd(unsigned count, void (*member)(const struct daemon *, unsigned),
		  const struct daemon *daemon)
{
	unsigned failed = 0;
	int status;

	fflush(stdout);
	for (unsigned i = 0; i < count; i++) {
		pid_t pid = fork_child();

		if (pid == 0) {
			alarm(600);
			rip_test_state += i;
			member(daemon, i);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < count; i++) {
		assert_true(wait(&status) > 0);
		failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	}
	assert_int_equal(failed, 0);
}

/* In a child of a test cmocka's asserts would go on with the parent's tests. */
static void insist(bool good, const char *what)
{
	if (!good) {
		fprintf(stderr, "client: %s\n", what);
		_exit(1);
	}
}

/* A page of random samples in bands of random height, whose dots must be right. */
static void print_page(struct rip_client *client, const struct rip_page_spec *spec, uint32_t height,
		       uint32_t number)
{
	AUTO(page_finish) struct page page;
	unsigned wrong;
	int fault;

	page_init(&page, spec, height, rip_test_random());
	page_send(&page, client, number, 1 + rip_test_below(64), &fault, &wrong);
	insist(fault == 0, client->reason);
	insist(wrong == 0, "wrong dots");
}

static void printing_client(const struct daemon *daemon, unsigned i)
{
	struct rip_client client;

	insist(rip_client_open(&client, daemon->socket, i + 1, "crowd", RIP_METHOD_AUTO) == 0,
	       "open");
	for (uint32_t number = 1; number <= 3; number++)
		print_page(&client, NULL, 1 + rip_test_below(400), number);
	rip_client_finish(&client);
}

/* Reads what the daemon says until it closes: the type of the last message, 0 if
 * there was none, -1 if it does not close within 5 seconds. */
static int last_words(int fd)
{
	struct rip_connection connection;
	struct rip_message message;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int last = 0, r;

	rip_connection_init(&connection, fd);
	for (;;) {
		r = rip_connection_receive(&connection, &message);
		if (r == 0)
			last = (int)message.type;
		else if (r != -EAGAIN)
			break;
		else if (poll(&pfd, 1, 5000) == 0) {
			last = -1;
			break;
		}
	}
	rip_connection_finish(&connection);
	return last;
}

/* Random bytes, a cut message, a message of the daemon's, descriptors: the client
 * is refused with a reason. */
static void hostile_client(const struct daemon *daemon, unsigned i)
{
	int fd = daemon_connect(daemon), last;
	uint8_t bytes[512];
	struct rip_message message = daemon_hello();
	int length = sizeof bytes;

	for (size_t k = 0; k < sizeof bytes; k++)
		bytes[k] = (uint8_t)rip_test_random();
	if (i % 4 == 1) {
		length = rip_message_encode(&message, bytes, sizeof bytes) / 2;
	} else if (i % 4 == 2) {
		message.type = RIP_PAGE_READY;
		length = rip_message_encode(&message, bytes, sizeof bytes);
	} else if (i % 4 == 3) {
		struct rip_connection connection;

		rip_connection_init(&connection, fd);
		insist(rip_connection_send(&connection, &message, (const int[2]){ 0, 1 }) == 0,
		       "send");
		length = 0;
	}
	(void)!write(fd, bytes, (size_t)length);
	last = last_words(fd);
	insist(last == RIP_REFUSED, "a hostile client was not refused");
}

static void mixed_client(const struct daemon *daemon, unsigned i)
{
	if (i % 2)
		hostile_client(daemon, i / 2);
	else
		printing_client(daemon, i);
}

/* Several print at once while others talk nonsense. */
TEST(crowd)
{
	unsigned descriptors;

	riptided_start("cpu", "threads = 3\n", "");
	descriptors = daemon_descriptors(&riptided);
	crowd(16, mixed_client, &riptided);
	daemon_await_sessions(&riptided, 0);
	daemon_await_descriptors(&riptided, descriptors);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, "refused"), 8);
	riptided_finish(0);
}

/* Pages whose planes are halftoned together, with and without a fade.  The client splits their
 * pixels, which a CPU does not take. */
static void coupled_client(const struct daemon *daemon, unsigned i)
{
	struct rip_page_spec spec = {
		.width = 600 + 64 * i,
		.planes = 3 + i % 2,
		.levels = 2,
		.sample_bits = 8,
		.screen = &rip_screens[RIP_BLUE_NOISE_COLOUR],
		.coupling = { .inks = { RIP_INK_CYAN, RIP_INK_MAGENTA, RIP_INK_YELLOW,
					RIP_INK_BLACK } },
	};
	struct rip_client client;

	insist(rip_client_open(&client, daemon->socket, i + 1, "together", RIP_METHOD_AUTO) == 0,
	       "open");
	for (uint32_t number = 5; number <= 9; number++) {
		spec.coupling.fade = number % 2 ? 6554 : 0;
		print_page(&client, &spec, 300 + rip_test_below(100), number);
	}
	rip_client_finish(&client);
}

/* Sessions with such pages at once, on the CPU: each plane's carry stays its page's. */
TEST(coupled_pages_at_once)
{
	riptided_start("cpu", "threads = 2\n", "");
	crowd(2, coupled_client, &riptided);
	daemon_await_sessions(&riptided, 0);
	assert_int_equal(daemon_said(&riptided, "refused"), 0);
	riptided_finish(0);
}

/* Begins a page and leaves with bands in flight: every second one with all that it has in the ring,
 * and another band that it fills there. */
static void leaving_client(const struct daemon *daemon, unsigned i)
{
	struct rip_band *band;
	struct rip_client client;

	insist(rip_client_open(&client, daemon->socket, i + 1, "leaving", RIP_METHOD_ED) == 0,
	       "open");
	insist(rip_client_page(&client, &a4, 1, 1000, RIP_START_NOISE, NULL) == 0, "page");
	insist(rip_band_new(&a4, 500, &band) == 0, "band");
	if (i % 2)
		rip_band_move_to(band, rip_client_room(&client, 500));
	for (int row = 0; row < 500; row++) {
		memset(rip_band_row(band, 0), 100, a4.width);
		rip_band_commit(band, 0);
	}
	while (rip_client_bands(&client) > client.sent)
		insist(rip_client_send(&client, band, 500) == 0, "send");
	if (i % 2)
		memset(rip_client_room(&client, 500), 100, a4.width);
	kill(getpid(), SIGKILL);
}

/* Clients that are killed in mid-band leave nothing behind. */
TEST(killed_clients)
{
	unsigned descriptors;
	int status;

	riptided_start("cpu", "", "");
	descriptors = daemon_descriptors(&riptided);
	fflush(stdout);
	for (unsigned i = 0; i < 10; i++) {
		pid_t pid = fork_child();

		if (pid == 0)
			leaving_client(&riptided, i);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	daemon_await_sessions(&riptided, 0);
	daemon_await_descriptors(&riptided, descriptors);
	AWAIT(daemon_status(&riptided).memory ==
	      0); /* the kernel tells that their rings are gone */
	page_check_random(rip_test_random(), 100, riptided.socket, 99);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	assert_int_equal(daemon_said(&riptided, "went away"), 10);
	riptided_finish(0);
}

/* Connects and leaves again, as fast as it can. */
static void come_and_go(const struct daemon *daemon)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		close(daemon_connect(daemon));
}

/* Clients that come and go without end do not keep those that are there from being served,
 * nor the daemon from stopping. */
TEST(come_and_go)
{
	struct rip_client client;
	AUTO(page_finish) struct page page;
	pid_t pids[3];

	riptided_start("cpu", "", "");
	page_init(&page, NULL, 300, rip_test_random());
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "honest", 0), 0);
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		pids[i] = fork_child();
		if (pids[i] == 0)
			come_and_go(&riptided);
	}
	usleep(200000);
	for (uint32_t number = 1; number <= 5; number++) {
		page_print(&page, &client, number, 10);
	}
	rip_client_finish(&client);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	for (int i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	riptided_finish(0);
}

/* A process that connects without end leaves room for the others. */
static void crowd_out(const struct daemon *daemon)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];
	int fds[100];
	pid_t other;

	for (int i = 0; i < 100; i++)
		fds[i] = daemon_connect(daemon);
	assert_int_equal(rip_client_status(daemon->socket, &reply, reason), RIP_CLIENT_BUSY);
	assert_non_null(strstr(reason, "this process"));
	other = fork();
	if (other == 0)
		_exit(rip_client_status(daemon->socket, &reply, reason) != 0);
	assert_int_equal(wait_child(other), 0);
	for (int i = 0; i < 100; i++)
		close(fds[i]);
}

/* What a limit refuses names the limit. */
TEST(limits)
{
	struct rip_client clients[3];

	riptided_start("cpu", "# two of a kind\nmax-sessions = 3\nmax-sessions-per-process = 2\n"
		       "max-memory=1G\n\nlog-level = debug\n", "");
	for (int i = 0; i < 2; i++)
		assert_int_equal(rip_client_open(&clients[i], riptided.socket, i, "q", 0), 0);
	assert_int_equal(rip_client_open(&clients[2], riptided.socket, 3, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(clients[2].reason, "max-sessions-per-process"));
	rip_client_finish(&clients[0]);
	daemon_await_sessions(&riptided, 1);
	assert_int_equal(rip_client_open(&clients[0], riptided.socket, 4, "q", 0), 0);
	rip_client_finish(&clients[0]);
	rip_client_finish(&clients[1]);
	crowd_out(&riptided);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);

	assert_int_equal(daemon_said(&riptided, "session-begin"), 3);
	assert_int_equal(daemon_said(&riptided, "session-end"), 3);

	daemon_configure(&riptided, "max-memory = 47M\ndevice = cpu\n");
	daemon_start(&riptided, (const char *const[]){ "--config", riptided.config, NULL });
	assert_int_equal(rip_client_open(&clients[0], riptided.socket, 1, "q", 0), 0);
	assert_int_equal(rip_client_open(&clients[1], riptided.socket, 2, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(clients[1].reason, "max-memory"));
	rip_client_finish(&clients[0]);
	riptided_finish(0);
}

/* Says HELLO on a connection of its own: the type of the answer.  *fd stays open. */
static uint32_t greet(const struct daemon *daemon, int *fd)
{
	struct rip_message message = daemon_hello();
	static struct rip_connection connection;

	*fd = daemon_connect(daemon);
	rip_connection_init(&connection, *fd);
	rip_connection_send(&connection, &message, NULL); /* it may be refused before */
	daemon_hear(&connection, &message);
	for (int i = 0; i < 2; i++)
		if (connection.in_fds[i] >= 0)
			close(connection.in_fds[i]);
	return message.type;
}

/* Connections without end, and more than there are descriptors for: each hears
 * READY or BUSY, and when they are gone all is as before. */
TEST(flood)
{
	enum { CLIENTS = 200 };
	unsigned ready[2] = { 0, 0 };
	int fds[CLIENTS];

	for (int scarce = 0; scarce < 2; scarce++) {
		daemon_init(&riptided);
		riptided.descriptor_limit = scarce ? 30 : 0;
		daemon_start(&riptided, cpu);
		for (int i = 0; i < CLIENTS; i++) {
			uint32_t answer = greet(&riptided, &fds[i]);

			assert_true(answer == RIP_READY || answer == RIP_BUSY);
			ready[scarce] += answer == RIP_READY;
		}
		for (int i = 0; i < CLIENTS; i++)
			close(fds[i]);
		daemon_await_sessions(&riptided, 0);
		page_check_random(rip_test_random(), 50, riptided.socket, 1);
		riptided_finish(0);
	}
	assert_int_equal(ready[0], 16); /* of one process */
	assert_true(ready[1] > 0 && ready[1] < 10);
}

/* The warnings of a log that somebody was refused: how many lines there are, and how many
 * they stand for. */
static void count_refused(const char *path, unsigned *lines, unsigned *refused)
{
	static const char start[] = "riptided: warning: refused";
	FILE *log = fopen(path, "re");
	char line[2048];

	assert_non_null(log);
	*lines = *refused = 0;
	while (fgets(line, sizeof line, log)) {
		unsigned more;

		if (strncmp(line, start, sizeof start - 1))
			continue;
		(*lines)++;
		if (sscanf(line + sizeof start - 1, ": %u more lines of this kind", &more) == 1)
			*refused += more;
		else
			(*refused)++;
	}
	fclose(log);
}

/* Who connects again and again fills no log: a hundred lines in ten seconds, and what was
 * left out is told at the end. */
TEST(flood_of_lines)
{
	enum { KEPT = 32, MORE = 500 }; /* KEPT: all that a process may have */
	const time_t began = time(NULL);
	struct rip_status_reply status;
	unsigned periods, lines, refused;
	int fds[KEPT], fd;

	riptided_start("cpu", "", "");
	for (int i = 0; i < KEPT; i++)
		greet(&riptided, &fds[i]);
	for (int i = 0; i < MORE; i++) {
		assert_int_equal(greet(&riptided, &fd), RIP_BUSY);
		close(fd);
	}
	for (int i = 0; i < KEPT; i++)
		close(fds[i]);
	daemon_await_sessions(&riptided, 0);
	status = daemon_status(&riptided);
	assert_int_equal(daemon_stop(&riptided, SIGTERM), 0);
	count_refused(riptided.log, &lines, &refused);
	/* 16 of the first are no sessions, since a process has no more of these; who asks
	 * for the sessions may be one too many, too. */
	assert_in_range(refused, KEPT - 16 + MORE, KEPT - 16 + MORE + 20);
	assert_int_equal(refused, status.refused);
	periods = 1 + (unsigned)(time(NULL) - began) / 10;
	assert_in_range(lines, 101, periods * 101);
	riptided_finish(0);
}

/* A client that asks and asks, and never reads, is not listened to any more. */
TEST(deaf_client)
{
	struct rip_message message = { .type = RIP_STATUS };
	uint8_t bytes[RIP_MESSAGE_HEADER];
	unsigned memory;
	long sent = 0;
	int fd, idle = 0;

	riptided_start("cpu", "", "");
	memory = daemon_memory(&riptided);
	fd = daemon_connect(&riptided);
	assert_int_equal(rip_message_encode(&message, bytes, sizeof bytes), sizeof bytes);
	while (idle < 20) { /* until nothing was taken for 0.2 s */
		if (send(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof bytes) {
			sent++;
			idle = 0;
		} else {
			usleep(10000);
			idle++;
		}
	}
	assert_true(sent > 100 && sent < 100000);
	page_check_random(rip_test_random(), 50, riptided.socket, 1);
	assert_true(daemon_memory(&riptided) < memory + 32768);
	close(fd);
	riptided_finish(0);
}

/* What a client keeps of its ring is empty when the session is over, and the next
 * session has another one. */
TEST(ring_is_left_empty)
{
	struct rip_client first, second;

	riptided_start("cpu", "", "");
	assert_int_equal(rip_client_open(&first, riptided.socket, 1, "q", RIP_METHOD_AUTO), 0);
	memset(first.ring.in, 0x55, first.ring.in_size);
	close(first.connection.fd);
	first.connection.fd = -1;
	daemon_await_sessions(&riptided, 0);
	for (size_t i = 0; i < first.ring.in_size; i += 4096)
		assert_int_equal(first.ring.in[i], 0);
	assert_int_equal(rip_client_open(&second, riptided.socket, 2, "q", RIP_METHOD_AUTO), 0);
	memset(second.ring.in, 0x77, second.ring.in_size);
	for (size_t i = 0; i < first.ring.in_size; i += 4096) {
		assert_int_equal(first.ring.in[i], 0);
		assert_int_equal(second.ring.out[i % second.ring.out_size], 0);
	}
	rip_client_finish(&first);
	rip_client_finish(&second);
	riptided_finish(0);
}

/* A client that sends byte after byte, and one that says nothing, are refused in
 * time, and hold up nobody. */
TEST(slow_clients)
{
	struct rip_message message = daemon_hello();
	uint8_t bytes[512];
	AUTO(page_finish) struct page page;
	int64_t length;
	struct rip_client stuck;
	int slow, silent;

	riptided_start("cpu", "", "");
	silent = daemon_connect(&riptided);
	slow = daemon_connect(&riptided);
	/* This one stops within a message that comes later. */
	assert_int_equal(rip_client_open(&stuck, riptided.socket, 99, "q", RIP_METHOD_AUTO), 0);
	assert_int_equal(write(stuck.connection.fd, "\x40", 1), 1);
	length = rip_message_encode(&message, bytes, sizeof bytes);
	assert_int_equal(write(slow, bytes, 1), 1);
	page_init(&page, NULL, 100, rip_test_random());
	for (int i = 1; i < 12; i++) {
		assert_true(i < length);
		(void)!send(slow, bytes + i, 1, MSG_NOSIGNAL);
		page_check(&page, riptided.socket, (uint32_t)i, 30);
		usleep(200000);
	}
	assert_int_equal(last_words(silent), RIP_REFUSED);
	assert_int_equal(last_words(slow), RIP_REFUSED);
	assert_int_equal(last_words(stuck.connection.fd), RIP_GOODBYE);
	stuck.connection.fd = -1; /* last_words() has closed it */
	rip_client_finish(&stuck);
	riptided_finish(0);
}
