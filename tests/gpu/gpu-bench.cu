/*
 * How long the kernels take, copies left out: the methods of the paper, its sizes,
 * and the wavefront in the same run.  For each the median of runs that alternate.
 *
 *	gpu-bench [--sizes N,WxH,...] [--runs N] [--pixel-wise] [--planes]
 *
 * A method with a launch a diagonal is replayed as a graph.  Dots are compared: all
 * methods have to agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "gpu/block.cuh"
#include "gpu/published.cuh"
#include "gpu/wavefront.cuh"

#define CHECK(call)                                                                       \
	do {                                                                           \
		cudaError_t error_ = (call);                                           \
		if (error_ != cudaSuccess) {                                           \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_)); \
			exit(1);                                                       \
		}                                                                      \
	} while (0)

/* Planes of one size on the device. */
struct planes {
	rip_gpu_shape shape;
	uint32_t      rows;
	unsigned      count;
	uint64_t      in_pitch, out_pitch;
	uint8_t      *in, *out;
	int16_t      *carry;
};

/* Gradients with noise: every tone, no plane like another. */
__global__ void fill(uint8_t *in, uint64_t pitch, uint32_t width, uint32_t rows, unsigned count)
{
	for (uint64_t i = blockIdx.x; i < (uint64_t)rows * count; i += gridDim.x)
		for (uint32_t j = threadIdx.x; j < width; j += blockDim.x) {
			const uint32_t row = (uint32_t)(i % rows);
			uint32_t z = (uint32_t)(i * 2654435761u) ^ j * 0x9e3779b9u;

			z ^= z >> 16;
			z *= 0x7feb352du;
			z ^= z >> 15;
			const int v = (int)((uint64_t)row * 128 / rows + (uint64_t)j * 128 / width + (z & 31)) - 16;

			in[i * pitch + j] = (uint8_t)min(255, max(0, v));
		}
}

static void planes_init(planes &p, uint32_t width, uint32_t rows, unsigned count)
{
	p.shape = { width, 2, 8, 1, nullptr };
	p.rows = rows;
	p.count = count;
	/* Not a power of two: its rows would share sets of the cache. */
	p.in_pitch = rip_gpu_align(width) + RIP_GPU_ALIGN;
	p.out_pitch = rip_gpu_align((width + 7) / 8) + RIP_GPU_ALIGN;
	CHECK(cudaMalloc(&p.in, p.in_pitch * rows * count));
	CHECK(cudaMalloc(&p.out, p.out_pitch * rows * count));
	CHECK(cudaMalloc(&p.carry, rip_gpu_align(width * 2) * count));
	CHECK(cudaMemset(p.out, 0, p.out_pitch * rows * count));
	fill<<<2048, 256>>>(p.in, p.in_pitch, width, rows, count);
	CHECK(cudaDeviceSynchronize());
}

static void planes_free(planes &p)
{
	for (void *memory : { (void *)p.in, (void *)p.out, (void *)p.carry })
		CHECK(cudaFree(memory));
}

/* One way to halftone them. */
struct way {
	const char *name;
	cudaError_t (*launch)(const rip_gpu_shape *, const rip_published_task *, unsigned, uint32_t,
			      cudaStream_t); /* NULL: the wavefront */
	uint64_t (*scratch)(const rip_gpu_shape *, uint32_t);
	uint32_t groups;

	uint8_t                  *memory;
	std::vector<rip_published_task> tasks;
	rip_published_task             *device_tasks;
	cudaGraphExec_t           graph;
	unsigned                  kernel; /* of the wavefront */
	std::vector<rip_wave_task> planes;
	rip_wave_task            *ring;  /* pinned */
	rip_wave_launch            wave_launch;
	std::vector<float>        ms;
	uint64_t                  dots;
};

