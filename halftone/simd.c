/* SIMD wavefront: the kernels that there are, and tasks. */
#include "simd.h"

#include <sched.h>

#include "cpu.h"

#ifdef __x86_64__
extern const struct rip_simd_kernel rip_simd_avx2_wide, rip_simd_avx2_narrow,
	rip_simd_avx512_wide, rip_simd_avx512_narrow,
	rip_simd_avx512icl_wide, rip_simd_avx512icl_narrow;
#endif
#if RIP_CPU_HAS_NEON
extern const struct rip_simd_kernel rip_simd_neon;
#endif

const struct rip_simd_isa rip_simd_isas[] = {
#ifdef __x86_64__
	{ "avx2", RIP_CPU_AVX2, &rip_simd_avx2_wide, &rip_simd_avx2_narrow },
	{ "avx512bw", RIP_CPU_AVX512, &rip_simd_avx512_wide, &rip_simd_avx512_narrow },
	{ "avx512", RIP_CPU_AVX512 | RIP_CPU_VBMI, &rip_simd_avx512icl_wide,
	  &rip_simd_avx512icl_narrow },
#endif
#if RIP_CPU_HAS_NEON
	{ "neon", RIP_CPU_NEON, &rip_simd_neon, NULL },
#endif
	{ 0 },
};

/* Blocks of a group: it must be wider than its distance from the group above. */
static uint32_t blocks_of(const struct rip_simd_kernel *kernel, uint32_t width)
{
	const uint32_t blocks = (width - 1) / kernel->block + 1;

	return blocks > kernel->lag ? blocks : kernel->lag + 1;
}

static uint64_t cost_of(const struct rip_simd_kernel *kernel, const struct rip_simd_strip *strip)
{
	const uint64_t groups = (strip->rows - 1) / kernel->lanes + 1;

	return (groups * blocks_of(kernel, strip->width) + kernel->lag) * kernel->block * kernel->cost;
}

void rip_simd_task_init(struct rip_simd_task *task, const struct rip_simd_isa *isa,
			const struct rip_simd_strip *strip, uint32_t threads)
{
	task->strip = *strip;
	task->kernel = isa->wide;
	if (isa->narrow && cost_of(isa->narrow, strip) < cost_of(isa->wide, strip))
		task->kernel = isa->narrow;
	task->groups = (strip->rows - 1) / task->kernel->lanes + 1;
	task->threads_max = (blocks_of(task->kernel, strip->width) - 1) / task->kernel->lag;
	if (task->threads_max > task->groups)
		task->threads_max = task->groups;
	if (task->threads_max > RIP_SIMD_THREADS_MAX)
		task->threads_max = RIP_SIMD_THREADS_MAX;
	task->threads = threads < task->threads_max ? threads : task->threads_max;
	atomic_store_explicit(&task->next, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < task->groups && i < RIP_SIMD_COUNTERS; i++)
		atomic_store_explicit(&task->progress[i].columns, 0, memory_order_relaxed);
}

/* The group above will be ready in a few hundred cycles, unless its thread has no processor. */
uint64_t rip_simd_task_wait(struct rip_simd_task *task, uint32_t n, uint32_t columns)
{
	const uint64_t wanted = rip_simd_counter_value(n, columns);
	uint64_t published;

	for (unsigned spins = 0; (published = rip_simd_task_published(task, n)) < wanted; spins++)
		if (spins < 1000)
			rip_simd_pause();
		else
			sched_yield();
	return published;
}
