/*
 * One pixel of the wavefront, in eleven instructions: the fewest that we know.
 *
 * Sums are integers.  Products come from the floating-point unit, which rounds them too.
 * No instruction converts between the two.
 *
 * Products.  A float of 2^23 to 2^24 has a unit of 1 in its last place: its bits are
 * 0x4b000000 + (value - 2^23).  Let f be the float 2^23 + 32768 + e, whose bits are
 * 0x4b00 in front of the 16 bits e + 32768.  Then
 *
 *	fma_rd(f, w / 2^15, 2^23 + 2^14 + 1/2 - (2^23 + 2^15) * w / 2^15)
 *	  = 2^23 + 2^14 + floor(e*w / 2^15 + 1/2) = 2^23 + 2^14 + mulr(e, w)
 *
 * exactly.  A fused multiply-add rounds once, here down, to a unit of 1.  The addend
 * is below 2^23 for our four weights, so that its half is represented.  |mulr| < 2^14 keeps
 * the result between 2^23 and 2^24.  Its bits are RIP_PRODUCT + mulr(e, w).
 *
 * Targets.  With k = 257 + 2^-8 + 2^-15, which has 24 bits, floor(v * k) = 257v for
 * v < 255 and 65536 for v = 255: A for two levels.  fma_rd(2^23 + v, k, -2^31 - 2^8)
 * = 2^23 + 2^15 + A, exactly, as (2^23 + v) * k - 2^31 - 2^8 = 2^23 + 2^15 + v*k.
 *
 * Sums.  A sum S is target + what comes from above (three products) + what comes from
 * the left (one), all as bits.  Modulo 2^24 that is s + 32768 + 4 * 2^14.  So its low
 * 16 bits are e + 32768, ready to become the next f, and byte 2 is the level plus one.
 * Wrapping costs nothing: one logical operation takes the 16 bits and puts 0x4b00 in
 * front of them.
 *
 * The chain from pixel to pixel: multiply-add, add, majority.
 */
#ifndef RIP_STEP_CUH
#define RIP_STEP_CUH

#include "halftone/screen/error_filter.h"
#include "intrinsics.cuh"

#define RIP_FLOAT_BITS 0x4b000000u                 /* of 2^23 */
#define RIP_PRODUCT    (RIP_FLOAT_BITS + 16384)    /* a product of 0 */
#define RIP_CARRY      (3 * RIP_PRODUCT)           /* a sum of three of 0 (mod 2^32) */
#define RIP_TARGET     (RIP_FLOAT_BITS + 32768)    /* a target of 0 */
#define RIP_NO_ERROR   (RIP_FLOAT_BITS + 32768)    /* the float for an error of 0 */

/* Bits of a product of the error in f.  zero: of struct rip_step. */
template <int weight>
static __device__ __forceinline__ uint32_t rip_step_product(float f, uint32_t zero)
{
	const float w = __uint_as_float(__float_as_uint(weight / 32768.0f) + zero);
	const float c = (float)(8388608.0 + 16384.0 + 0.5 -
				(8388608.0 + 32768.0) * (weight / 32768.0));

	return __float_as_uint(__fmaf_rd(f, w, c));
}

/* The float for the error of a sum, or for no error: for each bit, what the majority of the
 * three has.  Where the mask and no_error are the same, it is theirs; where they differ, the
 * sum's. */
static __device__ __forceinline__ float rip_step_error(uint32_t sum, uint32_t mask,
						       uint32_t no_error)
{
	return __uint_as_float((sum & mask) | (sum & no_error) | (mask & no_error));
}

/* Bits of the target of byte t of four 8-bit samples, for two levels. */
static __device__ __forceinline__ uint32_t rip_step_target(uint32_t samples, uint32_t t,
							   uint32_t float_bits)
{
	const float v = __uint_as_float(__byte_perm(samples, float_bits, 0x7440 + t));

	return __float_as_uint(__fmaf_rd(v, 257.003936767578125f, -2147483904.0f));
}

/* What a row keeps from pixel to pixel. */
struct rip_step {
	uint32_t zero;       /* 0, unknown to the compiler: so it keeps weights in registers */
	uint32_t float_bits; /* RIP_FLOAT_BITS, likewise */
	float    f;        /* the last error */
	uint32_t below;    /* its product for the pixel below */
	uint32_t right[2]; /* products for the pixel below right: its own, and the one before */
};

static __device__ __forceinline__ void rip_step_begin(rip_step &step, uint32_t zero)
{
	step.zero = zero;
	step.float_bits = RIP_FLOAT_BITS + zero;
	step.f = __uint_as_float(RIP_NO_ERROR);
	step.below = step.right[0] = step.right[1] = RIP_PRODUCT;
}

/* The next pixel's sum. */
static __device__ __forceinline__ uint32_t rip_step_sum(const rip_step &step, uint32_t target,
							uint32_t above)
{
	return target + above + rip_step_product<RIP_FS_RIGHT>(step.f, step.zero);
}

/* Takes its error; returns what the row below gets in the column before. */
static __device__ __forceinline__ uint32_t rip_step_push(rip_step &step, uint32_t sum,
							 uint32_t mask)
{
	step.f = rip_step_error(sum, mask, RIP_NO_ERROR);

	const uint32_t down =
		step.right[1] + step.below + rip_step_product<RIP_FS_BELOW_LEFT>(step.f, step.zero);

	step.right[1] = step.right[0];
	step.right[0] = rip_step_product<RIP_FS_BELOW_RIGHT>(step.f, step.zero);
	step.below = rip_step_product<RIP_FS_BELOW>(step.f, step.zero);
	return down;
}

/* A carry as a part of sums, and back. */
static __device__ __forceinline__ uint32_t rip_step_carry(int32_t carry)
{
	return RIP_CARRY + (uint32_t)carry;
}

static __device__ __forceinline__ uint32_t rip_step_value(uint32_t carry)
{
	return (carry - RIP_CARRY) & 65535;
}

/* Appends byte 2 of four sums to a word of dots, the first dot in the highest bits.  With products:
 * one after the other, so that it takes longer, but leaves the integer unit to other warps. */
template <int bits, bool products = false>
static __device__ __forceinline__ uint32_t rip_step_pack(uint32_t word, const uint32_t sum[4])
{
	if (products && bits < 4) {
		word <<= 4 * bits;
#pragma unroll
		for (int t = 0; t < 4; t++)
			word = __dp4a(sum[t], 0x10000u << (3 - t) * bits, word);
		return word;
	}

	const uint32_t a = __byte_perm(sum[0], sum[1], 0x0062);
	const uint32_t b = __byte_perm(sum[2], sum[3], 0x0062);
	const uint32_t levels = __byte_perm(a, b, 0x5410);

	if (bits == 1)
		return __dp4a(levels, 0x01020408u, word << 4);
	if (bits == 2)
		return __dp4a(levels, 0x01041040u, word << 8);
	return __dp4a(levels, 0x01100000u, __dp4a(levels, 0x00000110u, word << 8) << 8);
}

/* A word of dots of level 1. */
template <int bits> static __device__ __forceinline__ constexpr uint32_t rip_step_ones()
{
	return 0xffffffffu / ((1u << bits) - 1);
}

#endif
