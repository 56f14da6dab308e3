/* Stages of blue noise for colour (colour.cuh): what depends on errors, for one plane or two. */
#ifndef RIP_COLOUR_STAGE_CUH
#define RIP_COLOUR_STAGE_CUH

#include "colour.cuh"

struct stage {
	uint32_t  lane;
	uint32_t  blocks;
	const uint32_t *gate;  /* the lane's counter: eight steps from c on can begin when it is */
	int32_t   needs;       /* c + needs */
	const uint32_t *awake;
	uint32_t *done;
	const uint4 *sees;     /* what the stage before has left, for the lane */
	uint32_t  sees_mask;   /* of steps */
	uint4    *seen;        /* the same for the next one, or NULL: there is none */
	bool      weighs;      /* pixels have the weights */
	const uint2 *pixels;   /* of the lane; those of its second plane follow */
	const uint32_t *levels; /* likewise */
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

/* Waits until they can. */
static __device__ __forceinline__ void wait_for(const rip_wave_launch &launch, const stage &s,
						uint32_t c)
{
	uint32_t looks = 0, spins = 0;
	uint64_t since = 0;

	while (!is_open(s, c))
		if (!__any_sync(~0u, rip_load_hint(s.awake)) || ++looks > 32)
			wait_on(launch, spins, since, c == 0 ? long_pause : short_pause);
	__syncwarp(); /* after the lanes' looks */
}

/* A pixel's first word for tone 0, as a float, turned. */
template <bool alone> static __device__ __forceinline__ constexpr float colour_first()
{
	return alone ? 1 - 65536 * RIP_BLUE_UNIT : colour_none;
}

/* A pixel of all planes of the stage.  seen: what the inks before have left; of all so far when it
 * returns; a float, or with a fade W in the high half and seen + 32768 in the low one.  dot: 1 or
 * 0, to be added to the level. */
template <int planes, bool alone, bool fades>
static __device__ __forceinline__ void colour_step(rule_blue::state *step, const uint2 *pixel,
						   const uint32_t *above, uint32_t &seen,
						   float *dot, uint32_t *down)
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
			sees = rule_blue::limited(rip_fma_to_1(
				between[planes - 1], u[planes - 1],
				__fmaf_rn(between[planes - 1], -colour_none, n)));
		if (alone) {
			dot[p] = rip_less(x[p], RIP_BLUE_UNIT);
			minus = __fmaf_rn(dot[p], 65536 * RIP_BLUE_UNIT, x[p]) -
				(32768 * RIP_BLUE_UNIT + RIP_BLUE_LESS);
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
				const float limit = between[p] * (1 - 65534 * RIP_BLUE_UNIT);

				dot[p] = rip_less(sees, __fmaf_rn(x[p], -2, limit));
			}
			minus = __fmaf_rn(dot[p], 32768 * RIP_BLUE_UNIT,
					  x[p] - RIP_BLUE_LESS);
			n = rip_fma_to_1(dot[p], 32768 * RIP_BLUE_UNIT,
					 __fmaf_rn(between[p], x[p], n));
			n = rule_blue::limited(n);
		}
		down[p] = rule_blue::push(step[p], minus);
	}
	seen = fades ? weight << 16 | (0x3f800000 - __float_as_uint(n)) : __float_as_uint(n);
}

