#include "config.h"

#include "web_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/app_places.h"
#include "system/child.h"
#include "system/clock.h"

extern char **environ;

/* ---- places ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  freed = PTHREAD_COND_INITIALIZER;
static unsigned running, waiting;

static int take_place(void)
{
	struct timespec until;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += RIP_WEB_SECONDS;
	pthread_mutex_lock(&lock);
	if (running >= RIP_WEB_CHILDREN && waiting >= RIP_WEB_WAITING)
		r = EBUSY;
	waiting++;
	while (r == 0 && running >= RIP_WEB_CHILDREN)
		r = pthread_cond_timedwait(&freed, &lock, &until);
	waiting--;
	if (r == 0)
		running++;
	pthread_mutex_unlock(&lock);
	return r ? -EBUSY : 0;
}

static void give_place(void)
{
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_signal(&freed);
	pthread_mutex_unlock(&lock);
}

/* ---- the child ---- */

#define OWN_NAMES 3

/* Ours, and where the application's own files are.  The list and its first texts are to be
 * freed. */
static char **make_environment(char *own[OWN_NAMES])
{
	const struct rip_app_places *places = &rip_app_places;
	size_t n = 0, used = OWN_NAMES;
	char **list;

	while (environ[n])
		n++;
	list = calloc(n + OWN_NAMES + 1, sizeof *list);
	if (!list)
		return NULL;
	if (asprintf(&own[0], "RIPTIDE_CALIBRATIONS=%s", places->calibrations) < 0 ||
	    asprintf(&own[1], "CUPS_CACHEDIR=%s", places->cache) < 0 ||
	    asprintf(&own[2], "CUPS_SERVERBIN=%s", places->serverbin) < 0) {
		free(list);
		return NULL;
	}
	memcpy(list, own, OWN_NAMES * sizeof *own);
	for (size_t i = 0; i < n; i++) {
		unsigned j = 0;

		while (j < OWN_NAMES &&
		       strncmp(own[j], environ[i], strcspn(own[j], "=") + 1))
			j++;
		if (j == OWN_NAMES)
			list[used++] = environ[i];
	}
	return list;
}

/* Starts it; ends: of its output and errors, for us.  Its number or -errno. */
static pid_t start(const char *program, const char *const argv[], int ends[2])
{
	char *own[OWN_NAMES] = { NULL }, **list = make_environment(own);
	int out[2] = { -1, -1 }, error[2] = { -1, -1 };
	const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int r = list ? 0 : -ENOMEM;
	unsigned missing;

	if (r == 0 && in < 0)
		r = -errno;
	if (r == 0)
		r = rip_child_pipe(out);
	if (r == 0)
		r = rip_child_pipe(error);
	if (r == 0) {
		const struct rip_child_fd fds[] = {
			{ in, STDIN_FILENO }, { out[1], STDOUT_FILENO },
			{ error[1], STDERR_FILENO },
		};

		r = rip_child_start_as(program, NULL, (char *const *)argv, list, fds, 3, &missing);
	}
	ends[0] = out[0];
	ends[1] = error[0];
	for (unsigned i = 0; i < 3; i++) {
		const int fd = i == 0 ? in : i == 1 ? out[1] : error[1];

		if (fd >= 0)
			close(fd);
	}
	for (unsigned i = 0; i < OWN_NAMES; i++)
		free(own[i]);
	free(list);
	return r;
}

/* Takes what has come.  False: the end. */
static bool take(int fd, char *text, size_t size, size_t *used)
{
	char more[1024];
	const ssize_t n = read(fd, more, sizeof more);

	if (n < 0)
		return errno == EINTR;
	for (ssize_t i = 0; i < n && *used + 1 < size; i++)
		text[(*used)++] = more[i];
	text[*used] = '\0';
	return n > 0;
}

/* Reads both ends until they are closed.  False: that took too long. */
static bool listen_to(const int ends[2], unsigned seconds, struct rip_web_said *said)
{
	const int64_t until = rip_clock_ms() + seconds * INT64_C(1000);
	size_t out = 0, error = 0;
	struct pollfd fds[2] = { { ends[0], POLLIN, 0 }, { ends[1], POLLIN, 0 } };

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		const int64_t left = until - rip_clock_ms();

		if (left <= 0)
			return false;
		if (poll(fds, 2, (int)left) <= 0)
			continue;
		if (fds[0].revents && !take(ends[0], said->out, sizeof said->out, &out))
			fds[0].fd = -1;
		if (fds[1].revents && !take(ends[1], said->error, sizeof said->error, &error))
			fds[1].fd = -1;
	}
	return true;
}

static int run(const char *program, const char *const argv[], unsigned seconds,
	       struct rip_web_said *said)
{
	int ends[2], status = 0;
	const pid_t pid = start(program, argv, ends);
	bool in_time = true;

	if (pid > 0) {
		in_time = listen_to(ends, seconds, said);
		if (!in_time)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	for (unsigned i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	if (pid < 0)
		return (int)pid;
	return !in_time ? -ETIMEDOUT : WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

static void name_error(const char *program, int r, struct rip_web_said *said)
{
	if (r < 0 && !said->error[0])
		snprintf(said->error, sizeof said->error, "%s: %s", program, strerror(-r));
}

int rip_web_run_for(const char *const argv[], const char *file, struct rip_web_said *said)
{
	int r;

	memset(said, 0, sizeof *said);
	if (file && access(file, R_OK) == 0)
		return 0;
	r = take_place();
	if (r < 0) {
		snprintf(said->error, sizeof said->error, "%s", strerror(-r));
		return r;
	}
	r = file && access(file, R_OK) == 0 ? 0 :
		run(rip_app_places.command, argv, RIP_WEB_SECONDS, said);
	give_place();
	name_error(rip_app_places.command, r, said);
	return r;
}

int rip_web_run_at_once(const char *program, const char *const argv[], unsigned seconds,
			struct rip_web_said *said)
{
	int r;

	memset(said, 0, sizeof *said);
	r = run(program, argv, seconds, said);
	name_error(program, r, said);
	return r;
}

int rip_web_run(const char *const argv[], struct rip_web_said *said)
{
	return rip_web_run_for(argv, NULL, said);
}
