/*
 * The functions of the CUDA runtime that the engines use, without a GPU, to test the host
 * side of the engines: streams, events, copies, graphs.  Kernels run as fibers
 * (cuda_fibers.hh, which has to be included first).
 *
 * No operation is done when it is requested.  Each stream is a queue.  A thread that waits
 * for something takes operations from random streams and does them, until that is done.
 * Launches at the heads of several streams may run at once, with blocks that start in
 * random order.  Copies of other streams go on meanwhile, and when a launch ends, operations that
 * follow it may be done while the others run.  So if the engine forgets to order two operations,
 * the dots soon come out wrong, as on a device.
 *
 * There can be several devices (RIPTIDE_EMULATED_GPUS=N).  As in CUDA, each thread has a current
 * device; streams, events and memory belong to the device that was current when they were made,
 * a launch needs a stream of the current device, and an event is recorded on streams of its own
 * device.  The error of a kernel stays, for all devices.
 */
#ifndef RIP_CUDA_HOST_HH
#define RIP_CUDA_HOST_HH

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <deque>
#include <map>

#define CUDART_VERSION 13000

enum { cudaStreamNonBlocking = 1, cudaStreamCaptureModeThreadLocal = 1 };
enum { cudaEventDisableTiming = 2 };
enum { cudaHostRegisterPortable = 1, cudaHostRegisterReadOnly = 8 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };

struct cudaDeviceProp {
	char   name[256];
	int    major, minor;
	size_t sharedMemPerBlockOptin;
};
struct cudaPointerAttributes {
	cudaMemoryType type;
};

inline thread_local int rip_host_current; /* device */

struct rip_host_event {
	int      device = rip_host_current;
	uint64_t asked = 0, done = 0; /* how often it was recorded */
};
typedef rip_host_event *cudaEvent_t;
typedef std::vector<rip_fibers_launch> *cudaGraph_t, *cudaGraphExec_t;

/* One of: a launch, a copy, an event to wait for or to record. */
struct rip_host_operation {
	rip_fibers_launch     launch;
	std::function<void()> copy;
	rip_host_event       *waits = nullptr, *records = nullptr;
	uint64_t              record = 0;
	bool                  runs = false; /* the launch */
};

struct rip_host_stream {
	int                            device = rip_host_current;
	std::deque<rip_host_operation> queue;
	cudaGraph_t                    capture = nullptr;
	bool                           brief = false; /* its launches wait for no other */
};

struct rip_host_state {
	pthread_mutex_t                lock = PTHREAD_MUTEX_INITIALIZER;
	unsigned                       wanted = 0; /* atomic: threads that wait for the lock */
	std::vector<rip_host_stream *> streams;
	std::map<const char *, size_t> pinned;
	struct memory {
		size_t size;
		int    device;
	};
	std::map<const char *, memory> memory; /* of devices */
	int                            gpus = 1;
	cudaError_t                    error = cudaSuccess; /* of a kernel: it stays */
	std::vector<rip_host_stream *> running; /* whose launches run now */
	bool                           runs = false; /* there are such launches */
};

inline rip_host_state rip_host;

static inline void rip_host_lock()
{
	__atomic_add_fetch(&rip_host.wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&rip_host.lock);
	__atomic_sub_fetch(&rip_host.wanted, 1, __ATOMIC_RELAXED);
}

/* Unlocks, and lets other threads go first if they wait for that; on a busy machine a processor
 * that is given up for nothing does not come back soon.  A thread that has nothing to do sleeps: it
 * would keep an idle processor busy. */
static inline void rip_host_unlock_fair(bool idle)
{
	static const timespec rest = { 0, 20000 };

	pthread_mutex_unlock(&rip_host.lock);
	if (idle)
		nanosleep(&rest, nullptr);
	else if (__atomic_load_n(&rip_host.wanted, __ATOMIC_RELAXED) > 0)
		sched_yield();
}

struct rip_host_locked {
	rip_host_locked() { rip_host_lock(); }
	~rip_host_locked() { pthread_mutex_unlock(&rip_host.lock); }
};

static inline cudaError_t rip_host_result()
{
	return rip_host.error;
}

/* Whether memory is of another device than this. */
static inline bool rip_host_is_foreign(const void *at, int device)
{
	auto next = rip_host.memory.upper_bound((const char *)at);

	return next != rip_host.memory.begin() &&
	       (--next)->first + next->second.size > (const char *)at &&
	       next->second.device != device;
}

