/*
 * The wavefront: one launch, strips that wait for each other by flags.
 *
 * A strip is 32 rows, a lane of a warp each.  In step c lane i does column c - 4i, so
 * the row above is four columns ahead: what it sends to a column is known one column
 * later, goes to the lane below by a shuffle in the same step, and is used three steps
 * after that, when it has long arrived.
 *
 * A part is up to four strips, and a block: a warp a strip, and two more that bring
 * and take carries, so that the strips' code is the same wherever they are:
 *
 *	        carry_in, or the words of the part before
 *	inbound warp  -> ring 0 -> strip 0 -> ring 1 -> ... -> ring n -> outbound warp
 *	        carry_out, or the words for the part after
 *
 * Rings are in shared memory: slot s holds what a row sends to column s - 1 of the row
 * below, at s modulo the ring's size.  made[r] counts slots that are there, used[r]
 * slots that may be overwritten; each has one writer, who releases, and one reader,
 * who acquires.
 *
 * Between blocks carries travel as 64-bit words {launch number, two carries}.  A word
 * is read and written by one access each, so it says itself whether it is there, and
 * needs no fence.
 *
 * Why each wait ends.  Take the parts by ticket: a block draws one when it starts, so
 * every part with a smaller ticket runs or has ended.  The inbound warp waits for words
 * of the part before, which has a smaller ticket, or for space in ring 0.  A strip
 * waits for carries of the ring above, or for space in the ring below.  The outbound
 * warp waits for carries only, and never for space.  Data flows down, space flows up:
 * of all columns that are not done, the first of the smallest ticket's first strip
 * waits for nothing, since a ring holds more than a strip needs to go on (48 slots).
 * What then still waits for `patience` is a broken device or a bug: it says so and gives
 * up, and so does everyone else.
 *
 * Memory safety does not depend on flags: samples are read up to the pitch, dots are
 * stored for columns and rows of the image only.
 */
#include "wavefront.h"

#include "step.cuh"

#ifndef RIP_WAVE_RING
#define RIP_WAVE_RING 256 /* slots; a power of two, 64 or more */
#endif

static const uint32_t ring_size = RIP_WAVE_RING;
static const uint32_t skew = 4;
static const uint32_t row_bytes = 512;  /* of samples a lane has in shared memory: */
static const uint32_t tile_bytes = 128; /* four tiles */
static const uint32_t everything = 1u << 30;

/* Shared memory, in this order. */
struct layout {
	unsigned char *samples;  /* [warps][32][row_bytes] */
	uint32_t      *rings;    /* [warps + 1][ring_size] */
	uint32_t      *made;     /* [warps + 1] */
	uint32_t      *used;     /* [warps + 1] */
	uint32_t      *ticket;   /* [1] */
	uint32_t      *targets;  /* [256], if there is a table */
};

static __device__ __forceinline__ layout lay_out(uint32_t warps)
{
	layout l;

	l.samples = rip_shared();
	l.rings = (uint32_t *)(l.samples + warps * 32 * row_bytes);
	l.made = l.rings + (warps + 1) * ring_size;
	l.used = l.made + warps + 1;
	l.ticket = l.used + warps + 1;
	l.targets = l.ticket + 1;
	return l;
}

uint32_t rip_wave_shared(const rip_gpu_shape *shape, uint32_t warps)
{
	return warps * 32 * row_bytes + (warps + 1) * (ring_size + 2) * 4 + 4 +
	       (shape->targets && shape->sample_bits == 8 ? 1024 : 0);
}

/* Words from part to part: slots 0..width, two in a word. */
static __host__ __device__ __forceinline__ uint32_t words_of(uint32_t width)
{
	return width / 2 + 1;
}

uint64_t rip_wave_scratch(const rip_gpu_shape *shape, uint32_t rows, uint32_t warps)
{
	return (uint64_t)(rip_wave_parts(rows, warps) - 1) * words_of(shape->width) * 8;
}

/* ---- where targets come from: four samples at a time, bits as step.cuh has them ---- */

struct plain8 { /* 8 bits, two levels, no curve */
	static const uint32_t bytes = 1;
	uint32_t samples;

	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *, uint32_t t) const
	{
		return rip_step_target(samples, t);
	}
};

struct table8 { /* 8 bits through a table in shared memory */
	static const uint32_t bytes = 1;
	uint32_t samples;

