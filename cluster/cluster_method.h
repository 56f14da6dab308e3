/*
 * The methods: how ranks share an image.  To add one, write a file like method_wave.c, declare
 * its entry here and put it into the table.
 */
#ifndef RIP_CLUSTER_METHOD_H
#define RIP_CLUSTER_METHOD_H

#include <stdbool.h>

struct rip_cluster;
struct rip_cluster_plan;
struct rip_worker;

struct rip_cluster_method {
	const char *name;  /* as --method spells it */
	const char *about; /* one line for --method help */
	/* As others have published it: ranks of one thread that send each other messages.  The
	 * command line may say otherwise. */
	bool processes;
	/* Chooses what the command line left open (0 in the plan), the same in all ranks.  0 or
	 * -errno (reported by rank 0). */
	int (*plan)(const struct rip_cluster *cluster, struct rip_cluster_plan *plan);
	/* Halftones the strips of one worker.  Called in each worker's thread at once; with --bench
	 * several times.  0 or -errno (reported). */
	int (*run)(struct rip_worker *worker);
};

extern const struct rip_cluster_method rip_method_wave, rip_method_lines, rip_method_blocks,
	rip_method_zigzag;

/* All of them, the default first; ended by NULL. */
extern const struct rip_cluster_method *const rip_cluster_methods[];

/* The method of that name; NULL if there is none. */
const struct rip_cluster_method *rip_cluster_method_find(const char *name);

#endif
