/* What a page needs of the device, kept for the next one. */
#include "cuda_lane.cuh"

#include <errno.h>
#include <stdlib.h>

int rip_cuda_grow(rip_cuda_engine *engine, rip_cuda_buffer *buffer, size_t size, bool pinned)
{
	void *at = nullptr;
	cudaError_t error = cudaErrorMemoryAllocation;

	if (size <= buffer->size)
		return 0;
	pinned ? cudaFreeHost(buffer->at) : cudaFree(buffer->at);
	buffer->at = nullptr;
	buffer->size = 0;
	if (!rip_cuda_fails(engine, RIP_CUDA_MEMORY))
		error = pinned ? cudaMallocHost(&at, size) : cudaMalloc(&at, size);
	if (error != cudaSuccess)
		return rip_cuda_error(engine, error);
	buffer->at = (unsigned char *)at;
	buffer->size = size;
	return 0;
}

static int lane_init(rip_cuda_engine *engine, rip_cuda_lane *lane)
{
	cudaStream_t *streams[] = { &lane->in, &lane->run, &lane->out };
	int r = 0;

	for (cudaStream_t *stream : streams)
		if (r == 0)
			r = rip_cuda_try(engine, cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
	for (rip_cuda_slot &slot : lane->slot) {
		cudaEvent_t *events[] = { &slot.arrived, &slot.made, &slot.left };

		for (cudaEvent_t *event : events)
			if (r == 0)
				r = rip_cuda_try(engine, cudaEventCreateWithFlags(
								 event, cudaEventDisableTiming));
	}
	if (r == 0)
		r = rip_cuda_try(engine, cudaMalloc((void **)&lane->ticket, 4));
	if (r == 0)
		r = rip_cuda_try(engine, cudaMemsetAsync(lane->ticket, 0, 4, lane->run));
	if (r == 0)
		r = rip_cuda_try(engine, cudaMallocHost((void **)&lane->stalled, 4));
	if (r == 0)
		*lane->stalled = 0;
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
	for (cudaStream_t stream : { lane->in, lane->run, lane->out })
		rip_cuda_try(engine, cudaStreamSynchronize(stream));
	for (rip_cuda_slot &slot : lane->slot) {
		slot.busy = false;
		slot.landings = 0;
	}
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
	for (cudaStream_t stream : { lane->in, lane->run, lane->out })
		if (stream)
			cudaStreamDestroy(stream);
	for (rip_cuda_slot &slot : lane->slot) {
		for (cudaEvent_t event : { slot.arrived, slot.made, slot.left })
			if (event)
				cudaEventDestroy(event);
		for (rip_cuda_buffer *b : { &slot.in, &slot.out, &slot.orders })
			cudaFree(b->at);
		for (rip_cuda_buffer *b : { &slot.host_in, &slot.host_out, &slot.host_orders })
			cudaFreeHost(b->at);
	}
	for (rip_cuda_buffer *b : { &lane->carries, &lane->scratch, &lane->targets })
		cudaFree(b->at);
	cudaFree(lane->ticket);
	cudaFreeHost(lane->stalled);
	free(lane);
}
