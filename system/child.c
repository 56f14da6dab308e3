#include "config.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child becomes. */
struct program {
	const char  *path;
	char *const *argv;
	bool         group; /* in a process group of its own */
};

/* ---- in the child, which may only call functions that are safe after fork() in a program with threads ---- */

/* Ends as the program did. */
static _Noreturn void end_as(int status)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t none;

	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &no_core); /* the program may have written one */
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* Waits for the program, and ends the group with it.  held: SIGTERM and SIGCHLD, which are blocked. */
static _Noreturn void guard_group(pid_t program, const sigset_t *held)
{
	bool canceled = false;
	int number, status = 0;

	/* Whoever waits for the end of a pipe must not wait for this process. */
	close_range(0, UINT_MAX, 0);
	while (waitpid(program, &status, WNOHANG) == 0) {
		/* This process is in the group, too: the signal comes back once. */
		if (sigwait(held, &number) == 0 && number == SIGTERM && !canceled) {
			canceled = true;
			kill(0, SIGTERM);
		}
	}
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	end_as(status);
}

/* Returns 0 in a child of this process, which is the first of a new process group and guards it; or -1. */
static int begin_group(void)
{
	sigset_t held, before;
	pid_t pid;

	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, &before);
	pid = setpgid(0, 0) < 0 ? -1 : fork();
	if (pid > 0)
		guard_group(pid, &held);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* Becomes the program, or sends the reason why it cannot. */
static void become(const struct program *program, pid_t parent, const struct rip_child_fd fds[],
		   unsigned count, int failure)
{
	static const int reset[] = { SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCHLD };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	bool placed = true;
	sigset_t none;
	int error;

	for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
		sigaction(reset[i], &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, program->group ? SIGTERM : SIGKILL);
	if (getppid() != parent) /* it has died before */
		_exit(127);
	if (program->group)
		placed = begin_group() == 0;
	for (unsigned i = 0; placed && i < count; i++)
		placed = dup2(fds[i].fd, fds[i].number) >= 0;
	if (placed)
		execvp(program->path, program->argv);
	error = errno;
	while (write(failure, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* ---- in the caller ---- */

int rip_child_pipe(int ends[2])
{
	int low[2], error = 0;

	ends[0] = ends[1] = -1;
	if (pipe2(low, O_CLOEXEC) < 0)
		return -errno;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, RIP_CHILD_FD_MAX + 1);
		if (ends[i] < 0)
			error = errno;
		close(low[i]);
	}
	for (int i = 0; error && i < 2; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
		ends[i] = -1;
	}
	return -error;
}

/* Copies the descriptors above RIP_CHILD_FD_MAX, so that none overwrites another.  0 or -errno;
 * then none is left open. */
static int raise_all(struct rip_child_fd high[], const struct rip_child_fd fds[], unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		high[i].number = fds[i].number;
		high[i].fd = fcntl(fds[i].fd, F_DUPFD_CLOEXEC, RIP_CHILD_FD_MAX + 1);
		if (high[i].fd < 0) {
			const int error = errno;

			while (i > 0)
				close(high[--i].fd);
			return -error;
		}
	}
	return 0;
}

static pid_t start(const struct program *program, const struct rip_child_fd fds[], unsigned count)
{
	struct rip_child_fd high[RIP_CHILD_FD_MAX + 1];
	const pid_t parent = getpid();
	int failure[2], error = 0, r;
	pid_t pid;

	if (count > RIP_CHILD_FD_MAX + 1)
		return -EINVAL;
	r = raise_all(high, fds, count);
	if (r < 0)
		return r;
	r = rip_child_pipe(failure);
	pid = r < 0 ? r : fork();
	if (pid == 0)
		become(program, parent, high, count, failure[1]);
	if (r == 0 && pid < 0)
		pid = -errno;
	for (unsigned i = 0; i < count; i++)
		close(high[i].fd);
	if (r < 0)
		return pid;
	close(failure[1]);
	while (pid > 0 && read(failure[0], &error, sizeof error) < 0 && errno == EINTR)
		;
	close(failure[0]);
	if (!error)
		return pid;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return -error;
}

pid_t rip_child_start(const char *path, char *const argv[], const struct rip_child_fd fds[],
		      unsigned count)
{
	const struct program program = { path, argv, false };

	return start(&program, fds, count);
}

pid_t rip_child_start_group(const char *path, char *const argv[], const struct rip_child_fd fds[],
			    unsigned count)
{
	const struct program program = { path, argv, true };

	return start(&program, fds, count);
}
