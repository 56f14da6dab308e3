/*
 * The wavefront of blue noise for colour (halftone/screen/blue_noise_colour.h): the planes of a
 * page together.  wavefront.cu has the picture for one plane.
 *
 * A thread block computes up to 32 rows of all planes.  In step c lane i does column c - skew*i.
 * A warp computes a stage: a plane, or two planes of which the first looks ahead at the second.
 * These two cannot be apart: each pixel of the first needs the sum of the second, and that needs
 * the pixel of the first before it.  The stages follow each other some columns apart, and what a
 * pixel's inks have left so far goes from stage to stage:
 *
 *	words -> relays -> rings -> K -> M, C -> Y -> `sent` -> relays -> the same words, for the
 *	                            ^     ^      ^                       slice after
 *	                         clerks: pixels in, dots out
 *
 * So a step takes as long as the slowest stage, two planes, and not as long as all planes.  What
 * does not depend on errors is done by others: clerks, for two planes each, fetch samples, make of
 * them what a stage needs (rule_colour::pixel()), and store dots.  Relays bring carries from the
 * words of the planes (wavefront.cuh), and make words of what the last row sends down.
 *
 * Counters in shared memory say how far each warp is.  Who stores something stores its counter
 * behind a fence, and others read it before they use what was stored, or use a place again that
 * the warp has read:
 *
 *	done       steps of a stage, in eights: for the next stage, which reads `exchange`, for the
 *	           one before, which stores there, for clerks and relays
 *	prepared   steps of a plane
 *	received   columns of a plane
 *	forwarded  steps of a plane, whose places in `sent` are free again
 *
 * Before each eight steps, the lanes of a stage's warp look at one counter each.
 *
 * Why each wait ends.  Take the stage that has done the fewest steps, the first one of several.
 * The stage before it has done more, and the one after it not fewer, so that there is space for
 * what it leaves.  Its clerk waits for nothing but space: the places of the 16 steps before those
 * that come next, which the stage has done.  Relays wait for slices before, for the space of 128
 * columns, and for no one to send.  So the stage goes on.
 *
 * Dots.  A clerk has stored what a stage did until 32 steps before those that it prepares: so four
 * blocks of dots are room enough.
 *
 * Transparent rows.  In a row without grey of some plane (scan.cuh finds them) its carry passes:
 * the lane has no errors, since the weights of its zone are 0, and sends down what has come.
 *
 * Numbers are floats, as in rule_blue.cuh: v stands for C - v units, C = 1 - 32768 units, and
 * what is limited to 16 bits is limited to 1 - 65535 units by a maximum, and to 1 by the hardware.
 * Of a plane that counts in halves, with x = b + u and S = seen, a pixel has a dot if
 *
 *	u + mulr(S, w) >= 16384 - b, or S * W + 8192 * x + 4096 >= 16384 * 8192, with W = w / 4
 *
 * Without a fade W is 4096, and that is 2 * x + S >= 32767: C - S - 2 * x units is at most
 * C - 32767 units.  It is exact there, and where it is rounded it is above 1.  With a fade
 * integers count it, |S * W| <= 2^27 and |8192 * x| < 2^30.
 */
#ifndef RIP_COLOUR_CUH
#define RIP_COLOUR_CUH

#include "group.cuh"
#include "rule_blue.cuh"

static const uint32_t colour_ring = 128; /* columns that come in; steps that go out */
static const uint32_t exchanged = 32;    /* steps that there is room for */
static const uint32_t prepared = 32, chunk = 16; /* likewise, and that a clerk prepares at once */
static const uint32_t kept = 4;          /* blocks of dots */
static const uint32_t relay_lanes = 16;  /* for a plane */

/* Warps: stages and clerks, of which there may be fewer, then relays. */
static __host__ __device__ __forceinline__ constexpr uint32_t colour_workers(uint32_t planes)
{
	return planes + (planes + 1) / 2;
}

static __host__ __device__ __forceinline__ constexpr uint32_t colour_threads(uint32_t planes)
{
	return (colour_workers(planes) + (planes + 1) / 2) * 32;
}

/* 0, in what inks have left: C. */
static const float colour_none = 1 - 32768 * RIP_BLUE_UNIT;

