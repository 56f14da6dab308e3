/*
 * Measures how long kernels take, without copies: the published methods at the paper's
 * sizes, and the wavefront in the same run; the gathering of chunked pixels.  Prints the median of
 * each; runs alternate.
 *
 *	gpu-bench [--sizes N,WxH,...] [--runs N] [--pixel-wise] [--planes] [--groups] [--clusters]
 *		[--screens] [--colour]
 *
 *	--pixel-wise	pwed and pwec, too: slow
 *	--planes	also 32 planes of A4 at once
 *	--groups	also the wavefront with other numbers of groups in a slice
 *	--clusters	also the wavefront with clusters of other sizes
 *	--screens	also the wavefront with other screens, levels and sample sizes
 *	--colour	also blue noise for colour with 3, 4 and 32 planes, the scan of rows
 * included, and blue noise for as many planes apart
 *
 * The launches of a published method are replayed as a graph.  The dots of all methods that
 * compute the same screen are compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "gpu/gather.cuh"
#include "gpu/published/block.cuh"
#include "gpu/published/published.cuh"
#include "gpu/scan.cuh"
#include "gpu/wavefront.cuh"

extern "C" {
#include "halftone/engine.h"
}

/* Ends the program if a call of CUDA fails. */
#define CHECK(call)                                                                     \
	do {                                                                            \
		cudaError_t error_ = (call);                                            \
		if (error_ != cudaSuccess) {                                            \
			fprintf(stderr, "gpu-bench: %s: %s\n", #call,                   \
				cudaGetErrorString(error_));                            \
			exit(1);                                                        \
		}                                                                       \
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

/* Gradients with noise: every tone, and no two planes alike. */
__global__ void fill(uint8_t *in, uint64_t pitch, uint32_t width, uint32_t rows, unsigned count)
{
	for (uint64_t i = blockIdx.x; i < (uint64_t)rows * count; i += gridDim.x)
		for (uint32_t j = threadIdx.x; j < width; j += blockDim.x) {
			const uint32_t row = (uint32_t)(i % rows);
			uint32_t z = (uint32_t)(i * 2654435761u) ^ j * 0x9e3779b9u;

			z ^= z >> 16;
			z *= 0x7feb352du;
			z ^= z >> 15;
			const int v = (int)((uint64_t)row * 128 / rows + (uint64_t)j * 128 / width +
					    (z & 31)) -
				      16;

			in[i * pitch + j] = (uint8_t)min(255, max(0, v));
		}
}

static void planes_init(planes &p, uint32_t width, uint32_t rows, unsigned count)
{
	p.shape = { width, 2, 8, 1, RIP_FLOYD_STEINBERG, nullptr };
	p.rows = rows;
	p.count = count;
	/* Not a power of two, with which the rows would share sets of the cache. */
	p.in_pitch = rip_gpu_align(width) + RIP_GPU_ALIGN;
	p.out_pitch = rip_gpu_align((width + 1) / 2) + RIP_GPU_ALIGN; /* for dots of 4 bits, too */
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

/* A method to halftone them. */
struct method {
	const char *name;
	cudaError_t (*launch)(const rip_gpu_shape *, const rip_published_task *, unsigned, uint32_t,
			      cudaStream_t); /* NULL: the wavefront */
	uint64_t (*scratch)(const rip_gpu_shape *, uint32_t);
	uint32_t groups; /* of the wavefront: in a slice; 0: as many as the engine takes */
	uint32_t screen; /* enum rip_screen_id */
	uint32_t levels; /* 0: 2 */
	uint32_t cluster; /* of the wavefront: slices in one; 0: as many as the engine takes */

	rip_gpu_shape                   shape;
	int32_t                        *targets; /* on the device */

	uint8_t                        *memory;
	std::vector<rip_published_task> tasks;
	/* of a published method: */
	rip_published_task             *device_tasks;
	cudaGraphExec_t                 graph;
	/* of the wavefront: */
	unsigned                        kernel;
	std::vector<rip_wave_task>      wave_tasks;
	rip_wave_task                  *ring; /* page-locked */
	rip_wave_launch                 wave_launch;
	std::vector<rip_row_scan> scans; /* of pages whose planes are halftoned together */
	/* results: */
	std::vector<float>              ms;
	uint64_t                        dots; /* a hash */
};

static uint32_t shared_memory; /* that a thread block may use */

/* Pages of C, M, Y and K, or of C, M and Y: a task for each. */
static void prepare_colour(method &m, const planes &p, uint64_t carry)
{
	const unsigned each = p.count % 4 ? p.count : 4;
	const uint64_t grey = rip_gpu_align(sizeof(rip_wave_colour)), rows = p.rows;

	for (unsigned i = 0; i < p.count; i += each) {
		rip_wave_task all = m.wave_tasks[i];
		rip_row_scan scan = {};
		rip_wave_colour &colour = scan.colour;
		unsigned char *memory;

		CHECK(cudaMalloc(&memory, grey + each * rows));
		scan.shape = m.shape;
		scan.task_colour = (rip_wave_colour *)memory;
		scan.in = all.in;
		colour.grey = memory + grey;
		for (unsigned k = 0; k < each; k++) {
			colour.in[k] = k * rows * p.in_pitch;
			colour.out[k] = k * rows * p.out_pitch;
			colour.in_pitch[k] = (uint32_t)p.in_pitch;
			colour.out_pitch[k] = (uint32_t)p.out_pitch;
			colour.from[k] = (int64_t)(k * carry / 8);
		}
		colour.words = (uint32_t)(carry / 8);
		colour.rows = p.rows;
		colour.planes = (uint8_t)each;
		for (const rip_wave_stage kind :
		     { RIP_WAVE_ALONE, RIP_WAVE_PAIR, RIP_WAVE_SINGLE }) {
			static const uint8_t planes[3][2] = { { 2, 0 },
							      { 3, 0 },
							      { 1, 0 } }; /* Y, K, MC */
			static uint8_t step;

			if (kind == RIP_WAVE_ALONE && each == 3)
				continue;
			step = colour.stages ?
				       (uint8_t)(colour.first[colour.stages - 1] +
						 (colour.kind[colour.stages - 1] == RIP_WAVE_PAIR) +
						 1) :
				       0;
			colour.first[colour.stages] = step;
			colour.kind[colour.stages++] = (uint8_t)kind;
			colour.order[step] = planes[kind][0];
			if (kind == RIP_WAVE_PAIR)
				colour.order[step + 1] = planes[kind][1];
		}
		all.colour = scan.task_colour;
		m.scans.push_back(scan);
		m.wave_tasks[i / each] = all;
	}
	m.wave_tasks.resize(m.scans.size());
}

static void prepare(method &m, planes &p, cudaStream_t stream)
{
	m.levels = m.levels ? m.levels : 2;
	m.shape = p.shape;
	m.shape.screen = m.screen;
	m.shape.levels = m.levels;
	m.shape.bits = rip_dot_bits(m.levels);
	m.targets = nullptr;
	if (m.screen != RIP_FLOYD_STEINBERG || m.levels > 2) {
		int32_t targets[256];

		for (uint32_t v = 0; v < 256; v++)
			targets[v] = rip_target(257 * v, m.levels);
		CHECK(cudaMalloc(&m.targets, sizeof targets));
		CHECK(cudaMemcpy(m.targets, targets, sizeof targets, cudaMemcpyHostToDevice));
		m.shape.targets = m.targets;
	}

	m.kernel = rip_wave_kernel(&m.shape);
	if (!m.launch && m.groups == 0)
		m.groups = rip_wave_groups(rip_wave_kind(m.kernel, p.count), shared_memory);
	if (m.cluster == 0)
		m.cluster = rip_wave_cluster(rip_wave_kind(m.kernel, p.count), shared_memory);

	const uint64_t step = rip_gpu_align(
		m.launch ? m.scratch(&p.shape, p.rows)
			 : rip_wave_words(rip_wave_per_word(m.screen), p.shape.width) * 8);
	const uint64_t carry = rip_gpu_align(p.shape.width * 2) / 2;

	CHECK(cudaMalloc(&m.memory, step * p.count + 256));
	CHECK(cudaMemset(m.memory, 0, step * p.count + 256));
	CHECK(cudaMalloc(&m.device_tasks, p.count * sizeof *m.device_tasks));
	m.tasks.clear();
	for (unsigned i = 0; i < p.count; i++)
		m.tasks.push_back({ p.in + i * p.rows * p.in_pitch,
				    p.out + i * p.rows * p.out_pitch, p.in_pitch, p.out_pitch,
				    p.carry + carry * i, m.memory + 256 + step * i, p.rows, 0 });
	CHECK(cudaMemcpy(m.device_tasks, m.tasks.data(), p.count * sizeof *m.device_tasks,
		      cudaMemcpyHostToDevice));
	m.graph = nullptr;
	if (m.launch) {
		cudaGraph_t graph;

		CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
		CHECK(m.launch(&p.shape, m.device_tasks, p.count, p.rows, stream));
		CHECK(cudaStreamEndCapture(stream, &graph));
		CHECK(cudaGraphInstantiate(&m.graph, graph, 0));
		CHECK(cudaGraphDestroy(graph));
		CHECK(cudaGraphUpload(m.graph, stream));
	} else {
		uint32_t slices = rip_wave_slices(p.rows, m.groups) * p.count;
		uint32_t size = 1;

		slices = (slices + m.cluster - 1) / m.cluster * m.cluster;
		while (size < slices + slices / 8 + 64)
			size *= 2;
		for (unsigned i = 0; i < p.count; i++) {
			rip_wave_task all = {};

			all.in = m.tasks[i].in;
			all.out = m.tasks[i].out;
			all.words = (uint64_t *)m.tasks[i].scratch;
			all.from = all.words;
			all.in_pitch = (uint32_t)p.in_pitch;
			all.out_pitch = (uint32_t)p.out_pitch;
			all.rows = p.rows;
			all.width = p.shape.width;
			all.levels = m.levels;
			all.screen = m.screen;
			all.targets = m.targets;
			m.wave_tasks.push_back(all);
		}
		CHECK(cudaMallocHost(&m.ring, size * sizeof *m.ring));
		m.wave_launch = { m.ring,
				  size - 1,
				  0,
				  slices,
				  m.cluster,
				  m.groups,
				  (uint32_t *)m.memory,
				  1,
				  (uint32_t *)m.memory + 1,
				  (uint32_t *)m.memory + 2,
				  10000000000ull,
				  shared_memory,
				  RIP_WAVE_FEW };
		if (m.screen == RIP_BLUE_NOISE_COLOUR)
			prepare_colour(m, p, step);
	}
	CHECK(cudaStreamSynchronize(stream));
}

static void finish(method &m)
{
	if (m.graph)
		CHECK(cudaGraphExecDestroy(m.graph));
	else
		CHECK(cudaFreeHost(m.ring));
	CHECK(cudaFree(m.memory));
	CHECK(cudaFree(m.targets));
	for (const rip_row_scan &scan : m.scans)
		CHECK(cudaFree(scan.task_colour));
	CHECK(cudaFree(m.device_tasks));
}

__global__ void digest(const uint8_t *dots, uint64_t bytes, unsigned long long *sum)
{
	const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	unsigned long long partial = 0;

	for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 4; i += step)
		partial += ((const uint32_t *)dots)[i] * ((i + 1) * 0x9e3779b97f4a7c15ull);
	atomicAdd(sum, partial);
}

static void run(method &m, planes &p, cudaStream_t stream, bool check)
{
	static cudaEvent_t from, to;
	float ms;

	if (!from) {
		CHECK(cudaEventCreate(&from));
		CHECK(cudaEventCreate(&to));
	}
	CHECK(cudaMemsetAsync(p.carry, 0, rip_gpu_align(p.shape.width * 2) * p.count, stream));
	if (!m.launch) {
		for (rip_wave_task &all : m.wave_tasks) {
			all.sequence = 0;
			for (uint64_t k = 0; k < (all.colour ? m.scans[0].colour.planes : 1u); k++)
				CHECK(cudaMemsetAsync(
					all.words + (all.colour ? k * m.scans[0].colour.words : 0),
					0,
					rip_wave_words(rip_wave_per_word(m.screen), all.width) * 8,
					stream));
		}
		CHECK(cudaStreamSynchronize(stream));
		m.wave_launch.slices = rip_wave_cut(m.ring, m.wave_launch.mask, m.wave_launch.first,
						    m.wave_tasks.data(),
						    (unsigned)m.wave_tasks.size(), m.groups,
						    m.cluster);
	}
	if (check) /* other methods' dots may have had more bits */
		CHECK(cudaMemsetAsync(p.out, 0, p.out_pitch * p.rows * p.count, stream));
	CHECK(cudaEventRecord(from, stream));
	if (m.launch) {
		CHECK(cudaGraphLaunch(m.graph, stream));
	} else {
		for (const rip_row_scan &scan : m.scans)
			CHECK(rip_row_scan_run(&scan, stream));
		CHECK(rip_wave_run(m.kernel, &m.wave_launch, stream));
		m.wave_launch.first += m.wave_launch.slices / m.cluster;
	}
	CHECK(cudaEventRecord(to, stream));
	CHECK(cudaEventSynchronize(to));
	CHECK(cudaEventElapsedTime(&ms, from, to));
	if (!m.launch) {
		uint32_t stalled;

		CHECK(cudaMemcpy(&stalled, m.wave_launch.stalled, 4, cudaMemcpyDeviceToHost));
		if (stalled) {
			fprintf(stderr, "gpu-bench: %s: a wait did not end\n", m.name);
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
		m.dots = value;
	} else {
		m.ms.push_back(ms);
	}
}

static int bench(uint32_t width, uint32_t rows, unsigned count, std::vector<method> methods,
		 int runs)
{
	cudaStream_t stream;
	planes p;
	int wrong = 0;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	planes_init(p, width, rows, count);
	for (method &m : methods)
		prepare(m, p, stream);
	for (method &m : methods)
		run(m, p, stream, true);
	for (int r = 0; r < runs; r++)
		for (method &m : methods)
			run(m, p, stream, false);
	for (method &m : methods) {
		const double pixels = (double)width * rows * count;

		std::sort(m.ms.begin(), m.ms.end());
		const float median = m.ms[m.ms.size() / 2];

		printf("{\"method\":\"%s\",\"width\":%u,\"height\":%u,\"planes\":%u,\"runs\":%d,"
		       "\"ms_median\":%.3f,\"ms_min\":%.3f,\"ms_max\":%.3f,\"mpixels_per_s\":%.0f",
		       m.name, width, rows, count, runs, median, m.ms.front(), m.ms.back(),
		       pixels / median / 1e3);
		if (!strncmp(m.name, "bw", 2))
			printf(",\"us_a_diagonal\":%.2f",
			       median * 1e3 /
				       (rip_blocks_across(width) +
					3.0 * (rip_blocks_down(rows) - 1)));
		printf(",\"dots\":\"%016llx\"}\n", (unsigned long long)m.dots);
		for (const method &other : methods)
			wrong += m.screen == other.screen && m.levels == other.levels &&
				 m.dots != other.dots;
		finish(m);
	}
	if (wrong)
		printf("# WRONG: the dots of the methods differ\n");
	fflush(stdout);
	planes_free(p);
	CHECK(cudaStreamDestroy(stream));
	return wrong;
}

/* The rows of a band of A4 from chunked pixels: several times, since it takes microseconds. */
static void bench_gather(uint32_t planes, uint32_t sample_bytes, int runs)
{
	const uint32_t width = 4960, rows = 128, times = 50, row = width * sample_bytes;
	const uint32_t room = (uint32_t)rip_gpu_align(row) + RIP_GPU_ALIGN;
	std::vector<uint16_t> numbers(planes * rows);
	std::vector<float> us;
	rip_gather gather = {};
	uint8_t *lines, *to;
	uint16_t *of;
	cudaEvent_t from, end;
	cudaStream_t stream;

	for (uint32_t i = 0; i < planes * rows; i++)
		numbers[i] = (uint16_t)(i % rows);
	CHECK(cudaMalloc(&lines, (size_t)rows * planes * row));
	CHECK(cudaMalloc(&to, (size_t)rows * planes * room));
	CHECK(cudaMalloc(&of, numbers.size() * sizeof *of));
	CHECK(cudaMemset(lines, 1, (size_t)rows * planes * row));
	CHECK(cudaMemcpy(of, numbers.data(), numbers.size() * sizeof *of, cudaMemcpyHostToDevice));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaEventCreate(&from));
	CHECK(cudaEventCreate(&end));
	gather.lines = lines;
	gather.numbers = of;
	gather.pitch = planes * row;
	gather.step = gather.count = planes;
	gather.width = width;
	gather.sample_bytes = sample_bytes;
	gather.room = room;
	for (uint32_t p = 0; p < planes; p++)
		gather.planes[p] = { to + (size_t)p * rows * room, p, p * rows, rows };
	for (int run = 0; run < runs + 1; run++) {
		float ms;

		CHECK(cudaEventRecord(from, stream));
		for (uint32_t i = 0; i < times; i++)
			CHECK(rip_gather_run(&gather, stream));
		CHECK(cudaEventRecord(end, stream));
		CHECK(cudaEventSynchronize(end));
		CHECK(cudaEventElapsedTime(&ms, from, end));
		us.push_back(ms * 1e3f / (float)times);
	}
	std::sort(us.begin(), us.end());
	printf("{\"method\":\"gather\",\"width\":%u,\"height\":%u,\"planes\":%u,"
	       "\"bits\":%u,\"us\":%.2f}\n",
	       width, rows, planes, 8 * sample_bytes, us[us.size() / 2]);
	CHECK(cudaFree(lines));
	CHECK(cudaFree(to));
	CHECK(cudaFree(of));
	CHECK(cudaEventDestroy(from));
	CHECK(cudaEventDestroy(end));
	CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv)
{
	std::vector<uint2> sizes;
	const uint32_t paper[] = { 1024,  2048,  3072,  4096,	5120,  6144, 7168,
					8192,  9216,  10240, 12288, 14336, 16384 };
	bool pixel_wise = false, many = false, colour = false;
	int runs = 15, wrong = 0;
	const method pw[] = { { "pwed", rip_pwed_launch, rip_pwed_scratch, 0, 0, 0 },
			   { "pwec", rip_pwec_launch, rip_pwec_scratch, 0, 0, 0 } };
	const method bw[] = { { "bwed", rip_bwed_launch, rip_bwed_scratch, 0, 0, 0 },
			   { "bwec", rip_bwec_launch, rip_bwec_scratch, 0, 0, 0 } };
	std::vector<method> wavefronts = { { "wavefront", nullptr, nullptr, 0, RIP_FLOYD_STEINBERG,
					     0 } };
	cudaDeviceProp device;

	for (uint32_t n : paper)
		sizes.push_back(make_uint2(n, n));
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--sizes") && i + 1 < argc) {
			sizes.clear();
			for (char *s = strtok(argv[++i], ","); s; s = strtok(nullptr, ","))
				sizes.push_back(
					make_uint2((uint32_t)atoi(s),
						   (uint32_t)atoi(strchr(s, 'x') ?
									  strchr(s, 'x') + 1 :
									  s)));
		} else if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
			runs = atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--pixel-wise")) {
			pixel_wise = true;
		} else if (!strcmp(argv[i], "--planes")) {
			many = true;
		} else if (!strcmp(argv[i], "--colour")) {
			colour = true;
		} else if (!strcmp(argv[i], "--groups")) { /* slices of other sizes, too */
			wavefronts.push_back({ "wavefront, 4 groups a slice", nullptr, nullptr, 4,
					     RIP_FLOYD_STEINBERG, 0 });
			wavefronts.push_back({ "wavefront, 3 groups a slice", nullptr, nullptr, 3,
					     RIP_FLOYD_STEINBERG, 0 });
			wavefronts.push_back({ "wavefront, 2 groups a slice", nullptr, nullptr, 2,
					     RIP_FLOYD_STEINBERG, 0 });
			wavefronts.push_back({ "wavefront, 1 group a slice", nullptr, nullptr, 1,
					     RIP_FLOYD_STEINBERG, 0 });
		} else if (!strcmp(argv[i], "--clusters")) {
			const char *names[] = { "no clusters", "clusters of 2", "clusters of 4",
						"clusters of 8" };

			for (uint32_t i = 0; i < 4; i++)
				wavefronts.push_back({ names[i], nullptr, nullptr, 0,
						       RIP_FLOYD_STEINBERG, 0, 1u << i });
		} else if (!strcmp(argv[i], "--screens")) {
			for (uint32_t screen = 1; screen < RIP_SCREENS_APART; screen++)
				if (rip_wave_takes(screen))
					wavefronts.push_back({ rip_screens[screen].name, nullptr,
							       nullptr, 0, screen, 0 });
			wavefronts.push_back({ "wavefront, 4 levels", nullptr, nullptr, 0,
					       RIP_FLOYD_STEINBERG, 4 });
			wavefronts.push_back({ "wavefront, 16 levels", nullptr, nullptr, 0,
					       RIP_FLOYD_STEINBERG, 16 });
		} else {
			fprintf(stderr,
				"usage: gpu-bench [--sizes N,WxH,...] [--runs N] [--pixel-wise] "
				"[--planes] [--groups] [--clusters] [--screens] [--colour]\n");
			return 2;
		}
	}
	if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
		printf("skipped: no GPU\n");
		return 77;
	}
	shared_memory = (uint32_t)device.sharedMemPerBlockOptin;
	CHECK(rip_wave_prepare(shared_memory));
	printf("# %s\n", device.name);
	for (uint32_t planes : { 3, 4, 6 })
		bench_gather(planes, 1, runs);
	bench_gather(4, 2, runs);
	for (uint2 size : sizes) {
		std::vector<method> methods(bw, bw + 2);

		methods.insert(methods.end(), wavefronts.begin(), wavefronts.end());
		wrong += bench(size.x, size.y, 1, methods, runs);
		if (pixel_wise) /* slow: fewer runs, apart */
			wrong += bench(size.x, size.y, 1, std::vector<method>(pw, pw + 2), 3);
	}
	if (many)
		wrong += bench(4960, 7016, 32, wavefronts, runs);
	for (uint2 size : sizes)
		for (unsigned planes : { 3, 4, 32 })
			if (colour)
				wrong += bench(size.x, size.y, planes,
					       { { "blue-noise", nullptr, nullptr, 0,
						   RIP_BLUE_NOISE, 0 },
						 { "blue-noise-colour", nullptr, nullptr, 0,
						   RIP_BLUE_NOISE_COLOUR, 0 } },
					       runs);
	return wrong > 0;
}
