/*
 * How long `wave` takes, as a function of what machine and network cost: for the choice of r
 * (rows of a strip) and k (columns of a message).
 *
 * A column of a strip costs r pixels.  A strip is ready `lag` columns behind its front, so the
 * strip below starts
 *
 *	d = max(k, lag) * r * pixel + message + latency(k)     by messages
 *	d = max(step, lag) * r * pixel + near                  in shared memory
 *
 * after it, and all of it takes T = (width + lag) * r * pixel + (width / k) * message.  A round of
 * p strips takes the longer of T (a worker does one strip after the other) and of the sum of d
 * around the ring (the carry comes back to the first worker).
 *
 *	time = (rounds - 1) * max(T, ring) + ring / p * (workers in the last round - 1) + T
 */
#ifndef RIP_CLUSTER_MODEL_H
#define RIP_CLUSTER_MODEL_H

#include <stdint.h>

struct rip_cluster_costs {
	double pixel;   /* seconds of one worker */
	double near;    /* from a worker to the next one on the same carry line, seconds */
	double message; /* that a message of k columns takes its sender and receiver, seconds */
	double latency; /* from its sender to its receiver, seconds */
};

struct rip_cluster_shape {
	uint32_t width, height;
	uint32_t workers, far; /* of the workers, those that send messages */
	uint32_t lag;          /* columns, of a strip of r rows */
	uint32_t step;         /* columns that are passed on at a time in shared memory */
};

/* Seconds for strips of r rows and messages of k columns. */
double rip_cluster_model(const struct rip_cluster_shape *shape,
			 const struct rip_cluster_costs *costs, uint32_t r, uint32_t k);

#endif
