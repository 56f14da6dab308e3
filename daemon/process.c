/* The processes that clients are. */
#include "config.h"

#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

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

int rip_process_identify(int fd, pid_t pid, uid_t uid, struct rip_process_id *id)
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

struct rip_process *rip_process_enter(struct rip_process **list, const struct rip_process_id *id)
{
	struct rip_process *process = *list;

	while (process && !rip_process_same(&process->id, id))
		process = process->next;
	if (!process) {
		process = calloc(1, sizeof *process);
		if (!process)
			return NULL;
		process->id = *id;
		rip_share_init(&process->share);
		process->next = *list;
		*list = process;
	}
	process->connections++;
	return process;
}

void rip_process_leave(struct rip_process **list, struct rip_process *process)
{
	if (--process->connections)
		return;
	while (*list != process)
		list = &(*list)->next;
	*list = process->next;
	free(process);
}
