/*
 * cmocka, and the headers that nearly every test needs.  Comes first in a file, for the functions
 * of GNU. */
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

#include "tests/tools/memory.h"

/* The random numbers of a test: testing.h, whose seed it prints. */
uint64_t rip_test_random(void);

/* A random number from 0 to n - 1. */
__attribute__((unused)) static uint32_t rip_test_below(uint32_t n)
{
	return (uint32_t)(rip_test_random() % n);
}

/* Whether another build runs all cases, and this one may run some of each kind (tests/local.mk). */
static inline bool rip_test_repeated(void)
{
	return getenv("RIPTIDE_TEST_REPEATED");
}

/* Whether to leave out one of many similar cases: three of four where only the threads of the
 * programs are looked at (tests/local.mk). */
static inline bool rip_test_left_out(void)
{
	return getenv("RIPTIDE_TEST_THREADS") && rip_test_random() % 4;
}

/* The elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* fork(), without output that both processes would write; and the status with which the child
 * ended. */
__attribute__((unused)) static pid_t fork_child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	return pid;
}

__attribute__((unused)) static int wait_child(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* Waits until a condition holds, a minute at most. */
#define AWAIT(condition) \
	for (int tries_ = 12000; !(condition); usleep(5000)) \
		if (tries_-- == 0) \
			fail_msg("not within a minute: %s", #condition)

#endif
