/* Memory of tests: it is there, and it is given back. */
#ifndef RIP_TEST_MEMORY_H
#define RIP_TEST_MEMORY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Ends the program unless something holds. */
static inline void must(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	abort();
}

/* Ends the program if an allocation has failed. */
static inline void *need(void *pointer)
{
	must(pointer, "no memory");
	return pointer;
}

#endif