/* alone: the plane has the dots of blue noise, so it does not count in halves. */
template <bool alone> struct rule_colour : rule_blue {
	static const uint32_t per_word = 1;
	/* Behind the zones there is one without weights. */
	static const uint32_t memory = rule_blue::memory + 256;

	static __device__ __forceinline__ void fill(unsigned char *to)
	{
		rule_blue::fill(to);
		for (uint32_t i = threadIdx.x; i < 256 / 4; i += blockDim.x)
			((uint32_t *)(to + rule_blue::memory))[i] = 0;
	}

	/* What a pixel with this target is, but for its errors: the float -C - b units, or, alone,
	 * -C + 32768 units - A units; and the tone's part of the zone, plus 255, with 15 minus the
	 * level in the highest byte. */
	static __device__ __forceinline__ uint2 pixel(uint32_t target)
	{
		const uint32_t half = ((target & 65535) + 1) >> 1;

		return make_uint2(alone ? 0xbf7f0000 + (target & 65535) : 0xbf7f8000 + half,
				  (15 - (target >> 16)) << 24 |
					  (rip_blue_noise_tone((int32_t)target) + 255));
	}
};

typedef rule_colour<false> colour_rule;

/* Blocks of 32 steps that a slice takes. */
static __device__ __forceinline__ uint32_t colour_blocks(uint32_t width, uint32_t rows)
{
	return (width + 31) / 32 + (colour_rule::skew * rows + 31) / 32;
}

/* ---- shared memory ---- */

/* A row of samples there, as a ring of so many bytes: 128 columns. */
static __host__ __device__ __forceinline__ constexpr uint32_t row_ring(uint32_t sample_bytes)
{
	return 128 * sample_bytes;
}

static __host__ __device__ __forceinline__ constexpr uint32_t row_pitch(uint32_t sample_bytes)
{
	return row_ring(sample_bytes) + 16; /* other banks */
}

/* Where its parts begin, in bytes. */
struct colour_places {
	uint32_t targets;  /* [2][256] of two words: of planes that count in halves; alone */
	uint32_t pixels;   /* [planes][prepared][32] of two words */
	uint32_t levels;   /* [planes][prepared / 8][32] of two words */
	uint32_t dots;     /* [planes][kept][bits][32] */
	uint32_t none;     /* [8][32]: what the first stage sees */
	uint32_t exchange; /* [planes - 1][exchanged][32] */
	uint32_t rings;    /* [planes][colour_ring]: what comes from above */
	uint32_t sent;     /* [planes][colour_ring]: what goes down, of the last steps */
	uint32_t samples;  /* [planes][32][row_pitch] */
	uint32_t weights;  /* [32][row_pitch], of 16 bits */
	uint32_t done;     /* [planes], of stages */
	uint32_t prepared; /* [planes] */
	uint32_t received; /* [planes]: columns */
	uint32_t forwarded; /* [planes]: steps of what goes down */
	uint32_t awake;    /* not 0: carries will come soon */
	uint32_t always;   /* a counter that all have waited for */
	uint32_t task, colour, end;
};

static __host__ __device__ __forceinline__ colour_places
colour_places_of(uint32_t planes, uint32_t sample_bytes, uint32_t bits)
{
	colour_places at = {};

	at.targets = colour_rule::memory;
	at.pixels = at.targets + (sample_bytes == 1 ? 2 * 2048 : 0);
	at.levels = at.pixels + planes * prepared * 32 * 8;
	at.dots = at.levels + planes * prepared / 8 * 32 * 8;
	at.none = at.dots + planes * kept * bits * 32 * 4;
	at.exchange = at.none + 8 * 32 * 4;
	at.rings = at.exchange + (planes - 1) * exchanged * 32 * 4;
	at.sent = at.rings + planes * colour_ring * 4;
	at.samples = at.sent + planes * colour_ring * 4;
	at.weights = at.samples + planes * 32 * row_pitch(sample_bytes);
	at.done = at.weights + 32 * row_pitch(2);
	at.prepared = at.done + planes * 4;
	at.received = at.prepared + planes * 4;
	at.forwarded = at.received + planes * 4;
	at.awake = at.forwarded + planes * 4;
	at.always = at.awake + 4;
	at.task = (at.always + 4 + 7) / 8 * 8;
	at.colour = at.task + (uint32_t)sizeof(rip_wave_task);
	at.end = at.colour + (uint32_t)sizeof(rip_wave_colour);
	return at;
}

/* ---- stages ---- */

