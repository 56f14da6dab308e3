/*
 * The target and the dot of a pixel, for the published methods.
 */
#ifndef RIP_PIXEL_CUH
#define RIP_PIXEL_CUH

#include "halftone/screen/arith.h"
#include "halftone/screen/error_filter.h"
#include "gpu/intrinsics.cuh"
#include "gpu/task.h"

/* The target of a sample. */
static __device__ __forceinline__ int32_t rip_sample_target(const rip_gpu_shape &shape, uint32_t v)
{
	if (shape.targets)
		return shape.targets[v];
	return rip_target(shape.sample_bits == 8 ? 257 * v : v, shape.levels);
}

/* The target of column j of a row of samples. */
static __device__ __forceinline__ int32_t rip_pixel_target(const rip_gpu_shape &shape,
							   const uint8_t *row, uint32_t j)
{
	return rip_sample_target(shape,
				 shape.sample_bits == 8 ? row[j] : ((const uint16_t *)row)[j]);
}

/* Stores the dot of column j in a row of dots.  Columns come in order, and a row has one
 * writer at a time, so the first dot of a byte clears the others. */
static __device__ __forceinline__ void rip_pixel_dot(const rip_gpu_shape &shape, uint8_t *row,
						     uint32_t j, int32_t level)
{
	const uint32_t bits = shape.bits, at = j * bits % 8;
	uint8_t *byte = row + (uint64_t)j * bits / 8;
	const uint32_t before = at ? *byte : 0;

	*byte = (uint8_t)(before | (uint32_t)level << (8 - bits - at));
}

/* How many rows have a pixel in step k, when row i is at column k - 2i, and which is the
 * first. */
static inline uint32_t rip_pixel_rows(uint32_t width, uint32_t rows, int64_t k, uint32_t *first)
{
	const int64_t from = k < width ? 0 : (k - width) / 2 + 1;
	const int64_t to = k / 2 < rows ? k / 2 : (int64_t)rows - 1;

	*first = (uint32_t)from;
	return to < from ? 0 : (uint32_t)(to - from + 1); /* none: every other step of width 1 */
}

/* How many steps all rows take. */
static inline int64_t rip_pixel_steps(uint32_t width, uint32_t rows)
{
	return (int64_t)width + 2 * ((int64_t)rows - 1);
}

#endif
