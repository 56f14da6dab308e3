/*
 * What the kernels are given: rows of planes, in device memory.
 *
 * Plain structs that host and device share.  The engine fills them in; the kernels
 * trust them.  All arrays are in device memory.
 */
#ifndef RIP_TASK_H
#define RIP_TASK_H

#include <stddef.h>
#include <stdint.h>

/* Alignment in bytes of planes of samples and of rows of dots.  Rows of samples are
 * aligned to 16.  Kernels move whole words, so they may read up to RIP_GPU_ALIGN bytes
 * past the last row. */
#define RIP_GPU_ALIGN 128

/* Rounds up to RIP_GPU_ALIGN. */
static inline uint64_t rip_gpu_align(uint64_t bytes)
{
	return (bytes + RIP_GPU_ALIGN - 1) / RIP_GPU_ALIGN * RIP_GPU_ALIGN;
}

/* What all rows of a page have in common. */
struct rip_gpu_shape {
	uint32_t       width;       /* pixels */
	uint32_t       levels;      /* 2..16 */
	uint32_t       sample_bits; /* 8 or 16 */
	uint32_t       bits;        /* of a dot: 1, 2 or 4 */
	uint32_t       screen;      /* enum rip_screen_id */
	const int32_t *targets;     /* A by sample, 256 or 65536 values; NULL: by arith.h */
};

/* ---- the wavefront (wavefront.cuh) ---- */

#define RIP_WAVE_LANES  32 /* rows of a group: one for each lane of a warp */
#define RIP_WAVE_GROUPS 4  /* groups that a slice can have */
#define RIP_WAVE_CLUSTER_MAX 8 /* thread blocks that a cluster can have */
#define RIP_WAVE_AHEAD 128 /* columns that a group reads ahead of the word that comes in */

/* How a slice gets its carry, and hands it on: through shared memory, not the plane's words. */
#define RIP_WAVE_FROM_NEIGHBOUR 1 /* from the thread block before it in its cluster */
#define RIP_WAVE_TO_NEIGHBOUR   2 /* to the one after it */

/* A slice whose carry comes from the slice before it, not from the task before. */
#define RIP_WAVE_LATER          4

/* Planes that a page can have whose planes are halftoned together: a thread block computes all
 * of them.  With up to RIP_WAVE_FEW planes two blocks fit into a multiprocessor. */
#define RIP_WAVE_COLOURS 8
#define RIP_WAVE_FEW     4

/* What one or two planes do at a pixel (halftone/screen/blue_noise_colour.h): a warp's stage. */
enum rip_wave_stage {
	RIP_WAVE_SINGLE,
	RIP_WAVE_ALONE,
	RIP_WAVE_PAIR /* this plane and the next, at which it looks ahead */
};

/* The planes of such a page, for a task.  Offsets are those of plane p, from the task's own: in and
 * out in bytes, carries in words. */
struct rip_wave_colour {
	const uint8_t  *grey;     /* for each row of each plane: 0, it is transparent */
	const uint16_t *weights;  /* for each pixel: what one half is, 0..4096; NULL: 4096 */
	uint64_t        in[RIP_WAVE_COLOURS], out[RIP_WAVE_COLOURS];
	int64_t         from[RIP_WAVE_COLOURS];
	uint32_t        in_pitch[RIP_WAVE_COLOURS], out_pitch[RIP_WAVE_COLOURS];
	uint32_t        words;    /* from plane to plane */
	uint32_t        rows;     /* of the task, and from plane to plane in grey */
	uint32_t        weights_pitch; /* bytes */
	uint8_t         planes, stages;
	uint8_t         order[RIP_WAVE_COLOURS]; /* planes, in the order of their steps */
	uint8_t         first[RIP_WAVE_COLOURS]; /* of a stage: its first step */
	uint8_t         kind[RIP_WAVE_COLOURS];  /* of a stage: enum rip_wave_stage */
};

/* A task: rows of one plane, or of all planes of a page.  Or a slice of one: the rows that one
 * thread block computes. */
struct rip_wave_task {
	const uint8_t *in;        /* aligned to RIP_GPU_ALIGN */
	uint8_t       *out;
	const uint64_t *from;     /* the plane's carry, as it is before these rows */
	uint64_t      *words;     /* where it goes after them: the same or other memory */
	const int32_t *targets;   /* as in struct rip_gpu_shape */
	const uint32_t *admitted; /* how many columns of words may come in so far: those whose
				     samples have arrived, less RIP_WAVE_AHEAD; NULL: all.  At
				     least the first RIP_WAVE_AHEAD columns of samples are there. */
	uint32_t       in_pitch;  /* bytes, a multiple of 16 */
	uint32_t       out_pitch; /* bytes */
	uint32_t       sequence;
	uint32_t       rows;      /* of a slice: 1..RIP_WAVE_LANES * groups; 0: nothing to do */
	uint32_t       width, levels;
	union {
		uint32_t depth;   /* of a task, used by rip_wave_cut() */
		uint32_t links;   /* of a slice: RIP_WAVE_FROM_NEIGHBOUR and so on */
	};
	uint32_t       screen;    /* enum rip_screen_id */
	const struct rip_wave_colour *colour; /* the planes, or NULL: one.  Then in_pitch and
				     out_pitch are not used, and in and out stay the task's */
	uint32_t       row;       /* of the task, where the slice begins; only with colour */
	uint32_t       unused;
};

/* One launch. */
struct rip_wave_launch {
	const struct rip_wave_task *ring; /* of slices; in memory that the host writes */
	uint32_t  mask;     /* size of the ring, a power of two, minus 1 */
	uint32_t  first;    /* ticket of the launch's first cluster */
	uint32_t  slices;   /* of the launch, and thread blocks; a multiple of the cluster */
	uint32_t  cluster;  /* slices in a cluster of thread blocks: 1..RIP_WAVE_CLUSTER_MAX */
	uint32_t  groups;   /* in a slice, 1..RIP_WAVE_GROUPS */
	uint32_t *ticket;   /* counts on from launch to launch of a kernel */
	uint32_t  number;   /* of the launch */
	uint32_t *overtaken; /* a block that draws another launch's ticket writes number here */
	uint32_t *stalled;  /* not 0 after a wait that did not end in time: then all give up */
	uint64_t  patience; /* nanoseconds that a wait may take */
	uint32_t  shared;   /* bytes of shared memory that a thread block may have */
	uint32_t  planes;   /* that a thread block has room for */
};

#endif
