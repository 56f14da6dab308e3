/*
 * A system that has nothing left, for riptided's own calls only (ld --wrap).  The
 * environment says when, RIPTIDE_TEST_SCARCE="memory=7", from the start of the process:
 *
 *	memory=N   the N-th malloc(), calloc() or realloc() fails
 *	threads=N  the N-th thread, and all after it, cannot be made
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int   __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			    void *(*start)(void *), void *argument);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int   __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			    void *(*start)(void *), void *argument);

static atomic_int allocations, threads;

static int asked(const char *word)
{
	const char *text = getenv("RIPTIDE_TEST_SCARCE"), *at = text ? strstr(text, word) : NULL;

	return at ? atoi(at + strlen(word)) : 0;
}

static bool memory_fails(void)
{
	if (atomic_fetch_add(&allocations, 1) + 1 != asked("memory="))
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return memory_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return memory_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return memory_fails() ? NULL : __real_realloc(memory, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument)
{
	const int from = asked("threads=");

	if (from && atomic_fetch_add(&threads, 1) + 1 >= from)
		return EAGAIN;
	return __real_pthread_create(thread, attributes, start, argument);
}
