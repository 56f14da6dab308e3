#include "config.h"

#include "adopt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/clock.h"

#define MILLISECONDS_MAX 120000
#define USUAL_USER       "lp"
#define SERVER_ROOT      "/etc/cups"

/* The user and the group that cupsd's configuration names, if it can be read, or the usual user
 * and "". */
static void read_names(char user[64], char group[64])
{
	const char *root = getenv("CUPS_SERVERROOT");
	char path[4096], line[1024], directive[16], value[64];
	FILE *file;

	strcpy(user, USUAL_USER);
	group[0] = '\0';
	snprintf(path, sizeof path, "%s/cups-files.conf", root && *root ? root : SERVER_ROOT);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "%15s %63s", directive, value) == 2) {
			if (rip_same_name(directive, "User"))
				strcpy(user, value);
			else if (rip_same_name(directive, "Group"))
				strcpy(group, value);
		}
	if (file)
		fclose(file);
}

/* A number, as cupsd takes it: true if the text begins with a digit. */
static bool is_number(const char *text)
{
	return *text >= '0' && *text <= '9';
}

/* name: "" for the usual group, which may be missing: then the user's own stays. */
static int find_group(struct rip_trial_user *user, const char *name)
{
	const struct group *entry;

	if (is_number(name)) {
		user->gid = (gid_t)strtoul(name, NULL, 10); /* which need not have a name */
		return 0;
	}
	entry = getgrnam(*name ? name : RIP_CUPS_GROUP);
	if (!entry && *name)
		return rip_complain(-ENOENT, "there is no group %s,"
				    " as which root tries the filters:"
				    " see Group in cups-files.conf", name);
	if (entry)
		user->gid = entry->gr_gid;
	return 0;
}

/* The user, as which filters run, and that user's own group. */
static int find_user(struct rip_trial_user *user)
{
	const bool number = is_number(user->name); /* which need not have a name */
	const struct passwd *entry;

	if (number)
		user->uid = user->gid = (uid_t)strtoul(user->name, NULL, 10);
	entry = number ? getpwuid(user->uid) : getpwnam(user->name);
	if (!entry && !number)
		return rip_complain(-ENOENT, "there is no user %s,"
				    " as whom root tries the filters:"
				    " see User in cups-files.conf", user->name);
	if (entry) {
		user->uid = entry->pw_uid;
		user->gid = entry->pw_gid;
	}
	if (user->uid == 0)
		return rip_complain(-EPERM, "root tries no filters as %s:"
				    " see User in cups-files.conf", user->name);
	return 0;
}

int rip_trial_user_find(struct rip_trial_user *user)
{
	char group[64];
	int r;

	*user = (struct rip_trial_user){ .other = geteuid() == 0 };
	if (!user->other)
		return 0;
	read_names(user->name, group);
	r = find_user(user);
	return r < 0 ? r : find_group(user, group);
}

/* ---- signals ---- */

void rip_trial_signals_hold(struct rip_trial_signals *signals)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction now;

	signals->number = 0;
	sigemptyset(&signals->held);
	sigaddset(&signals->held, SIGCHLD);
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&signals->held, fatal[i]);
	sigprocmask(SIG_BLOCK, &signals->held, &signals->before);
	/* Where SIGCHLD is ignored, the kernel drops exit statuses. */
	sigaction(SIGCHLD, &usual, &signals->child);
}

