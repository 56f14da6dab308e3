/*
 * A strip of the wavefront: 64 rows, a warp.  wavefront.cu has the picture.
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
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *, uint32_t t) const
	{
		return rip_step_target(samples, t);
	}
};

struct table8 { /* 8 bits through a table in shared memory */
	static const uint32_t bytes = 1;
	static const bool zero = false;
	static const bool table = true;
	uint32_t samples;

	__device__ void clear() { samples = 0; }
	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *table, uint32_t t) const
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
	__device__ uint32_t target(const rip_gpu_shape &shape, const uint32_t *, uint32_t t) const
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
	uint32_t             lane, rows; /* 1..64 rows exist */
	bool                 tail;    /* the lane has the last row */
	uint8_t             *out;     /* the lane's upper row of dots */
	uint64_t             out_pitch;
	unsigned char       *samples; /* of the part, in shared memory */
	uint32_t             fetched; /* where there the lane's fetched bytes go */
	uint32_t             kept;    /* where there the lane's two rows are */
	const uint32_t      *above;   /* ring */
	uint32_t            *below;   /* ring */
	const uint32_t      *made_above, *used_below;
	uint32_t            *made_below, *used_above;
	const uint32_t      *targets;
};

/* Where in the ring below column 0 is, for a strip of so many rows. */
static __device__ __forceinline__ uint32_t lead(uint32_t rows)
{
	return (rows - 1) / 2 * 4 + (rows % 2 ? 1 : 3);
}

/* Starts to fetch the samples of a turn: 32 columns of each row, 16 bytes at a time. */
template <uint32_t bytes>
static __device__ __forceinline__ void fetch(const strip &s, uint32_t turn)
{
	const uint32_t step = 16 / bytes; /* rows at a time */
	const uint64_t first = (uint64_t)turn * 32 * bytes;
	const unsigned char *from = s.in + first;
	unsigned char *to = s.samples + (s.fetched + turn * 32 % kept_columns * bytes);

	if (first < s.in_pitch) {
#pragma unroll
		for (uint32_t i = 0; i < strip_rows; i += step, from += s.in_pitch * step)
			if (i < s.in_rows)
				rip_copy16(to + i * kept_columns * bytes, from, true);
	}
	rip_copy_commit();
}

/* Makes the samples left of the image 0: those of the 128 columns before the first. */
template <uint32_t bytes> static __device__ __forceinline__ void clear_left(const strip &s)
{
	unsigned char *to = s.samples + s.kept + (kept_columns - 128) * bytes;

	for (uint32_t i = 0; i < 128 * bytes; i += 16) {
		*(uint4 *)(to + i) = make_uint4(0, 0, 0, 0);
		*(uint4 *)(to + kept_columns * bytes + i) = make_uint4(0, 0, 0, 0);
	}
}

/* Stores 32 dots of a row that begin at a multiple of 32 columns.  The row is `late`
 * columns behind the step, so these are the last of the turn before and the first of
 * this one. */
template <int bits>
static __device__ __forceinline__ void store_dots(uint8_t *row, uint32_t width, uint32_t turn,
						  uint32_t late, const uint32_t before[bits],
						  const uint32_t now[bits])
{
	const uint32_t waiting = (0 - late) % 32 * bits; /* bits of the turn before */
	const uint32_t at = turn - (late + 31) / 32;     /* in words of 32 dots */
	uint32_t word[bits];

	if (at >= (width + 31) / 32) /* also before the first */
		return;
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
	if (bits == 1)
		rip_store((uint32_t *)row + at, word[0]);
	else if (bits == 2)
		rip_store((uint2 *)row + at, make_uint2(word[0], word[bits - 1]));
	else
		rip_store((uint4 *)row + at,
			  make_uint4(word[0], word[1 % bits], word[2 % bits], word[bits - 1]));
}

/* What a row of a lane keeps from turn to turn. */
template <int bits> struct lane_row {
	rip_step step;
	uint32_t above;      /* what comes to its next column */
	uint32_t dots[bits]; /* of the last turn */
};

