/*
 * A transfer: rows of samples go from the host's memory to the device, rows of dots come
 * back.
 *
 * The device copies page-locked memory itself.  Other memory is copied through page-locked
 * staging buffers of the transfer.
 */
#ifndef RIP_CUDA_TRANSFER_CUH
#define RIP_CUDA_TRANSFER_CUH

#include "cuda_workspace.cuh"
#include "task.h"

/* The rows that a chunk has of one plane. */
struct rip_cuda_plane_rows {
	const uint8_t *in;
	ptrdiff_t      in_pitch;
	uint8_t       *out;
	ptrdiff_t      out_pitch;
	uint32_t       plane, rows;
	/* Instead of `in`, as in struct rip_strip: all planes of the chunk have the same pixels. */
	const rip_pixels *pixels;
	const uint16_t   *line_numbers;
	bool           in_pinned, out_pinned;
	/* on the device, filled in by rip_cuda_transfer_place(): */
	unsigned char *samples, *dots;
	size_t         samples_pitch, dots_pitch;
};

/* Bytes of a row. */
struct rip_cuda_row {
	size_t sample_bytes, dot_bytes;
	size_t sample_room, dot_room; /* that it takes on the device, aligned */
	size_t dot_step;              /* that kernels store at a time, of dots */
	uint32_t width;               /* pixels */
};

/* What a row of samples takes on the device: a little more, for pitches that are chosen for the
 * processor's caches. */
static inline size_t rip_cuda_row_room(size_t sample_bytes)
{
	return rip_gpu_align(sample_bytes) + RIP_GPU_ALIGN;
}

/* Rows of dots that will come back. */
struct rip_cuda_dots {
	const unsigned char *from;       /* on the device */
	size_t               from_pitch;
	unsigned char       *staging;    /* page-locked, with from_pitch; NULL: straight to `to` */
	uint8_t             *to;         /* the caller's memory */
	ptrdiff_t            to_pitch;
	size_t               bytes;      /* of a row */
	uint32_t             rows;
};

struct rip_cuda_transfer {
	rip_cuda_buffer     in, out;           /* on the device */
	rip_cuda_buffer     lines;             /* of pixels, behind their numbers and curves; on the
						  device */
	rip_cuda_buffer     host_in, host_out; /* staging, page-locked */
	unsigned            count;             /* of planes */
	rip_cuda_plane_rows planes[RIP_PLANES_MAX];
	rip_cuda_dots       dots[RIP_PLANES_MAX];
	/* what comes back behind the dots, to page-locked memory: carries; or 0 bytes */
	const unsigned char *carries;
	unsigned char      *host_carries;
	size_t              carry_bytes;
};

/* Makes room for chunks of so many bytes of samples in all, row->sample_room a row; staging: in
 * the host's memory, too.  0 or a negative errno. */
int rip_cuda_transfer_reserve(rip_cuda_device *device, rip_cuda_transfer *transfer, size_t bytes,
			      bool staging);

/* The page-locked bytes that this takes for staging. */
size_t rip_cuda_transfer_staging(size_t bytes);

/* Gives the rows of each plane their place on the device.  If they need more room than was
 * reserved, the buffers grow.  0 or a negative errno. */
int rip_cuda_transfer_place(rip_cuda_device *device, rip_cuda_transfer *transfer,
			    const rip_cuda_plane_rows *planes, unsigned count,
			    const rip_cuda_row *row);

/* Whether the device copies all samples itself, so that sending takes the caller no time. */
bool rip_cuda_transfer_is_direct(const rip_cuda_transfer *transfer);

/* Adds rows to a transfer that is direct and has not been sent, if they follow its own in
 * the caller's memory, for all of its planes; rip_cuda_transfer_place() comes again then.
 * false: they do not follow. */
bool rip_cuda_transfer_append(rip_cuda_transfer *transfer, const rip_cuda_plane_rows *planes,
			      unsigned count, const rip_cuda_row *row);

/* Whether these lines fit into a transfer that was reserved for so many bytes. */
bool rip_cuda_transfer_takes_pixels(const rip_pixels *pixels, const rip_cuda_row *row,
				    size_t bytes);

/* Starts to copy samples to the device.  0 or a negative errno. */
int rip_cuda_transfer_send(rip_cuda_device *device, rip_cuda_transfer *transfer,
			   const rip_cuda_row *row, cudaStream_t stream);

/* If they are those of pixels: starts to gather the rows of planes, on a stream that waits for the
 * copy.  If that fails, the engine is broken. */
int rip_cuda_transfer_gather(rip_cuda_device *device, rip_cuda_transfer *transfer,
			     const rip_cuda_row *row, cudaStream_t stream);

/* The same in panels of columns, so that a launch can begin with the first: the event is recorded
 * after it.  See rip_cuda_transfer_takes_panels(). */
int rip_cuda_transfer_send_panels(rip_cuda_device *device, rip_cuda_transfer *transfer,
				  const rip_cuda_row *row, uint32_t width, cudaStream_t stream,
				  cudaEvent_t first);

/* Whether that is possible: with one plane of so many columns, which the device copies itself. */
bool rip_cuda_transfer_takes_panels(const rip_cuda_device *device,
				    const rip_cuda_transfer *transfer, uint32_t width);

/* The word that says how far the panels have come (struct rip_wave_task). */
uint32_t *rip_cuda_transfer_admitted(const rip_cuda_transfer *transfer);

/* Starts to copy dots from the device, to the caller's memory or to staging, and carries.  0 or a
 * negative errno. */
int rip_cuda_transfer_receive(rip_cuda_device *device, const rip_cuda_transfer *transfer,
			      cudaStream_t stream);

/* Copies dots from staging to the caller's memory. */
void rip_cuda_transfer_unstage(const rip_cuda_transfer *transfer);

void rip_cuda_transfer_finish(rip_cuda_device *device, rip_cuda_transfer *transfer);

#endif
