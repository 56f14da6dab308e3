/*
 * The wavefront of blue noise for colour (halftone/screen/blue_noise_colour.h): the planes of a
 * page together.  wavefront.cu has the picture for one plane.
 *
 * A thread block computes some rows of all planes.  For each group of 32 rows it has a warp for
 * each stage: a plane, or two planes of which the first looks ahead at the second.  These two
 * cannot be apart: each pixel of the first needs the sum of the second, and that needs the pixel
 * of the first before it.  The stages follow each other some columns apart:
 *
 *	group 0:  K -> M, C -> Y		downwards: carries, by rings
 *	          |    |  |    |		->: what a pixel's inks have left so far
 *	group 1:  K -> M, C -> Y
 *
 * So a step takes as long as the slowest stage, two planes, and not as long as all planes.
 *
 * Counters.  Each of these warps has one, `done`: how many steps it has done, in eights.  It
 * stores the counter behind a fence, and others read it before they use what the warp has stored,
 * or use a place again that it has read:
 *
 *	- the next stage of the group, for what the inks have left: `exchange` has a word for each
 *	  of the last 32 steps and each lane
 *	- the same stage of the group below, for what goes down: by rings of colour_ring columns
 *	- the stage before, and the group above, for space
 *
 * Before each eight steps, the lanes of a warp look at one counter each.  What goes down from the
 * last group is stored to the words of the plane (wavefront.cuh) by the lane of its last row; for
 * group 0, receiving warps bring it from there, two planes each, with counters of columns.
 *
 * Why each wait ends.  Take the warps of a block in the order of the steps that they have done: of
 * those that have done as many, the first stage of the first group first.  The first warp that has
 * steps to do waits for no other for data: the stage before it and the group above have done more,
 * and warps that receive wait for slices before.  And it waits for no space: it would have to be
 * 24 steps ahead of the next stage, or colour_ring ahead of the group below.  So it goes on.
 *
 * Transparent rows.  In a row without grey of some plane (scan.cuh finds them) its carry passes:
 * the lane has no errors, and sends down what has come.
 *
 * Numbers are those of rule_blue.cuh.  A plane that is not alone counts in halves: an entry's high
 * 20 bits are (15 - h) << 16 | 65535 - b.  Added to the bits of u, they make a number whose bytes 0
 * and 1 are X = 32767 - (b + u), modulo 65536, and after 32768 was taken off for a dot, 32767 - e.
 * Byte 2 is then 0x8f - level.  With N = -seen and W = w / 4, the pixel has a dot if
 *
 *	u + mulr(-N, w) >= 16384 - b, or N * W + 8192 * X <= 16383 * 8192 + 4096
 *
 * |N * W| <= 2^27, and |8192 * X| < 2^30.
 */
#ifndef RIP_COLOUR_CUH
#define RIP_COLOUR_CUH

#include "group.cuh"
#include "rule_blue.cuh"

static const uint32_t colour_ring = RIP_WAVE_RING < 512 ? 256 : 512;
static const uint32_t exchanged = 32; /* steps */
static const uint32_t colour_receivers = 16; /* lanes for a plane */
/* Warps: up to two groups of RIP_WAVE_FEW stages, or one of RIP_WAVE_COLOURS, and those that
 * receive. */
static const uint32_t colour_groups = 2;
static const uint32_t colour_threads = (RIP_WAVE_COLOURS + RIP_WAVE_COLOURS / 2) * 32;

static_assert(colour_groups * RIP_WAVE_FEW <= RIP_WAVE_COLOURS, "there are threads for all");

/* alone: entries are those of blue noise. */
template <bool alone> struct rule_colour : rule_blue {
	static const uint32_t skew = 5, tile_columns = 256, per_word = 1, ahead = 2;

	static __device__ __forceinline__ uint32_t entry(uint32_t target)
	{
		const uint32_t half = ((target & 65535) + 1) >> 1;

		if (alone)
			return rule_blue::entry(target);
		return ((15 - (target >> 16)) << 16 | (65535 - half)) << 12 |
		       (rip_blue_noise_tone((int32_t)target) + 255);
	}
};

typedef rule_colour<false> colour_rule;

/* In a ring, what comes to column j is at j + ring_lead, where the row above stores it a step after
 * it was made: then both read and store aligned quads. */
static const uint32_t ring_lead = colour_rule::skew * (group_rows - 1) + colour_rule::lag + 1;

static_assert(ring_lead % 8 == 0 && ring_lead + 32 <= colour_ring, "quads are aligned");

