/*
 * The processes that have connections, and what the connections of one process share:
 * limits, and a share of the workers' time.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_PROCESS_H
#define RIP_PROCESS_H

#include "scheduler.h"
#include "wire/peer.h"

/* A process that has connections. */
struct rip_process {
	struct rip_process   *next;
	struct rip_process_id id;
	unsigned              connections;
	struct rip_share      share;  /* its share of the workers' time */
};

/* Adds a connection to this process, and the process to the list if it is new.  NULL: no
 * memory. */
struct rip_process *rip_process_enter(struct rip_process **list, const struct rip_process_id *id);

/* Removes a connection from the process, which is freed with the last one. */
void rip_process_leave(struct rip_process **list, struct rip_process *process);

#endif
