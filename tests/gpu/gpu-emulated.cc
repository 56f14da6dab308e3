/*
 * The GPU's kernels, run as fibers, against the CPU engine: exactly the same dots and the
 * same carry for every small width, with random heights, bands, depths, levels and curves.
 * RIPTIDE_TEST_SEED repeats a run.
 */
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "gpu/published/published.cuh"
#include "gpu/wavefront.cuh"

extern "C" {
#include "halftone/engine_cpu.h"
}

static unsigned failures;

static uint32_t pick(uint32_t from, uint32_t to)
{
	return from + (uint32_t)(rip_fibers_random() % (to - from + 1));
}

/* One page: its spec, its samples, the expected dots and carry, and the results. */
struct page {
	rip_page_spec         spec = {};
	uint32_t              rows = 0;
	std::vector<uint16_t> curve;
	std::vector<uint8_t>  in, want, got;
	size_t                in_pitch = 0, out_pitch = 0;
	std::vector<int16_t>  start, want_carry, got_carry;
	std::vector<int32_t>  targets;
};

static uint32_t random_sample(uint32_t full)
{
	switch (pick(0, 3)) {
	case 0:
		return 0;
	case 1:
		return full;
	default:
		return pick(0, full);
	}
}

/* A value of the carry's row, within the screen's bound, and sometimes at it. */
static int16_t random_carry(const page &p, int row)
{
	const int32_t bound = p.spec.screen->carry_bound[row];

	return (int16_t)(pick(0, 3) ? (int32_t)pick(0, 2 * (uint32_t)bound) - bound
			 : pick(0, 1) ? bound : -bound);
}

static void make_page(page &p, uint32_t width, uint32_t rows, uint32_t screen)
{
	p.spec.width = width;
	p.spec.planes = 1;
	p.spec.levels = pick(0, 1) ? 2 : pick(2, 16);
	p.spec.sample_bits = pick(0, 2) ? 8 : 16;
	p.spec.screen = &rip_screens[screen];
	p.rows = rows;

	const uint32_t full = p.spec.sample_bits == 8 ? 255 : 65535;
	const uint32_t flat = pick(0, full);
	const bool noisy = pick(0, 1);

	if (pick(0, 3) == 0) {
		p.curve.resize(full + 1);
		for (auto &x : p.curve)
			x = (uint16_t)random_sample(65535);
		p.spec.curve = p.curve.data();
	}
	p.in_pitch = rip_gpu_align((uint64_t)width * p.spec.sample_bits / 8);
	/* Rows of dots begin at any word of the kernels', as in pages that the host has locked. */
	const uint32_t word = pick(0, 1) ? RIP_GPU_ALIGN : 4 * rip_dot_bits(p.spec.levels);

	p.out_pitch = (rip_dot_bytes(width, p.spec.levels) + word - 1) / word * word;
	p.in.resize(rows * p.in_pitch);
	for (uint32_t i = 0; i < rows; i++)
		for (uint32_t j = 0; j < width; j++) {
			const uint32_t v = noisy ? random_sample(full) : flat;

			if (p.spec.sample_bits == 8)
				p.in[i * p.in_pitch + j] = (uint8_t)v;
			else
				memcpy(&p.in[i * p.in_pitch + 2 * j], &v, 2);
		}
	p.want.assign(rows * p.out_pitch, 0x5a);
	p.got.assign(rows * p.out_pitch, 0x5a);
	p.start.resize(rip_carry_values(&p.spec));
	for (size_t k = 0; k < p.start.size(); k++)
		p.start[k] = random_carry(p, (int)(k / width));
	p.want_carry.resize(p.start.size());
	p.got_carry = p.start;
	if (p.spec.curve ||
	    (p.spec.sample_bits == 8 && (p.spec.levels > 2 || screen != RIP_FLOYD_STEINBERG))) {
		p.targets.resize(full + 1);
		for (uint32_t v = 0; v <= full; v++)
			p.targets[v] = rip_target(p.spec.curve ? p.curve[v]
						  : full == 255 ? 257 * v : v, p.spec.levels);
	}
}

