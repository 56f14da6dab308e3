/* Copies between the host's memory and the device. */
#include "cuda_transfer.cuh"

#include <string.h>

#include "gather.cuh"

extern "C" {
#include "halftone/page/ink_limit.h"
}

static void copy_rows(uint8_t *to, ptrdiff_t to_pitch, const uint8_t *from, ptrdiff_t from_pitch,
		      size_t bytes, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++)
		memcpy(to + (ptrdiff_t)i * to_pitch, from + (ptrdiff_t)i * from_pitch, bytes);
}

static bool is_pinned(const uint8_t *at)
{
	cudaPointerAttributes attributes;

	if (cudaPointerGetAttributes(&attributes, at) != cudaSuccess) {
		cudaGetLastError();
		return false;
	}
	return attributes.type == cudaMemoryTypeHost;
}

/* Whether the device can reach these rows itself: memory may be pinned in part. */
static bool pinned(const uint8_t *at, ptrdiff_t pitch, uint32_t rows, size_t bytes)
{
	return pitch >= 0 && is_pinned(at) &&
	       is_pinned(at + (ptrdiff_t)(rows - 1) * pitch + bytes - 1);
}

static void place(const rip_cuda_transfer *transfer, rip_cuda_plane_rows *p, size_t rows_before,
		  const rip_cuda_row *row)
{
	p->in_pinned = !p->pixels && pinned(p->in, p->in_pitch, p->rows, row->sample_bytes);
	p->out_pinned = pinned(p->out, p->out_pitch, p->rows, row->dot_bytes);
	p->samples = transfer->in.at + rows_before * row->sample_room;
	p->dots = transfer->out.at + rows_before * row->dot_room;
	/* The host's pitch, if the kernels can use it: one copy of all bytes is faster than
	 * one of many rows. */
	p->samples_pitch = p->in_pinned && p->in_pitch % 16 == 0 &&
					   (size_t)p->in_pitch >= row->sample_bytes &&
					   (size_t)p->in_pitch <= row->sample_room
				   ? (size_t)p->in_pitch
				   : row->sample_room;
	p->dots_pitch = p->out_pinned && (size_t)p->out_pitch == row->dot_bytes &&
					row->dot_bytes % row->dot_step == 0
				? row->dot_bytes
				: row->dot_room;
}

/* A row of dots takes at most half the room of its samples: 4 bits of 8, and sample_room has
 * RIP_GPU_ALIGN more than the row.  Kernels read whole words: a little past the last row.  The
 * last word of that is the one for panels.
 *
 * Where there are lines of pixels instead of samples, the rows' numbers lie before them, two bytes
 * for a row, which takes 2 * RIP_GPU_ALIGN bytes or more, and the planes' curves. */
static size_t room_in(size_t bytes)
{
	return rip_gpu_align(bytes) + RIP_GPU_ALIGN + rip_gpu_align(bytes / RIP_GPU_ALIGN) +
	       RIP_PLANES_MAX * 256 * sizeof(uint16_t);
}

uint32_t *rip_cuda_transfer_admitted(const rip_cuda_transfer *transfer)
{
	return (uint32_t *)(transfer->in.at + transfer->in.size) - 1;
}

static size_t room_out(size_t bytes)
{
	return rip_gpu_align(bytes / 2);
}

size_t rip_cuda_transfer_staging(size_t bytes)
{
	return room_in(bytes) + room_out(bytes);
}

int rip_cuda_transfer_reserve(rip_cuda_device *device, rip_cuda_transfer *transfer, size_t bytes,
			      bool staging)
{
	int r = rip_cuda_grow(device, &transfer->in, room_in(bytes), false);

	if (r == 0)
		r = rip_cuda_grow(device, &transfer->out, room_out(bytes), false);
	if (r == 0 && staging)
		r = rip_cuda_grow(device, &transfer->host_in, room_in(bytes), true);
	if (r == 0 && staging)
		r = rip_cuda_grow(device, &transfer->host_out, room_out(bytes), true);
	return r;
}

