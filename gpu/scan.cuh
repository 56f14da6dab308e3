/*
 * Scanning: what the kernels of blue noise for colour need to know of rows before they compute
 * them, found on the device.
 */
#ifndef RIP_SCAN_CUH
#define RIP_SCAN_CUH

#include "intrinsics.cuh"
#include "task.h"

/* Everything is in device memory. */
struct rip_row_scan {
	rip_gpu_shape   shape;
	rip_wave_colour colour;       /* grey and weights are written */
	rip_wave_colour *task_colour; /* where the struct goes, for tasks */
	const uint8_t  *in;           /* of the task */
	uint32_t        fade;         /* as in struct rip_coupling; 0: no weights are needed */
	bool            light;
};

/* Puts the kernel on a stream. */
cudaError_t rip_row_scan_run(const rip_row_scan *scan, cudaStream_t stream);

#endif
