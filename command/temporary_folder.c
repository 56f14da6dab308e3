#include "config.h"

#include "temporary_folder.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/complain.h"
#include "system/child.h"
#include "system/temporary_space.h"

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

/* Waits until the other end of the pipe is closed, and removes the folder. */
static _Noreturn void guard(const char *path, int end)
{
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	/* Whoever waits for the end of a pipe must not wait for this process. */
	close_range(0, (unsigned)end - 1, 0);
	close_range((unsigned)end + 1, UINT_MAX, 0);
	while (read(end, &byte, 1) < 0 && errno == EINTR)
		;
	/* A program that was ended, too, may be about to create its last file. */
	for (int i = 0; i < 10 && nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0; i++)
		usleep(10000);
	_exit(0);
}

int rip_temporary_folder_make(struct rip_temporary_folder *folder, const char *in)
{
	char why[320];
	int ends[2], r;

	snprintf(folder->path, sizeof folder->path, "%s/riptide-XXXXXX",
		 in ? in : rip_temporary_space_folder());
	r = rip_child_pipe(ends);
	if (r < 0)
		return rip_complain(r, "cannot create a pipe: %s", strerror(-r));
	if (!mkdtemp(folder->path)) {
		r = -errno;
		close(ends[0]);
		close(ends[1]);
		if (in)
			return rip_complain(r, "cannot create a folder in %s: %s",
					    in, strerror(-r));
		rip_temporary_space_refuse(-r, why, sizeof why);
		return rip_complain(r, "%s", why);
	}
	folder->guard = fork();
	if (folder->guard == 0)
		guard(folder->path, ends[0]);
	folder->end = ends[1];
	close(ends[0]);
	if (folder->guard > 0)
		return 0;
	r = -errno;
	close(folder->end);
	rmdir(folder->path);
	return rip_complain(r, "cannot start a process: %s", strerror(-r));
}

void rip_temporary_folder_remove(struct rip_temporary_folder *folder)
{
	close(folder->end);
	while (waitpid(folder->guard, NULL, 0) < 0 && errno == EINTR)
		;
}
