/*
 * The wavefront: one launch, strips that wait for each other by flags.
 *
 * A strip is 32 rows, a row a lane of a warp.  In step c lane i does column c - 4i.  The
 * pixel above and to the right of it was done three steps before, so what a row sends down
 * has three steps for its way to the lane below, by a shuffle: no step waits for a shuffle,
 * and the chain from step to step is that of one row (step.cuh).
 *
 * A part is up to four strips, and a block: a warp a strip, and two more that bring
 * and take carries, so that the strips' code is the same wherever they are:
 *
 *	words -> inbound warp -> ring 0 -> strip 0 -> ring 1 -> ... -> ring n ->
 *	        outbound warp -> the same words, for the part after
 *
 * Rings are in shared memory: what comes to column j is at j modulo the size.  A word that
 * is 0 is not there; whoever has taken it makes it 0 again.  A sum of products is never 0,
 * as its highest bit is set.  So a word says itself whether it is there, and the next
 * strip has it as soon as it has been stored: no counter, and no fence on that way.  That
 * a place is free again is told by counters, used[r], as seldom as the ring is large; they
 * have one writer, who releases, and one reader, who acquires.
 *
 * A strip's last row makes what comes to column j in step j + 125; the strip below looks
 * for it by sixteens of columns, half a turn before it needs them at the latest, and so
 * begins about 145 steps after.
 *
 * Between blocks carries travel as 64-bit words {sequence, two carries} (wavefront.cuh).
 * A word is read and written by one access each, so it says itself whether it is there,
 * and needs no fence.
 *
 * Who has long to wait sleeps: a strip says at its third turn that the one below, or the
 * warp outbound and through it the next part's, will soon have work (awake[r], the last
 * of the plane's words).  Those are hints; what they bring is looked at all the same.
 *
 * Why each wait ends.  Parts go by ticket: a block draws one when it starts, so every
 * part with a smaller ticket runs or has ended.  The inbound warp waits for words of
 * the part before, which has a smaller ticket, or for space in ring 0.  A strip waits
 * for words of the ring above, or for space in the ring below.  The outbound warp
 * waits for words only, never for space.  Data flows down, space flows up: a strip that
 * waits tells from time to time that all before its turn is free; so the strip above can
 * make the turn that it waits for, as long as a ring holds 128 or more.  What then still
 * waits for `patience` is a broken device or a bug: it says so and gives up, and so does
 * everyone else.
 *
 * Memory safety does not depend on flags: samples are read up to the pitch, dots are
 * stored for columns and rows of the image only.
 */
#include "wavefront.cuh"

#include "handover.cuh"
#include "strip.cuh"

/* ---- the launch ---- */

/* Draws a ticket and brings the part that it names; the fences because the host's writing
 * happened before whichever launch last drew from the counter. */
static __device__ void draw(const rip_wave &wave, uint64_t *part, uint32_t lane)
{
	uint32_t ticket = 0;

	__threadfence();
	if (lane == 0)
		ticket = atomicAdd(wave.ticket, 1u);
	__threadfence();
	ticket = __shfl_sync(~0u, ticket, 0);
	if (lane == 0 && ticket - wave.first >= wave.blocks)
		*(volatile uint32_t *)wave.swapped = wave.number;
	if (lane < sizeof(rip_wave_part) / 8)
		part[lane] = rip_load_order((const uint64_t *)&wave.parts[ticket & wave.mask] + lane);
}

template <class source, int bits>
__global__ void __launch_bounds__((RIP_WAVE_WARPS + 2) * 32, 3) rip_wavefront(rip_wave wave)
{
	const layout l = lay_out(wave.warps, source::bytes);
	const uint32_t lane = threadIdx.x % 32;
	const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0); /* known to be uniform */

	if (warp == 0)
		draw(wave, l.part, lane);
	if (threadIdx.x <= wave.warps)
		l.used[threadIdx.x] = l.awake[threadIdx.x] = 0;
	for (uint32_t i = threadIdx.x; i < (wave.warps + 1) * ring_size + 32; i += blockDim.x)
		l.rings[i] = i < (wave.warps + 1) * ring_size ? 0 : RIP_CARRY; /* then l.nothing */
	__syncthreads();

	const rip_wave_part part = *(const rip_wave_part *)l.part;
	const rip_gpu_shape shape = { part.width, part.levels, 8 * source::bytes, bits, part.targets };

	if (source::table) {
		for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x)
			l.targets[v] = RIP_TARGET + (uint32_t)shape.targets[v];
		__syncthreads();
	}

	const uint32_t strips = (part.rows + strip_rows - 1) / strip_rows;

	if (warp < strips) {
		const uint64_t row = warp * strip_rows;
		strip s;

		const uint32_t pieces = 2 * source::bytes; /* of 16 bytes that a turn has of a row */
		const uint32_t kept = kept_pitch * source::bytes;

		s.lane = lane;
		s.rows = part.rows - row < strip_rows ? (uint32_t)(part.rows - row) : strip_rows;
		s.tail = lane == s.rows - 1;
		s.in = part.in + (row + lane / pieces) * part.in_pitch + lane % pieces * 16;
		s.in_pitch = part.in_pitch;
		s.in_rows = lane / pieces < s.rows ? s.rows - lane / pieces : 0;
		s.fetches = (part.in_pitch + 32 * source::bytes - 1) / (32 * source::bytes);
		s.out = part.out + (row + lane) * part.out_pitch;
		s.words = lane < s.rows ? (part.width + 31) / 32 : 0;
		s.samples = l.samples;
		s.fetched = rip_opaque((warp * strip_rows + lane / pieces) * kept + lane % pieces * 16);
		s.kept = rip_opaque((warp * strip_rows + lane) * kept);
		s.above = l.rings + warp * ring_size;
		s.below = s.above + ring_size;
		s.entry = lane == 0 ? s.above : l.nothing;
		s.enters = lane == 0 ? ring_size - 1 : 0;
		s.nothing = l.nothing;
		s.used_above = &l.used[warp];
		s.used_below = &l.used[warp + 1];
		s.awake = &l.awake[warp];
		s.wakes = &l.awake[warp + 1];
		s.targets = l.targets;
		run_strip<source, bits>(shape, wave, s);
	} else if (warp == wave.warps) {
		bring_words(wave, l, part.words, rip_wave_words(part.width) - 1, part.sequence, lane);
	} else if (warp == wave.warps + 1) {
		take_words(wave, l, strips, part.words, rip_wave_words(part.width) - 1,
			   part.sequence + 1, lane);
	}
}

