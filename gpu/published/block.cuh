/*
 * Parallelogram blocks: what BWED and BWEC have in common (Kasagi, Nakano and Ito,
 * section III), and why it is correct.  A launch computes one diagonal of blocks, each with
 * one warp.
 *
 * Shape.  Block (y, x) has 32 rows of 32 pixels, each row 2 columns further left
 * than the one above: row i, 0..31, has columns 32x - 2i .. 32x - 2i + 31 of the
 * image's row 32y + i.  Columns outside the image have no pixel and no error.
 * With w = 32 threads, thread i does pixel t of row i in step t = 0..31: pixel
 * (i, t) needs, of row i-1, the columns one to the left, above and one to the
 * right, which that row counts t-3, t-2 and t-1: all done in earlier steps.
 *
 * The paper's index formula is x = (j - 3*(i mod w)) / w, a skew of 3; its
 * schedule, its R of three columns and its Figure 4 are those of a skew of 2 (and
 * of j + 2i), which is what this code does.
 *
 * What a block needs from other blocks.  From (y, x-1): the last three columns of each
 * row, since pixel 0 of a row needs t-3..t-1 of the row above: that is R.  From
 * the block row above: columns 32x-1 .. 32x+32 of its last row, 31.  Column c is
 * in block x' = floor((c + 62) / 32) of that row: x+1 for the first of them and x+2
 * for the last.  That is C.  So (y, x) comes after (y, x-1), (y-1, x+1) and
 * (y-1, x+2), and all three are on earlier diagonals if k = x + 3y: the stride
 * is 3.  (With a skew of 3 column c + 1 would be in block x+3, the stride 4, and a
 * row would need four columns of R.)
 *
 * Blocks in a row: the last one must reach column width - 1 in row 31, and the
 * column after it for the carry: ceil(width / 32) + 2, the paper's n/w + 2.
 *
 * Why nothing races.  Blocks of a launch are (y, x), (y+1, x-3), ...: no two share
 * a row of R.  C is one array for all rows of blocks: (y, x) reads its columns
 * 32x .. 32x+31 when it begins and writes, when it ends, only columns from 32x-64
 * to 32x-32 (one block row short of 32 rows: up to 32x+30, and it is the last, so
 * that nobody else reads them).  Its neighbours in the launch are 96 columns away.
 * Written by (y-1, x+1) and (y-1, x+2) two and one launches before, read by (y, x),
 * overwritten by (y, x+1) and (y, x+2) one and two launches later.
 *
 * Shared memory: rows of 35 words, so that a warp's accesses to one column, at
 * 35i + t, are in 32 different banks.
 *
 * Dots.  A row's 32 dots begin at any even column.  The word of dots at a multiple
 * of 32 columns is put together from those of the block before, which wait in device
 * memory like R, and those of this block.  So every word of the image is stored once,
 * by one thread.
 */
#ifndef RIP_BLOCK_CUH
#define RIP_BLOCK_CUH

#include "pixel.cuh"
#include "published.cuh"

#define RIP_BLOCK       32 /* w: rows, columns, threads */
#define RIP_BLOCK_PITCH 35
#define RIP_BLOCK_WORDS (33 * RIP_BLOCK_PITCH)

static inline uint32_t rip_blocks_across(uint32_t width)
{
	return (width + RIP_BLOCK - 1) / RIP_BLOCK + 2;
}

static __host__ __device__ __forceinline__ uint32_t rip_blocks_down(uint32_t rows)
{
	return (rows + RIP_BLOCK - 1) / RIP_BLOCK;
}

/* Scratch: R, three arrays of 33 values a block row (BWED needs the 33rd, what
 * goes to the block row below; BWEC has 32), then waiting dots, an array for each
 * bit of a level. */
static inline uint64_t rip_block_scratch(uint32_t bits, uint32_t rows)
{
	return (uint64_t)rip_blocks_down(rows) * 4 * (3 * 33 + bits * 32);
}

/* A block as one of its threads sees it. */
struct rip_block {
	rip_published_task task;
	uint32_t     x, y;
	uint32_t     lane;   /* the thread's row in the block */
	uint32_t     rows;   /* of the block that are in the image, 1..32 */
	int32_t     *r;      /* R of the block row: value c of row i at r[c * 33 + i] */
	uint32_t    *waiting; /* dots of the block row: bit b of row i at [b * 32 + i] */
};

