/*
 * The time for measurements and deadlines.  Pure; any thread.
 */
#ifndef RIP_CLOCK_H
#define RIP_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, in each unit. */
static inline int64_t rip_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t rip_clock_us(void)
{
	return rip_clock_ns() / 1000;
}

static inline int64_t rip_clock_ms(void)
{
	return rip_clock_ns() / 1000000;
}

static inline double rip_clock_s(void)
{
	return 1e-9 * (double)rip_clock_ns();
}

#endif