/* ---- shared memory ---- */

/* Where its parts begin, in bytes. */
struct colour_places {
	uint32_t targets;  /* [2][256]: of planes that count in halves; alone */
	uint32_t exchange; /* [groups][planes - 1][exchanged][32] */
	uint32_t rings;    /* [groups][planes][colour_ring] */
	uint32_t samples;  /* [groups][planes][32 rows][tile_pitch] */
	uint32_t weights;  /* [groups][32 rows][tile_pitch], of 16 bits */
	uint32_t done;     /* [groups][planes], of stages */
	uint32_t received; /* [planes]: columns */
	uint32_t always;   /* a counter that all have waited for */
	uint32_t task, colour, end;
};

static __host__ __device__ __forceinline__ colour_places
colour_places_of(uint32_t planes, uint32_t groups, uint32_t sample_bytes)
{
	const uint32_t tile = group_rows * tile_pitch_of<colour_rule>();
	colour_places at = {};

	at.targets = colour_rule::memory;
	at.exchange = at.targets + (sample_bytes == 1 ? 2 * 1024 : 0);
	at.rings = at.exchange + groups * (planes - 1) * exchanged * 32 * 4;
	at.samples = at.rings + groups * planes * colour_ring * 4;
	at.weights = at.samples + groups * planes * tile * sample_bytes;
	at.done = at.weights + groups * tile * 2;
	at.received = at.done + groups * planes * 4;
	at.always = at.received + planes * 4;
	at.task = (at.always + 4 + 7) / 8 * 8;
	at.colour = at.task + (uint32_t)sizeof(rip_wave_task);
	at.end = at.colour + (uint32_t)sizeof(rip_wave_colour);
	return at;
}

/* ---- a stage of a group ---- */

struct stage {
	group     g[2];        /* its planes: samples and dots */
	group     weights;     /* of the first stage, if the coupling fades */
	bool      fades;
	uint32_t  lane;
	uint32_t  width, padded_width, blocks;
	uint32_t  row_offset, weights_offset; /* of the lane's row, in bytes of shared memory */
	uint32_t  samples_step; /* there: from plane to plane */
	uint32_t  targets;     /* as in struct group */
	bool      passes[2];   /* the lane's row is transparent */
	const uint32_t *gate;  /* the lane's counter: eight steps from c on can begin when it is */
	int32_t   needs;       /* c + needs */
	uint32_t *done;
	uint32_t  sees, seen;  /* what the stage before has left, and what the next one sees:
				  where in shared memory, in bytes; 0: there is none */
	const uint32_t *above[2]; /* rings */
	uint32_t *below[2];    /* NULL: the last group */
	uint64_t *words[2];    /* of the last group: where column 0 goes */
	bool      sends;       /* the lane has its last row */
	uint32_t  count;       /* of words, but for the one that announces them */
	uint32_t  sequence;    /* of these words */
};

template <class source, int bits, int planes> struct stage_state {
	rule_blue::state step[planes];
	uint32_t up[planes];   /* what comes to its next column from above */
	uint32_t last[planes]; /* the latest that it sent down */
	uint32_t entries[planes][4]; /* of the next four columns */
	uint32_t samples[planes][source::bytes + 1]; /* words of those after them */
	uint32_t before[planes][bits], dots[planes][bits];
};

/* Whether eight steps from c on can begin. */
static __device__ __forceinline__ bool is_open(const stage &s, uint32_t c)
{
	return !__any_sync(~0u, (int32_t)(rip_load_acquire(s.gate) - c) < s.needs);
}

static __device__ __forceinline__ int32_t limited(int32_t n)
{
	return max(min(n, 32768), -32767);
}

/* Whether an entry has a tone between two levels. */
static __device__ __forceinline__ bool is_between(uint32_t entry)
{
	return (~entry & 65535u << 12) != 0;
}

/* A pixel of all planes of the stage.  seen: N * 8192 + W of the inks before; of all so far when it
 * returns. */
