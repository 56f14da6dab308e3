/*
 * Messages to the daemon and its answers, with the reason if there is no answer or a wrong one:
 * what a session and the question for the status have in common.
 *
 * A fault is a negative errno.  Used by one thread.
 */
#ifndef RIP_EXCHANGE_H
#define RIP_EXCHANGE_H

#include "connection.h"

/* A clause that can follow "riptided: ", in printable ASCII. */
typedef char rip_reason[RIP_REASON_MAX + 1];

/* Outcomes that are not errors, besides 0. */
enum rip_client_outcome {
	RIP_CLIENT_ABSENT = 1,     /* there is no socket, or nobody listens on it */
	RIP_CLIENT_BUSY,           /* it is full, or its queue of connections is */
	RIP_CLIENT_NO_ACCELERATOR, /* the daemon is not faster than this process */
	RIP_CLIENT_REFUSED,        /* the page exceeds the daemon's limits, or the daemon does not
				      know its screen */
};

/* Writes the reason for a fault, and returns the fault: as errno says, a broken protocol, or
 * another version of it. */
int rip_exchange_fault(rip_reason reason, int fault);
int rip_exchange_nonsense(rip_reason reason, const char *nonsense);
int rip_exchange_other_version(rip_reason reason, uint32_t version);

/* Connects without blocking.  0, an outcome, or a fault. */
int rip_exchange_connect(struct rip_connection *connection, const char *path, rip_reason reason);

/* Sends a message.  That the peer is gone is no fault here: the wait that follows reads its last
 * messages, and then reports it. */
int rip_exchange_say(struct rip_connection *connection, const struct rip_message *message,
		     rip_reason reason);

/* Waits for the next message, at most RIP_SILENCE_MS, and not after `end` (rip_clock_ms()).
 * GOODBYE counts as the end of the connection.  0, or a fault. */
int rip_exchange_await_until(struct rip_connection *connection, int64_t end,
			     struct rip_message *message, rip_reason reason);
int rip_exchange_await(struct rip_connection *connection, struct rip_message *message,
		       rip_reason reason);

/* The outcome, or the fault, that an answer other than READY stands for. */
int rip_exchange_refusal(const struct rip_message *answer, rip_reason reason);

#endif
