/*
 * A group of the wavefront: 32 rows, computed by the lanes of a warp.  wavefront.cu has the
 * picture.  A block is here the 32 columns that a group computes at a time.
 */
#ifndef RIP_GROUP_CUH
#define RIP_GROUP_CUH

#include "halftone/arith.h"
#include "slice.cuh"
#include "step.cuh"

/* ---- targets of four samples at a time, as entries of the rule (rule.cuh) ---- */

struct plain8 { /* 8 bits, two levels, no curve; for Floyd and Steinberg's rule */
	static const uint32_t bytes = 1;
	static const bool zero = true; /* the target of 0 is 0 */
	static const bool table = false;
	uint32_t samples;

	__device__ void clear() { samples = 0; }
	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	template <class rule>
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *, uint32_t t,
				   const typename rule::state &state) const
	{
		return rip_step_target(samples, t, state.float_bits);
	}
};

struct table8 { /* 8 bits through a table in shared memory */
	static const uint32_t bytes = 1;
	static const bool zero = false;
	static const bool table = true;
	uint32_t samples;

	__device__ void clear() { samples = 0; }
	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	template <class rule>
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *table, uint32_t t,
				   const typename rule::state &) const
	{
		return table[samples >> 8 * t & 255];
	}
};

struct any16 { /* 16 bits; a table, if any, is in global memory */
	static const uint32_t bytes = 2;
	static const bool zero = false;
	static const bool table = false;
	uint2 samples;

	__device__ void clear() { samples = make_uint2(0, 0); }
	__device__ void load(const unsigned char *at) { samples = *(const uint2 *)at; }
	template <class rule>
	__device__ uint32_t target(const rip_gpu_shape &shape, const uint32_t *, uint32_t t,
				   const typename rule::state &) const
	{
		const uint32_t v = (t < 2 ? samples.x : samples.y) >> 16 * (t & 1) & 65535;

		return rule::entry((uint32_t)(shape.targets ? shape.targets[v]
							    : rip_target(v, shape.levels)));
	}
};

/* ---- a group ---- */

/* A group as one of its lanes sees it. */
struct group {
	const unsigned char *in;       /* the 16 bytes that the lane fetches first */
	uint64_t             in_pitch;
	uint32_t             in_rows;  /* from there on */
	uint32_t             in_blocks; /* blocks that have samples */
	uint32_t             lane;
	uint32_t             rows;     /* that exist, 1..32 */
	bool                 last_row; /* the lane has the last of them */
	uint8_t             *out;      /* the lane's row of dots */
	uint32_t             out_words; /* of 32 dots in it; 0: the row does not exist */
	unsigned char       *samples;  /* of the slice, in shared memory */
	uint32_t             fetch_offset; /* there: of the bytes that the lane fetches */
	uint32_t             row_offset; /* there: of the lane's row */
	uint32_t            *above;    /* ring */
	uint32_t            *below;    /* ring */
	const uint32_t      *incoming; /* words that come in; lane 0: above, others: no_carry */
	uint32_t             incoming_mask; /* lane 0: ring_size - 1; others: 0 */
	const uint32_t      *no_carry; /* words that say: no carry */
	uint32_t            *used_above;
	const uint32_t      *used_below;
	const uint32_t      *awake;    /* not 0: words will come in soon */
	uint32_t            *awake_below; /* the same for the group below */
	const uint32_t      *targets;
	const unsigned char *rule_memory; /* of the slice, in shared memory */
	uint32_t             screen;      /* enum rip_screen_id */
};

/* The last row of a group stores what goes down in quads of four columns: in the steps t of each
 * four with t = turn(), when the last column of a quad is complete.  In the first of these steps
 * of a block, the quad's first column is shift() columns after block * 32 - skew * rows. */
template <class rule> static __device__ __forceinline__ constexpr uint32_t turn()
{
	return (rule::lag - 1) % 4;
}

template <class rule> static __device__ __forceinline__ constexpr uint32_t shift()
{
	static_assert(rule::skew % 4 == 0, "quads begin at multiples of 4");
	return rule::skew + turn<rule>() - rule::lag - 3;
}

/* Starts to fetch the samples of a block: 32 columns of each row, 16 bytes at a time.  In
 * shared memory column j is at j modulo tile_columns.  The first 32 columns are there a
 * second time behind the last, so that a lane's block is contiguous wherever it begins.
 * whole: all 32 rows exist. */
