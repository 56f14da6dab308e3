/*
 * A group of the wavefront: 32 rows, computed by the lanes of a warp.  wavefront.cu has the
 * picture.  A block is here the 32 columns that a group computes at a time.
 */
#ifndef RIP_GROUP_CUH
#define RIP_GROUP_CUH

#include "halftone/screen/arith.h"
#include "slice.cuh"
#include "step.cuh"

/* ---- samples, and their targets as entries of the rule (rule_floyd.cuh) ---- */

/* Four samples of a row, as they lie in memory. */
template <uint32_t bytes> struct four_samples {
	uint32_t word[bytes];
};

struct plain8 { /* 8 bits, two levels, no curve; for Floyd and Steinberg's rule */
	static const uint32_t bytes = 1;
	static const bool table = false;

	template <class rule>
	static __device__ uint32_t entry(const rip_gpu_shape &, uint32_t,
					 const four_samples<bytes> &samples, uint32_t t,
					 const typename rule::state &state)
	{
		return rip_step_target(samples.word[0], t, state.float_bits);
	}
};

struct table8 { /* 8 bits through a table in shared memory */
	static const uint32_t bytes = 1;
	static const bool table = true;

	template <class rule>
	static __device__ uint32_t entry(const rip_gpu_shape &, uint32_t table,
					 const four_samples<bytes> &samples, uint32_t t,
					 const typename rule::state &)
	{
		/* The address in one instruction. */
		return *(const uint32_t *)(rip_shared() +
					   __dp4a(samples.word[0], 4u << 8 * t, table));
	}
};

struct any16 { /* 16 bits; a table, if any, is in global memory */
	static const uint32_t bytes = 2;
	static const bool table = false;

	template <class rule>
	static __device__ uint32_t entry(const rip_gpu_shape &shape, uint32_t,
					 const four_samples<bytes> &samples, uint32_t t,
					 const typename rule::state &)
	{
		const uint32_t v = samples.word[t / 2] >> 16 * (t % 2) & 65535;

		return rule::entry((uint32_t)(shape.targets ? shape.targets[v]
							    : rip_target(v, shape.levels)));
	}
};

/* ---- a group ---- */

/* A group as one of its lanes sees it. */
struct group {
	const unsigned char *in;       /* the 16 bytes that the lane fetches first */
	uint32_t             in_step;  /* to the row that it fetches next, in units of 16 bytes */
	uint32_t             in_rows;  /* from there on */
	uint32_t             in_blocks; /* blocks that have samples; 0: the row does not exist */
	uint32_t             lane;
	uint32_t             rows;     /* that exist, 1..32 */
	bool                 last_row; /* the lane has the last of them */
	uint8_t             *out;      /* the lane's row of dots */
	uint32_t             out_words; /* of 32 dots in it; 0: the row does not exist */
	uint32_t             out_mask[4]; /* the dots in the last of them that exist */
	uint32_t             out_head; /* words at the row's beginning that are stored alone */
	uint32_t             out_together; /* words after them that are stored together */
	unsigned char       *samples;  /* of the slice, in shared memory */
	uint32_t             fetch_offset; /* there: of the bytes that the lane fetches */
	uint32_t             row_offset; /* there: of the lane's row */
	uint32_t            *above;    /* ring */
	uint32_t            *below;    /* ring */
	uint32_t             below_shift; /* of its columns: shift_of() */
	uint32_t             padded_width; /* columns that words come in for */
	uint32_t             sends;    /* columns of the ring below that must be free for block 0 */
	const uint32_t      *incoming; /* words that come in; lane 0: above, others: anything */
	uint32_t             incoming_mask; /* lane 0: ring_size - 1; others: 0 */
	const uint32_t      *no_carry; /* words that say: no carry */
	uint32_t            *used_above;
	const uint32_t      *used_below;
	const uint32_t      *awake;    /* not 0: words will come in soon */
	uint32_t            *awake_below; /* the same for the group below */
	uint32_t             targets;  /* of samples of 8 bits: where in shared memory, in bytes */
	uint32_t             echo_mask; /* lane 0: all bits; others: 0 */
	const unsigned char *masks;    /* slice.cuh */
	uint32_t             no_mask;  /* of a column inside the image */
	uint32_t             screen;   /* enum rip_screen_id */
};

/* The last row of a group stores what goes down in quads of four columns: in the steps t of each
 * four with t = turn(), when the last column of a quad is complete.  The quads of a block go to the
 * places from block * 32 - skew * 32 on, modulo the size of the ring.  These are also the columns,
 * unless the group has fewer rows: then its last row is below_shift columns ahead. */
