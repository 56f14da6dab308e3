/*
 * The GPU engine.  The same functions exist in a build without CUDA
 * (engine_none.c), where they say that there is no device.
 */
#ifndef RIP_ENGINE_CUDA_H
#define RIP_ENGINE_CUDA_H

#include "halftone/engine.h"

struct rip_cuda_config {
	enum rip_method method; /* pwed, pwec, bwed, bwec; any other means the fastest */
	int             device; /* a device number, or -1: the first that works */
};

/* Makes an engine.  -ENODEV: no device, no driver, or a build without CUDA; why
 * (text of at most size bytes, may be NULL) then says which. */
int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size);

#endif
