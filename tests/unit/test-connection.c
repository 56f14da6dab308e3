/* Whole messages over a stream, however it is cut, with the descriptors that
 * belong to them. */
#include "tests/tools/testing.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include "wire/connection.h"

struct pair {
	struct rip_connection ours;
	int theirs; /* a plain socket */
};

static void open_pair(struct pair *pair)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	rip_connection_init(&pair->ours, fds[0]);
	pair->theirs = fds[1];
}

static void close_pair(struct pair *pair)
{
	rip_connection_finish(&pair->ours);
	rip_connection_finish(&pair->ours);
	if (pair->theirs >= 0)
		close(pair->theirs);
}

static void ready(struct rip_message *message)
{
	memset(message, 0, sizeof *message);
	message->type = RIP_READY;
	message->ready.version = RIP_PROTOCOL_VERSION;
	message->ready.max_width = 1000;
	message->ready.max_planes = 4;
	message->ready.max_bands = 2;
	message->ready.in_size = 4096;
	message->ready.out_size = 4096;
}

/* Sends bytes and `count` copies of standard input's descriptor. */
static void send_raw(int fd, const void *bytes, size_t size, unsigned count)
{
	union {
		struct cmsghdr header;
		char           bytes[CMSG_SPACE(8 * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { (void *)bytes, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (count) {
		AUTO_CLOSE const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
		for (unsigned i = 0; i < count; i++)
			memcpy(CMSG_DATA(&control.header) + i * sizeof(int), &null, sizeof null);
		assert_int_equal(sendmsg(fd, &msg, 0), size);
	} else {
		assert_int_equal(send(fd, bytes, size, 0), size);
	}
}

TEST(byte_by_byte)
{
	struct rip_message messages[3] = { { .type = RIP_WORKING, .state = { 77 } },
					   { .type = RIP_END }, { .type = RIP_BUSY } };
	struct rip_message got;
	AUTO(close_pair) struct pair pair;

	strcpy(messages[2].reason.text, "full");
	open_pair(&pair);
	for (int i = 0; i < 3; i++) {
		uint8_t bytes[RIP_MESSAGE_MAX];
		const int length = rip_message_encode(&messages[i], bytes, sizeof bytes);

		for (int at = 0; at < length; at++) {
			assert_int_equal(rip_connection_receive(&pair.ours, &got), -EAGAIN);
			send_raw(pair.theirs, bytes + at, 1, 0);
		}
		assert_int_equal(rip_connection_receive(&pair.ours, &got), 0);
		assert_memory_equal(&got, &messages[i], sizeof got);
	}
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -EAGAIN);
}

TEST(many_at_once_in_odd_pieces)
{
	const unsigned count = 3000;
	AUTO_FREE uint8_t *bytes = malloc(count * 160);
	size_t size = 0, at = 0;
	struct rip_message message, got;
	AUTO(close_pair) struct pair pair;
	unsigned received = 0;

	for (unsigned i = 0; i < count; i++) {
		memset(&message, 0, sizeof message);
		message.type = i % 3 ? RIP_QUEUED : RIP_GOODBYE;
		message.state.seq = i;
		if (i % 3 == 0)
			memset(message.reason.text, 'x', i % 128);
		size += (size_t)rip_message_encode(&message, bytes + size, 160);
	}
	open_pair(&pair);
	while (received < count) {
		size_t piece = 1 + rip_test_random() % 997;

		piece = piece < size - at ? piece : size - at;
		if (piece)
			send_raw(pair.theirs, bytes + at, piece, 0);
		at += piece;
		while (rip_connection_receive(&pair.ours, &got) == 0) {
			assert_int_equal(got.type, received % 3 ? RIP_QUEUED : RIP_GOODBYE);
			assert_int_equal(got.state.seq, received);
			received++;
		}
	}
	close(pair.theirs);
	pair.theirs = -1;
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -ECONNRESET);
}

/* A peer that does not read fills the socket, then out[]; nothing is lost. */
TEST(partial_writes)
{
	struct rip_message message = { .type = RIP_STATUS_REPLY }, got;
	struct rip_connection theirs;
	AUTO(close_pair) struct pair pair;
	const int small = 4096;
	unsigned sent = 0, received = 0;
	int r;

	message.status.sessions = message.status.count = RIP_STATUS_SESSIONS;
	open_pair(&pair);
	setsockopt(pair.ours.fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
	for (;;) {
		message.status.jobs = sent;
		r = rip_connection_send(&pair.ours, &message, NULL);
		if (r < 0)
			break;
		sent++;
		assert_in_range(sent, 1, 100);
	}
	assert_int_equal(r, -ENOBUFS);
	assert_true(rip_connection_pending(&pair.ours));
	assert_in_range(sent, 2, 100); /* out[] alone holds two */
	rip_connection_init(&theirs, pair.theirs);
	pair.theirs = -1;
	while (received < sent) {
		r = rip_connection_receive(&theirs, &got);
		if (r == -EAGAIN) {
			assert_int_equal(rip_connection_flush(&pair.ours), 0);
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(got.status.jobs, received);
		received++;
	}
	assert_int_equal(rip_connection_flush(&pair.ours), 0);
	assert_false(rip_connection_pending(&pair.ours));
	assert_int_equal(rip_connection_receive(&theirs, &got), -EAGAIN);
	rip_connection_finish(&theirs);
}

TEST(descriptors_come_with_ready)
{
	struct rip_connection theirs;
	struct rip_message message, got;
	AUTO(close_pair) struct pair pair;
	int fds[2];

	ready(&message);
	open_pair(&pair);
	rip_connection_init(&theirs, pair.theirs);
	pair.theirs = -1;
	assert_int_equal(pipe2(fds, 0), 0);
	assert_int_equal(rip_connection_send(&pair.ours, &message, fds), 0);
	assert_int_equal(fcntl(fds[0], F_GETFD), 0); /* still the caller's */
	close(fds[0]);
	assert_int_equal(rip_connection_receive(&theirs, &got), 0);
	assert_memory_equal(&got, &message, sizeof got);
	assert_true(theirs.in_fds[0] >= 0 && theirs.in_fds[1] >= 0);
	assert_int_equal(fcntl(theirs.in_fds[0], F_GETFD), FD_CLOEXEC);
	assert_int_equal(write(theirs.in_fds[1], "x", 1), 1); /* it is that pipe, in order */
	close(fds[1]);
	rip_connection_finish(&theirs); /* closes what nobody took */
}

/* They go with the first byte that is sent, however the rest is cut. */
TEST(descriptors_survive_cuts)
{
	uint8_t bytes[RIP_MESSAGE_MAX];
	struct rip_message message, got;
	AUTO(close_pair) struct pair pair;
	int length;

	ready(&message);
	length = rip_message_encode(&message, bytes, sizeof bytes);
	open_pair(&pair);
	send_raw(pair.theirs, bytes, 1, 2);
	for (int at = 1; at < length; at++) {
		assert_int_equal(rip_connection_receive(&pair.ours, &got), -EAGAIN);
		send_raw(pair.theirs, bytes + at, 1, 0);
	}
	assert_int_equal(rip_connection_receive(&pair.ours, &got), 0);
	assert_true(pair.ours.in_fds[0] >= 0);
}

static void one_case_of_wrong_descriptors(const struct rip_message *message, size_t piece,
					  unsigned count)
{
	const int before = rip_test_descriptors();
	uint8_t bytes[RIP_MESSAGE_MAX];
	const size_t length = (size_t)rip_message_encode(message, bytes, sizeof bytes);
	struct rip_message got;
	struct pair pair;

	piece = piece ? piece : length;
	open_pair(&pair);
	send_raw(pair.theirs, bytes, piece, count);
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -EPROTO);
	assert_int_equal(pair.ours.in_fds[0], -1);
	close_pair(&pair);
	assert_int_equal(rip_test_descriptors(), before);
}

TEST(wrong_descriptors)
{
	struct rip_message message, end = { .type = RIP_END };

	ready(&message);
	one_case_of_wrong_descriptors(&message, 0, 0);
	one_case_of_wrong_descriptors(&message, 0, 1);
	one_case_of_wrong_descriptors(&message, 0, 3);
	one_case_of_wrong_descriptors(&message, 0, 8);
	one_case_of_wrong_descriptors(&message, 1, 1); /* not only when it is whole */
	one_case_of_wrong_descriptors(&end, 0, 1);
	one_case_of_wrong_descriptors(&end, 0, 2);

	/* a second pair before the first was taken */
	uint8_t bytes[RIP_MESSAGE_MAX];
	struct rip_message got;
	struct pair pair;

	rip_message_encode(&message, bytes, sizeof bytes);
	open_pair(&pair);
	send_raw(pair.theirs, bytes, 10, 2);
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -EAGAIN);
	send_raw(pair.theirs, bytes + 10, 10, 2);
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -EPROTO);
	close_pair(&pair);

	/* what no client may send is dropped as soon as the type is known */
	message = (struct rip_message){ .type = RIP_BUSY };
	rip_message_encode(&message, bytes, sizeof bytes);
	open_pair(&pair);
	send_raw(pair.theirs, bytes, RIP_MESSAGE_HEADER, 2);
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -EPROTO);
	assert_int_equal(pair.ours.in_fds[0], -1);
	close_pair(&pair);
}

