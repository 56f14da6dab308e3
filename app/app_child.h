/*
 * The filters of a job: child processes in a pipe, the first of which reads the document and the
 * last of which writes the printer's data.
 *
 * What they write goes to the printer's device; what they say on standard error goes to the log,
 * and into the state of job and printer: ERROR, WARNING, INFO, DEBUG, PAGE, STATE and ATTR of
 * filter(7).  A job that is canceled ends them.  The kernel kills them if this process ends.
 *
 * Used by one thread, the job's, which must live as long as the filters; with an input of our own
 * a second thread passes on what they write.
 */
#ifndef RIP_APP_CHILD_H
#define RIP_APP_CHILD_H

#include <pappl/pappl.h>
#include <pthread.h>
#include <stdbool.h>

#include "app/app_message.h"

#define RIP_APP_FILTERS_MAX 4

struct rip_app_child {
	struct rip_app_messages said; /* and the job */
	pappl_device_t *device;
	pid_t     pids[RIP_APP_FILTERS_MAX];
	unsigned  count;
	int       input;  /* of the first filter, or -1 */
	int       output, messages; /* what comes from them */
	bool      ended;  /* by us, with a signal */
	pthread_t pump;
	bool      pumping;
};

/* Starts filters by their names.  options: of the job, as filters get them.  file: or NULL; then
 * *child gets an input.  Returns whether it could; why not goes to the log and the job. */
bool rip_app_child_start(struct rip_app_child *child, pappl_job_t *job, pappl_device_t *device,
			 const char *const filters[], unsigned count, const char *options,
			 int copies, const char *file);

/* Waits for the end of the filters.  Returns whether the job was printed. */
bool rip_app_child_finish(struct rip_app_child *child);

#endif
