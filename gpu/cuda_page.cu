/*
 * A page on the GPU: strips go to the device in bites, dots come back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_lane.cuh"
#include "methods.cuh"
#include "wavefront.cuh"

extern "C" {
#include "halftone/tone.h"
}

static const size_t bite_bytes = 16 << 20; /* of samples in a bite, unless a line is longer */
static const uint64_t patience = 10000000000ull; /* ns: what a launch may wait for itself */
static const uint64_t stall_patience = 50000000ull; /* the same if a test wants a stall */

struct cuda_page {
	rip_page         base;
	rip_cuda_engine *engine;
	rip_cuda_lane   *lane;
	rip_page_spec    spec;
	rip_gpu_shape    shape;
	size_t           in_pitch, out_pitch; /* of bites on the device */
	size_t           dot_bytes;
	uint32_t         warps; /* strips in a part of the wavefront */
	uint8_t          carry[RIP_PLANES_MAX]; /* which of its two arrays is current */
	unsigned         bites;                 /* so far */
};

/* A piece of a strip that goes into a bite. */
struct piece {
	const rip_strip *strip;
	uint32_t         first, rows;
};

static int16_t *carry_of(cuda_page *page, uint32_t plane, int which)
{
	return (int16_t *)page->lane->carries.at +
	       ((size_t)plane * 2 + which) * rip_gpu_align((uint64_t)page->spec.width * 2) / 2;
}

/* ---- the method at hand ---- */

static uint64_t scratch_of(const cuda_page *page, uint32_t rows)
{
	const rip_gpu_shape *shape = &page->shape;
	const rip_cuda_engine *engine = page->engine;

	if (engine->flags)
		return rip_wave_scratch(shape, rows, page->warps);
	switch (engine->method) {
	case RIP_METHOD_PWED:
		return rip_pwed_scratch(shape, rows);
	case RIP_METHOD_PWEC:
		return rip_pwec_scratch(shape, rows);
	case RIP_METHOD_BWED:
		return rip_bwed_scratch(shape, rows);
	default:
		return rip_bwec_scratch(shape, rows);
	}
}

__global__ void rip_cuda_trap()
{
	asm volatile("trap;");
}

/* The parts of the works of a slot, behind them: each work's in order, works in turn. */
static uint32_t list_parts(cuda_page *page, rip_cuda_slot *slot, unsigned count, uint32_t most,
			   bool stall)
{
	const rip_gpu_work *works = (const rip_gpu_work *)slot->host_orders.at;
	const uint32_t deepest = rip_wave_parts(most, page->warps);
	uint2 *parts = (uint2 *)(works + count);
	uint32_t blocks = 0;

	for (uint32_t part = 0; part < deepest; part++)
		for (unsigned n = 0; n < count; n++)
			if (part < rip_wave_parts(works[n].rows, page->warps) &&
			    !(stall && part == 0)) /* the next part waits for it in vain */
				parts[blocks++] = make_uint2(n, part);
	return blocks;
}

static int launch_wave(cuda_page *page, rip_cuda_slot *slot, unsigned count, uint32_t blocks,
		       bool stall)
{
	rip_cuda_engine *engine = page->engine;
	rip_cuda_lane *lane = page->lane;
	rip_wave wave = {};
	int r = 0;

	if (++lane->number == 0) {
		r = rip_cuda_try(engine, cudaMemsetAsync(lane->scratch.at, 0, lane->scratch.size, lane->run));
		lane->number = 1;
	}
	if (r < 0)
		return r;
	wave.works = (const rip_gpu_work *)slot->orders.at;
	wave.parts = (const uint2 *)(wave.works + count);
	wave.blocks = blocks;
	wave.warps = page->warps;
	wave.ticket = lane->ticket;
	wave.stalled = lane->stalled;
	wave.first = lane->tickets;
	wave.number = lane->number;
	wave.patience = stall ? stall_patience : patience;
	lane->tickets += blocks;
	return rip_cuda_try(engine, rip_wave_launch(&page->shape, &wave, lane->run));
}

