/* What a page uses on the device. */
#include "cuda_workspace.cuh"

#include <errno.h>
#include <stdlib.h>

static uint64_t pinned_bytes; /* atomic */

uint64_t rip_cuda_pinned_bytes(void)
{
	return __atomic_load_n(&pinned_bytes, __ATOMIC_RELAXED);
}

/* ---- releasing ---- */

struct rip_cuda_released {
	rip_cuda_released *next;
	void              *at;
	bool               pinned;
};

static void free_now(void *at, bool pinned)
{
	if (pinned)
		cudaFreeHost(at);
	else
		cudaFree(at);
}

void rip_cuda_free_released(rip_cuda_device *device)
{
	pthread_mutex_lock(&device->lock);

	rip_cuda_released *released = device->released;

	device->released = nullptr;
	pthread_mutex_unlock(&device->lock);
	while (released) {
		rip_cuda_released *next = released->next;

		free_now(released->at, released->pinned);
		free(released);
		released = next;
	}
}

/* Has what was released freed as soon as possible; wait: now, if it is possible at all. */
static void reap(rip_cuda_device *device, bool wait)
{
	if (device->reap) {
		device->reap(device, wait);
		return;
	}
	pthread_mutex_lock(&device->lock);

	const bool alone = device->pages <= 1; /* the caller's page, for which no launch runs */

	pthread_mutex_unlock(&device->lock);
	if (alone)
		rip_cuda_free_released(device);
}

/* Adds a buffer to the list. */
static void release(rip_cuda_device *device, rip_cuda_buffer *buffer, bool pinned)
{
	rip_cuda_released *released;

	if (!buffer->at)
		return;
	if (pinned)
		__atomic_sub_fetch(&pinned_bytes, buffer->size, __ATOMIC_RELAXED);
	released = (rip_cuda_released *)malloc(sizeof *released);
	if (released) {
		pthread_mutex_lock(&device->lock);
		*released = { device->released, buffer->at, pinned };
		device->released = released;
		pthread_mutex_unlock(&device->lock);
	} else {
		free_now(buffer->at, pinned); /* rather late than never */
	}
	*buffer = {};
}

void rip_cuda_release(rip_cuda_device *device, rip_cuda_buffer *buffer, bool pinned)
{
	release(device, buffer, pinned);
	reap(device, false);
}

static void workspace_free(rip_cuda_device *device, rip_cuda_workspace *workspace)
{
	workspace->type->finish(device, workspace);
	if (workspace->stream)
		cudaStreamDestroy(workspace->stream);
	release(device, &workspace->carries, false);
	release(device, &workspace->targets, false);
	release(device, &workspace->host_carries, true);
	free(workspace);
}

/* Releases what is in the pool; false: it was empty. */
static bool empty_pool(rip_cuda_device *device)
{
	pthread_mutex_lock(&device->lock);

	rip_cuda_workspace *workspace = device->idle;
	const bool some = workspace != nullptr;

	device->idle = nullptr;
	pthread_mutex_unlock(&device->lock);
	while (workspace) {
		rip_cuda_workspace *next = workspace->next;

		workspace_free(device, workspace);
		workspace = next;
	}
	return some;
}

bool rip_cuda_workspaces_free(rip_cuda_device *device)
{
	const bool some = empty_pool(device);

	if (some)
		reap(device, false);
	return some;
}

/* ---- growing ---- */

static cudaError_t allocate(void **at, size_t size, bool pinned)
{
	return pinned ? cudaMallocHost(at, size) : cudaMalloc(at, size);
}

int rip_cuda_grow(rip_cuda_device *device, rip_cuda_buffer *buffer, size_t size, bool pinned)
{
	void *at = nullptr;
	cudaError_t error = cudaErrorMemoryAllocation;

	if (size <= buffer->size)
		return 0;
	rip_cuda_release(device, buffer, pinned);
	if (!rip_cuda_fails(device, RIP_CUDA_FAIL_MEMORY)) {
		error = allocate(&at, size, pinned);
		if (error == cudaErrorMemoryAllocation) {
			cudaGetLastError();
			empty_pool(device);
			reap(device, true);
			error = allocate(&at, size, pinned);
		}
	}
	if (error != cudaSuccess)
		return rip_cuda_error(device, error);
	buffer->at = (unsigned char *)at;
	buffer->size = size;
	if (pinned)
		__atomic_add_fetch(&pinned_bytes, size, __ATOMIC_RELAXED);
	return 0;
}

/* ---- workspaces ---- */

int rip_cuda_workspace_get(rip_cuda_device *device, const rip_cuda_workspace_type *type,
			   rip_cuda_workspace **result)
{
	rip_cuda_workspace *workspace;
	int r;

	pthread_mutex_lock(&device->lock);
	*result = device->idle;
	if (*result)
		device->idle = (*result)->next;
	pthread_mutex_unlock(&device->lock);
	if (*result)
		return 0;
	workspace = (rip_cuda_workspace *)calloc(1, type->size);
	if (!workspace)
		return -ENOMEM;
	workspace->type = type;
	r = rip_cuda_try(device,
			 cudaStreamCreateWithFlags(&workspace->stream, cudaStreamNonBlocking));
	if (r == 0)
		r = type->init(device, workspace);
	if (r < 0) {
		workspace_free(device, workspace);
		reap(device, false);
		return r;
	}
	*result = workspace;
	return 0;
}

void rip_cuda_workspace_put(rip_cuda_device *device, rip_cuda_workspace *workspace)
{
	if (!workspace)
		return;
	rip_cuda_try(device, cudaStreamSynchronize(workspace->stream));
	pthread_mutex_lock(&device->lock);
	workspace->next = device->idle;
	device->idle = workspace;
	pthread_mutex_unlock(&device->lock);
}
