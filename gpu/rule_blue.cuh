/*
 * The rule of blue noise (halftone/screen/blue_noise.h): the shares of a pixel's error depend on
 * the tone.  rule_floyd.cuh says what a rule is.
 *
 * A multiprocessor does twice as many floating-point operations as others.  So sums are floats
 * here, too, and all have the sign turned: then the limits of sums are limits of the hardware.
 *
 * Numbers.  The unit is 2^-24, the distance of floats from 1/2 to 1.  A part of a sum, u, is the
 * float 1 - (u + 32768) units.  Its bits are 0x3f800000 - (u + 32768).  An addition that rounds up
 * rounds u down, and if it limits its result to 1 (saturates), it limits u to -32768.  A maximum
 * limits it to 32767.
 *
 * Products.  The weight is T/128, T an integer of at most 128, and minus is -e - 1/256.  So the
 * product is less than -e*T/128, by at most 1/256, and no longer halfway between two units: added
 * to a sum in one operation, which rounds to the nearest unit, it subtracts mulr(e, 256*T).
 *
 * Carries.  A word is the float 1 - (D + 32769) units: the unit more makes the lowest byte of its
 * bits 255 - (D & 255).  What comes from two columns left takes the unit back: it is
 * minus*T/128 + 1/2, a float of less than 2^16 units, and its sum is rounded up.
 *
 * Entries.  The high 20 bits are 2^20 - 1 - A.  Added to the bits of u, they make a number
 * whose byte 2 is 0x8f - level, and whose bytes 0 and 1 are 32767 - e.  The low 12 bits are the
 * tone's part of the zone, plus 255.  So an entry minus the lowest byte of a word of the carry
 * has the zone in bits 8 to 11.
 *
 * Shares.  Shared memory has the weights of a zone as floats, in 256 bytes.  Lanes look up
 * different zones at once: every eighth lane has a copy of its own, in banks of its own.
 */
#ifndef RIP_RULE_BLUE_CUH
#define RIP_RULE_BLUE_CUH

#include "halftone/screen/blue_noise.h"
#include "step.cuh"

#define RIP_BLUE_UNIT (1.0f / 16777216)
#define RIP_BLUE_LESS (RIP_BLUE_UNIT / 256) /* of minus */

/* The shares, in 128ths, in the order of struct rip_blue_noise_weights. */
#define RIP_BLUE_ROW(right, right2, l4, l2, l1, below, r1) \
	{ right, right2, l4, l2, l1, below, r1, 0 },
static __constant__ const uint8_t rip_blue_shares[RIP_BLUE_NOISE_ZONES][8] = {
	RIP_BLUE_NOISE_TABLE(RIP_BLUE_ROW)
};
#undef RIP_BLUE_ROW

struct rule_blue {
	/* A shuffle and a look at the weights take as long as two steps. */
	static const uint32_t skew = 6, lag = 4, tile_columns = 512, per_word = 2, ahead = 3;
	static const uint32_t groups = 2, blocks = 2;
	static const uint32_t copies = 8, memory = RIP_BLUE_NOISE_ZONES * 2 * copies * 16;
	static const uint32_t nothing = 0x3f7f7fff, valid = 1u << 29, no_error = 0x3f007fff;
	static const bool     one_version = true;
	static const bool     masks_early = false;
	static const bool     adds = false;
	static const bool     many = false;

	struct blue_state {
		float    minus, right; /* of the column to the left, and its weight */
		float    right2, right2_next; /* from two columns left, to this and the next */
		float    next[5];     /* sums for columns j-3 .. j+1 of the next row */
		/* The last pixel's weights: right, right2, below[0] and [1]; below[2] to [4]. */
		float4   first, rest;
		uint32_t shares;      /* where its copies of weights begin */
	};
	typedef blue_state state;

