/*
 * The CPU engine: all screens, in the threads that this machine has.
 */
#ifndef RIP_ENGINE_CPU_H
#define RIP_ENGINE_CPU_H

#include "engine.h"

struct rip_cpu_config {
	enum rip_method method; /* ed and ec: that one, on one core; any other: the fastest */
	const char     *isa;    /* its name (isa.h), or NULL: the best here */
	unsigned        threads; /* 0: one for each processor that the caller may run on */
};

/* Makes an engine.  -ENOENT: this build has no instruction set of that name;
 * -ENOTSUP: this processor lacks it; -ENOMEM. */
int rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **engine);

#endif
