/*
 * The rule of Floyd and Steinberg's filter.
 *
 * A rule is what a step of the wavefront computes.  It is a struct of types, constants and
 * static functions, which group.cuh, handover.cuh and wavefront.cu use:
 *
 *	skew		columns that a row is behind the row above; a multiple of 4
 *	lag		columns until what goes down is complete: what comes to column j of the
 *			row below is known when column j + lag is done
 *	tile_columns	of samples that a row has in shared memory (slice.cuh)
 *	per_word	columns in a 64-bit word of the carry between slices: 2, or 1 if a
 *			column has two values
 *	blocks		thread blocks that a multiprocessor should have room for
 *	memory		bytes of shared memory that the rule itself needs
 *	nothing		a word that says: no carry
 *	valid		a bit that is set in all words
 *
 *	fill()		fills the rule's memory, by all threads of the block
 *	entry()		what sum() is given for a target A, 0..65536*(levels-1)
 *	state, begin()	what a row keeps from pixel to pixel
 *	one_version	whether all blocks run the code for the ends of rows: two versions would not
 *			fit into the instruction cache
 *	looks_ahead	whether look() is worth its registers: then the lag leaves four columns
 *			or more to the skew
 *	ahead, look()	what sum() needs that takes long to get; asked for four columns at once
 *	sum()		of the next pixel: bytes 0 and 1 are e + 32768, byte 2 is the level plus
 *			one.  The word that comes from above belongs to its column.
 *	push()		takes the error of a sum, and returns the word that the row below gets in
 *			the column `lag` before.  Of RIP_EMPTY the error is 0.
 *	word()		the word for values of the carry of a column: of the next row, and of the
 *			row after it
 *	near(), far()	these values of a word, as 16 bits
 */
#ifndef RIP_RULE_FLOYD_CUH
#define RIP_RULE_FLOYD_CUH

#include "step.cuh"

struct rule_floyd {
	static const uint32_t skew = 4, lag = 1, tile_columns = 256, per_word = 2, blocks = 3, memory = 0;
	static const uint32_t nothing = RIP_CARRY;
	static const uint32_t valid = 1u << 31;
	static const bool     one_version = false;
	static const bool     looks_ahead = false;
	typedef rip_step state;
	struct floyd_ahead {};
	typedef floyd_ahead ahead;

	static __device__ __forceinline__ void fill(unsigned char *) {}

	static __device__ __forceinline__ uint32_t entry(uint32_t target) { return RIP_TARGET + target; }

	static __device__ __forceinline__ void begin(state &step, uint32_t zero, const unsigned char *,
						     uint32_t, uint32_t)
	{
		rip_step_begin(step, zero);
	}

	static __device__ __forceinline__ ahead look(const state &, uint32_t, uint32_t) { return {}; }

	static __device__ __forceinline__ uint32_t sum(state &step, uint32_t target, uint32_t above, ahead)
	{
		return rip_step_sum(step, target, above);
	}

	static __device__ __forceinline__ uint32_t push(state &step, uint32_t sum)
	{
		return rip_step_push(step, sum);
	}

	static __device__ __forceinline__ uint32_t word(int32_t next, int32_t)
	{
		return rip_step_carry(next);
	}

	static __device__ __forceinline__ uint32_t near(uint32_t word) { return rip_step_value(word); }
	static __device__ __forceinline__ uint32_t far(uint32_t) { return 0; }
};

#endif