	__device__ void load(const unsigned char *at) { samples = *(const uint32_t *)at; }
	__device__ uint32_t target(const rip_gpu_shape &, const uint32_t *table, uint32_t t) const
	{
		return table[samples >> 8 * t & 255];
	}
};

struct any16 { /* 16 bits; a table, if any, is in global memory */
	static const uint32_t bytes = 2;
	uint2 samples;

	__device__ void load(const unsigned char *at) { samples = *(const uint2 *)at; }
	__device__ uint32_t target(const rip_gpu_shape &shape, const uint32_t *, uint32_t t) const
	{
		const uint32_t v = (t < 2 ? samples.x : samples.y) >> 16 * (t & 1) & 65535;

		return RIP_TARGET + (uint32_t)(shape.targets ? shape.targets[v]
							     : rip_target(v, shape.levels));
	}
};

/* ---- waiting ---- */

/* Time is up: for us, or for anyone. */
static __device__ bool expired(const rip_wave &wave, uint64_t &since)
{
	const uint64_t now = rip_clock();

	if (since == 0)
		since = now;
	if (now - since > wave.patience)
		atomicAdd(wave.stalled, 1u);
	return *(volatile uint32_t *)wave.stalled != 0;
}

/* Waits until *counter is at least `need`; its value, or 0 if time is up.  All lanes
 * get the same. */
static __device__ __forceinline__ uint32_t await(const rip_wave &wave, const uint32_t *counter,
						 uint32_t need)
{
	uint64_t since = 0;

	for (uint32_t spins = 1;; spins++) {
		const uint32_t value = __shfl_sync(~0u, rip_load_acquire(counter), 0);

		if (value >= need)
			return value;
		rip_relax(spins < 256 ? 0 : 100);
		if (spins % 65536 == 0 && __shfl_sync(~0u, expired(wave, since), 0))
			return 0;
	}
}

/* ---- a strip ---- */

struct strip {
	const unsigned char *in;   /* its first row */
	uint8_t             *out;  /* the lane's row */
	uint64_t             pitch;
	uint32_t             lane, tail; /* the last row of the strip that exists */
	unsigned char       *samples;    /* of the strip, in shared memory */
	const uint32_t      *above;      /* ring */
	uint32_t            *below;      /* ring */
	const uint32_t      *made_above, *used_below;
	uint32_t            *made_below, *used_above;
	const uint32_t      *targets;
};

/* Starts to copy a tile of samples. */
static __device__ __forceinline__ void load_tile(const strip &s, uint32_t tile)
{
	if ((uint64_t)tile * tile_bytes < s.pitch) {
#pragma unroll
		for (uint32_t i = 0; i < 8; i++) {
			const uint32_t row = i * 4 + s.lane / 8, at = s.lane % 8 * 16;

			if (row <= s.tail)
				rip_copy16(s.samples + row * row_bytes +
						   tile * tile_bytes % row_bytes + at,
					   s.in + row * s.pitch + (uint64_t)tile * tile_bytes + at);
		}
	}
	rip_copy_commit();
}

/* Stores the lane's 32 dots that begin at a multiple of 32 columns: the last dots of
 * the columns before and the first of these. */
template <int bits>
static __device__ __forceinline__ void store_dots(const strip &s, uint32_t width, uint32_t turn,
						  const uint32_t before[bits],
						  const uint32_t now[bits])
{
	/* Lane i is 4i columns behind: 4 * (-i mod 8) of its dots wait from the turn before. */
	const uint32_t waiting = (0 - s.lane) % 8 * 4 * bits; /* bits */
	const uint32_t behind = (s.lane + 7) / 8;
	uint32_t word[bits];

	if (s.lane > s.tail || turn < behind || (uint64_t)(turn - behind) * 32 >= width)
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

	uint32_t *out = (uint32_t *)s.out + (uint64_t)(turn - behind) * bits;

#pragma unroll
	for (int m = 0; m < bits; m++)
		word[m] = __byte_perm(word[m], 0, 0x0123); /* the first dot is in the first byte */
	if (bits == 1)
		*out = word[0];
	else if (bits == 2)
		*(uint2 *)out = make_uint2(word[0], word[bits - 1]);
	else
		*(uint4 *)out = make_uint4(word[0], word[1 % bits], word[2 % bits], word[bits - 1]);
}