template <class rule> static __device__ __forceinline__ constexpr uint32_t turn()
{
	constexpr uint32_t t = ((group_rows - 1) * rule::skew + rule::lag + 3) % 4;

	static_assert(rule::skew + t == rule::lag + 3, "a block's quads are those of 32 columns");
	return t;
}

/* Starts to fetch the samples of a block: 32 columns of each row, 16 bytes at a time.  In
 * shared memory column j is at j modulo tile_columns.  The first 32 columns are there a
 * second time behind the last, so that a lane's block is contiguous wherever it begins. */
template <class rule, uint32_t bytes>
static __device__ __forceinline__ void fetch_rows(const group &g, uint32_t block)
{
	const uint32_t tile_columns = rule::tile_columns, tile_pitch = tile_pitch_of<rule>();
	const uint32_t step = 16 / bytes; /* rows at a time */
	const uint32_t place = block * 32 % tile_columns;
	const bool there = block < g.in_blocks;
	const unsigned char *from = g.in + (uint64_t)block * (32 * bytes);
	unsigned char *to = g.samples + (g.fetch_offset + place * bytes);

#pragma unroll
	for (uint32_t i = 0; i < group_rows; i += step, from += (uint64_t)g.in_step * 16) {
		/* With 8 bits a lane fetches two rows; if there is no second one, in_step is 0. */
		const bool exists = there && (bytes == 1 || i < g.in_rows);

		if (exists)
			rip_copy16(to + i * tile_pitch * bytes, from, true);
		if (exists && place == 0)
			rip_copy16(to + (i * tile_pitch + tile_columns) * bytes, from, true);
	}
}

template <class rule, uint32_t bytes>
static __device__ __forceinline__ void fetch(const group &g, uint32_t block)
{
	fetch_rows<rule, bytes>(g, block);
	rip_copy_commit();
}

/* How many words of 32 dots a lane stores together. */
template <class rule, int bits> static __device__ __forceinline__ constexpr uint32_t together()
{
	return rule::many ? 4 / bits : 1;
}

/* Stores 32 dots of a row that begin at a multiple of 32 columns.  The row is `late`
 * columns behind the step, so these are the last of the block before and the first of
 * this one.  With rule::many they wait in `kept` until there are 16 bytes, but for the first
 * and the last words of a row. */
template <class rule, int bits>
static __device__ __forceinline__ void store_dots(const group &g, uint32_t block,
						  const uint32_t before[bits],
						  const uint32_t now[bits], uint32_t kept[4])
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
				const uint32_t w = n < 0 ? before[n < 0 ? n + bits : 0]
							 : now[n < 0 ? 0 : n];

				high = n == m - (int)(waiting / 32) - 1 ? w : high;
				low = n == m - (int)(waiting / 32) ? w : low;
			}
			word[m] = __funnelshift_r(low, high, waiting % 32);
		}
	}
#pragma unroll
	for (int m = 0; m < bits; m++)
		word[m] = __byte_perm(at == g.out_words - 1 ? word[m] & g.out_mask[m] : word[m], 0,
				      0x0123); /* the first dot is in the first byte */
	if (together<rule, bits>() > 1) {
		const uint32_t number = at - g.out_head; /* of those stored together */

#pragma unroll
		for (int m = 0; m < 4 - bits; m++)
			kept[m] = kept[m + bits];
#pragma unroll
		for (int m = 0; m < bits; m++)
			kept[4 - bits + m] = word[m];
		if (number < g.out_together) {
			if (number % together<rule, bits>() == together<rule, bits>() - 1)
				rip_store((uint4 *)(g.out + (at + 1) * 4 * bits) - 1,
					  make_uint4(kept[0], kept[1], kept[2], kept[3]));
			return;
		}
	}
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

/* The last row stores a quad of what goes down, without the columns before the image. */
static __device__ __forceinline__ void send_existing(const group &g, uint32_t place,
						     const uint32_t (&down)[4])
{
#pragma unroll
	for (uint32_t i = 0; i < 4; i++)
		if (g.last_row && (int32_t)(place + i + g.below_shift) >= 0)
			rip_store_one(g.below + (place + i) % ring_size, down[i]);
}

/* Words that come in are looked for by half a block: four times four columns. */
static const uint32_t quads = 4;