struct stage {
	uint32_t  lane;
	uint32_t  blocks;
	uint32_t  passed[2];   /* all bits: the lane's row is transparent; or 0 */
	const uint32_t *gate;  /* the lane's counter: eight steps from c on can begin when it is */
	int32_t   needs;       /* c + needs */
	const uint32_t *awake;
	uint32_t *done;
	const uint32_t *sees;  /* what the stage before has left, for the lane */
	uint32_t  sees_mask;   /* of steps */
	uint32_t *seen;        /* the same for the next one, or NULL: there is none */
	bool      weighs;      /* pixels have the weights */
	const uint2 *pixels, *levels; /* of the lane; those of its second plane follow */
	uint32_t *dots;        /* of the lane, likewise */
	const uint32_t *above; /* ring; that of the second plane follows */
	uint32_t *sent;        /* likewise; NULL: the lane does not have the last row */
};

template <int planes> struct stage_state {
	rule_blue::state step[planes];
	uint32_t up[planes][2]; /* what comes to its next columns from above */
	uint32_t dots[planes];
};

/* Whether eight steps from c on can begin. */
static __device__ __forceinline__ bool is_open(const stage &s, uint32_t c)
{
	return !__any_sync(~0u, (int32_t)(rip_load_acquire(s.gate) - c) < s.needs);
}

/* A pixel's first word for tone 0, as a float, turned. */
template <bool alone> static __device__ __forceinline__ constexpr float colour_first()
{
	return alone ? 1 - 65536 * RIP_BLUE_UNIT : colour_none;
}

/* A sum of what inks have left, whose upper limit was the hardware's. */
static __device__ __forceinline__ float limited(float n)
{
	return fmaxf(n, 1 - 65535 * RIP_BLUE_UNIT);
}

/* A pixel of all planes of the stage.  seen: what the inks before have left; of all so far when it
 * returns; a float, or with a fade W in the high half and seen + 32768 in the low one.  dot: 1 or
 * 0, to be added to the level. */
template <int planes, bool alone, bool fades>
static __device__ __forceinline__ void colour_step(const uint32_t *passed, rule_blue::state *step,
						   const uint2 *pixel, const uint32_t *above,
						   uint32_t &seen, float *dot, uint32_t *down)
{
	const uint32_t weight = seen >> 16;
	float n = __uint_as_float(fades ? 0x3f800000 - (seen & 65535) : seen);
	float u[planes], x[planes], between[planes];

#pragma unroll
	for (int p = 0; p < planes; p++) {
		const float k = __uint_as_float(pixel[p].x);

		rule_blue::weigh(step[p], rip_minus_byte(pixel[p].y, above[p]) & 0x1f00);
		u[p] = rule_blue::part(step[p], above[p]);
		x[p] = u[p] + k;
		between[p] = rip_less(k, -colour_first<alone>());
	}
#pragma unroll
	for (int p = 0; p < planes; p++) {
		float sees = n, minus;

		if (planes == 2 && p == 0)
			sees = limited(rip_fma_to_1(
				between[planes - 1], u[planes - 1],
				__fmaf_rn(between[planes - 1], -colour_none, n)));
		if (alone) {
			dot[p] = rip_less(x[p], RIP_BLUE_UNIT);
			minus = __fmaf_rn(dot[p], 65536 * RIP_BLUE_UNIT,
					  x[p] - 32768 * RIP_BLUE_UNIT);
			n = between[p] != 0 ? __fmaf_ru(minus, 0.5f, colour_none) : n;
		} else {
			if (fades) {
				const uint32_t limit = 4096 - (16384u << 13) + 1;
				const uint32_t rest =
					between[p] != 0
						? (__float_as_uint(x[p] + 0.75f) << 13) -
							  (0x3f400000u << 13) - limit
						: 1u << 30;
				const uint32_t sum = __float_as_uint(sees) * weight +
						     (rest - 0x3f7f8000u * weight);
				const uint32_t sign = (uint32_t)((int32_t)sum >> 31);

				dot[p] = __uint_as_float(sign & 0x3f800000);
			} else {
				dot[p] = rip_less(__fmaf_rn(x[p], 2, sees),
						  between[p] * (1 - 65534 * RIP_BLUE_UNIT));
			}
			minus = __fmaf_rn(dot[p], 32768 * RIP_BLUE_UNIT, x[p]);
			n = limited(rip_fma_to_1(between[p], minus, n));
		}
		down[p] = rule_blue::push(step[p], minus);
		step[p].next[3] = __uint_as_float((above[p] & passed[p]) |
						  (__float_as_uint(step[p].next[3]) & ~passed[p]));
	}
	seen = fades ? weight << 16 | (0x3f800000 - __float_as_uint(n)) : __float_as_uint(n);
}

