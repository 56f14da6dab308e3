/*
 * Helpers of the programs that measure the GPU engine.
 */
#ifndef GPU_TIMING_HH
#define GPU_TIMING_HH

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <vector>

/* Milliseconds. */
static inline double now()
{
	timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* Ends the program if something has failed. */
static inline void need(bool right, const char *what)
{
	if (!right) {
		fprintf(stderr, "%s: %s failed\n", program_invocation_short_name, what);
		exit(1);
	}
}

static inline double median(std::vector<double> ms)
{
	std::sort(ms.begin(), ms.end());
	return ms[ms.size() / 2];
}

#endif
