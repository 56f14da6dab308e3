/*
 * A strip of the wavefront: 32 rows, a warp.  wavefront.cu has the picture.
 */
#ifndef RIP_STRIP_CUH
#define RIP_STRIP_CUH

#include "part.cuh"

/* ---- where targets come from: four samples at a time, bits as step.cuh has them ---- */

struct plain8 { /* 8 bits, two levels, no curve */
	static const uint32_t bytes = 1;
	static const bool zero = true; /* the target of 0 is 0 */
	static const bool table = false;
	uint32_t samples;

	__device__ void clear() { samples = 0; }
	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *, uint32_t t,
				   uint32_t float_bits) const
	{
		return rip_step_target(samples, t, float_bits);
	}
};

struct table8 { /* 8 bits through a table in shared memory */
	static const uint32_t bytes = 1;
	static const bool zero = false;
	static const bool table = true;
	uint32_t samples;

	__device__ void clear() { samples = 0; }
	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *table, uint32_t t,
				   uint32_t) const
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
	__device__ uint32_t target(const rip_gpu_shape &shape, const uint32_t *, uint32_t t,
				   uint32_t) const
	{
		const uint32_t v = (t < 2 ? samples.x : samples.y) >> 16 * (t & 1) & 65535;

		return RIP_TARGET + (uint32_t)(shape.targets ? shape.targets[v]
							     : rip_target(v, shape.levels));
	}
};

/* ---- a strip ---- */

struct strip {
	const unsigned char *in;      /* the 16 bytes that the lane fetches first */
	uint64_t             in_pitch;
	uint32_t             in_rows; /* from there on */
	uint32_t             fetches; /* turns that have samples */
	uint32_t             lane, rows; /* 1..32 rows exist */
	bool                 tail;    /* the lane has the last row */
	uint8_t             *out;     /* the lane's row of dots */
	uint32_t             words;   /* of 32 dots that it has; 0: the row does not exist */
	unsigned char       *samples; /* of the part, in shared memory */
	uint32_t             fetched; /* where there the lane's fetched bytes go */
	uint32_t             kept;    /* where there the lane's row is */
	uint32_t            *above;   /* ring */
	uint32_t            *below;   /* ring */
	const uint32_t      *entry;   /* what comes in: lane 0: `above`; others: `nothing` */
	uint32_t             enters;  /* lane 0: ring_size - 1; others: 0 */
	const uint32_t      *nothing; /* words that say: no carry */
	uint32_t            *used_above;
	const uint32_t      *used_below;
	const uint32_t      *awake;   /* not 0: what comes in will soon */
	uint32_t            *wakes;   /* the same for the strip below */
	const uint32_t      *targets;
};

/* Starts to fetch the samples of a turn: 32 columns of each row, 16 bytes at a time.  Where
 * they are kept, column j is at j modulo kept_columns, and the first 32 are there once
 * more behind the last, so that a lane's turn lies in one piece wherever it begins.
 * whole: all 32 rows exist. */
template <uint32_t bytes, bool whole>
static __device__ __forceinline__ void fetch(const strip &s, uint32_t turn)
{
	const uint32_t step = 16 / bytes; /* rows at a time */
	const uint32_t place = turn * 32 % kept_columns;
	const uint32_t rows = whole ? strip_rows : s.in_rows;
	const bool there = turn < s.fetches;
	const unsigned char *from = s.in + (uint64_t)turn * (32 * bytes);
	unsigned char *to = s.samples + (s.fetched + place * bytes);

#pragma unroll
	for (uint32_t i = 0; i < strip_rows; i += step, from += s.in_pitch * step) {
		if (there && i < rows)
			rip_copy16(to + i * kept_pitch * bytes, from, true);
		if (there && i < rows && place == 0)
			rip_copy16(to + (i * kept_pitch + kept_columns) * bytes, from, true);
	}
	rip_copy_commit();
}

/* Makes the samples left of the image 0: those of the 128 columns before the first. */
template <uint32_t bytes> static __device__ __forceinline__ void clear_left(const strip &s)
{
	unsigned char *to = s.samples + s.kept + (kept_columns - 128) * bytes;

	for (uint32_t i = 0; i < 128 * bytes; i += 16)
		*(uint4 *)(to + i) = make_uint4(0, 0, 0, 0);
}

/* Stores 32 dots of a row that begin at a multiple of 32 columns.  The row is `late`
 * columns behind the step, so these are the last of the turn before and the first of
 * this one. */
