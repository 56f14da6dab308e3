/* The GPU engine: finding a device, and what its errors mean. */
#include "cuda_engine.cuh"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_launcher.cuh"
#include "wavefront.cuh"

static const int least_major = 7, least_minor = 5; /* Turing: what CUDA 13 still makes code for */

static const struct {
	const char     *name;
	rip_cuda_chance chance;
} chances[] = {
	{ "memory:", RIP_CUDA_MEMORY }, { "copy:", RIP_CUDA_COPY },   { "launch:", RIP_CUDA_START },
	{ "trap:", RIP_CUDA_TRAP },	{ "stall:", RIP_CUDA_STALL },	{ "swap:", RIP_CUDA_SWAP },
};

bool rip_cuda_fails(rip_cuda_engine *engine, rip_cuda_chance chance)
{
	return engine->chance == chance &&
	       __atomic_sub_fetch(&engine->countdown, 1, __ATOMIC_RELAXED) == 0;
}

int rip_cuda_error(rip_cuda_engine *engine, cudaError_t error)
{
	int r;

	cudaGetLastError(); /* or the next call would find it */
	switch (error) {
	case cudaErrorMemoryAllocation:
		return -ENOMEM; /* the engine goes on with less */
	case cudaErrorNoDevice:
	case cudaErrorInvalidDevice:
	case cudaErrorInsufficientDriver:
	case cudaErrorDevicesUnavailable:
	case cudaErrorNoKernelImageForDevice:
	case cudaErrorUnsupportedPtxVersion:
	case cudaErrorSystemNotReady:
	case cudaErrorSystemDriverMismatch:
		r = -ENODEV;
		break;
	default:
		r = -EIO;
	}
	return rip_cuda_break(engine, r);
}

int rip_cuda_break(rip_cuda_engine *engine, int error)
{
	__atomic_store_n(&engine->broken, error, __ATOMIC_RELAXED);
	return error;
}

int rip_cuda_enter(rip_cuda_engine *engine)
{
	const int broken = __atomic_load_n(&engine->broken, __ATOMIC_RELAXED);

	if (broken)
		return broken;
	return rip_cuda_try(engine, cudaSetDevice(engine->device));
}

static void engine_free(rip_engine *base)
{
	rip_cuda_engine *engine = (rip_cuda_engine *)base;

	if (!engine)
		return;
	cudaSetDevice(engine->device);
	if (engine->launcher)
		rip_cuda_launcher_finish(engine->launcher);
	free(engine->launcher);
	while (engine->lanes) {
		rip_cuda_lane *lane = engine->lanes;

		engine->lanes = lane->next;
		rip_cuda_lane_free(lane);
	}
	cudaGetLastError();
	pthread_mutex_destroy(&engine->lock);
	free(engine);
}

static const rip_engine_ops ops = {
	rip_cuda_page_takes,  rip_cuda_page_open,   rip_cuda_page_push,  rip_cuda_page_pull, rip_cuda_page_export,
	rip_cuda_page_import, nullptr,		   rip_cuda_page_close, engine_free,
};

/* Tries one device: 0, or a CUDA error. */
static cudaError_t try_device(rip_cuda_engine *engine, int number, char *why, size_t size)
{
	cudaDeviceProp properties;
	cudaError_t error = cudaGetDeviceProperties(&properties, number);

	if (error == cudaSuccess)
		error = cudaSetDevice(number);
	if (error == cudaSuccess &&
	    (properties.major < least_major ||
	     (properties.major == least_major && properties.minor < least_minor))) {
		snprintf(why, size, "device %d (%s) has compute capability %d.%d, %d.%d is needed", number,
			 properties.name, properties.major, properties.minor, least_major, least_minor);
		return cudaErrorNoKernelImageForDevice;
	}
	if (error == cudaSuccess) {
		engine->shared = (uint32_t)properties.sharedMemPerBlockOptin;
		error = rip_wave_prepare(engine->shared); /* makes the context, loads the code */
	}
	if (error != cudaSuccess) {
		snprintf(why, size, "device %d: %s", number, cudaGetErrorString(error));
		cudaGetLastError();
		return error;
	}
	engine->device = number;
	snprintf(engine->base.device, sizeof engine->base.device, "%.63s", properties.name);
	return cudaSuccess;
}

