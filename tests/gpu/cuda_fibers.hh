/*
 * CUDA kernels without a GPU: the threads of a block run as fibers.
 *
 * A .cu file of gpu/ compiles as C++ with this header in front (g++ -x c++ -include
 * tests/gpu/cuda_fibers.hh).  A launch then runs at once, on the calling thread.  This tests
 * the logic of kernels: indices, barriers, tickets, which thread waits for which.  It does
 * not test memory order, which is stronger here than on a device: for that there are the
 * sanitizers (check-gpu) and the proofs in the sources.
 *
 * The order of events is hostile on purpose.  Blocks start in random order, at most
 * rip_fibers.resident of them at a time, and a block stays until it ends, as on a device
 * that is full.  Any fiber that can run may be the next.  At every access to memory that
 * others wait for, another may go on.  If for a long time all fibers only wait, the launch
 * is stuck: it is given up and reported.
 *
 * As in CUDA, collective operations need all threads of the warp that have not returned.
 *
 * Between rip_fibers_hold() and rip_fibers_go() launches are collected.  Then they run all
 * at once, and their blocks start in random order too.
 */
#ifndef RIP_CUDA_FIBERS_HH
#define RIP_CUDA_FIBERS_HH

#define RIP_FIBERS

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#include <cmath>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

/* ---- CUDA's keywords and types ---- */

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) uint2 {
	uint32_t x, y;
};
struct alignas(16) uint4 {
	uint32_t x, y, z, w;
};

struct alignas(16) float4 {
	float x, y, z, w;
};

static inline float4 make_float4(float x, float y, float z, float w)
{
	return { x, y, z, w };
}

static inline uint2 make_uint2(uint32_t x, uint32_t y)
{
	return { x, y };
}

static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
	return { x, y, z, w };
}

typedef void *cudaStream_t;
enum cudaError_t {
	cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2,
	cudaErrorInsufficientDriver = 35, cudaErrorDevicesUnavailable = 46, cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101, cudaErrorNoKernelImageForDevice = 209,
	cudaErrorUnsupportedPtxVersion = 222, cudaErrorNotReady = 600, cudaErrorLaunchTimeout = 702,
	cudaErrorLaunchFailure = 719, cudaErrorSystemNotReady = 802,
	cudaErrorSystemDriverMismatch = 803, cudaErrorUnknown = 999
};

/* ---- fibers ---- */

struct rip_fibers_block;

struct rip_fiber {
	void             *stack;
#ifdef __x86_64__
	void             *sp;
#else
	ucontext_t        context;
#endif
	rip_fibers_block *block;
	dim3              thread;
	unsigned          number, lane;
	bool              waits; /* for others to reach the same barrier */
	bool              done;
};

struct rip_fibers_warp {
	unsigned members, arrived, turn;
	uint64_t slots[2][32];
};

struct rip_fibers_launch {
	dim3                  grid, threads;
	size_t                shared = 0;
	std::function<void()> kernel;
	unsigned              cluster = 1; /* blocks in one */
};

/* Blocks that start at the same time and can store into each other's shared memory. */
struct rip_fibers_cluster {
	std::vector<rip_fibers_block *> blocks; /* NULL: has ended */
	unsigned                        members, arrived; /* threads */
};

struct rip_fibers_block {
	const rip_fibers_launch     *launch;
	dim3                         index;
	std::vector<rip_fiber *>     fibers;
	std::vector<rip_fibers_warp> warps;
	unsigned                     members, arrived;
	unsigned char               *shared;
	std::shared_ptr<rip_fibers_cluster> cluster;
};

/* What tests set, and the state of the launch. */
struct rip_fibers_state {
	uint64_t random = 1;   /* the seed */
	unsigned resident = 2; /* blocks at a time */
	unsigned patience = 2000000; /* after so many waits in a row the launch is stuck */

	cudaError_t error = cudaSuccess; /* of a kernel: it stays */
	unsigned    idle = 0; /* waits since anything happened */
	uint64_t    clock = 1; /* time: all waits so far */
	unsigned    launches = 0;
	bool      (*enqueue)(void *stream, rip_fibers_launch &launch) = nullptr; /* false: run it */
	unsigned    refuse = 0; /* the number of the launch that is refused; 0: none */
	void      (*ended)(size_t number) = nullptr; /* one of the launches that run has ended */
	void      (*meanwhile)() = nullptr; /* called now and then while launches run */
	bool        holding = false;
	std::vector<rip_fibers_launch> held;
	rip_fiber  *current = nullptr;
	std::vector<rip_fiber *> pool;
#ifdef __x86_64__
	void *sp = nullptr;
#else
	ucontext_t context;
#endif