static int launch(cuda_page *page, rip_cuda_slot *slot, unsigned count, uint32_t most,
		  uint32_t blocks, bool stall)
{
	rip_cuda_engine *engine = page->engine;
	const rip_gpu_work *works = (const rip_gpu_work *)slot->orders.at;
	cudaStream_t run = page->lane->run;

	if (rip_cuda_fails(engine, RIP_CUDA_START))
		return rip_cuda_error(engine, cudaErrorLaunchFailure);
	if (rip_cuda_fails(engine, RIP_CUDA_TRAP))
		rip_cuda_trap<<<1, 1, 0, run>>>();
	if (engine->flags)
		return launch_wave(page, slot, count, blocks, stall);
	switch (engine->method) {
	case RIP_METHOD_PWED:
		return rip_cuda_try(engine, rip_pwed_launch(&page->shape, works, count, most, run));
	case RIP_METHOD_PWEC:
		return rip_cuda_try(engine, rip_pwec_launch(&page->shape, works, count, most, run));
	case RIP_METHOD_BWED:
		return rip_cuda_try(engine, rip_bwed_launch(&page->shape, works, count, most, run));
	default:
		return rip_cuda_try(engine, rip_bwec_launch(&page->shape, works, count, most, run));
	}
}

/* ---- copies ---- */

static void copy_rows(uint8_t *to, ptrdiff_t to_pitch, const uint8_t *from, ptrdiff_t from_pitch,
		      size_t bytes, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++)
		memcpy(to + (ptrdiff_t)i * to_pitch, from + (ptrdiff_t)i * from_pitch, bytes);
}

/* Whether the device can reach these rows itself. */
static bool reachable(const void *at, ptrdiff_t pitch)
{
	cudaPointerAttributes attributes;

	if (pitch < 0)
		return false;
	if (cudaPointerGetAttributes(&attributes, at) != cudaSuccess) {
		cudaGetLastError();
		return false;
	}
	return attributes.type == cudaMemoryTypeHost;
}

/* Waits until a slot's dots are out, and brings them where they belong. */
static int finish(cuda_page *page, rip_cuda_slot *slot)
{
	rip_cuda_engine *engine = page->engine;
	int r = 0;

	if (!slot->busy)
		return 0;
	slot->busy = false;
	r = rip_cuda_try(engine, cudaEventSynchronize(slot->left));
	if (r == 0 && __atomic_load_n(page->lane->stalled, __ATOMIC_ACQUIRE))
		r = rip_cuda_break(engine, -ETIMEDOUT);
	for (unsigned i = 0; r == 0 && i < slot->landings; i++) {
		const rip_cuda_landing *l = &slot->landing[i];

		copy_rows(l->to, l->to_pitch, l->from, (ptrdiff_t)l->from_pitch, l->bytes, l->rows);
	}
	slot->landings = 0;
	return r;
}

/* Room for a bite in a slot that is idle. */
static int make_room(cuda_page *page, rip_cuda_slot *slot, size_t rows, unsigned count, uint32_t most)
{
	rip_cuda_engine *engine = page->engine;
	rip_cuda_lane *lane = page->lane;
	const uint64_t scratch = rip_gpu_align(scratch_of(page, most));
	const size_t orders = count * (sizeof(rip_gpu_work) +
				       (engine->flags ? rip_wave_parts(most, page->warps) : 0) * sizeof(uint2));
	/* Kernels read whole pieces of a line: a little past the last row. */
	int r = rip_cuda_grow(engine, &slot->in, rows * page->in_pitch + RIP_GPU_ALIGN, false);

	if (r == 0)
		r = rip_cuda_grow(engine, &slot->out, rows * page->out_pitch, false);
	if (r == 0)
		r = rip_cuda_grow(engine, &slot->orders, orders, false);
	if (r == 0)
		r = rip_cuda_grow(engine, &slot->host_orders, orders, true);
	if (r == 0 && scratch > lane->scratch_step)
		lane->scratch_step = scratch;
	if (r == 0 && lane->scratch_step * count > lane->scratch.size) {
		/* Launches on their way still use the old one. */
		r = rip_cuda_try(engine, cudaStreamSynchronize(lane->run));
		if (r == 0)
			r = rip_cuda_grow(engine, &lane->scratch,
					  lane->scratch_step * page->spec.planes, false);
		if (r == 0)
			r = rip_cuda_try(engine, cudaMemsetAsync(lane->scratch.at, 0,
								 lane->scratch.size, lane->run));
	}
	return r;
}

