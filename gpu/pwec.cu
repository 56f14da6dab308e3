/*
 * PWEC: pixel-wise error collection (Kasagi, Nakano and Ito, section II).
 *
 * As PWED: a thread a row, pixel (i, k - 2i) in step k, a launch a step.  But a
 * pixel takes its share of the errors around it and writes its own error, so
 * nothing is added to by two threads: in step k row i reads columns j-1, j, j+1 of
 * the row above, which is writing its column j+2.
 *
 * Row 0 takes the carry instead; the carry that leaves is collected from the last
 * row in a launch of its own.
 */
#include "methods.cuh"
#include "pixel.cuh"

static const unsigned threads = 128;

uint64_t rip_pwec_scratch(const rip_gpu_shape *shape, uint32_t rows)
{
	return (uint64_t)rows * shape->width * sizeof(int16_t);
}

/* What the row above sends to column j. */
static __device__ __forceinline__ int32_t from_above(const int16_t *above, int64_t j, uint32_t width)
{
	int32_t u = rip_mulr(above[j], RIP_FS_BELOW);

	if (j > 0)
		u += rip_mulr(above[j - 1], RIP_FS_BELOW_RIGHT);
	if (j + 1 < width)
		u += rip_mulr(above[j + 1], RIP_FS_BELOW_LEFT);
	return u;
}

__global__ void rip_pwec_step(rip_gpu_shape shape, const rip_gpu_work *works, int64_t k,
			      uint32_t first)
{
	const rip_gpu_work work = works[blockIdx.y];
	const uint64_t i = first + blockIdx.x * blockDim.x + threadIdx.x;
	const int64_t j = k - 2 * (int64_t)i;

	if (i >= work.rows || j < 0 || j >= shape.width)
		return;

	int16_t *errors = (int16_t *)work.scratch + i * shape.width;
	int32_t s = rip_pixel_target(shape, work.in + i * work.in_pitch, (uint32_t)j);

	s += i > 0 ? from_above(errors - shape.width, j, shape.width) : work.carry[j];
	if (j > 0)
		s += rip_mulr(errors[j - 1], RIP_FS_RIGHT);
	errors[j] = (int16_t)rip_error(s);
	rip_pixel_dot(shape, work.out + i * work.out_pitch, (uint32_t)j, rip_level(s));
}

__global__ void rip_pwec_end(rip_gpu_shape shape, const rip_gpu_work *works)
{
	const rip_gpu_work work = works[blockIdx.y];
	const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < shape.width)
		work.carry[j] = (int16_t)from_above((const int16_t *)work.scratch +
								(uint64_t)(work.rows - 1) * shape.width,
							j, shape.width);
}

cudaError_t rip_pwec_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream)
{
	for (int64_t k = 0; k < rip_pixel_steps(shape->width, rows); k++) {
		uint32_t first, active = rip_pixel_rows(shape->width, rows, k, &first);

		if (active > 0)
			RIP_LAUNCH(rip_pwec_step, dim3((active - 1) / threads + 1, count), threads, 0,
				   stream, *shape, works, k, first);
	}
	RIP_LAUNCH(rip_pwec_end, dim3((shape->width + threads - 1) / threads, count), threads, 0,
		   stream, *shape, works);
	return cudaGetLastError();
}
