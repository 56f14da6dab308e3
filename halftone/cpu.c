/* The features of this processor. */
#define _GNU_SOURCE 1 /* for sets of processors */
#include "cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "isa.h"

static unsigned       features;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The compiler's functions also check that the operating system supports the registers. */
static unsigned detect(void)
{
	unsigned found = 0;

#if defined(__x86_64__) || defined(__i386__)
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
		return found;
	found |= RIP_CPU_AVX2;
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
	    !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
		return found;
	found |= RIP_CPU_AVX512;
	if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2"))
		found |= RIP_CPU_VBMI;
#elif RIP_CPU_HAS_NEON
	found |= RIP_CPU_NEON; /* belongs to the architecture */
#endif
	return found;
}

/* A wrong mask is reported: a test that used it would test the wrong code. */
static void complain(const char *mask)
{
	fprintf(stderr, "RIPTIDE_ISA_MASK=%s is ignored: it must be", mask);
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		fprintf(stderr, "%s %s", isa == rip_isas ? "" : isa[1].name ? "," : " or", isa->name);
	fputc('\n', stderr);
}

static void find(void)
{
	const char *mask = getenv("RIPTIDE_ISA_MASK");
	const struct rip_isa *most = mask && *mask ? rip_isa_find(mask) : NULL;

	if (mask && *mask && !most)
		complain(mask);
	features = detect() & (most ? most->features : ~0u);
}

/* Not the number of processors online: a container, a unit or taskset may allow fewer. */
unsigned rip_cpu_count(void)
{
	long count = 0;

	/* The set must have room for all processors that the kernel supports. */
	for (size_t room = CPU_SETSIZE; count == 0 && room <= 64 * CPU_SETSIZE; room *= 2) {
		const size_t size = CPU_ALLOC_SIZE(room);
		cpu_set_t *set = CPU_ALLOC(room);

		if (set && sched_getaffinity(0, size, set) == 0)
			count = CPU_COUNT_S(size, set);
		CPU_FREE(set);
	}
	if (count == 0)
		count = sysconf(_SC_NPROCESSORS_ONLN);
	return count < 1 ? 1 : (unsigned)count;
}

unsigned rip_cpu_features(void)
{
	pthread_once(&once, find);
	return features;
}