template <int bits, int planes, bool alone, bool fades>
static __device__ __forceinline__ void run_stage(const rip_wave_launch &launch, const stage &s)
{
	typedef colour_rule rule;
	const uint32_t lane = s.lane;
	stage_state<planes> state;
	bool open = false;

#pragma unroll
	for (int p = 0; p < planes; p++) {
		rule::begin(state.step[p], 0, 0, lane);
		state.up[p][0] = state.up[p][1] = rule::nothing;
		state.dots[p] = 0;
	}
#pragma unroll 1
	for (uint32_t c = 0; c < s.blocks * 32; c += 8) {
		uint4 carry[planes][2];
		uint2 pixels[planes][8], levels[planes];
		uint32_t seen[8], sent[planes][8], gate = 0;

		if (!open) {
			uint32_t looks = 0, spins = 0;
			uint64_t since = 0;

			while (!is_open(s, c))
				if (!__any_sync(~0u, rip_load_hint(s.awake)) || ++looks > 32)
					wait_on(launch, spins, since,
						c == 0 ? long_pause : short_pause);
		}
		__syncwarp(); /* after the lanes' looks */
#pragma unroll
		for (int p = 0; p < planes; p++) {
			const uint2 *from = s.pixels + (p * prepared + c % prepared) * 32;

#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				pixels[p][t] = from[t * 32];
			levels[p] = s.levels[(p * prepared + c % prepared) / 8 * 32];
#pragma unroll
			for (uint32_t q = 0; q < 2; q++)
				rip_load_quad_if(lane == 0,
						 s.above + p * colour_ring + c % colour_ring +
							 4 * q,
						 carry[p][q]);
		}
#pragma unroll
		for (uint32_t t = 0; t < 8; t++)
			seen[t] = s.sees[((c & s.sees_mask) + t) * 32];
		if (fades && s.weighs)
#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				seen[t] = (pixels[0][t].y & ~65535u) | 32768;
#pragma unroll
		for (uint32_t q = 0; q < 2; q++) {
			float dots[planes];

#pragma unroll
			for (uint32_t t = 0; t < 4; t++) {
				const uint32_t at = 4 * q + t;
				uint32_t above[planes], down[planes];
				uint2 pixel[planes];
				float dot[planes];

#pragma unroll
				for (int p = 0; p < planes; p++) {
					const uint4 &in = carry[p][q];
					const uint32_t incoming = t == 0 ? in.x : t == 1 ? in.y
								  : t == 2 ? in.z : in.w;

					pixel[p] = pixels[p][at];
					above[p] = lane == 0 ? incoming : state.up[p][0];
				}
				colour_step<planes, alone, fades>(s.passed, state.step, pixel,
								  above, seen[at], dot, down);
#pragma unroll
				for (int p = 0; p < planes; p++) {
					state.up[p][0] = state.up[p][1];
					state.up[p][1] = __shfl_up_sync(~0u, down[p], 1);
					dots[p] = t == 0 ? dot[p]
							 : __fmaf_rn(dots[p], 1 << bits, dot[p]);
					sent[p][at] = down[p];
				}
			}
#pragma unroll
			for (int p = 0; p < planes; p++)
				state.dots[p] =
					(state.dots[p] << 4 * bits) +
					((q == 0 ? levels[p].x : levels[p].y) +
					 __float_as_uint(dots[p] + 8388608.0f));
			if (q == 0)
				gate = rip_load_one(s.gate);
		}
		/* Nothing is stored before here: so the compiler can order all eight steps. */
		if (s.seen) {
			uint32_t *to = s.seen + c % exchanged * 32;

#pragma unroll
			for (uint32_t t = 0; t < 8; t++)
				to[t * 32] = seen[t];
		}
#pragma unroll
		for (int p = 0; p < planes; p++) {
			if (s.sent) {
				uint32_t *to = s.sent + p * colour_ring + c % colour_ring;

				rip_store_quad(to, make_uint4(sent[p][0], sent[p][1], sent[p][2],
							      sent[p][3]));
				rip_store_quad(to + 4, make_uint4(sent[p][4], sent[p][5],
								  sent[p][6], sent[p][7]));
			}
		}
		if (c % (32 / bits) == 32 / bits - 8)  /* the word is full */
#pragma unroll
			for (int p = 0; p < planes; p++)
				s.dots[(p * kept + c / 32 % kept) * bits * 32 +
				       c % 32 / (32 / bits) * 32] = state.dots[p];
		open = !__any_sync(~0u, (int32_t)(gate - (c + 8)) < s.needs);
		/* After all lanes' reading and storing; and after the looks of all lanes, before
		 * what these let the next steps read. */
		__syncwarp();
		rip_fence();
		if (lane == 0)
			rip_store_one(s.done, c + 8);
	}
	if (lane == 0)
		rip_store_release(s.done, all_columns);
}

