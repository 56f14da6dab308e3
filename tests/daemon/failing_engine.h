/*
 * An engine that works like another one for a number of calls; then all calls of the chosen
 * kind fail.
 */
#ifndef RIP_FAILING_ENGINE_H
#define RIP_FAILING_ENGINE_H

#include "halftone/engine.h"

enum fail { FAIL_OPEN, FAIL_PUSH, FAIL_PULL, FAIL_EXPORT };

struct failing_engine {
	struct rip_engine  base;  /* first */
	struct rip_engine *real;
	/* to be changed at any time */
	enum fail          kind;
	int                good;  /* calls of that kind that still go well; at the start all */
	int                error; /* what the others return: -errno, at the start -EIO */
};

/* Nothing needs to be freed; the caller keeps `real`. */
void failing_engine_init(struct failing_engine *engine, struct rip_engine *real);

#endif