/* What a lane keeps from block to block. */
template <class rule, class source, int bits> struct group_state {
	typename rule::state step;
	uint32_t up[rule::skew - rule::lag]; /* what comes to its next columns from above */
	uint32_t down[3];    /* what it sent down last */
	uint32_t before[bits], dots[bits]; /* of the last two blocks */
	uint32_t kept[4];    /* words of dots that wait for others */
	uint32_t entries[4]; /* of its next four columns */
	uint32_t samples[source::bytes + 1]; /* words that hold the four samples after those */
	uint32_t tile_offset; /* of the block's first word of samples, in the row's */
	uint4    carry[quads]; /* words that come into lane 0: half a block; others: rule::valid */
	/* adds: lane 0's own value, which __shfl_up() leaves it; others: 0 */
	uint32_t echo[rule::skew - rule::lag];
	uint32_t used;       /* columns of the ring below known to be used */
	bool     blocked;    /* one of `carry` is missing, or there is no space below */
};

static const uint32_t narrow = 35; /* columns of an image of which a block can have both edges */

/* Where a block lies, in a group of 32 rows. */
enum region {
	INSIDE,  /* all columns are inside the image */
	EDGE,    /* any columns, if the image has at least narrow + 1 */
	ANYWHERE /* any columns of any image */
};

/* A row's columns begin anywhere in a word of samples, at the same place in all blocks: how
 * many bits from its beginning. */
template <class rule, uint32_t bytes>
static __device__ __forceinline__ uint32_t phase(const group &g)
{
	return (0 - rule::skew * bytes * g.lane) % 4 * 8;
}

/* The samples of four columns, from the words that hold them. */
template <class rule, uint32_t bytes>
static __device__ __forceinline__ four_samples<bytes> samples_of(const group &g,
								 const uint32_t words[bytes + 1])
{
	four_samples<bytes> samples;

#pragma unroll
	for (uint32_t i = 0; i < bytes; i++)
		samples.word[i] = rule::skew * bytes % 4 == 0
					  ? words[i]
					  : __funnelshift_r(words[i], words[i + 1],
							    phase<rule, bytes>(g));
	return samples;
}

/* Where the samples from a column on begin in a row of the tile, in bytes: at a whole word. */
template <class rule, uint32_t bytes>
static __device__ __forceinline__ uint32_t tile_offset_of(uint32_t column)
{
	return column % rule::tile_columns * bytes / 4 * 4;
}

/* Looks at the words that come in for half a block that begins with column `first`, and,
 * at the beginning of a block, at the space below. */
