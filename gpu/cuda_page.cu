/*
 * A page on the GPU: strips go to the launcher in bites, dots come back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_copy.cuh"
#include "cuda_launcher.cuh"

extern "C" {
#include "halftone/tone.h"
}

/* Samples in a bite, unless a line is longer.  A published method takes what it gets: the
 * more rows it has at once, the fewer launches it needs. */
static const size_t bite_bytes = 16 << 20, published_bytes = 512 << 20;

struct cuda_page {
	rip_page           base;
	rip_cuda_engine   *engine;
	rip_cuda_lane     *lane;
	rip_page_spec      spec;
	rip_gpu_shape      shape;
	rip_cuda_row       row;
	uint32_t           warps;                    /* strips in a part of the wavefront */
	uint32_t           sequence[RIP_PLANES_MAX]; /* of the next part of a plane */
	uint32_t           bites;                    /* so far */
	bool               busy[RIP_CUDA_SLOTS];
	bool               known; /* the lane's host_carries are what carries are */
};

/* ---- carries: words for the wavefront, else plain values ---- */

static size_t carry_bytes(const cuda_page *page)
{
	return rip_gpu_align(page->engine->flags ? (uint64_t)rip_wave_words(page->spec.width) * 8
						 : (uint64_t)page->spec.width * 2);
}

static unsigned char *device_carry(const cuda_page *page, uint32_t plane)
{
	return page->lane->carries.at + plane * carry_bytes(page);
}

static unsigned char *host_carry(const cuda_page *page, uint32_t plane)
{
	return page->lane->host_carries.at + plane * carry_bytes(page);
}

/* A copy that is over when this returns. */
static int copy_now(cuda_page *page, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	rip_cuda_engine *engine = page->engine;
	int r = rip_cuda_try(engine, cudaMemcpyAsync(to, from, bytes, kind, page->lane->stream));

	return r < 0 ? r : rip_cuda_try(engine, cudaStreamSynchronize(page->lane->stream));
}

/* No rows yet: all carries are 0, and all words say 0. */
static int clear_carries(cuda_page *page)
{
	const size_t bytes = page->spec.planes * carry_bytes(page);
	rip_cuda_engine *engine = page->engine;
	rip_cuda_lane *lane = page->lane;
	int r = rip_cuda_grow(engine, &lane->carries, bytes, false);

	if (r == 0)
		r = rip_cuda_grow(engine, &lane->host_carries, bytes, true);
	if (r == 0)
		r = rip_cuda_try(engine, cudaMemsetAsync(lane->carries.at, 0, bytes, lane->stream));
	return r < 0 ? r : rip_cuda_try(engine, cudaStreamSynchronize(lane->stream));
}

int rip_cuda_page_export(rip_page *base, uint32_t plane, int16_t *carry)
{
	cuda_page *page = (cuda_page *)base;
	const uint32_t width = page->spec.width;
	int r = plane < page->spec.planes ? rip_cuda_page_pull(base) : -EINVAL;

	/* All planes at once: mostly all are asked for, one after the other. */
	if (r == 0 && !page->known)
		r = copy_now(page, page->lane->host_carries.at, page->lane->carries.at,
			     page->spec.planes * carry_bytes(page), cudaMemcpyDeviceToHost);
	if (r < 0)
		return r;
	page->known = true;
	if (!page->engine->flags)
		memcpy(carry, host_carry(page, plane), (size_t)width * 2);
	else if (!rip_wave_unpack(carry, page->sequence[plane],
				  (const uint64_t *)host_carry(page, plane), width))
		return rip_cuda_break(page->engine, -EIO); /* rows were left out */
	return 0;
}

int rip_cuda_page_import(rip_page *base, uint32_t plane, const int16_t *carry)
{
	cuda_page *page = (cuda_page *)base;
	int r = plane < page->spec.planes ? rip_carry_check(&page->spec, carry) : -EINVAL;

	if (r == 0)
		r = rip_cuda_page_pull(base);
	if (r < 0)
		return r;
	if (page->engine->flags)
		rip_wave_pack((uint64_t *)host_carry(page, plane), page->sequence[plane], carry,
			      page->spec.width);
	else
		memcpy(host_carry(page, plane), carry, (size_t)page->spec.width * 2);
	return copy_now(page, device_carry(page, plane), host_carry(page, plane), carry_bytes(page),
			cudaMemcpyHostToDevice);
}

/* ---- bites ---- */

