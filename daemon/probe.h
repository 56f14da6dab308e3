/*
 * Looks for a GPU in a thread of its own: a driver may take seconds, and a broken one
 * for ever, while clients are waiting.
 *
 * Owned by one thread.
 */
#ifndef RIP_PROBE_H
#define RIP_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "halftone/engine.h"

struct rip_probe;

/* Begins to look for the device with this number, -1: any.  0 or -errno. */
int rip_probe_new(int number, struct rip_probe **probe);

/* Readable when the result is there. */
int rip_probe_fd(const struct rip_probe *probe);

/* The result: 0 and an engine that is the caller's, or -errno and why; -EAGAIN while
 * there is none.  Any other may be asked for only once. */
int rip_probe_result(struct rip_probe *probe, struct rip_engine **engine, char *why, size_t size);

/* false: the thread still runs, and keeps what is its for as long as it does.  NULL is
 * allowed. */
bool rip_probe_free(struct rip_probe *probe);

#endif