static void prepare(way &w, planes &p, cudaStream_t stream)
{
	const uint64_t step = rip_gpu_align(w.launch ? w.scratch(&p.shape, p.rows)
						     : rip_wave_words(p.shape.width) * 8);
	const uint64_t carry = rip_gpu_align(p.shape.width * 2) / 2;

	CHECK(cudaMalloc(&w.memory, step * p.count + 256));
	CHECK(cudaMemset(w.memory, 0, step * p.count + 256));
	CHECK(cudaMalloc(&w.device_tasks, p.count * sizeof *w.device_tasks));
	w.tasks.clear();
	for (unsigned i = 0; i < p.count; i++)
		w.tasks.push_back({ p.in + i * p.rows * p.in_pitch, p.out + i * p.rows * p.out_pitch,
				    p.in_pitch, p.out_pitch, p.carry + carry * i,
				    w.memory + 256 + step * i, p.rows, 0 });
	CHECK(cudaMemcpy(w.device_tasks, w.tasks.data(), p.count * sizeof *w.device_tasks,
		      cudaMemcpyHostToDevice));
	w.graph = nullptr;
	if (w.launch) {
		cudaGraph_t graph;

		CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
		CHECK(w.launch(&p.shape, w.device_tasks, p.count, p.rows, stream));
		CHECK(cudaStreamEndCapture(stream, &graph));
		CHECK(cudaGraphInstantiate(&w.graph, graph, 0));
		CHECK(cudaGraphDestroy(graph));
		CHECK(cudaGraphUpload(w.graph, stream));
	} else {
		const uint32_t slices = rip_wave_slices(p.rows, w.groups) * p.count;
		uint32_t size = 1;

		while (size < slices)
			size *= 2;
		w.kernel = rip_wave_kernel(&p.shape);
		for (unsigned i = 0; i < p.count; i++) {
			rip_wave_task all = {};

			all.in = w.tasks[i].in;
			all.out = w.tasks[i].out;
			all.words = (uint64_t *)w.tasks[i].scratch;
			all.in_pitch = (uint32_t)p.in_pitch;
			all.out_pitch = (uint32_t)p.out_pitch;
			all.rows = p.rows;
			all.width = p.shape.width;
			all.levels = p.shape.levels;
			w.planes.push_back(all);
		}
		CHECK(cudaMallocHost(&w.ring, size * sizeof *w.ring));
		w.wave_launch = { w.ring, size - 1, 0, slices, w.groups, (uint32_t *)w.memory, 1,
			   (uint32_t *)w.memory + 1, (uint32_t *)w.memory + 2, 10000000000ull };
	}
	CHECK(cudaStreamSynchronize(stream));
}

static void finish(way &w)
{
	if (w.graph)
		CHECK(cudaGraphExecDestroy(w.graph));
	else
		CHECK(cudaFreeHost(w.ring));
	CHECK(cudaFree(w.memory));
	CHECK(cudaFree(w.device_tasks));
}

__global__ void digest(const uint8_t *dots, uint64_t bytes, unsigned long long *sum)
{
	const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	unsigned long long sum_here = 0;

	for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 4; i += step)
		sum_here += ((const uint32_t *)dots)[i] * ((i + 1) * 0x9e3779b97f4a7c15ull);
	atomicAdd(sum, sum_here);
}

static void run(way &w, planes &p, cudaStream_t stream, bool check)
{
	static cudaEvent_t from, to;
	float ms;

	if (!from) {
		CHECK(cudaEventCreate(&from));
		CHECK(cudaEventCreate(&to));
	}
	CHECK(cudaMemsetAsync(p.carry, 0, rip_gpu_align(p.shape.width * 2) * p.count, stream));
	if (!w.launch) {
		for (rip_wave_task &all : w.planes) {
			all.sequence = 0;
			CHECK(cudaMemsetAsync(all.words, 0, rip_wave_words(all.width) * 8, stream));
		}
		CHECK(cudaStreamSynchronize(stream));
		rip_wave_cut(w.ring, w.wave_launch.mask, w.wave_launch.first, w.planes.data(),
			       (unsigned)w.planes.size(), w.groups);
	}
	if (check)
		CHECK(cudaMemsetAsync(p.out, 0, p.out_pitch * p.rows * p.count, stream));
	CHECK(cudaEventRecord(from, stream));
	if (w.launch) {
		CHECK(cudaGraphLaunch(w.graph, stream));
	} else {
		CHECK(rip_wave_run(w.kernel, &w.wave_launch, stream));
		w.wave_launch.first += w.wave_launch.slices;
	}
	CHECK(cudaEventRecord(to, stream));
	CHECK(cudaEventSynchronize(to));
	CHECK(cudaEventElapsedTime(&ms, from, to));
	if (!w.launch) {
		uint32_t stalled;

		CHECK(cudaMemcpy(&stalled, w.wave_launch.stalled, 4, cudaMemcpyDeviceToHost));
		if (stalled) {
			fprintf(stderr, "%s: a wait did not end\n", w.name);
			exit(1);
		}
	}
	if (check) {
		unsigned long long *sum, value;

		CHECK(cudaMalloc(&sum, 8));
		CHECK(cudaMemset(sum, 0, 8));
		digest<<<512, 256, 0, stream>>>(p.out, p.out_pitch * p.rows * p.count, sum);
		CHECK(cudaStreamSynchronize(stream));
		CHECK(cudaMemcpy(&value, sum, 8, cudaMemcpyDeviceToHost));
		CHECK(cudaFree(sum));
		w.dots = value;
	} else {
		w.ms.push_back(ms);
	}
}

