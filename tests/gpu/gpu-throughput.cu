/*
 * Measures the GPU engine from host memory and back: one plane of 16384x16384 in bands of
 * 1024 rows, and eight CMYK pages of A4 at 600 dpi in bands of 256 rows.  Compares with
 * the time that only copying the same samples to the device takes.  All memory is page-locked.
 */
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

static void measure(rip_engine *engine, const char *name, uint32_t width, uint32_t height,
		    uint32_t planes, uint32_t pages, uint32_t band, int runs)
{
	const rip_page_spec spec = { width, planes, 2, 8, &rip_screens[RIP_FLOYD_STEINBERG], nullptr };
	const size_t row = width, dots = rip_dot_bytes(width, 2);
	const size_t in_bytes = row * height * planes * pages, out_bytes = dots * height * planes * pages;
	unsigned char *in, *out;
	void *device;
	std::vector<double> copy, all;

	need(cudaMallocHost(&in, in_bytes) == cudaSuccess, "allocation");
	need(cudaMallocHost(&out, out_bytes) == cudaSuccess, "allocation");
	need(cudaMalloc(&device, in_bytes) == cudaSuccess, "allocation");
	for (size_t i = 0; i < in_bytes; i++)
		in[i] = (unsigned char)((i * 2654435761u >> 13) % 251 + i / row % 5);
	memset(out, 0, out_bytes);
	for (int r = 0; r < runs + 1; r++) {
		double from = now();
		std::vector<rip_page *> open(pages);

		need(cudaMemcpy(device, in, in_bytes, cudaMemcpyHostToDevice) == cudaSuccess, "copy");
		copy.push_back(now() - from);
		for (auto &page : open)
			need(rip_engine_open_page(engine, &spec, RIP_START_NOISE, &page) == 0, "open");
		from = now();
		for (uint32_t done = 0; done < height; done += band)
			for (uint32_t p = 0; p < pages; p++) {
				rip_strip strips[RIP_PLANES_MAX];
				const uint32_t rows = std::min(band, height - done);

				for (uint32_t c = 0; c < planes; c++) {
					const size_t at = ((size_t)p * planes + c) * height + done;

					strips[c] = { c, rows, in + at * row, (ptrdiff_t)row, out + at * dots,
						      (ptrdiff_t)dots };
				}
				need(engine->ops->push(open[p], strips, planes) == 0, "push");
			}
		for (auto &page : open)
			need(engine->ops->pull(page) == 0, "pull");
		all.push_back(now() - from);
		for (auto &page : open)
			engine->ops->close(page);
		if (r == 0) { /* the first run allocates buffers */
			copy.clear();
			all.clear();
		}
	}

	const double c = median(copy), a = median(all);

	printf("{\"name\":\"%s\",\"ms_median\":%.3f,\"copy_ms_median\":%.3f,\"gbytes_per_s\":%.1f,"
	       "\"copy_gbytes_per_s\":%.1f,\"of_copy\":%.3f,\"runs\":%d}\n",
	       name, a, c, in_bytes / a / 1e6, in_bytes / c / 1e6, c / a, runs);
	cudaFreeHost(in);
	cudaFreeHost(out);
	cudaFree(device);
}

int main()
{
	const rip_cuda_config config = { RIP_METHOD_BWEC, -1, RIP_CUDA_FLAGS, 0, 0, true };
	rip_engine *engine;
	char why[128];

	if (rip_engine_cuda_new(&config, &engine, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		return 77;
	}
	measure(engine, "16384x16384, bands of 1024", 16384, 16384, 1, 1, 1024, 15);
	measure(engine, "8 pages of A4 CMYK, bands of 256", 4960, 7016, 4, 8, 256, 15);
	engine->ops->free(engine);
	return 0;
}
