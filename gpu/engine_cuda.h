/*
 * The GPU engine.  libnogpu.la has the same functions (engine_none.c), for builds without
 * CUDA and for programs that leave GPUs to the daemon: there is never a device.
 *
 * Errors: -ENOMEM, the device's memory is full; the engine stays usable.  -EIO, a
 * kernel or the device failed; -ENODEV, the device is gone; -ETIMEDOUT, a kernel has waited
 * in vain.  After these three every later call returns the same error, and the engine can
 * only be freed.  A new engine on the device works again, except after a kernel that failed: CUDA
 * then refuses everything to this process, on all devices, until it ends.
 *
 * A launch that is refused breaks the engine for any reason, lack of memory included.
 *
 * Tests can force failures in builds with RIP_FORCED_FAILURES (configure
 * --enable-forced-failures): if RIPTIDE_CUDA_FAIL is "WHAT:N" in the environment of
 * rip_engine_cuda_new(), the N-th chance to fail is taken; if it is
 * "WHAT:N@DEVICE", only on that device.  WHAT is one of
 *   memory    an allocation fails
 *   copy      a copy fails
 *   launch    the runtime refuses a launch, for lack of memory
 *   trap      a kernel ends in a trap: the context is lost for the whole process
 *   stall     a kernel of the wavefront waits for rows that never come, and gives up
 *   overtake  a launch of the wavefront seems to be overtaken by a later one
 *             (wavefront.cuh): no failure, but the code for it runs
 *   patience  no failure: waits of the wavefront may take N seconds, not five, for tools
 *             that make kernels a hundred times as slow
 */
#ifndef RIP_ENGINE_CUDA_H
#define RIP_ENGINE_CUDA_H

#include "halftone/engine.h"

/* How the block-wise methods wait for their neighbours. */
enum rip_cuda_sync {
	RIP_CUDA_FLAGS, /* one launch, flags in memory: the wavefront, the production engine */
	RIP_CUDA_LAUNCH /* a launch for each diagonal, as published */
};

struct rip_cuda_config {
	enum rip_method method; /* pwed, pwec, bwed, bwec; any other means the fastest */
	int             device; /* a device number, or -1: the first that works */
	enum rip_cuda_sync sync; /* of bwed and bwec; pwed and pwec are always as published */
	/* For the production engine.  A page is halftoned in chunks of chunk_bytes of samples, or
	 * of one row of each plane if that is more (0: 16 MiB).  It has buffers for so many chunks
	 * at once (0, or more than 6: 6); 1 is enough for a caller that pulls after each push. */
	size_t   chunk_bytes;
	unsigned chunks;
	/* The caller pins its memory: pages have no page-locked buffers until a strip comes whose
	 * memory is not pinned, or pixels, whose line numbers take 2 bytes a row. */
	bool     pins;
	/* Threads that wait for the GPU keep a processor busy, instead of looking every 20 µs.  An
	 * H200 then does 1 to 4 % more from the host's memory. */
	bool     spins;
};

/* Makes an engine.  -ENODEV: no device, no driver, one that is too old, or a build without
 * CUDA; why (text of at most size bytes, may be NULL) then says which.  -ENOMEM. */
int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size);

/* How many GPUs there are, usable or not; 0 without a driver. */
int rip_engine_cuda_devices(void);

/* What was halftoned so far: chunks, which are strips as the engine cuts and joins them,
 * and launches.  The launches of a published method for one chunk count as one. */
struct rip_cuda_counts {
	uint64_t launches, chunks;
	uint64_t joined; /* strips that were added to a chunk which waited to be copied */
	uint64_t panels; /* chunks that were copied in panels of columns */
};
struct rip_cuda_counts rip_engine_cuda_counts(struct rip_engine *engine);

/* Page-locked memory that the GPU engines of this process hold for their own copies, those of
 * closed pages among it, which the next pages use: bytes. */
uint64_t rip_engine_cuda_pinned_bytes(void);

/* Of this, what one page of this spec takes when it opens.  For the production engine. */
uint64_t rip_engine_cuda_page_bytes(const struct rip_engine *engine,
				    const struct rip_page_spec *spec);

/* Gives up what closed pages left for the next ones, on the device and on the host.  It no
 * longer counts as held, and is freed as soon as no launch runs.  Does not wait.  Any
 * thread. */
void rip_engine_cuda_trim(struct rip_engine *engine);

/* Pins memory that strips will come from or go to, so that every device of this process copies it
 * directly.  0, or a negative errno: then the engine copies through memory of its own, which is
 * slower and gives the same dots.  Strips that lie one behind the other may be copied together, so
 * memory without gaps is pinned in one piece; a strip that is pinned in part counts as not pinned.
 * Takes half a millisecond a MiB.  Unpin memory before it is unmapped, when no page uses it; if the
 * engine is gone, with NULL. */
int rip_engine_cuda_pin(struct rip_engine *engine, void *memory, size_t size);
void rip_engine_cuda_unpin(struct rip_engine *engine, void *memory);

#endif
