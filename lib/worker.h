/*
 * An engine in a thread: bands go in, and come out in the same order with their
 * dots, while the caller reads on.
 *
 * The functions are for one thread; the worker's own blocks all signals.  A band
 * is the worker's from submit until collect has returned it.
 */
#ifndef RIP_WORKER_H
#define RIP_WORKER_H

#include <stdbool.h>

#include "halftone/band.h"
#include "wire/protocol.h"

#define RIP_WORKER_BANDS RIP_BANDS_IN_FLIGHT /* that may be in it */

struct rip_worker;

/* Takes the engine over, on failure too.  0 or -errno. */
int rip_worker_new(struct rip_engine *engine, struct rip_worker **worker);

/* Lets the band at hand be done, forgets the others, frees engine and page.  NULL
 * is allowed. */
void rip_worker_free(struct rip_worker *worker);

const struct rip_engine *rip_worker_engine(const struct rip_worker *worker);

/* Whether the engine does pages like this. */
bool rip_worker_takes(const struct rip_worker *worker, const struct rip_page_spec *spec);

/* Begins a page that the engine takes; the worker must be empty.  carry: planes * rip_carry_values()
 * values to begin with, or NULL for start.  keep: the carry is exported after
 * each band, for rip_worker_carry().  0 or -errno. */
int rip_worker_begin(struct rip_worker *worker, const struct rip_page_spec *spec,
		     enum rip_start start, const int16_t *carry, bool keep);

/* Ends the page, and frees what it holds; the worker must be empty. */
void rip_worker_end(struct rip_worker *worker);

/* Gives a band with grey rows away; at most RIP_WORKER_BANDS. */
void rip_worker_submit(struct rip_worker *worker, struct rip_band *band);

/* Waits for the oldest band.  0, or what the engine said: then this and every
 * later band of the page has its input, and no dots. */
int rip_worker_collect(struct rip_worker *worker);

/* The carry of a page that keeps it: after the last band that collect returned
 * with 0, once it has returned an error or the worker is empty; before the first,
 * the start.  Valid until the page ends. */
const int16_t *rip_worker_carry(const struct rip_worker *worker);

#endif
