/* The device of a GPU engine: its errors, and the failures that tests force. */
#include "cuda_device.cuh"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

void rip_cuda_device_init(rip_cuda_device *device, const rip_engine_ops *ops, rip_method method,
			  int number, const cudaDeviceProp *properties)
{
	device->engine.ops = ops;
	device->engine.method = rip_method_name(method);
	snprintf(device->engine.device, sizeof device->engine.device, "%.63s", properties->name);
	device->number = number;
	device->shared = (uint32_t)properties->sharedMemPerBlockOptin;
	device->write_value = rip_find_write_value();
	device->patience = 5000000000; /* 5 s */
	pthread_mutex_init(&device->lock, nullptr);
}

void rip_cuda_device_finish(rip_cuda_device *device)
{
	cudaGetLastError();
	pthread_mutex_destroy(&device->lock);
}

int rip_cuda_enter(rip_cuda_device *device)
{
	const int broken = __atomic_load_n(&device->broken, __ATOMIC_RELAXED);

	if (broken)
		return broken;
	return rip_cuda_try(device, cudaSetDevice(device->number));
}

int rip_cuda_error(rip_cuda_device *device, cudaError_t error)
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
	return rip_cuda_break(device, r);
}

int rip_cuda_break(rip_cuda_device *device, int error)
{
	if (error == -ENOMEM) /* which would say that the engine stays usable */
		error = -EIO;
	__atomic_store_n(&device->broken, error, __ATOMIC_RELAXED);
	return error;
}

/* A sleep ends late by this much, instead of the system's usual 50 µs. */
static const unsigned long timer_slack = 1000; /* ns */

static bool is_ready(cudaEvent_t event, cudaError_t *error)
{
	*error = cudaEventQuery(event);
	if (*error == cudaErrorNotReady)
		cudaGetLastError(); /* "not ready", which a launch would find */
	return *error != cudaErrorNotReady;
}

/* The driver wakes a thread 50 to 100 µs late, and asking it without pauses keeps the driver
 * busy. */
static cudaError_t nap_until(cudaEvent_t event)
{
	const timespec nap = { 0, 20000 };
	cudaError_t error;
	int slack;

	if (is_ready(event, &error))
		return error;
	slack = prctl(PR_GET_TIMERSLACK);
	prctl(PR_SET_TIMERSLACK, timer_slack);
	while (!is_ready(event, &error))
		nanosleep(&nap, nullptr);
	prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
	return error;
}

int rip_cuda_await(rip_cuda_device *device, cudaEvent_t event)
{
	return rip_cuda_try(device, device->spins ? cudaEventSynchronize(event) : nap_until(event));
}

cudaError_t rip_cuda_write_value(rip_cuda_device *device, uint32_t *to, uint32_t value,
				 cudaStream_t stream)
{
	return device->write_value((CUstream)stream, (CUdeviceptr)to, value, 0) == CUDA_SUCCESS
		       ? cudaSuccess
		       : cudaErrorUnknown;
}

void rip_cuda_count(rip_cuda_device *device, const rip_cuda_device_counts &more)
{
	pthread_mutex_lock(&device->lock);
	device->counts.launches += more.launches;
	device->counts.chunks += more.chunks;
	device->counts.joined += more.joined;
	device->counts.panels += more.panels;
	pthread_mutex_unlock(&device->lock);
}

/* ---- failures that tests force ---- */

#ifdef RIP_FORCED_FAILURES

static const struct {
	const char      *name;
	rip_cuda_failure failure;
} failures[] = {
	{ "memory:", RIP_CUDA_FAIL_MEMORY },   { "copy:", RIP_CUDA_FAIL_COPY },
	{ "launch:", RIP_CUDA_FAIL_LAUNCH },   { "trap:", RIP_CUDA_FAIL_TRAP },
	{ "stall:", RIP_CUDA_FAIL_STALL },     { "overtake:", RIP_CUDA_FAIL_OVERTAKE },
};

__global__ void rip_cuda_trap()
{
	rip_trap();
}

void rip_cuda_device_force_failures(rip_cuda_device *device)
{
	const char *text = getenv("RIPTIDE_CUDA_FAIL"), *at = text ? strchr(text, '@') : nullptr;

	if (at && atoi(at + 1) != device->number)
		return;
	for (const auto &f : failures)
		if (text && !strncmp(text, f.name, strlen(f.name))) {
			device->failure = f.failure;
			device->countdown = atoi(text + strlen(f.name));
		}
	if (text && !strncmp(text, "patience:", 9))
		device->patience = (uint64_t)atoi(text + 9) * 1000000000;
}

bool rip_cuda_fails(rip_cuda_device *device, rip_cuda_failure failure)
{
	return device->failure == failure &&
	       __atomic_sub_fetch(&device->countdown, 1, __ATOMIC_RELAXED) == 0;
}

bool rip_cuda_launch_fails(rip_cuda_device *device, cudaStream_t stream)
{
	if (rip_cuda_fails(device, RIP_CUDA_FAIL_TRAP))
		RIP_LAUNCH(rip_cuda_trap, 1, 1, 0, stream);
	return rip_cuda_fails(device, RIP_CUDA_FAIL_LAUNCH);
}

#else

void rip_cuda_device_force_failures(rip_cuda_device *)
{
}

bool rip_cuda_fails(rip_cuda_device *, rip_cuda_failure)
{
	return false;
}

bool rip_cuda_launch_fails(rip_cuda_device *, cudaStream_t)
{
	return false;
}

#endif
