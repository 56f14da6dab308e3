/* The published methods as an engine. */
#include "published_engine.cuh"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda_page.cuh"
#include "published.cuh"

/* Samples in a chunk, unless a row is longer: the more rows there are, the fewer launches
 * they need. */
static const size_t chunk_bytes = 512 << 20;

struct published_method {
	rip_method method;
	cudaError_t (*launch)(const rip_gpu_shape *shape, const rip_published_task *tasks,
			      unsigned count, uint32_t rows, cudaStream_t stream);
	uint64_t (*scratch)(const rip_gpu_shape *shape, uint32_t rows);
};

static const published_method methods[] = {
	{ RIP_METHOD_PWED, rip_pwed_launch, rip_pwed_scratch },
	{ RIP_METHOD_PWEC, rip_pwec_launch, rip_pwec_scratch },
	{ RIP_METHOD_BWED, rip_bwed_launch, rip_bwed_scratch },
	{ RIP_METHOD_BWEC, rip_bwec_launch, rip_bwec_scratch },
};

struct published_engine {
	rip_cuda_device         device;
	const published_method *method;
};

/* Launches that are recorded, and what they were recorded for. */
struct recording {
	rip_gpu_shape   shape;
	unsigned        count;
	uint32_t        rows;
	cudaGraphExec_t graph; /* NULL after the first time */
};

struct published_workspace {
	rip_cuda_workspace base;
	rip_cuda_transfer  transfer;
	rip_cuda_buffer    tasks, host_tasks; /* on the device; page-locked */
	rip_cuda_buffer    scratch;
	recording          last;
};

struct published_page {
	rip_cuda_page base;
	bool          busy; /* a chunk is under way */
};

static published_engine *engine_of(const rip_cuda_page *page)
{
	return (published_engine *)page->device;
}

static published_workspace *workspace_of(const rip_cuda_page *page)
{
	return (published_workspace *)page->workspace;
}

static int workspace_init(rip_cuda_device *, rip_cuda_workspace *)
{
	return 0; /* all buffers grow when they are needed */
}

static void workspace_finish(rip_cuda_device *device, rip_cuda_workspace *base)
{
	published_workspace *workspace = (published_workspace *)base;

	rip_cuda_transfer_finish(device, &workspace->transfer);
	rip_cuda_release(device, &workspace->tasks, false);
	rip_cuda_release(device, &workspace->scratch, false);
	rip_cuda_release(device, &workspace->host_tasks, true);
	if (workspace->last.graph)
		cudaGraphExecDestroy(workspace->last.graph);
}

static const rip_cuda_workspace_type workspace_type = { sizeof(published_workspace), workspace_init,
							workspace_finish };

/* ---- launches ---- */

/* Records the launches for a chunk. */
static cudaError_t record(const published_method *method, const recording *chunk,
			  const rip_published_task *tasks, cudaStream_t stream,
			  cudaGraphExec_t *exec)
{
	cudaGraph_t graph = nullptr;
	cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), end;

	if (error != cudaSuccess)
		return error;
	error = method->launch(&chunk->shape, tasks, chunk->count, chunk->rows, stream);
	end = cudaStreamEndCapture(stream, &graph);
	if (error == cudaSuccess)
		error = end;
	if (error == cudaSuccess)
		error = cudaGraphInstantiate(exec, graph, 0);
	if (graph)
		cudaGraphDestroy(graph);
	return error;
}

/* Puts the launches for a chunk on the stream.  Chunks of the same shape as the one before,
 * as in benchmarks, are recorded as a graph the second time, and replayed from then on. */
static cudaError_t launch(const published_method *method, published_workspace *workspace,
			  const rip_gpu_shape *shape, unsigned count, uint32_t rows)
{
	const rip_published_task *tasks = (const rip_published_task *)workspace->tasks.at;
	const cudaStream_t stream = workspace->base.stream;
	recording *last = &workspace->last;
	cudaError_t error = cudaSuccess;

	if (memcmp(&last->shape, shape, sizeof *shape) || last->count != count ||
	    last->rows != rows) {
		if (last->graph)
			cudaGraphExecDestroy(last->graph);
		*last = { *shape, count, rows, nullptr };
		return method->launch(shape, tasks, count, rows, stream);
	}
	if (!last->graph)
		error = record(method, last, tasks, stream, &last->graph);
	return error == cudaSuccess ? cudaGraphLaunch(last->graph, stream) : error;
}

/* ---- chunks ---- */

static uint32_t chunk_rows(const rip_cuda_page *page, unsigned planes)
{
	const size_t rows = chunk_bytes / (rip_gpu_align(page->row.sample_bytes) * planes);

	return rows > 0 ? (uint32_t)rows : 1;
}

/* Waits for the chunk that is under way, and stores its dots. */
static int finish(published_page *page)
{
	rip_cuda_page *base = &page->base;
	int r;

	if (!page->busy)
		return 0;
	page->busy = false;
	r = rip_cuda_try(base->device, cudaStreamSynchronize(base->workspace->stream));
	if (r == 0)
		rip_cuda_transfer_unstage(&workspace_of(base)->transfer);
	return r;
}