int rip_cuda_transfer_place(rip_cuda_device *device, rip_cuda_transfer *transfer,
			    const rip_cuda_plane_rows *planes, unsigned count,
			    const rip_cuda_row *row)
{
	size_t rows = 0;
	int r;

	for (unsigned i = 0; i < count; i++)
		rows += planes[i].rows;
	r = rip_cuda_transfer_reserve(device, transfer, rows * row->sample_room, false);
	rows = 0;
	transfer->count = count;
	for (unsigned i = 0; r == 0 && i < count; i++) {
		rip_cuda_plane_rows *p = &transfer->planes[i];

		*p = planes[i];
		place(transfer, p, rows, row);
		if (!p->out_pinned)
			r = rip_cuda_grow(device, &transfer->host_out, transfer->out.size, true);
		transfer->dots[i] = { p->dots, p->dots_pitch,
				      p->out_pinned ? nullptr
						    : transfer->host_out.at +
							      (p->dots - transfer->out.at),
				      p->out, p->out_pitch, row->dot_bytes, p->rows };
		rows += p->rows;
	}
	return r;
}

bool rip_cuda_transfer_is_direct(const rip_cuda_transfer *transfer)
{
	bool direct = true;

	for (unsigned i = 0; i < transfer->count; i++)
		direct = direct && transfer->planes[i].in_pinned;
	return direct;
}

/* Whether the rows of a plane begin behind those of another. */
static bool follow(const rip_cuda_plane_rows *p, const rip_cuda_plane_rows *more,
		   const rip_cuda_row *row)
{
	const ptrdiff_t rows = p->rows;

	if (p->in_pitch < (ptrdiff_t)row->sample_bytes || p->out_pitch < (ptrdiff_t)row->dot_bytes)
		return false; /* one row, or upwards */
	return more->plane == p->plane && more->in_pitch == p->in_pitch &&
	       more->out_pitch == p->out_pitch && more->in == p->in + rows * p->in_pitch &&
	       more->out == p->out + rows * p->out_pitch &&
	       pinned(more->in, more->in_pitch, more->rows, row->sample_bytes) &&
	       pinned(more->out, more->out_pitch, more->rows, row->dot_bytes) == p->out_pinned;
}

bool rip_cuda_transfer_append(rip_cuda_transfer *transfer, const rip_cuda_plane_rows *planes,
			      unsigned count, const rip_cuda_row *row)
{
	for (unsigned i = 0; i < count; i++)
		if (count != transfer->count || !follow(&transfer->planes[i], &planes[i], row))
			return false;
	for (unsigned i = 0; i < count; i++)
		transfer->planes[i].rows += planes[i].rows;
	return true;
}

/* The distance between planes that have the same layout in the host's memory, so that one
 * copy takes them all: the start of a copy costs as much as 200 KB.  0: they have not. */
static size_t distance_of(const rip_cuda_plane_rows *planes, unsigned count)
{
	const rip_cuda_plane_rows *first = &planes[0];
	const ptrdiff_t distance = count > 1 ? planes[1].in - first->in : 0;

	for (unsigned i = 0; i < count; i++) {
		const rip_cuda_plane_rows *p = &planes[i];

		if (!p->in_pinned || (ptrdiff_t)p->samples_pitch != p->in_pitch ||
		    p->in_pitch != first->in_pitch || p->rows != first->rows ||
		    p->in != first->in + i * distance)
			return 0;
	}
	return distance >= (ptrdiff_t)first->rows * first->in_pitch ? (size_t)distance : 0;
}

