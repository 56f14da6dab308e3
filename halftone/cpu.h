/*
 * What this processor can do, of what faster variants need.
 *
 * Found once, at the first call, by whichever thread; the operating system's
 * support of the registers is part of it.  The environment variable
 * RIPTIDE_ISA_MASK, the name of an instruction set, takes away what goes beyond
 * it, for tests and comparisons: with `avx2` there is no AVX-512, with `c` nothing
 * but plain C.  The dots are the same with every mask.
 */
#ifndef RIP_CPU_H
#define RIP_CPU_H

#include <stdbool.h>

/* The NEON code takes vectors for memory in order, which they are on little endian only;
 * a big-endian Arm runs plain C. */
#if defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RIP_CPU_HAS_NEON 1
#else
#define RIP_CPU_HAS_NEON 0
#endif

/* Each of x86 is there only if those before it are. */
enum rip_cpu_feature {
	RIP_CPU_AVX2   = 1, /* and BMI2 */
	RIP_CPU_AVX512 = 2, /* F, BW, DQ, VL: Skylake's servers */
	RIP_CPU_VBMI   = 4, /* VBMI, VBMI2: Ice Lake, Zen 4 */
	RIP_CPU_NEON   = 8, /* every 64-bit Arm, little endian */
};

/* How many processors the calling thread may run on: 1 or more. */
unsigned rip_cpu_count(void);

/* The features of this processor, less the mask. */
unsigned rip_cpu_features(void);

/* The features that make up an instruction set: `c` (none), `avx2`, `avx512bw`,
 * `avx512` (all that there is of it), `neon`.  Upper and lower case are the same.
 * false: no set has that name. */
bool rip_cpu_isa_features(const char *isa, unsigned *features);

#endif