/* Does four steps, from c on.  Returns the lane's counter. */
template <int bits, int planes, bool alone, bool fades>
static __device__ __forceinline__ uint32_t four_steps(const stage &s, stage_state<planes> &state,
						      uint32_t c)
{
	const uint32_t place = c % colour_ring;
	uint4 carry[planes];
	uint2 pixels[planes][4];
	uint32_t levels[planes], sent[planes][4];
	float dots[planes];

#pragma unroll
	for (int p = 0; p < planes; p++) {
		const uint32_t pixel = p * prepared + c % prepared;

#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			pixels[p][t] = s.pixels[(pixel + t) * 32];
		levels[p] = s.levels[pixel * 8];
		carry[p] = *(const uint4 *)(s.above + p * colour_ring + place);
	}

	const uint4 sees = s.sees[(c & s.sees_mask) * 8];
	uint32_t seen[4] = { sees.x, sees.y, sees.z, sees.w };
	const uint32_t gate = rip_load_one(s.gate);

	if (fades && s.weighs)
#pragma unroll
		for (uint32_t t = 0; t < 4; t++)
			seen[t] = (pixels[0][t].y & ~65535u) | 32768;
#pragma unroll
	for (uint32_t t = 0; t < 4; t++) {
		uint32_t above[planes], down[planes];
		uint2 pixel[planes];
		float dot[planes];

#pragma unroll
		for (int p = 0; p < planes; p++) {
			const uint4 &in = carry[p];
			const uint32_t incoming = t == 0 ? in.x : t == 1 ? in.y
						  : t == 2 ? in.z : in.w;

			pixel[p] = pixels[p][t];
			above[p] = s.lane == 0 ? incoming : state.up[p][0];
		}
		colour_step<planes, alone, fades>(state.step, pixel, above, seen[t], dot, down);
#pragma unroll
		for (int p = 0; p < planes; p++) {
			state.up[p][0] = state.up[p][1];
			state.up[p][1] = __shfl_up_sync(~0u, down[p], 1);
			dots[p] = t == 0 ? dot[p] : __fmaf_rn(dots[p], 1 << bits, dot[p]);
			sent[p][t] = down[p];
		}
	}
	/* Nothing is stored before here: so the compiler can order all four steps. */
	if (s.seen)
		s.seen[c % exchanged * 8] = make_uint4(seen[0], seen[1], seen[2], seen[3]);
#pragma unroll
	for (int p = 0; p < planes; p++) {
		const uint4 four = make_uint4(sent[p][0], sent[p][1], sent[p][2], sent[p][3]);

		state.dots[p] = (state.dots[p] << 4 * bits) +
				(levels[p] + __float_as_uint(dots[p] + 8388608.0f));
		if (s.sent)
			rip_store_quad(s.sent + p * colour_ring + place, four);
	}
	return gate;
}

/* Does all steps.  The loop has four, since all warps share a small cache of code; and one counter
 * and one fence serve eight. */
template <int bits, int planes, bool alone, bool fades>
static __device__ __forceinline__ void run_stage(const rip_wave_launch &launch, const stage &s)
{
	const uint32_t end = 32 * s.blocks;
	stage_state<planes> state;

#pragma unroll
	for (int p = 0; p < planes; p++) {
		colour_rule::begin(state.step[p], 0, 0, s.lane);
		state.up[p][0] = state.up[p][1] = colour_rule::nothing;
		state.dots[p] = 0;
	}
	wait_for(launch, s, 0);
#pragma unroll 1
	for (uint32_t c = 0;;) {
		uint32_t gate;

#pragma unroll 1
		do {
			gate = four_steps<bits, planes, alone, fades>(s, state, c);
			c += 4;
		} while (c % 8 != 0);
		if (c % (32 / bits) == 0) /* the word is full */
#pragma unroll
			for (int p = 0; p < planes; p++)
				s.dots[(p * kept + (c - 8) / 32 % kept) * bits * 32 +
				       (c - 8) % 32 / (32 / bits) * 32] = state.dots[p];

		const bool open = !__any_sync(~0u, (int32_t)(gate - c) < s.needs);

		/* After all lanes' reading and storing; and after the looks of all lanes, before
		 * what these let the next steps read. */
		__syncwarp();
		rip_fence();
		if (s.lane == 0)
			rip_store_one(s.done, c);
		if (open && c < end)
			continue;
		if (c >= end)
			break;
		wait_for(launch, s, c);
	}
	if (s.lane == 0)
		rip_store_release(s.done, all_columns);
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
	uint4 *exchange = (uint4 *)(shared + at.exchange) + index * exchanged / 4 * 32 + lane;
	stage s;

	lane = rip_opaque(lane);
	s.lane = lane;
	s.blocks = colour_blocks(task.width, task.rows);
	s.pixels = (const uint2 *)(shared + at.pixels) + first * prepared * 32 + lane;
	s.levels = (const uint32_t *)(shared + at.levels) + first * prepared / 4 * 32 + lane;
	s.dots = (uint32_t *)(shared + at.dots) + first * kept * bits * 32 + lane;
	s.weighs = index == 0;
	s.awake = (const uint32_t *)(shared + at.awake);
	s.done = done;
	s.sees = index > 0 ? exchange - exchanged / 4 * 32
			   : (const uint4 *)(shared + at.none) + lane;
	s.sees_mask = rip_opaque(index > 0 ? exchanged - 1 : 0);
	s.seen = index + 1u < colour.stages ? exchange : nullptr;
	s.above = (const uint32_t *)(shared + at.rings) + first * colour_ring;
	s.sent = lane == task.rows - 1 ? (uint32_t *)(shared + at.sent) + first * colour_ring
				       : nullptr;
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

#endif