/* The thread block's block of diagonal k; false if the task has none. */
static __device__ __forceinline__ bool rip_block_find(rip_block &block,
						      const rip_published_task *tasks,
						      uint32_t bits, uint32_t k, uint32_t first)
{
	block.task = tasks[blockIdx.y];
	block.lane = threadIdx.x;
	block.y = first + blockIdx.x;
	block.x = k - 3 * block.y;

	const uint32_t down = rip_blocks_down(block.task.rows);
	const uint32_t left = block.task.rows - block.y * RIP_BLOCK;

	if (block.y >= down)
		return false;
	block.rows = left < RIP_BLOCK ? left : RIP_BLOCK;
	block.r = (int32_t *)block.task.scratch + block.y * 3 * 33;
	block.waiting = (uint32_t *)block.task.scratch + down * 3 * 33 + block.y * bits * 32;
	return true;
}

/* The image column of pixel t of row i. */
static __device__ __forceinline__ int64_t rip_block_column(const rip_block &block, uint32_t i,
							   uint32_t t)
{
	return (int64_t)block.x * RIP_BLOCK + t - 2 * (int64_t)i;
}

/* The block's pixels: sample t of row i is v[i] of thread t, so that loads are
 * coalesced.  0 outside the image. */
struct rip_block_samples {
	uint32_t v[RIP_BLOCK];
};

static __device__ __forceinline__ bool rip_block_inside(const rip_block &block, uint32_t i,
							uint32_t t, uint32_t width)
{
	const int64_t j = rip_block_column(block, i, t);

	return i < block.rows && j >= 0 && j < width;
}

/* Starts to load them, all at once and before anything else, and prefetches the samples
 * of a later block of the row: a launch is too short to wait for memory. */
static __device__ __forceinline__ void rip_block_load(const rip_block &block,
						      const rip_gpu_shape &shape,
						      rip_block_samples &samples)
{
	const uint8_t *in = block.task.in + (uint64_t)block.y * RIP_BLOCK * block.task.in_pitch;

#pragma unroll
	for (uint32_t i = 0; i < RIP_BLOCK; i++) {
		const uint8_t *row = in + i * block.task.in_pitch;
		const int64_t j = rip_block_column(block, i, block.lane);
		const bool inside = rip_block_inside(block, i, block.lane, shape.width);

		samples.v[i] = !inside ? 0
			       : shape.sample_bits == 8
				       ? rip_load_sample(row + j)
				       : rip_load_sample((const uint16_t *)row + j);
	}

	const int64_t later = rip_block_column(block, block.lane, 0) + 2 * RIP_BLOCK;

	if (block.lane < block.rows && later >= 0 && later < shape.width)
		rip_prefetch(in + block.lane * block.task.in_pitch + later * shape.sample_bits / 8);
}

/* Stores the target of sample t of row i at to[i * RIP_BLOCK_PITCH + t].
 * plain: 8-bit samples without a table, two levels. */
template <bool plain>
static __device__ __forceinline__ void rip_block_targets(const rip_block &block,
							 const rip_gpu_shape &shape,
							 const rip_block_samples &samples,
							 int32_t *to)
{
#pragma unroll
	for (uint32_t i = 0; i < RIP_BLOCK; i++) {
		const uint32_t v = samples.v[i];
		int32_t target = 0;

		if (plain)
			target = (int32_t)(v * 257 + (v == 255));
		else if (rip_block_inside(block, i, block.lane, shape.width))
			target = rip_sample_target(shape, v);
		to[i * RIP_BLOCK_PITCH + block.lane] = target;
	}
}

/* The dots of a row so far: bit b of the level of pixel t is bit 31 - t of
 * plane[b]. */
template <int bits> struct rip_block_dots {
	uint32_t plane[bits];
};

template <int bits>
static __device__ __forceinline__ void rip_block_dot(rip_block_dots<bits> &dots, int32_t level)
{
#pragma unroll
	for (int b = 0; b < bits; b++)
		dots.plane[b] = dots.plane[b] << 1 | (level >> b & 1);
}

