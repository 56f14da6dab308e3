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

/* Makes an engine on a device that is current.  method: the name that it goes by.  0 or a
 * negative errno. */
int rip_wavefront_engine_new(rip_method method, int number, const cudaDeviceProp *properties,
			     rip_cuda_device **device);

#endif
