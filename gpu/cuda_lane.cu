/* What a page keeps on the device. */
#include "cuda_lane.cuh"

#include <errno.h>
#include <stdlib.h>

/* Frees what nobody uses at the moment; false: there was nothing. */
static bool free_pool(rip_cuda_engine *engine)
{
	pthread_mutex_lock(&engine->lock);

	rip_cuda_lane *lane = engine->lanes;
	const bool some = lane != nullptr;

	engine->lanes = nullptr;
	pthread_mutex_unlock(&engine->lock);
	while (lane) {
		rip_cuda_lane *next = lane->next;

		rip_cuda_lane_free(lane);
		lane = next;
	}
	return some;
}

int rip_cuda_grow(rip_cuda_engine *engine, rip_cuda_buffer *buffer, size_t size, bool pinned)
{
	void *at = nullptr;
	cudaError_t error = cudaErrorMemoryAllocation;

	if (size <= buffer->size)
		return 0;
	pinned ? cudaFreeHost(buffer->at) : cudaFree(buffer->at);
	buffer->at = nullptr;
	buffer->size = 0;
	if (!rip_cuda_fails(engine, RIP_CUDA_MEMORY)) {
		error = pinned ? cudaMallocHost(&at, size) : cudaMalloc(&at, size);
		if (error == cudaErrorMemoryAllocation && free_pool(engine)) {
			cudaGetLastError();
			error = pinned ? cudaMallocHost(&at, size) : cudaMalloc(&at, size);
		}
	}
	if (error != cudaSuccess)
		return rip_cuda_error(engine, error);
	buffer->at = (unsigned char *)at;
	buffer->size = size;
	return 0;
}

static int lane_init(rip_cuda_engine *engine, rip_cuda_lane *lane)
{
	int r = rip_cuda_try(engine, cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));

	for (rip_cuda_slot &slot : lane->slot)
		for (cudaEvent_t *event : { &slot.arrived, &slot.left })
			if (r == 0)
				r = rip_cuda_try(engine, cudaEventCreateWithFlags(
								 event, cudaEventDisableTiming));
	return r;
}

int rip_cuda_lane_get(rip_cuda_engine *engine, rip_cuda_lane **lane)
{
	int r;

	pthread_mutex_lock(&engine->lock);
	*lane = engine->lanes;
	if (*lane)
		engine->lanes = (*lane)->next;
	pthread_mutex_unlock(&engine->lock);
	if (*lane)
		return 0;
	*lane = (rip_cuda_lane *)calloc(1, sizeof **lane);
	if (!*lane)
		return -ENOMEM;
	r = lane_init(engine, *lane);
	if (r < 0) {
		rip_cuda_lane_free(*lane);
		*lane = nullptr;
	}
	return r;
}

void rip_cuda_lane_put(rip_cuda_engine *engine, rip_cuda_lane *lane)
{
	if (!lane)
		return;
	rip_cuda_try(engine, cudaStreamSynchronize(lane->stream));
	if (__atomic_load_n(&engine->broken, __ATOMIC_RELAXED)) {
		rip_cuda_lane_free(lane);
		return;
	}
	pthread_mutex_lock(&engine->lock);
	lane->next = engine->lanes;
	engine->lanes = lane;
	pthread_mutex_unlock(&engine->lock);
}

void rip_cuda_lane_free(rip_cuda_lane *lane)
{
	if (!lane)
		return;
	if (lane->stream)
		cudaStreamDestroy(lane->stream);
	for (rip_cuda_slot &slot : lane->slot) {
		for (cudaEvent_t event : { slot.arrived, slot.left })
			if (event)
				cudaEventDestroy(event);
		if (slot.graph)
			cudaGraphExecDestroy(slot.graph);
		for (rip_cuda_buffer *b : { &slot.in, &slot.out, &slot.works, &slot.scratch })
			cudaFree(b->at);
		for (rip_cuda_buffer *b : { &slot.host_in, &slot.host_out, &slot.host_works })
			cudaFreeHost(b->at);
	}
	cudaFree(lane->carries.at);
	cudaFree(lane->targets.at);
	cudaFreeHost(lane->host_carries.at);
	free(lane);
}
