/* A client's connection, with its session. */
#include "config.h"

#include "daemon_client.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGES_A_TURN 8    /* then the others have a turn */
#define PARTIAL_MS      2000 /* a message is whole within this */
#define LEAVE_MS        1000 /* time to read why one must leave */

static int ready(sd_event_source *source, int fd, uint32_t events, void *argument);

struct rip_daemon_client *rip_daemon_client_new(sd_event *event, int fd,
						const struct rip_session_host *host,
						struct rip_server *server,
						struct rip_process *process, pid_t pid, uid_t uid,
						int64_t now_ms)
{
	struct rip_daemon_client *client = calloc(1, sizeof *client);

	if (!client)
		return NULL;
	if (sd_event_add_io(event, &client->io, fd, EPOLLIN, ready, client) < 0) {
		free(client);
		return NULL;
	}
	client->server = server;
	client->due_ms = INT64_MAX;
	client->reading = true;
	rip_connection_init(&client->connection, fd);
	rip_session_init(&client->session, host, pid, uid, now_ms);
	client->process = process;
	rip_flow_init(&client->flow, &process->share);
	return client;
}

/* The descriptor leaves the event loop before its number is free for another. */
static void close_connection(struct rip_daemon_client *client)
{
	client->io = sd_event_source_disable_unref(client->io);
	rip_connection_finish(&client->connection);
}

void rip_daemon_client_free(struct rip_daemon_client *client)
{
	close_connection(client);
	rip_ring_page_let_go(&client->session.ring_page);
	if (!client->gone)
		rip_ring_leave(&client->session.ring_page.ring);
	rip_session_finish(&client->session);
	free(client);
}

struct rip_daemon_client *rip_daemon_client_of(struct rip_session *session)
{
	const size_t offset = offsetof(struct rip_daemon_client, session);

	return (struct rip_daemon_client *)((char *)session - offset);
}

/* Nothing more can be sent. */
static void breaks(struct rip_daemon_client *client, int error)
{
	client->broken = error;
	client->gone |= error == -EPIPE || error == -ECONNRESET;
}

void rip_daemon_client_send(struct rip_session *session, const struct rip_message *message,
			    const int fds[2])
{
	struct rip_daemon_client *client = rip_daemon_client_of(session);
	int r;

	if (client->broken || client->connection.fd < 0)
		return;
	/* A client that does not read is still reading the last heartbeat. */
	if ((message->type == RIP_QUEUED || message->type == RIP_WORKING) &&
	    rip_connection_pending(&client->connection))
		return;
	r = rip_connection_send(&client->connection, message, fds);
	if (r < 0)
		breaks(client, r);
}

bool rip_daemon_client_closed(const struct rip_daemon_client *client)
{
	return client->connection.fd < 0;
}

static bool ended(const struct rip_daemon_client *client)
{
	return client->session.state == RIP_SESSION_ENDED;
}

/* Closes the connection as soon as everything is sent. */
static void settle(struct rip_daemon_client *client, int64_t now_ms)
{
	if (client->broken)
		rip_session_gone(&client->session);
	if (!ended(client) || rip_daemon_client_closed(client))
		return;
	if (client->broken || client->session.end == RIP_END_DONE ||
	    client->session.end == RIP_END_GONE) {
		close_connection(client);
		return;
	}
	/* Closing with unread bytes would take the reason away from the client, so
	 * the rest of what it says is read, too. */
	if (!client->close_ms)
		client->close_ms = now_ms + LEAVE_MS;
	/* A client that gets GOODBYE because the daemon stops may still be copying dots that
	 * came just before: its session is valid as long as the stream is. */
	if (client->session.end != RIP_END_STOPPED && !client->shut &&
	    !rip_connection_pending(&client->connection)) {
		client->shut = true;
		shutdown(client->connection.fd, SHUT_WR);
	}
}

static void drain(struct rip_daemon_client *client)
{
	char bytes[4096];
	ssize_t n;

	/* Without a place for them, descriptors are closed by the kernel. */
	for (int i = 0; i < MESSAGES_A_TURN; i++) {
		n = recv(client->connection.fd, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			client->gone = true;
			close_connection(client);
			return;
		}
		if (n < 0)
			return;
	}
}

static void read_messages(struct rip_daemon_client *client, int64_t now_ms)
{
	struct rip_message message;
	int r;

	client->more = false;
	for (int i = 0; i < MESSAGES_A_TURN; i++) {
		if (ended(client) || client->broken || rip_connection_pending(&client->connection))
			return;
		r = rip_connection_receive(&client->connection, &message);
		if (r == -EAGAIN) {
			if (client->connection.in_used == 0)
				client->partial_ms = 0;
			else if (!client->partial_ms)
				client->partial_ms = now_ms;
			return;
		}
		if (r == -EPROTO) {
			rip_session_breach(&client->session, client->connection.why);
		} else if (r < 0) {
			client->gone = r == -ECONNRESET;
			rip_session_gone(&client->session);
		} else {
			client->partial_ms = 0;
			client->gone = message.type == RIP_END;
			rip_session_receive(&client->session, &message, now_ms);
			/* Mostly there is no other: the event loop says so if there is. */
			if (client->connection.in_used == 0)
				return;
		}
	}
	client->more = true;
}

/* The socket is ready, or there are messages left (more). */
static void carry(struct rip_daemon_client *client, uint32_t events, int64_t now_ms)
{
	int r;

	if (rip_daemon_client_closed(client))
		return;
	r = rip_connection_flush(&client->connection);
	if (r < 0)
		breaks(client, r);
	else if (ended(client))
		drain(client);
	else if (client->reading || events & (EPOLLHUP | EPOLLERR)) /* its last may be END */
		read_messages(client, now_ms);
	settle(client, now_ms);
}

static int ready(sd_event_source *source, int fd, uint32_t events, void *argument)
{
	(void)source;
	(void)fd;
	carry(argument, events, rip_now_ms());
	return 0;
}

void rip_daemon_client_read_on(struct rip_daemon_client *client, int64_t now_ms)
{
	if (client->reading && (client->more || now_ms >= client->due_ms))
		carry(client, 0, now_ms);
}

static uint32_t interest(const struct rip_daemon_client *client)
{
	if (rip_connection_pending(&client->connection))
		return EPOLLOUT;
	return client->reading || ended(client) ? EPOLLIN : 0;
}

int64_t rip_daemon_client_tick(struct rip_daemon_client *client, int64_t now_ms)
{
	int64_t next = INT64_MAX;

	if (client->close_ms) {
		next = client->close_ms;
		if (now_ms >= next)
			close_connection(client);
	} else if (!ended(client)) {
		next = rip_session_tick(&client->session, now_ms);
		if (client->partial_ms && client->partial_ms + PARTIAL_MS < next)
			next = client->partial_ms + PARTIAL_MS;
		if (client->partial_ms && now_ms >= client->partial_ms + PARTIAL_MS)
			rip_session_breach(&client->session,
					   "a message was incomplete after 2 seconds");
	}
	settle(client, now_ms);
	if (rip_daemon_client_closed(client))
		return INT64_MAX;
	sd_event_source_set_io_events(client->io, interest(client));
	client->due_ms = client->close_ms && client->close_ms < next ? client->close_ms : next;
	return client->more && client->reading ? now_ms : client->due_ms;
}
