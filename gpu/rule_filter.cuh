/*
 * The rule of error filters with any constant weights, in up to two rows below: Jarvis, Judice
 * and Ninke's, Stucki's, Burkes's, Sierra's and Atkinson's.  rule_floyd.cuh says what a rule is,
 * step.cuh how products and sums are computed.
 *
 * Carries.  What comes to a column from above is D1, complete, and D2, what the row above sends
 * to the row below.  |D1| <= 32767, and |D2| < 16384, as the filters send less than half of the
 * error two rows down.  A word is 2^31 + (D2 + 16384) * 2^16 + D1 + 32768.  So the 16 low bits
 * are a part of a sum, and the word shifted right by 16 is 2^15 + 2^14 + D2.
 *
 * The pixel at column j completes column j - 2 of both rows below.  Sums for the columns j-1 to
 * j+2 wait in registers.  They are bits of products, whose constants the last addition takes
 * off.
 *
 * No weight is over 2^14: |mulr| < 2^14 (step.cuh).  Weights are in registers, so that one
 * kernel computes all these filters.  One that is 0 makes products of 0: its addend
 * 2^23 + 2^14 + 1/2 is rounded to the even 2^23 + 2^14.
 */
#ifndef RIP_RULE_FILTER_CUH
#define RIP_RULE_FILTER_CUH

#include "halftone/screen/screen.h"
#include "step.cuh"

/* The filters by screen, for the device. */
static __constant__ const rip_error_filter rip_rule_filters[] = {
	RIP_FILTER_FLOYD_STEINBERG(RIP_ERROR_FILTER),
	RIP_FILTER_JARVIS_JUDICE_NINKE(RIP_ERROR_FILTER),
	RIP_FILTER_STUCKI(RIP_ERROR_FILTER), RIP_FILTER_BURKES(RIP_ERROR_FILTER),
	RIP_FILTER_SIERRA(RIP_ERROR_FILTER), RIP_FILTER_ATKINSON(RIP_ERROR_FILTER),
};

static_assert(RIP_FLOYD_STEINBERG == 0 && RIP_JARVIS_JUDICE_NINKE == 1 && RIP_STUCKI == 2 &&
	      RIP_BURKES == 3 && RIP_SIERRA == 4 && RIP_ATKINSON == 5,
	      "the order of rip_rule_filters");

static_assert(RIP_FILTER_JARVIS_JUDICE_NINKE(RIP_CARRY_BOUND_2) < 16384 &&
	      RIP_FILTER_STUCKI(RIP_CARRY_BOUND_2) < 16384 &&
	      RIP_FILTER_SIERRA(RIP_CARRY_BOUND_2) < 16384 &&
	      RIP_FILTER_ATKINSON(RIP_CARRY_BOUND_2) < 16384, "the bits that a word has for D2");

struct rule_filter {
	static const uint32_t skew = 4, lag = 2, tile_columns = 256, per_word = 1, ahead = 3;
	static const uint32_t groups = 2, blocks = 2, memory = 0;
	static const uint32_t nothing = (1u << 31) + (16384u << 16) + 32768;
	static const uint32_t valid = 1u << 31, no_error = RIP_NO_ERROR;
	static const bool     one_version = true;
	static const bool     masks_early = true;
	static const bool     adds = false;
	static const bool     many = false;

	/* A weight as rip_step_product() has it. */
	struct weight {
		float w, c;

		__device__ void set(int16_t weight)
		{
			/* All but the last sum are exact. */
			w = (float)weight * (1.0f / 32768);
			c = (float)(8388608 + 16384 - 257 * (int32_t)weight) + 0.5f;
		}

		__device__ uint32_t times(float f) const
		{
			return __float_as_uint(__fmaf_rd(f, w, c));
		}
	};

	struct filter_state {
		float    f;           /* the last error */
		uint32_t right2, right2_next; /* products for this column and the next */
		uint32_t above;       /* word that came to this column */
		uint32_t next[4];     /* sums for columns j-1 .. j+2 of the next row */
		uint32_t after[4];    /* and of the row after it */
		weight   right[2], below[5], below2[5];
	};
	typedef filter_state state;

	static __device__ __forceinline__ void fill(unsigned char *) {}

	static __device__ __forceinline__ uint32_t entry(uint32_t target)
	{
		return RIP_TARGET + target;
	}

	static __device__ __forceinline__ void begin(state &s, uint32_t, uint32_t screen, uint32_t)
	{
		const rip_error_filter &filter = rip_rule_filters[screen];

		s.f = __uint_as_float(no_error);
		s.right2 = s.right2_next = RIP_PRODUCT;
		s.above = nothing;
		/* As many products as each has had when it is complete, but for the last. */
		for (uint32_t k = 0; k < 4; k++) {
			s.next[k] = (4 - k) * RIP_PRODUCT + (k < 2 ? nothing >> 16 : 0);
			s.after[k] = (4 - k) * RIP_PRODUCT;
		}
		for (uint32_t k = 0; k < 5; k++) {
			s.below[k].set(filter.below[k]);
			s.below2[k].set(filter.below2[k]);
		}
		s.right[0].set(filter.right[0]);
		s.right[1].set(filter.right[1]);
	}

	static __device__ __forceinline__ uint32_t sum(state &s, uint32_t target, uint32_t above)
	{
		s.above = above;
		/* The targets's 2^15, that of D1, and 2^14 twice are 65536 + 32768, as wanted. */
		return target + (above & 65535) + s.right2 + s.right[0].times(s.f);
	}

	static __device__ __forceinline__ uint32_t push(state &s, uint32_t sum, uint32_t mask)
	{
		/* What sums of five products and D2's part of a word are too large. */
		const uint32_t more = 5 * RIP_PRODUCT + (nothing >> 16);
		const uint32_t constant = nothing - more - (5 * RIP_PRODUCT << 16);
		uint32_t next, after;

		s.f = rip_step_error(sum, mask, no_error);
		s.right2 = s.right2_next;
		s.right2_next = s.right[1].times(s.f);
		next = s.next[0] + s.below[0].times(s.f) + constant;
		s.next[0] = s.next[1] + s.below[1].times(s.f);
		s.next[1] = s.next[2] + s.below[2].times(s.f) + (s.above >> 16);
		s.next[2] = s.next[3] + s.below[3].times(s.f);
		s.next[3] = s.below[4].times(s.f);
		after = s.after[0] + s.below2[0].times(s.f);
		s.after[0] = s.after[1] + s.below2[1].times(s.f);
		s.after[1] = s.after[2] + s.below2[2].times(s.f);
		s.after[2] = s.after[3] + s.below2[3].times(s.f);
		s.after[3] = s.below2[4].times(s.f);
		return (after << 16) + next;
	}

	/* Byte 2 of a sum is the level plus one. */
	template <int bits> static __device__ __forceinline__ uint32_t dots(uint32_t word)
	{
		return word - rip_step_ones<bits>();
	}

	static __device__ __forceinline__ uint32_t word(int32_t next, int32_t after)
	{
		return nothing + ((uint32_t)after << 16) + (uint32_t)next;
	}

	static __device__ __forceinline__ uint32_t near(uint32_t word)
	{
		return (word - 32768) & 65535;
	}

	static __device__ __forceinline__ uint32_t far(uint32_t word)
	{
		return ((word >> 16 & 32767) - 16384) & 65535;
	}
};

#endif