	/* Weights as floats: two float4 a zone, and copies of each. */
	static __device__ __forceinline__ void fill(unsigned char *to)
	{
		const float unit = 1.0f / 128;

		for (uint32_t i = threadIdx.x; i < memory / sizeof(float4); i += blockDim.x) {
			const uint8_t *from = rip_blue_shares[i / (2 * copies)] +
					      i / copies % 2 * 4;

			((float4 *)to)[i] = make_float4(from[0] * unit, from[1] * unit,
							from[2] * unit, from[3] * unit);
		}
	}

	static __device__ __forceinline__ uint32_t entry(uint32_t target)
	{
		return (0xfffff - target) << 12 | (rip_blue_noise_tone((int32_t)target) + 255);
	}

	static __device__ __forceinline__ void begin(state &s, uint32_t zero, uint32_t,
						     uint32_t lane)
	{
		s.minus = s.right = 0;
		s.right2 = s.right2_next = 0.5f * RIP_BLUE_UNIT;
		for (float &sum : s.next)
			sum = __uint_as_float(nothing);
		s.shares = lane % copies * (uint32_t)sizeof(float4) + zero; /* in a register */
	}

	/* The lower limit of a part of a sum; the upper one was the hardware's. */
	static __device__ __forceinline__ float limited(float sum)
	{
		return fmaxf(sum, 1 - 65535 * RIP_BLUE_UNIT);
	}

	/* The weights of the pixel's zone. */
	static __device__ __forceinline__ void weigh(state &s, uint32_t zone)
	{
		/* The rule's memory is the first. */
		const unsigned char *weights = rip_shared() + (zone | s.shares);

		s.first = *(const float4 *)weights;
		s.rest = *(const float4 *)(weights + copies * sizeof(float4));
	}

	/* u. */
	static __device__ __forceinline__ float part(const state &s, uint32_t above)
	{
		const float sum = limited(rip_add_up_to_1(__uint_as_float(above), s.right2));

		return limited(rip_fma_to_1(s.minus, s.right, sum));
	}

	static __device__ __forceinline__ uint32_t sum(state &s, uint32_t entry, uint32_t above)
	{
		const uint32_t zone = rip_minus_byte(entry, above) & 0xf00;
		const float u = part(s, above);

		weigh(s, zone);
		return __float_as_uint(u) + (entry >> 12);
	}

	/* Takes the pixel's minus; returns what the row below gets in column j-4. */
	static __device__ __forceinline__ uint32_t push(state &s, float minus)
	{
		const float down = __fmaf_rn(minus, s.first.z, s.next[0]);

		s.minus = minus;
		s.right = s.first.x;
		s.right2 = s.right2_next;
		s.right2_next = __fmaf_rn(minus, s.first.y, 0.5f * RIP_BLUE_UNIT);
		s.next[0] = s.next[1];
		s.next[1] = __fmaf_rn(minus, s.first.w, s.next[2]);
		s.next[2] = __fmaf_rn(minus, s.rest.x, s.next[3]);
		s.next[3] = __fmaf_rn(minus, s.rest.y, s.next[4]);
		s.next[4] = __fmaf_rn(minus, s.rest.z, __uint_as_float(nothing));
		return __float_as_uint(down);
	}

	static __device__ __forceinline__ uint32_t push(state &s, uint32_t sum, uint32_t mask)
	{
		return push(s, rip_step_error(sum, mask, no_error) - __uint_as_float(no_error) -
				       RIP_BLUE_LESS);
	}

	/* Byte 2 of a sum is 0x8f minus the level. */
	template <int bits> static __device__ __forceinline__ uint32_t dots(uint32_t word)
	{
		return 0x8f * rip_step_ones<bits>() - word;
	}

	static __device__ __forceinline__ uint32_t word(int32_t next, int32_t)
	{
		return nothing - (uint32_t)next;
	}

	static __device__ __forceinline__ uint32_t near(uint32_t word)
	{
		return (nothing - word) & 65535;
	}
	static __device__ __forceinline__ uint32_t far(uint32_t) { return 0; }
};

#endif
