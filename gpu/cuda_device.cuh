/*
 * The device of a GPU engine: its errors, the failures that tests force, and what the pages
 * of the engine share.  Both GPU engines, the wavefront and the published methods, begin
 * with this struct.
 *
 * Any thread may use it.
 */
#ifndef RIP_CUDA_DEVICE_CUH
#define RIP_CUDA_DEVICE_CUH

#include <pthread.h>

#include "intrinsics.cuh"

extern "C" {
#include "halftone/engine.h"
}

struct rip_cuda_workspace;
struct rip_cuda_released;

/* Failures that can be forced, see engine_cuda.h. */
enum rip_cuda_failure {
	RIP_CUDA_FAIL_NEVER,
	RIP_CUDA_FAIL_MEMORY,
	RIP_CUDA_FAIL_COPY,
	RIP_CUDA_FAIL_LAUNCH,
	RIP_CUDA_FAIL_TRAP,
	RIP_CUDA_FAIL_STALL,
	RIP_CUDA_FAIL_OVERTAKE
};

/* For rip_engine_cuda_counts(). */
struct rip_cuda_device_counts {
	uint64_t launches, chunks, joined, panels;
};

struct rip_cuda_device {
	rip_engine          engine;    /* for engine.h's functions */
	int                 number;
	/* Frees what was released, when no launch runs; wait: before it returns.  NULL: the engine
	 * has nobody for that, and nothing is freed while several pages are open. */
	void              (*reap)(rip_cuda_device *device, bool wait);
	bool                spins;     /* threads that wait keep a processor busy */
	uint32_t            shared;    /* bytes of shared memory that a thread block may use */
	rip_write_value_function write_value; /* NULL: there is none */
	uint64_t            patience;  /* nanoseconds that a wait in a kernel may take */
	int                 broken;    /* atomic: 0, or what every call returns from now on */
	rip_cuda_failure    failure;   /* to be forced */
	int                 countdown; /* atomic: chances to fail before that */
	pthread_mutex_t     lock;      /* for what follows */
	rip_cuda_workspace *idle;      /* workspaces of pages that were closed */
	rip_cuda_released  *released;  /* buffers that wait to be freed */
	unsigned            pages;     /* that are open */
	rip_cuda_device_counts counts;
};

/* Fills a struct that was cleared.  method: what the engine runs. */
void rip_cuda_device_init(rip_cuda_device *device, const rip_engine_ops *ops, rip_method method,
			  int number, const cudaDeviceProp *properties);
void rip_cuda_device_finish(rip_cuda_device *device); /* after its workspaces */

/* From now on failures are forced as the environment says.  Does nothing in a build without
 * RIP_FORCED_FAILURES. */
void rip_cuda_device_force_failures(rip_cuda_device *device);

/* Makes the device the calling thread's.  0, or why the engine is broken. */
int rip_cuda_enter(rip_cuda_device *device);

/* The negative errno for a CUDA error.  An error that cannot be mended breaks the engine. */
int rip_cuda_error(rip_cuda_device *device, cudaError_t error);

/* From now on every call returns this error, or -EIO instead of -ENOMEM; returns it. */
int rip_cuda_break(rip_cuda_device *device, int error);

/* 0, or the negative errno for the result of a CUDA call. */
static inline int rip_cuda_try(rip_cuda_device *device, cudaError_t error)
{
	return error == cudaSuccess ? 0 : rip_cuda_error(device, error);
}

/* Waits for an event: busy, or looking at it from time to time.  0 or a negative errno. */
int rip_cuda_await(rip_cuda_device *device, cudaEvent_t event);

/* Has a stream store a word in device memory when what was put on it before is done;
 * device->write_value is not NULL. */
cudaError_t rip_cuda_write_value(rip_cuda_device *device, uint32_t *to, uint32_t value,
				 cudaStream_t stream);

/* Called at each chance for this failure: whether it is to happen now. */
bool rip_cuda_fails(rip_cuda_device *device, rip_cuda_failure failure);

/* The failures of a launch.  Called in place of a launch: whether it is refused, as a runtime
 * without memory would refuse it.  If a trap is due, it is put on the stream. */
bool rip_cuda_launch_fails(rip_cuda_device *device, cudaStream_t stream);

/* Adds to the device's counts. */
void rip_cuda_count(rip_cuda_device *device, const rip_cuda_device_counts &more);

#endif
