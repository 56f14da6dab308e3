/*
 * The engines that the daemon has: those of the CPU at once, and one GPU as soon as it
 * is found.
 *
 * Until then a method that the GPU would do is done by the CPU, and its session goes
 * over to the GPU with the next page: a client that the daemon was started for need
 * not do without it.  A driver that says nothing for RIP_LOOK_MS counts as none, until
 * it answers after all.
 *
 * Made and asked by the event loop's thread; the engines themselves may be used
 * by any worker.  An engine lives as long as the device.
 */
#ifndef RIP_DEVICE_H
#define RIP_DEVICE_H

#include "halftone/engine.h"
#include "probe.h"
#include "settings.h"
#include "wire/protocol.h"

#define RIP_LOOK_MS 10000

struct rip_device {
	enum rip_device_kind kind;
	int                number;           /* of the GPU that is wanted, -1: any */
	struct rip_engine *cpu[RIP_METHODS]; /* NULL for methods that are the GPU's */
	struct rip_engine *gpu;              /* NULL: none, or it failed, or not yet */
	struct rip_engine *gpu_failed;       /* kept until its pages are closed */
	struct rip_probe  *probe;            /* that looks for the GPU, or NULL */
	bool               overdue;          /* and has not answered for too long */
	char why_no_gpu[RIP_REASON_MAX + 1]; /* empty if there is one */
};

/* Makes the CPU's engines, and begins to look for the GPU if one is wanted.  0, or
 * -errno: nothing is left to finish then. */
int rip_device_init(struct rip_device *device, const struct rip_settings *settings);

/* false: the driver hangs, nothing of it can be freed, and the process has to end by
 * _exit(). */
bool rip_device_finish(struct rip_device *device);

/* Begins to look for the GPU (again), if one is wanted and there is none, unless it
 * failed in this process: its driver does not recover there.  Returns whether it
 * does: then probe is new. */
bool rip_device_look(struct rip_device *device);

/* Takes the probe's result, if it is there.  0: there is a GPU now; -EAGAIN: no result
 * yet; other -errno: there is none (why_no_gpu). */
int rip_device_found(struct rip_device *device);

/* RIP_LOOK_MS are over. */
void rip_device_overdue(struct rip_device *device);

/* Whether it can do what it was set to: without a GPU that must be there it cannot. */
bool rip_device_ready(const struct rip_device *device);

/* The engine for a method, or NULL: the client does better without us. */
struct rip_engine *rip_device_engine(const struct rip_device *device, enum rip_method method);

/* The engine that goes on where the one of this method failed. */
struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method);

/* Tells that the engine failed.  A GPU is not used for new sessions any more.  Returns
 * whether that is news: all sessions that were on it will say so. */
bool rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why);

/* What halftones, for people. */
const char *rip_device_name(const struct rip_device *device);

#endif
