/*
 * The strips of one worker: from the image to grey rows in memory, and from their dots to the
 * output.  Transparent rows are dropped and put back on the way (halftone/page/band.h).
 *
 * One strip is in memory at a time; the system is told which one is next.  For benchmarks all
 * strips are.  Used by one thread.
 */
#ifndef RIP_STRIP_STORE_H
#define RIP_STRIP_STORE_H

#include "page_file.h"

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

#endif
