/* What a page uses on the device. */
#include "cuda_workspace.cuh"

#include <errno.h>
#include <stdlib.h>

static uint64_t pinned_bytes; /* atomic */

uint64_t rip_cuda_pinned_bytes(void)
{
	return __atomic_load_n(&pinned_bytes, __ATOMIC_RELAXED);
}

void rip_cuda_free_pinned(rip_cuda_buffer *buffer)
{
	cudaFreeHost(buffer->at);
	__atomic_sub_fetch(&pinned_bytes, buffer->size, __ATOMIC_RELAXED);
	buffer->at = nullptr;
	buffer->size = 0;
}

static void workspace_free(rip_cuda_workspace *workspace)
{
	workspace->type->finish(workspace);
	if (workspace->stream)
		cudaStreamDestroy(workspace->stream);
	cudaFree(workspace->carries.at);
	cudaFree(workspace->targets.at);
	rip_cuda_free_pinned(&workspace->host_carries);
	free(workspace);
}

bool rip_cuda_workspaces_free(rip_cuda_device *device)
{
	pthread_mutex_lock(&device->lock);

	rip_cuda_workspace *workspace = device->idle;
	const bool some = workspace != nullptr;

	device->idle = nullptr;
	pthread_mutex_unlock(&device->lock);
	while (workspace) {
		rip_cuda_workspace *next = workspace->next;

		workspace_free(workspace);
		workspace = next;
	}
	return some;
}

int rip_cuda_grow(rip_cuda_device *device, rip_cuda_buffer *buffer, size_t size, bool pinned)
{
	void *at = nullptr;
	cudaError_t error = cudaErrorMemoryAllocation;

	if (size <= buffer->size)
		return 0;
	if (pinned)
		rip_cuda_free_pinned(buffer);
	else
		cudaFree(buffer->at);
	buffer->at = nullptr;
	buffer->size = 0;
	if (!rip_cuda_fails(device, RIP_CUDA_FAIL_MEMORY)) {
		error = pinned ? cudaMallocHost(&at, size) : cudaMalloc(&at, size);
		if (error == cudaErrorMemoryAllocation && rip_cuda_workspaces_free(device)) {
			cudaGetLastError();
			error = pinned ? cudaMallocHost(&at, size) : cudaMalloc(&at, size);
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
	r = rip_cuda_try(device, cudaStreamCreateWithFlags(&workspace->stream, cudaStreamNonBlocking));
	if (r == 0)
		r = type->init(device, workspace);
	if (r < 0) {
		workspace_free(workspace);
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
	if (__atomic_load_n(&device->broken, __ATOMIC_RELAXED)) {
		workspace_free(workspace);
		return;
	}
	pthread_mutex_lock(&device->lock);
	workspace->next = device->idle;
	device->idle = workspace;
	pthread_mutex_unlock(&device->lock);
}