int rip_engine_cuda_new(const rip_cuda_config *config, rip_engine **result, char *why, size_t size)
{
	const char *fail = getenv("RIPTIDE_CUDA_FAIL");
	char text[128];
	int count = 0, r = -ENODEV;
	cudaError_t error = cudaGetDeviceCount(&count);

	if (!why) {
		why = text;
		size = sizeof text;
	}
	*result = nullptr;
	if (error != cudaSuccess || count == 0 || config->device >= count) {
		cudaGetLastError();
		if (error == cudaErrorInsufficientDriver)
			snprintf(why, size, "the NVIDIA driver is missing, or too old for CUDA %d.%d",
				 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
		else if (error != cudaSuccess && error != cudaErrorNoDevice)
			snprintf(why, size, "CUDA: %s", cudaGetErrorString(error));
		else if (count > 0)
			snprintf(why, size, "there is no GPU %d, only 0 to %d", config->device, count - 1);
		else
			snprintf(why, size, "no NVIDIA GPU found");
		return -ENODEV;
	}

	rip_cuda_engine *engine = (rip_cuda_engine *)calloc(1, sizeof *engine);

	if (!engine)
		return -ENOMEM;
	pthread_mutex_init(&engine->lock, nullptr);
	engine->method = rip_method_wants_gpu(config->method) ? config->method : RIP_METHOD_BWEC;
	engine->flags = (engine->method == RIP_METHOD_BWED || engine->method == RIP_METHOD_BWEC) &&
			config->sync == RIP_CUDA_FLAGS;
	engine->base.ops = &ops;
	engine->base.method = rip_method_name(engine->method);
	error = cudaErrorNoDevice;
	for (int n = config->device < 0 ? 0 : config->device;
	     error != cudaSuccess && n < (config->device < 0 ? count : config->device + 1); n++)
		error = try_device(engine, n, why, size);
	if (error == cudaSuccess) {
		engine->launcher = (rip_cuda_launcher *)calloc(1, sizeof *engine->launcher);
		r = engine->launcher ? rip_cuda_launcher_init(engine->launcher, engine) : -ENOMEM;
		if (r < 0)
			snprintf(why, size, "device %d: %s", engine->device, strerror(-r));
	}
	if (r < 0) {
		engine_free(&engine->base);
		return r == -ENOMEM ? r : -ENODEV;
	}
	for (const auto &c : chances)
		if (fail && !strncmp(fail, c.name, strlen(c.name))) {
			engine->chance = c.chance;
			engine->countdown = atoi(fail + strlen(c.name));
		}
	*result = &engine->base;
	return 0;
}

rip_cuda_counts rip_engine_cuda_counts(rip_engine *base)
{
	return rip_cuda_launcher_counts(((rip_cuda_engine *)base)->launcher);
}

int rip_engine_cuda_pin(rip_engine *base, void *memory, size_t size)
{
	rip_cuda_engine *engine = (rip_cuda_engine *)base;
	int r = rip_cuda_enter(engine);
	cudaError_t error;

	if (r < 0)
		return r;
	error = cudaHostRegister(memory, size, cudaHostRegisterPortable);
	if (error == cudaErrorInvalidValue) /* perhaps because it is mapped read-only */
		error = cudaHostRegister(memory, size,
					 cudaHostRegisterPortable | cudaHostRegisterReadOnly);
	cudaGetLastError(); /* memory that cannot be pinned breaks nothing */
	return error == cudaSuccess ? 0 : error == cudaErrorMemoryAllocation ? -ENOMEM : -ENOTSUP;
}

void rip_engine_cuda_unpin(rip_engine *base, void *memory)
{
	(void)base;
	cudaHostUnregister(memory);
	cudaGetLastError();
}
