/* Clerks of blue noise for colour (colour.cuh): fetch samples, prepare pixels, and store dots. */
#ifndef RIP_COLOUR_CLERK_CUH
#define RIP_COLOUR_CLERK_CUH

#include "colour.cuh"

/* A plane, as one of the lanes sees it. */
struct clerk {
	group    g;          /* lane, dots */
	const unsigned char *in; /* its row of samples */
	uint32_t pieces;     /* of 16 bytes that the row has; 0: it does not exist */
	uint32_t row;        /* its samples in shared memory, in bytes */
	uint32_t targets;    /* as in struct group */
	uint2   *pixels;     /* where they go */
	uint32_t *levels;    /* likewise, by fours */
	const uint32_t *dots;
	const uint32_t *done; /* of its stage */
	uint32_t *ready;
	uint32_t c, stored;  /* steps that are prepared; blocks */
	bool     alone;
	uint32_t keeps, adds; /* of a pixel's second word: its bits, and others */
	const unsigned char *weights; /* of the lane's row, with the first step's plane */
	uint32_t weights_pieces, weights_row; /* as above; 0: there are none */
};

/* Fetches so many pieces of 16 bytes of a row, from `ahead` pieces behind a column's on. */
template <uint32_t bytes>
static __device__ __forceinline__ void fetch_pieces(const unsigned char *in, uint32_t pieces,
						    uint32_t row, uint32_t column, uint32_t ahead,
						    uint32_t count)
{
	const uint32_t first = (uint32_t)((int32_t)(column * bytes) >> 4) + ahead;

#pragma unroll
	for (uint32_t i = 0; i < count; i++)
		if (first + i < pieces)
			rip_copy16(rip_shared() + row + (first + i) * 16 % row_ring(bytes),
				   in + (first + i) * 16, true);
}

/* Words of a row's samples, from a column on. */
template <uint32_t bytes, uint32_t count>
static __device__ __forceinline__ void load_words(uint32_t words[count], uint32_t row,
						  uint32_t column)
{
	const uint32_t from = column * bytes / 4 * 4;

#pragma unroll
	for (uint32_t i = 0; i < count; i++)
		words[i] = *(const uint32_t *)(rip_shared() + row +
					       (from + 4 * i) % row_ring(bytes));
}

/* Pixel t of four samples (rule_colour::pixel()). */
template <class source>
static __device__ __forceinline__ uint2 pixel_of(const rip_gpu_shape &shape, const clerk &k,
						 const four_samples<source::bytes> &samples,
						 uint32_t t)
{
	if (source::table)
		return *(const uint2 *)(rip_shared() +
					__dp4a(samples.word[0], 8u << 8 * t, k.targets));

	const uint32_t v = samples.word[t / 2 % source::bytes] >> 16 * (t % 2) & 65535;
	const uint32_t target = (uint32_t)(shape.targets ? shape.targets[v]
							 : rip_target(v, shape.levels));

	return k.alone ? rule_colour<true>::pixel(target) : rule_colour<false>::pixel(target);
}

/* A chunk of steps. */
template <class source, int bits>
static __device__ __forceinline__ void prepare(const rip_gpu_shape &shape, const clerk &k)
{
	const uint32_t bytes = source::bytes, column = k.c - rule_blue::skew * k.g.lane;
	uint2 *pixels = k.pixels + k.c % prepared * 32;
	uint2 pixel[chunk];
	uint32_t words[chunk / 4 * bytes + 1], levels[chunk / 4], fades[chunk / 2] = {};

	load_words<bytes, chunk / 4 * bytes + 1>(words, k.row, column);
	if (k.weights_row)
		load_words<2, chunk / 2>(fades, k.weights_row, column);
	/* All are loaded before the first is stored, so that the loads overlap. */
#pragma unroll
	for (uint32_t q = 0; q < chunk / 4; q++) {
		const four_samples<bytes> samples =
			samples_of<rule_blue, bytes>(k.g, words + q * bytes);

#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			pixel[4 * q + t] = pixel_of<source>(shape, k, samples, t);
	}
#pragma unroll
	for (uint32_t q = 0; q < chunk / 4; q++) {
		uint32_t high[4];

#pragma unroll
		for (uint32_t t = 0; t < 4; t++) {
			const uint32_t at = 4 * q + t;
			const bool inside = column + at < shape.width;
			const uint32_t weight = inside ? fades[at / 2] >> 16 * (at % 2) : 0;

			high[t] = pixel[at].y >> 8; /* into byte 2 */
			pixels[at * 32] = make_uint2(
				pixel[at].x, rip_select(inside, (pixel[at].y & k.keeps) | k.adds,
							colour_nothing) |
						     weight << 16);
		}
		/* dots[] will have the bits of a float. */
		levels[q] = 15 * (rip_step_ones<bits>() & ((1ull << 4 * bits) - 1)) -
			    rip_step_pack<bits>(0, high) - RIP_FLOAT_BITS;
	}
#pragma unroll
	for (uint32_t q = 0; q < chunk / 4; q++)
		k.levels[(k.c % prepared / 4 + q) * 32] = levels[q];
}

/* Stores the dots of a block. */
template <int bits> static __device__ __forceinline__ void store_block(const clerk &k)
{
	uint32_t before[bits], now[bits];

#pragma unroll
	for (int m = 0; m < bits; m++) {
		before[m] = k.dots[((k.stored - 1) % kept * bits + m) * 32];
		now[m] = k.dots[(k.stored % kept * bits + m) * 32];
	}
	store_dots<rule_blue, bits>(k.g, k.stored, before, now, nullptr);
}

