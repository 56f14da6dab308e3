/* Finds a device, and makes the engine for the method on it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include "engine_cuda.h"
}
#include "cuda_device.cuh"
#include "cuda_workspace.cuh"
#include "gpu/published/published_engine.cuh"
#include "wavefront.cuh"
#include "wavefront_engine.cuh"

/* Turing: the oldest that CUDA 13 compiles for. */
static const int least_major = 7, least_minor = 5;

/* Whether a method is computed as published, with many launches. */
static bool published(const rip_cuda_config *config)
{
	switch (config->method) {
	case RIP_METHOD_PWED:
	case RIP_METHOD_PWEC:
		return true;
	case RIP_METHOD_BWED:
	case RIP_METHOD_BWEC:
		return config->sync == RIP_CUDA_LAUNCH;
	default:
		return false;
	}
}

/* Tries one device, and makes it current.  0 or a CUDA error. */
static cudaError_t try_device(int number, cudaDeviceProp *properties, char *why, size_t size)
{
	cudaError_t error = cudaGetDeviceProperties(properties, number);

	if (error == cudaSuccess)
		error = cudaSetDevice(number);
	if (error == cudaSuccess &&
	    (properties->major < least_major ||
	     (properties->major == least_major && properties->minor < least_minor))) {
		snprintf(why, size, "device %d (%s) has compute capability %d.%d, %d.%d is needed",
			 number, properties->name, properties->major, properties->minor,
			 least_major, least_minor);
		return cudaErrorNoKernelImageForDevice;
	}
	if (error == cudaSuccess) /* makes the context, loads the code */
		error = rip_wave_prepare((uint32_t)properties->sharedMemPerBlockOptin);
	if (error != cudaSuccess) {
		snprintf(why, size, "device %d: %s", number, cudaGetErrorString(error));
		cudaGetLastError();
	}
	return error;
}

/* Finds a device that works: the one that is wanted, or the first if `wanted` is negative.  0
 * or -ENODEV. */
static int find_device(int wanted, int *number, cudaDeviceProp *properties, char *why, size_t size)
{
	int count = 0;
	cudaError_t error = cudaGetDeviceCount(&count);

	if (error != cudaSuccess || count == 0 || wanted >= count) {
		cudaGetLastError();
		if (error == cudaErrorInsufficientDriver)
			snprintf(why, size,
				 "the NVIDIA driver is missing, or too old for CUDA %d.%d",
				 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
		else if (error != cudaSuccess && error != cudaErrorNoDevice)
			snprintf(why, size, "CUDA: %s", cudaGetErrorString(error));
		else if (count > 0)
			snprintf(why, size, "there is no GPU %d, only 0 to %d", wanted, count - 1);
		else
			snprintf(why, size, "no NVIDIA GPU found");
		return -ENODEV;
	}
	for (int n = wanted < 0 ? 0 : wanted; n < (wanted < 0 ? count : wanted + 1); n++)
		if (try_device(n, properties, why, size) == cudaSuccess) {
			*number = n;
			return 0;
		}
	return -ENODEV;
}

int rip_engine_cuda_new(const rip_cuda_config *config, rip_engine **result, char *why, size_t size)
{
	char text[128];
	const rip_wavefront_config wavefront = { config->chunk_bytes, config->chunks, config->pins,
						 config->spins };
	cudaDeviceProp properties;
	rip_cuda_device *device;
	int number, r;

	if (!why) {
		why = text;
		size = sizeof text;
	}
	*result = nullptr;
	r = find_device(config->device, &number, &properties, why, size);
	if (r < 0)
		return r;
	if (published(config))
		r = rip_published_engine_new(config->method, number, &properties, &device);
	else
		r = rip_wavefront_engine_new(&wavefront,
					     rip_method_wants_gpu(config->method) ? config->method
										  : RIP_METHOD_BWEC,
					     number, &properties, &device);
	if (r < 0) {
		snprintf(why, size, "device %d: %s", number, strerror(-r));
		return r == -ENOMEM ? r : -ENODEV;
	}
	rip_cuda_device_force_failures(device);
	*result = &device->engine;
	return 0;
}

int rip_engine_cuda_devices(void)
{
	int count = 0;

	if (cudaGetDeviceCount(&count) != cudaSuccess) {
		cudaGetLastError();
		return 0;
	}
	return count;
}

rip_cuda_counts rip_engine_cuda_counts(rip_engine *engine)
{
	rip_cuda_device *device = (rip_cuda_device *)engine;

	pthread_mutex_lock(&device->lock);

	const rip_cuda_counts counts = { device->counts.launches, device->counts.chunks,
					 device->counts.joined, device->counts.panels };

	pthread_mutex_unlock(&device->lock);
	return counts;
}

uint64_t rip_engine_cuda_pinned_bytes(void)
{
	return rip_cuda_pinned_bytes();
}

uint64_t rip_engine_cuda_page_bytes(const rip_engine *engine, const rip_page_spec *spec)
{
	return rip_wavefront_page_bytes((const rip_cuda_device *)engine, spec);
}

void rip_engine_cuda_trim(rip_engine *engine)
{
	rip_cuda_device *device = (rip_cuda_device *)engine;

	if (rip_cuda_enter(device) == 0)
		rip_cuda_workspaces_free(device);
}

int rip_engine_cuda_pin(rip_engine *engine, void *memory, size_t size)
{
	int r = rip_cuda_enter((rip_cuda_device *)engine);
	cudaError_t error;

	if (r < 0)
		return r;
	error = cudaHostRegister(memory, size, cudaHostRegisterPortable);
	if (error == cudaErrorInvalidValue) /* perhaps because it is mapped read-only */
		error = cudaHostRegister(memory, size,
					 cudaHostRegisterPortable | cudaHostRegisterReadOnly);
	cudaGetLastError(); /* memory that cannot be page-locked breaks nothing */
	return error == cudaSuccess ? 0 : error == cudaErrorMemoryAllocation ? -ENOMEM : -ENOTSUP;
}

void rip_engine_cuda_unpin(rip_engine *engine, void *memory)
{
	if (engine) /* or the calling thread's device is the first, which may not be in use */
		cudaSetDevice(((rip_cuda_device *)engine)->number);
	cudaHostUnregister(memory);
	cudaGetLastError();
}
