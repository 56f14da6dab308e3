/*
 * Measures the GPU engine from host memory and back: one plane of 16384x16384 in bands of
 * 1024 rows, and eight CMYK pages of A4 at 600 dpi in bands of 256 rows.  Compares with
 * the time that only copying the same samples to the device takes.  All memory is page-locked.
 * If there are several GPUs, all of them halftone such A4 pages at once, each from a thread of
 * its own, and then only copy them, which is the most that the host allows.
 *
 *	gpu-throughput [--naps]
 *
 * Threads that wait for the GPU spin, as in riptide bench, or nap, as in riptided.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include <cuda_runtime.h>

#include "gpu_timing.hh"

extern "C" {
#include "gpu/engine_cuda.h"
}

/* Pages, in page-locked memory. */
struct page_set {
	rip_page_spec  spec;
	uint32_t       height, pages, band;
	size_t         row, dots, in_bytes, out_bytes; /* a row of samples, of dots; all of them */
	unsigned char *in, *out;
};

static page_set make_pages(uint32_t width, uint32_t height, uint32_t planes, uint32_t pages,
			   uint32_t band)
{
	page_set set = {};

	set.spec = { width, planes, 2, 8, &rip_screens[RIP_FLOYD_STEINBERG], nullptr };
	set.height = height;
	set.pages = pages;
	set.band = band;
	set.row = width;
	set.dots = rip_dot_bytes(width, 2);
	set.in_bytes = set.row * height * planes * pages;
	set.out_bytes = set.dots * height * planes * pages;
	need(cudaMallocHost(&set.in, set.in_bytes) == cudaSuccess, "allocation");
	need(cudaMallocHost(&set.out, set.out_bytes) == cudaSuccess, "allocation");
	for (size_t i = 0; i < set.in_bytes; i++)
		set.in[i] = (unsigned char)((i * 2654435761u >> 13) % 251 + i / set.row % 5);
	memset(set.out, 0, set.out_bytes);
	return set;
}

static void free_pages(const page_set &set)
{
	cudaFreeHost(set.in);
	cudaFreeHost(set.out);
}

/* Halftones all pages side by side, in bands; milliseconds. */
static double halftone(rip_engine *engine, const page_set &set)
{
	std::vector<rip_page *> open(set.pages);
	double from, ms;

	for (auto &page : open)
		need(rip_engine_open_page(engine, &set.spec, RIP_START_NOISE, &page) == 0, "open");
	from = now();
	for (uint32_t done = 0; done < set.height; done += set.band)
		for (uint32_t p = 0; p < set.pages; p++) {
			rip_strip strips[RIP_PLANES_MAX];
			const uint32_t rows = std::min(set.band, set.height - done);

			for (uint32_t c = 0; c < set.spec.planes; c++) {
				const size_t at = ((size_t)p * set.spec.planes + c) * set.height +
						  done;

				strips[c] = { c,
					      rows,
					      set.in + at * set.row,
					      (ptrdiff_t)set.row,
					      set.out + at * set.dots,
					      (ptrdiff_t)set.dots,
					      nullptr };
			}
			need(engine->ops->push(open[p], strips, set.spec.planes) == 0, "push");
		}
	for (auto &page : open)
		need(engine->ops->pull(page) == 0, "pull");
	ms = now() - from;
	for (auto &page : open)
		engine->ops->close(page);
	return ms;
}

static void measure(rip_engine *engine, const char *name, const page_set &set, int runs)
{
	std::vector<double> copy, all;
	void *device;

	need(cudaMalloc(&device, set.in_bytes) == cudaSuccess, "allocation");
	for (int r = 0; r < runs + 1; r++) {
		const double from = now();

		need(cudaMemcpy(device, set.in, set.in_bytes, cudaMemcpyHostToDevice) ==
			     cudaSuccess,
		     "copy");
		copy.push_back(now() - from);
		all.push_back(halftone(engine, set));
		if (r == 0) { /* the first run allocates buffers */
			copy.clear();
			all.clear();
		}
	}

	const double c = median(copy), a = median(all);

	printf("{\"name\":\"%s\",\"ms_median\":%.3f,\"copy_ms_median\":%.3f,\"gbytes_per_s\":%.1f,"
	       "\"copy_gbytes_per_s\":%.1f,\"of_copy\":%.3f,\"runs\":%d}\n",
	       name, a, c, set.in_bytes / a / 1e6, set.in_bytes / c / 1e6, c / a, runs);
	cudaFree(device);
	free_pages(set);
}