template <int bits>
static __device__ __forceinline__ void store_dots(const strip &s, uint32_t turn,
						  const uint32_t before[bits],
						  const uint32_t now[bits])
{
	const uint32_t late = skew * s.lane;
	const uint32_t waiting = (0 - late) % 32 * bits; /* bits of the turn before */
	const uint32_t at = turn - (late + 31) / 32;     /* in words of 32 dots */
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
	if (at >= s.words) /* also before the first */
		return;
	if (bits == 1)
		rip_store((uint32_t *)s.out + at, word[0]);
	else if (bits == 2)
		rip_store((uint2 *)s.out + at, make_uint2(word[0], word[bits - 1]));
	else
		rip_store((uint4 *)s.out + at,
			  make_uint4(word[0], word[1 % bits], word[2 % bits], word[bits - 1]));
}

/* What comes in is looked for by half a turn: in fours of columns. */
static const uint32_t quads = 4;

/* What a lane keeps from turn to turn. */
template <class source, int bits> struct turning {
	rip_step step;
	uint32_t up[3];      /* what comes to its next three columns */
	uint32_t down[3];    /* what it sent down last */
	uint32_t before[bits], dots[bits]; /* of the last two turns */
	source   next;       /* its next four samples */
	uint4    carry[quads]; /* what comes in: half a turn */
	uint32_t used;       /* columns of the ring below known to be used */
	bool     blocked;    /* one of `carry` is not there, or there is no space below */
};

/* What may be outside the image in a turn. */
enum place {
	INSIDE, /* columns below 0, if the target of their samples, 0, is 0: then it is enough
		 * that nothing comes to column -1; and all 32 rows exist */
	ANY     /* anything */
};

/* Looks at what comes in for half a turn that begins with column `first`, and, for a whole
 * one, at the space below.  A word that is there has its highest bit set. */
template <class source, int bits, place where>
static __device__ __forceinline__ void look(const rip_gpu_shape &shape, const strip &s,
					    uint32_t first, turning<source, bits> &state)
{
	const uint32_t *from = s.entry + (first & s.enters);
	const uint32_t end = first - skew * s.rows + 32; /* of what the turn will send */
	const bool full = first % 32 == 0 && (int32_t)(end - ring_size - state.used) > 0;
	uint32_t all = ~0u;

#pragma unroll
	for (uint32_t q = 0; q < quads; q++) {
		const uint4 c = rip_load_quad(from + 4 * q);

		state.carry[q] = c;
		if (where == INSIDE || first + 4 * q < shape.width)
			all &= (c.x & c.y) & (c.z & c.w);
	}
	state.blocked = __any_sync(~0u, (int32_t)all >= 0 || full);
}

/* Tells the strip above how far its ring is free again, and asks the one below. */
template <class source, int bits>
static __device__ __forceinline__ void tell(const strip &s, uint32_t turn,
					    turning<source, bits> &state)
{
	__syncwarp(); /* after other lanes' clearing */
	if (s.lane == 0)
		rip_store_release(s.used_above, turn * 32);
	state.used = rip_load_acquire(s.used_below);
}

/* Waits until nothing is missing.  Who waits for long tells again: the strip above may be
 * waiting for it. */
template <class source, int bits, place where>
static __device__ __forceinline__ void await(const rip_gpu_shape &shape, const rip_wave &wave,
					     const strip &s, uint32_t turn, uint32_t first,
					     turning<source, bits> &state)
{
	uint32_t looks = 0, spins = 0;
	uint64_t since = 0;

	do {
		if (++looks % 32 == 0) {
			tell(s, turn, state);
			wait_on(wave, spins, since, 0);
		}
		look<source, bits, where>(shape, s, first, state);
	} while (state.blocked);
}

/* Where in the ring below a column is.  INSIDE a turn's columns lie in one piece. */
template <place where>
static __device__ __forceinline__ uint32_t *below_at(const strip &s, uint32_t first, uint32_t more)
{
	return s.below + (where == INSIDE ? first % ring_size + more : (first + more) % ring_size);
}

/* A turn: 32 steps, in two halves.  In the middle of each it looks at what the next needs;
 * nothing else may branch, so that all instructions of a half can be put in order together.
 * Outside the image there are neither dots nor errors. */
