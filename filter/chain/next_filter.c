#include "config.h"

#include "next_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/queue.h"
#include "filter/report.h"
#include "system/child.h"
#include "system/clock.h"
#include "system/large_pipe.h"

/* ---- the end of the program ---- */

/* Waits until it has ended, but leaves it to be waited for.  Returns whether it has. */
static bool has_ended(pid_t pid, int options, siginfo_t *info)
{
	int r;

	info->si_pid = 0;
	do
		r = waitid(P_PID, (id_t)pid, info, WEXITED | WNOWAIT | options);
	while (r < 0 && errno == EINTR);
	return r == 0 && info->si_pid == pid;
}

/* The exit status that follows from its end; says why if it is not 0. */
static int status_of(const struct rip_next_filter *next, const siginfo_t *info)
{
	if (info->si_code != CLD_EXITED) {
		rip_error("%s was killed by signal %d (%s)", next->name, info->si_status,
			  strsignal(info->si_status));
		return EXIT_FAILURE;
	}
	if (info->si_status != EXIT_SUCCESS)
		rip_report_write(next->speaks ? RIPTIDE_LOG_DEBUG : RIPTIDE_LOG_ERROR,
				 "%s failed with exit status %d", next->name, info->si_status);
	return info->si_status;
}

/* ---- the thread that watches ---- */

/* Waits for the end of a program that got SIGTERM, and ends one that does not heed it. */
static void wait_or_kill(pid_t pid)
{
	const int64_t end = rip_clock_us() + RIP_CHILD_END_SECONDS * INT64_C(1000000);
	siginfo_t info;
	sigset_t child;
	int64_t left;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (!has_ended(pid, WNOHANG, &info)) {
		left = end - rip_clock_us();
		if (left <= 0)
			kill(pid, SIGKILL);
		left = left > 0 ? left : 1000;
		sigtimedwait(&child, NULL,
			     &(struct timespec){ left / 1000000, left % 1000000 * 1000 });
	}
}

/* Ends the program and then this process, by SIGTERM. */
static _Noreturn void cancel(struct rip_next_filter *next)
{
	sigset_t term;
	pid_t pid;
	int nowhere;

	pthread_mutex_lock(&next->lock);
	next->canceled = true;
	pid = next->pid;
	if (pid > 0)
		kill(pid, SIGTERM);
	/* What it does not read any more is nobody's: the main thread may still write.  The filter
	 * before us ends too, and that our input breaks off then is no error of the job's. */
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0 && !next->ending)
		dup2(nowhere, STDOUT_FILENO);
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	pthread_mutex_unlock(&next->lock);
	if (pid > 0)
		wait_or_kill(pid);
	signal(SIGTERM, SIG_DFL);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	raise(SIGTERM);
	pthread_sigmask(SIG_UNBLOCK, &term, NULL);
	_exit(128 + SIGTERM); /* not reached */
}

/* A child of this process has ended: ends this process if it is the program, and it failed. */
static void look_after(struct rip_next_filter *next)
{
	siginfo_t info;
	int status;

	pthread_mutex_lock(&next->lock);
	if (!next->ending && next->pid > 0 && has_ended(next->pid, WNOHANG, &info)) {
		status = status_of(next, &info);
		if (status != EXIT_SUCCESS)
			_exit(status);
	}
	pthread_mutex_unlock(&next->lock);
}

static void signals_of_watcher(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
}

static void *watch(void *object)
{
	sigset_t set;
	int number;

	signals_of_watcher(&set);
	for (;;) {
		if (sigwait(&set, &number))
			continue;
		if (number == SIGTERM)
			cancel(object);
		look_after(object);
	}
	return NULL;
}

/* ---- start and end ---- */

/* The path of a filter of CUPS.  0 or -errno (reported). */
static int find_filter(const char *program, char *path, size_t size)
{
	const char *folder = getenv("CUPS_SERVERBIN");
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	int n;

	if ((slash && program[0] != '/') || !*name || name[0] == '.' ||
	    !strcmp(name, RIP_FILTER_NAME) || !strcmp(name, RIP_PDF_FILTER_NAME)) {
		rip_error("riptideNextFilter in the PPD is \"%.64s\"; it must be the name of "
			  "another filter, or an absolute path", program);
		return -EINVAL;
	}
	if (slash)
		n = snprintf(path, size, "%s", program);
	else
		n = snprintf(path, size, "%s/filter/%s",
			     folder && *folder ? folder : RIP_CUPS_SERVERBIN, program);
	if (n < 0 || (size_t)n >= size) {
		rip_error("riptideNextFilter in the PPD is too long");
		return -ENAMETOOLONG;
	}
	return 0;
}