/* ---- several GPUs ---- */

static const int gpu_runs = 15;

struct gpu_thread {
	int                 gpu;
	pthread_barrier_t  *start;
	pthread_t           thread;
	rip_engine         *engine;
	page_set            set;
	void               *copy; /* on the GPU, if it only copies; NULL: it halftones */
	std::vector<double> begun, ended; /* of each run */
};

/* Milliseconds. */
static double run_once(const gpu_thread *own)
{
	double from;

	if (!own->copy)
		return halftone(own->engine, own->set);
	from = now();
	need(cudaMemcpy(own->copy, own->set.in, own->set.in_bytes, cudaMemcpyHostToDevice) ==
		     cudaSuccess,
	     "copy");
	return now() - from;
}

static void *gpu_main(void *argument)
{
	gpu_thread *own = (gpu_thread *)argument;

	need(cudaSetDevice(own->gpu) == cudaSuccess, "device");
	run_once(own); /* allocates buffers */
	for (int r = 0; r < gpu_runs; r++) {
		pthread_barrier_wait(own->start);

		const double ms = run_once(own);

		own->ended.push_back(now());
		own->begun.push_back(own->ended.back() - ms);
	}
	return nullptr;
}

/* GPUs 0 to count-1 at once; returns how many pages all of them do in a second, or only copy. */
static double measure_gpus(int count, bool spins, bool copies)
{
	std::vector<gpu_thread> threads(count);
	std::vector<double> times;
	pthread_barrier_t start;

	pthread_barrier_init(&start, nullptr, (unsigned)count);
	for (int n = 0; n < count; n++) {
		const rip_cuda_config config = {
			RIP_METHOD_BWEC, n, RIP_CUDA_FLAGS, 0, 0, true, spins
		};
		char why[128];

		need(rip_engine_cuda_new(&config, &threads[n].engine, why, sizeof why) == 0, why);
		threads[n].gpu = n;
		threads[n].start = &start;
		threads[n].set = make_pages(4960, 7016, 4, 8, 256);
		threads[n].copy = nullptr;
		if (copies)
			need(cudaSetDevice(n) == cudaSuccess &&
				     cudaMalloc(&threads[n].copy, threads[n].set.in_bytes) ==
					     cudaSuccess,
			     "allocation");
	}
	for (auto &thread : threads)
		pthread_create(&thread.thread, nullptr, gpu_main, &thread);
	for (auto &thread : threads)
		pthread_join(thread.thread, nullptr);
	for (int r = 0; r < gpu_runs; r++) {
		double begun = threads[0].begun[r], ended = threads[0].ended[r];

		for (const auto &thread : threads) {
			begun = std::min(begun, thread.begun[r]);
			ended = std::max(ended, thread.ended[r]);
		}
		times.push_back(ended - begun);
	}
	for (auto &thread : threads) {
		thread.engine->ops->free(thread.engine);
		cudaFree(thread.copy);
		free_pages(thread.set);
	}
	pthread_barrier_destroy(&start);

	const double per_second = 8e3 * count / median(times);

	printf("{\"name\":\"A4 CMYK, %d "
	       "GPUs%s\",\"ms_median\":%.3f,\"pages_per_s\":%.1f,\"runs\":%d}\n",
	       count, copies ? ", only copied" : "", median(times), per_second, gpu_runs);
	return per_second;
}

int main(int argc, char **argv)
{
	const bool spins = argc < 2 || strcmp(argv[1], "--naps") != 0;
	const rip_cuda_config config = { RIP_METHOD_BWEC, -1, RIP_CUDA_FLAGS, 0, 0, true, spins };
	rip_engine *engine;
	char why[128];
	int gpus;

	if (rip_engine_cuda_new(&config, &engine, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		return 77;
	}
	measure(engine, "16384x16384, bands of 1024", make_pages(16384, 16384, 1, 1, 1024), 15);
	measure(engine, "8 pages of A4 CMYK, bands of 256", make_pages(4960, 7016, 4, 8, 256), 15);
	engine->ops->free(engine);
	gpus = rip_engine_cuda_devices();
	if (gpus > 1) {
		for (bool copies : { false, true }) {
			const double one = measure_gpus(1, spins, copies),
				     all = measure_gpus(gpus, spins, copies);

			printf("{\"name\":\"%d GPUs against one%s\",\"ratio\":%.3f}\n", gpus,
			       copies ? ", only copied" : "", all / one);
		}
	}
	return 0;
}