static void reference(page &p)
{
	const rip_cpu_config config = { RIP_METHOD_EC, "c", 1 };
	const rip_strip strip = { 0, p.rows, p.in.data(), (ptrdiff_t)p.in_pitch, p.want.data(),
				  (ptrdiff_t)p.out_pitch, nullptr, nullptr, nullptr };
	rip_engine *engine = nullptr;
	rip_page *cpu = nullptr;

	if (rip_engine_cpu_new(&config, &engine) != 0 ||
	    engine->ops->open(engine, &p.spec, &cpu) != 0 ||
	    engine->ops->import_carry(cpu, 0, p.start.data()) != 0 ||
	    engine->ops->push(cpu, &strip, 1) != 0 || engine->ops->pull(cpu) != 0 ||
	    engine->ops->export_carry(cpu, 0, p.want_carry.data()) != 0) {
		fprintf(stderr, "the CPU engine failed\n");
		exit(1);
	}
	engine->ops->close(cpu);
	engine->ops->free(engine);
}

static bool same(const page &p, const char *method)
{
	const size_t bytes = rip_dot_bytes(p.spec.width, p.spec.levels);

	for (uint32_t i = 0; i < p.rows; i++)
		for (size_t b = 0; b < bytes; b++)
			if (p.want[i * p.out_pitch + b] != p.got[i * p.out_pitch + b]) {
				printf("%s, %s: %ux%u, %u levels, %u bits: row %u byte %zu is "
				       "%02x, not %02x\n",
				       method, p.spec.screen->name, p.spec.width, p.rows,
				       p.spec.levels, p.spec.sample_bits, i, b,
				       p.got[i * p.out_pitch + b], p.want[i * p.out_pitch + b]);
				return false;
			}
	for (size_t j = 0; j < p.want_carry.size(); j++)
		if (p.want_carry[j] != p.got_carry[j]) {
			printf("%s, %s: %ux%u, %u levels: carry %zu is %d, not %d\n", method,
			       p.spec.screen->name, p.spec.width, p.rows, p.spec.levels, j,
			       p.got_carry[j], p.want_carry[j]);
			return false;
		}
	return true;
}

/* The published methods. */
struct method {
	const char *name;
	cudaError_t (*launch)(const rip_gpu_shape *, const rip_published_task *, unsigned, uint32_t,
			      cudaStream_t);
	uint64_t (*scratch)(const rip_gpu_shape *, uint32_t);
};

static const method methods[] = {
	{ "pwed", rip_pwed_launch, rip_pwed_scratch },
	{ "pwec", rip_pwec_launch, rip_pwec_scratch },
	{ "bwed", rip_bwed_launch, rip_bwed_scratch },
	{ "bwec", rip_bwec_launch, rip_bwec_scratch },
};

static rip_gpu_shape shape_of(const page &p)
{
	return { p.spec.width,
		 p.spec.levels,
		 p.spec.sample_bits,
		 rip_dot_bits(p.spec.levels),
		 (uint32_t)rip_screen_id(p.spec.screen),
		 p.targets.empty() ? nullptr : p.targets.data() };
}

/* Pages of one shape in one launch, each cut into bands at random. */
__attribute__((unused)) static bool run_published(const method &m, std::vector<page> &pages)
{
	const rip_gpu_shape shape = shape_of(pages[0]);
	std::vector<uint32_t> done(pages.size());

	for (;;) {
		std::vector<rip_published_task> tasks;
		std::vector<std::vector<uint64_t>> scratch;
		uint32_t most = 0;

		for (size_t i = 0; i < pages.size(); i++) {
			page &p = pages[i];
			const uint32_t rows = pick(1, p.rows), at = done[i];
			const uint32_t take = rows < p.rows - at ? rows : p.rows - at;

			if (take == 0)
				continue;
			scratch.emplace_back(m.scratch(&shape, take) / 8 + 1, 0xeeeeeeeeeeeeeeee);
			tasks.push_back({ p.in.data() + at * p.in_pitch,
					  p.got.data() + at * p.out_pitch, p.in_pitch, p.out_pitch,
					  p.got_carry.data(), scratch.back().data(), take, 0 });
			most = take > most ? take : most;
			done[i] += take;
		}
		if (tasks.empty())
			break;
		if (m.launch(&shape, tasks.data(), (unsigned)tasks.size(), most, nullptr) !=
		    cudaSuccess) {
			printf("%s: stuck\n", m.name);
			rip_fibers.error = cudaSuccess; /* other pages are tried all the same */
			return false;
		}
	}
	for (auto &p : pages)
		if (!same(p, m.name))
			return false;
	return true;
}

