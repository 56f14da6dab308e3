#include "config.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child, which may only call functions that are safe after fork() in a program with
 * threads: becomes the program, or sends the reason why it cannot. */
static void become(const char *path, char *const argv[], pid_t parent,
		   const struct rip_child_fd fds[], unsigned count, int failure)
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
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it has died before */
		_exit(127);
	for (unsigned i = 0; placed && i < count; i++)
		placed = dup2(fds[i].fd, fds[i].number) >= 0;
	if (placed)
		execvp(path, argv);
	error = errno;
	while (write(failure, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

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

pid_t rip_child_start(const char *path, char *const argv[], const struct rip_child_fd fds[],
		      unsigned count)
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
		become(path, argv, parent, high, count, failure[1]);
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
