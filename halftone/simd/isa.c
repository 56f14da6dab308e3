/* The table of instruction sets. */
#include "isa.h"

#include <errno.h>
#include <stddef.h>

#include "halftone/cpu.h"
#include "isa_code.h"
#include "system/ascii.h"

#ifdef __x86_64__
#define X86(...) .built = true, __VA_ARGS__
#else
#define X86(...) .built = false
#endif

#if RIP_CPU_HAS_AVX512
#define AVX512(...) .built = true, __VA_ARGS__
#else
#define AVX512(...) .built = false
#endif

#if RIP_CPU_HAS_NEON
#define NEON(...) .built = true, __VA_ARGS__
#else
#define NEON(...) .built = false
#endif

/* The kernels of the error filters other than Floyd and Steinberg's. */
#define FILTERS(REACH1, REACH2)                                  \
	.kernels[RIP_JARVIS_JUDICE_NINKE] = { .wavefront = &REACH2 }, \
	.kernels[RIP_STUCKI] = { .wavefront = &REACH2 },              \
	.kernels[RIP_BURKES] = { .wavefront = &REACH1 },              \
	.kernels[RIP_SIERRA] = { .wavefront = &REACH2 },              \
	.kernels[RIP_ATKINSON] = { .wavefront = &REACH2 }

const struct rip_isa rip_isas[] = {
	{ .name = "c", .built = true },
	{
		.name = "avx2",
		.features = RIP_CPU_AVX2,
		X86(.has_simd = true,
		    .kernels[RIP_FLOYD_STEINBERG] = { &rip_simd_avx2_floyd, &rip_simd_avx2_single },
		    .kernels[RIP_BLUE_NOISE] = { .wavefront = &rip_simd_avx2_blue_noise,
						 .single = &rip_simd_avx2_single_blue_noise },
		    .kernels[RIP_BLUE_NOISE_COLOUR] = { .wavefront = &rip_simd_avx2_colour },
		    FILTERS(rip_simd_avx2_reach1, rip_simd_avx2_reach2),
		    .row_ops = rip_row_ops_avx2,
		    .mask_ops = rip_mask_ops_avx2)
	},
	{
		.name = "avx512bw",
		.features = RIP_CPU_AVX2 | RIP_CPU_AVX512,
		AVX512(.has_simd = true,
		       .kernels[RIP_FLOYD_STEINBERG] = { .wavefront = &rip_simd_avx512_floyd,
							 .single = &rip_simd_avx2_single },
		       .kernels[RIP_BLUE_NOISE] = { .wavefront = &rip_simd_avx512_blue_noise,
						    .single = &rip_simd_avx2_single_blue_noise },
		       .kernels[RIP_BLUE_NOISE_COLOUR] = { .wavefront = &rip_simd_avx512_colour },
		       FILTERS(rip_simd_avx512_reach1, rip_simd_avx512_reach2),
		       .row_ops = rip_row_ops_avx512bw,
		       .mask_ops = rip_mask_ops_avx512bw)
	},
	{
		.name = "avx512",
		.features = RIP_CPU_AVX2 | RIP_CPU_AVX512 | RIP_CPU_VBMI,
		AVX512(.has_simd = true,
		       .kernels[RIP_FLOYD_STEINBERG] = { .wavefront = &rip_simd_avx512icl_floyd,
							 .single = &rip_simd_avx2_single },
		       .kernels[RIP_BLUE_NOISE] = { .wavefront = &rip_simd_avx512icl_blue_noise,
						    .single = &rip_simd_avx2_single_blue_noise },
		       .kernels[RIP_BLUE_NOISE_COLOUR] = {
			       .wavefront = &rip_simd_avx512icl_colour },
		       FILTERS(rip_simd_avx512icl_reach1, rip_simd_avx512icl_reach2),
		       .row_ops = rip_row_ops_avx512icl)
	},
	{
		.name = "neon",
		.features = RIP_CPU_NEON,
		NEON(.has_simd = true,
		     .kernels[RIP_FLOYD_STEINBERG] = { .wavefront = &rip_simd_neon },
		     .kernels[RIP_BLUE_NOISE] = { .wavefront = &rip_simd_neon_blue_noise },
		     .kernels[RIP_BLUE_NOISE_COLOUR] = { .wavefront = &rip_simd_neon_colour },
		     FILTERS(rip_simd_neon_reach1, rip_simd_neon_reach2),
		     .row_ops = rip_row_ops_neon,
		     .mask_ops = rip_mask_ops_neon)
	},
	{ 0 },
};

_Static_assert(sizeof rip_isas / sizeof rip_isas[0] - 1 <= RIP_ISAS_MAX,
	       "RIP_ISAS_MAX is too small");

const struct rip_isa *rip_isa_find(const char *name)
{
	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		if (rip_same_name(isa->name, name))
			return isa;
	return NULL;
}

static unsigned limit = ~0u;

int rip_isa_limit(const char *name)
{
	const struct rip_isa *most = rip_isa_find(name);

	if (!most)
		return -ENOENT;
	limit = most->features;
	return 0;
}

unsigned rip_isa_features(void)
{
	return rip_cpu_features() & limit;
}

bool rip_isa_usable(const struct rip_isa *isa)
{
	return isa && isa->built && !(isa->features & ~rip_isa_features());
}

const struct rip_isa *rip_isa_best(void)
{
	const struct rip_isa *best = rip_isas;

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		if (rip_isa_usable(isa))
			best = isa;
	return best;
}
