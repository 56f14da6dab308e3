/*
 * The rule of Floyd and Steinberg's filter.
 *
 * A rule is what a step of the wavefront computes.  It is a struct of types, constants and
 * static functions, which group.cuh, handover.cuh and wavefront.cu use:
 *
 *	skew		columns that a row is behind the row above
 *	lag		columns until what goes down is complete: what comes to column j of the
 *			row below is known when column j + lag is done
 *	tile_columns	of samples that a row has in shared memory (slice.cuh)
 *	per_word	columns in a 64-bit word of the carry between slices: 2, or 1 if a
 *			column has two values
 *	ahead		blocks that samples are fetched before use
 *	groups		that a slice should have
 *	blocks		thread blocks that a multiprocessor should have room for
 *	memory		bytes of shared memory that the rule itself needs
 *	nothing		a word that says: no carry
 *	valid		a bit that is set in all words
 *	no_error	the bits of the float for an error of 0
 *
 *	fill()		fills the rule's memory, by all threads of the block
 *	entry()		what sum() is given for a target A, 0..65536*(levels-1)
 *	state, begin()	what a row keeps from pixel to pixel
 *	one_version	whether blocks inside the image run the code for its edges: a second
 *			version would not fit into the instruction cache
 *	masks_early	whether masks are loaded four columns before they are needed: faster, unless
 *			the rule needs the registers
 *	adds		whether what comes from above is only added, as the lowest 24 bits of a sum.
 *			Then lane 0 adds what comes in before the shuffle is done
 *	many		whether it is for many planes at once (for_many below): a lane stores its
 *			dots 16 bytes at a time, and packs them by products
 *	sum()		of the next pixel: bytes 0 and 1 make its error (rip_step_error()), byte 2
 *			its level.  The word that comes from above belongs to its column.
 *	push()		takes the error of a sum, or none if the mask says so, and returns the word
 *			that the row below gets in the column `lag` before
 *	dots()		the dots of a word that rip_step_pack() has filled
 *	word()		the word for values of the carry of a column: of the next row, and of the
 *			row after it
 *	near(), far()	these values of a word, as 16 bits
 */
#ifndef RIP_RULE_FLOYD_CUH
#define RIP_RULE_FLOYD_CUH

#include "step.cuh"

/* A rule for many planes at once.  They wait for memory and for the integer unit, which two warps
 * share: a lane stores 16 bytes of dots after four blocks, not 4 after each, and what comes from
 * above costs the integer unit two operations instead of three.  A single plane waits for results,
 * and is slower with all of this.  Rules that take longer for a pixel gain nothing by stores. */
template <class rule> struct for_many : rule {
	static const bool many = true, adds = false;
};

struct rule_floyd {
	/* A shuffle takes as long as two steps. */
	static const uint32_t skew = 3, lag = 1, tile_columns = 256, per_word = 2, ahead = 3;
	static const uint32_t groups = 4, blocks = 2, memory = 0;
	static const uint32_t nothing = RIP_CARRY, valid = 1u << 31, no_error = RIP_NO_ERROR;
	static const bool     one_version = false;
	static const bool     masks_early = true;
	static const bool     adds = true;
	static const bool     many = false;
	typedef rip_step state;

	static __device__ __forceinline__ void fill(unsigned char *) {}

	static __device__ __forceinline__ uint32_t entry(uint32_t target)
	{
		return RIP_TARGET + target;
	}

	static __device__ __forceinline__ void begin(state &step, uint32_t zero, uint32_t, uint32_t)
	{
		rip_step_begin(step, zero);
	}

	static __device__ __forceinline__ uint32_t sum(state &step, uint32_t target, uint32_t above)
	{
		return rip_step_sum(step, target, above);
	}

	static __device__ __forceinline__ uint32_t push(state &step, uint32_t sum, uint32_t mask)
	{
		return rip_step_push(step, sum, mask);
	}

	/* Byte 2 of a sum is the level plus one. */
	template <int bits> static __device__ __forceinline__ uint32_t dots(uint32_t word)
	{
		return word - rip_step_ones<bits>();
	}

	static __device__ __forceinline__ uint32_t word(int32_t next, int32_t)
	{
		return rip_step_carry(next);
	}

	static __device__ __forceinline__ uint32_t near(uint32_t word)
	{
		return rip_step_value(word);
	}
	static __device__ __forceinline__ uint32_t far(uint32_t) { return 0; }
};

#endif
