#include "config.h"

#include "app/app_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system/child.h"
#include "system/clock.h"

#define RUN_MAX  2  /* at a time, in turn */
#define WAIT_MAX 24

/* ---- the child ---- */

/* Waits for its end.  Its exit status or -errno. */
static int wait_for_end(pid_t pid, unsigned seconds)
{
	const int64_t until = rip_clock_ms() + seconds * INT64_C(1000);
	struct pollfd child = { pidfd_open(pid, 0), POLLIN, 0 };
	int64_t left = seconds * INT64_C(1000);
	int status = 0, ended;

	do {
		/* A kernel that has no such descriptor sets no limit. */
		ended = child.fd < 0 ? 1 : poll(&child, 1, (int)left);
		left = until - rip_clock_ms();
	} while (ended < 0 && errno == EINTR && left > 0);
	if (ended <= 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (child.fd >= 0)
		close(child.fd);
	return ended <= 0 ? -ETIMEDOUT : WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

static void read_text(int fd, char *text, size_t size)
{
	const ssize_t n = pread(fd, text, size - 1, 0);

	text[n > 0 ? n : 0] = '\0';
}

void rip_app_run_start(const char *program, const char *const argv[], struct rip_app_running *run)
{
	run->program = program;
	run->out = memfd_create("output", MFD_CLOEXEC);
	run->error = memfd_create("messages", MFD_CLOEXEC);

	const struct rip_child_fd fds[] = {
		{ open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO },
		{ run->out, STDOUT_FILENO },
		{ run->error, STDERR_FILENO },
	};
	const bool opened = fds[0].fd >= 0 && run->out >= 0 && run->error >= 0;

	run->pid = opened ? rip_child_start(program, (char *const *)argv, fds, 3) : -errno;
	if (fds[0].fd >= 0)
		close(fds[0].fd);
}

int rip_app_run_wait(struct rip_app_running *run, unsigned seconds, struct rip_app_said *said)
{
	const int r = run->pid > 0 ? wait_for_end(run->pid, seconds) : run->pid;

	read_text(run->out, said->out, sizeof said->out);
	read_text(run->error, said->error, sizeof said->error);
	if (r < 0 && !*said->error)
		snprintf(said->error, sizeof said->error, "%s: %s", run->program, strerror(-r));
	if (run->out >= 0)
		close(run->out);
	if (run->error >= 0)
		close(run->error);
	return r;
}

int rip_app_run(const char *program, const char *const argv[], unsigned seconds,
		struct rip_app_said *said)
{
	struct rip_app_running run;

	rip_app_run_start(program, argv, &run);
	return rip_app_run_wait(&run, seconds, said);
}

/* ---- in turn ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  freed = PTHREAD_COND_INITIALIZER;
static unsigned running, waiting;

static bool take_place(void)
{
	struct timespec until;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += RIP_APP_RUN_SECONDS;
	pthread_mutex_lock(&lock);
	if (running >= RUN_MAX && waiting >= WAIT_MAX)
		r = EBUSY;
	waiting++;
	while (r == 0 && running >= RUN_MAX)
		r = pthread_cond_timedwait(&freed, &lock, &until);
	waiting--;
	if (r == 0)
		running++;
	pthread_mutex_unlock(&lock);
	return r == 0;
}

static void give_place(void)
{
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_signal(&freed);
	pthread_mutex_unlock(&lock);
}

static bool is_there(const char *file)
{
	return file && access(file, R_OK) == 0;
}

int rip_app_run_in_turn(const char *program, const char *const argv[], const char *file,
			struct rip_app_said *said)
{
	int r;

	if (is_there(file))
		return 0;
	if (!take_place()) {
		snprintf(said->error, sizeof said->error, "%s", strerror(EBUSY));
		return -EBUSY;
	}
	r = is_there(file) ? 0 : rip_app_run(program, argv, RIP_APP_RUN_SECONDS, said);
	give_place();
	return r;
}
