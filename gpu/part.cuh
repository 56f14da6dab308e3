/*
 * A part of the wavefront: what its warps share, and how they wait for each other.
 * wavefront.cu has the picture.
 */
#ifndef RIP_PART_CUH
#define RIP_PART_CUH

#include "step.cuh"
#include "wavefront.cuh"

#ifndef RIP_WAVE_RING
#define RIP_WAVE_RING 512 /* positions; a power of two, 128 or more */
#endif

static const uint32_t strip_rows = 64;
static const uint32_t ring_size = RIP_WAVE_RING;
static const uint32_t behind = 128;         /* steps from a strip to the one below */
static const uint32_t kept_columns = 256;   /* of samples that a row has in shared memory */
static const uint32_t ahead = 2;            /* turns that samples are fetched before use */
static const uint32_t everything = 1u << 30;

/* Shared memory, in this order. */
struct layout {
	unsigned char *samples; /* [warps][64 rows][256 columns] */
	uint32_t      *rings;   /* [warps + 1][ring_size] */
	uint32_t      *made;    /* [warps + 1] */
	uint32_t      *used;    /* [warps + 1] */
	uint64_t      *part;    /* [8]: rip_wave_part */
	uint32_t      *targets; /* [256], if there is a table */
};

static __device__ __forceinline__ layout lay_out(uint32_t warps, uint32_t bytes)
{
	layout l;

	l.samples = rip_shared();
	l.rings = (uint32_t *)(l.samples + warps * strip_rows * kept_columns * bytes);
	l.made = l.rings + (warps + 1) * ring_size;
	l.used = l.made + warps + 1;
	l.part = (uint64_t *)(l.used + warps + 1); /* aligned: made and used are as many */
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

/* Waits until *counter is at least `need`; false if time is up.  known: a value it has
 * had, and has now.  patient: asks so often without a pause.  All lanes read the same
 * counter, and go on together. */
static __device__ __forceinline__ bool await(const rip_wave &wave, const uint32_t *counter,
					     uint32_t need, uint32_t &known, uint32_t patient = 1)
{
	uint64_t since = 0;

	for (uint32_t spins = 0; __any_sync(~0u, known < need); spins++) {
		if (spins > 0)
			rip_relax(spins < patient ? 0 : 40);
		if (spins % 65536 == 65535 && __any_sync(~0u, expired(wave, since)))
			return false;
		known = rip_load_acquire(counter);
	}
	return true;
}

/* The same for a warp that takes all there is: how much that is, or 0 if time is up.  Lanes
 * may read the counter at different times, and then see different values; so one lane's
 * counts.  What happened before that lane's read has then happened for all. */
static __device__ __forceinline__ uint32_t await_any(const rip_wave &wave, const uint32_t *counter,
						     uint32_t need, uint32_t &known)
{
	if (!await(wave, counter, need, known))
		return 0;
	known = __shfl_sync(~0u, known, 0);
	__syncwarp();
	return known;
}

#endif
