/*
 * The engines that the daemon has: those of the CPU, and one GPU if there is one.
 *
 * Made and asked by the event loop's thread; the engines themselves may be used
 * by any worker.  An engine lives as long as the device.
 */
#ifndef RIP_DEVICE_H
#define RIP_DEVICE_H

#include "halftone/engine.h"
#include "settings.h"
#include "wire/protocol.h"

struct rip_device {
	enum rip_device_kind kind;
	struct rip_engine *cpu[RIP_METHODS]; /* NULL for methods that are the GPU's */
	struct rip_engine *gpu;              /* NULL: none, or it failed */
	struct rip_engine *gpu_failed;       /* kept until its pages are closed */
	char why_no_gpu[RIP_REASON_MAX + 1]; /* empty if there is one */
};

/* Makes the engines.  0; -ENODEV if a GPU was asked for and cannot be had (why_no_gpu
 * says why); -ENOMEM and the like.  Unless 0, nothing is left to finish. */
int rip_device_init(struct rip_device *device, const struct rip_settings *settings);
void rip_device_finish(struct rip_device *device);

/* The engine for a method, or NULL: the client does better without us. */
struct rip_engine *rip_device_engine(const struct rip_device *device, enum rip_method method);

/* The engine that goes on where the one of this method failed. */
struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method);

/* Tells that the engine failed.  A GPU is not used for new sessions any more. */
void rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why);

/* What halftones, for people. */
const char *rip_device_name(const struct rip_device *device);

#endif