	~rip_fibers_state();
};

inline rip_fibers_state rip_fibers;
inline thread_local cudaError_t rip_fibers_refused; /* of a call, for cudaGetLastError() */

#define threadIdx (rip_fibers.current->thread)
#define blockIdx  (rip_fibers.current->block->index)
#define blockDim  (rip_fibers.current->block->launch->threads)
#define gridDim   (rip_fibers.current->block->launch->grid)

static inline uint64_t rip_fibers_random()
{
	uint64_t z = (rip_fibers.random += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Switching.  On x86-64 in assembly: swapcontext() makes a system call each time. */
#ifdef __x86_64__
__attribute__((naked, noinline)) inline void rip_fibers_switch(void **, void *)
{
	__asm__("push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
		"mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
		"pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret");
}
#endif

static const size_t rip_fibers_stack = 64 * 1024;

inline void rip_fibers_resume(rip_fiber *fiber)
{
	rip_fibers.current = fiber;
#ifdef __x86_64__
	rip_fibers_switch(&rip_fibers.sp, fiber->sp);
#else
	swapcontext(&rip_fibers.context, &fiber->context);
#endif
	rip_fibers.current = nullptr;
}

inline void rip_fibers_yield()
{
	rip_fiber *fiber = rip_fibers.current;

#ifdef __x86_64__
	rip_fibers_switch(&fiber->sp, rip_fibers.sp);
#else
	swapcontext(&fiber->context, &rip_fibers.context);
#endif
}

/* Sometimes lets the others run first. */
inline void rip_fibers_perhaps()
{
	if (rip_fibers_random() % 4 == 0)
		rip_fibers_yield();
}

/* Something happened that others may wait for. */
inline void rip_fibers_event()
{
	rip_fibers.idle = 0;
	rip_fibers_perhaps();
}

inline void rip_fibers_release(rip_fibers_block *block, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to && i < block->fibers.size(); i++)
		block->fibers[i]->waits = false;
}

inline void rip_fibers_warp_full(rip_fibers_block *block, unsigned number)
{
	rip_fibers_warp &warp = block->warps[number];

	if (warp.members == 0 || warp.arrived < warp.members)
		return;
	warp.arrived = 0;
	warp.turn++;
	rip_fibers_release(block, number * 32, number * 32 + 32);
}

inline void rip_fibers_block_full(rip_fibers_block *block)
{
	if (block->members == 0 || block->arrived < block->members)
		return;
	block->arrived = 0;
	rip_fibers.idle = 0;
	rip_fibers_release(block, 0, (unsigned)block->fibers.size());
}

inline void rip_fibers_cluster_full(rip_fibers_cluster *cluster)
{
	if (cluster->members == 0 || cluster->arrived < cluster->members)
		return;
	cluster->arrived = 0;
	rip_fibers.idle = 0;
	for (rip_fibers_block *block : cluster->blocks)
		if (block)
			rip_fibers_release(block, 0, (unsigned)block->fibers.size());
}

inline void rip_exit()
{
	rip_fiber *fiber = rip_fibers.current;
	rip_fibers_block *block = fiber->block;

	fiber->done = true;
	block->members--;
	block->cluster->members--;
	block->warps[fiber->number / 32].members--;
	rip_fibers_warp_full(block, fiber->number / 32);
	rip_fibers_block_full(block);
	rip_fibers_cluster_full(block->cluster.get());
	rip_fibers.idle = 0;
	for (;;)
		rip_fibers_yield();
}

inline void rip_fibers_main()
{
	rip_fibers.current->block->launch->kernel();
	rip_exit();
}

/* Waits for the other threads of the warp; returns the values of all. */
inline const uint64_t *rip_fibers_meet(uint64_t value)
{
	rip_fiber *fiber = rip_fibers.current;
	rip_fibers_warp &warp = fiber->block->warps[fiber->number / 32];
	const uint64_t *slots = warp.slots[warp.turn & 1];

	warp.slots[warp.turn & 1][fiber->lane] = value;
	fiber->waits = true;
	warp.arrived++;
	rip_fibers_warp_full(fiber->block, fiber->number / 32);
	while (fiber->waits)
		rip_fibers_yield();
	return slots;
}

inline rip_fibers_state::~rip_fibers_state()
{
	for (rip_fiber *fiber : pool) {
		munmap(fiber->stack, rip_fibers_stack);
		delete fiber;
	}
}

inline rip_fiber *rip_fibers_make(rip_fibers_block *block, unsigned number)
{
	rip_fiber *fiber;

	if (rip_fibers.pool.empty()) {
		fiber = new rip_fiber;
		fiber->stack = mmap(nullptr, rip_fibers_stack, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (fiber->stack == MAP_FAILED)
			abort();
	} else {
		fiber = rip_fibers.pool.back();
		rip_fibers.pool.pop_back();
	}
	fiber->block = block;
	fiber->number = number;
	fiber->lane = number % 32;
	fiber->thread = dim3(number, 0, 0);
	fiber->waits = fiber->done = false;
#ifdef __x86_64__
	void **top = (void **)((char *)fiber->stack + rip_fibers_stack) - 8;

	memset(top, 0, 64);
	top[0] = (void *)rip_fibers_main; /* 16-byte alignment as after a call */
	fiber->sp = top - 6;
#else
	getcontext(&fiber->context);
	fiber->context.uc_stack.ss_sp = fiber->stack;
	fiber->context.uc_stack.ss_size = rip_fibers_stack;
	fiber->context.uc_link = nullptr;
	makecontext(&fiber->context, rip_fibers_main, 0);
#endif
	return fiber;
}

inline std::unique_ptr<rip_fibers_block> rip_fibers_start(const rip_fibers_launch *launch,
							  dim3 index)
{
	const unsigned threads = launch->threads.x;
	const size_t shared = launch->shared;
	auto block = std::make_unique<rip_fibers_block>();

	block->launch = launch;
	block->index = index;
	block->members = threads;
	block->arrived = 0;
	block->shared = (unsigned char *)aligned_alloc(1024, (shared + 1024) / 1024 * 1024);
	memset(block->shared, 0xa5, (shared + 1024) / 1024 * 1024);
	block->warps.resize((threads + 31) / 32);
	for (unsigned i = 0; i < threads; i++) {
		block->fibers.push_back(rip_fibers_make(block.get(), i));
		block->warps[i / 32].members++;
	}
	return block;
}

inline void rip_fibers_end(rip_fibers_block *block)
{
	for (rip_fibers_block *&of_cluster : block->cluster->blocks)
		of_cluster = of_cluster == block ? nullptr : of_cluster;
	for (rip_fiber *fiber : block->fibers)
		rip_fibers.pool.push_back(fiber);
	free(block->shared);
}

/* Starts the blocks of a cluster, of which this is the first. */
inline void rip_fibers_start_cluster(const rip_fibers_launch *launch, dim3 index,
				     std::vector<std::unique_ptr<rip_fibers_block>> &blocks)
{
	auto cluster = std::make_shared<rip_fibers_cluster>();

	cluster->members = launch->cluster * launch->threads.x;
	cluster->arrived = 0;
	for (unsigned i = 0; i < launch->cluster; i++) {
		blocks.push_back(rip_fibers_start(launch, dim3(index.x + i, index.y, index.z)));
		blocks.back()->cluster = cluster;
		cluster->blocks.push_back(blocks.back().get());
	}
}

/* Runs a random fiber of the block that can run; false: there is none. */
inline bool rip_fibers_turn(rip_fibers_block *block)
{
	const unsigned count = (unsigned)block->fibers.size();
	const unsigned from = (unsigned)(rip_fibers_random() % count);

	for (unsigned i = 0; i < count; i++) {
		rip_fiber *fiber = block->fibers[(from + i) % count];

		if (!fiber->done && !fiber->waits) {
			rip_fibers_resume(fiber);
			return true;
		}
	}
	return false;
}

/* Runs the launches that were collected. */
inline void rip_fibers_go()
{
	struct start {
		const rip_fibers_launch *launch;
		dim3                     index;
	};
	const std::vector<rip_fibers_launch> launches = std::move(rip_fibers.held);
	std::vector<start> todo;
	std::vector<std::unique_ptr<rip_fibers_block>> blocks;
	std::vector<size_t> left(launches.size()); /* blocks */
	unsigned idle_turns = 0;

	rip_fibers.held.clear();
	rip_fibers.holding = false;
	rip_fibers.idle = 0;
	for (const rip_fibers_launch &launch : launches)
		for (unsigned z = 0; z < launch.grid.z; z++)
			for (unsigned y = 0; y < launch.grid.y; y++)
				for (unsigned x = 0; x < launch.grid.x; x += launch.cluster) {
					todo.push_back({ &launch, dim3(x, y, z) });
					left[&launch - launches.data()] += launch.cluster;
				}
	while (!todo.empty() || !blocks.empty()) {
		while (blocks.size() < rip_fibers.resident && !todo.empty()) {
			const size_t i = rip_fibers_random() % todo.size();

			rip_fibers_start_cluster(todo[i].launch, todo[i].index, blocks);
			todo[i] = todo.back();
			todo.pop_back();
		}

		const size_t i = rip_fibers_random() % blocks.size();

		if (blocks[i]->members == 0) {
			const size_t number = (size_t)(blocks[i]->launch - launches.data());

			rip_fibers_end(blocks[i].get());
			blocks.erase(blocks.begin() + (ptrdiff_t)i);
			if (--left[number] == 0 && rip_fibers.ended)
				rip_fibers.ended(number);
			continue;
		}
		idle_turns = rip_fibers_turn(blocks[i].get()) ? 0 : idle_turns + 1;
		if (rip_fibers.meanwhile && rip_fibers_random() % 32768 == 0)
			rip_fibers.meanwhile();
		if (rip_fibers.idle > rip_fibers.patience || idle_turns > 1000) {
			rip_fibers.error = cudaErrorLaunchTimeout;
			for (auto &block : blocks)
				rip_fibers_end(block.get());
			return;
		}
	}
}

inline void rip_fibers_hold()
{
	rip_fibers.holding = true;
}

inline void rip_fibers_run(void *stream, rip_fibers_launch launch)
{
	if (rip_fibers.refuse && --rip_fibers.refuse == 0) {
		rip_fibers_refused = cudaErrorMemoryAllocation;
		return;
	}
	if (rip_fibers.enqueue && rip_fibers.enqueue(stream, launch))
		return;
	rip_fibers.launches++;
	rip_fibers.held.push_back(std::move(launch));
	if (!rip_fibers.holding)
		rip_fibers_go();
}

/* Arguments are copied: a launch may run later. */
#define RIP_LAUNCH(kernel, grid, threads, shared, stream, ...)                                 \
	rip_fibers_run(stream, { grid, dim3(threads), shared,                                  \
				 [=, arguments = std::make_tuple(__VA_ARGS__)] {               \
					 std::apply(kernel, arguments);                        \
				 } })

template <typename... Parameters, typename... Arguments>
static inline cudaError_t rip_launch_clusters(void (*kernel)(Parameters...), uint32_t cluster,
					      dim3 grid, dim3 threads, size_t shared, void *stream,
					      const Arguments &...arguments)
{
	rip_fibers_run(stream, { grid, threads, shared, [=] { kernel(arguments...); }, cluster });

	const cudaError_t error = rip_fibers_refused;

	rip_fibers_refused = cudaSuccess;
	return error;
}

template <typename... Parameters>
static inline bool rip_clusters_fit(void (*)(Parameters...), uint32_t cluster, dim3, size_t)
{
	const char *most = getenv("RIPTIDE_EMULATED_CLUSTER");

	return cluster <= (most ? (uint32_t)atoi(most) : 2);
}

/* Takes back the calling thread's own error.  That of a kernel stays, as on a device. */
static inline cudaError_t cudaGetLastError()
{
	const cudaError_t error = rip_fibers_refused ? rip_fibers_refused : rip_fibers.error;

	rip_fibers_refused = cudaSuccess;
	return error;
}

enum { cudaFuncAttributeMaxDynamicSharedMemorySize };

template <typename F> static inline cudaError_t cudaFuncSetAttribute(F, int, int)
{
	return cudaSuccess;
}

/* ---- the functions of intrinsics.cuh ---- */

static inline unsigned char *rip_shared()
{
	return rip_fibers.current->block->shared;
}

static inline uint32_t rip_opaque(uint32_t value)
{
	return value;
}

static inline float __fadd_ru(float a, float b)
{
	const double exact = (double)a + b;
	const float near = (float)exact;

	return (double)near < exact ? std::nextafterf(near, INFINITY) : near;
}

static inline float rip_add_up_to_1(float a, float b)
{
	return std::fmin(std::fmax(__fadd_ru(a, b), 0.0f), 1.0f);
}

static inline float rip_fma_to_1(float a, float b, float c)
{
	return std::fmin(std::fmax(std::fma(a, b, c), 0.0f), 1.0f);
}

static inline float rip_less(float a, float b)
{
	return a < b;
}

static inline uint32_t rip_select(bool condition, uint32_t a, uint32_t b)
{
	return condition ? a : b;
}

static inline uint32_t rip_minus_byte(uint32_t value, uint32_t word)
{
	return value - (word & 255);
}

static inline uint32_t rip_add_min(uint32_t a, uint32_t b, uint32_t c)
{
	return a + b < c ? a + b : c;
}

template <typename T> static inline uint32_t rip_load_sample(const T *at)
{
	return *at;
}

template <typename T> static inline void rip_store(T *at, T value)
{
	if ((uintptr_t)at % sizeof(T)) {
		fprintf(stderr, "%zu bytes stored at %p, which is not aligned\n", sizeof(T),
			(void *)at);
		abort();
	}
	*at = value;
}

static inline void rip_prefetch(const void *)
{
}

static inline uint64_t rip_load_word(const uint64_t *word)
{
	rip_fibers_perhaps();
	return *word;
}

static inline uint32_t rip_load_copied(const uint32_t *word)
{
	rip_fibers_perhaps();
	return *word;
}

static inline uint64_t rip_load_system(const uint64_t *word)
{
	return *word;
}

static inline void __threadfence()
{
}

static inline void rip_fence()
{
}

static inline void rip_store_word(uint64_t *word, uint64_t value)
{
	*word = value;
	rip_fibers_event();
}

/* Lanes of a warp may read at different times. */
static inline uint32_t rip_load_acquire(const uint32_t *counter)
{
	rip_fibers_perhaps();
	return *counter;
}

static inline void rip_store_release(uint32_t *counter, uint32_t value)
{
	*counter = value;
	rip_fibers_event();
}

static inline void rip_load_quad_if(bool condition, const uint32_t *at, uint4 &value)
{
	rip_fibers_perhaps();
	if (condition)
		value = *(const uint4 *)__builtin_assume_aligned(at, 16);
}

static inline void rip_store_quad(uint32_t *at, uint4 value)
{
	*(uint4 *)__builtin_assume_aligned(at, 16) = value;
	rip_fibers_event();
}

static inline uint32_t rip_load_one(const uint32_t *at)
{
	rip_fibers_perhaps();
	return *at;
}

static inline void rip_store_one(uint32_t *at, uint32_t value)
{
	*at = value;
	rip_fibers_event();
}

static inline uint2 rip_load_pair(const uint32_t *at)
{
	rip_fibers_perhaps();
	return *(const uint2 *)at;
}

static inline void rip_store_pair(uint32_t *at, uint2 value)
{
	*(uint2 *)at = value;
	rip_fibers_event();
}

static inline uint32_t rip_load_hint(const uint32_t *at)
{
	rip_fibers_perhaps();
	return *at;
}

static inline void rip_store_hint(uint32_t *at, uint32_t value)
{
	*at = value;
	rip_fibers_event();
}

/* An address in the shared memory of another block of the cluster. */
typedef uintptr_t rip_far;

static inline uint32_t rip_cluster_rank()
{
	return blockIdx.x % rip_fibers.current->block->launch->cluster;
}

static inline rip_far rip_far_address(const void *shared, uint32_t rank)
{
	const rip_fibers_block *block = rip_fibers.current->block;

	/* As a device has it: any block's memory begins at a multiple of a large number. */
	return ((rip_far)(rank + 1) << 32) + ((const unsigned char *)shared - block->shared);
}

/* The memory at such an address.  A store to a block that has ended would end the context. */
static inline uint32_t *rip_fibers_far(rip_far at)
{
	const rip_fibers_cluster &cluster = *rip_fibers.current->block->cluster;
	const size_t rank = (size_t)(at >> 32) - 1;

	if (rank >= cluster.blocks.size() || !cluster.blocks[rank] ||
	    !cluster.blocks[rank]->members) {
		fprintf(stderr,
			"a store to a thread block that has ended, or that is not of the "
			"cluster\n");
		abort();
	}
	return (uint32_t *)(cluster.blocks[rank]->shared + (at & 0xffffffff));
}

static inline void rip_store_pair_far(rip_far at, uint2 value)
{
	*(uint2 *)rip_fibers_far(at) = value;
	rip_fibers_event();
}

static inline void rip_store_one_far(rip_far at, uint32_t value)
{
	*rip_fibers_far(at) = value;
	rip_fibers_event();
}

static inline uint32_t rip_load_acquire_far(const uint32_t *counter)
{
	rip_fibers_perhaps();
	return *counter;
}

static inline void rip_store_release_far(rip_far at, uint32_t value)
{
	rip_store_one_far(at, value);
}

static inline void rip_copy16(void *shared, const void *global, bool there)
{
	shared = __builtin_assume_aligned(shared, 16);
	if (there)
		memcpy(shared, __builtin_assume_aligned(global, 16), 16);
	else
		memset(shared, 0, 16);
}

static inline void rip_copy_commit()
{
}

template <int latest> static inline void rip_copy_wait()
{
}

static inline void rip_trap()
{
	rip_fibers.error = cudaErrorLaunchFailure;
}

static inline void rip_relax(unsigned)
{
	rip_fibers.idle++;
	rip_fibers.clock++;
	rip_fibers_yield();
}

static inline uint64_t rip_clock()
{
	return rip_fibers.clock;
}

/* ---- CUDA's functions ---- */

static inline void __syncwarp(unsigned = ~0u)
{
	rip_fibers_meet(0);
}

static inline void rip_cluster_sync()
{
	rip_fiber *fiber = rip_fibers.current;

	fiber->waits = true;
	fiber->block->cluster->arrived++;
	rip_fibers_cluster_full(fiber->block->cluster.get());
	while (fiber->waits)
		rip_fibers_yield();
}

static inline void __syncthreads()
{
	rip_fiber *fiber = rip_fibers.current;

	fiber->waits = true;
	fiber->block->arrived++;
	rip_fibers_block_full(fiber->block);
	while (fiber->waits)
		rip_fibers_yield();
}

static inline uint32_t __shfl_sync(unsigned, uint32_t value, unsigned lane)
{
	return (uint32_t)rip_fibers_meet(value)[lane % 32];
}

static inline uint32_t __shfl_up_sync(unsigned, uint32_t value, unsigned delta)
{
	const unsigned lane = rip_fibers.current->lane;

	return (uint32_t)rip_fibers_meet(value)[lane >= delta ? lane - delta : lane];
}

static inline unsigned __ballot_sync(unsigned, int predicate)
{
	const uint64_t *slots = rip_fibers_meet(predicate != 0);
	unsigned mask = 0;

	for (int i = 0; i < 32; i++)
		mask |= (unsigned)(slots[i] & 1) << i;
	return mask;
}

static inline int __any_sync(unsigned mask, int predicate)
{
	return __ballot_sync(mask, predicate) != 0;
}

static inline int32_t atomicAdd(int32_t *to, int32_t value)
{
	const int32_t before = *to;

	*to = (int32_t)((uint32_t)before + (uint32_t)value);
	rip_fibers_event();
	return before;
}

static inline uint32_t atomicAdd(uint32_t *to, uint32_t value)
{
	const uint32_t before = *to;

	*to = before + value;
	rip_fibers_event();
	return before;
}

static inline uint32_t __byte_perm(uint32_t x, uint32_t y, uint32_t selector)
{
	const uint64_t bytes = (uint64_t)y << 32 | x;
	uint32_t result = 0;

	for (int i = 0; i < 4; i++)
		result |= (uint32_t)(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
	return result;
}

static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift)
{
	return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31));
}

static inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t c)
{
	for (int i = 0; i < 32; i += 8)
		c += (a >> i & 255) * (b >> i & 255);
	return c;
}

static inline uint32_t __float_as_uint(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

static inline float __uint_as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, 4);
	return value;
}

/* a*b + c, rounded down once.  Exact in double for numbers of 24 bits this close. */
static inline int32_t min(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static inline int32_t max(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static inline float __fmaf_rn(float a, float b, float c)
{
	return std::fma(a, b, c);
}

static inline float __fadd_rd(float a, float b)
{
	const double exact = (double)a + b;
	const float near = (float)exact;

	return (double)near > exact ? std::nextafterf(near, -INFINITY) : near;
}

static inline float __fmaf_rd(float a, float b, float c)
{
	const double exact = std::fma((double)a, (double)b, (double)c);
	const float near = (float)exact;

	return (double)near > exact ? std::nextafterf(near, -INFINITY) : near;
}

static inline float __fmaf_ru(float a, float b, float c)
{
	return -__fmaf_rd(-a, b, -c);
}

static inline int __ffs(int value)
{
	return __builtin_ffs(value);
}

#endif
