/*
 * The CPU engine: error diffusion in the threads that this machine has.
 */
#ifndef RIP_ENGINE_CPU_H
#define RIP_ENGINE_CPU_H

#include "engine.h"

struct rip_cpu_config {
	enum rip_method method; /* ed, ec or simd; any other means the fastest here */
	const char     *isa;    /* a name of rip_cpu_isas(), or NULL: the best here */
	unsigned        threads; /* 0: one for each processor that we may run on */
};

/* Makes an engine.  -ENOENT: this build does not know the isa; -ENOTSUP: this processor
 * lacks it; -ENOMEM. */
int rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **engine);

/* The names of the instruction sets that this build has code for, best last, terminated by
 * NULL; and whether this processor, as limited by RIPTIDE_ISA_MASK (cpu.h), can run one. */
const char *const *rip_cpu_isas(void);
int rip_cpu_isa_usable(const char *isa);

#endif