/* The pitch that a piece has on the device.  As it lies in the host's memory, if the
 * kernels can read that: one straight copy is faster than one of many rows. */
static size_t pitch_of(const cuda_page *page, const piece *p)
{
	const ptrdiff_t pitch = p->strip->in_pitch;

	return pitch > 0 && pitch % 16 == 0 && (size_t)pitch <= page->in_pitch &&
			       reachable(p->strip->in, pitch)
		       ? (size_t)pitch
		       : page->in_pitch;
}

/* Starts the copy of a piece to the device. */
static int send(cuda_page *page, rip_cuda_slot *slot, const piece *p, size_t pitch,
		unsigned char *to, size_t at)
{
	rip_cuda_engine *engine = page->engine;
	const size_t bytes = (size_t)page->spec.width * page->spec.sample_bits / 8;
	const uint8_t *from = (const uint8_t *)p->strip->in + (ptrdiff_t)p->first * p->strip->in_pitch;
	int r;

	if (rip_cuda_fails(engine, RIP_CUDA_COPY))
		return rip_cuda_error(engine, cudaErrorUnknown);
	if (pitch == (size_t)p->strip->in_pitch && reachable(from, p->strip->in_pitch))
		return rip_cuda_try(engine, cudaMemcpyAsync(to, from, (p->rows - 1) * pitch + bytes,
							    cudaMemcpyHostToDevice, page->lane->in));
	if (reachable(from, p->strip->in_pitch))
		return rip_cuda_try(engine,
				    cudaMemcpy2DAsync(to, page->in_pitch, from,
						      p->rows > 1 ? (size_t)p->strip->in_pitch : bytes, bytes,
						      p->rows, cudaMemcpyHostToDevice, page->lane->in));
	r = rip_cuda_grow(engine, &slot->host_in, slot->in.size, true);
	if (r < 0)
		return r;
	copy_rows(slot->host_in.at + at, (ptrdiff_t)page->in_pitch, from, p->strip->in_pitch, bytes,
		  p->rows);
	return rip_cuda_try(engine, cudaMemcpyAsync(to, slot->host_in.at + at, p->rows * page->in_pitch,
						    cudaMemcpyHostToDevice, page->lane->in));
}

/* The distance between planes that lie alike in the host's memory, so that one copy takes
 * them all: a copy has a start that costs as much as 200 KB.  0: they do not. */
static size_t distance_of(const cuda_page *page, const piece *pieces, unsigned count)
{
	const uint8_t *first = (const uint8_t *)pieces[0].strip->in;
	const ptrdiff_t distance =
		count > 1 ? (const uint8_t *)pieces[1].strip->in - first : 0;

	for (unsigned i = 0; i < count; i++)
		if (pitch_of(page, &pieces[i]) != (size_t)pieces[0].strip->in_pitch ||
		    pieces[i].strip->in_pitch != pieces[0].strip->in_pitch ||
		    pieces[i].rows != pieces[0].rows || pieces[i].first != pieces[0].first ||
		    (const uint8_t *)pieces[i].strip->in != first + i * distance)
			return 0;
	return distance >= (ptrdiff_t)pieces[0].rows * pieces[0].strip->in_pitch ? (size_t)distance : 0;
}