static cudaError_t send_plane(const rip_cuda_plane_rows *p, const rip_cuda_row *row,
			      unsigned char *staging, cudaStream_t stream)
{
	if (p->in_pinned && (ptrdiff_t)p->samples_pitch == p->in_pitch)
		return cudaMemcpyAsync(p->samples, p->in,
				       (p->rows - 1) * p->samples_pitch + row->sample_bytes,
				       cudaMemcpyHostToDevice, stream);
	if (p->in_pinned)
		return cudaMemcpy2DAsync(p->samples, p->samples_pitch, p->in,
					 p->rows > 1 ? (size_t)p->in_pitch : row->sample_bytes,
					 row->sample_bytes, p->rows, cudaMemcpyHostToDevice,
					 stream);
	copy_rows(staging, (ptrdiff_t)p->samples_pitch, p->in, p->in_pitch, row->sample_bytes,
		  p->rows);
	return cudaMemcpyAsync(p->samples, staging, p->rows * p->samples_pitch,
			       cudaMemcpyHostToDevice, stream);
}

/* ---- pixels ---- */

/* Of lines on the device. */
static size_t pitch_of(const rip_pixels *pixels, size_t bytes)
{
	return pixels->pitch % 16 == 0 && pixels->pitch <= rip_cuda_row_room(bytes)
		       ? pixels->pitch
		       : rip_gpu_align(bytes);
}

/* Of a sample of lines. */
static size_t bytes_of(const rip_pixels *pixels, const rip_cuda_row *row)
{
	return pixels->limit ? 1 : row->sample_bytes / row->width;
}

static size_t line_bytes(const rip_pixels *pixels, const rip_cuda_row *row)
{
	return (size_t)row->width * pixels->step * bytes_of(pixels, row);
}

bool rip_cuda_transfer_takes_pixels(const rip_pixels *pixels, const rip_cuda_row *row,
				    size_t bytes)
{
	return pixels->count * pitch_of(pixels, line_bytes(pixels, row)) <= bytes;
}

/* The bytes that the numbers of all rows take. */
static size_t numbers_room(const rip_cuda_transfer *transfer)
{
	size_t rows = 0;

	for (unsigned i = 0; i < transfer->count; i++)
		rows += transfer->planes[i].rows;
	return rip_gpu_align(rows * sizeof(uint16_t));
}

/* The bytes that lie before the lines: numbers and curves. */
static size_t tables_room(const rip_cuda_transfer *transfer)
{
	return numbers_room(transfer) +
	       rip_ink_limit_curve_bytes(transfer->planes[0].pixels->limit);
}

/* Copies lines as if they were rows.  Each of their bytes is read once: others may change them. */
static int send_lines(rip_cuda_device *device, rip_cuda_transfer *transfer,
		      const rip_cuda_row *row, cudaStream_t stream)
{
	const rip_pixels *pixels = transfer->planes[0].pixels;
	const size_t tables = tables_room(transfer);
	rip_cuda_plane_rows lines = {};
	rip_cuda_row line = {};
	int r = rip_cuda_grow(device, &transfer->lines, transfer->in.size, false);

	line.sample_bytes = line_bytes(pixels, row);
	lines.in = (const uint8_t *)pixels->lines;
	lines.in_pitch = (ptrdiff_t)pixels->pitch;
	lines.rows = pixels->count;
	lines.in_pinned = pinned(lines.in, lines.in_pitch, lines.rows, line.sample_bytes);
	lines.samples = transfer->lines.at + tables;
	lines.samples_pitch = pitch_of(pixels, line.sample_bytes);
	if (r == 0)
		r = rip_cuda_grow(device, &transfer->host_in,
				  lines.in_pinned ? tables : transfer->in.size, true);
	if (r == 0)
		r = rip_cuda_try(device, send_plane(&lines, &line, transfer->host_in.at + tables,
						    stream));
	return r;
}