/* Copies the tasks of a chunk to the device; rows: the most that one has. */
static int send_tasks(rip_cuda_page *page, const rip_cuda_plane_rows *planes, unsigned count,
		      uint32_t rows)
{
	const size_t bytes = RIP_PLANES_MAX * sizeof(rip_published_task);
	const uint64_t scratch =
		rip_gpu_align(engine_of(page)->method->scratch(&page->shape, rows));
	published_workspace *workspace = workspace_of(page);
	rip_cuda_device *device = page->device;
	rip_published_task *tasks;
	int r = rip_cuda_grow(device, &workspace->scratch, count * scratch, false);

	if (r == 0)
		r = rip_cuda_grow(device, &workspace->tasks, bytes, false);
	if (r == 0)
		r = rip_cuda_grow(device, &workspace->host_tasks, bytes, true);
	if (r < 0)
		return r;
	tasks = (rip_published_task *)workspace->host_tasks.at;
	for (unsigned i = 0; i < count; i++)
		tasks[i] = { planes[i].samples,
			     planes[i].dots,
			     planes[i].samples_pitch,
			     planes[i].dots_pitch,
			     (int16_t *)rip_cuda_page_carry(page, 0, planes[i].plane),
			     workspace->scratch.at + i * scratch,
			     planes[i].rows,
			     0 };
	return rip_cuda_try(device,
			    cudaMemcpyAsync(workspace->tasks.at, tasks, count * sizeof *tasks,
					    cudaMemcpyHostToDevice, workspace->base.stream));
}

static int start_chunk(rip_cuda_page *page, rip_cuda_plane_rows *planes, unsigned count)
{
	published_workspace *workspace = workspace_of(page);
	rip_cuda_device *device = page->device;
	const cudaStream_t stream = workspace->base.stream;
	uint32_t rows = 0;
	int r = finish((published_page *)page); /* there is one set of buffers */

	if (r < 0)
		return r;
	for (unsigned i = 0; i < count; i++)
		rows = planes[i].rows > rows ? planes[i].rows : rows;
	r = rip_cuda_transfer_place(device, &workspace->transfer, planes, count, &page->row);
	if (r == 0)
		r = rip_cuda_transfer_send(device, &workspace->transfer, &page->row, stream);
	if (r == 0)
		r = send_tasks(page, workspace->transfer.planes, count, rows);
	if (r == 0) {
		r = rip_cuda_try(device, rip_cuda_launch_fails(device, stream)
						 ? cudaErrorMemoryAllocation
						 : launch(engine_of(page)->method, workspace,
							  &page->shape, count, rows));
		if (r < 0) /* some of a chunk's launches may run, and others not */
			r = rip_cuda_break(device, r);
	}
	if (r == 0)
		r = rip_cuda_transfer_receive(device, &workspace->transfer, stream);
	if (r < 0) { /* what is under way must not reach memory that is used again */
		cudaStreamSynchronize(stream);
		return r;
	}
	rip_cuda_count(device, { 1, 1, 0, 0 });
	page->known = 0;
	((published_page *)page)->busy = true;
	return 0;
}

static const rip_cuda_chunker chunker = { chunk_rows, start_chunk };

/* ---- the engine's functions ---- */

static int page_open(rip_engine *engine, const rip_page_spec *spec, rip_page **result)
{
	return rip_cuda_page_open((rip_cuda_device *)engine, spec, sizeof(published_page),
				  &workspace_type, (size_t)spec->width * sizeof(int16_t), 1,
				  (rip_cuda_page **)result);
}

static int page_push(rip_page *page, const rip_strip *strips, unsigned count)
{
	return rip_cuda_page_push((rip_cuda_page *)page, strips, count, &chunker);
}

static int page_pull(rip_page *base)
{
	published_page *page = (published_page *)base;
	const int entered = rip_cuda_enter(page->base.device);
	const int finished = finish(page); /* also of a broken engine: no copy may come later */

	return entered < 0 ? entered : finished;
}

static int page_export(rip_page *base, uint32_t plane, int16_t *carry)
{
	rip_cuda_page *page = (rip_cuda_page *)base;
	int r = plane < page->spec.planes ? page_pull(base) : -EINVAL;

	if (r == 0)
		r = rip_cuda_page_load_carries(page, 0);
	if (r == 0)
		memcpy(carry, rip_cuda_page_host_carry(page, 0, plane),
		       page->spec.width * sizeof *carry);
	return r;
}

static int page_import(rip_page *base, uint32_t plane, const int16_t *carry)
{
	rip_cuda_page *page = (rip_cuda_page *)base;
	int r = plane < page->spec.planes ? rip_carry_check(&page->spec, carry) : -EINVAL;

	if (r == 0)
		r = page_pull(base);
	if (r < 0)
		return r;
	memcpy(rip_cuda_page_host_carry(page, 0, plane), carry, page->spec.width * sizeof *carry);
	return rip_cuda_page_store_carry(page, 0, plane);
}

static void page_close(rip_page *base)
{
	published_page *page = (published_page *)base;

	if (!page)
		return;
	cudaSetDevice(page->base.device->number);
	finish(page);
	rip_cuda_page_close(&page->base);
}

static void engine_free(rip_engine *engine)
{
	rip_cuda_device *device = (rip_cuda_device *)engine;

	if (!device)
		return;
	cudaSetDevice(device->number);
	rip_cuda_workspaces_free(device);
	rip_cuda_device_finish(device);
	free(engine);
}

/* The papers' kernels are for Floyd and Steinberg's filter. */
static bool page_takes(const rip_engine *, const rip_page_spec *spec)
{
	return rip_screen_id(spec->screen) == RIP_FLOYD_STEINBERG;
}

static const rip_engine_ops ops = {
	page_takes, page_open, page_push, nullptr, false, page_pull, page_export, page_import,
	nullptr, page_close, engine_free,
};

int rip_published_engine_new(rip_method method, int number, const cudaDeviceProp *properties,
			     rip_cuda_device **result)
{
	published_engine *engine = (published_engine *)calloc(1, sizeof *engine);

	if (!engine)
		return -ENOMEM;
	for (const published_method &m : methods)
		if (m.method == method)
			engine->method = &m;
	rip_cuda_device_init(&engine->device, &ops, method, number, properties);
	*result = &engine->device;
	return 0;
}
