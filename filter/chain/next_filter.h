/*
 * The program behind a filter of riptide that runs in the place of a driver's own filter: the
 * driver's filter (riptideNextFilter in the PPD), or a printer language's encoder.
 *
 * It is a child of this process.  It gets what we write to standard output through a pipe, and
 * shares our standard output, standard error, environment and the descriptors of CUPS.
 *
 * Until rip_next_filter_end() a thread watches over both:
 * - SIGTERM (cancel) is passed on.  The program gets the end of its input, and when it has ended,
 *   this process ends by SIGTERM too.  If it has not after RIP_CHILD_END_SECONDS, it gets SIGKILL.
 * - If the program fails, this process ends with its exit status, also while it waits for input.
 * - If this process ends without rip_next_filter_end(), the kernel kills the program.
 *
 * One object in a process, which must not move.  To be used by the main thread, and to be
 * started before any other thread.
 */
#ifndef RIP_NEXT_FILTER_H
#define RIP_NEXT_FILTER_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct rip_next_filter {
	char            name[64]; /* for messages */
	bool            speaks;   /* it has said itself why it fails */
	pid_t           pid;      /* 0: none runs */
	pthread_mutex_t lock;     /* of what follows, and of pid once the thread runs */
	bool            ending, canceled;
};

/* Starts a filter: the name of one in CUPS's filter folder, or an absolute path; one that cupsd
 * would run (rip_child_start_filter()).  It gets argv without the file (argv[6]), and says itself
 * why it fails.  0, or -errno (reported). */
int rip_next_filter_start(struct rip_next_filter *next, const char *program, char *const argv[]);

/* The same for any program in PATH, with its own arguments, which need not say why it fails.  name:
 * what messages call it. */
int rip_next_program_start(struct rip_next_filter *next, char *const argv[], const char *name);

/* Closes standard output, waits for the program if one was started, and returns the exit status:
 * the program's if it failed, or whether r is 0.  r: 0, or -errno that was reported; -EPIPE needs
 * no report where a program was started. */
int rip_next_filter_end(struct rip_next_filter *next, int r);

#endif