template <class source, int bits> struct turning {
	lane_row<bits> upper, lower;
	source         last; /* the lower row's last four samples */
	uint32_t       made; /* positions known to be in the ring above */
	uint32_t       used; /* positions of the ring below known to be used */
};

/* What may be outside the image in a turn. */
enum place {
	INSIDE, /* columns below 0, if the target of their samples, 0, is 0: then it is enough
		 * that nothing is sent to column -1 */
	ANY     /* anything; or the strip's last row is an upper one */
};

/* A turn: 32 steps, in two halves that hand carries on.  Outside the image there are
 * neither dots nor errors.  false: time is up. */
template <class source, int bits, place where>
static __device__ __forceinline__ bool turn_of(const rip_gpu_shape &shape, const rip_wave &wave,
					       const strip &s, uint32_t turn,
					       turning<source, bits> &state)
{
	const uint32_t *above = s.above + (turn * 32 + behind) % ring_size;
	uint32_t *below = s.below + turn * 32 % ring_size;
	const uint32_t column = turn * 32 - 4 * s.lane; /* of the upper row */
	uint32_t upper_dots[bits], lower_dots[bits];

#pragma unroll
	for (int m = 0; m < bits; m++)
		upper_dots[m] = lower_dots[m] = 0;
#pragma unroll
	for (uint32_t g = 0; g < 8; g++) {
		const uint32_t first = column + 4 * g;
		const unsigned char *at = s.samples + (s.kept + first % kept_columns * source::bytes);
		uint32_t upper_sum[4], lower_sum[4], upper_down[4], lower_down[4];
		source upper, lower;

		if (g % 4 == 0) {
			const uint32_t need = turn * 32 + 4 * g + behind + 16;
			const uint32_t fill = turn * 32 + 32;

			if (__any_sync(~0u, state.made < need ||
						    (g == 0 && state.used + ring_size < fill)) &&
			    !(await(wave, s.made_above, need, state.made, 64) &&
			      await(wave, s.used_below, fill > ring_size ? fill - ring_size : 0,
				    state.used, 64)))
				return false;
		}

		const uint4 next4 = *(const uint4 *)(above + 4 * g);
		const uint32_t from[4] = { next4.x, next4.y, next4.z, next4.w };

		upper.load(at);
		lower.load(at + kept_columns * source::bytes);
#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			/* The lower row first: what it sends has the longer way. */
			lower_sum[t] = rip_step_sum(
				state.lower.step,
				t < 2 ? state.last.target(shape, s.targets, (t + 2) % 4)
				      : lower.target(shape, s.targets, (t + 2) % 4),
				state.lower.above);
			if (where == ANY && first + t - 2 >= shape.width) /* also below column 0 */
				lower_sum[t] = RIP_EMPTY;
			lower_down[t] = rip_step_push(state.lower.step, lower_sum[t]);
			if (where == INSIDE && source::zero && t == 2 && first == 0)
				lower_down[t] = RIP_CARRY;

			const uint32_t next = __shfl_up_sync(~0u, lower_down[t], 1);

			upper_sum[t] = rip_step_sum(state.upper.step, upper.target(shape, s.targets, t),
						    state.upper.above);
			if (where == ANY && first + t >= shape.width)
				upper_sum[t] = RIP_EMPTY;
			upper_down[t] = rip_step_push(state.upper.step, upper_sum[t]);
			if (where == INSIDE && source::zero && t == 0 && first == 0)
				upper_down[t] = RIP_CARRY;
			state.lower.above = upper_down[t];
			state.upper.above = s.lane == 0 ? from[t] : next;
		}
		state.last = lower;
		if (where == ANY && s.rows % 2) {
#pragma unroll
			for (uint32_t t = 0; t < 4; t++)
				lower_down[t] = upper_down[t];
		}
		if (s.tail)
			*(uint4 *)(below + 4 * g) =
				make_uint4(lower_down[0], lower_down[1], lower_down[2], lower_down[3]);
		upper_dots[g * bits / 8] = rip_step_pack<bits>(upper_dots[g * bits / 8], upper_sum);
		lower_dots[g * bits / 8] = rip_step_pack<bits>(lower_dots[g * bits / 8], lower_sum);
		if (g % 4 == 2) /* for the next half; asking in await() takes longer */
			state.made = rip_load_acquire(s.made_above);
		if (g % 4 == 3 && s.tail)
			rip_store_release(s.made_below, turn * 32 + 4 * g + 4);
	}
