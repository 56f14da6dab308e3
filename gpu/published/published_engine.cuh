/*
 * The published methods as an engine: several launches for each chunk of a page.
 *
 * It is here to be compared with: the production engine is the wavefront.  Each page has a
 * stream of its own, for its copies and launches in order.
 */
#ifndef RIP_PUBLISHED_ENGINE_CUH
#define RIP_PUBLISHED_ENGINE_CUH

#include "gpu/cuda_device.cuh"

/* Makes an engine for pwed, pwec, bwed or bwec on a device that is current.  0 or -ENOMEM. */
int rip_published_engine_new(rip_method method, int number, const cudaDeviceProp *properties,
			     rip_cuda_device **device);

#endif
