/*
 * A program that is started as a child process, with descriptors of the caller's choice.
 *
 * The child begins as a program from a shell does: SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP,
 * SIGQUIT and SIGCHLD have their default actions, no signal is blocked, and it writes no core file.
 * The kernel kills it with SIGKILL when the thread that started it ends, by whatever means, so it
 * cannot be left behind.  Any thread.
 */
#ifndef RIP_CHILD_H
#define RIP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The highest number of a descriptor that a child can get. */
#define RIP_CHILD_FD_MAX 6

/* The descriptor `fd` of the caller becomes `number` in the child, 0 to RIP_CHILD_FD_MAX. */
struct rip_child_fd {
	int fd, number;
};

/* Starts argv[0] of `path`, which is searched in PATH if it has no slash.  The child gets the
 * listed descriptors, and those of the caller that are not close-on-exec.  Returns its process
 * number; -ENOENT: there is no such program; other -errno. */
pid_t rip_child_start(const char *path, char *const argv[], const struct rip_child_fd fds[],
		      unsigned count);

struct rip_jail;

/* The same with this environment, and in a jail unless that is NULL: then it is the jail's program.
 * *missing: the parts of the jail that this system does not have. */
pid_t rip_child_start_as(const char *path, const struct rip_jail *jail, char *const argv[],
			 char *const envp[], const struct rip_child_fd fds[], unsigned count,
			 unsigned *missing);

/* How long a program that was asked to end by SIGTERM may take, before it gets SIGKILL. */
#define RIP_CHILD_END_SECONDS 10

/* The same for a filter of CUPS, by its absolute path, under cupsd's rule: a regular file, neither
 * setuid nor setgid, of root's (or of the user as whom this process runs), in a folder of which the
 * same is true, and nobody else may write to either.  Nobody can exchange it after the check.  A
 * script gets its folder as one more descriptor, and its path begins with /dev/fd/.  Also -EPERM:
 * the rule refuses it.  After any error why (size bytes) says what is wrong with which file.
 *
 * group: for a filter with children of its own, which SIGKILL would leave behind: gstoraster does
 * not pass signals to its Ghostscript.  The filter runs in a process group of its own, below a
 * process of ours, whose number is returned.  SIGTERM to that process, the end of the caller's
 * thread and the end of the filter send SIGTERM to the whole group, and SIGKILL if the filter has
 * not ended after RIP_CHILD_END_SECONDS.  The process ends as the filter does: with the same exit
 * status or by the same signal. */
pid_t rip_child_start_filter(const char *path, char *const argv[], const struct rip_child_fd fds[],
			     unsigned count, bool group, char *why, size_t size);

/* A pipe, close-on-exec, with both ends above RIP_CHILD_FD_MAX, so that neither is overwritten in a
 * child.  0 or -errno. */
int rip_child_pipe(int ends[2]);

#endif
