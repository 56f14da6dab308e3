/*
 * What the kernels are given: some rows of some planes, in device memory.
 *
 * Plain structs that host and device share.  The engine fills them; the kernels
 * trust them.
 */
#ifndef RIP_WORK_H
#define RIP_WORK_H

#include <stddef.h>
#include <stdint.h>

/* Planes of samples and rows of dots lie at multiples of this many bytes, rows of samples
 * at multiples of 16, so that the kernels can move whole words: reading up to this much
 * past the last row is allowed. */
#define RIP_GPU_ALIGN 128

/* What all work of a launch has in common. */
struct rip_gpu_shape {
	uint32_t       width;       /* pixels */
	uint32_t       levels;      /* 2..16 */
	uint32_t       sample_bits; /* 8 or 16 */
	uint32_t       bits;        /* of a dot: 1, 2 or 4 */
	const int32_t *targets;     /* A by sample, 256 or 65536 values; NULL: by arith.h */
};

/* Rows of one plane, for the methods with a launch a step or a diagonal.  Launches read
 * and write carry: the sums that the row above sends to each column, as engine.h exports
 * them. */
struct rip_gpu_work {
	const uint8_t *in;        /* aligned to RIP_GPU_ALIGN, its pitch to 16 */
	uint8_t       *out;
	uint64_t       in_pitch, out_pitch;
	int16_t       *carry;     /* width values */
	void          *scratch;   /* rip_*_scratch() bytes */
	uint32_t       rows;
	uint32_t       reserved;
};

/* Round up to RIP_GPU_ALIGN. */
static inline uint64_t rip_gpu_align(uint64_t bytes)
{
	return (bytes + RIP_GPU_ALIGN - 1) / RIP_GPU_ALIGN * RIP_GPU_ALIGN;
}

#endif
