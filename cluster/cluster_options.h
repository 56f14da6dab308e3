/*
 * The command line of riptide-mpi.
 */
#ifndef RIP_CLUSTER_OPTIONS_H
#define RIP_CLUSTER_OPTIONS_H

#include <stdbool.h>

#include "command/common_options.h"

/*
 * The methods: how ranks share an image.  To add one, write a file like method_wave.c, declare
 * its entry here and put it into the table.
 */

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

/* How the carry goes from rank to rank of a node; between nodes it always goes by messages. */
enum rip_cluster_link {
	RIP_LINK_AUTO,    /* window */
	RIP_LINK_WINDOW,  /* in memory that the ranks of a node share */
	RIP_LINK_MESSAGE, /* in messages */
	RIP_LINK_NONE,    /* not at all, for benchmarks: nobody waits, and the dots are wrong */
};

extern const char *const rip_cluster_link_names[]; /* ended by NULL */

struct rip_cluster_options {
	struct rip_image_options image; /* threads 0: what the ranks of a node leave each other;
					   out and in are files, and so is curve if there is one */
	const struct rip_cluster_method *method;
	unsigned    rows;    /* of a strip; 0: chosen */
	unsigned    columns; /* of a message; 0: chosen */
	enum rip_cluster_link link;
	bool        stats, version;
	unsigned    bench;   /* runs in memory, each timed; 0: one from file to file */
};

/* RIP_GO_ON, or the exit status to end with, after any message was written. */
int rip_cluster_options_parse(struct rip_cluster_options *options, int argc, char **argv);

#endif
