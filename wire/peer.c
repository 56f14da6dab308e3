/* The process at the other end of a connection. */
#include "config.h"

#include "peer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "codec.h"

/* Since Linux 6.5; the number of all architectures but two, which do without. */
#if !defined SO_PEERPIDFD && !defined __hppa__ && !defined __sparc__
#define SO_PEERPIDFD 77
#endif
#define PIDFS_MAGIC 0x50494446 /* since Linux 6.9; before, all pidfds had one inode */

struct rip_process_id rip_process_id_of(pid_t pid, uid_t uid)
{
	return pid > 0 ? (struct rip_process_id){ RIP_PROCESS_PID, (uint64_t)pid }
		       : (struct rip_process_id){ RIP_PROCESS_UID, uid };
}

static int identify(int fd, pid_t pid, uid_t uid, struct rip_process_id *id)
{
	*id = rip_process_id_of(pid, uid);
#ifdef SO_PEERPIDFD
	int pidfd = -1;
	socklen_t length = sizeof pidfd;
	struct statfs fs;
	struct stat st;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) < 0)
		/* Otherwise one process would be two when descriptors run out. */
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -errno : 0;
	if (fstatfs(pidfd, &fs) == 0 && fs.f_type == PIDFS_MAGIC && fstat(pidfd, &st) == 0)
		*id = (struct rip_process_id){ RIP_PROCESS_PIDFD, st.st_ino };
	close(pidfd);
#endif
	return 0;
}

bool rip_process_same(const struct rip_process_id *a, const struct rip_process_id *b)
{
	return a->kind == b->kind && a->number == b->number;
}

int rip_peer_get(int fd, struct rip_peer *peer)
{
	struct ucred credentials;
	socklen_t length = sizeof credentials;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0)
		return -errno;
	*peer = (struct rip_peer){
		.pid = credentials.pid, .uid = credentials.uid, .gid = credentials.gid
	};
	return identify(fd, peer->pid, peer->uid, &peer->process);
}

void rip_peer_refuse(int fd, const char *why)
{
	struct rip_message message = { .type = RIP_BUSY };
	uint8_t bytes[256];
	int length;

	message.reason.version = RIP_PROTOCOL_VERSION;
	rip_text_set(message.reason.text, sizeof message.reason.text, why);
	length = rip_message_encode(&message, bytes, sizeof bytes);
	if (length > 0)
		(void)!send(fd, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
	close(fd);
}

static bool contains(const gid_t *groups, int count, gid_t gid)
{
	for (int i = 0; i < count; i++)
		if (groups[i] == gid)
			return true;
	return false;
}

bool rip_peer_in_groups(int fd, const struct rip_peer *peer, const gid_t *groups, int count)
{
	gid_t few[64], *own = few;
	socklen_t length = sizeof few;
	bool found = false;

	if (contains(groups, count, peer->gid))
		return true;
#ifdef SO_PEERGROUPS
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, own, &length) < 0) {
		if (errno != ERANGE)
			return false;
		own = malloc(length); /* now the length is known */
		if (!own || getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, own, &length) < 0)
			length = 0;
	}
	for (size_t i = 0; i < length / sizeof own[0]; i++)
		found |= contains(groups, count, own[i]);
	if (own != few)
		free(own);
#endif
	return found;
}
