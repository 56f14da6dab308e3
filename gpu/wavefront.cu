/*
 * The wavefront: one launch, strips that wait for each other by flags.
 *
 * A strip is 64 rows, two a lane of a warp.  In step c lane i does column c - 4i of its
 * upper row and column c - 4i - 2 of its lower row: the least distance there can be, as
 * a pixel needs the one above and to the right.  What the upper row sends down stays in
 * the lane, for its next step; what the lower row sends down goes to the lane below by a
 * shuffle, also for the next step.  Two rows a lane because their chains of dependent
 * instructions do not depend on each other within a step, and fill each other's waits.
 *
 * A part is up to four strips, and a block: a warp a strip, and two more that bring
 * and take carries, so that the strips' code is the same wherever they are:
 *
 *	        carry_in, or the words of the part before
 *	inbound warp  -> ring 0 -> strip 0 -> ring 1 -> ... -> ring n -> outbound warp
 *	        carry_out, or the words for the part after
 *
 * Rings are in shared memory.  In step c a strip's last row makes what the row below
 * gets at column c - 127: position c of the ring below, at c modulo its size.  The strip
 * below is 128 steps behind.  (A strip that ends the image is shorter: lead() then takes
 * the place of 127.)  made[r] counts positions that are there, used[r] those that may be
 * overwritten; each has one writer, who releases, and one reader, who acquires.
 *
 * Between blocks carries travel as 64-bit words {launch number, two carries}.  A word
 * is read and written by one access each, so it says itself whether it is there, and
 * needs no fence.
 *
 * Why each wait ends.  Parts go by ticket: a block draws one when it starts, so every
 * part with a smaller ticket runs or has ended.  The inbound warp waits for words of
 * the part before, which has a smaller ticket, or for space in ring 0.  A strip waits
 * for carries of the ring above, or for space in the ring below.  The outbound warp
 * waits for carries only, never for space.  Data flows down, space flows up: a strip
 * that waits for space has made all that the strip below needs for its next 64 steps, so
 * of two neighbours one can go on, as long as a ring holds 128 or more.  What then still
 * waits for `patience` is a broken device or a bug: it says so and gives up, and so does
 * everyone else.
 *
 * Memory safety does not depend on flags: samples are read up to the pitch, dots are
 * stored for columns and rows of the image only.
 */
#include "wavefront.cuh"

#include "step.cuh"

#ifndef RIP_WAVE_RING
#define RIP_WAVE_RING 512 /* positions; a power of two, 128 or more */
#endif

static const uint32_t strip_rows = 64;
static const uint32_t ring_size = RIP_WAVE_RING;
static const uint32_t behind = 128;         /* steps from a strip to the one below */
static const uint32_t kept_columns = 256;   /* of samples that a row has in shared memory */
static const uint32_t ahead = 2;            /* turns that samples are fetched before use */
static const uint32_t everything = 1u << 30;

/* Shared memory, in this order. */
struct layout {
	unsigned char *samples; /* [warps][64 rows][256 columns] */
	uint32_t      *rings;   /* [warps + 1][ring_size] */
	uint32_t      *made;    /* [warps + 1] */
	uint32_t      *used;    /* [warps + 1] */
	uint32_t      *ticket;  /* [1] */
	uint32_t      *targets; /* [256], if there is a table */
};

static __device__ __forceinline__ layout lay_out(uint32_t warps, uint32_t bytes)
{
	layout l;

	l.samples = rip_shared();
	l.rings = (uint32_t *)(l.samples + warps * strip_rows * kept_columns * bytes);
	l.made = l.rings + (warps + 1) * ring_size;
	l.used = l.made + warps + 1;
	l.ticket = l.used + warps + 1;
	l.targets = l.ticket + 1;
	return l;
}

static uint32_t shared_of(const rip_gpu_shape *shape, uint32_t warps)
{
	return warps * strip_rows * kept_columns * shape->sample_bits / 8 +
	       (warps + 1) * (ring_size + 2) * 4 + 4 +
	       (shape->targets && shape->sample_bits == 8 ? 1024 : 0);
}

uint32_t rip_wave_warps(const rip_gpu_shape *shape, uint32_t shared)
{
	uint32_t warps = RIP_WAVE_WARPS;

	while (warps > 1 && shared_of(shape, warps) > shared)
		warps--;
	return warps;
}

