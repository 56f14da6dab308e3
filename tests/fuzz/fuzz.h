/* What every fuzzer has. */
#ifndef RIP_FUZZ_H
#define RIP_FUZZ_H

#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What only checks is nothing that a fuzzer should explore. */
#ifdef __clang__
#define NO_COVERAGE __attribute__((no_sanitize("coverage")))
#else
#define NO_COVERAGE
#endif

/* The fuzzer: it aborts if something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

NO_COVERAGE static inline void insist(int what)
{
	if (!what)
		abort();
}

/* What is left of the fuzzer's bytes. */
struct input {
	const uint8_t *data;
	size_t         size;
};

/* The next byte; after the last one 0. */
static inline unsigned take_byte(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

/* A reason is a text within its size, for a terminal or a log. */
static inline void insist_reason(const char *why, size_t size)
{
	const char *end = memchr(why, 0, size);

	insist(end && end > why);
	for (const char *c = why; c < end; c++)
		insist((unsigned char)*c >= ' ' && *c != 127);
}

#endif