/* Waits until a slot's dots are out, and brings them where they belong. */
static int finish(cuda_page *page, unsigned i)
{
	rip_cuda_slot *slot = &page->lane->slot[i];
	int r;

	if (!page->busy[i])
		return 0;
	page->busy[i] = false;
	r = rip_cuda_launcher_await(page->engine->launcher, slot);
	if (r == 0)
		rip_cuda_land(slot);
	return r;
}

/* A slot that is idle; if there is none, the oldest one's bite is waited for. */
static int free_slot(cuda_page *page, unsigned *found)
{
	unsigned oldest = 0;

	for (unsigned i = 0; i < RIP_CUDA_SLOTS; i++) {
		if (!page->busy[i]) {
			*found = i;
			return 0;
		}
		if (page->lane->slot[i].number - page->lane->slot[oldest].number > UINT32_MAX / 2)
			oldest = i;
	}
	*found = oldest;
	return finish(page, oldest);
}

/* What the wavefront has to know of the pieces in a slot. */
static void order_parts(cuda_page *page, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
			unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const rip_cuda_piece *p = &pieces[i];
		rip_wave_part *part = &slot->parts[i];

		*part = rip_wave_part();
		part->in = p->samples;
		part->out = p->dots;
		part->words = (uint64_t *)device_carry(page, p->plane);
		part->targets = page->shape.targets;
		part->in_pitch = (uint32_t)p->samples_pitch;
		part->out_pitch = (uint32_t)p->dots_pitch;
		part->sequence = page->sequence[p->plane];
		part->rows = p->rows;
		part->width = page->spec.width;
		part->levels = page->spec.levels;
		page->sequence[p->plane] += rip_wave_parts(p->rows, page->warps);
	}
	slot->stall = rip_cuda_fails(page->engine, RIP_CUDA_STALL);
}

/* What a published method has to know, copied to the slot. */
static int order_works(cuda_page *page, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
		       unsigned count)
{
	rip_cuda_engine *engine = page->engine;
	const size_t bytes = RIP_PLANES_MAX * sizeof(rip_gpu_work);
	rip_gpu_work *works;
	uint64_t scratch;
	int r;

	slot->rows = 0;
	for (unsigned i = 0; i < count; i++)
		slot->rows = pieces[i].rows > slot->rows ? pieces[i].rows : slot->rows;
	scratch = rip_cuda_published_scratch(engine, &page->shape, slot->rows);
	r = rip_cuda_grow(engine, &slot->scratch, count * scratch, false);
	if (r == 0)
		r = rip_cuda_grow(engine, &slot->works, bytes, false);
	if (r == 0)
		r = rip_cuda_grow(engine, &slot->host_works, bytes, true);
	if (r < 0)
		return r;
	works = (rip_gpu_work *)slot->host_works.at;
	for (unsigned i = 0; i < count; i++)
		works[i] = { pieces[i].samples, pieces[i].dots, pieces[i].samples_pitch,
			     pieces[i].dots_pitch, (int16_t *)device_carry(page, pieces[i].plane),
			     slot->scratch.at + i * scratch, pieces[i].rows, 0 };
	return rip_cuda_try(engine, cudaMemcpyAsync(slot->works.at, works, count * sizeof *works,
						    cudaMemcpyHostToDevice, engine->launcher->in));
}

/* One bite: pieces of different planes, on their way. */
static int bite(cuda_page *page, rip_cuda_piece *pieces, unsigned count)
{
	rip_cuda_engine *engine = page->engine;
	rip_cuda_launcher *launcher = engine->launcher;
	rip_cuda_slot *slot;
	unsigned found;
	int r = free_slot(page, &found);

	if (r < 0)
		return r;
	slot = &page->lane->slot[found];
	slot->number = page->bites++;
	slot->shape = page->shape;
	page->known = false;
	r = rip_cuda_place(engine, slot, pieces, count, &page->row);
	if (r == 0)
		r = rip_cuda_return(engine, slot, pieces, count, &page->row);
	if (r == 0)
		r = rip_cuda_send(engine, slot, pieces, count, &page->row, launcher->in);
	if (r == 0 && engine->flags)
		order_parts(page, slot, pieces, count);
	else if (r == 0)
		r = order_works(page, slot, pieces, count);
	if (r == 0)
		r = rip_cuda_try(engine, cudaEventRecord(slot->arrived, launcher->in));
	if (r < 0) { /* what is under way must not reach memory that is used again */
		cudaStreamSynchronize(launcher->in);
		return r;
	}
	page->busy[found] = true;
	rip_cuda_launcher_submit(launcher, slot);
	return 0;
}

/* How many rows of so many planes make a bite: whole parts, if there are any, and not more
 * than a launch can take. */