template <class rule, class source, int bits>
static __device__ __forceinline__ void look_for_carry(const group &g, uint32_t first,
						      group_state<rule, source, bits> &state)
{
	const uint32_t *from = first < g.padded_width ? g.incoming + (first & g.incoming_mask)
						      : g.no_carry;
	const bool full = first % 32 == 0 &&
			  (int32_t)(first + g.sends - ring_size - state.used) > 0;
	uint32_t all = ~0u;

#pragma unroll
	for (uint32_t q = 0; q < quads; q++) {
		uint4 &c = state.carry[q];

		rip_load_quad_if(g.lane == 0, from + 4 * q, c);
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

/* Waits until nothing is missing.  In a long wait it reports again, since the group above may be
 * waiting for that, and leaves the multiprocessor to other groups. */
template <class rule, class source, int bits>
static __device__ __forceinline__ void await_carry(const rip_wave_launch &launch, const group &g,
						   uint32_t block, uint32_t first,
						   group_state<rule, source, bits> &state)
{
	uint32_t looks = 0, spins = 0;
	uint64_t since = 0;

	do {
		if (++looks > 32) {
			report_space(g, block, state);
			wait_on(launch, spins, since, short_pause);
		}
		look_for_carry(g, first, state);
	} while (state.blocked);
}

/* The masks of the four columns from column + 4 * q on, for the rule's errors. */
template <class rule, region where>
static __device__ __forceinline__ void masks_of(const rip_gpu_shape &shape, const group &g,
						uint32_t column, uint32_t q, uint32_t masks[4])
{
	const uint32_t first = column + 4 * q;

	if (where == EDGE) {
		/* The pattern, in bytes: first + 7 before the image, first - width + 3 after it. */
		const uint32_t after = (int32_t)column < 0 ? 16 * 7 : 16 * 3 - 16 * shape.width;
		const uint32_t at = rip_add_min(rip_opaque(16 * column + after), 64 * q, 16 * 7);
		const uint4 pattern = *(const uint4 *)(g.masks + at);

		masks[0] = pattern.x;
		masks[1] = pattern.y;
		masks[2] = pattern.z;
		masks[3] = pattern.w;
	} else {
#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			masks[t] = where == INSIDE || first + t < shape.width ? g.no_mask
									      : rule::no_error;
	}
}

/* A block: 32 steps, in two halves.  In the middle of each half it looks at what the next
 * one needs.  Nothing else may branch, so that the compiler can schedule all instructions
 * of a half together. */
template <class rule, class source, int bits, region where>
static __device__ __forceinline__ void run_block(const rip_gpu_shape &shape,
						 const rip_wave_launch &launch, const group &g,
						 uint32_t block,
						 group_state<rule, source, bits> &state)
{
	/* Opaque, so that they stay in registers: else the compiler computes them from the block's
	 * number again and again. */
	const uint32_t first = rip_opaque(block * 32);
	const uint32_t column = rip_opaque(first - rule::skew * g.lane);
	const uint32_t sent = rip_opaque(first - rule::skew * group_rows);
	const uint32_t delay = rule::skew - rule::lag, bytes = source::bytes;
	const uint32_t next_offset = tile_offset_of<rule, bytes>(column + 32);
	const unsigned char *row = g.samples + g.row_offset;
	uint32_t dots[bits], next_masks[4];

	/* Four columns ahead, if registers allow: what other warps read is stored in between, over
	 * which the compiler moves no loads. */
	masks_of<rule, where>(shape, g, column, 0, next_masks);
#pragma unroll
	for (int m = 0; m < bits; m++)
		dots[m] = 0;
#pragma unroll
	for (uint32_t q = 0; q < 8; q++) {
		if (q == 0 && block % report_interval == 0)
			report_space(g, block, state);
		if (q % quads == 0 && state.blocked)
			await_carry(launch, g, block, first + 4 * q, state);

		const uint4 carry = state.carry[q % quads];
		const uint32_t incoming[4] = { carry.x, carry.y, carry.z, carry.w };
		const four_samples<bytes> samples = samples_of<rule, bytes>(g, state.samples);
		uint32_t sum[4], entries[4], masks[4];

#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			masks[t] = next_masks[t];
		if (!rule::masks_early)
			masks_of<rule, where>(shape, g, column, q, masks);
		else if (q < 7)
			masks_of<rule, where>(shape, g, column, q + 1, next_masks);
		if (q == 0)
			fetch<rule, bytes>(g, block + fetch_ahead);
		if (q == 5) {
			rip_copy_wait<fetch_ahead - 1>();
			__syncwarp();
			if (block == 2 && g.lane == 0)
				rip_store_hint(g.awake_below, 1);
			/* Every lane has read the block's words. */
			if (g.lane < 8 && (int32_t)block >= 0)
				rip_store_quad(g.above + first % ring_size + 4 * g.lane,
					       make_uint4(0, 0, 0, 0));
		}
		state.samples[0] = state.samples[bytes];
#pragma unroll
		for (uint32_t i = 1; i <= bytes; i++) {
			const uint32_t at = (q + 2) * 4 * bytes + 4 * i; /* in the block's bytes */
			const uint32_t place = at < 32 * bytes ? state.tile_offset + at
							       : next_offset + at - 32 * bytes;

			state.samples[i] = *(const uint32_t *)(row + place);
		}
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			entries[t] = state.entries[t];
			state.entries[t] = source::template entry<rule>(shape, g.targets, samples,
									t, state.step);
		}
		if (q % quads == quads - 1)
			look_for_carry(g, first + 4 * q + 4, state);
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			if (rule::adds)
				sum[t] = rule::sum(state.step,
						   entries[t] + incoming[t] - state.echo[0],
						   state.up[0]);
			else
				sum[t] = rule::sum(state.step, entries[t],
						   g.lane == 0 ? incoming[t] : state.up[0]);

			const uint32_t down = rule::push(state.step, sum[t], masks[t]);

#pragma unroll
			for (uint32_t i = 0; i < delay - 1; i++) {
				state.up[i] = state.up[i + 1];
				state.echo[i] = state.echo[i + 1];
			}
			state.up[delay - 1] = __shfl_up_sync(~0u, down, 1);
			state.echo[delay - 1] = down & g.echo_mask;
			if (t != turn<rule>())
				state.down[(t + 3 - turn<rule>()) % 4] = down;
			else if (where == ANYWHERE)
				send_existing(g, sent + 4 * q, { state.down[0], state.down[1],
								       state.down[2], down });
			else if (g.last_row && (int32_t)sent >= 0)
				rip_store_quad(g.below + sent % ring_size + 4 * q,
					       make_uint4(state.down[0], state.down[1],
							  state.down[2], down));
		}
		dots[q * bits / 8] = rip_step_pack<bits, rule::many>(dots[q * bits / 8], sum);
		if (q == 1)
			store_dots<rule, bits>(g, block - 1, state.before, state.dots,
					       state.kept);
	}
	state.tile_offset = next_offset;
#pragma unroll
	for (int m = 0; m < bits; m++) {
		state.before[m] = state.dots[m];
		state.dots[m] = rule::template dots<bits>(dots[m]);
	}
}