__attribute__((unused)) static void test_published()
{
	for (const method &m : methods)
		for (uint32_t width = 1; width <= 100; width++) {
			std::vector<page> pages(pick(1, 2));

			rip_fibers.resident = pick(1, 3);
			make_page(pages[0], width, pick(1, 70), RIP_FLOYD_STEINBERG);
			if (pages.size() > 1) {
				pages[1] = pages[0];
				pages[1].spec.curve = pages[0].spec.curve ? pages[1].curve.data() :
									    nullptr;
				pages[1].rows = pick(1, pages[0].rows);
				pages[1].start.assign(width, 0);
				pages[1].got_carry = pages[1].start;
			}
			for (auto &p : pages)
				reference(p);
			failures += !run_published(m, pages);
		}
}

/* What a device keeps from launch to launch, for one kernel. */
struct device_state {
	static const uint32_t      size = 1024;
	std::vector<rip_wave_task> ring = std::vector<rip_wave_task>(size);
	uint32_t                   ticket = 0, first = 0, overtaken = 0, stalled = 0;
	bool                       whole = false; /* pages are not cut into bands */
	uint64_t                   patience = UINT64_MAX; /* waits, as rip_fibers.clock */
};

/* A page of which some rows were launched. */
struct progress {
	page    *p;
	std::vector<std::vector<uint64_t>> words; /* that bands write to in turn, one or more */
	uint32_t sequence, done = 0;
	size_t   latest = 0; /* of the words */
};

/* The next rows of a page. */
static rip_wave_task next_task(progress &j, uint32_t groups, bool whole)
{
	page &p = *j.p;
	const uint32_t rows = std::min(whole ? p.rows : pick(1, p.rows), p.rows - j.done);
	rip_wave_task task = {};

	task.in = p.in.data() + j.done * p.in_pitch;
	task.out = p.got.data() + j.done * p.out_pitch;
	task.from = j.words[j.latest].data();
	j.latest = (j.latest + 1) % j.words.size();
	task.words = j.words[j.latest].data();
	task.targets = p.targets.empty() ? nullptr : p.targets.data();
	task.in_pitch = (uint32_t)p.in_pitch;
	task.out_pitch = (uint32_t)p.out_pitch;
	task.sequence = j.sequence;
	task.rows = rows;
	task.width = p.spec.width;
	task.levels = p.spec.levels;
	task.screen = (uint32_t)rip_screen_id(p.spec.screen);
	j.sequence += rip_wave_slices(rows, groups);
	j.done += rows;
	return task;
}

/* Pages for one kernel, in bands: launches of several bands of several pages each, and
 * several launches at once. */
static bool run_wavefront(std::vector<page> &pages, uint32_t groups, uint32_t cluster,
			  device_state &device)
{
	const rip_gpu_shape shape = shape_of(pages[0]);
	const unsigned kernel = rip_wave_kernel(&shape);
	const uint32_t per_word = rip_wave_per_word(shape.screen);
	std::vector<progress> started;

	for (page &p : pages) {
		std::vector<uint64_t> words(rip_wave_words(per_word, p.spec.width));
		const uint32_t sequence = 0u - pick(0, 3);

		rip_wave_pack(words.data(), sequence, p.start.data(), per_word, p.spec.width,
			      p.spec.screen->reach);
		started.push_back(
			{ &p, std::vector<std::vector<uint64_t>>(pick(1, 4), words), sequence });
	}
	for (bool more = true; more;) {
		rip_wave_launch at_once[3];
		unsigned launches = 0;

		more = false;
		device.overtaken = 0;
		rip_fibers_hold();
		while (launches < pick(1, 3)) {
			rip_wave_launch &launch = at_once[launches++];
			std::vector<rip_wave_task> tasks;

			for (progress &j : started)
				for (uint32_t n = pick(0, 3); n > 0 && j.done < j.p->rows; n--)
					tasks.push_back(next_task(j, groups, device.whole));
			launch = { device.ring.data(),
				   device_state::size - 1,
				   device.first,
				   0,
				   cluster,
				   groups,
				   &device.ticket,
				   launches,
				   &device.overtaken,
				   &device.stalled,
				   device.patience,
				   0,
				   1 };
			launch.slices = rip_wave_cut(device.ring.data(), launch.mask, launch.first,
						     tasks.data(), (unsigned)tasks.size(), groups,
						     cluster);
			device.first += launch.slices / cluster;
			if (launch.slices > 0)
				rip_wave_run(kernel, &launch, nullptr);
		}
		rip_fibers_go();
		if (cudaGetLastError() != cudaSuccess || device.stalled) {
			printf("wavefront: %ux%u: stuck\n", pages[0].spec.width, pages[0].rows);
			rip_fibers.error = cudaSuccess; /* other pages are tried all the same */
			return false;
		}
		if (launches == 1 && device.overtaken) {
			printf("wavefront: a single launch reports that another has overtaken "
			       "it\n");
			return false;
		}
		for (progress &j : started)
			more = more || j.done < j.p->rows;
	}
	for (progress &j : started) {
		if (!rip_wave_unpack(j.p->got_carry.data(), j.sequence, j.words[j.latest].data(),
				     per_word, j.p->spec.width, j.p->spec.screen->reach)) {
			printf("wavefront: %ux%u: a word was not written\n", j.p->spec.width,
			       j.p->rows);
			return false;
		}
		if (!same(*j.p, "wavefront"))
			return false;
	}
	return true;
}