/* Stores the whole word of dots that this block completes in the thread's row. */
template <int bits>
static __device__ __forceinline__ void rip_block_store(const rip_block &block, uint32_t width,
						       const rip_block_dots<bits> &dots)
{
	const uint32_t i = block.lane, shift = 2 * i % 32, behind = (2 * i + 31) / 32;
	uint32_t aligned[bits];

	if (i >= block.rows)
		return;
#pragma unroll
	for (int b = 0; b < bits; b++) {
		uint32_t *waiting = &block.waiting[b * 32 + i];

		/* The block before ended `shift` columns before a multiple of 32. */
		if (shift == 0)
			aligned[b] = dots.plane[b];
		else
			aligned[b] = (block.x > 0 ? *waiting : 0) << shift |
				     dots.plane[b] >> (32 - shift);
		*waiting = dots.plane[b];
	}
	if (block.x < behind || (uint64_t)(block.x - behind) * 32 >= width)
		return;

	uint32_t *out = (uint32_t *)(block.task.out +
				     ((uint64_t)block.y * RIP_BLOCK + i) * block.task.out_pitch) +
			(uint64_t)(block.x - behind) * bits;

#pragma unroll
	for (int m = 0; m < bits; m++) {
		uint32_t word = 0;

		if (bits == 1) {
			word = aligned[0];
		} else {
			for (int p = 0; p < 32 / bits; p++) {
				word <<= bits;
				for (int b = 0; b < bits; b++)
					word |= (aligned[b] >> (31 - m * (32 / bits) - p) & 1) << b;
			}
		}
		out[m] = __byte_perm(word, 0, 0x0123); /* the first dot is in the first byte */
	}
}

/* What comes into a block: for the thread's column of C, and its row of R. */
struct rip_block_incoming {
	int32_t above, left[3];
};

static __device__ __forceinline__ rip_block_incoming rip_block_receive(const rip_block &block,
								      uint32_t width)
{
	const int64_t j = rip_block_column(block, 0, block.lane);
	rip_block_incoming in;

	in.above = j < width ? block.task.carry[j] : 0;
#pragma unroll
	for (int c = 0; c < 3; c++)
		in.left[c] = block.x > 0 ? block.r[c * 33 + block.lane] : 0;
	return in;
}

/* Stores R for the block to the right, from the thread's row of shared memory at column 32,
 * and C of column j, for the blocks below. */
static __device__ __forceinline__ void rip_block_send(const rip_block &block, uint32_t width,
						      const int32_t *right, int64_t j,
						      int32_t below)
{
#pragma unroll
	for (int c = 0; c < 3; c++)
		block.r[c * 33 + block.lane] = right[c];
	if (j >= 0 && j < width)
		block.task.carry[j] = (int16_t)below;
}

/* The kernels of a block-wise method.  plain: 8-bit samples without a table, two levels;
 * the others by the bits of a dot. */
typedef void (*rip_block_kernel)(rip_gpu_shape, const rip_published_task *, uint32_t k,
				 uint32_t first);
struct rip_block_kernels {
	rip_block_kernel plain, bits1, bits2, bits4;
};

/* Puts the launches for all diagonals on a stream: diagonal k has the blocks (y, k - 3y) of
 * some block rows y, `first` and those that follow. */
static inline cudaError_t rip_block_launch(const rip_block_kernels &kernels,
					   const rip_gpu_shape *shape,
					   const rip_published_task *tasks, unsigned count,
					   uint32_t rows, cudaStream_t stream)
{
	const uint32_t across = rip_blocks_across(shape->width), down = rip_blocks_down(rows);
	const bool plain = shape->sample_bits == 8 && shape->bits == 1 && !shape->targets;
	const rip_block_kernel kernel = plain		   ? kernels.plain
					: shape->bits == 1 ? kernels.bits1
					: shape->bits == 2 ? kernels.bits2
							   : kernels.bits4;

	for (uint64_t k = 0; k < across + 3 * ((uint64_t)down - 1); k++) {
		/* Block rows with 3y <= k <= 3y + across - 1. */
		const uint32_t first = (uint32_t)(k < across ? 0 : (k - across) / 3 + 1);
		const uint32_t last = (uint32_t)(k / 3 < down ? k / 3 : down - 1);

		RIP_LAUNCH(kernel, dim3(last - first + 1, count), RIP_BLOCK, RIP_BLOCK_WORDS * 4,
			   stream, *shape, tasks, (uint32_t)k, first);
	}
	return cudaGetLastError();
}

#endif