/* Starts one copy for all pieces of a bite. */
static int send_all(cuda_page *page, rip_cuda_slot *slot, const piece *pieces, unsigned count,
		    size_t distance)
{
	const size_t bytes = (size_t)page->spec.width * page->spec.sample_bits / 8;
	const size_t pitch = (size_t)pieces[0].strip->in_pitch, rows = pieces[0].rows;

	if (rip_cuda_fails(page->engine, RIP_CUDA_COPY))
		return rip_cuda_error(page->engine, cudaErrorUnknown);
	return rip_cuda_try(page->engine,
			    cudaMemcpy2DAsync(slot->in.at, rows * page->in_pitch,
					      (const uint8_t *)pieces[0].strip->in + pieces[0].first * pitch,
					      distance, (rows - 1) * pitch + bytes, count,
					      cudaMemcpyHostToDevice, page->lane->in));
}

/* Starts the copy of a piece's dots from the device. */
static int fetch(cuda_page *page, rip_cuda_slot *slot, const piece *p, const unsigned char *from,
		 size_t at)
{
	rip_cuda_engine *engine = page->engine;
	uint8_t *to = p->strip->out + (ptrdiff_t)p->first * p->strip->out_pitch;
	int r;

	if (reachable(to, p->strip->out_pitch))
		return rip_cuda_try(engine,
				    cudaMemcpy2DAsync(to,
						      p->rows > 1 ? (size_t)p->strip->out_pitch : page->dot_bytes,
						      from, page->out_pitch, page->dot_bytes, p->rows,
						      cudaMemcpyDeviceToHost, page->lane->out));
	r = rip_cuda_grow(engine, &slot->host_out, slot->out.size, true);
	if (r < 0)
		return r;
	slot->landing[slot->landings++] = { slot->host_out.at + at, page->out_pitch, page->dot_bytes, to,
					    p->strip->out_pitch, p->rows };
	return rip_cuda_try(engine, cudaMemcpyAsync(slot->host_out.at + at, from, p->rows * page->out_pitch,
						    cudaMemcpyDeviceToHost, page->lane->out));
}

/* One bite: pieces of different planes, through copy, kernels and copy. */
static int bite(cuda_page *page, const piece *pieces, unsigned count)
{
	rip_cuda_engine *engine = page->engine;
	rip_cuda_lane *lane = page->lane;
	rip_cuda_slot *slot = &lane->slot[page->bites++ % RIP_CUDA_SLOTS];
	rip_gpu_work *works;
	size_t rows = 0, distance;
	uint32_t most = 0, blocks;
	bool stall;
	int r = finish(page, slot);

	for (unsigned i = 0; i < count; i++) {
		rows += pieces[i].rows;
		most = pieces[i].rows > most ? pieces[i].rows : most;
	}
	if (r == 0)
		r = make_room(page, slot, rows, count, most);
	if (r < 0)
		return r;
	slot->busy = true;
	works = (rip_gpu_work *)slot->host_orders.at;
	distance = distance_of(page, pieces, count);
	if (distance > 0)
		r = send_all(page, slot, pieces, count, distance);
	rows = 0;
	for (unsigned i = 0; r == 0 && i < count; i++) {
		const uint32_t plane = pieces[i].strip->plane;
		const int now = page->carry[plane], next = engine->flags ? 1 - now : now;

		const size_t pitch = pitch_of(page, &pieces[i]);

		if (distance == 0)
			r = send(page, slot, &pieces[i], pitch, slot->in.at + rows * page->in_pitch,
				 rows * page->in_pitch);
		works[i] = { slot->in.at + rows * page->in_pitch, slot->out.at + rows * page->out_pitch,
			     pitch, page->out_pitch, carry_of(page, plane, now),
			     carry_of(page, plane, next), lane->scratch.at + lane->scratch_step * i,
			     pieces[i].rows, 0 };
		page->carry[plane] = (uint8_t)next;
		rows += pieces[i].rows;
	}
	stall = engine->flags && rip_wave_parts(most, page->warps) > 1 &&
		rip_cuda_fails(engine, RIP_CUDA_STALL);
	blocks = engine->flags ? list_parts(page, slot, count, most, stall) : 0;
	if (r == 0)
		r = rip_cuda_try(engine, cudaMemcpyAsync(slot->orders.at, works,
							 count * sizeof *works + blocks * sizeof(uint2),
							 cudaMemcpyHostToDevice, lane->in));
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventRecord(slot->arrived, lane->in));
	if (r == 0)
		r = rip_cuda_try(engine, cudaStreamWaitEvent(lane->run, slot->arrived, 0));
	if (r == 0)
		r = launch(page, slot, count, most, blocks, stall);
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventRecord(slot->made, lane->run));
	if (r == 0)
		r = rip_cuda_try(engine, cudaStreamWaitEvent(lane->out, slot->made, 0));
	rows = 0;
	for (unsigned i = 0; r == 0 && i < count; i++) {
		r = fetch(page, slot, &pieces[i], slot->out.at + rows * page->out_pitch,
			  rows * page->out_pitch);
		rows += pieces[i].rows;
	}
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventRecord(slot->left, lane->out));
	return r;
}

