/*
 * Instruction sets: one table of their names, the processor features that they need, and the
 * code that this build has for them.  --isa, the CPU engine and the row functions all choose
 * from it.
 *
 * For tests and comparisons, rip_isa_limit() names the most advanced instruction set that may be
 * used: with `avx2` there is no AVX-512, with `c` only plain C.  The dots are the same.
 */
#ifndef RIP_ISA_H
#define RIP_ISA_H

#include <stdbool.h>

#include "halftone/screen/screen.h"

struct rip_mask_ops;
struct rip_row_ops;
struct rip_simd_kernel;

/* The kernels of a screen; rip_simd_strip_choose() chooses between them. */
struct rip_simd_kernels {
	const struct rip_simd_kernel *wavefront; /* many rows at a time; NULL: there are none */
	const struct rip_simd_kernel *single;    /* row by row, for a few rows; or NULL */
};

struct rip_isa {
	const char *name;     /* as --isa spells it */
	bool        built;    /* this build has code for it */
	unsigned    features; /* of cpu.h: all that it needs */
	bool        has_simd; /* some screens have kernels */
	struct rip_simd_kernels kernels[RIP_SCREENS]; /* by the screen's id */
	/* Replaces row functions by faster ones; or NULL. */
	void (*row_ops)(struct rip_row_ops *ops);
	/* Replaces functions for masks by faster ones; or NULL. */
	void (*mask_ops)(struct rip_mask_ops *ops);
};

/* All instruction sets of all architectures.  Plain C is the first; of each architecture the
 * best is the last.  Ended by one without a name. */
#define RIP_ISAS_MAX 8
extern const struct rip_isa rip_isas[];

/* The one of that name, in upper or lower case; NULL if there is none. */
const struct rip_isa *rip_isa_find(const char *name);

/* Sets that limit, for the whole process, before it halftones and starts threads.
 * 0, or -ENOENT: no instruction set has that name.
 * Our programs take it from the environment: isa_environment.h. */
int rip_isa_limit(const char *name);

/* The features of this processor (cpu.h), less what the limit takes away. */
unsigned rip_isa_features(void);

/* Whether this build has code for it and this processor can run it, within the limit.  NULL: no. */
bool rip_isa_usable(const struct rip_isa *isa);

/* The best usable one. */
const struct rip_isa *rip_isa_best(void);

#endif
