/*
 * A page on the GPU: what both engines do alike.  Each has a struct of its own, which begins
 * with this one.
 */
#ifndef RIP_CUDA_PAGE_CUH
#define RIP_CUDA_PAGE_CUH

#include "cuda_transfer.cuh"
#include "task.h"

struct rip_cuda_page {
	rip_page            base;
	rip_cuda_device    *device;
	rip_cuda_workspace *workspace;
	rip_page_spec       spec;          /* without the curve */
	rip_gpu_shape       shape;
	rip_cuda_row        row;
	size_t              carry_bytes;   /* that a plane's carry takes, aligned */
	unsigned            copies;        /* of the carries, that the page has room for */
	uint32_t            known;         /* bits of copies that the host's memory has */
};

/* The shape of a page, without targets.  One plane has nothing to be coupled with: it is plain blue
 * noise. */
rip_gpu_shape rip_cuda_shape_of(const rip_page_spec *spec);

/* Opens a page: a workspace, targets, and carries that are all bytes 0.  page_size: of the
 * engine's struct; carry_bytes: of a plane; copies: of all planes' carries.  0 or a negative
 * errno. */
int rip_cuda_page_open(rip_cuda_device *device, const rip_page_spec *spec, size_t page_size,
		       const rip_cuda_workspace_type *type, size_t carry_bytes, unsigned copies,
		       rip_cuda_page **page);

/* Frees it.  No launch or copy is under way, and the device is current.  NULL is allowed. */
void rip_cuda_page_close(rip_cuda_page *page);

/* The page-locked bytes for so many carries of carry_bytes each. */
size_t rip_cuda_page_carry_room(unsigned carries, size_t carry_bytes);

/* A plane's carry on the device: copy 0, or another one. */
unsigned char *rip_cuda_page_carry(const rip_cuda_page *page, unsigned copy, uint32_t plane);

/* The same in page-locked memory, to be filled before rip_cuda_page_store_carry(), or read after
 * rip_cuda_page_load_carries(). */
unsigned char *rip_cuda_page_host_carry(const rip_cuda_page *page, unsigned copy, uint32_t plane);

/* Copy a carry to the device, or those of all planes from there, unless they are known; nothing
 * else is under way.  0 or a negative errno. */
int rip_cuda_page_store_carry(rip_cuda_page *page, unsigned copy, uint32_t plane);
int rip_cuda_page_load_carries(rip_cuda_page *page, unsigned copy);

/* How an engine halftones strips: in chunks, some rows of some planes that are copied,
 * halftoned and copied back together. */
struct rip_cuda_chunker {
	/* The rows that a chunk of so many planes has at most. */
	uint32_t (*rows)(const rip_cuda_page *page, unsigned planes);
	/* Starts a chunk: rows of different planes.  0 or a negative errno. */
	int (*start)(rip_cuda_page *page, rip_cuda_plane_rows *planes, unsigned count);
};

/* Cuts strips into chunks and starts them in order.  0 or a negative errno; -EINVAL, and
 * nothing started, if the page does not have one of the planes. */
int rip_cuda_page_push(rip_cuda_page *page, const rip_strip *strips, unsigned count,
		       const rip_cuda_chunker *chunker);

#endif
