/*
 * Between the host's memory and a slot: rows of samples go in, rows of dots come out.
 *
 * Pinned memory is copied by the device itself, other memory through pinned memory of
 * the slot.
 */
#ifndef RIP_CUDA_COPY_CUH
#define RIP_CUDA_COPY_CUH

#include "cuda_lane.cuh"

/* Rows of one plane: what a bite has of it. */
struct rip_cuda_piece {
	const uint8_t *in;
	ptrdiff_t      in_pitch;
	uint8_t       *out;
	ptrdiff_t      out_pitch;
	uint32_t       plane, rows;
	bool           in_pinned, out_pinned;
	/* on the device, filled by rip_cuda_place(): */
	unsigned char *samples, *dots;
	size_t         samples_pitch, dots_pitch;
};

/* What a row has, and what it takes in a slot. */
struct rip_cuda_row {
	size_t sample_bytes, dot_bytes;
	size_t sample_room, dot_room; /* aligned */
	size_t dot_step;              /* kernels store so many bytes of dots at a time */
};

/* Gives each piece its place in a slot, and makes the slot large enough for all.  0 or a
 * negative errno. */
int rip_cuda_place(rip_cuda_engine *engine, rip_cuda_slot *slot, rip_cuda_piece *pieces,
		   unsigned count, const rip_cuda_row *row);

/* Starts the copies of samples to the slot. */
int rip_cuda_send(rip_cuda_engine *engine, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
		  unsigned count, const rip_cuda_row *row, cudaStream_t stream);

/* The ways of dots, for when they are made: fills slot->dots. */
int rip_cuda_return(rip_cuda_engine *engine, rip_cuda_slot *slot, const rip_cuda_piece *pieces,
		    unsigned count, const rip_cuda_row *row);

/* Brings dots from where they stopped on their way to where they belong. */
void rip_cuda_land(const rip_cuda_slot *slot);

#endif