/* What a strip keeps from turn to turn. */
template <int bits> struct turning {
	rip_step step;
	uint32_t above[3];   /* what comes to the next three columns */
	uint32_t made;       /* slots known to be in the ring above */
	uint32_t dots[bits]; /* of the last turn */
};

/* A turn: 32 steps, in two halves that hand carries on.  masked: some lanes are outside
 * their row; they make neither dots nor errors.  false: time is up. */
template <class source, int bits, bool masked>
static __device__ __forceinline__ bool turn_of(const rip_gpu_shape &shape, const rip_wave &wave,
					       const strip &s, uint32_t turn, turning<bits> &state)
{
	uint32_t dots[bits];

	for (int m = 0; m < bits; m++)
		dots[m] = 0;
#pragma unroll
	for (uint32_t half = 0; half < 2; half++) {
		const uint32_t c = turn * 32 + half * 16;
		const uint32_t need = c + 20 < shape.width + 1 ? c + 20 : shape.width + 1;
		uint4 ahead[4];

		/* For lane 0: slots c+4 .. c+19, columns c+3 .. c+18. */
		if (state.made < need) {
			state.made = await(wave, s.made_above, need);
			if (state.made == 0)
				return false;
		}
#pragma unroll
		for (uint32_t g = 0; g < 4; g++)
			ahead[g] = *(const uint4 *)(s.above + (c + 4 + 4 * g) % ring_size);
#pragma unroll
		for (uint32_t g = 0; g < 4; g++) {
			const uint32_t first = c + 4 * g - skew * s.lane; /* the lane's column */
			const uint32_t from[4] = { ahead[g].x, ahead[g].y, ahead[g].z, ahead[g].w };
			uint32_t sum[4], down[4];
			source samples;

			samples.load(s.samples + s.lane * row_bytes + first * source::bytes % row_bytes);
#pragma unroll
			for (uint32_t t = 0; t < 4; t++) {
				sum[t] = rip_step_sum(state.step,
						      samples.target(shape, s.targets, t),
						      state.above[0]);
				if (masked && first + t >= shape.width)
					sum[t] = RIP_EMPTY; /* also where first is below 0 */
				down[t] = rip_step_push(state.step, sum[t]);

				const uint32_t next = __shfl_up_sync(~0u, down[t], 1);

				state.above[0] = state.above[1];
				state.above[1] = state.above[2];
				state.above[2] = s.lane == 0 ? from[t] : next;
			}
			if (s.lane == s.tail)
				*(uint4 *)(s.below + first % ring_size) =
					make_uint4(down[0], down[1], down[2], down[3]);
			uint32_t &word = dots[(half * 4 + g) * bits / 8];

			word = rip_step_pack<bits>(word, sum);
		}
		if (s.lane == s.tail && (!masked || c + 16 > skew * s.tail))
			rip_store_release(s.made_below, c + 16 - skew * s.tail);
	}
	if (s.lane == 0)
		rip_store_release(s.used_above, turn * 32 + 36);
#pragma unroll
	for (int m = 0; m < bits; m++)
		dots[m] = rip_step_dots<bits>(dots[m]);
	store_dots<bits>(s, shape.width, turn, state.dots, dots);
#pragma unroll
	for (int m = 0; m < bits; m++)
		state.dots[m] = dots[m];
	return true;
}

