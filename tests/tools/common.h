/*
 * cmocka, and the headers that nearly every test needs.  Comes first in a file, for the functions of
 * GNU.
 */
#ifndef RIP_TESTS_COMMON_H
#define RIP_TESTS_COMMON_H

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The random numbers of a test: testing.h, whose seed it prints. */
uint64_t rip_test_random(void);

/* A random number from 0 to n - 1. */
__attribute__((unused)) static uint32_t rip_test_below(uint32_t n)
{
	return (uint32_t)(rip_test_random() % n);
}

/* The elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A variable that is given back at the end of its block, by free(), close() or this function: as in
 * AUTO_FREE uint8_t *bytes = malloc(size), AUTO(bytes_free) struct bytes stream = { 0 }. */
#define AUTO(function) __attribute__((cleanup(function)))
#define AUTO_FREE      AUTO(free_pointer)
#define AUTO_CLOSE     AUTO(close_descriptor)

static inline void free_pointer(void *pointer)
{
	free(*(void **)pointer);
}

static inline void close_descriptor(const int *descriptor)
{
	close(*descriptor);
}

/* Waits until a condition holds, a minute at most. */
#define AWAIT(condition) \
	for (int tries_ = 12000; !(condition); usleep(5000)) \
		if (tries_-- == 0) \
			fail_msg("not within a minute: %s", #condition)

#endif
