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

#include "handover.cuh"
#include "strip.cuh"

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

uint64_t rip_wave_scratch(const rip_gpu_shape *shape, uint32_t rows, uint32_t warps)
{
	return (uint64_t)(rip_wave_parts(rows, warps) - 1) * words_of(shape->width) * 8;
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
