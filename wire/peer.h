/*
 * The process at the other end of a connection: its credentials, and what identifies it.
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
 * Functions without state; any thread may call them.
 */
#ifndef RIP_PEER_H
#define RIP_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum rip_process_kind { RIP_PROCESS_PIDFD, RIP_PROCESS_PID, RIP_PROCESS_UID };

struct rip_process_id {
	enum rip_process_kind kind;
	uint64_t number;
};

struct rip_peer {
	pid_t pid; /* 0: in a pid namespace that ours does not contain */
	uid_t uid;
	gid_t gid;
	struct rip_process_id process;
};

/* Who is at the other end of a UNIX socket.  0, or -errno if the system has no descriptor or
 * memory left. */
int rip_peer_get(int fd, struct rip_peer *peer);

/* The process of a pid and a uid without pidfds, as on an older kernel. */
struct rip_process_id rip_process_id_of(pid_t pid, uid_t uid);

bool rip_process_same(const struct rip_process_id *a, const struct rip_process_id *b);

/* Whether the peer is a member of one of the groups, by its own or by a supplementary one. */
bool rip_peer_in_groups(int fd, const struct rip_peer *peer, const gid_t *groups, int count);

/* Answers a client with BUSY and the reason, and closes the connection. */
void rip_peer_refuse(int fd, const char *why);

#endif
