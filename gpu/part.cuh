/*
 * A part of the wavefront: what its warps share, and how they wait for each other.
 * wavefront.cu has the picture.
 */
#ifndef RIP_PART_CUH
#define RIP_PART_CUH

#include "step.cuh"
#include "wavefront.cuh"

#ifndef RIP_WAVE_RING
#define RIP_WAVE_RING 1024 /* columns; a power of two, 128 or more */
#endif

static const uint32_t strip_rows = RIP_WAVE_ROWS;
static const uint32_t skew = 4;             /* columns from a row to the one below */
static const uint32_t ring_size = RIP_WAVE_RING;
static const uint32_t kept_columns = 256;   /* of samples that a row has in shared memory */
static const uint32_t kept_pitch = kept_columns + 32; /* the first 32 are there twice */
static const uint32_t ahead = 3;            /* turns that samples are fetched before use */
static const uint32_t tells = ring_size / 128; /* turns between words about space in rings */
static const unsigned far_away = 200;       /* nanoseconds between looks at what is not near */
static const uint32_t everything = 1u << 30;

/* Shared memory, in this order. */
struct layout {
	unsigned char *samples; /* [warps][32 rows][kept_pitch] */
	uint32_t      *rings;   /* [warps + 1][ring_size] */
	uint32_t      *nothing; /* [32] words that say: no carry */
	uint32_t      *used;    /* [warps + 1] */
	uint32_t      *awake;   /* [warps + 1] */
	uint64_t      *part;    /* [8]: rip_wave_part */
	uint32_t      *targets; /* [256], if there is a table */
};

static __device__ __forceinline__ layout lay_out(uint32_t warps, uint32_t bytes)
{
	layout l;

	l.samples = rip_shared();
	l.rings = (uint32_t *)(l.samples + warps * strip_rows * kept_pitch * bytes);
	l.nothing = l.rings + (warps + 1) * ring_size;
	l.used = l.nothing + 32;
	l.awake = l.used + warps + 1;
	l.part = (uint64_t *)(l.awake + warps + 1); /* aligned: used and awake are as many */
	l.targets = (uint32_t *)(l.part + sizeof(rip_wave_part) / 8);
	return l;
}

/* Time is up: for us, or for anyone. */
static __device__ bool expired(const rip_wave &wave, uint64_t &since)
{
	const uint64_t now = rip_clock();

	if (since == 0)
		since = now;
	if (now - since > wave.patience)
		atomicAdd(wave.stalled, 1u);
	return *(volatile uint32_t *)wave.stalled != 0;
}

/* One more time round a loop that waits: pauses, for about so many nanoseconds, and now
 * and then looks at the time.  If
 * it is up the warp ends here.  All its lanes call this together. */
static __device__ __forceinline__ void wait_on(const rip_wave &wave, uint32_t &spins,
					       uint64_t &since, uint32_t pause)
{
	rip_relax(pause);
	if (++spins % 4096 == 0 && __any_sync(~0u, expired(wave, since)))
		rip_exit();
}

#endif
