/*
 * Measures two ways to bring a session's ring to the GPU: registered with the device, or
 * copied through page-locked memory.  A job is a page of A4 at 600 dpi in bands of 256 rows, and
 * waits for each, as in the daemon.  If there are two GPUs, also whether a page of four planes is
 * faster with two planes on each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "gpu_timing.hh"

extern "C" {
#include "gpu/engine_cuda.h"
}

static const size_t ring_in = 16 << 20, ring_out = 8 << 20;

/* As in the daemon: it maps `in` read-only, the client writes to it. */
struct ring {
	unsigned char *client, *in, *out;
	double         pin_ms, unpin_ms;
};

static ring make_ring(rip_engine *engine, bool pin)
{
	ring r = {};
	const int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
	double from;

	need(ftruncate(in, ring_in) == 0 && ftruncate(out, ring_out) == 0, "memory");
	r.client = (unsigned char *)mmap(nullptr, ring_in, PROT_READ | PROT_WRITE, MAP_SHARED, in,
					 0);
	r.in = (unsigned char *)mmap(nullptr, ring_in, PROT_READ, MAP_SHARED, in, 0);
	r.out = (unsigned char *)mmap(nullptr, ring_out, PROT_READ | PROT_WRITE, MAP_SHARED, out,
				      0);
	close(in);
	close(out);
	from = now();
	if (pin) {
		const int a = rip_engine_cuda_pin(engine, r.in, ring_in),
			  b = rip_engine_cuda_pin(engine, r.out, ring_out);

		if (a || b)
			printf("# the memory cannot be page-locked: %s, %s\n", strerror(-a),
			       strerror(-b));
	}
	r.pin_ms = now() - from;
	return r;
}

static void free_ring(rip_engine *engine, ring &r, bool pin)
{
	const double from = now();

	if (pin) {
		rip_engine_cuda_unpin(engine, r.in);
		rip_engine_cuda_unpin(engine, r.out);
	}
	r.unpin_ms = now() - from;
	munmap(r.client, ring_in);
	munmap(r.in, ring_in);
	munmap(r.out, ring_out);
}

/* Milliseconds for a page, without the client's time.  Its planes are dealt out to the engines,
 * which are one or two: each has a page of its own for them. */
static double run_page(const std::vector<rip_engine *> &engines, const ring &r, uint32_t planes)
{
	const uint32_t width = 4960, height = 7016, share = planes / (uint32_t)engines.size();
	const uint32_t band = std::min(256u, (uint32_t)(ring_in / 2 / width / planes));
	const rip_page_spec spec = {
		width, share, 2, 8, &rip_screens[RIP_FLOYD_STEINBERG], nullptr
	};
	const size_t dots = rip_dot_bytes(width, 2);
	std::vector<int16_t> carry(width);
	std::vector<rip_page *> pages(engines.size());
	double spent = 0;

	for (size_t e = 0; e < engines.size(); e++)
		need(rip_engine_open_page(engines[e], &spec, RIP_START_NOISE, &pages[e]) == 0,
		     "open");
	for (uint32_t done = 0, n = 0; done < height; done += band, n++) {
		const size_t half = n % 2 * (ring_in / 2), half_out = n % 2 * (ring_out / 2);
		const uint32_t rows = std::min(band, height - done);
		rip_strip strips[RIP_PLANES_MAX];

		for (uint32_t p = 0; p < planes; p++) {
			strips[p] = { p % share,
				      rows,
				      r.in + half + (size_t)p * rows * width,
				      (ptrdiff_t)width,
				      r.out + half_out + (size_t)p * rows * dots,
				      (ptrdiff_t)dots };
			memset(r.client + half + (size_t)p * rows * width, (int)(done + p) & 255,
			       (size_t)rows * width);
		}

		const double from = now();

		for (size_t e = 0; e < engines.size(); e++)
			need(engines[e]->ops->push(pages[e], strips + e * share, share) == 0,
			     "push");
		for (size_t e = 0; e < engines.size(); e++) {
			need(engines[e]->ops->pull(pages[e]) == 0, "pull");
			for (uint32_t p = 0; p < share; p++)
				need(engines[e]->ops->export_carry(pages[e], p, carry.data()) == 0,
				     "export");
		}
		spent += now() - from;
	}
	for (size_t e = 0; e < engines.size(); e++)
		engines[e]->ops->close(pages[e]);
	return spent;
}

static void measure(rip_engine *engine, bool pin, uint32_t planes, unsigned sessions, int runs)
{
	std::vector<double> pins, unpins, pages;

	for (int run = 0; run < runs + 1; run++) {
		std::vector<std::thread> threads;
		std::vector<double> page(sessions), pin_ms(sessions), unpin_ms(sessions);

		for (unsigned s = 0; s < sessions; s++)
			threads.emplace_back([&, s] {
				ring r = make_ring(engine, pin);

				page[s] = run_page({ engine }, r, planes);
				page[s] = run_page({ engine }, r,
						   planes); /* now all memory is allocated */
				pin_ms[s] = r.pin_ms;
				free_ring(engine, r, pin);
				unpin_ms[s] = r.unpin_ms;
			});
		for (auto &t : threads)
			t.join();
		if (run > 0)
			for (unsigned s = 0; s < sessions; s++) {
				pins.push_back(pin_ms[s]);
				unpins.push_back(unpin_ms[s]);
				pages.push_back(page[s]);
			}
	}
	printf("{\"name\":\"ring, "
	       "%s\",\"planes\":%u,\"sessions\":%u,\"page_ms\":%.3f,\"pin_ms\":%.3f,"
	       "\"unpin_ms\":%.3f,\"runs\":%d}\n",
	       pin ? "registered" : "staged", planes, sessions, median(pages), median(pins),
	       median(unpins), runs);
}

/* A page of four planes on one GPU and on two, in turn. */
static void measure_split(rip_engine *first, rip_engine *second, bool pin, int runs)
{
	std::vector<double> one, two;
	ring r = make_ring(first, pin);

	for (int run = 0; run < runs + 1; run++) {
		const double a = run_page({ first }, r, 4), b = run_page({ first, second }, r, 4);

		if (run > 0) { /* now all memory is allocated */
			one.push_back(a);
			two.push_back(b);
		}
	}
	free_ring(first, r, pin);
	printf("{\"name\":\"planes on one GPU or two, "
	       "%s\",\"one_ms\":%.3f,\"two_ms\":%.3f,\"runs\":%d}\n",
	       pin ? "registered" : "staged", median(one), median(two), runs);
}

int main()
{
	const rip_cuda_config config = { RIP_METHOD_BWEC, -1, RIP_CUDA_FLAGS, 0, 0, false, true };
	rip_engine *engine;
	char why[128];

	if (rip_engine_cuda_new(&config, &engine, why, sizeof why) < 0) {
		printf("skipped: %s\n", why);
		return 77;
	}
	for (unsigned sessions : { 1u, 4u, 8u })
		for (uint32_t planes : { 1u, 4u })
			for (bool pin : { true, false })
				measure(engine, pin, planes, sessions, 5);
	if (rip_engine_cuda_devices() > 1) {
		const rip_cuda_config second = { RIP_METHOD_BWEC, 1,   RIP_CUDA_FLAGS, 0, 0,
						 false,           true };
		rip_engine *other;

		need(rip_engine_cuda_new(&second, &other, why, sizeof why) == 0, why);
		for (bool pin : { true, false })
			measure_split(engine, other, pin, 9);
		other->ops->free(other);
	}
	engine->ops->free(engine);
	return 0;
}
