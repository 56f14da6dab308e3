#include "config.h"

#include "ranks.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/terminal.h"
#include "image/complain.h"
#include "image/out_file.h"

/* What the ranks of a run must have in common besides their version: raised when messages or
 * shared memory change. */
#define PROTOCOL 1

/* A test builds a second program with another value. */
#ifndef RIP_CLUSTER_BUILD
#define RIP_CLUSTER_BUILD PACKAGE_VERSION
#endif
#ifndef RIP_CLUSTER_BYTE_ORDER
#define RIP_CLUSTER_BYTE_ORDER __BYTE_ORDER__
#endif

/* What ranks compare.  Sent as bytes, so that MPI converts nothing. */
struct identity {
	char    build[48];
	uint8_t byte_order[4];
	uint8_t arguments[8]; /* a hash */
};

static uint64_t hash_of(int argc, char **argv)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

	for (int i = 1; i < argc; i++)
		for (const char *c = argv[i];; c++) {
			hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
			if (!*c)
				break;
		}
	return hash;
}

static void identity_init(struct identity *identity, int argc, char **argv)
{
	const uint32_t order = RIP_CLUSTER_BYTE_ORDER == __ORDER_BIG_ENDIAN__ ? 1 : 0;
	const uint64_t hash = hash_of(argc, argv);

	memset(identity, 0, sizeof *identity);
	snprintf(identity->build, sizeof identity->build, "%s, protocol %d", RIP_CLUSTER_BUILD,
		 PROTOCOL);
	identity->byte_order[0] = (uint8_t)order;
	for (int i = 0; i < 8; i++)
		identity->arguments[i] = (uint8_t)(hash >> 8 * i);
}

static const char *endian(const struct identity *identity)
{
	return identity->byte_order[0] ? "big-endian" : "little-endian";
}

static int check_identity(const struct rip_ranks *ranks, int argc, char **argv)
{
	struct identity mine, first;
	int r = 0;

	identity_init(&mine, argc, argv);
	first = mine;
	MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, ranks->comm);
	first.build[sizeof first.build - 1] = '\0';
	if (memcmp(mine.build, first.build, sizeof mine.build) != 0)
		r = rip_complain(-EPROTO, "this is version %s, but rank 0 runs version %s:"
				 " use the same build everywhere", mine.build, first.build);
	else if (memcmp(mine.byte_order, first.byte_order, sizeof mine.byte_order) != 0)
		r = rip_complain(-EPROTO, "this machine is %s, but that of rank 0 is %s:"
				 " use machines of one byte order", endian(&mine), endian(&first));
	else if (memcmp(mine.arguments, first.arguments, sizeof mine.arguments) != 0)
		r = rip_complain(-EPROTO, "the arguments differ from those of rank 0");
	return rip_ranks_agree(ranks, r);
}

/* RIPTIDE_MPI_NODE=N in the environment, for tests, makes nodes of N ranks each of one. */
static void split_by_node(int rank, MPI_Comm *node)
{
	const char *size = getenv("RIPTIDE_MPI_NODE");
	MPI_Comm real;
	int number;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &real);
	if (!size || atoi(size) < 1) {
		*node = real;
		return;
	}
	MPI_Comm_rank(real, &number);
	MPI_Comm_split(real, number / atoi(size), rank, node);
	MPI_Comm_free(&real);
}

int rip_ranks_init(struct rip_ranks *ranks, int argc, char **argv)
{
	char host[64] = "";
	MPI_Comm node;
	int rank, first;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	gethostname(host, sizeof host - 1);
	snprintf(ranks->name, sizeof ranks->name, "riptide-mpi: rank %d on %s", rank, host);
	rip_complain_as(ranks->name, rip_progress_clear);
	/* Node by node: sorted by the first rank of each node. */
	split_by_node(rank, &node);
	MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, node);
	MPI_Comm_split(MPI_COMM_WORLD, first, rank, &ranks->node);
	MPI_Comm_free(&node);
	MPI_Comm_size(ranks->node, &ranks->node_count);
	MPI_Comm_rank(ranks->node, &ranks->node_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
	/* Ranks with equal keys stay in their old order. */
	MPI_Comm_split(MPI_COMM_WORLD, 0, first, &ranks->comm);
	MPI_Comm_rank(ranks->comm, &ranks->rank);
	ranks->node_first = ranks->rank - ranks->node_rank;
	ranks->one_node = ranks->node_count == ranks->count;
	return check_identity(ranks, argc, argv);
}

void rip_ranks_finish(struct rip_ranks *ranks)
{
	MPI_Comm_free(&ranks->node);
	MPI_Comm_free(&ranks->comm);
}

int rip_ranks_agree(const struct rip_ranks *ranks, int r)
{
	int least;

	MPI_Allreduce(&r, &least, 1, MPI_INT, MPI_MIN, ranks->comm);
	return least;
}

void rip_ranks_abort(const struct rip_ranks *ranks)
{
	rip_out_file_remove(); /* not closed: other threads may use it */
	MPI_Abort(ranks->comm, 1);
	_exit(1);
}
