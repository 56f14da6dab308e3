/*
 * A session: what a client may send, and what the daemon answers.
 *
 * It is a state machine over messages, without sockets, threads or clocks.  It calls its host
 * for everything else, and gets the time with every call.  So tests and fuzzers can drive all
 * of it.
 *
 *	NEW ---HELLO---> OPEN ---PAGE---> OPENING ---page done---> PAGE --BAND--> PAGE
 *	 |                ^------------page refused----|            |---PAGE---> OPENING
 *	 '---STATUS---> ASKING ---STATUS, DEVICES---> ASKING
 *
 * From every state, a broken protocol, a deadline, END or a closed connection leads to ENDED.
 * After that nothing is sent.  Work items that the host still has must be collected before the
 * session is finished.
 *
 * Owned and used by the event loop's thread; only rip_session_run() runs in a worker.
 */
#ifndef RIP_SESSION_H
#define RIP_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "wire/check.h"
#include "scheduler.h"
#include "ring_page.h"

#define RIP_ASKING_MS 10000 /* a client that asks for the status asks again within this */
#define RIP_STUCK_MS  10000 /* no piece of a work item takes this long, unless an engine hangs */
#define RIP_WAIT_MS   30000 /* no band waits this long without progress of any worker,
			       unless all of them hang */

enum rip_session_state {
	RIP_SESSION_NEW,     /* has sent nothing yet */
	RIP_SESSION_ASKING,  /* has sent STATUS */
	RIP_SESSION_OPEN,    /* has got READY; no page */
	RIP_SESSION_OPENING, /* a worker opens a page */
	RIP_SESSION_PAGE,    /* a page is open; bands come */
	RIP_SESSION_ENDED
};

enum rip_session_end {
	RIP_END_NOT,        /* it has not ended */
	RIP_END_DONE,       /* END, or the status was sent */
	RIP_END_GONE,       /* the client closed the connection without END */
	RIP_END_REFUSED,    /* BUSY, NO_ACCELERATOR or REFUSED */
	RIP_END_BREACH,     /* the client broke the protocol or missed a deadline */
	RIP_END_FAILED,     /* the daemon could not continue */
	RIP_END_STOPPED     /* the daemon stops */
};

struct rip_session;

/* The functions that a session needs.  None of them may end the session. */
struct rip_session_host {
	/* HELLO: RIP_READY, with session->engine, ring and engines in session->ring_page and
	 * the device in ready; or RIP_BUSY, RIP_NO_ACCELERATOR, RIP_REFUSED with a reason. */
	enum rip_message_type (*admit)(struct rip_session *session, struct rip_ready *ready,
				       char reason[RIP_REASON_MAX + 1]);
	/* PAGE: whether it should be done here, and this many bytes may be held for it,
	 * instead of the page_memory of the page before: RIP_PLACE_GPU or RIP_PLACE_CPU, or
	 * another place and the reason.  session->spec is the page's.  session->engine and that
	 * of session->ring_page may be changed: no work of the session is with the host. */
	enum rip_page_place (*admit_page)(struct rip_session *session,
					  const struct rip_page_message *page,
					  uint64_t memory, char reason[RIP_REASON_MAX + 1]);
	/* Sends a message; READY brings the ring's descriptors. */
	void (*send)(struct rip_session *session, const struct rip_message *message,
		     const int fds[2]);
	/* Has rip_session_run() called in a worker, in the order of the calls, and then
	 * rip_session_done() in this thread. */
	void (*submit)(struct rip_session *session, struct rip_work *work);
	/* When a worker began with a work item, or with its current piece: milliseconds;
	 * 0: the item waits. */
	int64_t (*started)(struct rip_session *session, const struct rip_work *work);
	/* When a worker last finished a work item, or a piece of one, of any session:
	 * milliseconds. */
	int64_t (*progress)(struct rip_session *session);
	void (*status)(struct rip_session *session, struct rip_status_reply *reply);
	void (*devices)(struct rip_session *session, struct rip_devices_reply *reply);
};

enum rip_session_work_kind {
	RIP_WORK_PAGE,   /* a page to open */
	RIP_WORK_BAND,   /* a band to halftone */
	RIP_WORK_LET_GO  /* the last one: rip_ring_page_let_go() */
};

