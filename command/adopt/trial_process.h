/*
 * The process of a trial: cupsfilter(8), below a process of ours that ends with this one and takes
 * all filters along, and whatever these have started, also in other process groups and sessions.
 *
 * If riptide runs as root, the filters run as cupsd's user and group: those of User and Group in
 * cups-files.conf, names or numbers, or lp and configure's --with-cups-group.  Signals are held
 * back from rip_trial_signals_hold() to rip_trial_signals_release(), so that a trial that the user
 * interrupts leaves neither filters nor files.  Used by the main thread, one at a time.
 */
#ifndef RIP_TRIAL_PROCESS_H
#define RIP_TRIAL_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Who runs the filters. */
struct rip_trial_user {
	bool  other; /* than this process: cupsd's */
	char  name[64];
	uid_t uid;
	gid_t gid;
};

struct rip_trial_signals {
	sigset_t         held, before;
	struct sigaction child;
	int              number; /* of the signal that has ended the trial, or 0 */
};

/* 0; reported, if this is root: -ENOENT, there is no such user or group; -EPERM, it is root. */
int rip_trial_user_find(struct rip_trial_user *user);

/* Holds SIGINT, SIGTERM and SIGHUP back, except those that are ignored, and SIGCHLD. */
void rip_trial_signals_hold(struct rip_trial_signals *signals);

/* Restores the signals.  One that came in between has its effect now. */
void rip_trial_signals_release(const struct rip_trial_signals *signals);

/* Runs cupsfilter with its output and its messages in these files, which it creates, and waits for
 * at most two minutes.  Its exit status, 255 if it was killed; -EINTR: one of the held signals has
 * come; other -errno, reported: it cannot be started. */
int rip_trial_process_run(const struct rip_trial_user *user, struct rip_trial_signals *signals,
			  char *const arguments[], const char *out, const char *log);

#endif
