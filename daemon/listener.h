/*
 * The sockets that clients connect to, and which clients may connect.
 *
 * They are either passed by systemd, or one socket is created here.  In the second case a
 * socket file that a dead daemon left is replaced, a live daemon's is not, and at the end the
 * file is removed if it is still ours.
 *
 * Owned and used by the event loop's thread.
 */
#ifndef RIP_LISTENER_H
#define RIP_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/un.h>

#include "wire/peer.h"

#define RIP_LISTENERS_MAX 8

struct rip_listener {
	int    fds[RIP_LISTENERS_MAX];
	int    count;
	bool   passed;              /* by systemd: it can start us again */
	gid_t  groups[RIP_LISTENERS_MAX + 1]; /* whose members may connect: the
				       configured one, and those of the socket files */
	int    group_count;
	char   path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* made by us; or empty */
	dev_t  device;              /* of our file, to know it again */
	ino_t  inode;
};

/* Takes the sockets that systemd passed, or makes one at path, mode 0660, of the
 * group if it exists and we may give it away (else mode 0600).  0 or -errno, and
 * then error says what is wrong and what to do. */
int rip_listener_init(struct rip_listener *listener, const char *path, const char *group,
		      char *error, size_t size);

/* For a daemon that cannot start: answers all clients that wait at the sockets passed by
 * systemd with the reason.  Otherwise systemd would start the daemon for them again and
 * again. */
void rip_listener_give_up(const char *why);

/* Closes the sockets, and removes the file that we made.  May be called twice. */
void rip_listener_finish(struct rip_listener *listener);

/* Whether the client is root, our own user, or a member of one of the groups. */
bool rip_listener_allows(const struct rip_listener *listener, int fd, const struct rip_peer *peer);

#endif
