/* The features of this processor. */
#define _GNU_SOURCE 1 /* for sets of processors */
#include "cpu.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "quota.h"

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

/* Not the number of processors online: a container, a unit or taskset may allow fewer, or
 * less of their time. */
unsigned rip_cpu_count(void)
{
	const unsigned quota = rip_cpu_quota("");
	long count = 0;

	/* sched_getaffinity() refuses a set with less room than the kernel's: double it. */
	for (size_t room = CPU_SETSIZE; count == 0 && room <= 64 * CPU_SETSIZE; room *= 2) {
		const size_t size = CPU_ALLOC_SIZE(room);
		cpu_set_t *set = CPU_ALLOC(room);

		if (set && sched_getaffinity(0, size, set) == 0)
			count = CPU_COUNT_S(size, set);
		CPU_FREE(set);
	}
	if (count == 0)
		count = sysconf(_SC_NPROCESSORS_ONLN);
	if (quota && quota < count)
		count = quota;
	return count < 1 ? 1 : (unsigned)count;
}

static void find(void)
{
	features = detect();
}

unsigned rip_cpu_features(void)
{
	pthread_once(&once, find);
	return features;
}
