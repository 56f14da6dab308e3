/*
 * What a run did: one line of JSON on the standard output of rank 0.
 */
#ifndef RIP_CLUSTER_REPORT_H
#define RIP_CLUSTER_REPORT_H

#include "worker.h"

/* All ranks call it after a run, which took so many seconds. */
void rip_cluster_report(const struct rip_cluster *cluster, const struct rip_worker *workers,
			double seconds);

#endif
