/*
 * PWED: pixel-wise error diffusion (Kasagi, Nakano and Ito, section II).
 *
 * A thread for each row.  In step k the thread of row i diffuses pixel (i, k - 2i).  The
 * end of the launch is the barrier that ends the step.
 *
 * Why 2 columns between rows are enough: pixel (i, j) is final once the row above
 * has done column j+1, which is step j+1 + 2(i-1) = (j + 2i) - 1, the step before.
 *
 * Which threads add to the same sum in one step.  (i, j) adds to (i, j+1) and to (i+1, j-1),
 * (i+1, j), (i+1, j+1); the row above is at j+2, and adds to (i, j+1), (i, j+2),
 * (i, j+3).  Both reach (i, j+1): these two additions, right and below-left, are
 * atomic.  The other two targets have one writer in a step.
 *
 * Sums are 32-bit numbers, as in the paper: target and errors together.  There is
 * one more row of sums than of pixels; it becomes the carry.
 */
#include "pixel.cuh"
#include "published.cuh"

static const unsigned threads = 128;

uint64_t rip_pwed_scratch(const rip_gpu_shape *shape, uint32_t rows)
{
	return ((uint64_t)rows + 1) * shape->width * sizeof(int32_t);
}

/* Stores the targets, and adds the carry to those of the first row. */
__global__ void rip_pwed_begin(rip_gpu_shape shape, const rip_published_task *tasks)
{
	const rip_published_task task = tasks[blockIdx.z];
	const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j >= shape.width)
		return;
	for (uint64_t i = blockIdx.y; i <= task.rows; i += gridDim.y) {
		int32_t *sum = (int32_t *)task.scratch + i * shape.width + j;

		*sum = i == task.rows ? 0
				      : rip_pixel_target(shape, task.in + i * task.in_pitch, j) +
						(i == 0 ? task.carry[j] : 0);
	}
}

__global__ void rip_pwed_step(rip_gpu_shape shape, const rip_published_task *tasks, int64_t k,
			      uint32_t first)
{
	const rip_published_task task = tasks[blockIdx.y];
	const uint64_t i = first + blockIdx.x * blockDim.x + threadIdx.x;
	const int64_t j = k - 2 * (int64_t)i;

	if (i >= task.rows || j < 0 || j >= shape.width)
		return;

	int32_t *row = (int32_t *)task.scratch + i * shape.width;
	int32_t *below = row + shape.width;
	const int32_t s = row[j], e = rip_error_left(s);

	rip_pixel_dot(shape, task.out + i * task.out_pitch, (uint32_t)j, rip_level(s));
	below[j] += rip_mulr(e, RIP_FS_BELOW);
	if (j > 0)
		atomicAdd(&below[j - 1], rip_mulr(e, RIP_FS_BELOW_LEFT));
	if (j + 1 < shape.width) {
		below[j + 1] += rip_mulr(e, RIP_FS_BELOW_RIGHT);
		atomicAdd(&row[j + 1], rip_mulr(e, RIP_FS_RIGHT));
	}
}

__global__ void rip_pwed_end(rip_gpu_shape shape, const rip_published_task *tasks)
{
	const rip_published_task task = tasks[blockIdx.y];
	const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	const int32_t *sums = (const int32_t *)task.scratch + (uint64_t)task.rows * shape.width;

	if (j < shape.width)
		task.carry[j] = (int16_t)sums[j];
}

cudaError_t rip_pwed_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream)
{
	const uint32_t across = (shape->width + threads - 1) / threads;

	RIP_LAUNCH(rip_pwed_begin, dim3(across, rows < 32768 ? rows + 1 : 32768, count), threads, 0,
		   stream, *shape, tasks);
	for (int64_t k = 0; k < rip_pixel_steps(shape->width, rows); k++) {
		uint32_t first, active = rip_pixel_rows(shape->width, rows, k, &first);

		if (active > 0)
			RIP_LAUNCH(rip_pwed_step, dim3((active - 1) / threads + 1, count), threads,
				   0, stream, *shape, tasks, k, first);
	}
	RIP_LAUNCH(rip_pwed_end, dim3(across, count), threads, 0, stream, *shape, tasks);
	return cudaGetLastError();
}