int rip_cuda_transfer_gather(rip_cuda_device *device, rip_cuda_transfer *transfer,
			     const rip_cuda_row *row, cudaStream_t stream)
{
	const rip_pixels *pixels = transfer->planes[0].pixels;
	const rip_ink_limit *limit = pixels ? pixels->limit : nullptr;
	uint16_t *numbers = (uint16_t *)transfer->host_in.at;
	rip_gather gather = {};
	uint32_t rows = 0;
	cudaError_t error = cudaErrorUnknown;

	if (!pixels)
		return 0;
	gather.numbers = (const uint16_t *)transfer->lines.at;
	gather.lines = transfer->lines.at + tables_room(transfer);
	gather.pitch = (uint32_t)pitch_of(pixels, line_bytes(pixels, row));
	gather.step = pixels->step;
	gather.width = row->width;
	gather.sample_bytes = (uint32_t)bytes_of(pixels, row);
	gather.makes_x = limit && row->sample_bytes > row->width;
	gather.count_lines = pixels->count;
	if (limit) {
		gather.all_planes = limit->planes;
		gather.most = limit->most;
		gather.black = limit->black;
	}
	if (rip_ink_limit_curve_bytes(limit) > 0) {
		const size_t at = numbers_room(transfer);

		gather.curves = (const uint16_t *)(transfer->lines.at + at);
		rip_ink_limit_put_curves(limit, (uint16_t *)(transfer->host_in.at + at));
	}
	gather.room = (uint32_t)row->sample_room;
	gather.count = transfer->count;
	for (unsigned i = 0; i < transfer->count; i++) {
		const rip_cuda_plane_rows *p = &transfer->planes[i];

		gather.planes[i] = { p->samples, p->plane, rows, p->rows };
		memcpy(numbers + rows, p->line_numbers, p->rows * sizeof *numbers);
		rows += p->rows;
	}
	if (!rip_cuda_fails(device, RIP_CUDA_FAIL_COPY))
		error = cudaMemcpyAsync(transfer->lines.at, numbers,
					gather.curves ? tables_room(transfer) :
							rows * sizeof *numbers,
					cudaMemcpyHostToDevice, stream);
	if (error == cudaSuccess)
		error = rip_cuda_launch_fails(device, stream) ? cudaErrorMemoryAllocation
							      : rip_gather_run(&gather, stream);
	return error == cudaSuccess ? 0 : rip_cuda_break(device, rip_cuda_error(device, error));
}

/* ---- sending and receiving ---- */

int rip_cuda_transfer_send(rip_cuda_device *device, rip_cuda_transfer *transfer,
			   const rip_cuda_row *row, cudaStream_t stream)
{
	const rip_cuda_plane_rows *planes = transfer->planes;
	const size_t distance = distance_of(planes, transfer->count);
	const rip_cuda_plane_rows *first = &planes[0];
	const size_t room = first->rows * row->sample_room;
	const size_t bytes = (first->rows - 1) * first->samples_pitch + row->sample_bytes;
	int r = 0;

	if (rip_cuda_fails(device, RIP_CUDA_FAIL_COPY))
		return rip_cuda_error(device, cudaErrorUnknown);
	if (first->pixels)
		return send_lines(device, transfer, row, stream);
	if (distance > 0)
		return rip_cuda_try(device,
				    cudaMemcpy2DAsync(first->samples, room, first->in, distance,
						      bytes, transfer->count,
						      cudaMemcpyHostToDevice, stream));
	for (unsigned i = 0; r == 0 && i < transfer->count; i++) {
		if (!planes[i].in_pinned)
			r = rip_cuda_grow(device, &transfer->host_in, transfer->in.size, true);
		if (r == 0)
			r = rip_cuda_try(device,
					 send_plane(&planes[i], row,
						    transfer->host_in.at +
							    (planes[i].samples - transfer->in.at),
						    stream));
	}
	return r;
}

static const uint32_t most_panels = 4;
/* Of columns: for the groups to begin with, and so that the rows of a panel are long enough to be
 * copied fast. */
static const uint32_t least_panel = 2 * RIP_WAVE_AHEAD;

static uint32_t panels_of(uint32_t width)
{
	return width / least_panel < most_panels ? width / least_panel : most_panels;
}

bool rip_cuda_transfer_takes_panels(const rip_cuda_device *device,
				    const rip_cuda_transfer *transfer, uint32_t width)
{
	return device->write_value && transfer->count == 1 && transfer->planes[0].in_pinned &&
	       transfer->planes[0].rows > 1 && panels_of(width) > 1;
}

