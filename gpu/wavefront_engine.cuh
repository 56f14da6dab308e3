/*
 * The production engine: the wavefront, one launch for the rows at hand.
 *
 * A page goes through it in chunks, each at most one band of some planes.  A chunk has a
 * slot (wavefront_launcher.cuh); a page has several, so that one chunk can be copied in
 * while others are halftoned and copied out.
 */
#ifndef RIP_WAVEFRONT_ENGINE_CUH
#define RIP_WAVEFRONT_ENGINE_CUH

#include "cuda_device.cuh"

/* As in struct rip_cuda_config. */
struct rip_wavefront_config {
	size_t   chunk_bytes;
	unsigned chunks;
	bool     pins, spins;
};

/* Makes an engine on device `number`, which is current.  method: the name that it goes by.  0 or
 * a negative errno. */
int rip_wavefront_engine_new(const rip_wavefront_config *config, rip_method method, int number,
			     const cudaDeviceProp *properties, rip_cuda_device **device);

/* As rip_engine_cuda_page_bytes(). */
uint64_t rip_wavefront_page_bytes(const rip_cuda_device *device, const rip_page_spec *spec);

#endif
