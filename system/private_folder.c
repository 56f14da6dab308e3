#include "config.h"

#include "private_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "temporary_space.h"

/* ---- the keeper: only functions that are safe after fork() in a program with threads ---- */

/* As the kernel writes it. */
struct entry {
	uint64_t       inode;
	int64_t        next;
	unsigned short length;
	unsigned char  type;
	char           name[];
};

/* Removes the files of a folder.  There are no folders in it: who may make files there may make no
 * folders. */
static void empty(int folder)
{
	_Alignas(struct entry) char bytes[4096];
	bool found = true;

	while (found) {
		long n;

		found = false;
		lseek(folder, 0, SEEK_SET);
		while ((n = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0)
			for (long at = 0; at < n;) {
				const struct entry *entry = (const struct entry *)(bytes + at);

				found |= entry->type != DT_DIR &&
					 unlinkat(folder, entry->name, 0) == 0;
				at += entry->length;
			}
	}
}

static _Noreturn void keep(const char *path, int folder, int pipe)
{
	sigset_t every;
	char byte[64];
	ssize_t n;

	sigfillset(&every);
	sigprocmask(SIG_SETMASK, &every, NULL);
	setsid();
	/* Whoever waits for the end of another pipe must not wait for this process. */
	dup2(folder, 0);
	dup2(pipe, 1);
	close_range(2, UINT_MAX, 0);
	do
		n = read(1, byte, sizeof byte); /* a child may write to its end */
	while (n > 0 || (n < 0 && errno == EINTR));
	/* A program that was ended, too, may be about to create its last file. */
	for (int i = 0; i < 10; i++) {
		empty(0);
		if (rmdir(path) == 0)
			break;
		usleep(10000);
	}
	_exit(0);
}

/* ---- in the caller ---- */

int rip_private_folder_make(struct rip_private_folder *folder, const char *in)
{
	int ends[2], low, r;

	*folder = (struct rip_private_folder){ .fd = -1, .alive = -1 };
	if ((size_t)snprintf(folder->path, sizeof folder->path, "%s/riptide-gs-XXXXXX",
			     in ? in : rip_temporary_space_folder()) >= sizeof folder->path)
		return -ENAMETOOLONG;
	r = rip_child_pipe(ends);
	if (r < 0)
		return r;
	if (!mkdtemp(folder->path)) {
		r = -errno;
		goto no_folder;
	}
	low = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder->fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, RIP_CHILD_FD_MAX + 1);
	r = folder->fd < 0 ? -errno : 0;
	if (low >= 0)
		close(low);
	if (r == 0) {
		folder->keeper = fork();
		if (folder->keeper == 0)
			keep(folder->path, folder->fd, ends[0]);
		r = folder->keeper < 0 ? -errno : 0;
	}
	if (r == 0) {
		close(ends[0]);
		folder->alive = ends[1];
		return 0;
	}
	rmdir(folder->path);
	if (folder->fd >= 0)
		close(folder->fd);
no_folder:
	close(ends[0]);
	close(ends[1]);
	*folder = (struct rip_private_folder){ .fd = -1, .alive = -1 };
	return r;
}

void rip_private_folder_remove(struct rip_private_folder *folder)
{
	if (folder->keeper <= 0)
		return;
	close(folder->fd);
	close(folder->alive);
	while (waitpid(folder->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	*folder = (struct rip_private_folder){ .fd = -1, .alive = -1 };
}
