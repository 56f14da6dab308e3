/*
 * A run of riptide-mpi, its command line, and its workers: threads of ranks, each of which
 * halftones strips.
 *
 * Worker w of n has the strips w, w + n, w + 2n, ...  Workers are numbered over all ranks, node
 * by node.
 */
#ifndef RIP_WORKER_H
#define RIP_WORKER_H

#include <pthread.h>

#include "page_file.h"
#include "carry_link.h"
#include "command/common_options.h"
#include "halftone/screen/mask_screen.h"

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
