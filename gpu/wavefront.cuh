/*
 * The production path of BWED and BWEC: one launch for all rows at hand, in which
 * strips wait for their neighbours by flags instead of launches.
 */
#ifndef RIP_WAVEFRONT_CUH
#define RIP_WAVEFRONT_CUH

#include "device.cuh"
#include "work.h"

/* What a launch works on.  Arrays are in device memory, the caller's, and stay
 * until the launch is done.
 *
 * Waits.  Strips draw tickets from *ticket in the order of parts[], and one waits
 * only for parts that stand before its own: for work that is already running.  So a
 * launch needs no other launch and no free place on the device to end. */
struct rip_wave {
	const rip_gpu_work *works;    /* scratch: rip_wave_scratch() bytes, kept from launch to launch */
	const uint2        *parts;    /* {work, part}, each work's parts in order */
	uint32_t            blocks;   /* parts of all works */
	uint32_t            warps;    /* strips of 64 rows in a part, 1..RIP_WAVE_WARPS */
	uint32_t           *ticket;   /* counts on from launch to launch */
	uint32_t            first;    /* its value before this launch */
	uint32_t            number;   /* of the launch: no word of scratch may hold it, not 0 */
	uint32_t           *stalled;  /* set to 1 by a wait that did not end in time */
	uint64_t            patience; /* nanoseconds */
};

#define RIP_WAVE_WARPS 4

/* How many strips a part can have when a block may take so many bytes of shared
 * memory. */
uint32_t rip_wave_warps(const rip_gpu_shape *shape, uint32_t shared);

/* Parts of a work of so many rows. */
uint32_t rip_wave_parts(uint32_t rows, uint32_t warps);

/* Carries between parts: bytes, to be 0 at first. */
uint64_t rip_wave_scratch(const rip_gpu_shape *shape, uint32_t rows, uint32_t warps);

/* Once for each device, before the first launch on it: the kernels may take that much
 * shared memory. */
cudaError_t rip_wave_prepare(uint32_t shared);

cudaError_t rip_wave_launch(const rip_gpu_shape *shape, const rip_wave *wave, cudaStream_t stream);

#endif
