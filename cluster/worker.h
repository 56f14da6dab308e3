/*
 * A run of riptide-mpi, and its workers: threads of ranks, each of which halftones strips.
 *
 * Worker w of n has the strips w, w + n, w + 2n, ...  Workers are numbered over all ranks, node
 * by node.
 */
#ifndef RIP_WORKER_H
#define RIP_WORKER_H

#include <pthread.h>

#include "carry_link.h"
#include "cluster_method.h"
#include "cluster_options.h"
#include "halftone/screen/mask_screen.h"
#include "strip_store.h"

struct rip_isa;

/* What a method chooses. */
struct rip_cluster_plan {
	uint32_t rows;    /* of a strip */
	uint32_t columns; /* of a message */
};

/* The state of a rank: the same in all ranks, except for first_worker and threads. */
struct rip_cluster {
	struct rip_cluster_options options;
	struct rip_ranks      ranks;
	struct rip_page_file  file;
	struct rip_page_spec  spec;   /* planes 1 */
	struct rip_mask_screen mask;  /* the spec's screen, if that is a mask */
	const struct rip_isa *isa;
	uint32_t workers;             /* of all ranks */
	uint32_t first_worker, threads; /* of this rank */
	bool     window;              /* the ranks of a node share memory */
	struct rip_cluster_plan plan;
	struct rip_carry_line line;
};

struct rip_worker {
	const struct rip_cluster *cluster;
	uint32_t number;
	pthread_t thread;
	struct rip_strip_store strips;
	struct rip_carry_link  link;
	double   wait_seconds, compute_seconds; /* of the last run */
};

/* Opens the workers of this rank, as many as it has threads, after the plan is made and the
 * line is open.  0 or -errno (reported); they may be closed in both cases. */
int  rip_workers_open(const struct rip_cluster *cluster, struct rip_carry_line *line,
		      struct rip_worker *workers);
void rip_workers_close(const struct rip_cluster *cluster, struct rip_worker *workers);

/* Runs the method in all of them.  An error is reported, and ends all ranks at once. */
void rip_workers_run(const struct rip_cluster *cluster, struct rip_worker *workers);

/* --- for methods -------------------------------------------------------------------------- */

/* Halftones a strip, whose carry begins to arrive, and passes its own carry on.  A strip without
 * grey rows has 0 rows: then the carry is passed on unchanged.  0 or -errno (reported). */
typedef int rip_strip_method(void *method, const struct rip_strip *strip);

/* Calls `halftone` for each strip of the worker, and measures how long that takes without
 * waiting.  0 or the first error (reported). */
int rip_worker_each_strip(struct rip_worker *worker, rip_strip_method *halftone, void *method);

/* Waits until so many columns of carry have arrived for the strip.  How many have. */
uint32_t rip_worker_wait(struct rip_worker *worker, uint32_t columns);

#endif
