/*
 * Inside the GPU engine: the device, and what its pages share.
 *
 * Any thread may use it: the pool has a lock, and CUDA has its own.
 */
#ifndef RIP_CUDA_ENGINE_CUH
#define RIP_CUDA_ENGINE_CUH

#include <pthread.h>

#include "device.cuh"

extern "C" {
#include "engine_cuda.h"
}

struct rip_cuda_lane;
struct rip_cuda_launcher;

/* What can be made to fail, see engine_cuda.h. */
enum rip_cuda_chance {
	RIP_CUDA_NEVER,
	RIP_CUDA_MEMORY,
	RIP_CUDA_COPY,
	RIP_CUDA_START,
	RIP_CUDA_TRAP,
	RIP_CUDA_STALL,
	RIP_CUDA_SWAP
};

struct rip_cuda_engine {
	rip_engine       base;
	rip_method       method;
	bool             flags;    /* the wavefront, else a launch a step or diagonal */
	int              device;
	uint32_t         shared;   /* bytes of shared memory that a block may have */
	int              broken;   /* atomic: 0, or what every call returns from now on */
	pthread_mutex_t  lock;
	rip_cuda_lane   *lanes;    /* the pool: of pages that were closed */
	rip_cuda_launcher *launcher;
	rip_cuda_chance  chance;   /* the failure that a test asked for */
	int              countdown; /* atomic */
};

/* Whether this chance to fail is to be taken. */
bool rip_cuda_fails(rip_cuda_engine *engine, rip_cuda_chance chance);

/* The negative errno of what CUDA says; what cannot be mended breaks the engine. */
int rip_cuda_error(rip_cuda_engine *engine, cudaError_t error);

/* From now on every call returns this error; returns it. */
int rip_cuda_break(rip_cuda_engine *engine, int error);

/* 0, or the error of a call. */
static inline int rip_cuda_try(rip_cuda_engine *engine, cudaError_t error)
{
	return error == cudaSuccess ? 0 : rip_cuda_error(engine, error);
}

/* Makes the engine's device the calling thread's; 0 or why nothing works any more. */
int rip_cuda_enter(rip_cuda_engine *engine);

/* A page (cuda_page.cu). */
bool rip_cuda_page_takes(const rip_engine *engine, const rip_page_spec *spec);
int rip_cuda_page_open(rip_engine *engine, const rip_page_spec *spec, rip_page **page);
int rip_cuda_page_push(rip_page *page, const rip_strip *strips, unsigned count);
int rip_cuda_page_pull(rip_page *page);
int rip_cuda_page_export(rip_page *page, uint32_t plane, int16_t *carry);
int rip_cuda_page_import(rip_page *page, uint32_t plane, const int16_t *carry);
void rip_cuda_page_close(rip_page *page);

#endif