typedef void (*wave_kernel)(rip_wave);

static const struct kind {
	wave_kernel kernel;
	uint32_t    bytes; /* of a sample */
	bool        table; /* in shared memory */
} kinds[RIP_WAVE_KINDS] = {
	{ rip_wavefront<plain8, 1>, 1, false }, { rip_wavefront<table8, 1>, 1, true },
	{ rip_wavefront<table8, 2>, 1, true },	{ rip_wavefront<table8, 4>, 1, true },
	{ rip_wavefront<any16, 1>, 2, false },	{ rip_wavefront<any16, 2>, 2, false },
	{ rip_wavefront<any16, 4>, 2, false },
};

unsigned rip_wave_kind(const rip_gpu_shape *shape)
{
	const unsigned more = shape->bits == 1 ? 0 : shape->bits == 2 ? 1 : 2;

	if (shape->sample_bits == 16)
		return 4 + more;
	return shape->targets ? 1 + more : 0;
}

static uint32_t shared_of(const struct kind *kind, uint32_t warps)
{
	return warps * strip_rows * kept_pitch * kind->bytes + (warps + 1) * (ring_size + 2) * 4 +
	       32 * 4 + (uint32_t)sizeof(rip_wave_part) + (kind->table ? 1024 : 0);
}

uint32_t rip_wave_warps(unsigned kind, uint32_t shared)
{
	uint32_t warps = RIP_WAVE_WARPS;

	while (warps > 1 && shared_of(&kinds[kind], warps) > shared)
		warps--;
	return warps;
}

uint32_t rip_wave_order(rip_wave_part *ring, uint32_t mask, uint32_t first, rip_wave_part *works,
			unsigned count, uint32_t warps)
{
	const uint32_t all = strip_rows * warps;
	uint32_t deepest = 0, n = 0;

	for (unsigned i = 0; i < count; i++) {
		works[i].depth = 0;
		for (unsigned k = 0; k < i; k++)
			if (works[k].words == works[i].words)
				works[i].depth += rip_wave_parts(works[k].rows, warps);

		const uint32_t end = works[i].depth + rip_wave_parts(works[i].rows, warps);

		deepest = end > deepest ? end : deepest;
	}
	for (uint32_t depth = 0; depth < deepest; depth++)
		for (unsigned i = 0; i < count; i++) {
			const rip_wave_part *work = &works[i];
			const uint32_t row = (depth - work->depth) * all;
			rip_wave_part *part = &ring[(first + n) & mask];

			if (depth < work->depth || row >= work->rows)
				continue;
			*part = *work;
			part->in += (uint64_t)row * work->in_pitch;
			part->out += (uint64_t)row * work->out_pitch;
			part->sequence += depth - work->depth;
			part->rows = work->rows - row < all ? work->rows - row : all;
			n++;
		}
	return n;
}

cudaError_t rip_wave_prepare(uint32_t shared)
{
	cudaError_t error = cudaSuccess;

	for (const struct kind &kind : kinds)
		if (error == cudaSuccess)
			error = cudaFuncSetAttribute(kind.kernel,
						     cudaFuncAttributeMaxDynamicSharedMemorySize,
						     (int)shared);
	return error;
}

cudaError_t rip_wave_launch(unsigned kind, const rip_wave *wave, cudaStream_t stream)
{
	const wave_kernel kernel = kinds[kind].kernel;

	RIP_LAUNCH(kernel, dim3(wave->blocks), (wave->warps + 2) * 32,
		   shared_of(&kinds[kind], wave->warps), stream, *wave);
	return cudaGetLastError();
}