/* ---- doing operations ---- */

static inline bool rip_host_ready(const rip_host_stream *stream)
{
	if (stream->queue.empty())
		return false;

	const rip_host_operation &head = stream->queue.front();

	return !head.runs && (!head.waits || head.waits->done >= head.record);
}

static inline void rip_host_launch(rip_host_stream *first);

/* Does the next operation of a random stream; false: none can go on. */
static inline bool rip_host_step_locked()
{
	const size_t count = rip_host.streams.size();
	const size_t from = count ? rip_fibers_random() % count : 0;

	for (size_t i = 0; i < count; i++) {
		rip_host_stream *stream = rip_host.streams[(from + i) % count];

		if (!rip_host_ready(stream))
			continue;

		rip_host_operation &head = stream->queue.front();

		const cudaError_t error = rip_host.error;

		if (head.launch.kernel && !error) {
			if (rip_host.runs)
				continue;
			rip_host_launch(stream);
			return true;
		}
		if (head.copy && !error)
			head.copy();
		if (head.records)
			head.records->done = head.record;
		stream->queue.pop_front();
		return true;
	}
	return false;
}

/* A launch has ended, others may still run.  Operations that follow it may be done now, and
 * threads may request more. */
inline void rip_host_ended(size_t number)
{
	rip_host.running[number]->queue.pop_front();
	rip_host.running[number] = nullptr;
	for (uint64_t n = rip_fibers_random() % 32; n > 0; n--) {
		rip_host_step_locked();
		rip_host_unlock_fair(false);
		rip_host_lock();
	}
}

/* Runs the launch at the head of a stream, sometimes together with those of others. */
static inline void rip_host_launch(rip_host_stream *first)
{
	rip_fibers_hold();
	rip_host.running.clear();
	for (rip_host_stream *stream : rip_host.streams) {
		const bool launch = rip_host_ready(stream) && stream->queue.front().launch.kernel;

		if (stream != first &&
		    (!launch || stream->device != first->device || rip_fibers_random() % 2))
			continue;
		rip_fibers.held.push_back(stream->queue.front().launch);
		stream->queue.front().runs = true;
		rip_host.running.push_back(stream);
	}
	rip_fibers.resident = 1 + (unsigned)(rip_fibers_random() % 4);
	rip_fibers.ended = rip_host_ended;
	rip_fibers.meanwhile = [] { rip_host_step_locked(); };
	rip_host.runs = true;
	rip_fibers_go();
	rip_host.runs = false;
	rip_host.error = rip_fibers.error;
	for (rip_host_stream *stream : rip_host.running) /* after a failure */
		if (stream)
			stream->queue.pop_front();
}

static inline cudaError_t rip_host_await(const std::function<bool()> &done)
{
	for (;;) {
		rip_host_lock();

		bool over = done();
		const bool worked = !over && rip_host_step_locked();

		over = over || done();

		const cudaError_t result = rip_host_result();

		rip_host_unlock_fair(!over && !worked);
		if (over)
			return result;
	}
}

static inline cudaError_t rip_host_add(rip_host_stream *stream, rip_host_operation operation)
{
	const rip_host_locked locked;

	stream->queue.push_back(std::move(operation));
	return rip_host_result();
}

inline bool rip_host_launched(void *stream, rip_fibers_launch &launch)
{
	rip_host_stream *to = (rip_host_stream *)stream;
	rip_host_operation operation;

	if (!to)
		return false;
	if (to->device != rip_host_current) {
		rip_fibers_refused = cudaErrorInvalidDevice;
		return true;
	}
	if (to->capture) {
		to->capture->push_back(launch);
		return true;
	}
	operation.launch = launch;
	rip_host_add(to, std::move(operation));
	return true;
}

/* ---- devices and memory ---- */

static inline cudaError_t cudaGetDeviceCount(int *count)
{
	const char *refuse = getenv("RIPTIDE_EMULATED_REFUSE");

	rip_fibers.enqueue = rip_host_launched;
	const char *gpus = getenv("RIPTIDE_EMULATED_GPUS");

	rip_fibers.refuse = refuse ? (unsigned)atoi(refuse) : 0;
	rip_host.gpus = gpus ? atoi(gpus) : 1;
	*count = rip_host.gpus;
	return cudaSuccess;
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
	*properties = {};
	snprintf(properties->name, sizeof properties->name, "emulated GPU");
	properties->major = 9;
	properties->sharedMemPerBlockOptin = 227 << 10;
	return cudaSuccess;
}

