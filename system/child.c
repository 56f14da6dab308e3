#include "config.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "jail.h"

/* A core file of a program would hold a document. */
static const struct rlimit no_core = { 0, 0 };

/* What the child becomes. */
struct program {
	const char  *path;   /* searched in PATH, or the name of a file in the folder */
	char *const *argv;
	char *const *envp;   /* NULL: that of the caller */
	const struct rip_jail *jail; /* its program, and not of `path`; or NULL */
	int          folder; /* a descriptor, or -1 */
	bool         group;  /* in a process group of its own */
};

/* ---- in the child: only functions that are safe after fork() in a program with threads ---- */

/* Ends as the program did. */
static _Noreturn void end_as(int status)
{
	sigset_t none;

	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &no_core);
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* Waits for the program, and ends the group with it.  held: SIGTERM and SIGCHLD, blocked. */
static _Noreturn void guard_group(pid_t program, const sigset_t *held)
{
	int64_t killed = 0; /* when the group is, once it was canceled */
	int number, status = 0;

	/* Whoever waits for the end of a pipe must not wait for this process. */
	close_range(0, UINT_MAX, 0);
	while (waitpid(program, &status, WNOHANG) == 0) {
		const int64_t left = killed ? killed - rip_clock_us() : 0;
		const struct timespec pause = { left / 1000000, left % 1000000 * 1000 };

		if (left < 0)
			kill(0, SIGKILL); /* this process is in the group, too */
		number = sigtimedwait(held, NULL, killed ? &pause : NULL);
		/* The signal comes back once. */
		if (number == SIGTERM && !killed) {
			killed = rip_clock_us() + RIP_CHILD_END_SECONDS * INT64_C(1000000);
			kill(0, SIGTERM);
		}
	}
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	end_as(status);
}

/* Returns -1, or 0 in a child of this process, which is the first of a new process group and
 * guards it. */
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

/* Becomes a file of a folder.  Returns only after an error, with errno. */
static void exec_in_folder(const struct program *program)
{
	execveat(program->folder, program->path, program->argv, environ, 0);
	/* So the kernel says of a script, too, whose interpreter needs the folder's descriptor. */
	if (errno == ENOENT && fcntl(program->folder, F_SETFD, 0) == 0)
		execveat(program->folder, program->path, program->argv, environ, 0);
}

/* A number that is negative, unlike errors. */
static void send_missing(int failure, unsigned parts)
{
	const int message = -(int)parts;

	while (write(failure, &message, sizeof message) < 0 && errno == EINTR)
		;
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
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, program->group ? SIGTERM : SIGKILL);
	if (getppid() != parent) /* it has died before */
		_exit(127);
	if (program->group)
		placed = begin_group() == 0;
	for (unsigned i = 0; placed && i < count; i++)
		placed = dup2(fds[i].fd, fds[i].number) >= 0;
	if (placed && program->jail)
		errno = -rip_jail_exec(program->jail, program->argv, program->envp, parent,
				       send_missing, failure);
	else if (placed && program->folder >= 0)
		exec_in_folder(program);
	else if (placed)
		execvpe(program->path, program->argv, program->envp ? program->envp : environ);
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

static pid_t start(const struct program *program, const struct rip_child_fd fds[], unsigned count,
		   unsigned *missing)
{
	struct rip_child_fd high[RIP_CHILD_FD_MAX + 1];
	const pid_t parent = getpid();
	int failure[2], message, error = 0, r;
	pid_t pid;
	ssize_t n;

	*missing = 0;
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
	while (pid > 0 && (n = read(failure[0], &message, sizeof message)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0 && message < 0)
			*missing = (unsigned)-message;
		else if (n > 0)
			error = message;
	}
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
	const struct program program = { .path = path, .argv = argv, .folder = -1 };
	unsigned missing;

	return start(&program, fds, count, &missing);
}

pid_t rip_child_start_as(const char *path, const struct rip_jail *jail, char *const argv[],
			 char *const envp[], const struct rip_child_fd fds[], unsigned count,
			 unsigned *missing)
{
	const struct program program = { path, argv, envp, jail, -1, false };

	return start(&program, fds, count, missing);
}

/* ---- filters ---- */

