#include "config.h"

#include "job_threads.h"

#include <stdio.h>

#include "halftone/cpu.h"

/* More threads wait for each other and for the one that reads.  H100's host, 16 processors, A4 in
 * CMYK at 600 dpi, floyd-steinberg, 2026-11-23: pages/s and ms of processor time a page.
 *
 *	jobs       1 thread    16 threads each
 *	1          26, 57      26, 148
 *	24         247, 60     170, 92
 *
 * So: samples a nanosecond that one thread reads and splits into planes; 139 MB in 27 ms. */
#define READ 5.0

/* What one thread halftones: samples a nanosecond (BENCHMARKS.md, "CPU"; EPYC 9005, 2026-11). */
static const struct {
	double c, avx2, avx512; /* avx2: also of others */
} rates[RIP_SCREENS] = {
	[RIP_FLOYD_STEINBERG]   = { 0.61, 7.2, 12.8 },
	[RIP_JARVIS_JUDICE_NINKE] = { 0.29, 3.7, 7.5 },
	[RIP_STUCKI]            = { 0.29, 3.7, 7.5 },
	[RIP_BURKES]            = { 0.50, 4.3, 7.9 },
	[RIP_SIERRA]            = { 0.29, 3.7, 7.5 },
	[RIP_ATKINSON]          = { 0.53, 3.8, 7.5 },
	[RIP_BLUE_NOISE]        = { 0.16, 3.3, 6.3 },
	[RIP_BLUE_NOISE_COLOUR] = { 0.10, 1.4, 2.8 },
};

unsigned rip_job_threads_worth(const struct rip_isa *isa, const struct rip_screen *screen)
{
	const int id = screen ? rip_screen_id(screen) : RIP_FLOYD_STEINBERG;
	double rate;

	if (id < 0)  /* masks and bi-level: 24 with SIMD, 1.4 without */
		return isa->has_simd ? 1 : 4;
	rate = !isa->has_simd ? rates[id].c :
	       isa->features & RIP_CPU_AVX512 ? rates[id].avx512 : rates[id].avx2;
	return (unsigned)(READ / rate) + 1;
}

/* The fourth word is "running/all" of the threads of the machine. */
unsigned rip_job_threads_idle(unsigned processors, const char *loadavg)
{
	unsigned running;

	if (sscanf(loadavg, "%*s %*s %*s %u/", &running) != 1 || running == 0)
		running = 1;
	running--; /* the caller */
	return running < processors ? processors - running : 1;
}

unsigned rip_job_threads(const struct rip_isa *isa, const struct rip_screen *screen)
{
	const unsigned worth = rip_job_threads_worth(isa, screen), processors = rip_cpu_count();
	char text[128] = "";
	unsigned idle;
	FILE *file;

	if (worth == 1)
		return 1;
	file = fopen("/proc/loadavg", "re");
	if (file && !fgets(text, sizeof text, file))
		*text = '\0';
	if (file)
		fclose(file);
	idle = rip_job_threads_idle(processors, text);
	return worth < idle ? worth : idle;
}