/* The plane of a step. */
template <uint32_t bytes, int bits>
static __device__ __forceinline__ clerk clerk_of(const rip_wave_task &task,
						 const rip_wave_colour &colour,
						 const colour_places &at, uint32_t step,
						 uint32_t lane)
{
	unsigned char *shared = rip_shared();
	const uint32_t plane = colour.order[step], stage = stage_of(colour, step);
	clerk k;

	k.g.lane = lane;
	k.g.out = task.out + colour.out[plane] +
		  (uint64_t)(task.row + lane) * colour.out_pitch[plane];
	k.g.out_words = lane < task.rows ? (task.width + 31) / 32 : 0;
#pragma unroll
	for (uint32_t i = 0; i < 4; i++) {
		const int valid = (int)(((task.width - 1) % 32 + 1) * bits - 32 * i);

		k.g.out_mask[i] = valid >= 32 ? ~0u : valid <= 0 ? 0 : ~(~0u >> valid);
	}
	k.in = task.in + colour.in[plane] + (uint64_t)(task.row + lane) * colour.in_pitch[plane];
	k.pieces = lane < task.rows ? colour.in_pitch[plane] / 16 : 0;
	k.row = at.samples + (step * 32 + lane) * row_pitch(bytes);
	k.alone = colour.kind[stage] == RIP_WAVE_ALONE;
	k.targets = at.targets + (k.alone ? 2048 : 0);
	k.pixels = (uint2 *)(shared + at.pixels) + step * prepared * 32 + lane;
	k.levels = (uint32_t *)(shared + at.levels) + step * prepared / 4 * 32 + lane;
	k.dots = (const uint32_t *)(shared + at.dots) + step * kept * bits * 32 + lane;
	k.done = (const uint32_t *)(shared + at.done) + stage;
	k.ready = (uint32_t *)(shared + at.prepared) + step;
	k.c = k.stored = 0;
	k.keeps = is_passed(task, colour, plane, lane) ? 0 : 0xffff;
	k.adds = k.keeps ? 0 : colour_passes;
	k.weights = (const unsigned char *)colour.weights +
		    (uint64_t)(task.row + lane) * colour.weights_pitch;
	k.weights_pieces = lane < task.rows ? colour.weights_pitch / 16 : 0;
	k.weights_row = step == 0 && colour.weights ? at.weights + lane * row_pitch(2) : 0;
	return k;
}

/* Does a clerk's work for the planes of one step, or of two. */
template <class source, int bits>
static __device__ __forceinline__ void
do_clerk(const rip_gpu_shape &shape, const rip_wave_launch &launch, const rip_wave_task &task,
	 const rip_wave_colour &colour, const colour_places &at, uint32_t first, uint32_t second,
	 uint32_t lane)
{
	const uint32_t bytes = source::bytes, late = rule_blue::skew * lane;
	const uint32_t blocks = colour_blocks(task.width, task.rows), end = 32 * blocks;
	clerk k = clerk_of<bytes, bits>(task, colour, at, first, lane);
	clerk other = clerk_of<bytes, bits>(task, colour, at, second, lane);
	uint32_t left = first == second ? 1 : 2, vain = 0, pause = 20, spins = 0;
	uint64_t since = 0;

	fetch_pieces<bytes>(k.in, k.pieces, k.row, 0 - late, 0, 5 * bytes);
	if (left == 2)
		fetch_pieces<bytes>(other.in, other.pieces, other.row, 0 - late, 0, 5 * bytes);
	if (k.weights_row)
		fetch_pieces<2>(k.weights, k.weights_pieces, k.weights_row, 0 - late, 0, 5 * 2);
	rip_copy_commit();
	rip_copy_wait<0>();
	__syncwarp();
	while (left > 0) {
		const uint32_t done = __shfl_sync(~0u, rip_load_acquire(k.done), 0);
		const uint32_t seen = done < end ? done : end;
		const bool stores = 32 * (k.stored + 1) <= seen;
		const bool prepares = k.c < end &&
				      (int32_t)(done - k.c) >= (int32_t)(chunk - prepared);

		__syncwarp(); /* after lane 0's look */
		if (stores) {
			store_block<bits>(k);
			k.stored++;
			left -= k.stored == blocks;
		}
		if (prepares) {
			/* All but the latest four commits: the chunk's pieces are there. */
			rip_copy_wait<4>();
			prepare<source, bits>(shape, k);
			__syncwarp();
			rip_fence();
			if (lane == 0)
				rip_store_one(k.ready, k.c + chunk);
			/* What the fifth chunk from here needs.  After the fence, which waits for
			 * copies. */
			fetch_pieces<bytes>(k.in, k.pieces, k.row, k.c - late, 5 * bytes, bytes);
			if (k.weights_row)
				fetch_pieces<2>(k.weights, k.weights_pieces, k.weights_row,
						k.c - late, 5 * 2, 2);
			rip_copy_commit();
			k.c += chunk;
		}
		vain = stores || prepares ? 0 : vain + 1;
		if (vain >= 2) {
			wait_on(launch, spins, since, pause);
			pause = pause < long_pause ? 2 * pause : long_pause;
		} else {
			since = 0;
			pause = 20;
		}
		/* The same code for both, and not twice: a multiprocessor's cache of code is
		 * small. */
		if (first != second) {
			const clerk last = k;

			k = other;
			other = last;
		}
	}
}

#endif
