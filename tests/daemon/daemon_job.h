/*
 * A job as the filter does it: pages through rip_halftoner, which uses a daemon as long
 * as it is of use, and finishes them in this process otherwise.
 */
#ifndef RIP_DAEMON_JOB_H
#define RIP_DAEMON_JOB_H

#include "daemon_fixture.h"

struct job {
	const char *socket;
	uint32_t    number;
	uint32_t    rows;     /* of a band, at most */
	/* after job_print() */
	unsigned    warnings; /* that the filter would have told */
	unsigned    wrong;    /* rows that differ */
	char        said[256]; /* the last warning or error */
};

/* Prints the pages: 0 or -errno.  A job that is not 0, or has wrong rows, was not to
 * be. */
int job_print(struct job *job, const struct page *const *pages, unsigned count);

/* The same in a process of its own, which the caller waits for: it exits 0 if all rows
 * are right and there were at most `warnings` warnings, and tells what is not so. */
pid_t job_fork(const struct job *job, const struct page *const *pages, unsigned count,
	       unsigned warnings);

/* Whether such a process ended well, within 30 seconds. */
bool job_ended(pid_t pid);

#endif
