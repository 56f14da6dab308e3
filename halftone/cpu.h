/*
 * The features of this processor that the faster variants need.
 *
 * They are detected once, at the first call from any thread, and only count if the
 * operating system supports their registers.
 */
#ifndef RIP_CPU_H
#define RIP_CPU_H

#include <stdbool.h>

/* The NEON code assumes that vectors have the order of memory, which holds for little
 * endian only.  A big-endian Arm runs plain C. */
#if defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RIP_CPU_HAS_NEON 1
#else
#define RIP_CPU_HAS_NEON 0
#endif

/* -DRIP_CPU_HAS_AVX512=0 leaves out what takes a quarter of the time of compiling. */
#if !defined RIP_CPU_HAS_AVX512 && defined __x86_64__
#define RIP_CPU_HAS_AVX512 1
#elif !defined RIP_CPU_HAS_AVX512
#define RIP_CPU_HAS_AVX512 0
#endif

/* Each x86 feature implies those before it. */
enum rip_cpu_feature {
	RIP_CPU_AVX2   = 1, /* and BMI2 */
	RIP_CPU_AVX512 = 2, /* F, BW, DQ, VL: Skylake servers */
	RIP_CPU_VBMI   = 4, /* VBMI, VBMI2: Ice Lake, Zen 4 */
	RIP_CPU_NEON   = 8, /* every 64-bit Arm, little endian */
};

/* The number of processors that the calling thread may use: those that it may run on, or fewer if
 * its control groups allow less time (quota.h).  1 or more. */
unsigned rip_cpu_count(void);

/* Bits of enum rip_cpu_feature. */
unsigned rip_cpu_features(void);

#endif