static inline cudaError_t cudaSetDevice(int number)
{
	const rip_host_locked locked;

	if (number < 0 || number >= rip_host.gpus)
		return cudaErrorInvalidDevice;
	rip_host_current = number;
	return rip_host_result();
}

static inline const char *cudaGetErrorString(cudaError_t error)
{
	return error ? "an error" : "no error";
}

static inline cudaError_t rip_host_alloc(void **at, size_t size)
{
	*at = aligned_alloc(256, (size + 255) / 256 * 256);
	if (*at)
		memset(*at, 0xa5, size);
	return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline void rip_host_pin(const void *at, size_t size)
{
	const rip_host_locked locked;

	rip_host.pinned[(const char *)at] = size;
}

static inline void rip_host_unpin(const void *at)
{
	const rip_host_locked locked;

	rip_host.pinned.erase((const char *)at);
}

template <typename T> static inline cudaError_t cudaMalloc(T **at, size_t size)
{
	const cudaError_t error = rip_host_alloc((void **)at, size);
	const rip_host_locked locked;

	rip_host.memory[(const char *)*at] = { size, rip_host_current };
	return error ? error : rip_host_result();
}

template <typename T> static inline cudaError_t cudaMallocHost(T **at, size_t size)
{
	const cudaError_t error = rip_host_alloc((void **)at, size);

	rip_host_pin(*at, size);
	return error;
}

/* What the engines must not free: memory while a launch runs, which would hold up all pages. */
static inline void rip_host_check_free(const void *at)
{
	const rip_host_locked locked;

	for (const rip_host_stream *stream : rip_host.streams)
		for (const rip_host_operation &operation : stream->queue)
			if (at && operation.launch.kernel && !stream->brief && !rip_host.error &&
			    !rip_host_is_foreign(at, stream->device)) {
				fprintf(stderr, "memory is freed while a launch runs\n");
				abort();
			}
}

/* Waits for everything, as a device does. */
static inline cudaError_t cudaFree(void *at)
{
	rip_host_check_free(at);
	rip_host_await([] {
		for (const rip_host_stream *stream : rip_host.streams)
			if (!stream->queue.empty())
				return false;
		return true;
	});
	{
		const rip_host_locked locked;

		rip_host.memory.erase((const char *)at);
	}
	free(at);
	return cudaSuccess;
}

static inline cudaError_t cudaFreeHost(void *at)
{
	rip_host_unpin(at);
	return cudaFree(at);
}

static inline cudaError_t cudaHostRegister(void *at, size_t size, unsigned)
{
	rip_host_pin(at, size);
	return cudaSuccess;
}

static inline cudaError_t cudaHostUnregister(void *at)
{
	rip_host_unpin(at);
	return cudaSuccess;
}

static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
						   const void *at)
{
	const rip_host_locked locked;
	auto next = rip_host.pinned.upper_bound((const char *)at);

	attributes->type = cudaMemoryTypeUnregistered;
	if (next != rip_host.pinned.begin() && (--next)->first + next->second > (const char *)at)
		attributes->type = cudaMemoryTypeHost;
	return rip_host_result();
}

/* ---- streams, events, copies ---- */

static inline rip_host_stream *rip_host_of(cudaStream_t stream)
{
	return (rip_host_stream *)stream;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int)
{
	const rip_host_locked locked;

	*stream = new rip_host_stream;
	rip_host.streams.push_back(rip_host_of(*stream));
	return rip_host_result();
}

/* For launches that wait for no other. */
static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, int flags, int)
{
	const cudaError_t error = cudaStreamCreateWithFlags(stream, flags);
	const rip_host_locked locked;

	rip_host_of(*stream)->brief = true;
	return error;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	return rip_host_await([=] { return rip_host_of(stream)->queue.empty(); });
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	cudaStreamSynchronize(stream);

	const rip_host_locked locked;

	for (auto &other : rip_host.streams)
		if (other == stream) {
			other = rip_host.streams.back();
			rip_host.streams.pop_back();
			break;
		}
	delete rip_host_of(stream);
	return rip_host_result();
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, int)
{
	*event = new rip_host_event;
	return cudaSuccess;
}

static inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	delete event;
	return cudaSuccess;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	rip_host_operation operation;

	if (event->device != rip_host_of(stream)->device)
		return cudaErrorInvalidDevice;
	operation.records = event;
	{
		const rip_host_locked locked;

		operation.record = ++event->asked;
	}
	return rip_host_add(rip_host_of(stream), std::move(operation));
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, int)
{
	rip_host_operation operation;

	operation.waits = event;
	{
		const rip_host_locked locked;

		operation.record = event->asked;
	}
	return rip_host_add(rip_host_of(stream), std::move(operation));
}

/* It keeps a processor busy, and the emulated engines are not told to do that. */
static inline cudaError_t cudaEventSynchronize(cudaEvent_t)
{
	return cudaErrorInvalidValue;
}

/* A thread that naps while it waits for an event: here it does the work itself. */
static inline int rip_host_nap(const timespec *, timespec *)
{
	rip_host_lock();
	rip_host_unlock_fair(!rip_host_step_locked());
	return 0;
}
#define nanosleep rip_host_nap

static inline cudaError_t cudaEventQuery(cudaEvent_t event)
{
	const rip_host_locked locked;

	if (rip_fibers_random() % 16 == 0) /* copies take a while */
		rip_host_step_locked();
	if (event->done >= event->asked)
		return rip_host_result();
	rip_fibers_refused = cudaErrorNotReady; /* what cudaGetLastError() will find */
	return cudaErrorNotReady;
}

/* Whether so many bytes begin in page-locked memory and end elsewhere, which CUDA refuses to
 * copy. */
static inline bool rip_host_is_cut(const void *at, size_t bytes)
{
	auto next = rip_host.pinned.upper_bound((const char *)at);

	if (next == rip_host.pinned.begin())
		return false;
	--next;
	return (const char *)at < next->first + next->second &&
	       (const char *)at + bytes > next->first + next->second;
}

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
					    size_t from_pitch, size_t bytes, size_t rows,
					    cudaMemcpyKind, cudaStream_t stream)
{
	rip_host_operation operation;

	if (bytes > to_pitch || bytes > from_pitch)
		return cudaErrorInvalidValue;
	{
		const rip_host_locked locked;
		const int device = rip_host_of(stream)->device;

		if (rip_host_is_foreign(to, device) || rip_host_is_foreign(from, device) ||
		    rip_host_is_cut(to, (rows - 1) * to_pitch + bytes) ||
		    rip_host_is_cut(from, (rows - 1) * from_pitch + bytes))
			return cudaErrorInvalidValue;
	}
	operation.copy = [=] {
		for (size_t i = 0; i < rows; i++)
			memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch,
			       bytes);
	};
	return rip_host_add(rip_host_of(stream), std::move(operation));
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
					  cudaMemcpyKind kind, cudaStream_t stream)
{
	return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

static inline cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
	rip_host_operation operation;

	operation.copy = [=] { memset(at, value, bytes); };
	return rip_host_add(rip_host_of(stream), std::move(operation));
}

static inline cudaError_t cudaMemset(void *at, int value, size_t bytes)
{
	memset(at, value, bytes);
	return cudaSuccess;
}

/* ---- the driver: streams that write words ---- */

typedef rip_host_stream *CUstream;
typedef uintptr_t        CUdeviceptr;
typedef uint32_t         cuuint32_t;
enum CUresult { CUDA_SUCCESS };
typedef CUresult (*rip_write_value_function)(CUstream, CUdeviceptr, cuuint32_t, unsigned);

static inline CUresult rip_host_write_value(CUstream stream, CUdeviceptr to, cuuint32_t value,
					    unsigned)
{
	rip_host_operation operation;

	operation.copy = [=] { *(uint32_t *)to = value; };
	rip_host_add(stream, std::move(operation));
	return CUDA_SUCCESS;
}

static inline rip_write_value_function rip_find_write_value()
{
	return rip_host_write_value;
}

/* ---- graphs: launches one after the other ---- */

static inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int)
{
	rip_host_of(stream)->capture = new std::vector<rip_fibers_launch>;
	return cudaSuccess;
}

static inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	*graph = rip_host_of(stream)->capture;
	rip_host_of(stream)->capture = nullptr;
	return cudaSuccess;
}

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, int)
{
	*exec = new std::vector<rip_fibers_launch>(*graph);
	return cudaSuccess;
}

static inline cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	delete graph;
	return cudaSuccess;
}

static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	delete exec;
	return cudaSuccess;
}

static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	for (const rip_fibers_launch &launch : *exec) {
		rip_host_operation operation;

		operation.launch = launch;
		rip_host_add(rip_host_of(stream), std::move(operation));
	}
	return cudaSuccess;
}

#endif