/* The descriptor of a folder that a script gets stays clear of those that scripts use by number. */
#define FOLDER_FD_MIN 10

static int refuse(int error, char *why, size_t size, const char *path, const char *what)
{
	snprintf(why, size, "%s: %s", path, what);
	return error;
}

/* cupsd's rule, for a file or a folder: the owner, others, and setuid.  0, or -EPERM with why. */
static int check_owner(const struct stat *file, const char *path, char *why, size_t size)
{
	if (file->st_uid != 0 && file->st_uid != geteuid())
		return refuse(-EPERM, why, size, path, "it does not belong to root");
	if (file->st_mode & (S_IWGRP | S_IWOTH))
		return refuse(-EPERM, why, size, path, "its group or others may write to it");
	if (file->st_mode & (S_ISUID | S_ISGID) && S_ISREG(file->st_mode))
		return refuse(-EPERM, why, size, path, "it is setuid or setgid");
	return 0;
}

/* Opens the folder of a path, checked, and splits the path into both.  Returns the
 * descriptor; or -errno with why. */
static int open_folder(char *path, const char **name, char *why, size_t size)
{
	char *slash = strrchr(path, '/');
	const char *folder = slash == path ? "/" : path;
	struct stat status;
	int fd, high, r;

	*slash = '\0';
	*name = slash + 1;
	fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FOLDER_FD_MIN);
	if (high < 0 || fstat(high, &status) < 0)
		r = refuse(-errno, why, size, folder, strerror(errno));
	else
		r = check_owner(&status, folder, why, size);
	if (fd >= 0)
		close(fd);
	if (r == 0)
		return high;
	if (high >= 0)
		close(high);
	return r;
}

/* The path of an open file, without symbolic links.  0, or -errno with why. */
static int real_path(int fd, char path[PATH_MAX], char *why, size_t size)
{
	char link[32];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, PATH_MAX - 1);
	if (n < 0)
		return refuse(-errno, why, size, link, strerror(errno));
	path[n] = '\0';
	return *path == '/' ? 0 : refuse(-ENOENT, why, size, path, strerror(ENOENT));
}

/* Finds the folder that the file itself is in, which only its owner can change, and so what the
 * file's name stands for there.  Returns its descriptor; or -errno with why. */
static int folder_of(int file, char real[PATH_MAX], const char **name, char *why, size_t size)
{
	struct stat status, there;
	int folder, r = real_path(file, real, why, size);

	if (r < 0)
		return r;
	if (fstat(file, &status) < 0)
		return refuse(-errno, why, size, real, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return refuse(-EPERM, why, size, real, "it is no regular file");
	r = check_owner(&status, real, why, size);
	if (r < 0)
		return r;
	folder = open_folder(real, name, why, size);
	if (folder < 0)
		return folder;
	if (fstatat(folder, *name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    there.st_dev == status.st_dev && there.st_ino == status.st_ino)
		return folder;
	close(folder);
	return refuse(-ENOENT, why, size, *name, strerror(ENOENT)); /* it was exchanged */
}

pid_t rip_child_start_filter(const char *path, char *const argv[], const struct rip_child_fd fds[],
			     unsigned count, bool group, char *why, size_t size)
{
	struct program program = { .argv = argv, .folder = -1, .group = group };
	char named[PATH_MAX], real[PATH_MAX];
	unsigned missing;
	int folder, file, r;

	if (*path != '/' || (size_t)snprintf(named, sizeof named, "%s", path) >= sizeof named)
		return refuse(-EINVAL, why, size, path, "it is no absolute path, or too long");
	/* What is in the folder of a symbolic link may point anywhere. */
	folder = open_folder(named, &program.path, why, size);
	if (folder < 0)
		return folder;
	file = openat(folder, program.path, O_PATH | O_CLOEXEC);
	r = file < 0 ? refuse(-errno, why, size, path, strerror(errno)) : 0;
	close(folder);
	if (r < 0)
		return r;
	r = folder_of(file, real, &program.path, why, size);
	if (r >= 0) {
		program.folder = r;
		r = start(&program, fds, count, &missing);
		if (r < 0)
			refuse(r, why, size, path, strerror(-r));
		close(program.folder);
	}
	close(file);
	return r;
}