template <int planes, bool alone>
static __device__ __forceinline__ void colour_step(const stage &s, rule_blue::state *step,
						   const uint32_t *entry, const uint32_t *above,
						   bool inside, uint32_t &seen, uint32_t *sum,
						   uint32_t *down)
{
	typedef rule_colour<alone> rule;
	const uint32_t one = 0x3f800000; /* the float */
	const int32_t weight = (int32_t)(seen & 8191);
	int32_t n = (int32_t)seen >> 13;
	uint32_t u[planes];
	int32_t ahead; /* -u of the second plane, if it is seen */

#pragma unroll
	for (int p = 0; p < planes; p++) {
		sum[p] = rule::sum(step[p], entry[p], above[p]);
		u[p] = sum[p] - (entry[p] >> 12);
	}
	ahead = is_between(entry[planes - 1]) ? (int32_t)(u[planes - 1] - (one - 32768)) : 0;
#pragma unroll
	for (int p = 0; p < planes; p++) {
		const bool between = is_between(entry[p]);

		if (alone) {
			const int32_t e = 32767 - (int32_t)(sum[p] & 65535);

			n = between ? -(e >> 1) : n;
		} else {
			/* Numbers instead of conditions: dot is -1 if there is one. */
			const int32_t x = (int32_t)(u[p] + (entry[p] >> 12 & 65535) - one);
			const int32_t rest = between ? 8192 * x - 16383 * 8192 - 4097 : 1 << 30;
			const int32_t next = n + (between ? x - 32767 : 0);
			int32_t sees = n;

			if (planes == 2 && p == 0)
				sees = limited(n + ahead);

			const int32_t dot = (sees * weight + rest) >> 31;

			sum[p] += (uint32_t)(dot * 32768);
			n = limited(next - dot * 32768);
		}
	}
	seen = (uint32_t)n << 13 | (uint32_t)weight;
#pragma unroll
	for (int p = 0; p < planes; p++) {
		const uint32_t mask = inside && !s.passes[p] ? rule::no_error ^ 65535
							     : rule::no_error;

		down[p] = rule::push(step[p], sum[p], mask);
		if (s.passes[p])
			step[p].next[3] = __uint_as_float(above[p]);
	}
}

template <class source, int bits, int planes, bool alone>
static __device__ __forceinline__ void run_stage(const rip_gpu_shape &shape,
						 const rip_wave_launch &launch, const stage &s)
{
	typedef rule_colour<alone> rule;
	const uint32_t bytes = source::bytes, late = rule::skew * s.lane, lane = s.lane;
	unsigned char *shared = rip_shared();
	stage_state<source, bits, planes> state;
	bool open = false;

	for (uint32_t block = 0; block < rule::ahead; block++) {
#pragma unroll
		for (int p = 0; p < planes; p++)
			fetch_rows<rule, bytes>(s.g[p], block);
		if (s.fades)
			fetch_rows<rule, 2>(s.weights, block);
		rip_copy_commit();
	}
	rip_copy_wait<rule::ahead - 1>();
	__syncwarp();
#pragma unroll
	for (int p = 0; p < planes; p++) {
		const uint32_t *words =
			(const uint32_t *)(shared + s.row_offset + p * s.samples_step +
					   tile_offset_of<rule, bytes>(0 - late));
		const four_samples<bytes> samples = samples_of<rule, bytes>(s.g[0], words);

		rule::begin(state.step[p], 0, 0, lane);
		state.up[p] = state.last[p] = rule::nothing;
#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			state.entries[p][t] = source::template entry<rule>(
				shape, s.targets, samples, t, state.step[p]);
#pragma unroll
		for (uint32_t i = 0; i <= bytes; i++)
			state.samples[p][i] = words[bytes + i];
#pragma unroll
		for (int m = 0; m < bits; m++)
			state.before[p][m] = state.dots[p][m] = 0;
	}
