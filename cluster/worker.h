/*
 * A run of riptide-mpi, and its workers: threads of ranks, each of which halftones strips.
 *
 * Worker w of n has the strips w, w + n, w + 2n, ...  Workers are numbered over all ranks, node
 * by node.
 */
#ifndef RIP_WORKER_H
#define RIP_WORKER_H

#include <pthread.h>

#include "page_file.h"
#include "carry_link.h"
#include "cluster_options.h"
#include "halftone/screen/mask_screen.h"

/*
 * The strips of one worker: from the image to grey rows in memory, and from their dots to the
 * output.  Transparent rows are dropped and put back on the way (halftone/page/band.h).
 *
 * One strip is in memory at a time; the system is told which one is next.  For benchmarks all
 * strips are.  Used by one thread.
 */

struct rip_strip_store {
	const struct rip_page_file *file;
	uint32_t rows;        /* of a strip; the last of the image may have fewer */
	uint32_t count;       /* strips of the image */
	uint32_t first, step; /* this worker's strips: first, first + step, ... */
	bool     in_memory;   /* all of them */
	struct rip_band **bands;
	uint64_t *held;       /* the strip that each band has, or NONE */
	uint32_t  bands_count;
	uint64_t  bytes_read;
	double    read_seconds, write_seconds;
};

/* 0 or -errno (reported). */
int  rip_strip_store_open(struct rip_strip_store *store, const struct rip_page_file *file,
			  const struct rip_page_spec *spec, uint32_t rows, uint32_t first,
			  uint32_t step, bool in_memory);
void rip_strip_store_close(struct rip_strip_store *store); /* may be called twice */

/* The grey rows of a strip, read unless they are in memory: a strip of 0 rows if all are
 * transparent.  0 or -errno (reported). */
int rip_strip_store_get(struct rip_strip_store *store, uint64_t strip, struct rip_strip *rows);

/* Reads a strip unless it is there. */
int rip_strip_store_read(struct rip_strip_store *store, uint64_t strip);

/* The dots of a strip that was got are complete: writes them, unless all are kept in memory. */
int rip_strip_store_put(struct rip_strip_store *store, uint64_t strip);

/* Reads, or writes, all strips of a store that keeps them in memory. */
int rip_strip_store_read_all(struct rip_strip_store *store);
int rip_strip_store_write_all(struct rip_strip_store *store);

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

/*
 * What a run did: one line of JSON on the standard output of rank 0.
 */

/* All ranks call it after a run, which took so many seconds. */
void rip_cluster_report(const struct rip_cluster *cluster, const struct rip_worker *workers,
			double seconds);

#endif
