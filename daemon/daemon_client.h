/*
 * A client of the daemon: its connection, its session and its work items.
 *
 * It passes messages between the socket and the session.  It never blocks, and does not read
 * from a client that does not read its answers.  A client that is disconnected with a reason
 * gets a second to read it.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_DAEMON_CLIENT_H
#define RIP_DAEMON_CLIENT_H

#include <systemd/sd-event.h>

#include "process.h"
#include "session.h"
#include "wire/connection.h"

struct rip_server;

struct rip_daemon_client {
	struct rip_server    *server;
	sd_event_source      *io;       /* NULL once the connection is closed */
	struct rip_connection connection;
	struct rip_session    session;
	struct rip_process   *process;  /* that it is of; not NULL */
	struct rip_flow       flow;
	int64_t               partial_ms; /* when a message began that is incomplete, or 0 */
	int64_t               due_ms;   /* its next deadline */
	int64_t               close_ms; /* when the connection is closed at the latest, or 0 */
	bool                  reading;  /* it may send new messages */
	bool                  more;     /* messages may be left in the connection's buffer */
	bool                  shut;     /* nothing more is sent */
	bool                  reported; /* its end was logged */
	bool                  lets_go;  /* a worker does the rest, see rip_session_let_go() */
	int                   broken;   /* -errno: sending failed */
	bool                  gone;     /* it has closed its end or said END */
	uint64_t              staging;  /* charged for its page: page-locked memory for the GPU */
	struct rip_engine    *held;     /* by rip_device_hold() or _replace(), or NULL */
	int                   watch;    /* of its ring, in rip_retained; 0: none */
	struct rip_daemon_client *next;
};

/* Takes ownership of fd and adds it to the event loop.  NULL: no memory; the caller keeps
 * fd. */
struct rip_daemon_client *rip_daemon_client_new(sd_event *event, int fd,
						const struct rip_session_host *host,
						struct rip_server *server,
						struct rip_process *process, pid_t pid, uid_t uid,
						int64_t now_ms);

/* Closes everything.  No work may be with the scheduler. */
void rip_daemon_client_free(struct rip_daemon_client *client);

/* The client of a session. */
struct rip_daemon_client *rip_daemon_client_of(struct rip_session *session);

/* The send of rip_session_host. */
void rip_daemon_client_send(struct rip_session *session, const struct rip_message *message,
			    const int fds[2]);

/* Takes messages that are left in the connection's buffer, some at a time, and reads more
 * before it applies a deadline: if the daemon had no time to read, the client is not at
 * fault. */
void rip_daemon_client_read_on(struct rip_daemon_client *client, int64_t now_ms);

/* Applies deadlines, and makes the event loop wait for the right events.  Returns when to
 * call it again at the latest.  To be called after every change of the session. */
int64_t rip_daemon_client_tick(struct rip_daemon_client *client, int64_t now_ms);

/* Whether the connection is closed, so that only running work items still need it. */
bool rip_daemon_client_closed(const struct rip_daemon_client *client);

#endif
