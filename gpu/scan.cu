/*
 * Scans the rows of a page whose planes are halftoned together: which rows of which planes are
 * transparent, and how far the total of ink lets the inks see each other at each pixel.
 *
 * A warp scans a row of all planes.  Without a fade it stops when it has found grey in each: mostly
 * that is soon.
 */
#include "scan.cuh"

#include "halftone/screen/blue_noise_colour.h"

#define WARPS 4 /* rows of a thread block */

static __device__ __forceinline__ uint32_t target_of(const rip_gpu_shape &shape, const uint8_t *row,
						     uint32_t j)
{
	const uint32_t v = shape.sample_bits == 8
				   ? rip_load_sample(row + j)
				   : rip_load_sample((const uint16_t *)row + j);

	if (shape.targets)
		return rip_load_sample((const uint32_t *)shape.targets + v);
	return (uint32_t)rip_target(shape.sample_bits == 8 ? 257 * v : v, shape.levels);
}

/* The x of a target: A = t + floor(t / 65535) with t = x * (levels - 1). */
static __device__ __forceinline__ uint32_t x_of(uint32_t target, uint32_t levels)
{
	return (target - (target >> 16)) / (levels - 1);
}

__global__ void __launch_bounds__(32 * WARPS) rip_row_scan_kernel(const rip_row_scan scan)
{
	const rip_wave_colour &colour = scan.colour;
	const uint32_t lane = threadIdx.x % 32, planes = colour.planes, all = (1u << planes) - 1;
	const uint32_t row = blockIdx.x * WARPS + threadIdx.x / 32;
	const uint32_t full = 65536 * (scan.shape.levels - 1);
	uint16_t *weights = scan.fade ? (uint16_t *)((unsigned char *)colour.weights +
						     (size_t)row * colour.weights_pitch)
				      : nullptr;
	uint32_t grey = 0; /* bits of planes */

	if (blockIdx.x == 0 && threadIdx.x == 0)
		*scan.task_colour = colour;
	if (row >= colour.rows)
		return;
	for (uint32_t first = 0; first < scan.shape.width; first += 32) {
		const uint32_t j = first + lane;
		uint32_t total = 0;

		for (uint32_t p = 0; j < scan.shape.width && p < planes; p++) {
			const uint8_t *in =
				scan.in + colour.in[p] + (size_t)row * colour.in_pitch[p];
			const uint32_t target = target_of(scan.shape, in, j);

			grey |= target != 0 && target != full ? 1u << p : 0;
			if (weights)
				total += rip_colour_ink(x_of(target, scan.shape.levels),
							scan.light);
		}
		if (weights && j < scan.shape.width)
			weights[j] = (uint16_t)(rip_colour_weight(total, scan.fade) / 4);
		for (uint32_t p = 0; p < planes; p++)
			if (__any_sync(~0u, grey >> p & 1))
				grey |= 1u << p;
		if (!weights && grey == all)
			break;
	}
	if (lane < planes)
		((uint8_t *)colour.grey)[lane * colour.rows + row] = grey >> lane & 1;
}

cudaError_t rip_row_scan_run(const rip_row_scan *scan, cudaStream_t stream)
{
	const dim3 grid((scan->colour.rows + WARPS - 1) / WARPS);

	RIP_LAUNCH(rip_row_scan_kernel, grid, 32 * WARPS, 0, stream, *scan);
	return cudaGetLastError();
}
