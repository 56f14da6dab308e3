/*
 * The arithmetic of error diffusion, modulo 2^16.
 *
 * One output step is exactly 2^16 in the error domain.  The error that a
 * pixel leaves is then its sum wrapped to a signed 16-bit number, and the
 * level is what the wrapping dropped: quantising needs no comparison in the
 * chain of dependent operations from one pixel to the next.
 *
 *   Sample    x in 0..65535, 65535 is exactly full.
 *   Target    A = x*(n-1) + floor(x*(n-1) / 65535) for n output levels, so that
 *             0, full and every tone that is a level are multiples of 2^16.
 *   Sum       s = A + u, where u gathers the errors of processed neighbours.
 *   Level     r = floor((s + 32768) / 65536), in 0..n-1.
 *   Error     e = s - 65536*r, in -32768..32767: s wrapped to int16.
 *
 * Why nothing overflows.  An error filter has non-negative Q15 weights w that
 * sum to at most 32767.  The rounded product mulr(e, w) lies in -w..w:
 * mulr(-32768, w) = -w exactly, and mulr(32767, w) <= w.  So |u| <= 32767 for
 * every image and every order of additions, and no partial sum leaves int16.
 * With 0 <= A <= 65536*(n-1) follows 1 <= s + 32768 < 65536*n, hence
 * 0 <= r <= n-1: white (A = full) never gets a dot too few, black never one
 * too many.  Pushing and collecting add the same rounded products, so both
 * give the same bits.
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_ARITH_H
#define RIP_ARITH_H

#include <stdint.h>

#define RIP_LEVELS_MIN 2
#define RIP_LEVELS_MAX 16
#define RIP_WIDTH_MAX  16777215u /* columns, and rows, of a page */
#define RIP_PLANES_MAX 16
#define RIP_FULL       65535u    /* the sample that means exactly full */

/* These functions run on a GPU too. */
#ifdef __CUDACC__
#define RIP_EVERYWHERE __host__ __device__
#else
#define RIP_EVERYWHERE
#endif

/* The rounded Q15 product, (e*w + 2^14) >> 15: x86 PMULHRSW, Arm SQRDMULH.
 * e: an error, -32768..32767; w: a weight, 0..32767. */
RIP_EVERYWHERE static inline int32_t rip_mulr(int32_t e, int32_t w)
{
	return (e * w + (1 << 14)) >> 15;
}

/* The target of a sample x (0..65535) with n levels (2..16): 0..65536*(n-1). */
RIP_EVERYWHERE static inline int32_t rip_target(uint32_t x, uint32_t n)
{
	uint32_t t = x * (n - 1); /* at most 983025 */

	return (int32_t)(t + t / RIP_FULL);
}

/* The level of a sum s: floor((s + 32768) / 65536). */
RIP_EVERYWHERE static inline int32_t rip_level(int32_t s)
{
	return (s + 32768) >> 16;
}

/* The error that a sum leaves: s wrapped to a signed 16-bit number. */
RIP_EVERYWHERE static inline int32_t rip_error_left(int32_t s)
{
	return (int16_t)s;
}

/* The carry that column j of a plane starts a page with: white noise in
 * -16384..16383, the same for every page, another for each plane (planes
 * count from 0 in the order of the input's colour space).  It keeps planes of
 * equal content from printing dot on dot, starts light tints without a gap at
 * the top, and breaks up the patterns that a start of 0 locks into. */
RIP_EVERYWHERE static inline int16_t rip_start_noise(uint32_t j, uint32_t plane)
{
	uint32_t z = j + 0x9e3779b9u * (plane + 1);

	z ^= z >> 16;
	z *= 0x7feb352du;
	z ^= z >> 15;
	z *= 0x846ca68bu;
	z ^= z >> 16;
	return (int16_t)((int32_t)(z >> 17) - 16384);
}

#endif
