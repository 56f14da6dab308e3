/*
 * BWED: block-wise error diffusion (Kasagi, Nakano and Ito, section III), a launch
 * for each diagonal of blocks.  block.cuh derives the geometry.
 *
 * Shared memory, 33 rows of 35 words of sums: row i has at t what pixel (i, t) has
 * got so far, its target included; row 32 belongs to the block row below.  Pixel
 * (i, t) pushes to (i, t+1) and, counted as row i+1 counts, to t+1, t+2 and t+3 of
 * that row.  What lands at 32..34 is for the next block: R, with 33 rows.  Row 32 is
 * complete up to 31: C.
 *
 * In a step thread i alone adds to row i+1, at t+1..t+3, while its owner reads t;
 * the push to the right stays in a register until the next step.  So no addition
 * has to be atomic.
 */
#include "block.cuh"

uint64_t rip_bwed_scratch(const rip_gpu_shape *shape, uint32_t rows)
{
	return rip_block_scratch(shape->bits, rows);
}

/* What the blocks before pushed into this one: R from the left, C from above. */
static __device__ __forceinline__ void begin(const rip_block &block, uint32_t width, int32_t *tile)
{
	const uint32_t i = block.lane;
	const int64_t j = rip_block_column(block, 0, i);
	const int32_t above = j < width ? block.work.carry[j] : 0;
	int32_t left[3], below[3];

#pragma unroll
	for (int c = 0; c < 3; c++) {
		left[c] = block.x > 0 ? block.r[c * 33 + i] : 0;
		below[c] = block.x > 0 ? block.r[c * 33 + 32] : 0;
	}
	tile[32 * RIP_BLOCK_PITCH + i] = 0;
#pragma unroll
	for (int c = 0; c < 3; c++) {
		tile[i * RIP_BLOCK_PITCH + 32 + c] = 0;
		if (i == 0)
			tile[32 * RIP_BLOCK_PITCH + 32 + c] = 0;
	}
	__syncwarp();
	tile[i] += above;
	__syncwarp();
#pragma unroll
	for (int c = 0; c < 3; c++) {
		tile[i * RIP_BLOCK_PITCH + c] += left[c];
		if (i == 0)
			tile[32 * RIP_BLOCK_PITCH + c] += below[c];
	}
}

/* The same for the blocks that come after. */
static __device__ __forceinline__ void end(const rip_block &block, uint32_t width,
					   const int32_t *tile)
{
	const uint32_t i = block.lane;
	const int64_t j = rip_block_column(block, block.rows, i);

#pragma unroll
	for (int c = 0; c < 3; c++) {
		block.r[c * 33 + i] = tile[i * RIP_BLOCK_PITCH + 32 + c];
		if (i == 0)
			block.r[c * 33 + 32] = tile[32 * RIP_BLOCK_PITCH + 32 + c];
	}
	if (j >= 0 && j < width)
		block.work.carry[j] = (int16_t)tile[block.rows * RIP_BLOCK_PITCH + i];
}

template <int bits, bool plain>
__global__ void __launch_bounds__(32)
rip_bwed_diagonal(rip_gpu_shape shape, const rip_gpu_work *works, uint32_t k, uint32_t first)
{
	int32_t *tile = (int32_t *)rip_shared();
	rip_block block;
	rip_block_samples samples;

	if (!rip_block_find(block, works, bits, k, first))
		return;
	rip_block_load(block, shape, samples);
	rip_block_targets<plain>(block, shape, samples, tile);
	begin(block, shape.width, tile);
	__syncwarp();

	const uint32_t i = block.lane;
	int32_t *own = tile + i * RIP_BLOCK_PITCH, *below = own + RIP_BLOCK_PITCH;
	int32_t right = 0;
	rip_block_dots<bits> dots = {};

#pragma unroll
	for (uint32_t t = 0; t < RIP_BLOCK; t++) {
		const int64_t j = rip_block_column(block, i, t);
		int32_t s = own[t] + right, e;

		if (i >= block.rows || j < 0 || j >= shape.width)
			s = 0;
		e = rip_error(s);
		below[t + 1] += rip_mulr(e, RIP_FS_BELOW_LEFT);
		below[t + 2] += rip_mulr(e, RIP_FS_BELOW);
		below[t + 3] += rip_mulr(e, RIP_FS_BELOW_RIGHT);
		right = rip_mulr(e, RIP_FS_RIGHT);
		rip_block_dot(dots, rip_level(s));
		__syncwarp();
	}
	own[RIP_BLOCK] += right;
	__syncwarp();
	end(block, shape.width, tile);
	rip_block_store(block, shape.width, dots);
}

cudaError_t rip_bwed_launch(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			    uint32_t rows, cudaStream_t stream)
{
	const bool plain = shape->sample_bits == 8 && shape->bits == 1 && !shape->targets;
	const auto kernel = plain	       ? rip_bwed_diagonal<1, true>
			    : shape->bits == 1 ? rip_bwed_diagonal<1, false>
			    : shape->bits == 2 ? rip_bwed_diagonal<2, false>
					       : rip_bwed_diagonal<4, false>;

	rip_block_diagonals(shape->width, rows, [&](uint32_t k, uint32_t first, uint32_t n) {
		RIP_LAUNCH(kernel, dim3(n, count), RIP_BLOCK, RIP_BLOCK_WORDS * 4, stream, *shape,
			   works, k, first);
	});
	return cudaGetLastError();
}