template <class rule, uint32_t bytes, bool whole>
static __device__ __forceinline__ void fetch(const group &g, uint32_t block)
{
	const uint32_t tile_columns = rule::tile_columns, tile_pitch = tile_pitch_of<rule>();
	const uint32_t step = 16 / bytes; /* rows at a time */
	const uint32_t place = block * 32 % tile_columns;
	const uint32_t rows = whole ? group_rows : g.in_rows;
	const bool there = block < g.in_blocks;
	const unsigned char *from = g.in + (uint64_t)block * (32 * bytes);
	unsigned char *to = g.samples + (g.fetch_offset + place * bytes);

#pragma unroll
	for (uint32_t i = 0; i < group_rows; i += step, from += g.in_pitch * step) {
		if (there && i < rows)
			rip_copy16(to + i * tile_pitch * bytes, from, true);
		if (there && i < rows && place == 0)
			rip_copy16(to + (i * tile_pitch + tile_columns) * bytes, from, true);
	}
	rip_copy_commit();
}

/* Clears the samples left of the image: those of the columns before the first. */
template <class rule, uint32_t bytes> static __device__ __forceinline__ void clear_left(const group &g)
{
	const uint32_t left = rule::skew * group_rows;
	unsigned char *to = g.samples + g.row_offset + (rule::tile_columns - left) * bytes;

	for (uint32_t i = 0; i < left * bytes; i += 16)
		*(uint4 *)(to + i) = make_uint4(0, 0, 0, 0);
}

/* Stores 32 dots of a row that begin at a multiple of 32 columns.  The row is `late`
 * columns behind the step, so these are the last of the block before and the first of
 * this one. */
template <class rule, int bits>
static __device__ __forceinline__ void store_dots(const group &g, uint32_t block,
						  const uint32_t before[bits],
						  const uint32_t now[bits])
{
	const uint32_t late = rule::skew * g.lane;
	const uint32_t waiting = (0 - late) % 32 * bits; /* bits of the block before */
	const uint32_t at = block - (late + 31) / 32;     /* in words of 32 dots */
	uint32_t word[bits];

	if (bits == 1) {
		word[0] = __funnelshift_r(now[0], before[0], waiting);
	} else {
#pragma unroll
		for (int m = 0; m < bits; m++) {
			uint32_t high = 0, low = 0; /* words m - waiting/32 - 1 and the next */

#pragma unroll
			for (int n = -bits; n < bits; n++) {
				const uint32_t w = n < 0 ? before[n < 0 ? n + bits : 0] : now[n < 0 ? 0 : n];

				high = n == m - (int)(waiting / 32) - 1 ? w : high;
				low = n == m - (int)(waiting / 32) ? w : low;
			}
			word[m] = __funnelshift_r(low, high, waiting % 32);
		}
	}
#pragma unroll
	for (int m = 0; m < bits; m++)
		word[m] = __byte_perm(word[m], 0, 0x0123); /* the first dot is in the first byte */
	if (at >= g.out_words) /* also before the first */
		return;
	if (bits == 1)
		rip_store((uint32_t *)g.out + at, word[0]);
	else if (bits == 2)
		rip_store((uint2 *)g.out + at, make_uint2(word[0], word[bits - 1]));
	else
		rip_store((uint4 *)g.out + at,
			  make_uint4(word[0], word[1 % bits], word[2 % bits], word[bits - 1]));
}

/* Words that come in are looked for by half a block: four times four columns. */
static const uint32_t quads = 4;

/* What a lane keeps from block to block. */
template <class rule, class source, int bits> struct group_state {
	typename rule::state step;
	uint32_t up[rule::skew - rule::lag]; /* what comes to its next columns from above */
	uint32_t down[3];    /* what it sent down last */
	uint32_t before[bits], dots[bits]; /* of the last two blocks */
	source   next;       /* its next four samples, or those after them (looks_ahead) */
	uint32_t entries[4]; /* looks_ahead: of its next four samples */
	uint4    carry[quads]; /* words that come in: half a block */
	uint32_t used;       /* columns of the ring below known to be used */
	bool     blocked;    /* one of `carry` is missing, or there is no space below */
};

/* Where a block lies. */
enum region {
	INSIDE, /* all 32 rows exist, and no column is right of the image.  Columns left of it
		 * are allowed if the target of their samples, 0, is 0: then it is enough that
		 * no carry comes to column -1. */
	ANYWHERE
};

/* Looks at the words that come in for half a block that begins with column `first`, and,
 * at the beginning of a block, at the space below. */
template <class rule, class source, int bits, region where>
static __device__ __forceinline__ void look_for_carry(const rip_gpu_shape &shape, const group &g,
						      uint32_t first,
						      group_state<rule, source, bits> &state)
{
	const uint32_t *from = g.incoming + (first & g.incoming_mask);
	/* The end of what the block will send. */
	const uint32_t end = first - rule::skew * g.rows + shift<rule>() + 32;
	const bool full = first % 32 == 0 && (int32_t)(end - ring_size - state.used) > 0;
	uint32_t all = ~0u;

#pragma unroll
	for (uint32_t q = 0; q < quads; q++) {
		const uint4 c = rip_load_quad(from + 4 * q);

		state.carry[q] = c;
		if (where == INSIDE || first + 4 * q < shape.width)
			all &= (c.x & c.y) & (c.z & c.w);
	}
	state.blocked = __any_sync(~0u, !(all & rule::valid) || full);
}

