/* Between the host's memory and a slot. */
#include "cuda_copy.cuh"

#include <string.h>

static void copy_rows(uint8_t *to, ptrdiff_t to_pitch, const uint8_t *from, ptrdiff_t from_pitch,
		      size_t bytes, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++)
		memcpy(to + (ptrdiff_t)i * to_pitch, from + (ptrdiff_t)i * from_pitch, bytes);
}

/* Whether the device can reach these rows itself. */
static bool pinned(const void *at, ptrdiff_t pitch)
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

int rip_cuda_place(rip_cuda_engine *engine, rip_cuda_slot *slot, rip_cuda_piece *pieces,
		   unsigned count, const rip_cuda_row *row)
{
	size_t rows = 0;
	int r;

	for (unsigned i = 0; i < count; i++)
		rows += pieces[i].rows;
	/* Kernels read whole pieces of a line: a little past the last row. */
	r = rip_cuda_grow(engine, &slot->in, rows * row->sample_room + RIP_GPU_ALIGN, false);
	if (r == 0)
		r = rip_cuda_grow(engine, &slot->out, rows * row->dot_room, false);
	rows = 0;
	for (unsigned i = 0; r == 0 && i < count; i++) {
		rip_cuda_piece *p = &pieces[i];

		p->in_pinned = pinned(p->in, p->in_pitch);
		p->out_pinned = pinned(p->out, p->out_pitch);
		p->samples = slot->in.at + rows * row->sample_room;
		p->dots = slot->out.at + rows * row->dot_room;
		/* As they lie in the host's memory, if the kernels can do with that: one straight
		 * copy is faster than one of many rows. */
		p->samples_pitch = p->in_pinned && p->in_pitch % 16 == 0 &&
						   (size_t)p->in_pitch >= row->sample_bytes &&
						   (size_t)p->in_pitch <= row->sample_room
					   ? (size_t)p->in_pitch
					   : row->sample_room;
		p->dots_pitch = p->out_pinned && (size_t)p->out_pitch == row->dot_bytes &&
						row->dot_bytes % row->dot_step == 0
					? row->dot_bytes
					: row->dot_room;
		rows += p->rows;
	}
	return r;
}

/* The distance between planes that lie alike in the host's memory, so that one copy takes
 * them all: a copy has a start that costs as much as 200 KB.  0: they do not. */
static size_t distance_of(const rip_cuda_piece *pieces, unsigned count)
{
	const rip_cuda_piece *first = &pieces[0];
	const ptrdiff_t distance = count > 1 ? pieces[1].in - first->in : 0;

	for (unsigned i = 0; i < count; i++) {
		const rip_cuda_piece *p = &pieces[i];

		if (!p->in_pinned || (ptrdiff_t)p->samples_pitch != p->in_pitch ||
		    p->in_pitch != first->in_pitch || p->rows != first->rows ||
		    p->in != first->in + i * distance)
			return 0;
	}
	return distance >= (ptrdiff_t)first->rows * first->in_pitch ? (size_t)distance : 0;
}

static cudaError_t send_one(const rip_cuda_piece *p, const rip_cuda_row *row, unsigned char *stop,
			    cudaStream_t stream)
{
	if (p->in_pinned && (ptrdiff_t)p->samples_pitch == p->in_pitch)
		return cudaMemcpyAsync(p->samples, p->in, (p->rows - 1) * p->samples_pitch + row->sample_bytes,
				       cudaMemcpyHostToDevice, stream);
	if (p->in_pinned)
		return cudaMemcpy2DAsync(p->samples, p->samples_pitch, p->in,
					 p->rows > 1 ? (size_t)p->in_pitch : row->sample_bytes,
					 row->sample_bytes, p->rows, cudaMemcpyHostToDevice, stream);
	copy_rows(stop, (ptrdiff_t)p->samples_pitch, p->in, p->in_pitch, row->sample_bytes, p->rows);
	return cudaMemcpyAsync(p->samples, stop, p->rows * p->samples_pitch, cudaMemcpyHostToDevice,
			       stream);
}

int rip_cuda_send(rip_cuda_engine *engine, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
		  unsigned count, const rip_cuda_row *row, cudaStream_t stream)
{
	const size_t distance = distance_of(pieces, count);
	const rip_cuda_piece *first = &pieces[0];
	int r = 0;

	if (rip_cuda_fails(engine, RIP_CUDA_COPY))
		return rip_cuda_error(engine, cudaErrorUnknown);
	if (distance > 0)
		return rip_cuda_try(engine, cudaMemcpy2DAsync(first->samples, first->rows * row->sample_room,
							      first->in, distance,
							      (first->rows - 1) * first->samples_pitch +
								      row->sample_bytes,
							      count, cudaMemcpyHostToDevice, stream));
	for (unsigned i = 0; r == 0 && i < count; i++) {
		if (!pieces[i].in_pinned)
			r = rip_cuda_grow(engine, &slot->host_in, slot->in.size, true);
		if (r == 0)
			r = rip_cuda_try(engine, send_one(&pieces[i], row,
							  slot->host_in.at + (pieces[i].samples - slot->in.at),
							  stream));
	}
	return r;
}

int rip_cuda_return(rip_cuda_engine *engine, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
		    unsigned count, const rip_cuda_row *row)
{
	int r = 0;

	slot->count = count;
	for (unsigned i = 0; r == 0 && i < count; i++) {
		const rip_cuda_piece *p = &pieces[i];

		if (!p->out_pinned)
			r = rip_cuda_grow(engine, &slot->host_out, slot->out.size, true);
		slot->dots[i] = { p->dots, p->dots_pitch,
				  p->out_pinned ? nullptr : slot->host_out.at + (p->dots - slot->out.at),
				  p->out, p->out_pitch, row->dot_bytes, p->rows };
	}
	return r;
}

void rip_cuda_land(const rip_cuda_slot *slot)
{
	for (unsigned i = 0; i < slot->count; i++) {
		const rip_cuda_dots *d = &slot->dots[i];

		if (d->stop)
			copy_rows(d->to, d->to_pitch, d->stop, (ptrdiff_t)d->from_pitch, d->bytes, d->rows);
	}
}
