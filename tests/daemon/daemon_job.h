/*
 * A job like the filter's: pages through rip_halftoner, which uses a daemon as long as it
 * works, and otherwise finishes them in-process.
 */
#ifndef RIP_DAEMON_JOB_H
#define RIP_DAEMON_JOB_H

#include "daemon_fixture.h"

struct job {
	const char *socket;
	uint32_t    number;
	uint32_t    rows;     /* of a band, at most */
	/* after job_print() */
	unsigned    warnings; /* that the filter would have written */
	unsigned    wrong;    /* rows that differ */
	char        said[256]; /* the last warning or error */
};

/* Prints the pages.  0 or -errno.  An error or wrong rows are a failure of the test. */
int job_print(struct job *job, const struct page *const *pages, unsigned count);

/* The same in a process of its own, which the caller waits for.  Its exit status is 0 if all
 * rows are right and there were at most `warnings` warnings; otherwise it says what is
 * wrong. */
pid_t job_fork(const struct job *job, const struct page *const *pages, unsigned count,
	       unsigned warnings);

/* Whether such a process ended well, within 30 seconds. */
bool job_ended(pid_t pid);

#endif