template <class rule, class source, int bits>
static __device__ __forceinline__ void run_group(const rip_gpu_shape &shape,
						 const rip_wave_launch &launch, const group &g)
{
	/* Enough for the last row to compute the columns after the last, which end the
	 * carry, to send all of it, and to store its last dots; and three, since the third
	 * wakes the group below. */
	const uint32_t needed = (shape.width + 31) / 32 + (rule::skew * g.rows + 31) / 32;
	const uint32_t blocks = rip_opaque(needed < 3 ? 3 : needed);
	const bool wide = shape.width > narrow;
	const uint32_t inside = rip_opaque((rule::skew * (group_rows - 1) + 31) / 32);
	const uint32_t outside = rip_opaque(wide ? shape.width / 32 : 0);
	/* The first block that does not run as ANYWHERE.  In a group of fewer than 32 rows the
	 * image may begin in the middle of a quad that is sent. */
	const int32_t regular = wide ? g.rows == group_rows ? INT32_MIN : (int32_t)inside
				     : INT32_MAX;
	/* A rehearsal: before it is woken, a group runs two blocks before the image, usually
	 * one INSIDE and one EDGE, so that their code is in the caches of instructions when
	 * the first word comes.  Of what they compute nothing is left, since the columns
	 * just before the image have no errors.  Where many planes share a multiprocessor it
	 * would only take time. */
	const uint32_t first = rip_opaque(!rule::one_version && launch.cluster > 1 ? 0u - 2 : 0);
	int32_t end_inside = -1; /* of the next blocks to run as INSIDE */
	const unsigned char *row = g.samples + g.row_offset;
	group_state<rule, source, bits> state;
	uint32_t spins = 0;
	uint64_t since = 0;

	/* A rehearsal fetches blocks 1 and 2. */
	for (uint32_t block = 0; block < fetch_ahead; block++)
		fetch<rule, source::bytes>(g, block == 0 || first == 0 ? block : ~0u);
	while (rule::one_version && __any_sync(~0u, rip_load_hint(g.awake) == 0))
		wait_on(launch, spins, since, long_pause);
	/* 0, as it happens */
	rule::begin(state.step, rip_load_pair(g.no_carry).x - rule::nothing, g.screen, g.lane);
#pragma unroll
	for (int m = 0; m < bits; m++)
		state.before[m] = state.dots[m] = 0;
	for (uint32_t &word : state.kept)
		word = 0;
	for (uint32_t &word : state.up)
		word = rule::nothing;
	for (uint32_t &word : state.echo)
		word = rule::nothing & g.echo_mask;
	for (uint4 &words : state.carry)
		words = make_uint4(rule::valid, rule::valid, rule::valid, rule::valid);
	for (uint32_t &word : state.down)
		word = rule::nothing;
	state.used = 0;
	if (rule::one_version)
		look_for_carry(g, 0, state);
	else
		state.blocked = first == 0; /* then it looks */
	rip_copy_wait<fetch_ahead - 1>();
	__syncwarp();
	state.tile_offset = tile_offset_of<rule, source::bytes>(first * 32 - rule::skew * g.lane);

	const uint32_t *words = (const uint32_t *)(row + state.tile_offset);
	const four_samples<source::bytes> samples = samples_of<rule, source::bytes>(g, words);

#pragma unroll
	for (uint32_t t = 0; t < 4; t++)
		state.entries[t] =
			source::template entry<rule>(shape, g.targets, samples, t, state.step);
#pragma unroll
	for (uint32_t i = 0; i <= source::bytes; i++)
		state.samples[i] = words[source::bytes + i];
#pragma unroll 1
	for (uint32_t block = first; block != blocks; block++) {
		if (!rule::one_version) {
#pragma unroll 1
			for (; (int32_t)block < end_inside; block++)
				run_block<rule, source, bits, INSIDE>(shape, launch, g, block,
								      state);
			if (block == inside - 1)
				end_inside = (int32_t)outside;
		}
		while (!rule::one_version && block == 0 &&
		       __any_sync(~0u, rip_load_hint(g.awake) == 0))
			wait_on(launch, spins, since, long_pause);
		if ((int32_t)block >= regular)
			run_block<rule, source, bits, EDGE>(shape, launch, g, block, state);
		else
			run_block<rule, source, bits, ANYWHERE>(shape, launch, g, block, state);
	}
	store_dots<rule, bits>(g, blocks - 1, state.before, state.dots, state.kept);
	if (g.lane == 0)
		rip_store_release(g.used_above, all_columns);
}

#endif