template <class source, int bits, place where>
static __device__ __forceinline__ void turn_of(const rip_gpu_shape &shape, const rip_wave &wave,
					       const strip &s, uint32_t turn,
					       turning<source, bits> &state)
{
	const uint32_t column = turn * 32 - skew * s.lane;
	const uint32_t sent = turn * 32 - skew * (where == INSIDE ? strip_rows : s.rows);
	const unsigned char *at = s.samples + (s.kept + column % kept_columns * source::bytes);
	uint32_t dots[bits];

#pragma unroll
	for (int m = 0; m < bits; m++)
		dots[m] = 0;
#pragma unroll
	for (uint32_t g = 0; g < 8; g++) {
		const uint32_t first = column + 4 * g;

		if (g == 0 && turn % tells == tells - 1)
			tell(s, turn, state);
		if (g % quads == 0 && state.blocked)
			await<source, bits, where>(shape, wave, s, turn, turn * 32 + 4 * g, state);

		const uint4 carry = state.carry[g % quads];
		const uint32_t entering[4] = { carry.x, carry.y, carry.z, carry.w };
		const source samples = state.next;
		uint32_t sum[4];

		if (g == 0)
			fetch<source::bytes, where == INSIDE>(s, turn + ahead);
		if (g == 6) {
			rip_copy_wait<ahead - 1>();
			__syncwarp();
			if (turn == 2 && s.lane == 0)
				rip_store_hint(s.wakes, 1);
			if (s.lane < 8) /* all of the turn has been looked at */
				rip_store_quad(s.above + turn * 32 % ring_size + 4 * s.lane,
					       make_uint4(0, 0, 0, 0));
		}
		state.next.load(at + 4 * (g + 1) * source::bytes);
		if (g % quads == quads - 1)
			look<source, bits, where>(shape, s, turn * 32 + 4 * g + 4, state);
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			/* `nothing` at column -1. */
			const bool enters = s.lane == 0 || (where == INSIDE && source::zero && t == 3 &&
							    first == (uint32_t)-4);

			sum[t] = rip_step_sum(state.step,
					      samples.target(shape, s.targets, t, state.step.float_bits),
					      enters ? entering[t] : state.up[0]);
			if (where == ANY && first + t >= shape.width) /* also below column 0 */
				sum[t] = RIP_EMPTY;

			const uint32_t down = rip_step_push(state.step, sum[t]);

			state.up[0] = state.up[1];
			state.up[1] = state.up[2];
			state.up[2] = __shfl_up_sync(~0u, down, 1);
			if (t > 0)
				state.down[t - 1] = down;
			else if (s.tail && (int32_t)(sent + (where == INSIDE ? 0 : 4 * g)) >= 0)
				rip_store_quad(below_at<where>(s, sent, 4 * g),
					       make_uint4(state.down[0], state.down[1], state.down[2],
							  down));
		}
		dots[g * bits / 8] = rip_step_pack<bits>(dots[g * bits / 8], sum);
		if (g == 1)
			store_dots<bits>(s, turn - 1, state.before, state.dots);
	}
#pragma unroll
	for (int m = 0; m < bits; m++) {
		state.before[m] = state.dots[m];
		state.dots[m] = rip_step_dots<bits>(dots[m]);
	}
}

template <class source, int bits>
static __device__ __forceinline__ void run_strip(const rip_gpu_shape &shape, const rip_wave &wave,
						 const strip &s)
{
	/* Enough for the last row, 124 columns behind, to do column `width`, which ends the
	 * carry, and to store its last dots. */
	const uint32_t turns = rip_opaque((shape.width + 31) / 32 + 4);
	/* Turns that lie inside the image, as what they look for does. */
	const uint32_t inside = rip_opaque(source::zero ? 0 : 4);
	const uint32_t outside =
		rip_opaque(s.rows < strip_rows || shape.width < 32 ? 0 : shape.width / 32 - 1);
	turning<source, bits> state;
	uint32_t spins = 0;
	uint64_t since = 0;

	for (uint32_t turn = 0; turn < ahead; turn++)
		fetch<source::bytes, false>(s, turn);
	if (source::zero)
		clear_left<source::bytes>(s);
	while (__any_sync(~0u, rip_load_hint(s.awake) == 0))
		wait_on(wave, spins, since, far_away);
	rip_step_begin(state.step, rip_load_pair(s.nothing).x - RIP_CARRY); /* 0, as it happens */
#pragma unroll
	for (int m = 0; m < bits; m++)
		state.before[m] = state.dots[m] = 0;
	for (uint32_t t = 0; t < 3; t++)
		state.up[t] = state.down[t] = RIP_CARRY;
	state.next.clear();
	state.used = 0;
	look<source, bits, ANY>(shape, s, 0, state);
	rip_copy_wait<ahead - 1>();
	__syncwarp();
	state.next.load(s.samples + (s.kept + (0 - skew * s.lane) % kept_columns * source::bytes));
#pragma unroll 1
	for (uint32_t turn = 0; turn < turns; turn++) {
#pragma unroll 1
		for (; turn >= inside && turn < outside; turn++)
			turn_of<source, bits, INSIDE>(shape, wave, s, turn, state);
		turn_of<source, bits, ANY>(shape, wave, s, turn, state);
	}
	store_dots<bits>(s, turns - 1, state.before, state.dots);
	if (s.lane == 0)
		rip_store_release(s.used_above, everything);
}

#endif
