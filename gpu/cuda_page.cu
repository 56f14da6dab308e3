/* What both engines do alike with a page. */
#include "cuda_page.cuh"

#include <errno.h>
#include <stdlib.h>

/* ---- carries ---- */

/* The place of a plane's carry, in bytes. */
static size_t place_of(const rip_cuda_page *page, unsigned copy, uint32_t plane)
{
	return (copy * page->spec.planes + plane) * page->carry_bytes;
}

unsigned char *rip_cuda_page_carry(const rip_cuda_page *page, unsigned copy, uint32_t plane)
{
	return page->workspace->carries.at + place_of(page, copy, plane);
}

unsigned char *rip_cuda_page_host_carry(const rip_cuda_page *page, unsigned copy, uint32_t plane)
{
	return page->workspace->host_carries.at + place_of(page, copy, plane);
}

/* A copy that is done when this returns. */
static int copy_now(rip_cuda_page *page, void *to, const void *from, size_t bytes,
		    cudaMemcpyKind kind)
{
	const cudaStream_t stream = page->workspace->stream;
	int r = rip_cuda_try(page->device, cudaMemcpyAsync(to, from, bytes, kind, stream));

	return r < 0 ? r : rip_cuda_try(page->device, cudaStreamSynchronize(stream));
}

int rip_cuda_page_store_carry(rip_cuda_page *page, unsigned copy, uint32_t plane)
{
	return copy_now(page, rip_cuda_page_carry(page, copy, plane),
			rip_cuda_page_host_carry(page, copy, plane),
			page->carry_bytes, cudaMemcpyHostToDevice);
}

int rip_cuda_page_load_carries(rip_cuda_page *page, unsigned copy)
{
	int r = 0;

	/* All planes at once: callers ask for one after the other. */
	if (!(page->known >> copy & 1))
		r = copy_now(page, rip_cuda_page_host_carry(page, copy, 0),
			     rip_cuda_page_carry(page, copy, 0),
			     page->spec.planes * page->carry_bytes, cudaMemcpyDeviceToHost);
	if (r == 0)
		page->known |= 1u << copy;
	return r;
}

/* A power of two, so that the buffers of later pages rarely grow. */
size_t rip_cuda_page_carry_room(unsigned carries, size_t carry_bytes)
{
	size_t room = 128 << 10;

	while (room < carries * carry_bytes)
		room *= 2;
	return room;
}

static int clear_carries(rip_cuda_page *page)
{
	const unsigned carries = page->copies * page->spec.planes;
	const size_t room = rip_cuda_page_carry_room(carries, page->carry_bytes);
	rip_cuda_device *device = page->device;
	rip_cuda_workspace *workspace = page->workspace;
	int r = rip_cuda_grow(device, &workspace->carries, room, false);

	if (r == 0)
		r = rip_cuda_grow(device, &workspace->host_carries, room, true);
	if (r == 0)
		r = rip_cuda_try(device, cudaMemsetAsync(workspace->carries.at, 0,
							 carries * page->carry_bytes,
							 workspace->stream));
	return r < 0 ? r : rip_cuda_try(device, cudaStreamSynchronize(workspace->stream));
}

/* ---- open and close ---- */

/* Copies targets by sample to the device, where the kernels do not compute them. */
static int load_targets(rip_cuda_page *page, const uint16_t *curve)
{
	const rip_page_spec *spec = &page->spec;
	const size_t count = spec->sample_bits == 8 ? 256 : 65536;
	rip_cuda_buffer *buffer = &page->workspace->targets;
	int32_t *targets;
	int r;

	if (!curve && (spec->sample_bits == 16 ||
		       (spec->levels == 2 && page->shape.screen == RIP_FLOYD_STEINBERG)))
		return 0;
	targets = (int32_t *)malloc(count * sizeof *targets);
	if (!targets)
		return -ENOMEM;
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t x = curve ? curve[v] : count == 256 ? 257 * v : v;

		targets[v] = rip_target(x, spec->levels);
	}
	r = rip_cuda_grow(page->device, buffer, 65536 * sizeof *targets, false); /* for any page */
	if (r == 0)
		r = copy_now(page, buffer->at, targets, count * sizeof *targets,
			     cudaMemcpyHostToDevice);
	free(targets);
	page->shape.targets = (const int32_t *)buffer->at;
	return r;
}