/* Reports to the group above how far its ring is free again, and asks the one below. */
template <class rule, class source, int bits>
static __device__ __forceinline__ void report_space(const group &g, uint32_t block,
						    group_state<rule, source, bits> &state)
{
	__syncwarp(); /* after other lanes' clearing */
	if (g.lane == 0)
		rip_store_release(g.used_above, block * 32);
	state.used = rip_load_acquire(g.used_below);
}

/* Waits until nothing is missing.  In a long wait it reports again: the group above may
 * be waiting for that. */
template <class rule, class source, int bits, region where>
static __device__ __forceinline__ void await_carry(const rip_gpu_shape &shape,
						   const rip_wave_launch &launch, const group &g,
						   uint32_t block, uint32_t first,
						   group_state<rule, source, bits> &state)
{
	uint32_t looks = 0, spins = 0;
	uint64_t since = 0;

	do {
		if (++looks % 32 == 0) {
			report_space(g, block, state);
			wait_on(launch, spins, since, 0);
		}
		look_for_carry<rule, source, bits, where>(shape, g, first, state);
	} while (state.blocked);
}

/* Where in the ring below a column is.  INSIDE, a block's columns are contiguous if they begin
 * at a multiple of 32. */
template <class rule, region where>
static __device__ __forceinline__ uint32_t *below_at(const group &g, uint32_t first, uint32_t more)
{
	const bool contiguous = where == INSIDE && shift<rule>() == 0;

	return g.below + (contiguous ? first % ring_size + more : (first + more) % ring_size);
}

/* A block: 32 steps, in two halves.  In the middle of each half it looks at what the next
 * one needs.  Nothing else may branch, so that the compiler can schedule all instructions
 * of a half together.  Outside the image there are neither dots nor errors. */
template <class rule, class source, int bits, region where>
static __device__ __forceinline__ void run_block(const rip_gpu_shape &shape,
						 const rip_wave_launch &launch, const group &g,
						 uint32_t block, group_state<rule, source, bits> &state)
{
	const uint32_t column = block * 32 - rule::skew * g.lane;
	const uint32_t sent = block * 32 - rule::skew * (where == INSIDE ? group_rows : g.rows) +
			      shift<rule>();
	const uint32_t delay = rule::skew - rule::lag;
	const unsigned char *at =
		g.samples + (g.row_offset + column % rule::tile_columns * source::bytes);
	const unsigned char *at_next =
		g.samples + (g.row_offset + (column + 32) % rule::tile_columns * source::bytes);

	static_assert(!rule::looks_ahead || delay >= 4, "words of four columns are known");
	uint32_t dots[bits];

#pragma unroll
	for (int m = 0; m < bits; m++)
		dots[m] = 0;
#pragma unroll
	for (uint32_t q = 0; q < 8; q++) {
		const uint32_t first = column + 4 * q;

		if (q == 0 && block % report_interval == report_interval - 1)
			report_space(g, block, state);
		if (q % quads == 0 && state.blocked)
			await_carry<rule, source, bits, where>(shape, launch, g, block, block * 32 + 4 * q, state);

		const uint4 carry = state.carry[q % quads];
		const uint32_t incoming[4] = { carry.x, carry.y, carry.z, carry.w };
		const source samples = state.next;
		uint32_t sum[4], entries[4];
		typename rule::ahead ahead[4];

		if (rule::looks_ahead)
#pragma unroll
			for (uint32_t t = 0; t < 4; t++) {
				entries[t] = state.entries[t];
				ahead[t] = rule::look(state.step, entries[t],
						      g.lane == 0 ? incoming[t] : state.up[t % delay]);
			}

		if (q == 0)
			fetch<rule, source::bytes, where == INSIDE>(g, block + fetch_ahead);
		if (q == 6) {
			rip_copy_wait<fetch_ahead - 1>();
			__syncwarp();
			if (block == 2 && g.lane == 0)
				rip_store_hint(g.awake_below, 1);
			if (g.lane < 8) /* every lane has read the block's words */
				rip_store_quad(g.above + block * 32 % ring_size + 4 * g.lane,
					       make_uint4(0, 0, 0, 0));
		}
		if (!rule::looks_ahead)
			state.next.load(at + 4 * (q + 1) * source::bytes);
		else
			state.next.load(q < 6 ? at + 4 * (q + 2) * source::bytes
					      : at_next + 4 * (q - 6) * source::bytes);
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			const uint32_t entry = samples.template target<rule>(shape, g.targets, t, state.step);

			if (rule::looks_ahead)
				state.entries[t] = entry;
			else
				entries[t] = entry;
		}
		if (q % quads == quads - 1)
			look_for_carry<rule, source, bits, where>(shape, g, block * 32 + 4 * q + 4, state);
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			/* Into the first row; and no carry into column -1. */
			const bool enters = g.lane == 0 || (where == INSIDE && source::zero && t == 3 &&
							    first == (uint32_t)-4);

			sum[t] = rule::sum(state.step, entries[t], enters ? incoming[t] : state.up[0],
					   ahead[t]);
			if (where == ANYWHERE && first + t >= shape.width) /* also below column 0 */
				sum[t] = RIP_EMPTY;

			const uint32_t down = rule::push(state.step, sum[t]);

#pragma unroll
			for (uint32_t i = 0; i < delay - 1; i++)
				state.up[i] = state.up[i + 1];
			state.up[delay - 1] = __shfl_up_sync(~0u, down, 1);
			if (t != turn<rule>())
				state.down[(t + 3 - turn<rule>()) % 4] = down;
			else if (g.last_row && (int32_t)(sent + (where == INSIDE ? 0 : 4 * q)) >= 0)
				rip_store_quad(below_at<rule, where>(g, sent, 4 * q),
					       make_uint4(state.down[0], state.down[1], state.down[2],
							  down));
		}
		dots[q * bits / 8] = rip_step_pack<bits>(dots[q * bits / 8], sum);
		if (q == 1)
			store_dots<rule, bits>(g, block - 1, state.before, state.dots);
	}