/* ---- the engine's promise ---- */

/* A copy that is over when this returns, in order with the page's kernels. */
static int copy_now(cuda_page *page, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	rip_cuda_engine *engine = page->engine;
	int r = rip_cuda_try(engine, cudaMemcpyAsync(to, from, bytes, kind, page->lane->run));

	return r < 0 ? r : rip_cuda_try(engine, cudaStreamSynchronize(page->lane->run));
}

/* Targets by sample, where the kernels do not compute them. */
static int load_targets(cuda_page *page)
{
	const rip_page_spec *spec = &page->spec;
	rip_cuda_engine *engine = page->engine;
	const size_t count = spec->sample_bits == 8 ? 256 : 65536;
	int32_t *targets;
	int r;

	if (!spec->curve && (spec->sample_bits == 16 || spec->levels == 2))
		return 0;
	targets = (int32_t *)malloc(count * sizeof *targets);
	if (!targets)
		return -ENOMEM;
	for (uint32_t v = 0; v < count; v++)
		targets[v] = rip_target(spec->curve ? spec->curve[v] : count == 256 ? 257 * v : v, spec->levels);
	r = rip_cuda_grow(engine, &page->lane->targets, count * sizeof *targets, false);
	if (r == 0)
		r = copy_now(page, page->lane->targets.at, targets, count * sizeof *targets,
			     cudaMemcpyHostToDevice);
	free(targets);
	page->shape.targets = (const int32_t *)page->lane->targets.at;
	return r;
}

int rip_cuda_page_open(rip_engine *base, const rip_page_spec *spec, rip_page **result)
{
	rip_cuda_engine *engine = (rip_cuda_engine *)base;
	cuda_page *page;
	int r = rip_page_spec_check(spec);

	*result = nullptr;
	if (r == 0 && spec->filter != RIP_FLOYD_STEINBERG)
		r = -ENOTSUP;
	if (r == 0)
		r = rip_cuda_enter(engine);
	if (r < 0)
		return r;
	page = (cuda_page *)calloc(1, sizeof *page);
	if (!page)
		return -ENOMEM;
	page->base.engine = base;
	page->engine = engine;
	page->spec = *spec;
	page->dot_bytes = rip_dot_bytes(spec->width, spec->levels);
	page->in_pitch = rip_gpu_align((uint64_t)spec->width * spec->sample_bits / 8);
	page->out_pitch = rip_gpu_align(page->dot_bytes);
	page->shape = { spec->width, spec->levels, spec->sample_bits, rip_dot_bits(spec->levels), nullptr };
	r = rip_cuda_lane_get(engine, &page->lane);
	if (r == 0)
		r = load_targets(page);
	page->warps = rip_wave_warps(&page->shape, engine->shared);
	page->spec.curve = nullptr; /* the caller's; not needed any more */
	if (r == 0)
		r = rip_cuda_grow(engine, &page->lane->carries,
				  (size_t)spec->planes * 2 * rip_gpu_align((uint64_t)spec->width * 2), false);
	if (r == 0)
		r = rip_cuda_try(engine, cudaMemsetAsync(page->lane->carries.at, 0,
							 page->lane->carries.size, page->lane->run));
	if (r < 0) {
		rip_cuda_page_close(&page->base);
		return r;
	}
	*result = &page->base;
	return 0;
}

