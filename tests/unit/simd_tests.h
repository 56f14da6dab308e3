/* What the tests of the SIMD kernels share. */
#ifndef RIP_SIMD_TESTS_H
#define RIP_SIMD_TESTS_H

#include <stdbool.h>
#include <time.h>

#include "halftone/simd/isa.h"

#ifndef SIMD_EMULATED /* 1 in an emulator: fewer rounds, and no limits on time */
#define SIMD_EMULATED 0
#endif

#define SIMD_ROUNDS(n) (SIMD_EMULATED || RIP_TEST_SANITIZED ? (n) / 4 + 1 : (n))
#define SIMD_STRIDE    (SIMD_EMULATED ? 3 : 1) /* not every width */

/* Whether this processor runs kernels of this instruction set. */
static inline bool simd_usable(const struct rip_isa *isa)
{
	return isa->has_simd && rip_isa_usable(isa);
}

/* The kernels of Floyd and Steinberg's filter. */
static inline const struct rip_simd_kernels *simd_kernels(const struct rip_isa *isa)
{
	return &isa->kernels[RIP_FLOYD_STEINBERG];
}

static inline double simd_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
