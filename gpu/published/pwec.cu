/*
 * PWEC: pixel-wise error collection (Kasagi, Nakano and Ito, section II).
 *
 * As PWED: a thread for each row, pixel (i, k - 2i) in step k, a launch for each step.
 * But a pixel collects its share of the errors around it and writes its own error, so
 * no two threads add to the same sum.  In step k row i reads columns j-1, j, j+1 of the
 * row above, which is writing its column j+2.
 *
 * Row 0 takes the carry instead.  The carry that goes out is collected from the last row
 * in a launch of its own.
 */
#include "pixel.cuh"
#include "published.cuh"

static const unsigned threads = 128;

uint64_t rip_pwec_scratch(const rip_gpu_shape *shape, uint32_t rows)
{
	return (uint64_t)rows * shape->width * sizeof(int16_t);
}

/* What the row above sends to column j. */
static __device__ __forceinline__ int32_t from_above(const int16_t *above, int64_t j,
						     uint32_t width)
{
	int32_t u = rip_mulr(above[j], RIP_FS_BELOW);

	if (j > 0)
		u += rip_mulr(above[j - 1], RIP_FS_BELOW_RIGHT);
	if (j + 1 < width)
		u += rip_mulr(above[j + 1], RIP_FS_BELOW_LEFT);
	return u;
}

__global__ void rip_pwec_step(rip_gpu_shape shape, const rip_published_task *tasks, int64_t k,
			      uint32_t first)
{
	const rip_published_task task = tasks[blockIdx.y];
	const uint64_t i = first + blockIdx.x * blockDim.x + threadIdx.x;
	const int64_t j = k - 2 * (int64_t)i;

	if (i >= task.rows || j < 0 || j >= shape.width)
		return;

	int16_t *errors = (int16_t *)task.scratch + i * shape.width;
	int32_t s = rip_pixel_target(shape, task.in + i * task.in_pitch, (uint32_t)j);

	s += i > 0 ? from_above(errors - shape.width, j, shape.width) : task.carry[j];
	if (j > 0)
		s += rip_mulr(errors[j - 1], RIP_FS_RIGHT);
	errors[j] = (int16_t)rip_error_left(s);
	rip_pixel_dot(shape, task.out + i * task.out_pitch, (uint32_t)j, rip_level(s));
}

__global__ void rip_pwec_end(rip_gpu_shape shape, const rip_published_task *tasks)
{
	const rip_published_task task = tasks[blockIdx.y];
	const uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < shape.width)
		task.carry[j] = (int16_t)from_above((const int16_t *)task.scratch +
							    (uint64_t)(task.rows - 1) * shape.width,
						    j, shape.width);
}

cudaError_t rip_pwec_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream)
{
	for (int64_t k = 0; k < rip_pixel_steps(shape->width, rows); k++) {
		uint32_t first, active = rip_pixel_rows(shape->width, rows, k, &first);

		if (active > 0)
			RIP_LAUNCH(rip_pwec_step, dim3((active - 1) / threads + 1, count), threads,
				   0, stream, *shape, tasks, k, first);
	}
	RIP_LAUNCH(rip_pwec_end, dim3((shape->width + threads - 1) / threads, count), threads, 0,
		   stream, *shape, tasks);
	return cudaGetLastError();
}