uint32_t rip_wave_parts(uint32_t rows, uint32_t warps)
{
	return (rows + strip_rows * warps - 1) / (strip_rows * warps);
}

/* Words from part to part: columns -1 .. width - 1 and one more, two in a word. */
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
	static const bool zero = true; /* the target of 0 is 0 */
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

/* Waits until *counter is at least `need`; false if time is up.  known: a value it has
 * had, and has now.  patient: asks so often without a pause.  All lanes read the same
 * counter, and go on together. */
static __device__ __forceinline__ bool await(const rip_wave &wave, const uint32_t *counter,
					     uint32_t need, uint32_t &known, uint32_t patient = 1)
{
	uint64_t since = 0;

	for (uint32_t spins = 0; __any_sync(~0u, known < need); spins++) {
		if (spins > 0)
			rip_relax(spins < patient ? 0 : 40);
		if (spins % 65536 == 65535 && __any_sync(~0u, expired(wave, since)))
			return false;
		known = rip_load_acquire(counter);
	}
	return true;
}

/* The same for a warp that takes all there is: how much that is, or 0 if time is up.  Lanes
 * may read the counter at different times, and then see different values; so one lane's
 * counts.  What happened before that lane's read has then happened for all. */
static __device__ __forceinline__ uint32_t await_any(const rip_wave &wave, const uint32_t *counter,
						     uint32_t need, uint32_t &known)
{
	if (!await(wave, counter, need, known))
		return 0;
	known = __shfl_sync(~0u, known, 0);
	__syncwarp();
	return known;
}

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

/* ---- carries in and out ---- */

/* Fills ring 0 from the carry that came with the work. */
static __device__ void bring_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const int16_t *carry, uint32_t lane)
{
	uint32_t room = 0;

	for (uint32_t j = 0; j < shape.width; j += 32) { /* column j is at position j + 127 */
		const uint32_t to = j + 32 + behind - 1;

		if (to > ring_size && !await(wave, &l.used[0], to - ring_size, room))
			return;
		if (j + lane < shape.width)
			l.rings[(j + lane + behind - 1) % ring_size] = rip_step_carry(carry[j + lane]);
		__syncwarp();
		if (lane == 0)
			rip_store_release(&l.made[0], to);
	}
	if (lane == 0)
		rip_store_release(&l.made[0], everything);
}

/* Fills ring 0 from the words of the part before, as they come. */
static __device__ void bring_words(const rip_gpu_shape &shape, const rip_wave &wave,
				   const layout &l, const uint64_t *words, uint32_t lane)
{
	const uint32_t count = words_of(shape.width);
	uint32_t room = 0;

	for (uint32_t first = 0; first < count; first += 16) {
		/* Word w is positions 126 + 2w and 127 + 2w.  16 at a time: a ring of 128 can
		 * hold them beside what the strip still reads. */
		const uint32_t at = first + lane, from = first * 2 + behind - 2;
		uint32_t taken = 0, spins = 0;
		uint64_t since = 0;

		if (from + 32 > ring_size && !await(wave, &l.used[0], from + 32 - ring_size, room))
			return;
		while (taken < 16) {
			const bool asks = lane < 16 && at < count;
			const uint64_t word = asks ? rip_load_word(words + at) : 0;
			const uint32_t missing =
				__ballot_sync(~0u, asks && (uint32_t)(word >> 32) != wave.number);
			const uint32_t there = missing ? (uint32_t)__ffs((int)missing) - 1 : 16;

			if (there > taken) {
				if (lane >= taken && lane < there)
					*(uint2 *)(l.rings + (from + 2 * lane) % ring_size) =
						make_uint2(rip_step_carry((int16_t)word),
							   rip_step_carry((int16_t)(word >> 16)));
				__syncwarp();
				if (lane == 0)
					rip_store_release(&l.made[0], from + there * 2);
				taken = there;
				continue;
			}
			rip_relax(0);
			if (++spins % 65536 == 0 && __any_sync(~0u, expired(wave, since)))
				return;
		}
	}
	if (lane == 0)
		rip_store_release(&l.made[0], everything);
}