#pragma unroll 1
	for (uint32_t c = 0; c < s.blocks * 32; c += 8) {
		const uint32_t column = c - late;
		uint4 carry[planes][2];
		uint32_t seen[8], sent[planes][8], gate = 0;

		if (c % 32 == 0) {
#pragma unroll
			for (int p = 0; p < planes; p++)
				fetch_rows<rule, bytes>(s.g[p], c / 32 + rule::ahead);
			if (s.fades)
				fetch_rows<rule, 2>(s.weights, c / 32 + rule::ahead);
			rip_copy_commit();
			rip_copy_wait<rule::ahead - 1>();
		}
		if (!open) {
			uint32_t looks = 0, spins = 0;
			uint64_t since = 0;

			while (!is_open(s, c))
				if (c == 0 || ++looks > 32)
					wait_on(launch, spins, since,
						c == 0 ? long_pause : short_pause);
			/* All of them have been read by now. */
#pragma unroll
			for (int p = 0; p < planes; p++)
				if (c == 0 && s.sends)
					rip_store_word(s.words[p] + s.count,
						       (uint64_t)s.sequence << 32);
		}
		__syncwarp(); /* after the lanes' looks, and for what was fetched */
#pragma unroll
		for (int p = 0; p < planes; p++)
#pragma unroll
			for (uint32_t q = 0; q < 2; q++)
				rip_load_quad_if(lane == 0,
						 s.above[p] + (c + ring_lead) % colour_ring + 4 * q,
						 carry[p][q]);
#pragma unroll
		for (uint32_t t = 0; t < 8; t++)
			seen[t] = 4096;
		if (s.sees) {
			const uint32_t *from =
				(const uint32_t *)(shared + s.sees) + c % exchanged * 32;

#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				seen[t] = from[t * 32];
		}
		if (s.fades) {
			const uint16_t *weights = (const uint16_t *)(shared + s.weights_offset) +
						  column % rule::tile_columns;

#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				seen[t] = weights[t];
		}
#pragma unroll
		for (uint32_t q = 0; q < 2; q++) {
			uint32_t entries[planes][4], sum[planes][4];

#pragma unroll
			for (int p = 0; p < planes; p++) {
				const four_samples<bytes> samples =
					samples_of<rule, bytes>(s.g[0], state.samples[p]);
				const unsigned char *next =
					shared + s.row_offset + p * s.samples_step +
					tile_offset_of<rule, bytes>(column + 4 * q + 8);

#pragma unroll
				for (uint32_t t = 0; t < 4; t++) {
					entries[p][t] = state.entries[p][t];
					state.entries[p][t] = source::template entry<rule>(
						shape, s.targets, samples, t, state.step[p]);
				}
				state.samples[p][0] = state.samples[p][bytes];
#pragma unroll
				for (uint32_t i = 1; i <= bytes; i++)
					state.samples[p][i] = *(const uint32_t *)(next + 4 * i);
			}
#pragma unroll
			for (uint32_t t = 0; t < 4; t++) {
				const uint32_t at = 4 * q + t;
				const bool inside = column + at < s.width;
				uint32_t entry[planes], above[planes], sums[planes], down[planes];

#pragma unroll
				for (int p = 0; p < planes; p++) {
					const uint4 &in = carry[p][q];
					const uint32_t incoming = t == 0 ? in.x : t == 1 ? in.y
								  : t == 2 ? in.z : in.w;

					entry[p] = entries[p][t];
					above[p] = lane == 0 ? incoming : state.up[p];
				}
				colour_step<planes, alone>(s, state.step, entry, above, inside,
							   seen[at], sums, down);
#pragma unroll
				for (int p = 0; p < planes; p++) {
					state.up[p] = __shfl_up_sync(~0u, down[p], 1);
					sum[p][t] = sums[p];
					sent[p][at] = down[p];
				}
			}
#pragma unroll
			for (int p = 0; p < planes; p++)
				state.dots[p][bits - 1] =
					rip_step_pack<bits>(state.dots[p][bits - 1], sum[p]);
			if (q == 0)
				gate = rip_load_one(s.gate);
		}
		/* Nothing is stored before here: so the compiler can order all eight steps. */
		if (s.seen) {
			uint32_t *to = (uint32_t *)(shared + s.seen) + c % exchanged * 32;

#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				to[t * 32] = seen[t];
		}
#pragma unroll
		for (int p = 0; p < planes; p++) {
			if (s.below[p] && lane == group_rows - 1) {
				rip_store_quad(s.below[p] + c % colour_ring,
					       make_uint4(state.last[p], sent[p][0], sent[p][1],
							  sent[p][2]));
				rip_store_quad(s.below[p] + c % colour_ring + 4,
					       make_uint4(sent[p][3], sent[p][4], sent[p][5],
							  sent[p][6]));
			}
			state.last[p] = sent[p][7];
		}
		open = !__any_sync(~0u, (int32_t)(gate - (c + 8)) < s.needs);
		/* After all lanes' reading and storing; and after the looks of all lanes, before
		 * what these let the next steps read. */
		__syncwarp();
		rip_fence();
		if (lane == 0)
			rip_store_one(s.done, c + 8);
		if (s.sends)
#pragma unroll
			for (uint32_t t = 0; t < 8; t++) {
				const uint32_t to = column + t - rule::lag;

#pragma unroll
				for (int p = 0; p < planes; p++)
					if (to < s.padded_width)
						rip_store_word(s.words[p] + to,
							       (uint64_t)s.sequence << 32 |
								       rule::near(sent[p][t]));
			}
		if (c % 32 == 24) {
#pragma unroll
			for (int p = 0; p < planes; p++) {
				uint32_t now[bits];

#pragma unroll
				for (int m = 0; m < bits; m++)
					now[m] = rule::template dots<bits>(state.dots[p][m]);
				store_dots<rule, bits>(s.g[p], c / 32, state.before[p], now,
						       nullptr);
#pragma unroll
				for (int m = 0; m < bits; m++)
					state.before[p][m] = now[m];
			}
		} else if (c % (32 / bits) == 32 / bits - 8) { /* the word is full */
#pragma unroll
			for (int p = 0; p < planes; p++)
#pragma unroll
				for (int m = 0; m < bits - 1; m++)
					state.dots[p][m] = state.dots[p][m + 1];
		}
	}
	if (lane == 0)
		rip_store_release(s.done, all_columns);
}

