/*
 * The daemon's engines: those for the CPU at once, and one GPU as soon as it is found.
 *
 * Until then the CPU does the GPU's methods, and a session changes to the GPU with its next
 * page, so that the client that started the daemon gets the GPU too.  A driver that does not
 * answer for RIP_LOOK_MS counts as no GPU, until it answers.
 *
 * Used by the event loop's thread; the engines may be used by any worker.  An engine lives as
 * long as the device.
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
	int                number;           /* of the configured GPU, -1: any */
	struct rip_engine *cpu[RIP_METHODS]; /* NULL for GPU methods */
	struct rip_engine *gpu;              /* NULL: none, or it failed, or not yet */
	struct rip_engine *gpu_failed;       /* kept until its pages are closed */
	struct rip_probe  *probe;            /* looks for the GPU, or NULL */
	bool               overdue;          /* the probe has taken too long */
	char why_no_gpu[RIP_REASON_MAX + 1]; /* empty if there is one */
};

/* Makes the CPU engines, and starts to look for a GPU if one is configured.  0, or -errno;
 * after an error there is nothing to finish. */
int rip_device_init(struct rip_device *device, const struct rip_settings *settings);

/* Returns false if the driver hangs: then nothing of it can be freed, and the process must
 * end with _exit(). */
bool rip_device_finish(struct rip_device *device);

/* Looks for the GPU (again) if one is configured and there is none, unless it failed in this
 * process, where its driver does not recover.  Returns whether a new probe was started. */
bool rip_device_look(struct rip_device *device);

/* Takes the probe's result.  0: there is a GPU now; -EAGAIN: no result yet; other -errno:
 * there is no GPU (why_no_gpu). */
int rip_device_found(struct rip_device *device);

/* To be called when RIP_LOOK_MS have passed without a result. */
void rip_device_overdue(struct rip_device *device);

/* False if the configured GPU is missing. */
bool rip_device_ready(const struct rip_device *device);

/* The engine for a method; NULL if the client does better without the daemon. */
struct rip_engine *rip_device_engine(const struct rip_device *device, enum rip_method method);

/* The engine that takes over where the engine of this method failed. */
struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method);

/* To be called when an engine has failed.  A GPU is then not used for new sessions.  Returns
 * whether this is the first report; every session on the GPU will make one. */
bool rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why);

/* Page-locked memory of this process that the GPU's engine holds for copies: bytes. */
uint64_t rip_device_staging(const struct rip_device *device);

/* Has the GPU's engine give back what it keeps for the next pages. */
void rip_device_trim(struct rip_device *device);

/* The name of the engine in use, for people. */
const char *rip_device_name(const struct rip_device *device);

#endif
