/* A run of rastertoriptide that fails as it should. */
#ifndef RIP_TESTS_FAILED_RUN_H
#define RIP_TESTS_FAILED_RUN_H

#include "tests/tools/raster.h"

/* The filter failed as it should: exit 1, one ERROR, whose line has all these words (strings; after a
 * NULL no more). */
#define FAILED(run, ...) \
	failed_run(run, (const char *const[]){ __VA_ARGS__ }, \
		   sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

void failed_run(const struct run *run, const char *const words[], size_t count);

#endif