/* A process that may have no more descriptors is at fault itself, not its peer. */
TEST(no_room_for_descriptors)
{
	struct rlimit before, limit;
	uint8_t bytes[RIP_MESSAGE_MAX];
	struct rip_message message, got;

	ready(&message);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (unsigned room = 0; room <= 2; room++) {
		const size_t length = (size_t)rip_message_encode(&message, bytes, sizeof bytes);
		AUTO(close_pair) struct pair pair;
		int next[3], r;

		open_pair(&pair);
		send_raw(pair.theirs, bytes, length, 2);
		for (unsigned i = 0; i <= room; i++)
			next[i] = fcntl(pair.theirs, F_DUPFD_CLOEXEC, 0);
		for (unsigned i = 0; i <= room; i++)
			assert_int_equal(close(next[i]), 0);
		limit = before;
		limit.rlim_cur =
			(rlim_t)next[room]; /* below it, there are as many free as wanted */
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		r = rip_connection_receive(&pair.ours, &got);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
		assert_int_equal(r, room < 2 ? -EMFILE : 0);
	}
}

TEST(nonsense)
{
	static const char *const texts[] = { "GET / HTTP/1.1\r\n\r\n", "\xff\xff\xff\xff\1\0\0\0",
					     "\x8\0\0\0\4\0\1\0", "\x9\0\0\0\4\0\0\0\0" };
	static const size_t sizes[] = { 18, 8, 8, 9 };
	static const char *const faults[] = {
		"unknown message type 1414012975", /* "/ HT" */
		"HELLO: it cannot have a length of 4294967295 bytes",
		"unknown message type 65540",
		"END: it cannot have a length of 9 bytes",
	};

	for (int i = 0; i < 4; i++) {
		struct rip_message got;
		AUTO(close_pair) struct pair pair;

		open_pair(&pair);
		send_raw(pair.theirs, texts[i], sizes[i], 0);
		assert_int_equal(rip_connection_receive(&pair.ours, &got), -EPROTO);
		assert_int_equal(rip_connection_receive(&pair.ours, &got), -EPROTO);
		assert_string_equal(pair.ours.why, faults[i]);
	}
}

TEST(a_peer_that_is_gone)
{
	struct rip_message message = { .type = RIP_GOODBYE }, got;
	uint8_t bytes[RIP_MESSAGE_MAX];
	AUTO(close_pair) struct pair pair;

	strcpy(message.reason.text, "stopping");
	open_pair(&pair);
	send_raw(pair.theirs, bytes, (size_t)rip_message_encode(&message, bytes, sizeof bytes), 0);
	close(pair.theirs);
	pair.theirs = -1;
	assert_int_equal(rip_connection_send(&pair.ours, &message, NULL), -EPIPE); /* no SIGPIPE */
	assert_int_equal(rip_connection_receive(&pair.ours, &got), 0); /* last words */
	assert_string_equal(got.reason.text, "stopping");
	assert_int_equal(rip_connection_receive(&pair.ours, &got), -ECONNRESET);
}
