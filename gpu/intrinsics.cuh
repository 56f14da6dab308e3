/*
 * What the kernels need of a device beyond C++, each instruction as a function.
 *
 * Kernels have no inline assembly and no launch syntax of their own, so that the same
 * sources compile as C++ for the tests.  There tests/gpu/cuda_fibers.hh, included on the
 * command line, provides these functions and runs the threads of a block as fibers.
 */
#ifndef RIP_INTRINSICS_CUH
#define RIP_INTRINSICS_CUH

#include <stdint.h>

#ifndef RIP_FIBERS

#include <cuda.h>
#include <cuda_runtime.h>

/* Starts a kernel; cudaGetLastError() has the error. */
#define RIP_LAUNCH(kernel, grid, threads, shared, stream, ...) \
	kernel<<<grid, threads, shared, stream>>>(__VA_ARGS__)

/* The driver's cuStreamWriteValue32(): a stream stores a word in device memory after what was put
 * on it before.  NULL: the driver has none. */
typedef CUresult (*rip_write_value_function)(CUstream, CUdeviceptr, cuuint32_t, unsigned);

static inline rip_write_value_function rip_find_write_value()
{
	cudaDriverEntryPointQueryResult found;
	void *function = nullptr;

	if (cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", &function, 11070,
					     cudaEnableDefault, &found) != cudaSuccess ||
	    found != cudaDriverEntryPointSuccess)
		function = nullptr;
	cudaGetLastError();
	return (rip_write_value_function)function;
}

/* The same in clusters of so many thread blocks; the grid is a multiple of that.  Returns the
 * error. */
template <typename... Parameters, typename... Arguments>
static inline cudaError_t rip_launch_clusters(void (*kernel)(Parameters...), uint32_t cluster,
					      dim3 grid, dim3 threads, size_t shared,
					      cudaStream_t stream, const Arguments &...arguments)
{
	cudaLaunchAttribute attribute = {};
	cudaLaunchConfig_t config = {};

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = cluster;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = grid;
	config.blockDim = threads;
	config.dynamicSmemBytes = shared;
	config.stream = stream;
	config.attrs = &attribute;
	config.numAttrs = 1;
	return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/* Whether the current device, with the code that it runs, can start such clusters. */
template <typename... Parameters>
static inline bool rip_clusters_fit(void (*kernel)(Parameters...), uint32_t cluster, dim3 threads,
				    size_t shared)
{
	cudaFuncAttributes code = {};
	cudaLaunchAttribute attribute = {};
	cudaLaunchConfig_t config = {};
	int device, able = 0, clusters = 0;

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = cluster;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(cluster);
	config.blockDim = threads;
	config.dynamicSmemBytes = shared;
	config.attrs = &attribute;
	config.numAttrs = 1;
	const bool fit = cudaGetDevice(&device) == cudaSuccess &&
			 cudaDeviceGetAttribute(&able, cudaDevAttrClusterLaunch, device) ==
				 cudaSuccess &&
			 able && cudaFuncGetAttributes(&code, kernel) == cudaSuccess &&
			 code.ptxVersion >= 90 && /* of RIP_CLUSTERS */
			 cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) ==
				 cudaSuccess &&
			 clusters > 0;

	cudaGetLastError();
	return fit;
}

/* The dynamic shared memory of the block. */
static __device__ __forceinline__ unsigned char *rip_shared()
{
	extern __shared__ __align__(1024) unsigned char bytes[];

	return bytes;
}

/* The same value, hidden from the compiler: it then keeps the value in a register instead
 * of computing it again for each use. */
static __device__ __forceinline__ uint32_t rip_opaque(uint32_t value)
{
	asm("" : "+r"(value));
	return value;
}

/* a + b, rounded up, and limited to 0..1. */
static __device__ __forceinline__ float rip_add_up_to_1(float a, float b)
{
	float sum;

	asm("add.rp.sat.f32 %0,%1,%2;" : "=f"(sum) : "f"(a), "f"(b));
	return sum;
}

