/*
 * The published methods (Kasagi, Nakano and Ito): several launches for some rows.
 *
 * Each function puts kernels on a stream and returns the error of the launches; the rows are
 * done when the stream has come that far.  All methods give the bits of halftone/screen/arith.h
 * with Floyd and Steinberg's filter.
 *
 * tasks: `count` structs in device memory; rows: the most rows that one of them has.  The
 * caller keeps everything until the stream is done.
 */
#ifndef RIP_PUBLISHED_CUH
#define RIP_PUBLISHED_CUH

#include "gpu/intrinsics.cuh"
#include "gpu/task.h"

/* Rows of one plane, all in device memory.  Kernels read and write carry: the sums that the
 * row above sends to each column, as engine.h exports them. */
struct rip_published_task {
	const uint8_t *in;        /* aligned to RIP_GPU_ALIGN, its pitch to 16 */
	uint8_t       *out;
	uint64_t       in_pitch, out_pitch; /* bytes */
	int16_t       *carry;     /* width values */
	void          *scratch;   /* as many bytes as rip_*_scratch() says */
	uint32_t       rows;
	uint32_t       reserved;
};

/* Pixel-wise, a thread for each row and a launch for each step (Metaxas; Kasagi et al.,
 * section II): pushing with atomicAdd, and collecting. */
cudaError_t rip_pwed_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream);
cudaError_t rip_pwec_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream);

/* Block-wise, a launch for each diagonal of 32x32 parallelograms (Kasagi et al., section
 * III). */
cudaError_t rip_bwed_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream);
cudaError_t rip_bwec_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream);

/* Bytes of scratch memory that a task of so many rows needs. */
uint64_t rip_pwed_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_pwec_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_bwed_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_bwec_scratch(const rip_gpu_shape *shape, uint32_t rows);

#endif
