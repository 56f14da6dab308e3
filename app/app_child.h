/*
 * The filters of a job: child processes in a pipe, the first of which reads the document and the
 * last of which writes the printer's data.
 *
 * What they write goes to the printer's device; what they say on standard error goes to the log,
 * and into the state of job and printer: ERROR, WARNING, INFO, DEBUG, PAGE, STATE and ATTR of
 * filter(7).  A job that is canceled ends them.  The kernel kills them if this process ends.
 *
 * Used by one thread, the job's, which must live as long as the filters.
 */
#ifndef RIP_APP_CHILD_H
#define RIP_APP_CHILD_H

#include <pappl/pappl.h>
#include <stdbool.h>
#include <sys/types.h>

#include "app/app_message.h"

#define RIP_APP_FILTERS_MAX 4

struct rip_app_child {
	struct rip_app_messages said; /* the caller's: its job, and whether pages are counted */
	pappl_device_t *device;       /* the caller's */
	pid_t    pids[RIP_APP_FILTERS_MAX];
	const char *names[RIP_APP_FILTERS_MAX]; /* of the same filters */
	unsigned count;
	int      output, messages; /* what comes from them, or -1 */
	bool     ended;            /* by us, with a signal */
};

/* Runs filters by their names until they have ended, or the job is canceled.  options: of the job,
 * as filters get them.  Returns whether the job was printed; why not goes to the log and the
 * job. */
bool rip_app_child_run(struct rip_app_child *child, const char *const filters[], unsigned count,
		       const char *options, int copies, const char *file);

#endif
