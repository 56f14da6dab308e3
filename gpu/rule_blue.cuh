/*
 * The rule of blue noise (halftone/blue_noise.h): the shares of a pixel's error depend on the
 * tone.  rule_floyd.cuh says what a rule is.
 *
 * A multiprocessor does twice as many floating-point operations as others.  So sums are floats
 * here, too.  Numbers are stored as M + number, M = 2^23 + 2^15: the lowest bit of the float is 1,
 * and the 16 low bits are number + 32768.
 *
 * Products.  The weight is T/128, T an integer: e*T/128 + 1/2 is a multiple of 1/128 of less
 * than 2^16, so a float has it exactly.  Added to M + sum, rounding down, it makes
 * M + sum + mulr(e, 256*T).
 *
 * Shares.  Shared memory has the weights of a zone as floats.  Lanes look up different zones at
 * once: every eighth lane has a copy of its own, in banks of its own.  The sum of the tone's part
 * of the zone and the low byte of the carry is zone * 256 + something, and a zone's weights take
 * 256 bytes.  They are looked up for four columns at once, which hides how long that takes.
 *
 * Entries.  A target has 20 bits, and the tone's part of the zone 12.  Both are in an entry.
 *
 * Carries.  A word is the float M + D.
 */
#ifndef RIP_RULE_BLUE_CUH
#define RIP_RULE_BLUE_CUH

#include "halftone/blue_noise.h"
#include "step.cuh"

#define RIP_BLUE_ZERO (8388608.0f + 32768.0f) /* M */

/* The shares, in 128ths, in the order of struct rip_blue_noise_weights. */
#define RIP_BLUE_ROW(right, right2, l4, l2, l1, below, r1) { right, right2, l4, l2, l1, below, r1, 0 },
static __constant__ const uint8_t rip_blue_shares[RIP_BLUE_NOISE_ZONES][8] = {
	RIP_BLUE_NOISE_TABLE(RIP_BLUE_ROW)
};
#undef RIP_BLUE_ROW

struct rule_blue {
	/* The row below needs a value four columns after it is complete.  A lag of 4 and a
	 * multiple of 4 make a skew of 8. */
	static const uint32_t skew = 8, lag = 4, tile_columns = 512, per_word = 2, blocks = 2;
	static const uint32_t copies = 8, memory = RIP_BLUE_NOISE_ZONES * 2 * copies * 16;
	static const uint32_t nothing = RIP_FLOAT_BITS + 32768, valid = 1u << 30;
	static const bool     one_version = true;
	static const bool     looks_ahead = true;

	struct blue_ahead {
		float4 first, rest;
	};
	typedef blue_ahead ahead;

	struct blue_state {
		uint32_t float_bits;
		float    right;       /* e*T/128 + 1/2 that comes to this column from the left */
		float    right2, right2_next; /* and from two columns left, to this and the next */
		float    next[5];     /* M + sums for columns j-3 .. j+1 of the next row */
		float4   first, rest; /* the last pixel's weights: right, right2, below[0], [1]; [2] to [4] */
		uint32_t shares;      /* where its copies of weights begin */
	};
	typedef blue_state state;

	/* Weights as floats: two float4 a zone, and copies of each. */
	static __device__ __forceinline__ void fill(unsigned char *to)
	{
		const float unit = 1.0f / 128;

		for (uint32_t i = threadIdx.x; i < memory / sizeof(float4); i += blockDim.x) {
			const uint8_t *from = rip_blue_shares[i / (2 * copies)] + i / copies % 2 * 4;

			((float4 *)to)[i] = make_float4(from[0] * unit, from[1] * unit, from[2] * unit,
							from[3] * unit);
		}
	}

	static __device__ __forceinline__ uint32_t entry(uint32_t target)
	{
		return target | rip_blue_noise_tone((int32_t)target) << 20;
	}

	static __device__ __forceinline__ void begin(state &s, uint32_t zero, const unsigned char *,
						     uint32_t, uint32_t lane)
	{
		s.float_bits = RIP_FLOAT_BITS + zero;
		s.right = s.right2 = s.right2_next = 0.5f;
		for (float &sum : s.next)
			sum = RIP_BLUE_ZERO;
		s.shares = lane % copies * (uint32_t)sizeof(float4);
	}

	/* The weights.  A zone's are zone * 256 bytes from the first. */
	static __device__ __forceinline__ ahead look(const state &s, uint32_t entry, uint32_t above)
	{
		const uint32_t at = (__dp4a(above, 1u, entry >> 20) & 0xf00) | s.shares;
		const unsigned char *weights = rip_shared() + at; /* the rule's memory is the first */

		return { *(const float4 *)weights,
			 *(const float4 *)(weights + copies * sizeof(float4)) };
	}

	/* M + u, limited. */
	static __device__ __forceinline__ float limited(float u)
	{
		return fminf(fmaxf(u, RIP_BLUE_ZERO - 32768), RIP_BLUE_ZERO + 32767);
	}

	static __device__ __forceinline__ uint32_t sum(state &s, uint32_t entry, uint32_t above,
						       const ahead &weights)
	{
		const float part = limited(__fadd_rd(__uint_as_float(above), s.right2));
		const float u = limited(__fadd_rd(part, s.right));
		/* 2^23 + A; then A + 65536, for the level plus one */
		const float target = __uint_as_float((entry & 0xfffff) | RIP_FLOAT_BITS);

		s.first = weights.first;
		s.rest = weights.rest;
		return __float_as_uint(u + (target - (8388608.0f - 65536.0f)));
	}

	/* M + sum + mulr(e, 128ths of a weight) */
	static __device__ __forceinline__ float add(float sum, float e, float weight)
	{
		return __fadd_rd(sum, __fmaf_rn(e, weight, 0.5f));
	}

	static __device__ __forceinline__ uint32_t push(state &s, uint32_t sum)
	{
		const float e = rip_step_error(sum, s.float_bits) - RIP_BLUE_ZERO;
		float down;

		s.right = __fmaf_rn(e, s.first.x, 0.5f);
		s.right2 = s.right2_next;
		s.right2_next = __fmaf_rn(e, s.first.y, 0.5f);
		down = add(s.next[0], e, s.first.z);
		s.next[0] = s.next[1];
		s.next[1] = add(s.next[2], e, s.first.w);
		s.next[2] = add(s.next[3], e, s.rest.x);
		s.next[3] = add(s.next[4], e, s.rest.y);
		s.next[4] = add(RIP_BLUE_ZERO, e, s.rest.z);
		return __float_as_uint(down);
	}

	static __device__ __forceinline__ uint32_t word(int32_t next, int32_t)
	{
		return nothing + (uint32_t)next;
	}

	static __device__ __forceinline__ uint32_t near(uint32_t word) { return (word - 32768) & 65535; }
	static __device__ __forceinline__ uint32_t far(uint32_t) { return 0; }
};

#endif
