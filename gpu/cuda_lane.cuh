/*
 * A lane: all that a page needs of the device, made once and used again by later
 * pages: streams, events, and buffers that only grow.
 *
 * A page goes through its lane in bites, each at most one band of each plane.  A bite
 * has a slot, and there are a few, so that the copy of one bite to the device, the
 * kernels of another and the copy of a third back all run at once, on a stream each.
 * Carries stay on the device, two arrays a plane: a launch reads one and writes the
 * other.
 *
 * A lane belongs to one page at a time.
 */
#ifndef RIP_CUDA_LANE_CUH
#define RIP_CUDA_LANE_CUH

#include "cuda_engine.cuh"
#include "work.h"

#define RIP_CUDA_SLOTS 3

/* Memory that grows, on the device or pinned on the host. */
struct rip_cuda_buffer {
	unsigned char *at;
	size_t         size;
};

/* A band of a plane whose dots wait in pinned memory for the way to their place. */
struct rip_cuda_landing {
	const unsigned char *from;
	size_t               from_pitch, bytes; /* of a row */
	uint8_t             *to;
	ptrdiff_t            to_pitch;
	uint32_t             rows;
};

struct rip_cuda_slot {
	rip_cuda_buffer  in, out;             /* on the device */
	rip_cuda_buffer  orders;              /* on the device: works, then parts */
	rip_cuda_buffer  host_in, host_out;   /* pinned: for strips that are not */
	rip_cuda_buffer  host_orders;         /* pinned */
	cudaEvent_t      arrived, made, left; /* input copied, kernels done, dots copied */
	bool             busy;
	unsigned         landings;
	rip_cuda_landing landing[RIP_PLANES_MAX];
};

struct rip_cuda_lane {
	rip_cuda_lane  *next; /* in the pool */
	cudaStream_t    in, run, out;
	rip_cuda_slot   slot[RIP_CUDA_SLOTS];
	rip_cuda_buffer carries, scratch, targets;
	uint32_t       *ticket;       /* on the device */
	uint32_t       *stalled;      /* pinned: kernels write it there */
	uint32_t        tickets;      /* drawn so far */
	uint32_t        number;       /* of the latest launch */
	uint64_t        scratch_step; /* bytes of scratch a plane has */
};

/* A lane from the pool, or a new one.  0 or a negative errno. */
int rip_cuda_lane_get(rip_cuda_engine *engine, rip_cuda_lane **lane);

/* Back into the pool, once idle; freed if the engine is broken.  NULL is allowed. */
void rip_cuda_lane_put(rip_cuda_engine *engine, rip_cuda_lane *lane);
void rip_cuda_lane_free(rip_cuda_lane *lane); /* NULL is allowed */

/* Makes a buffer hold at least `size` bytes; what it held is lost if it grows, which
 * it may only do when nothing uses it.  0 or a negative errno. */
int rip_cuda_grow(rip_cuda_engine *engine, rip_cuda_buffer *buffer, size_t size, bool pinned);

#endif
