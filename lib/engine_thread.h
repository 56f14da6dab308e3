/*
 * An engine in a thread of its own: it takes bands and returns them with their dots, in the
 * same order, while the caller reads on.  A band of a few rows is halftoned in the caller's
 * thread if the other one has nothing to do: waking it would take longer.
 *
 * Used by one thread.  The worker's thread blocks all signals.  A band belongs to the worker
 * from submit until collect returns it.
 */
#ifndef RIP_ENGINE_THREAD_H
#define RIP_ENGINE_THREAD_H

#include <stdbool.h>

#include "halftone/page/band.h"
#include "wire/protocol.h"

#define RIP_ENGINE_THREAD_BANDS RIP_BANDS_IN_FLIGHT /* submitted and not collected, at most */

struct rip_engine_thread;

/* Takes ownership of the engine, even on failure.  alone: there is no thread, and submit halftones
 * in the caller's; so it does if no thread can be started.  0 or -ENOMEM. */
int rip_engine_thread_new(struct rip_engine *engine, bool alone, struct rip_engine_thread **worker);

/* Finishes the band that is being halftoned, drops the others, and frees engine and page.
 * NULL is allowed. */
void rip_engine_thread_free(struct rip_engine_thread *worker);

const struct rip_engine *rip_engine_thread_engine(const struct rip_engine_thread *worker);

/* Whether the engine does pages like this. */
bool rip_engine_thread_takes(const struct rip_engine_thread *worker,
			     const struct rip_page_spec *spec);

/* Begins a page that the engine takes; the worker must be empty.  carry: planes *
 * rip_carry_values() values to begin with, or NULL for start.  keep: export the carry after
 * each band, for rip_engine_thread_carry().  0 or -errno. */
int rip_engine_thread_begin(struct rip_engine_thread *worker, const struct rip_page_spec *spec,
		     enum rip_start start, const int16_t *carry, bool keep);

/* Ends the page and frees its memory; the worker must be empty. */
void rip_engine_thread_end(struct rip_engine_thread *worker);

/* Submits a band with grey rows; at most RIP_ENGINE_THREAD_BANDS at a time. */
void rip_engine_thread_submit(struct rip_engine_thread *worker, struct rip_band *band);

/* Whether collect would not wait.  At least one band must have been submitted. */
bool rip_engine_thread_is_done(struct rip_engine_thread *worker);

/* Waits for the oldest band.  0, or the engine's error; then this band and all later bands
 * of the page still have their input, and no dots. */
int rip_engine_thread_collect(struct rip_engine_thread *worker);

/* The carry after the last band that collect returned with 0, or the start carry if there
 * was none.  Only for a page begun with keep, and only when collect has returned an error or
 * the worker is empty.  Valid until the page ends. */
const int16_t *rip_engine_thread_carry(const struct rip_engine_thread *worker);

#endif
