/*
 * BWED: block-wise error diffusion (Kasagi, Nakano and Ito, section III).  block.cuh
 * derives the geometry.
 *
 * Shared memory: 33 rows of 35 words of sums.  Row i has at t what pixel (i, t) has
 * received so far, including its target; row 32 belongs to the block row below.  Pixel
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

/* Adds what the blocks before pushed into this one: R from the left, C from above. */
static __device__ __forceinline__ void begin(const rip_block &block, uint32_t width, int32_t *tile)
{
	const uint32_t i = block.lane;
	const rip_block_incoming in = rip_block_receive(block, width);
	int32_t below[3];

#pragma unroll
	for (int c = 0; c < 3; c++)
		below[c] = block.x > 0 ? block.r[c * 33 + 32] : 0;
	tile[32 * RIP_BLOCK_PITCH + i] = 0;
#pragma unroll
	for (int c = 0; c < 3; c++) {
		tile[i * RIP_BLOCK_PITCH + 32 + c] = 0;
		if (i == 0)
			tile[32 * RIP_BLOCK_PITCH + 32 + c] = 0;
	}
	__syncwarp();
	tile[i] += in.above;
	__syncwarp();
#pragma unroll
	for (int c = 0; c < 3; c++) {
		tile[i * RIP_BLOCK_PITCH + c] += in.left[c];
		if (i == 0)
			tile[32 * RIP_BLOCK_PITCH + c] += below[c];
	}
}

/* Stores R and C for the blocks that come after. */
static __device__ __forceinline__ void end(const rip_block &block, uint32_t width,
					   const int32_t *tile)
{
	const uint32_t i = block.lane;

	rip_block_send(block, width, &tile[i * RIP_BLOCK_PITCH + 32],
		       rip_block_column(block, block.rows, i),
		       tile[block.rows * RIP_BLOCK_PITCH + i]);
	if (i == 0) {
#pragma unroll
		for (int c = 0; c < 3; c++)
			block.r[c * 33 + 32] = tile[32 * RIP_BLOCK_PITCH + 32 + c];
	}
}

template <int bits, bool plain>
__global__ void __launch_bounds__(32)
rip_bwed_diagonal(rip_gpu_shape shape, const rip_published_task *tasks, uint32_t k, uint32_t first)
{
	int32_t *tile = (int32_t *)rip_shared();
	rip_block block;
	rip_block_samples samples;

	if (!rip_block_find(block, tasks, bits, k, first))
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
		e = rip_error_left(s);
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

static const rip_block_kernels kernels = {
	rip_bwed_diagonal<1, true>, rip_bwed_diagonal<1, false>, rip_bwed_diagonal<2, false>,
	rip_bwed_diagonal<4, false>
};

cudaError_t rip_bwed_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream)
{
	return rip_block_launch(kernels, shape, tasks, count, rows, stream);
}
