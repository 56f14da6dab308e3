/*
 * Measures what the model of `wave` needs: pixels, and messages between the ranks that will
 * exchange them.  Takes some milliseconds.
 */
#ifndef RIP_CLUSTER_COSTS_H
#define RIP_CLUSTER_COSTS_H

#include "cluster_model.h"
#include "worker.h"

/* The seconds that a pixel takes in strips of so many rows, the slowest rank's.  All ranks call
 * it.  0 or -errno. */
int rip_cluster_costs_pixel(const struct rip_cluster *cluster, uint32_t rows, double *pixel);

/* What a message of that many columns costs, the slowest pair's: into costs->message and
 * costs->latency.  All ranks call it. */
int rip_cluster_costs_message(const struct rip_cluster *cluster, uint32_t columns,
			      struct rip_cluster_costs *costs);

/* How many workers send messages. */
uint32_t rip_cluster_costs_far(const struct rip_cluster *cluster);

#endif