static int bench(uint32_t width, uint32_t rows, unsigned count, std::vector<way> ways, int runs)
{
	cudaStream_t stream;
	planes p;
	int wrong = 0;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	planes_init(p, width, rows, count);
	for (way &w : ways)
		prepare(w, p, stream);
	for (way &w : ways)
		run(w, p, stream, true);
	for (int r = 0; r < runs; r++)
		for (way &w : ways)
			run(w, p, stream, false);
	for (way &w : ways) {
		const double pixels = (double)width * rows * count;

		std::sort(w.ms.begin(), w.ms.end());
		const float median = w.ms[w.ms.size() / 2];

		printf("{\"method\":\"%s\",\"width\":%u,\"height\":%u,\"planes\":%u,\"runs\":%d,"
		       "\"ms_median\":%.3f,\"ms_min\":%.3f,\"ms_max\":%.3f,\"mpixels_per_s\":%.0f",
		       w.name, width, rows, count, runs, median, w.ms.front(), w.ms.back(),
		       pixels / median / 1e3);
		if (!strncmp(w.name, "bw", 2))
			printf(",\"us_a_diagonal\":%.2f",
			       median * 1e3 /
				       (rip_blocks_across(width) + 3.0 * (rip_blocks_down(rows) - 1)));
		printf(",\"dots\":\"%016llx\"}\n", (unsigned long long)w.dots);
		wrong += w.dots != ways[0].dots;
		finish(w);
	}
	if (wrong)
		printf("# the methods do not agree\n");
	fflush(stdout);
	planes_free(p);
	CHECK(cudaStreamDestroy(stream));
	return wrong;
}

int main(int argc, char **argv)
{
	std::vector<uint2> sizes;
	const uint32_t paper[] = { 1024,  2048,  3072,  4096,	5120,  6144, 7168,
					8192,  9216,  10240, 12288, 14336, 16384 };
	bool pixel_wise = false, many = false;
	int runs = 15, wrong = 0;
	const way pw[] = { { "pwed", rip_pwed_launch, rip_pwed_scratch },
			   { "pwec", rip_pwec_launch, rip_pwec_scratch } };
	const way bw[] = { { "bwed", rip_bwed_launch, rip_bwed_scratch },
			   { "bwec", rip_bwec_launch, rip_bwec_scratch } };
	std::vector<way> waves = { { "wavefront", nullptr, nullptr, 4 } };
	cudaDeviceProp device;

	for (uint32_t n : paper)
		sizes.push_back(make_uint2(n, n));
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--sizes") && i + 1 < argc) {
			sizes.clear();
			for (char *s = strtok(argv[++i], ","); s; s = strtok(nullptr, ","))
				sizes.push_back(make_uint2((uint32_t)atoi(s), (uint32_t)atoi(strchr(s, 'x') ? strchr(s, 'x') + 1 : s)));
		} else if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
			runs = atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--pixel-wise")) {
			pixel_wise = true;
		} else if (!strcmp(argv[i], "--planes")) {
			many = true;
		} else if (!strcmp(argv[i], "--groups")) { /* slices of other sizes beside */
			waves.push_back({ "wavefront, 2 strips a sum_here", nullptr, nullptr, 2 });
			waves.push_back({ "wavefront, 1 strip a sum_here", nullptr, nullptr, 1 });
		} else {
			fprintf(stderr, "usage: gpu-bench [--sizes N,WxH,...] [--runs N] [--pixel-wise] "
					"[--planes] [--groups]\n");
			return 2;
		}
	}
	if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
		printf("skipped: no GPU\n");
		return 77;
	}
	CHECK(rip_wave_prepare((uint32_t)device.sharedMemPerBlockOptin));
	printf("# %s\n", device.name);
	for (uint2 size : sizes) {
		std::vector<way> ways(bw, bw + 2);

		ways.insert(ways.end(), waves.begin(), waves.end());
		wrong += bench(size.x, size.y, 1, ways, runs);
		if (pixel_wise) /* slow: fewer runs, apart */
			wrong += bench(size.x, size.y, 1, std::vector<way>(pw, pw + 2), 3);
	}
	if (many)
		wrong += bench(4960, 7016, 32, waves, runs);
	return wrong > 0;
}
