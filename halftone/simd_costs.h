/*
 * What the kernels of an instruction set, and plain C, cost on this processor.
 *
 * A wavefront takes as long for one row as for all its lanes, and at least the time of lag + 1
 * blocks for a row.  So for small strips the kernel with fewer lanes is faster, for a few rows
 * the one that computes row by row, and for very small strips plain C is.  Where the limits are depends on the processor, on how samples
 * become x, and on the compiler.
 *
 * They are measured once per process, instruction set, screen and kind of samples, when a page
 * needs them first, in 0.1 to 0.3 ms.  A table made at build time would be that of another machine:
 * packages are built once.  A wrong measurement, on a busy machine, costs time only: all
 * kernels give the same dots.
 *
 * RIPTIDE_KERNEL=plain, single, narrow or wide in the environment makes all choices instead, where
 * there is such a kernel, for tests and comparisons.
 */
#ifndef RIP_SIMD_COSTS_H
#define RIP_SIMD_COSTS_H

#include "simd.h"

/* Nanoseconds of one thread. */
struct rip_simd_cost {
	double task;  /* of a task, however small */
	double group; /* of a group with as few blocks as there can be; plain C, single: of a row */
	double block; /* of each further block; plain C, single: of a pixel */
};

struct rip_simd_costs {
	/* narrow and single: unused if there is no such kernel */
	struct rip_simd_cost plain, narrow, wide, single;
};

/* Measures the costs, or returns what was measured before.  The screen has kernels.  -ENOMEM. */
int rip_simd_costs_get(const struct rip_isa *isa, const struct rip_screen *screen,
		       const struct rip_tone *tone, const struct rip_simd_costs **costs);

/* The fastest kernel for the strip, by these costs; *ns becomes the time of one thread. */
const struct rip_simd_kernel *rip_simd_costs_choose(const struct rip_simd_costs *costs,
						    const struct rip_simd_kernels *kernels,
						    uint32_t width, uint32_t rows, uint64_t *ns);

#endif
