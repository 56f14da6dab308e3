#include "config.h"

#include "app/app_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app_places.h"
#include "app/app_printer.h"
#include "system/child.h"
#include "system/clock.h"

#define LOOK_MS 200 /* how often a job asks whether it is canceled */

extern char **environ;

/* ---- start ---- */

#define OWN_NAMES 5

/* The environment of a filter: what CUPS says to filters of a job, and then ours.  To be freed by
 * free_environment(). */
static char **make_environment(pappl_job_t *job)
{
	pappl_printer_t *printer = papplJobGetPrinter(job);
	const struct rip_app_driver *driver = rip_app_printer_driver(printer);
	char name[80];
	const char *const own[OWN_NAMES][2] = {
		{ "PPD", driver->ppd },
		{ "PRINTER", rip_app_printer_file(printer, name, sizeof name) },
		{ "CONTENT_TYPE", papplJobGetFormat(job) },
		{ "DEVICE_URI", papplPrinterGetDeviceURI(printer) },
		{ "FINAL_CONTENT_TYPE", *driver->final ? driver->final : NULL },
	};
	size_t count = 0, n = 0;
	char **list;

	while (environ[count])
		count++;
	list = calloc(OWN_NAMES + count + 1, sizeof *list);
	if (!list)
		return NULL;
	for (size_t i = 0; i < OWN_NAMES; i++)
		if (own[i][1] && asprintf(&list[n], "%s=%s", own[i][0], own[i][1]) >= 0)
			n++;
	memcpy(list + n, environ, count * sizeof *list);
	return list;
}

/* The texts are its own up to our first one. */
static void free_environment(char **list)
{
	for (size_t i = 0; list && list[i] != environ[0]; i++)
		free(list[i]);
	free(list);
}

static bool fail(struct rip_app_child *child, const char *what, int error)
{
	rip_app_message_fail(&child->said, "%s: %s", what, strerror(error));
	return false;
}

/* Starts one filter, with these three descriptors as its standard ones. */
static bool start_filter(struct rip_app_child *child, const char *name, char *const argv[],
			 char *const envp[], int input, int output, int messages)
{
	const struct rip_child_fd fds[] = {
		{ input, STDIN_FILENO }, { output, STDOUT_FILENO }, { messages, STDERR_FILENO },
	};
	char path[PATH_MAX];
	unsigned missing;
	pid_t pid;

	snprintf(path, sizeof path, "%s/filter/%s", rip_app_places.serverbin, name);
	pid = rip_child_start_as(path, NULL, argv, envp, fds, 3, &missing);
	if (pid < 0) {
		if (pid == -ENOENT)
			rip_app_message_fail(&child->said, "There is no %s: install the "
					     "packages riptide and cups-filters.", path);
		else
			fail(child, path, (int)-pid);
		return false;
	}
	child->names[child->count] = name;
	child->pids[child->count++] = pid;
	return true;
}

/* Starts all.  input: what the first one reads; messages: where they say something. */
static bool start_all(struct rip_app_child *child, const char *const filters[], unsigned count,
		      char *argv[], char *const envp[], int input, int messages)
{
	bool ok = true;
	int ends[2];
	unsigned i;

	for (i = 0; i < count && ok; i++) {
		const int r = rip_child_pipe(ends);

		if (r < 0) {
			ok = fail(child, "pipe", -r);
			break;
		}
		ok = start_filter(child, filters[i], argv, envp, input, ends[1], messages);
		argv[6] = NULL; /* the others read what comes from the one before them */
		close(input);
		close(ends[1]);
		input = ends[0];
	}
	child->output = input;
	return ok;
}

/* ---- what they write and say ---- */

static void signal_all(struct rip_app_child *child, int number)
{
	unsigned i;

	child->ended = true;
	for (i = 0; i < child->count; i++)
		if (child->pids[i] > 0)
			kill(child->pids[i], number);
}

/* Reads what has come; false at the end. */
static bool pass_output(struct rip_app_child *child)
{
	char buffer[65536];
	const ssize_t n = read(child->output, buffer, sizeof buffer);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false;
	if (!child->ended && papplDeviceWrite(child->device, buffer, (size_t)n) < n) {
		rip_app_message_fail(&child->said, "The printer takes no more data: it is off, "
				     "or the connection to it broke.");
		signal_all(child, SIGTERM);
	}
	return true;
}

