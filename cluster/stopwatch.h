/*
 * Seconds of a clock that only goes forward.
 */
#ifndef RIP_STOPWATCH_H
#define RIP_STOPWATCH_H

#include <time.h>

static inline double rip_stopwatch(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
