/*
 * Changes of samples that depend on the samples around them, before the halftoner: toner save
 * (toner_save.h), and then fine edges (fine_edges.h).
 *
 * A sample is changed by the samples of its plane at most `edge` columns to the left and right and
 * `edge` rows above and below.  The lines of a page go through a ring, which reads `edge` lines
 * ahead.  The result depends on the page only.
 *
 * Used by one thread.
 */
#ifndef RIP_AROUND_H
#define RIP_AROUND_H

#include <stdint.h>

#include "fine_edges.h"
#include "toner_save.h"

/* What is done to a page; zeros: nothing. */
struct rip_around_rules {
	struct rip_toner_rule toner;
	struct rip_edges_rule edges;
};

/* The lines of a page. */
struct rip_around_lines {
	uint32_t samples;     /* of a row */
	uint32_t stride;      /* samples from one of a plane to its next one, 1..RIP_PLANES_MAX */
	uint32_t rows;        /* in a line, one after another: planes of banded pages; else 1 */
	uint32_t sample_bits; /* 8 or 16 */
	uint32_t height;      /* lines of a page, or of a plane of a planar page */
	/* Reads lines as they are.  0 or -errno. */
	int    (*read)(void *context, void *to, uint32_t lines);
	void    *context;
};

struct rip_around;

/* *around is NULL if there is nothing to do.  What the rules point to must outlive it.  0 or
 * -ENOMEM. */
int  rip_around_new(const struct rip_around_rules *rules, const struct rip_around_lines *lines,
		    struct rip_around **around);
void rip_around_free(struct rip_around *around); /* NULL is allowed */

/* Bytes that it takes. */
uint64_t rip_around_size(const struct rip_around_rules *rules,
			 const struct rip_around_lines *lines);

/* The next line, valid until the next call.  After `height` lines the next plane begins.  0, or
 * -errno from read(). */
int rip_around_line(struct rip_around *around, const uint8_t **line);

/* The next lines, into rows of the planes of a line: one line if these are chunked.  0, or -errno
 * from read(). */
int rip_around_rows(struct rip_around *around, void *const rows[], uint32_t planes,
		    uint32_t lines);

#endif