/* A screen that the wavefront has a kernel for. */
static uint32_t random_screen()
{
	uint32_t screen;

	do
		screen = pick(0, 1) ? pick(0, RIP_SCREENS - 1) : (uint32_t)RIP_FLOYD_STEINBERG;
	while (!rip_wave_takes(screen));
	return screen;
}

/* A page for the same kernel, of another shape if there is one. */
static void make_page_like(page &p, const page &first)
{
	const rip_gpu_shape want = shape_of(first);

	for (int tries = 0; tries < 100; tries++) {
		p = page();
		make_page(p, pick(0, 9) ? pick(1, 200) : pick(200, 700), pick(1, 600),
			  random_screen());

		const rip_gpu_shape shape = shape_of(p);

		if (rip_wave_kernel(&shape) == rip_wave_kernel(&want))
			return;
	}
	p = first;
	p.spec.curve = first.spec.curve ? p.curve.data() : nullptr;
}

static void test_wavefront()
{
	const uint32_t clusters[] = { 1, 2, 4, RIP_WAVE_CLUSTER_MAX };
	device_state device;

	device.ticket = device.first = 0xffffffff - 50; /* wraps soon */
	for (uint32_t width = 1; width <= 140 && failures < 5; width++) {
		std::vector<page> pages(pick(1, 3));

		rip_fibers.resident = pick(1, 3);
		make_page(pages[0], pick(0, 9) ? width : pick(200, 700),
			  pick(0, 3) ? pick(1, 150) : pick(1, 600), random_screen());
		for (size_t i = 1; i < pages.size(); i++)
			make_page_like(pages[i], pages[0]);
		for (auto &p : pages)
			reference(p);
		failures += !run_wavefront(pages, pick(1, RIP_WAVE_GROUPS), clusters[pick(0, 3)],
					   device);
	}
}

#ifndef ONLY_WAVEFRONT
/* Slices that live much longer than a wait may take, but always go on, are not stalled. */
static void test_patience(uint32_t cluster)
{
	device_state device;
	std::vector<page> pages(1);
	uint64_t began;

	rip_fibers.resident = 2; /* so that a slice waits for one that runs */
	device.whole = true;     /* two slices */
	make_page(pages[0], 2500, 2 * 32 * RIP_WAVE_GROUPS, RIP_FLOYD_STEINBERG);
	reference(pages[0]);
	began = rip_fibers.clock;
	failures += !run_wavefront(pages, RIP_WAVE_GROUPS, cluster, device);
	device.patience = (rip_fibers.clock - began) / 2; /* the longest wait is a quarter */
	printf("a launch waits %llu times\n", (unsigned long long)(rip_fibers.clock - began));
	pages[0].got.assign(pages[0].got.size(), 0x5a);
	pages[0].got_carry = pages[0].start;
	failures += !run_wavefront(pages, RIP_WAVE_GROUPS, cluster, device);
}
#endif

int main()
{
	const char *seed = getenv("RIPTIDE_TEST_SEED");

	rip_fibers.random = seed ? strtoull(seed, nullptr, 0) : (uint64_t)time(nullptr);
	printf("# seed: RIPTIDE_TEST_SEED=%llu\n", (unsigned long long)rip_fibers.random);
	fflush(stdout);
	alarm(900); /* a launch that goes on for ever is a failure, too */
#ifndef ONLY_WAVEFRONT
	test_published();
#endif
	test_wavefront();
#ifndef ONLY_WAVEFRONT
	test_patience(1);
	test_patience(2);
#endif
	printf("%u failures\n", failures);
	return failures > 0;
}