struct rip_session_work {
	struct rip_work     work; /* first */
	struct rip_session *session;
	enum rip_session_work_kind kind;
	uint64_t            samples;
	int64_t             since_ms; /* when it came */
	/* after the run */
	int                 result;   /* 0 or -errno */
	/* the engines that failed, even if another took over; and as in the ring page */
	struct rip_engine_failure failures[RIP_FAILURES_MAX];
	unsigned            failure_count;
	struct rip_engine  *replaced;
	int                 declined; /* as in the ring page */
	struct rip_engine  *engine;   /* the one that the page uses now */
	struct rip_page_spec spec;    /* of a page */
	struct rip_band_way way;      /* of a band */
	union {
		struct rip_page_message page;
		struct rip_band_message band;
	};
};

struct rip_session {
	const struct rip_session_host *host;
	enum rip_session_state state;
	enum rip_session_end   end;
	bool             hung;        /* it ended because the engine hangs */
	char             why[RIP_REASON_MAX + 1]; /* why it ended; may be empty */
	pid_t            pid;         /* of the peer */
	uid_t            uid;
	int64_t          began_ms;
	int64_t          heard_ms;    /* when the last message came */
	int64_t          said_ms;     /* when we last sent an answer or heartbeat, or when the
					 oldest work item came, whichever is later */
	struct rip_hello hello;
	struct rip_ring_sizes  room;        /* the ring's sizes */
	struct rip_engine *engine;    /* that it uses, as far as the loop knows; NULL: it
					 was not admitted */
	int              declined;    /* why not the one that it was given, as in the ring page */
	struct rip_ring_page ring_page;       /* the workers', while a work item runs */
	uint64_t         page_memory; /* bytes charged for the page */
	struct rip_page_spec spec;    /* of the page, for checks; its curve is NULL */
	uint32_t            pixel_bits;   /* of a sample in its bands of pixels */
	uint32_t         page;        /* number, 0: none yet */
	uint32_t         height;      /* rows of it, 0: not known */
	uint32_t         rows;        /* rows of it that are done */
	uint32_t         seq;         /* of the next band that comes */
	uint32_t         done;        /* of the next band that will be done */
	uint64_t         pages, bands, samples; /* done in this session */
	uint64_t         placed[RIP_PLACES];    /* pages */
	uint64_t         engine_us, wait_us; /* that its work items ran, and waited for a worker */
	/* bands by seq % RIP_BANDS_IN_FLIGHT; a page uses band_work[0] while no band is there */
	struct rip_session_work band_work[RIP_BANDS_IN_FLIGHT];
};

/* Begins a session for a client that has just connected. */
void rip_session_init(struct rip_session *session, const struct rip_session_host *host,
		      pid_t pid, uid_t uid, int64_t now_ms);

/* Frees ring and page.  No work may be with the host. */
void rip_session_finish(struct rip_session *session);

/* Handles a message from the client. */
void rip_session_receive(struct rip_session *session, const struct rip_message *message,
			 int64_t now_ms);

/* To be called when the client's stream has ended or failed. */
void rip_session_gone(struct rip_session *session);

/* Ends the session because the client broke the protocol, and sends the reason. */
void rip_session_breach(struct rip_session *session, const char *why);

/* Refuses a client that has sent nothing yet. */
void rip_session_refuse(struct rip_session *session, enum rip_message_type type,
			const char *why);

/* Sends GOODBYE because the daemon stops.  The host first lets work items that have begun
 * finish. */
void rip_session_stop(struct rip_session *session);

/* To be called when it has ended and no work is with the host: submits what a worker has yet to do,
 * once.  false: the session can be finished. */
bool rip_session_let_go(struct rip_session *session, int64_t now_ms);

/* Does the work, in a worker. */
void rip_session_run(struct rip_work *work);

/* To be called when a submitted work item is done: answers the client if it is still there. */
void rip_session_done(struct rip_session *session, struct rip_session_work *work, int64_t now_ms);

/* Heartbeats and deadlines.  Returns when to call again at the latest:
 * milliseconds of the same clock. */
int64_t rip_session_tick(struct rip_session *session, int64_t now_ms);

/* The number of its bands in flight. */
uint32_t rip_session_in_flight(const struct rip_session *session);

/* Its entry in a STATUS_REPLY. */
void rip_session_describe(const struct rip_session *session, int64_t now_ms,
			  struct rip_session_status *status);

#endif
