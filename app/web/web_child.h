/*
 * The command riptide as a child of the web interface: only a few at a time, for a limited time,
 * without a shell.
 *
 * A page waits for its child; PAPPL answers each client in a thread of its own, so the others and
 * the printing go on.  Any thread.
 */
#ifndef RIP_WEB_CHILD_H
#define RIP_WEB_CHILD_H

#include <stddef.h>

#define RIP_WEB_CHILDREN 2        /* at a time */
#define RIP_WEB_WAITING  24       /* that wait for a place */
#define RIP_WEB_SECONDS  60       /* until one has a place, and then until it ends */

/* What it wrote to standard output and error, as far as there is room; with a NUL. */
struct rip_web_said {
	char out[8192], error[512];
};

/* Runs `riptide ARGUMENTS` (argv[0] is the command's, and a NULL is the last).  0; a positive exit
 * status; -EBUSY: there is no place; -ETIMEDOUT; other -errno. */
int rip_web_run(const char *const argv[], struct rip_web_said *said);

/* The same unless a file is there, which the command makes: whoever comes in the meantime may have
 * made it. */
int rip_web_run_for(const char *const argv[], const char *file, struct rip_web_said *said);

/* Any program, without waiting for a place, and for so many seconds. */
int rip_web_run_at_once(const char *program, const char *const argv[], unsigned seconds,
			struct rip_web_said *said);

#endif