template <class source, int bits>
static __device__ __forceinline__ void run_strip(const rip_gpu_shape &shape, const rip_wave &wave,
						 const strip &s)
{
	/* Enough for lane 31 to do column `width`, which ends the carry. */
	const uint32_t turns = (shape.width + 31) / 32 + 4;
	const uint32_t turns_per_tile = tile_bytes / source::bytes / 32;
	/* Lane 31 still reads what lane 0 read 124 columns ago. */
	const int ahead = source::bytes == 1 ? 2 : 1;
	turning<bits> state;
	uint32_t room = 0; /* slots of the ring below known to be free */

	for (int tile = 0; tile < ahead; tile++)
		load_tile(s, tile);
	state.made = await(wave, s.made_above, shape.width < 3 ? shape.width + 1 : 4);
	if (state.made == 0)
		return;
	rip_step_begin(state.step);
	for (int t = 0; t < 3; t++)
		state.above[t] = s.above[1 + t];
	for (int m = 0; m < bits; m++)
		state.dots[m] = 0;
	for (uint32_t turn = 0; turn < turns; turn++) {
		bool whole = turn >= 4 && (turn + 1) * 32 <= shape.width;

		if (turn % turns_per_tile == 0) {
			load_tile(s, turn / turns_per_tile + ahead);
			rip_copy_wait<ahead>();
			__syncwarp();
		}
		/* This turn fills slots up to here; those that are still unread stay. */
		if ((turn + 1) * 32 > room + ring_size + skew * s.tail) {
			room = await(wave, s.used_below, (turn + 1) * 32 - ring_size - skew * s.tail);
			if (room == 0)
				return;
		}
		whole = whole ? turn_of<source, bits, false>(shape, wave, s, turn, state)
			      : turn_of<source, bits, true>(shape, wave, s, turn, state);
		if (!whole)
			return;
	}
	if (s.lane == 0)
		rip_store_release(s.used_above, everything);
	if (s.lane == s.tail)
		rip_store_release(s.made_below, everything);
}

/* ---- carries in and out ---- */

/* Fills ring 0 from the carry that came with the work. */
static __device__ void bring_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const int16_t *carry, uint32_t lane)
{
	for (uint32_t first = 0; first <= shape.width; first += 64) {
		if (first + 64 > ring_size && !await(wave, &l.used[0], first + 64 - ring_size))
			return;
		for (uint32_t slot = first + lane; slot < first + 64; slot += 32)
			if (slot >= 1 && slot <= shape.width)
				l.rings[slot % ring_size] = rip_step_carry(carry[slot - 1]);
		__syncwarp();
		if (lane == 0)
			rip_store_release(&l.made[0], first + 64);
	}
}

/* Fills ring 0 from the words of the part before, as they come. */
static __device__ void bring_words(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const uint64_t *words, uint32_t lane)
{
	const uint32_t count = words_of(shape.width);

	for (uint32_t first = 0; first < count; first += 32) {
		const uint32_t at = first + lane;
		uint32_t taken = 0, spins = 0;
		uint64_t since = 0;

		if (first * 2 + 64 > ring_size &&
		    !await(wave, &l.used[0], first * 2 + 64 - ring_size))
			return;
		while (taken < 32) {
			const uint64_t word = at < count ? rip_load_word(words + at)
							 : (uint64_t)wave.number << 32;
			const uint32_t missing = __ballot_sync(~0u, (uint32_t)(word >> 32) != wave.number);
			const uint32_t there = missing ? __ffs((int)missing) - 1 : 32;

			if (there > taken) {
				if (lane >= taken && lane < there)
					*(uint2 *)(l.rings + at * 2 % ring_size) =
						make_uint2(rip_step_carry((int16_t)word),
							   rip_step_carry((int16_t)(word >> 16)));
				__syncwarp();
				if (lane == 0)
					rip_store_release(&l.made[0], (first + there) * 2);
				taken = there;
				continue;
			}
			rip_relax(0);
			if (++spins % 65536 == 0 && __shfl_sync(~0u, expired(wave, since), 0))
				return;
		}
	}
}

/* Empties the last ring: into words for the part after, or the carry of the work. */
static __device__ void take_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  uint64_t *words, int16_t *carry, uint32_t lane)
{
	const uint32_t slots = shape.width + 1;

	for (uint32_t done = 0; done < slots;) {
		const uint32_t ready = await(wave, made, slots < done + 2 ? slots : done + 2);
		uint32_t to = ready < slots ? ready & ~1u : slots;
		const uint32_t slot = done + 2 * lane;

		if (ready == 0)
			return;
		to = to < done + 64 ? to : done + 64;
		if (slot < to) {
			const uint2 value = *(const uint2 *)(ring + slot % ring_size);
			const uint32_t low = rip_step_value(value.x), high = rip_step_value(value.y);

			if (words)
				rip_store_word(words + slot / 2,
					       (uint64_t)wave.number << 32 | high << 16 | low);
			if (carry && slot >= 1)
				carry[slot - 1] = (int16_t)low;
			if (carry && slot < shape.width)
				carry[slot] = (int16_t)high;
		}
		done = to;
		__syncwarp();
		if (lane == 0)
			rip_store_release(used, done);
	}
	if (lane == 0)
		rip_store_release(used, everything);
}

