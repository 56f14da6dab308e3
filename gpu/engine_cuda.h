/*
 * The GPU engine.  libnogpu.a has the same functions (engine_none.c), for a build
 * without CUDA and for programs that leave GPUs to the daemon: there is no device.
 *
 * Floyd and Steinberg's filter only: takes() refuses other screens, and the caller
 * goes to the CPU engine.  Of the error codes, -ENOMEM means that the device's memory
 * is full, and the engine stays usable; -EIO, that a kernel or the device failed,
 * -ENODEV, that it is gone, and -ETIMEDOUT, that a kernel gave up waiting: then every
 * later call says so too, and the engine can only be freed.
 *
 * Failures can be forced for tests: RIPTIDE_CUDA_FAIL in the environment of
 * rip_engine_cuda_new() is "WHAT:N", and the N-th chance to fail is taken.  WHAT is
 * one of
 *   memory  an allocation fails
 *   copy    a copy fails
 *   launch  a launch is refused
 *   trap    a kernel ends in a trap: the context is lost for the whole process
 *   stall   a kernel waits for work that is not there, and gives up
 *   swap    blocks of a later launch overtake this one's: no failure, but the way for it
 *           (cuda_launcher.cuh) is taken
 */
#ifndef RIP_ENGINE_CUDA_H
#define RIP_ENGINE_CUDA_H

#include "halftone/engine.h"

/* How the block-wise methods wait for their neighbours. */
enum rip_cuda_sync {
	RIP_CUDA_FLAGS, /* one launch, flags in memory: the production path */
	RIP_CUDA_LAUNCH /* a launch for each diagonal, as published */
};

struct rip_cuda_config {
	enum rip_method method; /* pwed, pwec, bwed, bwec; any other means the fastest */
	int             device; /* a device number, or -1: the first that works */
	enum rip_cuda_sync sync;
};

/* Makes an engine.  -ENODEV: no device, no driver, one that is too old, or a build
 * without CUDA; why (text of at most size bytes, may be NULL) then says which. */
int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size);

/* How many bands (as the engine cuts them: bites) were halftoned so far, and in how many
 * launches of the wavefront, or of a method. */
struct rip_cuda_counts {
	uint64_t launches, bites;
};
struct rip_cuda_counts rip_engine_cuda_counts(struct rip_engine *engine);

/* Pins memory that strips will come from or go to, so that it is copied without a detour.
 * 0, or a negative errno: then the engine copies through memory of its own, which is
 * slower and as right.  Memory is unpinned before it is unmapped.  Pinning costs as
 * much as several pages do, so it is for who uses the same memory often: benchmarks, not
 * the daemon (BENCHMARKS.md). */
int rip_engine_cuda_pin(struct rip_engine *engine, void *memory, size_t size);
void rip_engine_cuda_unpin(struct rip_engine *engine, void *memory);

#endif
