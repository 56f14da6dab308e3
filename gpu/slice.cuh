/*
 * A slice of the wavefront: the memory that its warps share, and how they wait for each
 * other.  wavefront.cu has the picture.
 */
#ifndef RIP_SLICE_CUH
#define RIP_SLICE_CUH

#include "intrinsics.cuh"
#include "task.h"

/* Large enough that only two blocks of four groups fit into a multiprocessor: with three, planes
 * that are computed at once take a quarter longer. */
#ifndef RIP_WAVE_RING
#define RIP_WAVE_RING 2048 /* columns; a power of two, 128 or more */
#endif

#ifndef RIP_WAVE_LOOK
#define RIP_WAVE_LOOK 4096 /* a wait looks at the clock every so many times */
#endif

static const uint32_t group_rows = RIP_WAVE_LANES;
static const uint32_t ring_size = RIP_WAVE_RING;
static const uint32_t fetch_ahead = 3;      /* blocks that samples are fetched before use */
static_assert(32 * (fetch_ahead + 1) <= RIP_WAVE_AHEAD, "samples are there when they are fetched");
static const uint32_t report_interval = ring_size / 128; /* blocks between reports of space */
static const unsigned short_pause = 100;   /* ns, after many looks in vain */
static const unsigned hand_over_pause = 50; /* ns between looks at what a neighbour waits for */
static const unsigned relay_pause = 400;   /* ns between reports of space to a neighbour */
static const unsigned long_pause = 200;     /* ns between looks at what will take a while */
static const uint32_t all_columns = 1u << 30;

/* The columns of samples that a row has in shared memory: rule::tile_columns, of which the first
 * 32 are there twice.  They must hold what the lanes of a group are at and what is fetched
 * ahead. */
template <class rule> static __host__ __device__ __forceinline__ constexpr uint32_t tile_pitch_of()
{
	static_assert(rule::skew * (group_rows - 1) + 32 * (rule::ahead + 1) <= rule::tile_columns,
		      "a tile holds the columns of all lanes");
	static_assert((rule::tile_columns & (rule::tile_columns - 1)) == 0, "columns wrap");
	return rule::tile_columns + 32;
}

/* How many columns the last row of a group is ahead of a 32nd row.  In the ring below the group,
 * what goes to column j is at j less that. */
template <class rule> static __device__ __forceinline__ uint32_t shift_of(uint32_t rows)
{
	return rule::skew * (group_rows - rows);
}

/* Shared memory, in this order. */
struct slice_memory {
	unsigned char *rule;    /* [rule::memory], aligned to it */
	unsigned char *samples; /* [groups][32 rows][tile_pitch] */
	uint32_t      *rings;   /* [groups + 1][ring_size] */
	uint32_t      *no_carry; /* [32] words that say: no carry */
	uint32_t      *masks;   /* [8][4]: patterns of four columns, see below */
	uint32_t      *used;    /* [groups + 1] */
	uint32_t      *awake;   /* [groups + 1] */
	uint32_t      *ticket;  /* of the cluster */
	uint32_t      *room;    /* columns of the neighbour's ring 0 that are free again */
	uint64_t      *task;    /* struct rip_wave_task */
	uint32_t      *targets; /* [256], if there is a table */
};

template <class rule>
static __device__ __forceinline__ slice_memory slice_memory_of(uint32_t groups,
							       uint32_t sample_bytes)
{
	slice_memory m;

	m.rule = rip_shared();
	m.samples = m.rule + rule::memory;
	m.rings = (uint32_t *)(m.samples +
			       groups * group_rows * tile_pitch_of<rule>() * sample_bytes);
	m.no_carry = m.rings + (groups + 1) * ring_size;
	m.masks = m.no_carry + 32;
	m.used = m.masks + 32;
	m.awake = m.used + groups + 1;
	m.ticket = m.awake + groups + 1;
	m.room = m.ticket + 1;
	m.task = (uint64_t *)(m.room + 1); /* aligned: used and awake are as many */
	m.targets = (uint32_t *)(m.task + sizeof(rip_wave_task) / 8);
	return m;
}

/* Masks.  Pixels outside of the image must have no error: at least those of the four columns
 * before it and of the four after it, from where errors could reach the image.  A rule takes the
 * error's bits from a sum where the bits of a mask say so (rip_step_error()), and otherwise from
 * no_error.  Pattern i is that of four columns of which the first is i - 3 columns after the
 * first that must have none; of pattern 7 all have errors. */
template <class rule> static __device__ __forceinline__ uint32_t mask_of(uint32_t i, uint32_t t)
{
	return i + t - 3 < 4 ? rule::no_error : rule::no_error ^ 65535;
}

/* Whether this wait, or any other of the launch, has taken too long. */
static __device__ bool expired(const rip_wave_launch &launch, uint64_t &since)
{
	const uint64_t now = rip_clock();

	if (since == 0)
		since = now;
	if (now - since > launch.patience)
		atomicAdd(launch.stalled, 1u);
	return *(volatile uint32_t *)launch.stalled != 0;
}

/* For loops that wait: pauses for about `pause` nanoseconds, and looks at the clock now
 * and then.  When the time is up, the warp ends here.  All its lanes call this
 * together. */
static __device__ __forceinline__ void wait_on(const rip_wave_launch &launch, uint32_t &spins,
					       uint64_t &since, uint32_t pause)
{
	rip_relax(pause);
	if (++spins % RIP_WAVE_LOOK == 0 && __any_sync(~0u, expired(launch, since))) {
		if (launch.cluster > 1)
			rip_cluster_sync(); /* others of the cluster may still store here */
		rip_exit();
	}
}

#endif
