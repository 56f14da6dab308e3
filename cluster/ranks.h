/*
 * The ranks of a run: who they are, on which nodes, and whether they agree.
 *
 * The ranks are in the order in which strips are dealt to them: node by node, whatever order
 * mpirun used.  Used by the main thread.
 */
#ifndef RIP_RANKS_H
#define RIP_RANKS_H

#include <mpi.h>
#include <stdbool.h>

struct rip_ranks {
	MPI_Comm comm;  /* all ranks, node by node */
	MPI_Comm node;  /* the ranks of this node, in the same order */
	int  rank, count;           /* in comm */
	int  node_rank, node_count; /* in node */
	int  node_first; /* the rank in comm of the first rank of this node */
	bool one_node;   /* all ranks are on this node */
	char name[160];  /* for messages: "riptide-mpi: rank 3 on HOST" */
};

/* After MPI_Init_thread().  Ranks that cannot run together report it: a different build or
 * byte order, or different arguments.  0 or -EPROTO, the same in all ranks. */
int  rip_ranks_init(struct rip_ranks *ranks, int argc, char **argv);
void rip_ranks_finish(struct rip_ranks *ranks);

/* The smallest of the values that the ranks pass, so a negative errno if any of them failed.
 * All ranks call it at the same point. */
int rip_ranks_agree(const struct rip_ranks *ranks, int r);

/* Ends the run after an error that the other ranks cannot know of.  Removes the unfinished output.
 * Any thread may call it. */
void rip_ranks_abort(const struct rip_ranks *ranks) __attribute__((noreturn));

#endif
