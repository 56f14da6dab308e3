/*
 * Scans the rows of a page whose planes are halftoned together: which rows of which planes are
 * transparent, and how far the total of ink lets the inks see each other at each pixel.
 *
 * A thread block scans a row of all planes, a thread four pixels at a time.
 */
#include "scan.cuh"

#include "halftone/screen/blue_noise_colour.h"

#define WARPS  4
#define PIXELS 4 /* of a thread */

/* The samples of PIXELS pixels.  Rows may be read to the end of their last 16 bytes (task.h). */
static __device__ __forceinline__ void load_samples(uint32_t bits, const uint8_t *row, uint32_t j,
						    uint32_t samples[PIXELS])
{
	const uint32_t *words = (const uint32_t *)(row + (size_t)j * bits / 8);
	const uint32_t first = rip_load_sample(words);

	if (bits == 8) {
#pragma unroll
		for (uint32_t k = 0; k < PIXELS; k++)
			samples[k] = first >> 8 * k & 255;
		return;
	}

	const uint32_t second = rip_load_sample(words + 1);

	samples[0] = first & 65535;
	samples[1] = first >> 16;
	samples[2] = second & 65535;
	samples[3] = second >> 16;
}

static __device__ __forceinline__ uint32_t target_of(const rip_gpu_shape &shape, uint32_t sample)
{
	if (shape.targets)
		return rip_load_sample((const uint32_t *)shape.targets + sample);
	return (uint32_t)rip_target(shape.sample_bits == 8 ? 257 * sample : sample, shape.levels);
}

/* The x of a target: A = t + floor(t / 65535) with t = x * (levels - 1). */
static __device__ __forceinline__ uint32_t x_of(uint32_t target, uint32_t levels)
{
	return (target - (target >> 16)) / (levels - 1);
}

__global__ void __launch_bounds__(32 * WARPS) rip_row_scan_kernel(const rip_row_scan scan)
{
	const rip_wave_colour &colour = scan.colour;
	const uint32_t planes = colour.planes, row = blockIdx.x, warp = threadIdx.x / 32;
	const uint32_t full = 65536 * (scan.shape.levels - 1);
	uint16_t *weights = scan.fade ? (uint16_t *)((unsigned char *)colour.weights +
						     (size_t)row * colour.weights_pitch)
				      : nullptr;
	uint32_t *found = (uint32_t *)rip_shared(); /* by each warp: bits of planes */
	uint32_t grey = 0, mask = 0;

	if (row == 0 && threadIdx.x == 0)
		*scan.task_colour = colour;
	for (uint32_t j = threadIdx.x * PIXELS; j < scan.shape.width; j += 32 * WARPS * PIXELS) {
		uint32_t total[PIXELS] = {};

		for (uint32_t p = 0; p < planes; p++) {
			uint32_t samples[PIXELS];

			load_samples(scan.shape.sample_bits,
				     scan.in + colour.in[p] + (size_t)row * colour.in_pitch[p], j,
				     samples);
#pragma unroll
			for (uint32_t k = 0; k < PIXELS; k++) {
				const uint32_t target = target_of(scan.shape, samples[k]);

				if (j + k < scan.shape.width && target != 0 && target != full)
					grey |= 1u << p;
				if (weights)
					total[k] += rip_colour_ink(x_of(target, scan.shape.levels),
								   scan.light);
			}
		}
		/* There is room for PIXELS weights where the width has one. */
#pragma unroll
		for (uint32_t k = 0; weights && k < PIXELS; k++)
			weights[j + k] =
				(uint16_t)(rip_colour_weight(total[k], scan.fade) / 4);
	}
	for (uint32_t p = 0; p < planes; p++)
		mask |= __any_sync(~0u, grey >> p & 1) ? 1u << p : 0;
	if (threadIdx.x % 32 == 0)
		found[warp] = mask;
	__syncthreads();
	for (uint32_t i = 0; i < WARPS; i++)
		mask |= found[i];
	if (threadIdx.x < planes)
		((uint8_t *)colour.grey)[threadIdx.x * colour.rows + row] = mask >> threadIdx.x & 1;
}

cudaError_t rip_row_scan_run(const rip_row_scan *scan, cudaStream_t stream)
{
	RIP_LAUNCH(rip_row_scan_kernel, dim3(scan->colour.rows), 32 * WARPS,
		   WARPS * sizeof(uint32_t), stream, *scan);
	return cudaGetLastError();
}
