/*
 * Looks for a GPU in a thread of its own, because a driver may take seconds, and a broken one
 * forever, while clients wait.
 *
 * Owned by one thread.
 */
#ifndef RIP_PROBE_H
#define RIP_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "halftone/engine.h"

struct rip_probe;

/* Starts to look for the device with this number.  failed: the engine that it had before, or NULL;
 * no page of it is open, and the probe frees it first.  0; or -errno, and the caller keeps
 * `failed`. */
int rip_probe_new(int number, struct rip_engine *failed, struct rip_probe **probe);

/* A descriptor that is readable when there is a result. */
int rip_probe_fd(const struct rip_probe *probe);

/* The result: 0 and an engine, which the caller then owns; -errno and why; -EAGAIN while there
 * is none.  count: the GPUs of this machine, 0 if that is not known.  A result can be taken only
 * once. */
int rip_probe_result(struct rip_probe *probe, struct rip_engine **engine, int *count, char *why,
		     size_t size);

/* Returns false if the thread still runs; it then keeps its memory until it ends.  NULL is
 * allowed. */
bool rip_probe_free(struct rip_probe *probe);

#endif
