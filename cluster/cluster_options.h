/*
 * The command line of riptide-mpi.
 */
#ifndef RIP_CLUSTER_OPTIONS_H
#define RIP_CLUSTER_OPTIONS_H

#include "command/image_options.h"

/* How the carry goes from rank to rank of a node; between nodes it always goes by messages. */
enum rip_cluster_link {
	RIP_LINK_AUTO,    /* window */
	RIP_LINK_WINDOW,  /* in memory that the ranks of a node share */
	RIP_LINK_MESSAGE, /* in messages */
	RIP_LINK_NONE,    /* not at all, for benchmarks: nobody waits, and the dots are wrong */
};

extern const char *const rip_cluster_link_names[]; /* ended by NULL */

struct rip_cluster_method;

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