/* ---- the launch ---- */

template <class source, int bits>
__global__ void __launch_bounds__((RIP_WAVE_WARPS + 2) * 32, 3)
rip_wavefront(rip_gpu_shape shape, rip_wave wave)
{
	const layout l = lay_out(wave.warps);
	const uint32_t lane = threadIdx.x % 32;
	const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0); /* known to be uniform */

	if (threadIdx.x == 0)
		*l.ticket = atomicAdd(wave.ticket, 1u) - wave.first;
	if (threadIdx.x <= wave.warps)
		l.made[threadIdx.x] = l.used[threadIdx.x] = 0;
	if (shape.targets && source::bytes == 1)
		for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x)
			l.targets[v] = RIP_TARGET + (uint32_t)shape.targets[v];
	__syncthreads();

	const uint32_t ticket = __shfl_sync(~0u, *l.ticket, 0);
	const uint2 place = wave.parts[ticket]; /* {work, part} */
	const rip_gpu_work work = wave.works[place.x];
	const uint32_t words = words_of(shape.width);
	const uint32_t first = place.y * wave.warps * 32; /* row of the work */
	const uint32_t left = work.rows - first;
	const uint32_t strips = left < wave.warps * 32 ? (left + 31) / 32 : wave.warps;
	const bool last = left <= wave.warps * 32;

	if (warp < strips) {
		const uint32_t rows = left - warp * 32 < 32 ? left - warp * 32 : 32;
		const uint64_t row = first + warp * 32;
		strip s;

		s.in = work.in + row * work.in_pitch;
		s.out = work.out + (row + lane) * work.out_pitch;
		s.pitch = work.in_pitch;
		s.lane = lane;
		s.tail = rows - 1;
		s.samples = l.samples + warp * 32 * row_bytes;
		s.above = l.rings + warp * ring_size;
		s.below = l.rings + (warp + 1) * ring_size;
		s.made_above = &l.made[warp];
		s.used_above = &l.used[warp];
		s.made_below = &l.made[warp + 1];
		s.used_below = &l.used[warp + 1];
		s.targets = l.targets;
		run_strip<source, bits>(shape, wave, s);
	} else if (warp == wave.warps) {
		if (place.y == 0)
			bring_carry(shape, wave, l, work.carry_in, lane);
		else
			bring_words(shape, wave, l,
				    (const uint64_t *)work.scratch + (uint64_t)(place.y - 1) * words, lane);
	} else if (warp == wave.warps + 1) {
		take_carry(shape, wave, l.rings + strips * ring_size, &l.made[strips], &l.used[strips],
			   last ? nullptr : (uint64_t *)work.scratch + (uint64_t)place.y * words,
			   last ? work.carry_out : nullptr, lane);
	}
}

typedef void (*wave_kernel)(rip_gpu_shape, rip_wave);

static const wave_kernel kernels[] = {
	rip_wavefront<plain8, 1>, rip_wavefront<table8, 1>, rip_wavefront<table8, 2>,
	rip_wavefront<table8, 4>, rip_wavefront<any16, 1>,  rip_wavefront<any16, 2>,
	rip_wavefront<any16, 4>,
};

static wave_kernel kernel_of(const rip_gpu_shape *shape)
{
	const int more = shape->bits == 1 ? 0 : shape->bits == 2 ? 1 : 2;

	if (shape->sample_bits == 16)
		return kernels[4 + more];
	return shape->targets ? kernels[1 + more] : kernels[0];
}

cudaError_t rip_wave_prepare(uint32_t warps)
{
	const int32_t none = 0;
	const rip_gpu_shape most = { 1, 16, 8, 4, &none };
	cudaError_t error = cudaSuccess;

	for (const wave_kernel kernel : kernels)
		if (error == cudaSuccess)
			error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
						     (int)rip_wave_shared(&most, warps));
	return error;
}

cudaError_t rip_wave_launch(const rip_gpu_shape *shape, const rip_wave *wave, cudaStream_t stream)
{
	const wave_kernel kernel = kernel_of(shape);

	RIP_LAUNCH(kernel, dim3(wave->blocks), (wave->warps + 2) * 32,
		   rip_wave_shared(shape, wave->warps), stream, *shape, *wave);
	return cudaGetLastError();
}