/* ---- clerks: fetch samples, prepare pixels, store dots ---- */

/* A plane, as one of the lanes sees it. */
struct clerk {
	group    g;          /* lane, dots */
	const unsigned char *in; /* its row of samples */
	uint32_t pieces;     /* of 16 bytes that the row has; 0: it does not exist */
	uint32_t row;        /* its samples in shared memory, in bytes */
	uint32_t targets;    /* as in struct group */
	uint2   *pixels, *levels; /* where they go */
	const uint32_t *dots;
	const uint32_t *done; /* of its stage */
	uint32_t *ready;
	uint32_t c, stored;  /* steps that are prepared; blocks */
	bool     alone, passes;
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
				pixel[at].x, rip_select(inside && !k.passes, pixel[at].y & 0xffff,
							rule_blue::memory + 255) |
						     weight << 16);
		}
		/* dots[] will have the bits of a float. */
		levels[q] = 15 * (rip_step_ones<bits>() & ((1ull << 4 * bits) - 1)) -
			    rip_step_pack<bits>(0, high) - RIP_FLOAT_BITS;
	}
#pragma unroll
	for (uint32_t i = 0; i < chunk / 8; i++)
		k.levels[(k.c % prepared / 8 + i) * 32] =
			make_uint2(levels[2 * i], levels[2 * i + 1]);
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

/* ---- the warps that receive carries, and send them on ---- */

/* A plane, for one of these warps' lanes. */
struct relay {
	const uint64_t *from; /* words that come in */
	uint64_t       *to;   /* and go out */
	uint32_t        count; /* of them, but for the one that announces the others */
	uint32_t        sequence; /* that comes in */
	uint32_t       *ring; /* where they go */
	const uint32_t *sent; /* what the last row sends down, in a ring of steps */
	const uint32_t *done; /* of the stage */
	uint32_t       *received, *forwarded, *awake;
	uint32_t        late; /* steps until the last row has sent column 0 */
	uint32_t        end;  /* steps */
};

/* Fills the rings for two planes, by half of the lanes each, from the planes' words as soon as they
 * have the number `sequence`, and makes words of what their last rows send down. */
static __device__ __forceinline__ void relay_carries(const rip_wave_launch &launch, const relay &r,
						     bool there, uint32_t lane)
{
	const uint32_t place = lane % relay_lanes, half = lane - place;
	const uint64_t next = (uint64_t)(r.sequence + 1) << 32;
	uint32_t first = there ? 0 : r.count, told = 0, spins = 0;
	uint32_t forwarded = there ? 0 : r.end;
	bool waits = there; /* for the word of its column */
	uint64_t since = 0;

	/* The first word that has the number is the last one. */
	while (__any_sync(~0u, there && (uint32_t)(rip_load_word(r.from + r.count) >> 32) !=
						r.sequence))
		wait_on(launch, spins, since, long_pause);
	if (lane == 0)
		rip_store_hint(r.awake, 1);
	since = 0;
	while (__any_sync(~0u, first < r.count || forwarded < r.end)) {
		const uint32_t column = first + place;
		const uint64_t word = waits ? rip_load_word(r.from + column) : 0;
		const uint32_t done = __shfl_sync(~0u, rip_load_acquire(r.done), half);
		const uint32_t seen = done < r.end ? done : r.end;
		const uint32_t step = forwarded + place, goes = step - r.late;

		__syncwarp(); /* after the looks of two lanes */
		if (there && step < seen && goes < r.count)
			rip_store_word(r.to + goes,
				       next | rule_blue::near(r.sent[step % colour_ring]));
		if (there && forwarded == 0 && seen > 0 && place == 0)
			rip_store_word(r.to + r.count, next);
		if (waits && (uint32_t)(word >> 32) == r.sequence && column < done + colour_ring) {
			rip_store_one(r.ring + column % colour_ring,
				      colour_rule::word((int16_t)word, 0));
			waits = false;
		}
		__syncwarp(); /* after the lanes' storing and reading */

		/* Of the columns from the first on, how many are there. */
		const uint32_t missing = __ballot_sync(~0u, waits) >> half & 0xffff;
		const uint32_t present = missing ? (uint32_t)__ffs((int)missing) - 1
						 : relay_lanes;
		const bool moves = first < r.count && first + present > told;
		const bool sends = seen > forwarded;

		if (moves && place == 0)
			rip_store_release(r.received, first + present);
		told = first + present;
		if (sends) {
			forwarded = seen - forwarded < relay_lanes
					    ? seen
					    : forwarded + relay_lanes;
			if (place == 0)
				rip_store_release(r.forwarded, forwarded);
		}
		if (missing == 0 && first < r.count) {
			first += relay_lanes;
			waits = first < r.count;
			if (!waits && place == 0)
				rip_store_release(r.received, all_columns);
		}
		if (__any_sync(~0u, moves || sends))
			since = 0;
		else
			wait_on(launch, spins, since, 20);
	}
}

