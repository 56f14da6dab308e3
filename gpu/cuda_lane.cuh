/*
 * A lane: what a page keeps on the device, made once and used again by later pages:
 * carries, targets, and slots for bites, with buffers that only grow.
 *
 * A page goes through its lane in bites, each at most one band of each plane.  A bite has a
 * slot, from the copy to the device until its dots have come back; there are several, so
 * that one bite can be copied in while others are halftoned and copied out.
 *
 * A lane belongs to one page at a time; of a slot that is not idle the launcher has what
 * the launcher's header says.
 */
#ifndef RIP_CUDA_LANE_CUH
#define RIP_CUDA_LANE_CUH

#include "cuda_engine.cuh"
#include "wavefront.cuh"

/* A bite is on the device for as long as its copy, its kernel and its way back take: for
 * 16 MiB that are three times its copy, and one more is being prepared. */
#define RIP_CUDA_SLOTS 6

/* Memory that grows, on the device or pinned on the host. */
struct rip_cuda_buffer {
	unsigned char *at;
	size_t         size;
};

/* Rows of dots on their way from the device. */
struct rip_cuda_dots {
	const unsigned char *from;       /* on the device */
	size_t               from_pitch;
	unsigned char       *stop;       /* pinned memory on the way, with from_pitch, or NULL */
	uint8_t             *to;         /* where they belong */
	ptrdiff_t            to_pitch;
	size_t               bytes;      /* of a row */
	uint32_t             rows;
};

enum rip_cuda_state {
	RIP_CUDA_IDLE,    /* the page's */
	RIP_CUDA_WAITING, /* the launcher's: copied or being copied to the device */
	RIP_CUDA_LAUNCHED /* the page's: `left` will say when the dots are out */
};

struct rip_cuda_slot {
	rip_cuda_buffer in, out;           /* on the device */
	rip_cuda_buffer host_in, host_out; /* pinned: for rows that are not */
	cudaEvent_t     arrived, left;     /* input copied, dots copied */
	uint32_t        number;            /* of the page's bites */
	rip_gpu_shape   shape;
	unsigned        count;             /* of planes */
	rip_cuda_dots   dots[RIP_PLANES_MAX];
	rip_wave_part   parts[RIP_PLANES_MAX]; /* for the wavefront: whole planes */
	bool            stall;             /* a test wants it to wait in vain */
	/* for the published methods: */
	rip_cuda_buffer works, host_works; /* on the device; pinned */
	rip_cuda_buffer scratch;
	uint32_t        rows;              /* of the plane that has most */
	cudaGraphExec_t graph;             /* NULL, or the launches for these: */
	rip_gpu_shape   graph_shape;
	unsigned        graph_count;
	uint32_t        graph_rows;
	/* guarded by the launcher's lock: */
	rip_cuda_state  state;
	int             result;            /* of the launch, once it is not WAITING */
	uint32_t        swapped;           /* the launcher's, before the launch */
	rip_cuda_slot  *next;              /* that waits */
};

struct rip_cuda_lane {
	rip_cuda_lane  *next;   /* in the pool */
	cudaStream_t    stream; /* for what is not a bite */
	rip_cuda_slot   slot[RIP_CUDA_SLOTS];
	rip_cuda_buffer carries, targets; /* on the device */
	rip_cuda_buffer host_carries;     /* pinned */
};

/* A lane from the pool, or a new one.  0 or a negative errno. */
int rip_cuda_lane_get(rip_cuda_engine *engine, rip_cuda_lane **lane);

/* Back into the pool; freed if the engine is broken.  No slot is WAITING.  NULL is
 * allowed. */
void rip_cuda_lane_put(rip_cuda_engine *engine, rip_cuda_lane *lane);
void rip_cuda_lane_free(rip_cuda_lane *lane); /* NULL is allowed */

/* Makes a buffer hold at least `size` bytes; what it held is lost if it grows, which
 * it may only do when nothing uses it.  0 or a negative errno. */
int rip_cuda_grow(rip_cuda_engine *engine, rip_cuda_buffer *buffer, size_t size, bool pinned);

#endif