/* a * b + c, limited to 0..1. */
static __device__ __forceinline__ float rip_fma_to_1(float a, float b, float c)
{
	float sum;

	asm("fma.rn.sat.f32 %0,%1,%2,%3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
	return sum;
}

/* 1 if a < b, or 0. */
static __device__ __forceinline__ float rip_less(float a, float b)
{
	float less;

	asm("set.lt.f32.f32 %0,%1,%2;" : "=f"(less) : "f"(a), "f"(b));
	return less;
}

/* condition ? a : b, without a branch. */
static __device__ __forceinline__ uint32_t rip_select(bool condition, uint32_t a, uint32_t b)
{
	uint32_t which;

	asm("{ .reg .pred p; setp.ne.u32 p,%3,0; selp.u32 %0,%1,%2,p; }"
	    : "=r"(which)
	    : "r"(a), "r"(b), "r"((uint32_t)condition));
	return which;
}

/* value - the lowest byte of word. */
static __device__ __forceinline__ uint32_t rip_minus_byte(uint32_t value, uint32_t word)
{
	uint32_t difference;

	asm("dp4a.u32.s32 %0,%1,%2,%3;" : "=r"(difference) : "r"(word), "r"(255), "r"(value));
	return difference;
}

/* min(a + b, c). */
static __device__ __forceinline__ uint32_t rip_add_min(uint32_t a, uint32_t b, uint32_t c)
{
	return __viaddmin_u32(a, b, c);
}

/* Reads a sample: memory that no kernel writes. */
template <typename T> static __device__ __forceinline__ uint32_t rip_load_sample(const T *at)
{
	return __ldg(at);
}

/* Stores to global memory: the address alone does not tell the compiler that it is. */
template <typename T> static __device__ __forceinline__ void rip_store(T *at, T value)
{
	__stcg(at, value);
}

/* Fetches the cache line at an address into the device's L2 cache. */
static __device__ __forceinline__ void rip_prefetch(const void *at)
{
	asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* One 64-bit access to memory that other thread blocks write: never torn, not ordered
 * with any other access, and not served from a stale cache. */
static __device__ __forceinline__ uint64_t rip_load_word(const uint64_t *word)
{
	uint64_t value;

	asm volatile("ld.relaxed.gpu.global.u64 %0,[%1];" : "=l"(value) : "l"(word) : "memory");
	return value;
}

static __device__ __forceinline__ void rip_store_word(uint64_t *word, uint64_t value)
{
	asm volatile("st.relaxed.gpu.global.u64 [%0],%1;" ::"l"(word), "l"(value) : "memory");
}

/* The same for memory that the host writes, also while kernels run. */
static __device__ __forceinline__ uint64_t rip_load_system(const uint64_t *word)
{
	uint64_t value;

	asm volatile("ld.relaxed.sys.global.u64 %0,[%1];" : "=l"(value) : "l"(word) : "memory");
	return value;
}

/* A word in device memory that a copy's stream writes when the copy is done: whoever reads the new
 * value also finds what was copied. */
static __device__ __forceinline__ uint32_t rip_load_copied(const uint32_t *word)
{
	uint32_t value;

	asm volatile("ld.acquire.sys.global.u32 %0,[%1];" : "=r"(value) : "l"(word) : "memory");
	return value;
}

/* A counter in shared memory, with release and acquire: whoever reads the new value also
 * sees everything that its writer did before. */
static __device__ __forceinline__ uint32_t rip_load_acquire(const uint32_t *counter)
{
	uint32_t value;

	asm volatile("ld.acquire.cta.shared.u32 %0,[%1];"
		     : "=r"(value)
		     : "r"((uint32_t)__cvta_generic_to_shared(counter))
		     : "memory");
	return value;
}

static __device__ __forceinline__ void rip_store_release(uint32_t *counter, uint32_t value)
{
	asm volatile("st.release.cta.shared.u32 [%0],%1;" ::"r"(
			     (uint32_t)__cvta_generic_to_shared(counter)),
		     "r"(value)
		     : "memory");
}

/* A fence for the block's memory: after a counter was read, before what it allows; or after what it
 * reports, before it is stored. */
static __device__ __forceinline__ void rip_fence()
{
	asm volatile("fence.acq_rel.cta;" ::: "memory");
}

/* Words in shared memory, each of which says itself whether it is valid.  No word is ever
 * torn, and the accesses are not ordered with any other. */
static __device__ __forceinline__ void rip_load_quad_if(bool condition, const uint32_t *at,
							uint4 &v)
{
	asm volatile("{ .reg .pred p; setp.ne.u32 p,%5,0;\n"
		     "@p ld.relaxed.cta.shared.v4.u32 {%0,%1,%2,%3},[%4]; }"
		     : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
		     : "r"((uint32_t)__cvta_generic_to_shared(at)), "r"((uint32_t)condition));
}

static __device__ __forceinline__ void rip_store_quad(uint32_t *at, uint4 v)
{
	asm volatile("st.relaxed.cta.shared.v4.u32 [%0],{%1,%2,%3,%4};" ::"r"(
			     (uint32_t)__cvta_generic_to_shared(at)),
		     "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
		     : "memory");
}

static __device__ __forceinline__ uint2 rip_load_pair(const uint32_t *at)
{
	uint2 v;

	asm volatile("ld.relaxed.cta.shared.v2.u32 {%0,%1},[%2];"
		     : "=r"(v.x), "=r"(v.y)
		     : "r"((uint32_t)__cvta_generic_to_shared(at)));
	return v;
}

static __device__ __forceinline__ void rip_store_pair(uint32_t *at, uint2 v)
{
	asm volatile("st.relaxed.cta.shared.v2.u32 [%0],{%1,%2};" ::"r"(
			     (uint32_t)__cvta_generic_to_shared(at)),
		     "r"(v.x), "r"(v.y)
		     : "memory");
}

static __device__ __forceinline__ uint32_t rip_load_one(const uint32_t *at)
{
	uint32_t v;

	asm volatile("ld.relaxed.cta.shared.u32 %0,[%1];"
		     : "=r"(v)
		     : "r"((uint32_t)__cvta_generic_to_shared(at)));
	return v;
}

static __device__ __forceinline__ void rip_store_one(uint32_t *at, uint32_t v)
{
	asm volatile("st.relaxed.cta.shared.u32 [%0],%1;" ::"r"(
			     (uint32_t)__cvta_generic_to_shared(at)),
		     "r"(v)
		     : "memory");
}

/* A word in shared memory that is only a hint: nothing depends on its order. */
static __device__ __forceinline__ uint32_t rip_load_hint(const uint32_t *at)
{
	return *(const volatile uint32_t *)at;
}

static __device__ __forceinline__ void rip_store_hint(uint32_t *at, uint32_t value)
{
	*(volatile uint32_t *)at = value;
}

/* ---- clusters: thread blocks that run together and reach each other's shared memory ---- */

#if __CUDA_ARCH__ >= 900
#define RIP_CLUSTERS
#endif

/* An address in the shared memory of another thread block of the cluster; in bytes. */
typedef uint32_t rip_far;

/* The thread block's number in its cluster. */
static __device__ __forceinline__ uint32_t rip_cluster_rank()
{
	uint32_t rank = 0;

#ifdef RIP_CLUSTERS
	asm("mov.u32 %0,%%cluster_ctarank;" : "=r"(rank));
#endif
	return rank;
}

/* A barrier for all threads of the cluster that have not ended. */
static __device__ __forceinline__ void rip_cluster_sync()
{
#ifdef RIP_CLUSTERS
	asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
#else
	__syncthreads();
#endif
}

/* Where block number `rank` of the cluster has what this block has at an address. */
static __device__ __forceinline__ rip_far rip_far_address(const void *shared, uint32_t rank)
{
	uint32_t far = (uint32_t)__cvta_generic_to_shared(shared);

#ifdef RIP_CLUSTERS
	asm("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(far) : "r"(far), "r"(rank));
#else
	(void)rank;
#endif
	return far;
}

/* Words that say themselves whether they are valid, as above. */
static __device__ __forceinline__ void rip_store_pair_far(rip_far at, uint2 v)
{
#ifdef RIP_CLUSTERS
	asm volatile("st.relaxed.cluster.shared::cluster.v2.u32 [%0],{%1,%2};" ::"r"(at), "r"(v.x),
		     "r"(v.y)
		     : "memory");
#else
	(void)at, (void)v;
#endif
}

static __device__ __forceinline__ void rip_store_one_far(rip_far at, uint32_t v)
{
#ifdef RIP_CLUSTERS
	asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0],%1;" ::"r"(at), "r"(v)
		     : "memory");
#else
	(void)at, (void)v;
#endif
}

/* A counter of another block, with release; and this block's, which others store, with acquire. */
static __device__ __forceinline__ uint32_t rip_load_acquire_far(const uint32_t *counter)
{
	uint32_t value = 0;

#ifdef RIP_CLUSTERS
	asm volatile("ld.acquire.cluster.shared.u32 %0,[%1];"
		     : "=r"(value)
		     : "r"((uint32_t)__cvta_generic_to_shared(counter))
		     : "memory");
#else
	(void)counter;
#endif
	return value;
}

static __device__ __forceinline__ void rip_store_release_far(rip_far at, uint32_t v)
{
#ifdef RIP_CLUSTERS
	asm volatile("st.release.cluster.shared::cluster.u32 [%0],%1;" ::"r"(at), "r"(v)
		     : "memory");
#else
	(void)at, (void)v;
#endif
}

/* Copies 16 bytes from global to shared memory (both aligned), without waiting where the device
 * can; there = false clears them instead.  Not through the first-level cache, which may hold a
 * sector of which a part had not been copied to the device when the other part was read.
 * rip_copy_wait<n>() waits for all but the n latest commits of this thread. */
static __device__ __forceinline__ void rip_copy16(void *shared, const void *global, bool there)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(
			     (uint32_t)__cvta_generic_to_shared(shared)),
		     "l"(global), "r"(there ? 16 : 0)
		     : "memory");
#else
	*(uint4 *)shared = there ? __ldcg((const uint4 *)global) : make_uint4(0, 0, 0, 0);
#endif
}

static __device__ __forceinline__ void rip_copy_commit()
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int latest> static __device__ __forceinline__ void rip_copy_wait()
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group %0;" ::"n"(latest) : "memory");
#endif
}

/* Ends the kernel, and the context with it. */
static __device__ __forceinline__ void rip_trap()
{
	asm volatile("trap;");
}

/* For loops that wait: lets other warps work for about this many nanoseconds; with 0 it
 * returns at once. */
static __device__ __forceinline__ void rip_relax(unsigned ns)
{
	if (ns > 0)
		__nanosleep(ns);
}

/* Ends the thread. */
static __device__ __forceinline__ void rip_exit()
{
	asm volatile("exit;");
}

/* Nanoseconds since some start. */
static __device__ __forceinline__ uint64_t rip_clock()
{
	uint64_t ns;

	asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(ns));
	return ns;
}

#endif
#endif