/* Empties the last ring into words for the part after. */
static __device__ void take_words(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  uint64_t *words, uint32_t lane)
{
	const uint32_t end = behind - 2 + words_of(shape.width) * 2;
	uint32_t ready = 0;

	if (lane == 0)
		rip_store_release(used, behind - 32);
	for (uint32_t done = behind - 2; done < end;) {
		const uint32_t at = done + 2 * lane;
		uint32_t to;

		if (!await_any(wave, made, done + 2, ready))
			return;
		to = ready < end ? ready & ~1u : end;
		to = to < done + 64 ? to : done + 64;
		if (at < to) {
			const uint2 value = *(const uint2 *)(ring + at % ring_size);

			rip_store_word(words + (at - behind + 2) / 2,
				       (uint64_t)wave.number << 32 | rip_step_value(value.y) << 16 |
					       rip_step_value(value.x));
		}
		done = to;
		__syncwarp();
		if (lane == 0)
			rip_store_release(used, done);
	}
	if (lane == 0)
		rip_store_release(used, everything);
}

/* Empties the last ring into the carry of the work. */
static __device__ void take_carry(const rip_gpu_shape &shape, const rip_wave &wave,
				  const uint32_t *ring, const uint32_t *made, uint32_t *used,
				  int16_t *carry, uint32_t zero, uint32_t lane)
{
	uint32_t ready = 0;

	for (uint32_t done = zero; done < zero + shape.width;) {
		uint32_t to;

		if (!await_any(wave, made, done + 1, ready))
			return;
		to = ready < zero + shape.width ? ready : zero + shape.width;
		to = to < done + 32 ? to : done + 32;
		if (done + lane < to)
			carry[done + lane - zero] = (int16_t)rip_step_value(ring[(done + lane) % ring_size]);
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
	const layout l = lay_out(wave.warps, source::bytes);
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
	const uint32_t all = wave.warps * strip_rows;
	const uint32_t first = place.y * all; /* row of the work */
	const uint32_t left = work.rows - first;
	const uint32_t strips = left < all ? (left + strip_rows - 1) / strip_rows : wave.warps;

	if (warp < strips) {
		const uint64_t row = first + warp * strip_rows;
		strip s;

		const uint32_t pieces = 2 * source::bytes; /* of 16 bytes that a turn has of a row */
		const uint32_t kept = kept_columns * source::bytes;

		s.lane = lane;
		s.rows = left - warp * strip_rows < strip_rows ? left - warp * strip_rows : strip_rows;
		s.tail = lane == (s.rows - 1) / 2;
		s.in = work.in + (row + lane / pieces) * work.in_pitch + lane % pieces * 16;
		s.in_pitch = work.in_pitch;
		s.in_rows = lane / pieces < s.rows ? s.rows - lane / pieces : 0;
		s.out = work.out + (row + 2 * lane) * work.out_pitch;
		s.out_pitch = work.out_pitch;
		s.samples = l.samples;
		s.fetched = rip_opaque((warp * strip_rows + lane / pieces) * kept + lane % pieces * 16);
		s.kept = rip_opaque((warp * strip_rows + lane * 2) * kept);
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
		const uint32_t *ring = l.rings + strips * ring_size;

		if (left > all)
			take_words(shape, wave, ring, &l.made[strips], &l.used[strips],
				   (uint64_t *)work.scratch + (uint64_t)place.y * words, lane);
		else
			take_carry(shape, wave, ring, &l.made[strips], &l.used[strips], work.carry_out,
				   lead(left - (strips - 1) * strip_rows), lane);
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

cudaError_t rip_wave_prepare(uint32_t shared)
{
	cudaError_t error = cudaSuccess;

	for (const wave_kernel kernel : kernels)
		if (error == cudaSuccess)
			error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
						     (int)shared);
	return error;
}

cudaError_t rip_wave_launch(const rip_gpu_shape *shape, const rip_wave *wave, cudaStream_t stream)
{
	const wave_kernel kernel = kernel_of(shape);

	RIP_LAUNCH(kernel, dim3(wave->blocks), (wave->warps + 2) * 32, shared_of(shape, wave->warps),
		   stream, *shape, *wave);
	return cudaGetLastError();
}
