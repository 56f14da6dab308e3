/*
 * The processes that clients are, and what all connections of one process share.
 *
 * Limits and shares count by process: every filter has the same uid.  A pid alone does
 * not tell processes apart.  It is 0 for every client whose pid namespace ours does not
 * contain (another container), and it is given to somebody else when the process has
 * ended, although its connections may live on in other hands.  The inode of a pidfd
 * (Linux 6.9) is of one process until the next boot.  Without it the pid has to do, and
 * for those whose pid is 0 their uid: then all clients of that uid in other namespaces
 * count as one process.
 *
 * A process is who connected, as with SO_PEERCRED, whoever uses the connection later.
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
	struct rip_share      share;  /* its part of the workers' time */
};

/* The process at the other end of a connection whose SO_PEERCRED is pid and uid.  0, or
 * -errno: the system has no descriptor or no memory left to find out. */
int rip_process_identify(int fd, pid_t pid, uid_t uid, struct rip_process_id *id);

/* The same without pidfds, as on an older kernel. */
struct rip_process_id rip_process_id_of(pid_t pid, uid_t uid);

bool rip_process_same(const struct rip_process_id *a, const struct rip_process_id *b);

/* One more connection of this process, which may be a new one in the list.  NULL: no
 * memory. */
struct rip_process *rip_process_enter(struct rip_process **list, const struct rip_process_id *id);

/* One connection less: the last one frees it. */
void rip_process_leave(struct rip_process **list, struct rip_process *process);

#endif
