#include "config.h"

#include "private_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
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

/* Makes the folder, tells the caller 0 or -errno, and removes the folder in the end. */
static _Noreturn void keep(const char *path, int alive, int caller)
{
	int low, folder = -1, error = 0;
	sigset_t every;
	char byte[64];
	ssize_t n;

	sigfillset(&every);
	sigprocmask(SIG_SETMASK, &every, NULL);
	setsid();
	if (mkdir(path, 0700) < 0) {
		error = -errno;
	} else {
		low = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		folder = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, RIP_CHILD_FD_MAX + 1);
		if (folder < 0) {
			error = -errno;
			rmdir(path);
		}
	}
	while (write(caller, &error, sizeof error) < 0 && errno == EINTR)
		;
	if (error)
		_exit(0);
	/* Whoever waits for the end of another pipe must not wait for this process. */
	dup2(folder, 0);
	dup2(alive, 1);
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

/* A name that nobody else has, where 6 letters are.  0 or -errno. */
static int choose_name(char letters[6])
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char random[6];

	if (getrandom(random, sizeof random, 0) != sizeof random)
		return -errno;
	for (size_t i = 0; i < sizeof random; i++)
		letters[i] = all[random[i] % 32];
	return 0;
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* Starts the keeper.  0 or -errno, which may be its own. */
static int start_keeper(struct rip_private_folder *folder)
{
	int alive[2], told[2], error, r;
	ssize_t n;

	r = rip_child_pipe(alive);
	if (r < 0)
		return r;
	r = rip_child_pipe(told);
	if (r < 0) {
		close_both(alive);
		return r;
	}
	folder->keeper = fork();
	if (folder->keeper == 0)
		keep(folder->path, alive[0], told[1]);
	if (folder->keeper < 0) {
		error = -errno;
		close_both(alive);
		close_both(told);
		return error;
	}
	close(told[1]);
	while ((n = read(told[0], &error, sizeof error)) < 0 && errno == EINTR)
		;
	close(told[0]);
	close(alive[0]);
	folder->alive = alive[1];
	return n == sizeof error ? error : -EIO;
}

int rip_private_folder_make(struct rip_private_folder *folder, const char *in)
{
	int n, low, r;

	*folder = (struct rip_private_folder){ .fd = -1, .alive = -1 };
	n = snprintf(folder->path, sizeof folder->path, "%s/riptide-gs-XXXXXX",
		     in ? in : rip_temporary_space_folder());
	if ((size_t)n >= sizeof folder->path)
		return -ENAMETOOLONG;
	r = choose_name(folder->path + n - 6);
	if (r < 0)
		return r;
	r = start_keeper(folder);
	if (r == 0) {
		low = open(folder->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		folder->fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, RIP_CHILD_FD_MAX + 1);
		r = folder->fd < 0 ? -errno : 0;
		if (low >= 0)
			close(low);
	}
	if (r < 0)
		rip_private_folder_remove(folder);
	return r;
}

void rip_private_folder_remove(struct rip_private_folder *folder)
{
	if (folder->keeper <= 0)
		return;
	if (folder->fd >= 0)
		close(folder->fd);
	close(folder->alive);
	while (waitpid(folder->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	*folder = (struct rip_private_folder){ .fd = -1, .alive = -1 };
}
