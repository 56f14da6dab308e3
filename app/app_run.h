/*
 * A program as a child process that somebody waits for, without a shell and for a limited time.
 *
 * PAPPL answers each client in a thread of its own, so while a page waits for its child the others
 * and the printing go on.  The child ends with the thread.  Any thread.
 */
#ifndef RIP_APP_RUN_H
#define RIP_APP_RUN_H

#include <stddef.h>
#include <sys/types.h>

#define RIP_APP_RUN_SECONDS 60

/* What it wrote to standard output and error, as far as there is room; with a NUL. */
struct rip_app_said {
	char out[65536], error[512];
};

/* Runs a program, which is searched in PATH if it has no slash; a NULL ends argv.  0; a positive
 * exit status; -ETIMEDOUT, and it is killed; other -errno. */
int rip_app_run(const char *program, const char *const argv[], unsigned seconds,
		struct rip_app_said *said);

/* The same in two steps, of one thread, which does something else between them.  With 0 seconds, a
 * child that has not ended is killed at once. */
struct rip_app_running {
	const char *program;
	int out, error; /* descriptors */
	pid_t pid;      /* or -errno */
};
void rip_app_run_start(const char *program, const char *const argv[], struct rip_app_running *run);
int rip_app_run_wait(struct rip_app_running *run, unsigned seconds, struct rip_app_said *said);

/* The same for RIP_APP_RUN_SECONDS, and for pages: few run at a time, and few wait for their turn,
 * for as long.  file: the program makes it, and does not run if it is there when its turn comes,
 * because another one has made it; or NULL.  Also -EBUSY: there is no place. */
int rip_app_run_in_turn(const char *program, const char *const argv[], const char *file,
			struct rip_app_said *said);

#endif
