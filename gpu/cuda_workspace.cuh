/*
 * A workspace: the memory on the device, and the streams, that a page uses.  Workspaces are
 * made once and used again by later pages, with buffers that only grow.
 *
 * A workspace belongs to one page at a time.  Those of closed pages are in a pool.
 *
 * Nothing is freed while launches run.  cudaFree() waits for the whole device, and so holds up
 * all other pages; under compute-sanitizer it can wait for ever.  A buffer that is no longer
 * needed is released: it goes to a list, and is freed when no launch runs.
 */
#ifndef RIP_CUDA_WORKSPACE_CUH
#define RIP_CUDA_WORKSPACE_CUH

#include "cuda_device.cuh"

/* Memory that grows: on the device, or page-locked on the host. */
struct rip_cuda_buffer {
	unsigned char *at;
	size_t         size;
};

/* What an engine adds: its own struct begins with struct rip_cuda_workspace, and is
 * cleared before init(). */
struct rip_cuda_workspace_type {
	size_t size;
	int (*init)(rip_cuda_device *device, rip_cuda_workspace *workspace);
	/* releases its buffers; also after init() has failed */
	void (*finish)(rip_cuda_device *device, rip_cuda_workspace *workspace);
};

struct rip_cuda_workspace {
	const rip_cuda_workspace_type *type;
	rip_cuda_workspace *next; /* in the pool */
	cudaStream_t        stream;
	rip_cuda_buffer     carries, targets; /* on the device */
	rip_cuda_buffer     host_carries;     /* page-locked */
};

/* A workspace from the pool, or a new one.  All of an engine have one type.  0 or a negative
 * errno. */
int rip_cuda_workspace_get(rip_cuda_device *device, const rip_cuda_workspace_type *type,
			   rip_cuda_workspace **workspace);

/* Returns it to the pool.  No launch uses it.  NULL is allowed. */
void rip_cuda_workspace_put(rip_cuda_device *device, rip_cuda_workspace *workspace);

/* Empties the pool; false: it was empty. */
bool rip_cuda_workspaces_free(rip_cuda_device *device);

/* Makes a buffer hold at least `size` bytes.  A buffer that grows loses its contents, and
 * nothing may use it at the time.  0 or a negative errno. */
int rip_cuda_grow(rip_cuda_device *device, rip_cuda_buffer *buffer, size_t size, bool pinned);

/* Empties a buffer that was grown with `pinned`.  What it held is freed when no launch runs,
 * and no longer counts as held. */
void rip_cuda_release(rip_cuda_device *device, rip_cuda_buffer *buffer, bool pinned);

/* Frees what was released.  No launch runs. */
void rip_cuda_free_released(rip_cuda_device *device);

/* The bytes of all such buffers of this process. */
uint64_t rip_cuda_pinned_bytes(void);

#endif
