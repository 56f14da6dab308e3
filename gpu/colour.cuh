/*
 * The wavefront of blue noise for colour (halftone/screen/blue_noise_colour.h): the planes of a
 * page together.  wavefront.cu has the picture for one plane.
 *
 * A thread block computes up to 32 rows of all planes.  In step c lane i does column c - skew*i.
 * A warp computes a stage (colour_stage.cuh): a plane, or two planes of which the first looks ahead
 * at the second.  These two cannot be apart: each pixel of the first needs the sum of the second,
 * and that needs the pixel of the first before it.  The stages follow each other some columns
 * apart, and what a pixel's inks have left so far goes from stage to stage:
 *
 *	words -> relays -> rings -> K -> M, C -> Y -> `sent` -> relays -> the same words, for the
 *	                            ^     ^      ^                       slice after
 *	                         clerks: pixels in, dots out
 *
 * So a step takes as long as the slowest stage, two planes, and not as long as all planes.  What
 * does not depend on errors is done by others.  Clerks (colour_clerk.cuh), for a plane or two,
 * fetch samples, make of them what a stage needs (rule_colour::pixel()), and store dots.  Relays
 * (colour_relay.cuh) bring carries from the words of the planes (wavefront.cuh), and make words of
 * what the last row sends down.
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
 * what it leaves.  Its clerk waits for space only: for the places of steps that the stage has done.
 * Its relay waits for the slice before, and for space in the ring, which the stage has made; it
 * sends what there is without waiting, so that `sent` has space.  So the stage goes on.
 *
 * Dots.  A clerk has stored what a stage did until 32 steps before those that it prepares: so four
 * blocks of dots are room enough.
 *
 * Transparent rows.  In a row without grey of some plane (scan.cuh finds them) its carry passes: a
 * pixel without ink, whose error is what has come, sends all of it straight down.
 *
 * Numbers are floats, as in rule_blue.cuh: v stands for C - v units, C = 1 - 32768 units, and
 * what is limited to 16 bits is limited to 1 - 65535 units by a maximum, and to 1 by the hardware.
 * Of a plane that counts in halves, with x = b + u and S = seen, a pixel has a dot if
 *
 *	u + mulr(S, w) >= 16384 - b, or S * W + 8192 * x + 4096 >= 16384 * 8192, with W = w / 4
 *
 * Without a fade W is 4096, and that is 2 * x + S >= 32767: C - S units are less than
 * C - 32766 + 2 * x, which is exact: what of it is above 1 is even.  With a fade integers count it,
 * |S * W| <= 2^27 and |8192 * x| < 2^30.
 *
 * What comes from pixel to pixel of a row decides how long a step takes.  So all that it needs is
 * summed up before: what a pixel leaves is S + x, limited, after a dot of 32768 units.  S + x may
 * be rounded where it is above 1: it is limited to 1, with the dot or without.
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

/* A clerk for two planes does not keep up with the stages.  But clerks for each of more than four
 * planes would leave the stages too few registers. */
static __host__ __device__ __forceinline__ constexpr uint32_t colour_clerks(uint32_t planes)
{
	return planes <= 4 ? planes : (planes + 1) / 2;
}

static __host__ __device__ __forceinline__ constexpr uint32_t colour_relays(uint32_t planes)
{
	return (planes + 1) / 2;
}

/* Threads: of warps for as many stages as planes, or for a stage less and those that helper_of()
 * leaves out. */
static __host__ __device__ __forceinline__ constexpr uint32_t colour_threads(uint32_t planes)
{
	return (planes + colour_clerks(planes) + colour_relays(planes) + planes / 4 % 2) * 32;
}

/* A pixel's part of the zone that has no weights, and of the one that sends all down. */
static const uint32_t colour_nothing = rule_blue::memory + 255;
static const uint32_t colour_passes = colour_nothing + 256;

/* 0, in what inks have left: C. */
static const float colour_none = 1 - 32768 * RIP_BLUE_UNIT;

/* alone: the plane has the dots of blue noise, so it does not count in halves. */
template <bool alone> struct rule_colour : rule_blue {
	static const uint32_t per_word = 1;
	/* Behind the zones there are two more. */
	static const uint32_t memory = rule_blue::memory + 2 * 256;

	static __device__ __forceinline__ void fill(unsigned char *to)
	{
		rule_blue::fill(to);
		for (uint32_t i = threadIdx.x; i < 2 * 2 * copies; i += blockDim.x)
			((float4 *)(to + rule_blue::memory))[i] =
				make_float4(0, i < 3 * copies ? 0 : 1, 0, 0);
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
	uint32_t levels;   /* [planes][prepared / 4][32] */
	uint32_t dots;     /* [planes][kept][bits][32] */
	uint32_t none;     /* [2][32] of four words: what the first stage sees */
	uint32_t exchange; /* [planes - 1][exchanged / 4][32] of four words */
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

/* ---- planes ---- */

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

/* Which of the clerks and relays a warp is that is not a stage.  A multiprocessor has four parts,
 * and every fourth warp is in the same one: where there are few planes, a pair's has no other. */
static __device__ __forceinline__ uint32_t helper_of(const rip_wave_colour &colour, uint32_t warp)
{
	uint32_t pair = 0;

	while (pair < colour.stages && colour.kind[pair] != RIP_WAVE_PAIR)
		pair++;
	if (pair == colour.stages || colour.planes > 4)
		return warp - colour.stages;
	if (warp % 4 == pair)
		return ~0u;
	return warp - colour.stages - ((warp + 3 - pair) / 4 - (colour.stages + 3 - pair) / 4);
}

#endif