rip_gpu_shape rip_cuda_shape_of(const rip_page_spec *spec)
{
	const uint32_t screen = (uint32_t)rip_screen_id(spec->screen);

	return { spec->width, spec->levels, spec->sample_bits, rip_dot_bits(spec->levels),
		 screen == RIP_BLUE_NOISE_COLOUR && spec->planes == 1 ? (uint32_t)RIP_BLUE_NOISE
								      : screen,
		 nullptr };
}

int rip_cuda_page_open(rip_cuda_device *device, const rip_page_spec *spec, size_t page_size,
		       const rip_cuda_workspace_type *type, size_t carry_bytes, unsigned copies,
		       rip_cuda_page **result)
{
	rip_cuda_page *page;
	int r = rip_page_spec_check(spec);

	*result = nullptr;
	if (r == 0 && !device->engine.ops->takes(&device->engine, spec))
		r = -EINVAL;
	if (r == 0)
		r = rip_cuda_enter(device);
	if (r < 0)
		return r;
	page = (rip_cuda_page *)calloc(1, page_size);
	if (!page)
		return -ENOMEM;
	pthread_mutex_lock(&device->lock);
	device->pages++;
	pthread_mutex_unlock(&device->lock);
	page->base.engine = &device->engine;
	page->device = device;
	page->spec = *spec;
	page->spec.curve = nullptr; /* the caller's */
	page->shape = rip_cuda_shape_of(spec);
	page->row.sample_bytes = (size_t)spec->width * spec->sample_bits / 8;
	page->row.dot_bytes = rip_dot_bytes(spec->width, spec->levels);
	page->row.sample_room = rip_cuda_row_room(page->row.sample_bytes);
	page->row.dot_room = rip_gpu_align(page->row.dot_bytes);
	page->row.dot_step = 4 * page->shape.bits;
	page->row.width = spec->width;
	page->carry_bytes = rip_gpu_align(carry_bytes);
	page->copies = copies;
	r = rip_cuda_workspace_get(device, type, &page->workspace);
	if (r == 0)
		r = load_targets(page, spec->curve);
	if (r == 0)
		r = clear_carries(page);
	if (r < 0) {
		rip_cuda_page_close(page);
		return r;
	}
	*result = page;
	return 0;
}

void rip_cuda_page_close(rip_cuda_page *page)
{
	if (!page)
		return;
	rip_cuda_device *device = page->device;

	rip_cuda_workspace_put(device, page->workspace);
	free(page);
	pthread_mutex_lock(&device->lock);

	const bool last = --device->pages == 0;

	pthread_mutex_unlock(&device->lock);
	if (last && !device->reap)
		rip_cuda_free_released(device);
}

/* ---- chunks ---- */

/* Starts the chunks of some strips of different planes. */
static int push_together(rip_cuda_page *page, const rip_strip *strips, unsigned count,
			 const rip_cuda_chunker *chunker)
{
	const uint32_t step = chunker->rows(page, count);
	uint32_t most = 0;
	int r = 0;

	for (unsigned i = 0; i < count; i++)
		most = strips[i].rows > most ? strips[i].rows : most;
	for (uint64_t row = 0; r == 0 && row < most; row += step) {
		rip_cuda_plane_rows planes[RIP_PLANES_MAX] = {};
		unsigned n = 0;

		for (unsigned i = 0; i < count; i++) {
			const rip_strip *s = &strips[i];
			rip_cuda_plane_rows *p = &planes[n];

			if (row >= s->rows)
				continue;
			p->in = (const uint8_t *)s->in + (ptrdiff_t)row * s->in_pitch;
			p->in_pitch = s->in_pitch;
			p->pixels = s->pixels;
			p->line_numbers = s->line_numbers;
			p->out = s->out + (ptrdiff_t)row * s->out_pitch;
			p->out_pitch = s->out_pitch;
			p->plane = s->plane;
			p->rows = s->rows - row < step ? (uint32_t)(s->rows - row) : step;
			n++;
		}
		r = chunker->start(page, planes, n);
	}
	return r;
}

int rip_cuda_page_push(rip_cuda_page *page, const rip_strip *strips, unsigned count,
		       const rip_cuda_chunker *chunker)
{
	int r = rip_cuda_enter(page->device);

	/* Before anything is started: all strips are halftoned, or none is. */
	if (!rip_strips_check(&page->spec, strips, count))
		return -EINVAL;
	/* Strips of different planes that follow each other go together. */
	for (unsigned from = 0, to; r == 0 && from < count; from = to) {
		uint32_t seen = 0;

		for (to = from; to < count && !(seen >> strips[to].plane & 1); to++)
			seen |= 1u << strips[to].plane;
		r = push_together(page, &strips[from], to - from, chunker);
	}
	return r;
}
