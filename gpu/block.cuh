/*
 * Parallelogram blocks: what BWED and BWEC have in common (Kasagi, Nakano and
 * Ito, section III), and why it is right.
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
 * of j + 2i), which is what is built here.
 *
 * What a block needs from others.  From (y, x-1): the last three columns of each
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
 * of 32 columns is put together from the block before and this one; the dots of the
 * block before wait in device memory, like R.  So every word of the image is stored
 * once, by one thread.
 */
#ifndef RIP_BLOCK_CUH
#define RIP_BLOCK_CUH

#include "methods.cuh"
#include "pixel.cuh"

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
	rip_gpu_work work;
	uint32_t     x, y;
	uint32_t     lane;   /* the thread's row in the block */
	uint32_t     rows;   /* of the block that are in the image, 1..32 */
	int32_t     *r;      /* R of the block row: value c of row i at r[c * 33 + i] */
	uint32_t    *waiting; /* dots of the block row: bit b of row i at [b * 32 + i] */
};

/* Block number n of a launch; false if it has none in this work. */
static __device__ __forceinline__ bool rip_block_find(rip_block &block, const rip_gpu_work *works,
						      uint32_t bits, uint32_t k, uint32_t first)
{
	block.work = works[blockIdx.y];
	block.lane = threadIdx.x;
	block.y = first + blockIdx.x;
	block.x = k - 3 * block.y;

	const uint32_t down = rip_blocks_down(block.work.rows);
	const uint32_t left = block.work.rows - block.y * RIP_BLOCK;

	if (block.y >= down)
		return false;
	block.rows = left < RIP_BLOCK ? left : RIP_BLOCK;
	block.r = (int32_t *)block.work.scratch + block.y * 3 * 33;
	block.waiting = (uint32_t *)block.work.scratch + down * 3 * 33 + block.y * bits * 32;
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

/* Starts to load them, all at once and before anything else, and brings the samples of
 * a later block of the row nearer: a launch is too short to wait for memory. */
static __device__ __forceinline__ void rip_block_load(const rip_block &block,
						      const rip_gpu_shape &shape,
						      rip_block_samples &samples)
{
	const uint8_t *in = block.work.in + (uint64_t)block.y * RIP_BLOCK * block.work.in_pitch;

#pragma unroll
	for (uint32_t i = 0; i < RIP_BLOCK; i++) {
		const uint8_t *row = in + i * block.work.in_pitch;
		const int64_t j = rip_block_column(block, i, block.lane);
		const bool inside = rip_block_inside(block, i, block.lane, shape.width);

		samples.v[i] = !inside			 ? 0
			       : shape.sample_bits == 8 ? rip_load_sample(row + j)
							 : rip_load_sample((const uint16_t *)row + j);
	}

	const int64_t later = rip_block_column(block, block.lane, 0) + 2 * RIP_BLOCK;

	if (block.lane < block.rows && later >= 0 && later < shape.width)
		rip_prefetch(in + block.lane * block.work.in_pitch + later * shape.sample_bits / 8);
}

/* Their targets: that of sample t of row i goes to to[i * RIP_BLOCK_PITCH + t].
 * plain: 8-bit samples without a table, two levels. */
template <bool plain>
static __device__ __forceinline__ void rip_block_targets(const rip_block &block,
							 const rip_gpu_shape &shape,
							 const rip_block_samples &samples, int32_t *to)
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

/* A row's dots as it makes them: bit b of the level of pixel t is bit 31 - t of
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
	const uint32_t i = block.lane, turn = 2 * i % 32, behind = (2 * i + 31) / 32;
	uint32_t aligned[bits];

	if (i >= block.rows)
		return;
#pragma unroll
	for (int b = 0; b < bits; b++) {
		uint32_t *waiting = &block.waiting[b * 32 + i];

		/* The block before ended turn columns short of a multiple of 32. */
		if (turn == 0)
			aligned[b] = dots.plane[b];
		else
			aligned[b] = (block.x > 0 ? *waiting : 0) << turn |
				     dots.plane[b] >> (32 - turn);
		*waiting = dots.plane[b];
	}
	if (block.x < behind || (uint64_t)(block.x - behind) * 32 >= width)
		return;

	uint32_t *out = (uint32_t *)(block.work.out +
				     ((uint64_t)block.y * RIP_BLOCK + i) * block.work.out_pitch) +
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

/* Puts the launches of a block-wise method on a stream: launch(k, first, n) starts
 * n rows of blocks, from first on, of diagonal k. */
template <typename F>
static inline void rip_block_diagonals(uint32_t width, uint32_t rows, F launch)
{
	const uint32_t across = rip_blocks_across(width), down = rip_blocks_down(rows);

	for (uint64_t k = 0; k < across + 3 * ((uint64_t)down - 1); k++) {
		/* Rows of blocks with 3y <= k <= 3y + across - 1. */
		const uint64_t first = k < across ? 0 : (k - across) / 3 + 1;
		const uint64_t last = k / 3 < down ? k / 3 : down - 1;

		launch((uint32_t)k, (uint32_t)first, (uint32_t)(last - first + 1));
	}
}

#endif
