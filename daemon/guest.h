/*
 * A guest: a client's connection, with its session and its works.
 *
 * The guest carries messages between socket and session.  It never blocks: it
 * does not read from a client that does not read from it, and a client that was
 * told why it must leave gets a second to take note.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_GUEST_H
#define RIP_GUEST_H

#include "session.h"
#include "wire/connection.h"

/* Somebody whom the event loop calls when a descriptor is ready. */
struct rip_event_source {
	void (*ready)(struct rip_event_source *source, uint32_t epoll_events);
	void  *server;
	int    fd;
};

struct rip_guest {
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
	int                   watch;    /* of its ring, in rip_kept; 0: none */
	struct rip_guest     *next;
};

/* Takes fd over.  NULL: no memory; fd stays the caller's. */
struct rip_guest *rip_guest_new(int fd, const struct rip_session_host *host, void *server,
				pid_t pid, uid_t uid, int64_t now_ms);

/* Closes everything.  No work may be with the scheduler. */
void rip_guest_free(struct rip_guest *guest);

/* The guest of a session. */
struct rip_guest *rip_guest_of(struct rip_session *session);

/* The send of rip_session_host. */
void rip_guest_send(struct rip_session *session, const struct rip_message *message,
		    const int fds[2]);

/* The socket is ready, or there are messages left (more).  reading: whether new
 * messages are taken. */
void rip_guest_ready(struct rip_guest *guest, uint32_t epoll_events, bool reading, int64_t now_ms);

/* Deadlines.  Returns when to call again at the latest.  Call it after everything
 * that was done to the session. */
int64_t rip_guest_tick(struct rip_guest *guest, int64_t now_ms);

/* The epoll events that it waits for. */
uint32_t rip_guest_interest(const struct rip_guest *guest, bool reading);

/* Whether the connection is closed: only works that run hold it. */
bool rip_guest_closed(const struct rip_guest *guest);

#endif
