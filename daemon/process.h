/*
 * The processes of clients, and what the connections of one process share.
 *
 * Limits and shares count by process, because every filter has the same uid.  A pid alone does
 * not identify a process.  It is 0 for clients in a pid namespace that ours does not contain
 * (another container), and it is reused after the process has ended, although other processes
 * may still hold its connections.  The inode of a pidfd (Linux 6.9) belongs to one process
 * until the next boot.  Without it, the pid is used, or the uid if the pid is 0: then all
 * clients of that uid in other namespaces count as one process.
 *
 * As with SO_PEERCRED, a connection belongs to the process that connected, whichever process
 * uses it later.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_PROCESS_H
#define RIP_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "scheduler.h"

enum rip_process_kind { RIP_PROCESS_PIDFD, RIP_PROCESS_PID, RIP_PROCESS_UID };

struct rip_process_id {
	enum rip_process_kind kind;
	uint64_t number;
};

/* A process that has connections. */
struct rip_process {
	struct rip_process   *next;
	struct rip_process_id id;
	unsigned              connections;
	struct rip_share      share;  /* its share of the workers' time */
};

/* Identifies the process at the other end of a connection whose SO_PEERCRED is pid and uid.
 * 0, or -errno if the system has no descriptor or memory left. */
int rip_process_identify(int fd, pid_t pid, uid_t uid, struct rip_process_id *id);

/* The same without pidfds, as on an older kernel. */
struct rip_process_id rip_process_id_of(pid_t pid, uid_t uid);

bool rip_process_same(const struct rip_process_id *a, const struct rip_process_id *b);

/* Adds a connection to this process, and the process to the list if it is new.  NULL: no
 * memory. */
struct rip_process *rip_process_enter(struct rip_process **list, const struct rip_process_id *id);

/* Removes a connection from the process, which is freed with the last one. */
void rip_process_leave(struct rip_process **list, struct rip_process *process);

#endif