/* ---- the warps that receive ---- */

/* Fills the rings of group 0 for two planes, by half of the lanes each, from the planes' words as
 * soon as they have the number `sequence`.  The first word that has it is the last one.  from: the
 * words of the lane's plane, or NULL: it has none; done: of the stage that reads its ring. */
static __device__ __forceinline__ void receive_colour(const rip_wave_launch &launch,
						      const uint64_t *from, uint32_t count,
						      uint32_t sequence, uint32_t *ring,
						      const uint32_t *done, uint32_t *received,
						      uint32_t lane)
{
	const uint32_t half = lane / colour_receivers * colour_receivers;
	uint32_t first = from ? 0 : count, room = 0, told = 0, spins = 0;
	bool waits = from; /* for the word of its column */
	uint64_t since = 0;

	while (__any_sync(~0u, from && (uint32_t)(rip_load_word(from + count) >> 32) != sequence))
		wait_on(launch, spins, since, long_pause);
	since = 0;
	while (__any_sync(~0u, first < count)) {
		const uint32_t column = first + lane - half;
		const uint64_t word = waits ? rip_load_word(from + column) : 0;

		if (waits && (uint32_t)(word >> 32) == sequence) {
			if (column >= room)
				room = colour_ring + rip_load_acquire(done);
			if (column < room) {
				rip_store_one(ring + (column + ring_lead) % colour_ring,
					      colour_rule::word((int16_t)word, 0));
				waits = false;
				since = 0;
			}
		}
		__syncwarp(); /* after the lanes' storing */

		/* Of the columns from the first on, how many are there. */
		const uint32_t missing = __ballot_sync(~0u, waits) >> half & 0xffff;
		const uint32_t there = missing ? (uint32_t)__ffs((int)missing) - 1
					       : colour_receivers;

		if (first < count && lane == half && first + there > told)
			rip_store_release(received, first + there);
		told = first + there;
		if (missing == 0 && first < count) {
			first += colour_receivers;
			waits = first < count;
		}
		if (first >= count)
			since = 0; /* it waits for the other half only */
		wait_on(launch, spins, since, 50);
	}
	if (from && lane == half)
		rip_store_release(received, all_columns);
}

/* ---- a thread block ---- */

