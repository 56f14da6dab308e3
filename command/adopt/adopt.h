/*
 * riptide adopt and riptide release: their command lines, the PPD of a queue, and the trial of a
 * PPD.
 *
 * Errors are reported on standard error, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_ADOPT_H
#define RIP_ADOPT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "command/queue_ppd.h"
#include "tone/cal.h"

/*
 * The command lines of riptide adopt and riptide release.
 */

struct rip_adopt_options {
	bool check;         /* say what would be done, for any number of files and queues */
	bool json;          /* the same as JSON lines */
	bool diff;          /* show the change, and make none */
	bool chain;         /* our filter as the only one */
	bool rip;           /* documents go through pdftoriptide */
	bool force;         /* adopt with a driver that is not known */
	bool all;           /* every queue that can be adopted */
	bool again;         /* every queue that was adopted and has got another PPD since */
	bool undo;          /* riptide release */
	const char *screen; /* the default, or NULL: that of the class of printer */
	int         printer; /* the place in rip_printer_names[]; -1: the driver's class */
	const char *out;    /* the file to write; "-": standard output, by whatever name; or NULL */
	char      **names;  /* queues and files */
	int         count;
};

/* RIP_GO_ON (common_options.h), or the exit status.  undo: the command is riptide release. */
int rip_adopt_options_parse(struct rip_adopt_options *options, bool undo, int argc, char **argv);

#define RIP_ADOPT_WORDS_MAX 128

/* How a queue is adopted, as a text without spaces: "yes", "yes+rip+screen:stucki" ...
 * -ENOSPC (reported): it is too long. */
int rip_adopt_options_write(const struct rip_adopt_options *options,
			    char words[RIP_ADOPT_WORDS_MAX]);

/* Takes that from such a text, which is changed and must live as long as the options.
 * 0, or -EINVAL: it is none, as a line on standard error says. */
int rip_adopt_options_read(struct rip_adopt_options *options, char *words);

/* Whether a name is that of a file: it has a slash or ends with .ppd or .ppd.gz. */
bool rip_adopt_is_file(const char *name);

/*
 * The PPD of a queue, fetched and set by IPP.  libcups asks for a password where the server wants
 * one, as it does for lpadmin.
 */

/* -ENODATA, which is not reported: the queue has no PPD. */
int rip_adopt_queue_read(const char *queue, struct rip_ppd_file *file);

/* Gives the queue another PPD, and reads it back: if the server kept anything else, the queue gets
 * the PPD of before. */
int rip_adopt_queue_write(const char *queue, const struct rip_ppd_file *before, const char *text,
			  size_t size);

/* A queue remembers how it was adopted as a default of its own, which stays when it gets
 * another PPD, and ends with the queue: riptide-adopted-default.  The options must not be
 * those of riptide release. */
int rip_adopt_queue_remember(const char *queue, const struct rip_adopt_options *options);

/* Takes those options.  words: the memory that they point into.  1; 0: the queue was not
 * adopted, or was released. */
int rip_adopt_queue_recall(const char *queue, struct rip_adopt_options *options,
			   char words[RIP_ADOPT_WORDS_MAX]);

/* Ends what only an adopted queue has: that default, and its calibration.  calibration: gets the
 * name of the one that is no longer on, or "".  1: there was anything; 0. */
int rip_adopt_queue_forget(const char *queue, char calibration[RIP_CAL_NAME_MAX + 1]);

/*
 * A trial of a PPD: pages go through the filters that a queue with it would start, into a file.
 */

/* Converts an empty page and one with tints, with cupsfilter(8) and the filters of this machine.
 * If this is root, the filters run as cupsd's user.  option: "NAME=VALUE" for the trial, or NULL.
 * program: our filter that has to halftone the pages.  0; -EIO, reported, if a filter fails, if
 * nothing comes out, if the program had nothing to halftone or did not run, or if both pages come
 * out the same; -EPERM, reported: this is root, and the server is another machine; other -errno if
 * it cannot be tried.  SIGINT, SIGTERM and SIGHUP have their effect when the filters and files are
 * gone, and these do not outlive this process, by whatever it ends. */
int rip_adopt_trial(const char *name, const char *text, size_t size, const char *option,
		    const char *program);

/* Whether a page does not come through the filters of the PPD as its vendor made it either, which
 * takes away the blame.  Reports nothing but that. */
void rip_adopt_trial_vendor(const char *name, const char *text, size_t size, const char *option);

/*
 * The process of a trial: cupsfilter(8), below a process of ours that ends with this one and takes
 * all filters along, and whatever these have started, also in other process groups and sessions.
 *
 * If riptide runs as root, the filters run as cupsd's user and group: those of User and Group in
 * cups-files.conf, names or numbers, or lp and configure's --with-cups-group.  Signals are held
 * back from rip_trial_signals_hold() to rip_trial_signals_release(), so that a trial that the user
 * interrupts leaves neither filters nor files.  Used by the main thread, one at a time.
 */

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
