/*
 * The published methods in the engine: a launch for each step or diagonal.
 *
 * What is launched twice with the same shape from the same slot, as benchmarks do, is
 * recorded as a graph the second time, and replayed from then on.
 */
#include "cuda_launcher.cuh"

#include <string.h>

#include "methods.cuh"

struct published {
	cudaError_t (*launch)(const rip_gpu_shape *shape, const rip_gpu_work *works, unsigned count,
			      uint32_t rows, cudaStream_t stream);
	uint64_t (*scratch)(const rip_gpu_shape *shape, uint32_t rows);
};

static published method_of(const rip_cuda_engine *engine)
{
	switch (engine->method) {
	case RIP_METHOD_PWED:
		return { rip_pwed_launch, rip_pwed_scratch };
	case RIP_METHOD_PWEC:
		return { rip_pwec_launch, rip_pwec_scratch };
	case RIP_METHOD_BWED:
		return { rip_bwed_launch, rip_bwed_scratch };
	default:
		return { rip_bwec_launch, rip_bwec_scratch };
	}
}

uint64_t rip_cuda_published_scratch(rip_cuda_engine *engine, const rip_gpu_shape *shape,
				    uint32_t rows)
{
	return rip_gpu_align(method_of(engine).scratch(shape, rows));
}

static bool as_before(const rip_cuda_slot *slot)
{
	return !memcmp(&slot->graph_shape, &slot->shape, sizeof slot->shape) &&
	       slot->graph_count == slot->count && slot->graph_rows == slot->rows;
}

/* Records the launches of a slot. */
static cudaError_t record(const published &method, rip_cuda_slot *slot, cudaStream_t stream)
{
	cudaGraph_t graph = nullptr;
	cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), end;

	if (error != cudaSuccess)
		return error;
	error = method.launch(&slot->shape, (const rip_gpu_work *)slot->works.at, slot->count, slot->rows,
			      stream);
	end = cudaStreamEndCapture(stream, &graph);
	if (error == cudaSuccess)
		error = end;
	if (error == cudaSuccess)
		error = cudaGraphInstantiate(&slot->graph, graph, 0);
	if (graph)
		cudaGraphDestroy(graph);
	return error;
}

int rip_cuda_published_launch(rip_cuda_engine *engine, rip_cuda_slot *slot, cudaStream_t stream)
{
	const published method = method_of(engine);
	cudaError_t error = cudaSuccess;

	if (as_before(slot)) {
		if (!slot->graph)
			error = record(method, slot, stream);
		if (error == cudaSuccess)
			error = cudaGraphLaunch(slot->graph, stream);
		return rip_cuda_try(engine, error);
	}
	if (slot->graph)
		cudaGraphExecDestroy(slot->graph);
	slot->graph = nullptr;
	slot->graph_shape = slot->shape;
	slot->graph_count = slot->count;
	slot->graph_rows = slot->rows;
	return rip_cuda_try(engine, method.launch(&slot->shape, (const rip_gpu_work *)slot->works.at,
						  slot->count, slot->rows, stream));
}