/* A stage of group number `number`. */
template <uint32_t bytes, uint32_t bits, int of_stage>
static __device__ __forceinline__ void set_stage(stage &s, const rip_wave_task &task,
						 const rip_wave_colour &colour,
						 const colour_places &at, uint32_t planes,
						 uint32_t groups, uint32_t number, uint32_t index,
						 uint32_t lane)
{
	unsigned char *shared = rip_shared();
	const uint32_t pitch = tile_pitch_of<colour_rule>(), first = colour.first[index];
	const bool pair = of_stage == 2;
	const uint32_t row = number * group_rows, left = task.rows - row;
	const uint32_t rows = left < group_rows ? left : group_rows;
	const uint32_t fetches = 2 * bytes; /* of 16 bytes, for a row of a block */
	const bool last = number == groups - 1;
	uint32_t *done = (uint32_t *)(shared + at.done) + number * planes + index;
	uint32_t *received = (uint32_t *)(shared + at.received) + first;
	const uint32_t exchange = at.exchange +
				  ((number * (planes - 1) + index) * exchanged * 32 + lane) * 4;
	uint32_t *rings = (uint32_t *)(shared + at.rings) + (number * planes + first) * colour_ring;

	s.lane = lane;
	s.width = task.width;
	s.padded_width = (task.width + 15) / 16 * 16;
	s.count = s.padded_width;
	s.blocks = (task.width + 31) / 32 + (colour_rule::skew * rows + 31) / 32;
	s.sequence = task.sequence + 1;
	s.samples_step = group_rows * pitch * bytes;
	s.targets = at.targets + (colour.kind[index] == RIP_WAVE_ALONE ? 1024 : 0);
	s.row_offset = at.samples + ((number * planes + first) * group_rows + lane) * pitch * bytes;
	s.weights_offset = at.weights + (number * group_rows + lane) * pitch * 2;
	s.sends = last && lane == rows - 1;
	s.done = done;
	s.sees = index > 0 ? exchange - exchanged * 32 * 4 : 0;
	s.seen = index + 1u < colour.stages ? exchange : 0;
#pragma unroll
	for (int p = 0; p < of_stage; p++) {
		const uint32_t plane = colour.order[first + p];
		group &g = s.g[p];

		g.lane = lane;
		g.in_step = 0;
		g.in = task.in + colour.in[plane] +
		       (uint64_t)(task.row + row + lane / fetches) * colour.in_pitch[plane] +
		       lane % fetches * 16;
		g.in_rows = lane / fetches < rows ? rows - lane / fetches : 0;
		g.in_blocks = g.in_rows == 0 ? 0
					     : (colour.in_pitch[plane] + 32 * bytes - 1) /
						       (32 * bytes);
		if (bytes == 2 || g.in_rows > 32 / fetches)
			g.in_step = 32 / fetches * (colour.in_pitch[plane] / 16);
		g.out = task.out + colour.out[plane] +
			(uint64_t)(task.row + row + lane) * colour.out_pitch[plane];
		g.out_words = lane < rows ? (task.width + 31) / 32 : 0;
#pragma unroll
		for (uint32_t i = 0; i < 4; i++) {
			const int valid = (int)(((task.width - 1) % 32 + 1) * bits - 32 * i);

			g.out_mask[i] = valid >= 32 ? ~0u : valid <= 0 ? 0 : ~(~0u >> valid);
		}
		g.samples = shared + at.samples;
		g.fetch_offset = ((number * planes + first + p) * group_rows + lane / fetches) *
					 pitch * bytes + lane % fetches * 16;
		s.above[p] = rings + p * colour_ring;
		s.below[p] = last ? nullptr : rings + (planes + p) * colour_ring;
		s.words[p] = last ? task.words + plane * colour.words : nullptr;
		s.passes[p] = lane < rows &&
			      colour.grey[plane * colour.rows + task.row + row + lane] == 0;
	}
	s.fades = index == 0 && colour.weights;
	if (s.fades) {
		group &g = s.weights;

		g.lane = lane;
		g.in = (const unsigned char *)colour.weights +
		       (uint64_t)(task.row + row + lane / 4) * colour.weights_pitch + lane % 4 * 16;
		g.in_rows = lane / 4 < rows ? rows - lane / 4 : 0;
		g.in_blocks = g.in_rows == 0 ? 0 : (colour.weights_pitch + 63) / 64;
		g.in_step = 8 * (colour.weights_pitch / 16);
		g.samples = shared + at.weights;
		g.fetch_offset = (number * group_rows + lane / 4) * pitch * 2 + lane % 4 * 16;
	}
	/* The counters that the lanes look at. */
	s.gate = (uint32_t *)(shared + at.always);
	s.needs = 0;
	if (lane == 0 && index > 0) {
		s.gate = done - 1;
		s.needs = 8;
	} else if (lane == 1 && number > 0) {
		s.gate = done - planes;
		s.needs = ring_lead + 8;
	} else if ((lane == 1 || (lane == 2 && pair)) && number == 0) {
		s.gate = received + lane - 1;
		s.needs = 8;
	} else if (lane == 3 && index + 1u < colour.stages) {
		s.gate = done + 1;
		s.needs = 8 - (int32_t)exchanged;
	} else if (lane == 4 && !last) {
		s.gate = done + planes;
		s.needs = 8 - (int32_t)(colour_ring + ring_lead);
	}
}

template <class source, int bits, int planes, bool alone>
static __device__ __forceinline__ void do_stage(const rip_gpu_shape &shape,
						const rip_wave_launch &launch,
						const rip_wave_task &task,
						const rip_wave_colour &colour,
						const colour_places &at, uint32_t groups,
						uint32_t number, uint32_t index, uint32_t lane)
{
	stage s;

	set_stage<source::bytes, bits, planes>(s, task, colour, at, launch.planes, groups, number,
					       index, lane);
	run_stage<source, bits, planes, alone>(shape, launch, s);
}

#endif