void rip_trial_signals_release(const struct rip_trial_signals *signals)
{
	sigaction(SIGCHLD, &signals->child, NULL);
	if (signals->number)
		raise(signals->number);
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

/* ---- the process ---- */

/* In the child: what cupsd would give to the filters.  0 or -1 with errno. */
static int become_user(const struct rip_trial_user *user)
{
	if (!user->other)
		return 0;
	unsetenv("TMPDIR"); /* it may be a folder of root's */
	return setgid(user->gid) < 0 || setgroups(1, &user->gid) < 0 ||
	       setuid(user->uid) < 0 ? -1 : 0;
}

/* The parent of a process, from /proc; 0: there is no such process. */
static pid_t parent_of(const char *process)
{
	char path[300], text[512];
	const char *at = NULL;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%s/stat", process);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof text, file))
		at = strrchr(text, ')'); /* the program's name may have spaces and parentheses */
	if (file)
		fclose(file);
	return at && sscanf(at, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* In the guard: kills all children, those that were given to it when their parents ended, too.
 * How many were killed. */
static unsigned kill_children(void)
{
	const pid_t own = getpid();
	unsigned killed = 0;
	const struct dirent *entry;
	DIR *folder = opendir("/proc");

	while (folder && (entry = readdir(folder)) != NULL)
		if (is_number(entry->d_name) && parent_of(entry->d_name) == own)
			killed += kill((pid_t)atoi(entry->d_name), SIGKILL) == 0;
	if (folder)
		closedir(folder);
	return killed;
}

/* In the child: waits for cupsfilter, or SIGTERM, and ends all that was started.  held: SIGTERM and
 * SIGCHLD, which are blocked. */
static _Noreturn void guard(pid_t program, const sigset_t *held)
{
	int status = 0, number = 0;
	pid_t ended = 0;

	/* Whoever waits for the end of a pipe must not wait for this process. */
	close_range(0, UINT_MAX, 0);
	while (number != SIGTERM && (ended = waitpid(program, &status, WNOHANG)) == 0)
		number = sigwaitinfo(held, NULL);
	/* When a process ends, its children become children of this one before it can be reaped. */
	while (kill_children() > 0)
		while (waitpid(-1, NULL, 0) > 0 && waitpid(-1, NULL, WNOHANG) > 0)
			;
	_exit(ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 255);
}

/* In the child: returns 0 in a child of its own, which this one guards; or -1. */
static int begin_guarded(pid_t parent)
{
	sigset_t held;
	pid_t pid;

	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getppid() != parent) /* it has died before */
		_exit(255);
	if (setpgid(0, 0) < 0) /* signals of the terminal are for the caller */
		return -1;
	pid = fork();
	if (pid > 0)
		guard(pid, &held);
	return pid;
}

/* In the child: becomes cupsfilter, or sends the reason why it cannot. */
static _Noreturn void become(const struct rip_trial_user *user, char *const arguments[],
			     const char *out, const char *log, pid_t parent, int failure)
{
	static const int reset[] = { SIGPIPE, SIGXFSZ, SIGCHLD };
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	const int out_fd = open(out, flags, 0600), log_fd = open(log, flags, 0600);
	bool begun;
	sigset_t none;
	int error;

	begun = begin_guarded(parent) == 0;
	for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
		signal(reset[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (begun && out_fd >= 0 && log_fd >= 0 && dup2(out_fd, STDOUT_FILENO) >= 0 &&
	    dup2(log_fd, STDERR_FILENO) >= 0 && become_user(user) == 0) {
		execvp("cupsfilter", arguments);
		if (errno == ENOENT)
			execv("/usr/sbin/cupsfilter", arguments);
	}
	error = errno;
	while (write(failure, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Returns its process number, or -errno. */
static pid_t start(const struct rip_trial_user *user, char *const arguments[], const char *out,
		   const char *log)
{
	const pid_t parent = getpid();
	int failure[2], error = 0;
	pid_t pid;

	if (pipe2(failure, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		become(user, arguments, out, log, parent, failure[1]);
	if (pid < 0)
		pid = -errno;
	close(failure[1]);
	while (pid > 0 && read(failure[0], &error, sizeof error) < 0 && errno == EINTR)
		;
	close(failure[0]);
	if (!error)
		return pid;
	waitpid(pid, NULL, 0);
	return -error;
}

/* Has the guard end all filters. */
static void kill_all(pid_t pid)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

static int wait_for(pid_t pid, struct rip_trial_signals *signals)
{
	const long long end = rip_clock_ms() + MILLISECONDS_MAX;
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		const long long left = end - rip_clock_ms();
		const struct timespec pause = { left / 1000, left % 1000 * 1000000 };
		int number;

		if (left <= 0) {
			kill_all(pid);
			return 255;
		}
		number = sigtimedwait(&signals->held, NULL, &pause);
		if (number > 0 && number != SIGCHLD) {
			signals->number = number;
			kill_all(pid);
			return -EINTR;
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

int rip_trial_process_run(const struct rip_trial_user *user, struct rip_trial_signals *signals,
			  char *const arguments[], const char *out, const char *log)
{
	const pid_t pid = start(user, arguments, out, log);

	return pid < 0 ? rip_complain((int)pid, "cannot start cupsfilter: %s", strerror(-pid)) :
			 wait_for(pid, signals);
}