static uint32_t bite_rows(const cuda_page *page, unsigned planes)
{
	const size_t bytes = page->engine->flags ? bite_bytes : published_bytes;
	const size_t rows = bytes / (rip_gpu_align(page->row.sample_bytes) * planes);
	const size_t part = RIP_WAVE_ROWS * page->warps, most = RIP_CUDA_PARTS_MAX / planes * part;

	if (!page->engine->flags || rows <= part)
		return rows > 0 ? (uint32_t)rows : 1;
	return (uint32_t)(rows < most ? rows / part * part : most);
}

int rip_cuda_page_push(rip_page *base, const rip_strip *strips, unsigned count)
{
	cuda_page *page = (cuda_page *)base;
	int r = rip_cuda_enter(page->engine);

	/* Before anything is started: strips are all halftoned, or none is. */
	for (unsigned i = 0; i < count; i++)
		if (strips[i].plane >= page->spec.planes)
			return -EINVAL;
	/* Strips of different planes that follow each other go together. */
	for (unsigned from = 0, to; r == 0 && from < count; from = to) {
		uint32_t seen = 0, most = 0;

		for (to = from; to < count && !(seen >> strips[to].plane & 1); to++) {
			seen |= 1u << strips[to].plane;
			most = strips[to].rows > most ? strips[to].rows : most;
		}

		const uint32_t step = bite_rows(page, to - from);

		for (uint32_t row = 0; r == 0 && row < most; row += step) {
			rip_cuda_piece pieces[RIP_PLANES_MAX] = {};
			unsigned n = 0;

			for (unsigned i = from; i < to; i++) {
				const rip_strip *s = &strips[i];
				rip_cuda_piece *p = &pieces[n];

				if (row >= s->rows)
					continue;
				p->in = (const uint8_t *)s->in + (ptrdiff_t)row * s->in_pitch;
				p->in_pitch = s->in_pitch;
				p->out = s->out + (ptrdiff_t)row * s->out_pitch;
				p->out_pitch = s->out_pitch;
				p->plane = s->plane;
				p->rows = s->rows - row < step ? s->rows - row : step;
				n++;
			}
			r = bite(page, pieces, n);
		}
	}
	return r;
}

int rip_cuda_page_pull(rip_page *base)
{
	cuda_page *page = (cuda_page *)base;
	int r = rip_cuda_enter(page->engine);

	/* All of them, also after a failure: no copy may reach the caller's memory later. */
	for (unsigned i = 0; i < RIP_CUDA_SLOTS; i++) {
		const int one = finish(page, i);

		r = r < 0 ? r : one;
	}
	return r;
}

/* ---- its life ---- */

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

bool rip_cuda_page_takes(const rip_engine *engine, const rip_page_spec *spec)
{
	(void)engine;
	return rip_screen_id(spec->screen) == RIP_FLOYD_STEINBERG;
}

int rip_cuda_page_open(rip_engine *base, const rip_page_spec *spec, rip_page **result)
{
	rip_cuda_engine *engine = (rip_cuda_engine *)base;
	cuda_page *page;
	int r = rip_page_spec_check(spec);

	*result = nullptr;
	if (r == 0 && !rip_cuda_page_takes(base, spec))
		r = -EINVAL;
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
	page->shape = { spec->width, spec->levels, spec->sample_bits, rip_dot_bits(spec->levels), nullptr };
	page->row.sample_bytes = (size_t)spec->width * spec->sample_bits / 8;
	page->row.dot_bytes = rip_dot_bytes(spec->width, spec->levels);
	/* A little more, for pitches that are chosen for the processor's caches. */
	page->row.sample_room = rip_gpu_align(page->row.sample_bytes) + RIP_GPU_ALIGN;
	page->row.dot_room = rip_gpu_align(page->row.dot_bytes);
	page->row.dot_step = 4 * page->shape.bits;
	r = rip_cuda_lane_get(engine, &page->lane);
	if (r == 0)
		r = load_targets(page);
	page->warps = engine->launcher->kind[rip_wave_kind(&page->shape)].warps;
	page->spec.curve = nullptr; /* the caller's; not needed any more */
	if (r == 0)
		r = clear_carries(page);
	if (r < 0) {
		rip_cuda_page_close(&page->base);
		return r;
	}
	*result = &page->base;
	return 0;
}

void rip_cuda_page_close(rip_page *base)
{
	cuda_page *page = (cuda_page *)base;

	if (!page)
		return;
	cudaSetDevice(page->engine->device);
	for (unsigned i = 0; page->lane && i < RIP_CUDA_SLOTS; i++)
		finish(page, i);
	rip_cuda_lane_put(page->engine, page->lane);
	free(page);
}
