/* A client's connection, with its session. */
#include "config.h"

#include "guest.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGES_A_TURN 8    /* then the others have a turn */
#define PARTIAL_MS      2000 /* a message is whole within this */
#define LEAVE_MS        1000 /* time to read why one must leave */

struct rip_guest *rip_guest_new(int fd, const struct rip_session_host *host, void *server,
				pid_t pid, uid_t uid, int64_t now_ms)
{
	struct rip_guest *guest = calloc(1, sizeof *guest);

	if (!guest)
		return NULL;
	guest->source = (struct rip_event_source){ .server = server, .fd = fd };
	rip_connection_init(&guest->connection, fd);
	rip_session_init(&guest->session, host, pid, uid, now_ms);
	rip_flow_init(&guest->flow);
	return guest;
}

void rip_guest_free(struct rip_guest *guest)
{
	rip_connection_finish(&guest->connection);
	rip_session_finish(&guest->session);
	free(guest);
}

struct rip_guest *rip_guest_of(struct rip_session *session)
{
	return (struct rip_guest *)((char *)session - offsetof(struct rip_guest, session));
}

void rip_guest_send(struct rip_session *session, const struct rip_message *message,
		    const int fds[2])
{
	struct rip_guest *guest = rip_guest_of(session);
	int r;

	if (guest->broken || guest->connection.fd < 0)
		return;
	/* A client that does not read is still reading the last heartbeat. */
	if ((message->type == RIP_QUEUED || message->type == RIP_WORKING) &&
	    rip_connection_pending(&guest->connection))
		return;
	r = rip_connection_send(&guest->connection, message, fds);
	if (r < 0)
		guest->broken = r;
}

bool rip_guest_closed(const struct rip_guest *guest)
{
	return guest->connection.fd < 0;
}

static bool ended(const struct rip_guest *guest)
{
	return guest->session.state == RIP_SESSION_ENDED;
}

/* Closes the connection as soon as nothing is left to be told. */
static void settle(struct rip_guest *guest, int64_t now_ms)
{
	if (guest->broken)
		rip_session_gone(&guest->session);
	if (!ended(guest) || rip_guest_closed(guest))
		return;
	if (guest->broken || guest->session.end == RIP_END_DONE ||
	    guest->session.end == RIP_END_GONE) {
		rip_connection_finish(&guest->connection);
		return;
	}
	/* Closing with unread bytes would take the reason away from the client, so
	 * the rest of what it says is read, too. */
	if (!guest->close_ms)
		guest->close_ms = now_ms + LEAVE_MS;
	/* Who is told GOODBYE because we stop may be copying dots that came just before:
	 * to him the session is whole as long as the stream is. */
	if (guest->session.end != RIP_END_STOPPED && !guest->shut &&
	    !rip_connection_pending(&guest->connection)) {
		guest->shut = true;
		shutdown(guest->connection.fd, SHUT_WR);
	}
}

static void drain(struct rip_guest *guest)
{
	char bytes[4096];
	ssize_t n;

	/* Without a place for them, descriptors are closed by the kernel. */
	for (int i = 0; i < MESSAGES_A_TURN; i++) {
		n = recv(guest->connection.fd, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			rip_connection_finish(&guest->connection);
			return;
		}
		if (n < 0)
			return;
	}
}

static void read_messages(struct rip_guest *guest, int64_t now_ms)
{
	struct rip_message message;
	int r;

	guest->more = false;
	for (int i = 0; i < MESSAGES_A_TURN; i++) {
		if (ended(guest) || guest->broken || rip_connection_pending(&guest->connection))
			return;
		r = rip_connection_receive(&guest->connection, &message);
		if (r == -EAGAIN) {
			if (guest->connection.in_used == 0)
				guest->partial_ms = 0;
			else if (!guest->partial_ms)
				guest->partial_ms = now_ms;
			return;
		}
		if (r == -EPROTO) {
			rip_session_breach(&guest->session,
					   "what came is no message of this protocol");
		} else if (r < 0) {
			rip_session_gone(&guest->session);
		} else {
			guest->partial_ms = 0;
			rip_session_receive(&guest->session, &message, now_ms);
		}
	}
	guest->more = true;
}

void rip_guest_ready(struct rip_guest *guest, uint32_t epoll_events, bool reading, int64_t now_ms)
{
	int r;

	if (rip_guest_closed(guest))
		return;
	r = rip_connection_flush(&guest->connection);
	if (r < 0)
		guest->broken = r;
	else if (ended(guest))
		drain(guest);
	else if (reading)
		read_messages(guest, now_ms);
	else if (epoll_events & (EPOLLHUP | EPOLLERR))
		rip_session_gone(&guest->session);
	settle(guest, now_ms);
}

int64_t rip_guest_tick(struct rip_guest *guest, int64_t now_ms)
{
	int64_t next = INT64_MAX;

	if (guest->close_ms) {
		next = guest->close_ms;
		if (now_ms >= next)
			rip_connection_finish(&guest->connection);
	} else if (!ended(guest)) {
		next = rip_session_tick(&guest->session, now_ms);
		if (guest->partial_ms && guest->partial_ms + PARTIAL_MS < next)
			next = guest->partial_ms + PARTIAL_MS;
		if (guest->partial_ms && now_ms >= guest->partial_ms + PARTIAL_MS)
			rip_session_breach(&guest->session,
					   "a message did not come whole within 2 seconds");
	}
	settle(guest, now_ms);
	if (rip_guest_closed(guest))
		return INT64_MAX;
	return guest->close_ms && guest->close_ms < next ? guest->close_ms : next;
}

uint32_t rip_guest_interest(const struct rip_guest *guest, bool reading)
{
	if (rip_connection_pending(&guest->connection))
		return EPOLLOUT;
	return reading || ended(guest) ? EPOLLIN : 0;
}
