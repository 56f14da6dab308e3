/*
 * BWEC: block-wise error collection (Kasagi, Nakano and Ito, section III).  block.cuh
 * derives the geometry.
 *
 * Shared memory: 33 rows of 35 words.  Row 0: C, what the block row above sends to
 * this one's first row, for pixel t at t + 3.  Row i + 1: at t + 3 the target of
 * pixel (i, t), replaced by its error; at 0..2 R, the errors of the three pixels
 * before.
 *
 * A thread keeps the errors above that it has read in registers, and loads one more in
 * each step.  Thread 31, or that of the last row of the image, computes the C for the
 * block row below: for the column before its own, since below-left of the next pixel
 * comes last.  It goes into row 0, three places behind those that thread 0 still has
 * to read.
 */
#include "block.cuh"

uint64_t rip_bwec_scratch(const rip_gpu_shape *shape, uint32_t rows)
{
	return rip_block_scratch(shape->bits, rows);
}

/* Stores R at the left edge of the block, and C above it. */
static __device__ __forceinline__ void begin(const rip_block &block, uint32_t width, int32_t *tile)
{
	const uint32_t i = block.lane;
	const rip_block_incoming in = rip_block_receive(block, width);

	tile[i + 3] = in.above;
#pragma unroll
	for (int c = 0; c < 3; c++)
		tile[(i + 1) * RIP_BLOCK_PITCH + c] = in.left[c];
}

template <int bits, bool plain>
__global__ void __launch_bounds__(32)
rip_bwec_diagonal(rip_gpu_shape shape, const rip_published_task *tasks, uint32_t k, uint32_t first)
{
	int32_t *tile = (int32_t *)rip_shared();
	rip_block block;
	rip_block_samples samples;

	if (!rip_block_find(block, tasks, bits, k, first))
		return;
	rip_block_load(block, shape, samples);
	begin(block, shape.width, tile);
	rip_block_targets<plain>(block, shape, samples, tile + RIP_BLOCK_PITCH + 3);
	__syncwarp();

	const uint32_t i = block.lane;
	const int32_t *above = tile + i * RIP_BLOCK_PITCH;
	int32_t *own = tile + (i + 1) * RIP_BLOCK_PITCH + 3;
	const bool last = i == block.rows - 1;
	int32_t a0, a1 = above[0], a2 = above[1]; /* errors above: left, above, right */
	int32_t e1 = own[-2], e = own[-1];        /* the last two errors of this row */
	rip_block_dots<bits> dots = {};

#pragma unroll
	for (uint32_t t = 0; t < RIP_BLOCK; t++) {
		const int64_t j = rip_block_column(block, i, t);
		int32_t s = own[t] + rip_mulr(e, RIP_FS_RIGHT), e2 = e1;

		a0 = a1;
		a1 = a2;
		a2 = above[t + 2];
		if (i == 0)
			s += above[t + 3];
		else
			s += rip_mulr(a0, RIP_FS_BELOW_RIGHT) + rip_mulr(a1, RIP_FS_BELOW) +
			     rip_mulr(a2, RIP_FS_BELOW_LEFT);
		if (j < 0 || j >= shape.width)
			s = 0;
		e1 = e;
		e = rip_error_left(s);
		own[t] = e;
		rip_block_dot(dots, rip_level(s));
		if (last)
			tile[t] = rip_mulr(e2, RIP_FS_BELOW_RIGHT) + rip_mulr(e1, RIP_FS_BELOW) +
				  rip_mulr(e, RIP_FS_BELOW_LEFT);
		__syncwarp();
	}
	rip_block_send(block, shape.width, &tile[(i + 1) * RIP_BLOCK_PITCH + 32],
		       rip_block_column(block, block.rows - 1, i) - 1, tile[i]);
	rip_block_store(block, shape.width, dots);
}

static const rip_block_kernels kernels = {
	rip_bwec_diagonal<1, true>, rip_bwec_diagonal<1, false>, rip_bwec_diagonal<2, false>,
	rip_bwec_diagonal<4, false>
};

cudaError_t rip_bwec_launch(const rip_gpu_shape *shape, const rip_published_task *tasks,
			    unsigned count, uint32_t rows, cudaStream_t stream)
{
	return rip_block_launch(kernels, shape, tasks, count, rows, stream);
}