/* How many rows of so many planes make a bite: whole parts, if there are any. */
static uint32_t bite_rows(const cuda_page *page, unsigned planes)
{
	const size_t rows = bite_bytes / (page->in_pitch * planes);
	const size_t part = 64 * page->warps;

	return rows > part ? (uint32_t)(rows / part * part) : rows > 0 ? (uint32_t)rows : 1;
}

int rip_cuda_page_push(rip_page *base, const rip_strip *strips, unsigned count)
{
	cuda_page *page = (cuda_page *)base;
	int r = rip_cuda_enter(page->engine);

	/* Strips of different planes that follow each other go together. */
	for (unsigned from = 0, to; r == 0 && from < count; from = to) {
		uint32_t seen = 0, most = 0;

		for (to = from; to < count && !(seen >> strips[to].plane & 1); to++) {
			if (strips[to].plane >= page->spec.planes)
				return -EINVAL;
			seen |= 1u << strips[to].plane;
			most = strips[to].rows > most ? strips[to].rows : most;
		}

		const uint32_t step = bite_rows(page, to - from);

		for (uint32_t row = 0; r == 0 && row < most; row += step) {
			piece pieces[RIP_PLANES_MAX];
			unsigned n = 0;

			for (unsigned i = from; i < to; i++)
				if (row < strips[i].rows)
					pieces[n++] = { &strips[i], row,
							strips[i].rows - row < step ? strips[i].rows - row : step };
			r = bite(page, pieces, n);
		}
	}
	return r;
}

int rip_cuda_page_pull(rip_page *base)
{
	cuda_page *page = (cuda_page *)base;
	int r = rip_cuda_enter(page->engine);

	for (rip_cuda_slot &slot : page->lane->slot)
		if (r == 0)
			r = finish(page, &slot);
	return r;
}

int rip_cuda_page_export(rip_page *base, uint32_t plane, int16_t *carry)
{
	cuda_page *page = (cuda_page *)base;
	int r = plane < page->spec.planes ? rip_cuda_page_pull(base) : -EINVAL;

	if (r < 0)
		return r;
	return copy_now(page, carry, carry_of(page, plane, page->carry[plane]),
			(size_t)page->spec.width * 2, cudaMemcpyDeviceToHost);
}

int rip_cuda_page_import(rip_page *base, uint32_t plane, const int16_t *carry)
{
	cuda_page *page = (cuda_page *)base;
	int r = plane < page->spec.planes ? rip_carry_check(&page->spec, carry) : -EINVAL;

	if (r == 0)
		r = rip_cuda_page_pull(base);
	if (r < 0)
		return r;
	return copy_now(page, carry_of(page, plane, page->carry[plane]), carry,
			(size_t)page->spec.width * 2, cudaMemcpyHostToDevice);
}

void rip_cuda_page_close(rip_page *base)
{
	cuda_page *page = (cuda_page *)base;

	if (!page)
		return;
	cudaSetDevice(page->engine->device);
	rip_cuda_lane_put(page->engine, page->lane);
	free(page);
}