#pragma unroll
	for (int m = 0; m < bits; m++) {
		upper_dots[m] = rip_step_dots<bits>(upper_dots[m]);
		lower_dots[m] = rip_step_dots<bits>(lower_dots[m]);
	}
	if (2 * s.lane < s.rows)
		store_dots<bits>(s.out, shape.width, turn, 4 * s.lane, state.upper.dots, upper_dots);
	if (2 * s.lane + 1 < s.rows)
		store_dots<bits>(s.out + s.out_pitch, shape.width, turn, 4 * s.lane + 2,
				 state.lower.dots, lower_dots);
#pragma unroll
	for (int m = 0; m < bits; m++) {
		state.upper.dots[m] = upper_dots[m];
		state.lower.dots[m] = lower_dots[m];
	}
	return true;
}

/* A turn with what belongs to it: samples for a later one, and space for the strip
 * above. */
template <class source, int bits, place where>
static __device__ __forceinline__ bool take_turn(const rip_gpu_shape &shape, const rip_wave &wave,
						 const strip &s, uint32_t turn,
						 turning<source, bits> &state)
{
	if (turn % 2 == 0 && s.lane == 0)
		rip_store_release(s.used_above, turn * 32 + behind);
	fetch<source::bytes>(s, turn + ahead);
	rip_copy_wait<ahead>();
	__syncwarp();
	return turn_of<source, bits, where>(shape, wave, s, turn, state);
}

template <class source, int bits>
static __device__ __forceinline__ void run_strip(const rip_gpu_shape &shape, const rip_wave &wave,
						 const strip &s)
{
	/* Enough for the last row, 126 columns behind, to do column `width`, which ends the
	 * carry, and to store its last dots. */
	const uint32_t turns = rip_opaque((shape.width + 31) / 32 + 4);
	/* Turns that lie inside the image. */
	const uint32_t inside = rip_opaque(source::zero ? 0 : 4);
	const uint32_t outside = rip_opaque(s.rows % 2 ? 0 : shape.width / 32);
	turning<source, bits> state;

	if (s.lane == 0) /* what comes before column 0 is not read */
		rip_store_release(s.used_above, behind - 32);
	for (uint32_t turn = 0; turn < ahead; turn++)
		fetch<source::bytes>(s, turn);
	if (source::zero)
		clear_left<source::bytes>(s);
	state.made = state.used = 0;
	if (!await(wave, s.made_above, behind, state.made, 1u << 20))
		return;
	rip_step_begin(state.upper.step);
	rip_step_begin(state.lower.step);
#pragma unroll
	for (int m = 0; m < bits; m++)
		state.upper.dots[m] = state.lower.dots[m] = 0;
	state.upper.above = s.lane == 0 ? s.above[(behind - 1) % ring_size] : RIP_CARRY;
	state.lower.above = RIP_CARRY;
	state.last.clear();
#pragma unroll 1
	for (uint32_t turn = 0; turn < turns; turn++) {
#pragma unroll 1
		for (; turn >= inside && turn < outside; turn++)
			if (!take_turn<source, bits, INSIDE>(shape, wave, s, turn, state))
				return;
		if (!take_turn<source, bits, ANY>(shape, wave, s, turn, state))
			return;
	}
	if (s.lane == 0)
		rip_store_release(s.used_above, everything);
	if (s.tail)
		rip_store_release(s.made_below, everything);
}

#endif
