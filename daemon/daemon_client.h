/*
 * A client of the daemon: its connection, its session and its works.
 *
 * The client carries messages between socket and session.  It never blocks: it
 * does not read from a client that does not read from it, and a client that was
 * told why it must leave gets a second to take note.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_DAEMON_CLIENT_H
#define RIP_DAEMON_CLIENT_H

#include "session.h"
#include "wire/connection.h"

/* Somebody whom the event loop calls when a descriptor is ready. */
struct rip_event_source {
	void (*ready)(struct rip_event_source *source, uint32_t epoll_events);
	void  *server;
	int    fd;
};

struct rip_daemon_client {
	struct rip_event_source     source;   /* first */
	struct rip_connection connection;
	struct rip_session    session;
	struct rip_flow       flow;
	uint32_t              interest; /* epoll events that it was registered with */
	int64_t               partial_ms; /* when a message began that is not whole yet, or 0 */
	int64_t               close_ms; /* when the connection is closed at the latest, or 0 */
	bool                  more;     /* messages may be left in the connection's buffer */
	bool                  shut;     /* nothing more is sent */
	bool                  told;     /* its end was logged */
	int                   broken;   /* -errno: sending failed */
	int                   watch;    /* of its ring, in rip_retained; 0: none */
	struct rip_daemon_client     *next;
};

/* Takes fd over.  NULL: no memory; fd stays the caller's. */
struct rip_daemon_client *rip_daemon_client_new(int fd, const struct rip_session_host *host, void *server,
				pid_t pid, uid_t uid, int64_t now_ms);

/* Closes everything.  No work may be with the scheduler. */
void rip_daemon_client_free(struct rip_daemon_client *client);

/* The client of a session. */
struct rip_daemon_client *rip_daemon_client_of(struct rip_session *session);

/* The send of rip_session_host. */
void rip_daemon_client_send(struct rip_session *session, const struct rip_message *message,
		    const int fds[2]);

/* The socket is ready, or there are messages left (more).  reading: whether new
 * messages are taken. */
void rip_daemon_client_ready(struct rip_daemon_client *client, uint32_t epoll_events, bool reading, int64_t now_ms);

/* Deadlines.  Returns when to call again at the latest.  Call it after everything
 * that was done to the session. */
int64_t rip_daemon_client_tick(struct rip_daemon_client *client, int64_t now_ms);

/* The epoll events that it waits for. */
uint32_t rip_daemon_client_interest(const struct rip_daemon_client *client, bool reading);

/* Whether the connection is closed: only works that run hold it. */
bool rip_daemon_client_closed(const struct rip_daemon_client *client);

#endif
