/*
 * How many threads a job's engine gets unless somebody says: as many as keep up with the thread
 * that reads the page, and no more than there are idle processors.
 */
#ifndef RIP_JOB_THREADS_H
#define RIP_JOB_THREADS_H

#include "halftone/simd/isa.h"

/* How many keep up with reading pages of this screen (NULL: not known).  1 or more. */
unsigned rip_job_threads_worth(const struct rip_isa *isa, const struct rip_screen *screen);

/* How many of so many processors are idle beside the caller, 1 at least.  loadavg: the text of
 * /proc/loadavg. */
unsigned rip_job_threads_idle(unsigned processors, const char *loadavg);

/* Both, for this process and now. */
unsigned rip_job_threads(const struct rip_isa *isa, const struct rip_screen *screen);

#endif