static bool pass_messages(struct rip_app_child *child)
{
	char buffer[4096];
	const ssize_t n = read(child->messages, buffer, sizeof buffer);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n > 0)
		rip_app_message(&child->said, buffer, (size_t)n);
	return n > 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Passes on everything until the filters have closed both ends. */
static void pump(struct rip_app_child *child)
{
	int64_t kill_at = 0;

	while (child->output >= 0 || child->messages >= 0) {
		struct pollfd ends[] = {
			{ child->output, POLLIN, 0 }, { child->messages, POLLIN, 0 },
		};

		if (poll(ends, 2, LOOK_MS) < 0 && errno != EINTR)
			break;
		if (!child->ended && papplJobIsCanceled(child->said.job))
			signal_all(child, SIGTERM);
		if (child->ended && !kill_at)
			kill_at = rip_clock_us() + RIP_CHILD_END_SECONDS * INT64_C(1000000);
		else if (kill_at && rip_clock_us() > kill_at)
			signal_all(child, SIGKILL);
		if (ends[0].revents && !pass_output(child))
			close_end(&child->output);
		if (ends[1].revents && !pass_messages(child))
			close_end(&child->messages);
	}
}

/* ---- end ---- */

/* Takes the exit status of one filter. */
static void reap(struct rip_app_child *child, unsigned i)
{
	int status = 0;
	pid_t r;

	do
		r = waitpid(child->pids[i], &status, 0);
	while (r < 0 && errno == EINTR);
	child->pids[i] = 0;
	if (r < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0) || child->ended ||
	    child->said.failed)
		return;
	if (WIFSIGNALED(status))
		rip_app_message_fail(&child->said, "%s was killed by signal %d (%s).",
				     child->names[i], WTERMSIG(status),
				     strsignal(WTERMSIG(status)));
	else
		rip_app_message_fail(&child->said, "%s failed with exit status %d.",
				     child->names[i], WEXITSTATUS(status));
}

/* Starts all of them; what they said about a failure is passed on. */
static bool start_filters(struct rip_app_child *child, const char *const filters[],
			  unsigned count, char *argv[])
{
	char **envp = make_environment(child->said.job);
	int errors[2] = { -1, -1 }, input, r = envp ? 0 : -ENOMEM;
	bool ok;

	if (r == 0)
		r = rip_child_pipe(errors);
	input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (r == 0 && input < 0)
		r = -errno;
	if (r < 0 && input >= 0)
		close(input);
	ok = r < 0 ? fail(child, "cannot start filters", -r) :
		     start_all(child, filters, count, argv, envp, input, errors[1]);
	if (errors[1] >= 0)
		close(errors[1]);
	child->messages = errors[0];
	free_environment(envp);
	return ok;
}

bool rip_app_child_run(struct rip_app_child *child, const char *const filters[], unsigned count,
		       const char *options, int copies, const char *file)
{
	pappl_job_t *job = child->said.job;
	char number[16], copy_text[16];
	char *argv[] = { (char *)papplPrinterGetName(papplJobGetPrinter(job)), number,
			 (char *)papplJobGetUsername(job), (char *)papplJobGetName(job), copy_text,
			 (char *)options, (char *)file, NULL };
	unsigned i;

	child->output = child->messages = -1;
	snprintf(number, sizeof number, "%d", papplJobGetID(job));
	snprintf(copy_text, sizeof copy_text, "%d", copies);
	papplLogJob(job, PAPPL_LOGLEVEL_DEBUG, "Options of the filters: %s", options);
	if (!start_filters(child, filters, count, argv))
		signal_all(child, SIGKILL);
	pump(child);
	close_end(&child->output);
	close_end(&child->messages);
	/* The last one first: the others fail because of it. */
	for (i = child->count; i-- > 0;)
		reap(child, i);
	papplDeviceFlush(child->device);
	return !child->said.failed && !papplJobIsCanceled(job);
}