#pragma unroll
	for (int m = 0; m < bits; m++) {
		state.before[m] = state.dots[m];
		state.dots[m] = rip_step_dots<bits>(dots[m]);
	}
}

template <class rule, class source, int bits>
static __device__ __forceinline__ void run_group(const rip_gpu_shape &shape,
						 const rip_wave_launch &launch, const group &g)
{
	const uint32_t behind = rule::skew * (group_rows - 1); /* columns of the last row */
	/* Enough for the last row to compute the columns after the last, which end the carry,
	 * and to store its last dots. */
	const uint32_t blocks = rip_opaque((shape.width + 31) / 32 + (behind + rule::lag + 31) / 32);
	/* Blocks that lie inside the image, as do the columns that they look for. */
	const uint32_t inside = rip_opaque(source::zero ? 0 : (behind + 31) / 32);
	const uint32_t outside =
		rip_opaque(g.rows < group_rows || shape.width < 32 ? 0 : shape.width / 32 - 1);
	group_state<rule, source, bits> state;
	uint32_t spins = 0;
	uint64_t since = 0;

	for (uint32_t block = 0; block < fetch_ahead; block++)
		fetch<rule, source::bytes, false>(g, block);
	if (source::zero)
		clear_left<rule, source::bytes>(g);
	while (__any_sync(~0u, rip_load_hint(g.awake) == 0))
		wait_on(launch, spins, since, long_pause);
	/* 0, as it happens */
	rule::begin(state.step, rip_load_pair(g.no_carry).x - rule::nothing, g.rule_memory, g.screen,
		    g.lane);
#pragma unroll
	for (int m = 0; m < bits; m++)
		state.before[m] = state.dots[m] = 0;
	for (uint32_t &word : state.up)
		word = rule::nothing;
	for (uint32_t &word : state.down)
		word = rule::nothing;
	state.next.clear();
	state.used = 0;
	look_for_carry<rule, source, bits, ANYWHERE>(shape, g, 0, state);
	rip_copy_wait<fetch_ahead - 1>();
	__syncwarp();
	const unsigned char *at =
		g.samples + (g.row_offset + (0 - rule::skew * g.lane) % rule::tile_columns * source::bytes);

	state.next.load(at);
	if (rule::looks_ahead) {
		for (uint32_t t = 0; t < 4; t++)
			state.entries[t] = state.next.template target<rule>(shape, g.targets, t, state.step);
		state.next.load(at + 4 * source::bytes);
	}
#pragma unroll 1
	for (uint32_t block = 0; block < blocks; block++) {
		if (!rule::one_version) {
#pragma unroll 1
			for (; block >= inside && block < outside; block++)
				run_block<rule, source, bits, INSIDE>(shape, launch, g, block, state);
		}
		run_block<rule, source, bits, ANYWHERE>(shape, launch, g, block, state);
	}
	store_dots<rule, bits>(g, blocks - 1, state.before, state.dots);
	if (g.lane == 0)
		rip_store_release(g.used_above, all_columns);
}

#endif