/* Starts the program at `path`; its standard input becomes our standard output.  speaks: it is a
 * filter, which says itself why it fails.  why (size bytes) says why it cannot be started. */
static int start(struct rip_next_filter *next, const char *path, char *const argv[],
		 const char *name, bool speaks, char *why, size_t size)
{
	struct rip_child_fd input;
	pthread_t watcher;
	sigset_t set;
	int ends[2], r = rip_child_pipe(ends);

	why[0] = '\0';
	if (r < 0)
		return r;
	rip_large_pipe(ends[1]);
	pthread_mutex_init(&next->lock, NULL);
	next->ending = next->canceled = false;
	next->speaks = speaks;
	snprintf(next->name, sizeof next->name, "%s", name);
	/* For the watcher alone, so blocked in all threads that are still to come. */
	signal(SIGCHLD, SIG_DFL);
	signals_of_watcher(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	input = (struct rip_child_fd){ ends[0], STDIN_FILENO };
	next->pid = speaks ? rip_child_start_filter(path, argv, &input, 1, false, why, size) :
			     rip_child_start(path, argv, &input, 1);
	if (next->pid < 0) {
		r = next->pid;
		next->pid = 0;
	} else if (dup2(ends[1], STDOUT_FILENO) < 0) {
		r = -errno;
	}
	close(ends[0]);
	close(ends[1]);
	if (r == 0)
		r = -pthread_create(&watcher, NULL, watch, next);
	if (r == 0)
		pthread_detach(watcher);
	else if (next->pid > 0) {
		kill(next->pid, SIGKILL);
		waitpid(next->pid, NULL, 0);
		next->pid = 0;
	}
	if (r < 0)
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	return r;
}

int rip_next_filter_start(struct rip_next_filter *next, const char *program, char *const argv[])
{
	/* The name of the queue is a filter's argv[0]. */
	char *const args[] = { argv[0], argv[1], argv[2], argv[3], argv[4], argv[5], NULL };
	char path[PATH_MAX], why[512];
	int r = find_filter(program, path, sizeof path);

	if (r < 0)
		return r;
	r = start(next, path, args, strrchr(path, '/') + 1, true, why, sizeof why);
	if (r < 0)
		rip_error("cannot run riptideNextFilter in the PPD: %s%s",
			  why[0] ? why : strerror(-r),
			  r == -ENOENT ? "; install the printer's driver" : "");
	else
		rip_debug("started %s (process %d) behind this filter", path, (int)next->pid);
	return r;
}

int rip_next_program_start(struct rip_next_filter *next, char *const argv[], const char *name)
{
	char why[1];
	const int r = start(next, argv[0], argv, name, false, why, sizeof why);

	if (r < 0)
		rip_error("cannot run %s (%s): %s", argv[0], name, strerror(-r));
	return r;
}

/* Waits for the program.  Returns its exit status. */
static int wait_for(struct rip_next_filter *next)
{
	siginfo_t info;
	bool ended = has_ended(next->pid, 0, &info);
	int status = EXIT_FAILURE;

	pthread_mutex_lock(&next->lock);
	if (next->canceled) {
		pthread_mutex_unlock(&next->lock);
		for (;;)
			pause(); /* the watcher ends this process */
	}
	if (ended)
		status = status_of(next, &info);
	waitpid(next->pid, NULL, 0);
	next->pid = 0;
	pthread_mutex_unlock(&next->lock);
	return status;
}

int rip_next_filter_end(struct rip_next_filter *next, int r)
{
	const bool runs = next->pid > 0;
	int status = EXIT_SUCCESS;

	if (runs) {
		pthread_mutex_lock(&next->lock);
		next->ending = true;
		pthread_mutex_unlock(&next->lock);
	}
	/* Some file systems report a full disk only here. */
	if (close(STDOUT_FILENO) < 0 && r == 0) {
		r = -errno;
		rip_error("cannot write the raster: %s", strerror(errno));
	}
	if (runs)
		status = wait_for(next);
	if (runs && r == -EPIPE && status == EXIT_SUCCESS)
		rip_error("%s ended before it had read all pages", next->name);
	return status != EXIT_SUCCESS ? status : r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
