/* The SIMD wavefront: what there is of it, and jobs. */
#include "simd.h"

#include <sched.h>

#include "cpu.h"

#ifdef __x86_64__
extern const struct rip_simd_wave rip_simd_avx2_wide, rip_simd_avx2_narrow,
	rip_simd_avx512_wide, rip_simd_avx512_narrow,
	rip_simd_avx512icl_wide, rip_simd_avx512icl_narrow;
#endif
#if RIP_CPU_HAS_NEON
extern const struct rip_simd_wave rip_simd_neon;
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

/* Blocks of a strip: a strip must be wider than what it is behind the one above. */
static uint32_t blocks_of(const struct rip_simd_wave *wave, uint32_t width)
{
	const uint32_t blocks = (width - 1) / wave->block + 1;

	return blocks > wave->ramp ? blocks : wave->ramp + 1;
}

static uint64_t cost_of(const struct rip_simd_wave *wave, const struct rip_simd_rows *rows)
{
	const uint64_t strips = (rows->count - 1) / wave->lanes + 1;

	return (strips * blocks_of(wave, rows->width) + wave->ramp) * wave->block * wave->cost;
}

void rip_simd_job_init(struct rip_simd_job *job, const struct rip_simd_isa *isa,
		       const struct rip_simd_rows *rows, uint32_t threads)
{
	job->rows = *rows;
	job->wave = isa->wide;
	if (isa->narrow && cost_of(isa->narrow, rows) < cost_of(isa->wide, rows))
		job->wave = isa->narrow;
	job->strips = (rows->count - 1) / job->wave->lanes + 1;
	job->limit = (blocks_of(job->wave, rows->width) - 1) / job->wave->ramp;
	if (job->limit > job->strips)
		job->limit = job->strips;
	if (job->limit > RIP_SIMD_THREADS_MAX)
		job->limit = RIP_SIMD_THREADS_MAX;
	job->workers = threads < job->limit ? threads : job->limit;
	atomic_store_explicit(&job->next, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < job->strips && i < RIP_SIMD_STRIPS; i++)
		atomic_store_explicit(&job->progress[i].columns, 0, memory_order_relaxed);
}

/* The strip above is a few hundred cycles behind, or its thread has no processor. */
uint64_t rip_simd_wait(struct rip_simd_job *job, uint32_t n, uint32_t columns)
{
	const uint64_t wanted = rip_simd_count(n, columns);
	uint64_t published;

	for (unsigned spins = 0; (published = rip_simd_published(job, n)) < wanted; spins++)
		if (spins < 1000)
			rip_simd_pause();
		else
			sched_yield();
	return published;
}
