#include "config.h"

#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void close_pair(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

void rip_connection_init(struct rip_connection *connection, int fd)
{
	connection->fd = fd;
	connection->in_used = 0;
	connection->out_used = 0;
	connection->in_fds[0] = connection->in_fds[1] = -1;
	connection->out_fds[0] = connection->out_fds[1] = -1;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void rip_connection_finish(struct rip_connection *connection)
{
	close_pair(connection->in_fds);
	connection->out_fds[0] = connection->out_fds[1] = -1; /* they are the caller's */
	connection->in_used = 0;
	connection->out_used = 0;
	if (connection->fd >= 0)
		close(connection->fd);
	connection->fd = -1;
}

bool rip_connection_pending(const struct rip_connection *connection)
{
	return connection->out_used > 0;
}

int rip_connection_flush(struct rip_connection *connection)
{
	while (connection->out_used > 0) {
		union {
			struct cmsghdr header;
			char           bytes[CMSG_SPACE(2 * sizeof(int))];
		} control;
		struct iovec iov = { connection->out, connection->out_used };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
		ssize_t n;

		if (connection->out_fds[0] >= 0) {
			memset(&control, 0, sizeof control);
			control.header.cmsg_level = SOL_SOCKET;
			control.header.cmsg_type = SCM_RIGHTS;
			control.header.cmsg_len = CMSG_LEN(2 * sizeof(int));
			memcpy(CMSG_DATA(&control.header), connection->out_fds, 2 * sizeof(int));
			msg.msg_control = &control;
			msg.msg_controllen = sizeof control;
		}
		n = sendmsg(connection->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
		}
		connection->out_fds[0] = connection->out_fds[1] = -1;
		connection->out_used -= (size_t)n;
		memmove(connection->out, connection->out + n, connection->out_used);
	}
	return 0;
}

int rip_connection_send(struct rip_connection *connection, const struct rip_message *message,
			const int fds[2])
{
	int r;

	/* Descriptors are sent with the first byte in out[], so it must be empty. */
	if (fds && connection->out_used > 0) {
		r = rip_connection_flush(connection);
		if (r < 0)
			return r;
		if (connection->out_used > 0)
			return -ENOBUFS;
	}
	r = rip_message_encode(message, connection->out + connection->out_used,
			       sizeof connection->out - connection->out_used);
	if (r < 0)
		return r == -EMSGSIZE ? -ENOBUFS : r;
	connection->out_used += (size_t)r;
	if (fds)
		memcpy(connection->out_fds, fds, sizeof connection->out_fds);
	return rip_connection_flush(connection);
}

/* Why fewer descriptors have arrived than were sent: this process may have no more, or else
 * the peer is at fault. */
static int why_lost(const struct rip_connection *connection)
{
	const int copy = fcntl(connection->fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0)
		return -errno;
	close(copy);
	return -EPROTO;
}

/* Keeps the two descriptors that a message brought.  -EPROTO, and all of them are closed, if they
 * are not exactly two, or others are kept already; -EMFILE or -ENFILE: there was no room. */
static int take_descriptors(struct rip_connection *connection, struct msghdr *msg)
{
	int got[2] = { -1, -1 };
	unsigned count = 0;
	int r;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		const uint8_t *data = CMSG_DATA(c);
		const uint8_t *end = (const uint8_t *)c + c->cmsg_len;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (; data + sizeof(int) <= end; data += sizeof(int)) {
			int fd;

			memcpy(&fd, data, sizeof fd);
			if (count < 2)
				got[count] = fd;
			else
				close(fd);
			count++;
		}
	}
	if (count == 0 && !(msg->msg_flags & MSG_CTRUNC))
		return 0;
	if (count != 2 || msg->msg_flags & MSG_CTRUNC || connection->in_fds[0] >= 0) {
		r = count < 2 && msg->msg_flags & MSG_CTRUNC ? why_lost(connection) : -EPROTO;
		close_pair(got);
		return r;
	}
	memcpy(connection->in_fds, got, sizeof got);
	return 0;
}

static int refuse(struct rip_connection *connection, const char *why)
{
	rip_text_set(connection->why, sizeof connection->why, why);
	return -EPROTO;
}

/* Reads once.  0, or as rip_connection_receive. */
static int read_more(struct rip_connection *connection)
{
	union {
		struct cmsghdr header; /* for its alignment */
		char           bytes[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct iovec iov = { connection->in + connection->in_used,
			     sizeof connection->in - connection->in_used };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = &control, .msg_controllen = sizeof control };
	ssize_t n;
	int r;

	do
		n = recvmsg(connection->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	r = take_descriptors(connection, &msg);
	if (r == -EPROTO)
		return refuse(connection, "descriptors came that are not the two of a READY");
	if (r < 0)
		return r;
	if (n == 0)
		return -ECONNRESET;
	connection->in_used += (size_t)n;
	return 0;
}

int rip_connection_receive(struct rip_connection *connection, struct rip_message *message)
{
	for (;;) {
		int length = rip_message_peek(connection->in, connection->in_used);
		int r;

		if (length < 0) {
			rip_message_fault(connection->in, connection->in_used, connection->why);
			return length;
		}
		/* The header tells the type.  Descriptors that do not belong to it are closed
		 * at once, not after the whole message has arrived. */
		if (length > 0 && connection->in_fds[0] >= 0 &&
		    rip_message_type(connection->in) != RIP_READY) {
			close_pair(connection->in_fds);
			return refuse(connection,
				      "descriptors came with another message than READY");
		}
		if (length > 0 && (size_t)length <= connection->in_used) {
			r = rip_message_decode(message, connection->in, (size_t)length);
			if (r < 0) {
				rip_message_fault(connection->in, (size_t)length, connection->why);
				return r;
			}
			if (message->type == RIP_READY && connection->in_fds[0] < 0)
				return refuse(connection, "READY came without descriptors");
			connection->in_used -= (size_t)length;
			memmove(connection->in, connection->in + length, connection->in_used);
			return 0;
		}
		r = read_more(connection);
		if (r < 0)
			return r;
	}
}