/* ---- a thread block ---- */

/* Whether a row of the slice is transparent. */
static __device__ __forceinline__ bool is_passed(const rip_wave_task &task,
						 const rip_wave_colour &colour, uint32_t plane,
						 uint32_t row)
{
	return row < task.rows && colour.grey[plane * colour.rows + task.row + row] == 0;
}

/* The stage of a step. */
static __device__ __forceinline__ uint32_t stage_of(const rip_wave_colour &colour, uint32_t step)
{
	uint32_t stage = 0;

	while (stage + 1u < colour.stages && colour.first[stage + 1] <= step)
		stage++;
	return stage;
}

template <int bits, int planes, bool alone>
static __device__ __forceinline__ void do_stage(const rip_wave_launch &launch,
						const rip_wave_task &task,
						const rip_wave_colour &colour,
						const colour_places &at, uint32_t index,
						uint32_t lane)
{
	unsigned char *shared = rip_shared();
	const uint32_t first = colour.first[index];
	uint32_t *done = (uint32_t *)(shared + at.done) + index;
	uint32_t *exchange = (uint32_t *)(shared + at.exchange) + index * exchanged * 32 + lane;
	stage s;

	s.lane = lane;
	s.blocks = colour_blocks(task.width, task.rows);
	s.pixels = (const uint2 *)(shared + at.pixels) + first * prepared * 32 + lane;
	s.levels = (const uint2 *)(shared + at.levels) + first * prepared / 8 * 32 + lane;
	s.dots = (uint32_t *)(shared + at.dots) + first * kept * bits * 32 + lane;
	s.weighs = index == 0;
	s.awake = (const uint32_t *)(shared + at.awake);
	s.done = done;
	s.sees = index > 0 ? exchange - exchanged * 32
			   : (const uint32_t *)(shared + at.none) + lane;
	s.sees_mask = index > 0 ? exchanged - 1 : 0;
	s.seen = index + 1u < colour.stages ? exchange : nullptr;
	s.above = (const uint32_t *)(shared + at.rings) + first * colour_ring;
	s.sent = lane == task.rows - 1 ? (uint32_t *)(shared + at.sent) + first * colour_ring
				       : nullptr;
#pragma unroll
	for (int p = 0; p < planes; p++)
		s.passed[p] = is_passed(task, colour, colour.order[first + p], lane) ? ~0u : 0;
	/* The counters that the lanes look at. */
	s.gate = (uint32_t *)(shared + at.always);
	s.needs = 8;
	if (lane == 0 && index > 0)
		s.gate = done - 1;
	else if (lane == 1 || (lane == 2 && planes == 2))
		s.gate = (uint32_t *)(shared + at.received) + first + lane - 1;
	else if (lane == 3 || (lane == 4 && planes == 2))
		s.gate = (uint32_t *)(shared + at.prepared) + first + lane - 3;
	else if (lane == 6 || (lane == 7 && planes == 2)) {
		s.gate = (uint32_t *)(shared + at.forwarded) + first + lane - 6;
		s.needs = 8 - (int32_t)colour_ring;
	} else if (lane == 5 && index + 1u < colour.stages) {
		s.gate = done + 1;
		s.needs = 8 - (int32_t)exchanged;
	}
	if (colour.weights)
		run_stage<bits, planes, alone, true>(launch, s);
	else
		run_stage<bits, planes, alone, false>(launch, s);
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
	k.levels = (uint2 *)(shared + at.levels) + step * prepared / 8 * 32 + lane;
	k.dots = (const uint32_t *)(shared + at.dots) + step * kept * bits * 32 + lane;
	k.done = (const uint32_t *)(shared + at.done) + stage;
	k.ready = (uint32_t *)(shared + at.prepared) + step;
	k.c = k.stored = 0;
	k.passes = is_passed(task, colour, plane, lane);
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