int rip_cuda_transfer_send_panels(rip_cuda_device *device, rip_cuda_transfer *transfer,
				  const rip_cuda_row *row, uint32_t width, cudaStream_t stream,
				  cudaEvent_t first)
{
	const rip_cuda_plane_rows *p = &transfer->planes[0];
	const uint32_t panels = panels_of(width), bytes = (uint32_t)(row->sample_bytes / width);
	uint32_t *admitted = rip_cuda_transfer_admitted(transfer);
	uint32_t from = 0;
	int r;

	if (rip_cuda_fails(device, RIP_CUDA_FAIL_COPY))
		return rip_cuda_error(device, cudaErrorUnknown);
	r = rip_cuda_try(device, rip_cuda_write_value(device, admitted, 0, stream));
	for (uint32_t i = 0; r == 0 && i < panels; i++) {
		const bool last = i == panels - 1;
		const uint32_t to = last ? width : (width / panels * (i + 1)) / 128 * 128;

		r = rip_cuda_try(device,
				 cudaMemcpy2DAsync(p->samples + from * bytes, p->samples_pitch,
						   p->in + from * bytes, (size_t)p->in_pitch,
						   (to - from) * bytes, p->rows,
						   cudaMemcpyHostToDevice, stream));
		if (r == 0)
			r = rip_cuda_try(device, rip_cuda_write_value(device, admitted,
								      last ? UINT32_MAX
									   : to - RIP_WAVE_AHEAD,
								      stream));
		if (r == 0 && i == 0)
			r = rip_cuda_try(device, cudaEventRecord(first, stream));
		from = to;
	}
	return r;
}

int rip_cuda_transfer_receive(rip_cuda_device *device, const rip_cuda_transfer *transfer,
			      cudaStream_t stream)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < transfer->count; i++) {
		const rip_cuda_dots *dots = &transfer->dots[i];
		uint8_t *to = dots->staging ? dots->staging : dots->to;
		const size_t to_pitch = dots->staging ? dots->from_pitch : (size_t)dots->to_pitch;
		cudaError_t error;

		if (rip_cuda_fails(device, RIP_CUDA_FAIL_COPY))
			error = cudaErrorUnknown;
		else if (dots->staging || (to_pitch == dots->from_pitch && to_pitch == dots->bytes))
			error = cudaMemcpyAsync(to, dots->from, dots->rows * dots->from_pitch,
						cudaMemcpyDeviceToHost, stream);
		else
			error = cudaMemcpy2DAsync(to, dots->rows > 1 ? to_pitch : dots->bytes,
						  dots->from, dots->from_pitch, dots->bytes,
						  dots->rows, cudaMemcpyDeviceToHost, stream);
		r = rip_cuda_try(device, error);
	}
	if (r == 0 && transfer->carry_bytes > 0)
		r = rip_cuda_try(device,
				 cudaMemcpyAsync(transfer->host_carries, transfer->carries,
						 transfer->carry_bytes, cudaMemcpyDeviceToHost,
						 stream));
	return r;
}

void rip_cuda_transfer_unstage(const rip_cuda_transfer *transfer)
{
	for (unsigned i = 0; i < transfer->count; i++) {
		const rip_cuda_dots *d = &transfer->dots[i];

		if (d->staging)
			copy_rows(d->to, d->to_pitch, d->staging, (ptrdiff_t)d->from_pitch,
				  d->bytes, d->rows);
	}
}

void rip_cuda_transfer_finish(rip_cuda_device *device, rip_cuda_transfer *transfer)
{
	rip_cuda_release(device, &transfer->in, false);
	rip_cuda_release(device, &transfer->out, false);
	rip_cuda_release(device, &transfer->lines, false);
	rip_cuda_release(device, &transfer->host_in, true);
	rip_cuda_release(device, &transfer->host_out, true);
}
