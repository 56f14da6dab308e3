/* The real riptided and clients that keep memory of their sessions, in every way that
 * there is: it stays charged until they let go of it, and no longer. */
#include "tests/tools/testing.h"

#include <poll.h>
#include <sys/socket.h>

#include "daemon_fixture.h"

/* Its dots fill most of a ring's output area. */
static const struct rip_page_spec large = {
	.width = 4961, .planes = 1, .levels = 16, .sample_bits = 8,
	.screen = &rip_screens[RIP_FLOYD_STEINBERG]
};

/* Waits until there are no sessions, and so many rings are retained. */
static uint64_t await_retained(unsigned retained)
{
	struct rip_status_reply reply;

	AWAIT((reply = daemon_status(&riptided)).sessions == 0 && reply.retained == retained);
	assert_true(reply.memory == reply.retained_bytes);
	assert_true((reply.retained_bytes > 0) == (retained > 0));
	return reply.retained_bytes;
}

/* Says HELLO, and takes the descriptors as a client that has its own ideas. */
static int greet(int ring[2])
{
	struct rip_message message = daemon_hello();
	const int fd = daemon_connect(&riptided);
	static struct rip_connection connection;

	rip_connection_init(&connection, fd);
	assert_int_equal(rip_connection_send(&connection, &message, NULL), 0);
	daemon_hear(&connection, &message);
	assert_int_equal(message.type, RIP_READY);
	ring[0] = connection.in_fds[0];
	ring[1] = connection.in_fds[1];
	return fd;
}

/* A session that prints, and leaves its mappings where they are. */
static void print_and_keep(struct rip_client *client, const struct page *page)
{
	assert_int_equal(rip_client_open(client, riptided.socket, 1, "q", 0), 0);
	page_print(page, client, 1, 10000);
	rip_connection_finish(&client->connection);
}

/* The dots that a client keeps mapped are charged, byte by byte, and count for the
 * limit that they are near; who is refused is told why. */
TEST(mapping)
{
	struct rip_client kept[3], other;
	AUTO(page_finish) struct page page;
	uint64_t bytes;

	riptided_start("cpu", "max-memory = 32M\n", "");
	page_init(&page, &large, 3200, 1);
	print_and_keep(&kept[0], &page);
	bytes = await_retained(1);
	assert_in_range(bytes, 3 << 20, 8 << 20); /* half of the rows have dots */
	for (unsigned i = 1; i < 3; i++) {
		print_and_keep(&kept[i], &page);
		assert_int_equal(await_retained(i + 1), bytes * (i + 1));
	}
	assert_int_equal(rip_client_open(&other, riptided.socket, 1, "q", 0), RIP_CLIENT_BUSY);
	assert_non_null(strstr(other.reason, "retained by clients of ended ones (max-memory)"));
	rip_client_finish(&kept[0]);
	rip_client_finish(&kept[1]);
	await_retained(1);
	page_check(&page, riptided.socket, 2, 10000);
	rip_client_finish(&kept[2]);
	await_retained(0);
	riptided_finish(0);
}

/* A descriptor, one without access, one in a message that nobody reads, one of another
 * process: each counts, for the process whose session it was. */
TEST(descriptors)
{
	struct rip_client client;

	riptided_start("cpu", "max-sessions-per-process = 2\n", "");
	for (int way = 0; way < 5; way++) {
		int ring[2], other[2], fd = greet(ring), keeper = -1, pair[2] = { -1, -1 };
		pid_t child = 0;
		char path[40];

		snprintf(path, sizeof path, "/proc/self/fd/%d", ring[1]);
		if (way == 0) {
			keeper = dup(ring[1]);
		} else if (way == 1) {
			keeper = open(path, O_PATH | O_CLOEXEC);
		} else if (way == 2) {
			keeper = open(path, O_RDONLY | O_CLOEXEC);
		} else if (way == 3) {
			struct rip_message message = { .type = RIP_PAGE_READY };
			struct rip_connection end;

			assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
			rip_connection_init(&end, pair[0]);
			assert_int_equal(rip_connection_send(&end, &message, ring), 0);
		} else {
			child = fork_child();
			if (child == 0) {
				close(fd);
				pause();
				_exit(0);
			}
		}
		close(ring[0]);
		close(ring[1]);
		assert_true(way != 4 || child > 0);
		shutdown(fd, SHUT_RDWR);
		close(fd);
		await_retained(1);
		/* It counts as one of the two that this process may have. */
		fd = greet(other);
		assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0),
				 RIP_CLIENT_BUSY);
		assert_non_null(strstr(
			client.reason,
			"has 1 open session and retains the memory of 1 ended one; the limit is "
			"2"));
		close(other[0]);
		close(other[1]);
		close(fd);
		await_retained(1);
		if (keeper >= 0)
			close(keeper);
		if (pair[0] >= 0) {
			close(pair[0]);
			close(pair[1]);
		}
		if (child) {
			kill(child, SIGKILL);
			assert_int_equal(waitpid(child, NULL, 0), child);
		}
		await_retained(0);
	}
	riptided_finish(0);
}

/* The samples of a client that breaks the protocol, and stays, are left to it and charged. */
TEST(samples)
{
	static const uint8_t nonsense[16];
	struct pollfd pfd = { .events = POLLIN };
	struct rip_client client;
	char text[256];

	riptided_start("cpu", "max-sessions-per-process = 1\n", "");
	assert_int_equal(rip_client_open(&client, riptided.socket, 1, "q", 0), 0);
	memset(client.ring.in, 0x55, client.ring.in_size);
	assert_int_equal(send(client.connection.fd, nonsense, sizeof nonsense, 0), sizeof nonsense);
	pfd.fd = client.connection.fd;
	while (recv(pfd.fd, text, sizeof text, 0) != 0) /* GOODBYE, and the end */
		assert_int_equal(poll(&pfd, 1, 60000), 1);
	assert_true(await_retained(1) >= client.ring.in_size);
	assert_int_equal(client.ring.in[client.ring.in_size - 1], 0x55);
	/* Letting go of one area is not enough. */
	munmap(client.ring.out, client.ring.out_size);
	client.ring.out = NULL;
	await_retained(1);
	rip_client_finish(&client);
	await_retained(0);
	riptided_finish(0);
}

/* Those who let go are charged nothing, session after session. */
TEST(nothing)
{
	AUTO(page_finish) struct page page;

	riptided_start("cpu", "max-memory = 32M\nmax-sessions-per-process = 1\n", "");
	page_init(&page, NULL, 60, rip_test_random());
	for (uint32_t job = 1; job <= 40; job++) {
		page_check(&page, riptided.socket, job, 20);
		await_retained(0);
	}
	riptided_finish(0);
}
