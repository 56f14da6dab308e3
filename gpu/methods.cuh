/*
 * The methods' launchers.  Each puts kernels on a stream and returns what the
 * launch said; the work is done when the stream has come that far.  All give the
 * bits of halftone/arith.h with Floyd and Steinberg's filter.
 *
 * works: count structs in device memory; rows: the most rows that one of them
 * has.  The caller keeps everything until the stream is done.
 */
#ifndef RIP_METHODS_CUH
#define RIP_METHODS_CUH

#include "device.cuh"
#include "work.h"

/* Pixel-wise, a thread a row and a launch a step (Metaxas; Kasagi et al. II):
 * pushing with atomicAdd, and collecting. */
cudaError_t rip_pwed_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream);
cudaError_t rip_pwec_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream);

/* Block-wise, a launch a diagonal of 32x32 parallelograms (Kasagi et al. III). */
cudaError_t rip_bwed_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream);
cudaError_t rip_bwec_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream);

/* Bytes of scratch that a work of so many rows needs. */
uint64_t rip_pwed_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_pwec_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_bwed_scratch(const rip_gpu_shape *shape, uint32_t rows);
uint64_t rip_bwec_scratch(const rip_gpu_shape *shape, uint32_t rows);

#endif
