/*
 * The daemon's engines: those for the CPU at once, and each GPU as soon as it is found.
 *
 * Until the first one is found, the CPU does the GPU's methods, and a session changes to a GPU
 * with its next page, so that the client that started the daemon gets a GPU too.  A driver that
 * does not answer for RIP_LOOK_MS counts as no GPU, until it answers.
 *
 * With several GPUs, a session gets the one that has the fewest sessions.  A GPU that fails gives
 * its pages to another GPU, and only then to the CPU.  It is tried again after a while: after
 * RIP_RETRY_MS, and twice as long after each further failure, up to RIP_RETRY_MOST_MS.
 *
 * rip_device_replace() may be called by any worker; everything else is for the event loop's
 * thread.  The lock guards what both use.  Engines may be used by any worker.  A CPU engine lives
 * as long as the device.  A GPU's engine lives until the GPU has failed and no session holds it;
 * then the probe that looks for the GPU again frees it.
 */
#ifndef RIP_DEVICE_H
#define RIP_DEVICE_H

#include <pthread.h>

#include "halftone/engine.h"
#include "probe.h"
#include "settings.h"
#include "wire/protocol.h"

#define RIP_LOOK_MS       10000
#define RIP_RETRY_MS      10000
#define RIP_RETRY_MOST_MS 3600000
#define RIP_SOUND_MS      600000 /* a GPU that has worked for so long is not known as failing */

struct rip_gpu {
	int                number;
	struct rip_probe  *probe;       /* looks for it, or NULL */
	bool               overdue;     /* the probe has taken too long */
	bool               lost;        /* it failed in this process, and was not found again yet */
	bool               gone;        /* and it was tried again, in vain */
	int64_t            retry_ms;    /* when a lost one is tried again */
	unsigned           failed_times; /* in all */
	char name[64];                  /* empty: it was never found */
	char why[RIP_REASON_MAX + 1];   /* it is not in use; or empty */
	/* guarded by the device's lock: */
	struct rip_engine *engine;      /* NULL: not found, or freed after a failure */
	bool               ready;       /* the engine works */
	bool               unreported;  /* it has failed, and the event loop does not know yet */
	unsigned           users;       /* sessions that hold the engine */
	unsigned           row;         /* failures in a row */
	int64_t            found_ms;
};

struct rip_device {
	enum rip_device_kind kind;
	bool               all;              /* all GPUs of the machine, as they are found */
	struct rip_engine *cpu[RIP_METHODS]; /* NULL for GPU methods */
	struct rip_gpu     gpus[RIP_GPUS_MAX];
	unsigned           gpu_count;        /* that are or were looked for */
	bool               had_gpu;          /* one was found */
	pthread_mutex_t    lock;
	char why_no_gpu[RIP_REASON_MAX + 1]; /* empty if there is one */
};

/* Makes the CPU engines, and starts to look for GPUs if some are configured.  0, or -errno;
 * after an error there is nothing to finish. */
int rip_device_init(struct rip_device *device, const struct rip_settings *settings);

/* Returns false if a driver hangs: then nothing of it can be freed, and the process must
 * end with _exit(). */
bool rip_device_finish(struct rip_device *device);

/* Looks for a GPU (again) that is not in use, unless a session still holds its failed engine.
 * Returns whether a new probe was started.  If the system has no thread for it, a lost GPU is
 * tried again after RIP_RETRY_MS. */
bool rip_device_look(struct rip_device *device, struct rip_gpu *gpu);

/* Takes the result of a GPU's probe.  0: it is in use now; -EAGAIN: no result yet; other -errno:
 * it is not there (gpu->why).  There may be more GPUs then than before. */
int rip_device_found(struct rip_device *device, struct rip_gpu *gpu, int64_t now_ms);

/* To be called when RIP_LOOK_MS have passed without a result. */
void rip_device_overdue(struct rip_device *device, struct rip_gpu *gpu);

/* When a lost GPU can be tried again; INT64_MAX: it is not lost, or is being looked for. */
int64_t rip_device_retry_ms(struct rip_device *device, struct rip_gpu *gpu, int64_t now_ms);

/* How many GPUs are in use, and whether one is being looked for whose driver may still answer. */
unsigned rip_device_gpus(const struct rip_device *device);
bool rip_device_looking(const struct rip_device *device);

/* Whether one is being looked for, overdue or not. */
bool rip_device_searching(const struct rip_device *device);

/* False if no configured GPU was found yet. */
bool rip_device_ready(const struct rip_device *device);

/* Whether all GPUs have failed and were tried again in vain.  After some failures CUDA refuses
 * everything to a process; another one may have them again. */
bool rip_device_gone(const struct rip_device *device);

/* Whether there is an engine for a method; if not, the client does better without the daemon. */
bool rip_device_serves(const struct rip_device *device, enum rip_method method);

/* The engine for a session with this method, or NULL.  If it is a GPU's, the session holds it
 * until rip_device_release(). */
struct rip_engine *rip_device_hold(struct rip_device *device, enum rip_method method);

/* Ends that.  NULL and engines that are not a GPU's are allowed. */
void rip_device_release(struct rip_device *device, const struct rip_engine *engine);

/* Whether an engine is a GPU's that has not failed. */
bool rip_device_is_gpu(struct rip_device *device, const struct rip_engine *engine);

/* A GPU's engine has failed in mid-page: the engine of another GPU, which the session then holds
 * besides the failed one, or NULL.  The failed one gets no new sessions.  Any thread. */
struct rip_engine *rip_device_replace(void *device, struct rip_engine *failed);

/* The CPU engine that takes over where the engine of this method failed. */
struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method);

/* To be called when an engine has failed.  A GPU then gets no new sessions.  Returns
 * whether this is the first report; every session on the GPU will make one. */
bool rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why);

/* Page-locked memory of this process that the GPUs' engines hold for copies: bytes. */
uint64_t rip_device_staging(const struct rip_device *device);

/* What of it a page of this spec takes on this engine. */
uint64_t rip_device_page_staging(struct rip_device *device, const struct rip_engine *engine,
				 const struct rip_page_spec *spec);

/* Has the GPUs' engines give back what they keep for the next pages. */
void rip_device_trim(struct rip_device *device);

/* A GPU's entry in a DEVICES_REPLY. */
void rip_device_describe(struct rip_device *device, const struct rip_gpu *gpu,
			 struct rip_gpu_status *status);

#define RIP_DEVICE_NAME_MAX 79

/* Writes the name of the engines in use, for people. */
void rip_device_name(const struct rip_device *device, char *name, size_t size);

#endif
